"""Clones and their kin at the table, data sets on disk, and the commands."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from mazzo.agent import create
from mazzo.cli.app import mazzo
from mazzo.errors import UnreadableError
from mazzo.holdem import Hand, find_game
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.agents.reader import RangeReader
from mazzo.holdem.agents.replayer import Replayer
from mazzo.holdem.cloning.clone import Clone
from mazzo.holdem.cloning.datasets import dataset_rows
from mazzo.holdem.cloning.models import MODELS
from mazzo.holdem.comparing.likeness import likeness
from mazzo.holdem.logs import read_hands
from mazzo.holdem.match import HoldemMatch
from mazzo.holdem.table import Table
from mazzo.lockstep import play_out
from mazzo.testing import check_holdem_agent
from tests.data_files import DATA

GAME = "holdem-limit-3p"


def _run(*words: str) -> str:
    result = CliRunner().invoke(mazzo, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of `rich` against copies of itself, 600 hands, every deal in three seats; and its clone."""
    path = tmp_path_factory.mktemp("clone")
    log = str(path / "rich.log")
    _run("match", GAME, "rich", "rich", "rich", "--hands", "600", "--seed", "3", "--log", log, "--quiet")
    _run("clone", log, "--hero", "rich#1", "-o", str(path / "rich.mz"), "--quiet")
    return path


def test_a_clone_of_rich_predicts_rich_and_its_tree_can_be_read(folder: Path) -> None:
    clone = Clone.load(folder / "rich.mz")
    for found in clone.settings["validation"]:
        assert found["validation"]["accuracy"] > 0.95
        assert found["validation"]["accuracy"] > found["majority"]
    said = json.loads(_run("read", str(folder / "rich.mz"), "--json"))
    near = {cut["near"] for street in said["streets"].values() for cut in street["thresholds"]}
    assert {"1/2", "1/3"} <= near
    picture = folder / "tree.svg"
    text = _run("read", str(folder / "rich.mz"), "--street", "preflop", "--svg", str(picture))
    assert "ALL_IN_EQUITY" in text
    assert picture.read_text().startswith("<svg")


def test_a_clone_conforms_and_explains_its_path(folder: Path) -> None:
    name = str(folder / "rich.mz")
    for game in (GAME, "holdem-nolimit-6p"):
        check_holdem_agent(lambda: create(name, AGENTS), find_game(game), deals=4)
    hand = Hand(find_game(GAME), "AsAh 4h5c 6d7d AdKsQs Js Ts")
    hand.act("c")
    said = create(f"clone:model={name}", AGENTS).explain(hand.observe())
    assert said.action == "r"
    assert "the player would" in said.reason


def test_a_clone_plays_like_its_original_and_counts_chips_by_the_big_blind(folder: Path) -> None:
    players = [create(str(folder / "rich.mz"), AGENTS), create("rich", AGENTS), create("rich", AGENTS)]
    found = likeness(find_game(GAME), create("rich", AGENTS), players[0], players[1:], 300, seed=8)
    share, (low, high), n = found.agreement.of()
    assert share > 0.95
    assert low <= share <= high
    assert n == found.agreement.counts.sum()
    same = likeness(
        find_game(GAME), create("rich", AGENTS), create("rich", AGENTS), [create("rich", AGENTS)] * 2, 60, seed=8
    )
    assert same.agreement.of()[0] == 1
    assert all(row["difference"] in (0, None) for row in same.rows())
    assert same.difference.mean == 0


def test_comparing_prints_the_texts_tables(folder: Path) -> None:
    data = json.loads(
        _run("compare", "rich", str(folder / "rich.mz"), "--against", "rich", "rich", "--hands", "90", "--json")
    )
    assert {row["street"] for row in data["rows"]} == {"preflop", "flop", "turn", "river", "showdown"}
    assert data["agreement"]["decisions"] > 100
    assert "agreement" in _run("compare", "rich", "call", "--against", "call call", "--hands", "30")


@pytest.mark.parametrize("kind", ["arff", "parquet", "csv"])
def test_data_sets_of_every_form_hold_the_same_rows(folder: Path, kind: str) -> None:
    out = folder / kind
    said = json.loads(
        _run("describe", str(folder / "rich.log"), "--hero", "rich#1", "--to", kind, "-o", str(out), "--json")
    )
    rows = {file["street"]: file["rows"] for file in said["files"]}
    if kind == "arff":
        from scipy.io import arff

        data, meta = arff.loadarff(out / "river.arff")
        assert len(data) == rows["RIVER"]
        assert meta["RIVER_ACTION"][0] == "nominal"
        assert len(meta["RIVER_ACTION"][1]) == 370
        frame = pl.DataFrame(
            {name: [k.decode() if isinstance(k, bytes) else k for k in data[name]] for name in meta.names()}
        )
    else:
        path = out / f"river.{kind}"
        frame = pl.read_parquet(path) if kind == "parquet" else pl.read_csv(path, infer_schema_length=10000)
    assert len(frame) == rows["RIVER"]
    data_rows = list(read_hands(folder / "rich.log"))
    from mazzo.holdem.cloning.data import rows_of

    river = rows_of(data_rows, "rich#1")[3]
    assert frame["ALL_IN_EQUITY"].to_list() == pytest.approx(
        river.x[:, [c.name for c in river.columns].index("ALL_IN_EQUITY")].tolist()
    )
    assert frame["CLASS_HERO_ACTION_TAKEN"].to_list() == [("RAISE", "FOLD", "CALL")[k] for k in river.y]
    assert len(set(frame["CARD_SET"].to_list())) == len(set(river.group.tolist()))
    assert not [name for name in frame.columns if name.startswith("FUTURE")]


def test_more_rows_than_memory_holds_are_learned_in_chunks(folder: Path) -> None:
    out = folder / "chunks"
    _run("describe", str(folder / "rich.log"), "--hero", "rich#1", "-o", str(out), "--quiet")
    path = out / "flop.parquet"
    whole = next(dataset_rows(path, 1))
    parts = list(dataset_rows(path, 1, chunk=200))
    assert sum(len(part) for part in parts) == len(whole)
    assert max(len(part) for part in parts) == 200
    for kind in ("bayes", "boosting"):
        model = MODELS[kind].fit_in_chunks(dataset_rows(path, 1, chunk=200), trees=5)
        model.check()
        assert (model.predict(whole.x) == whole.y).mean() > (0.75 if kind == "bayes" else 0.9)
    with pytest.raises(UnreadableError, match="chunk by chunk"):
        MODELS["tree"].fit_in_chunks(dataset_rows(path, 1))


def test_what_looks_ahead_is_named_with_a_warning(folder: Path) -> None:
    words = ["describe", str(folder / "rich.log"), "--hero", "rich#1", "-o", str(folder / "ahead")]
    result = CliRunner().invoke(mazzo, [*words, "--attributes", "FUTURE_HERO_OUTCOME,POT_ODDS"])
    assert "warning: FUTURE_HERO_OUTCOME" in result.stderr
    assert "FUTURE_HERO_OUTCOME" in pl.read_parquet(folder / "ahead" / "flop.parquet").columns
    result = CliRunner().invoke(mazzo, [*words, "--invert"])
    assert "left out, since they look ahead" in result.stderr


def test_a_hero_who_is_not_there_is_explained(folder: Path) -> None:
    result = CliRunner().invoke(mazzo, ["clone", str(folder / "rich.log"), "--hero", "rich", "-o", "x.mz"])
    assert isinstance(result.exception, UnreadableError)
    assert "did you mean 'rich#" in str(result.exception)


def test_attributes_are_listed_and_filtered() -> None:
    listed = [a["name"] for a in json.loads(_run("attributes", "--json"))["attributes"]]
    assert sum(name.isupper() for name in listed) == 115  # Kischka's, and what is ours in his spelling
    assert sum(name.islower() for name in listed) == 75  # Vilella's 70, and five of tables of several players
    assert len(listed) == 190
    names = [a["name"] for a in json.loads(_run("attributes", "-prefix", "HISTORY", "--json"))["attributes"]]
    assert len(names) == 12
    assert "ALL_IN_EQUITY " in _run("attributes", "--categories", "ODDS_AND_OUTS")


@pytest.mark.parametrize("game", ["holdem-limit-2p", GAME, "holdem-nolimit-6p"])
def test_reader_conforms(game: str) -> None:
    check_holdem_agent(lambda: create("reader", AGENTS), find_game(game), deals=6)


def test_reader_begins_as_rich_and_shifts_with_what_it_sees() -> None:
    game = find_game(GAME)
    table = HoldemMatch(game).table(range(100), 4)
    seen = table.observe(np.arange(len(table)))
    reader = create("reader", AGENTS)
    assert (reader.decide(seen) == create("rich", AGENTS).decide(seen)).all()
    contest = HoldemMatch(game)
    contest.play([reader, create("random:raise=.05,call=.15,fold=.8", AGENTS), create("rich", AGENTS)], range(200), 1)
    hand = Hand(game, "2c3d 9h9c KdTd 4c5s8h Js 2s")
    for action in "crc":
        hand.act(action)
    o = hand.observe()  # the small blind, who has called, faces a raise of position 1
    widths = reader.widths(o)[0]  # type: ignore[attr-defined]
    assert widths.min() < 1
    assert reader.explain(o).facts["equity against their ranges"] <= reader.explain(o).facts["fair equity"]  # type: ignore[operator]


def test_recorder_plays_as_its_agent_and_writes_what_it_saw(tmp_path: Path) -> None:
    game = find_game(GAME)
    recorder = create(f"recorder:agent=rich,to={tmp_path}", AGENTS)
    one = HoldemMatch(game).play([recorder, create("call", AGENTS), create("call", AGENTS)], range(5), 1, log=True)[1]
    other = HoldemMatch(game).play(
        [create("rich", AGENTS), create("call", AGENTS), create("call", AGENTS)], range(5), 1, log=True
    )[1]
    assert [line.split(":")[2] for line in one] == [line.split(":")[2] for line in other]
    frame = pl.read_csv(tmp_path / "preflop.csv")
    assert len(frame) >= 15
    assert set(frame["CLASS_HERO_ACTION_TAKEN"]) <= {"RAISE", "CALL", "FOLD"}
    assert "HISTORY_VPIP_OPPONENT_0" in frame.columns


def test_players_who_learn_begin_both_times_with_what_they_know() -> None:
    original, clone, *others = (create("reader", AGENTS) for _ in range(4))
    assert isinstance(others[0], RangeReader)
    found = likeness(find_game(GAME), original, clone, others, 600, seed=3)
    assert found.difference.mean == found.difference.standard_error == 0
    assert others[0].seen.so_far.counts.sum() == 0


def test_replayers_play_the_logged_hands_again_and_call_where_the_log_ends(folder: Path) -> None:
    (hands,) = list(read_hands(folder / "rich.log"))
    hands = hands[:90]
    players = [Replayer.of([hands], f"rich#{k + 1}") for k in range(3)]
    seating = np.array([[int(hands.names[k].removeprefix("rich#")) - 1 for k in row[:3]] for row in hands.seating])
    table = Table(hands.games[0], hands.cards[:, :11].copy(), seating=seating.astype(np.int16))
    full = (hands.cards[:, :11] != 255).all(axis=1)
    table = Table(hands.games[0], hands.cards[full][:, :11].copy(), seating=seating[full].astype(np.int16))
    play_out(table, players)
    assert full.sum() > 20
    assert (table.settle() == hands.net[full][:, :3]).all()
    fresh = Hand(hands.games[0], seed=99)
    assert players[0].explain(fresh.observe()).action == "c"
    with pytest.raises(UnreadableError, match="did you mean"):
        create(f"replayer:log={folder / 'rich.log'},player=rich#4", AGENTS)


@pytest.mark.parametrize("vote", ["majority", "outcome"])
def test_the_case_base_conforms(folder: Path, vote: str) -> None:
    name = f"casebase:log={folder / 'rich.log'},hero=rich#1,vote={vote}"
    agent = create(name, AGENTS)
    check_holdem_agent(lambda: agent, find_game(GAME), deals=2)


def test_the_case_base_plays_much_like_the_player_in_it(folder: Path) -> None:
    agent = create(f"casebase:log={folder / 'rich.log'},hero=rich#1", AGENTS)
    rich = [create("rich", AGENTS) for _ in range(2)]
    found = likeness(find_game(GAME), create("rich", AGENTS), agent, rich, 60, seed=5)
    assert found.agreement.of()[0] > 0.8


def test_a_clone_takes_a_logged_players_place(folder: Path) -> None:
    data = json.loads(_run("compare", "rich#1", str(folder / "rich.mz"), "--log", str(folder / "rich.log"), "--json"))
    assert data["agreement"]["share"] > 0.97
    # The original in its own place plays the log again, chip for chip.
    from mazzo.holdem.comparing.in_log import replayed

    again = replayed(read_hands(folder / "rich.log"), "rich#1", create("rich", AGENTS))
    assert again.likeness.agreement.of()[0] == 1
    assert again.left_out > 0
    assert again.likeness.difference.mean == 0
    assert all(row["difference"] in (0, None) for row in again.likeness.rows())


def test_a_dealers_seed_gives_the_cards_a_log_hides() -> None:
    from mazzo.holdem.comparing.in_log import reference_seed, replayed, with_reference_cards

    path = DATA / "acpc_3p_limit.log"
    (hands,) = read_hands(path)
    seed = reference_seed(path)
    assert seed is not None
    name = hands.names[0]
    assert replayed([hands], name, create("call", AGENTS)).left_out > 0
    assert replayed([with_reference_cards(hands, seed)], name, create("call", AGENTS)).left_out == 0
    assert (with_reference_cards(hands, seed + 1).cards == hands.cards).all()


def test_a_clone_that_looks_at_history_is_handed_the_hands(folder: Path) -> None:
    from mazzo.holdem.agents.clone import ClonePlayer
    from mazzo.holdem.attributes import Selection
    from mazzo.holdem.cloning.clone import learn_clone
    from mazzo.holdem.cloning.data import rows_of

    wanted = Selection(attributes=("HISTORY_VPIP_OPPONENT_0", "ALL_IN_EQUITY", "CALL_AMOUNT"))
    data = rows_of(read_hands(folder / "rich.log"), "rich#1", wanted)
    assert [c.name for c in data[0].columns] == ["CALL_AMOUNT", "HISTORY_VPIP_OPPONENT_0", "ALL_IN_EQUITY"]
    assert len(set(data[0].group.tolist())) == 1  # history runs through a match: it must not be torn apart
    player = ClonePlayer.playing(learn_clone(data, "tree", big_blind=10))
    assert player.learns
    HoldemMatch(find_game(GAME)).play([player, create("rich", AGENTS), create("call", AGENTS)], range(10), 1)
    assert player.counts is not None
    assert player.counts.so_far.counts[2, 0, 0] == 30
    assert not create(str(folder / "rich.mz"), AGENTS).learns
    offered = ClonePlayer.playing(learn_clone(data, "tree", big_blind=10, bits=1e9))  # cut down to one leaf
    assert offered.clone.streets[0].columns == player.clone.streets[0].columns
    assert not offered.learns
