"""All hands there are: whatever the file, a hand or a reason, and nothing else."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mazzo.agent import create
from mazzo.errors import MazzoError, UnreadableError
from mazzo.holdem import PRESETS, Table
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.logs import acpc_text, read_hands
from mazzo.holdem.logs.formats import FORMATS, Batch, LogFormat, format_of
from mazzo.holdem.logs.formats.acpc import read_acpc
from mazzo.holdem.logs.formats.parquet import frame, scan
from mazzo.holdem.logs.formats.phh import read_phh
from mazzo.holdem.logs.write import write_hands
from mazzo.holdem.table import deal_cards, hand_keys
from mazzo.lockstep import play_out
from mazzo.rng import stream
from tests.data_files import DATA, MATCHES, transcript

FILES = ("acpc_*.log", "*.phhs", "wsop_F2L3D.phh", "*.transcript.txt.gz")


def test_every_hand_of_real_files_is_read_or_named_with_a_true_reason() -> None:
    paths = [path for pattern in FILES for path in sorted(DATA.glob(pattern))]
    reader = read_hands(paths)
    used: dict[str, int] = {}
    for hands in reader:
        used[Path(hands.source).name] = used.get(Path(hands.source).name, 0) + len(hands)
    report = reader.report
    assert report.reasons == {
        "unsupported variant": 1,
        "net does not follow": 2,  # finishing stacks where 1,010 was taken for 1
        "unfinished hand": 3,  # twice all-in, but the stacks are not given; once the file breaks off
        "not a file of hands": 5,  # protocol transcripts
    }
    assert used["pluribus.phhs"] == 40
    assert used["handhq.phhs"] == 48
    assert "faults.phhs" not in used
    assert report.used == report.read - 6  # files without hands are no hands


def test_the_format_of_every_small_file_is_told_from_its_beginning() -> None:
    assert {format_of("\n".join(transcript(match)).encode()) for match in MATCHES} == {FORMATS["transcript"]}
    assert {format_of(path.read_bytes()) for path in DATA.glob("acpc_*.log")} == {FORMATS["acpc"]}
    assert {format_of(path.read_bytes()) for path in DATA.glob("*.phh*")} == {FORMATS["phh"]}
    assert {format_of(path.read_bytes()) for path in DATA.glob("*.mz")} == {None}


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"PAR1\0\0", "parquet"),
        (b"\xef\xbb\xbfPokerStars Hand #1: Hold'em No Limit", "pokerstars"),
        (b"\n\nFull Tilt Poker Game #1: ", "fulltilt"),
        (b"Stage #1: Holdem", "absolutepoker"),
        (b"Game #12 starts.\n\n***** Hand History for Game 12 *****\n", "partypoker"),
        (b"***** History for hand R5-1 *****", "ongame"),
        (b'<?xml version="1.0"?>\n <game gamecode="1">', "ipoker"),
        (b"# name/game/hands/seed a b.game 10 1\n", "acpc"),
        (b"something else\nSTATE:0:f:AsKd|:50|-50:a|b\n", "acpc"),
        (b"Ann|Bob:0:rf:AsKd|:50|-50\n", "acpc"),
        (b"# a comment\n[1]\nvariant = 'NT'\n", "phh"),
        (b"colour = 'red'\n", None),
        (b"", None),
    ],
)
def test_every_format_is_known_by_how_it_begins(head: bytes, name: str | None) -> None:
    assert format_of(head) is (FORMATS[name] if name else None)


def test_every_format_has_the_name_it_is_registered_under() -> None:
    assert [form.name for form in FORMATS.values()] == list(FORMATS)


def test_a_new_room_is_one_format_and_one_name(tmp_path: Path) -> None:
    def read(file: BinaryIO, path: Path, game: object) -> Iterator[Batch]:
        """Hands of heads-up limit: `Corner room, hand 7: Ann AsKd, Bob 7c7d; raises, folds`."""
        said = re.findall(r"hand (\d+): (\w+) (\w+), (\w+) (\w+); ([\w, ]+)", file.read().decode())
        words = {"raises": "r", "calls": "c", "folds": "f"}
        lines = (
            f"STATE:{number}:{''.join(words[word] for word in actions.split(', '))}:{one}|{other}::{name}|{rival}\n"
            for number, name, one, rival, other, actions in said
        )
        yield from read_acpc(io.BytesIO("".join(lines).encode()), str(path), PRESETS["holdem-limit-2p"])

    path = tmp_path / "today.corner"
    path.write_text(
        "Corner room, hand 7: Ann AsKd, Bob 7c7d; raises, folds\nCorner room, hand 8: Bob 2c2d, Ann 9h9s; folds\n"
    )
    assert list(read_hands(path)) == []
    FORMATS.register("corner")(LogFormat("corner", (".corner",), lambda head: head.startswith(b"Corner room"), read))
    try:
        reader = read_hands(tmp_path)  # by the folder: its names are looked for, too
        (hands,) = reader
    finally:
        FORMATS.forget("corner")
    assert reader.report.as_dict()["skipped"]["reasons"] == {}
    assert hands.number.tolist() == [7, 8]
    assert acpc_text(hands).decode().splitlines()[0].endswith(":Ann|Bob")


def test_a_file_without_hands_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("dear diary\n")
    reader = read_hands(path)
    assert list(reader) == []
    assert reader.report.as_dict()["skipped"]["reasons"] == {"not a file of hands": 1}


def test_a_file_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(UnreadableError, match="there is no file"):
        read_hands("nowhere.log")


def test_folders_and_patterns_name_files() -> None:
    assert len(read_hands(DATA).paths) > 10
    assert {p.name for p in read_hands(f"{DATA}/acpc_?p_limit.log").paths} == {"acpc_2p_limit.log", "acpc_3p_limit.log"}


@pytest.mark.parametrize("name", ["handhq.phhs", "acpc_6p_nolimit.log", "acpc_leduc.log"])
def test_hands_kept_as_parquet_come_back_the_same(tmp_path: Path, name: str) -> None:
    path = tmp_path / "hands.parquet"
    count = write_hands(read_hands(DATA / name), path)
    before, after = list(read_hands(DATA / name)), list(read_hands(path))
    assert sum(map(len, after)) == count
    for old, new in zip(before, after, strict=True):
        assert acpc_text(new) == acpc_text(old)
        assert (new.line == old.line).all()
        assert (new.card_set == old.card_set).all()
        assert np.array_equal(new.net, old.net, equal_nan=True)
        assert (new.flags == old.flags).all()
        assert new.games == old.games


def test_stored_hands_are_scanned_lazily(tmp_path: Path) -> None:
    path = tmp_path / "hands.parquet"
    write_hands(read_hands(DATA / "acpc_3p_limit.log"), path)
    (hands,) = read_hands(DATA / "acpc_3p_limit.log")
    shown = scan(path).filter("showdown").select("pot").collect()
    assert len(shown) == hands.showdown.sum()
    assert frame(hands)["players"][0].to_list() == ["Alice", "Bob", "Charlie"]


def test_a_written_file_is_never_overwritten(tmp_path: Path) -> None:
    for name in ("x.log", "x.parquet", "x.phhs"):
        write_hands(read_hands(DATA / "acpc_3p_limit.log"), tmp_path / name)
        with pytest.raises(UnreadableError, match="exists already"):
            write_hands(read_hands(DATA / "acpc_3p_limit.log"), tmp_path / name)


@pytest.mark.parametrize("name", ["x.log.gz", "x.log.zst", "x.phhs", "x.phhs.zst", "x.parquet"])
def test_converted_hands_are_the_same_hands(tmp_path: Path, name: str) -> None:
    source = DATA / "acpc_2p_nolimit.log"
    write_hands(read_hands(source), tmp_path / name)
    game = PRESETS["holdem-nolimit-2p"]
    assert b"".join(acpc_text(h) for h in read_hands(tmp_path / name, game=game)) == b"".join(
        acpc_text(h) for h in read_hands(source)
    )


GAMES = [name for name in PRESETS if name.startswith(("holdem-limit", "holdem-nolimit"))] + ["leduc-2p", "kuhn-3p"]


@given(st.sampled_from(GAMES), st.integers(0, 2**32), st.booleans(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_reading_what_we_wrote_gives_the_same_hands(name: str, seed: int, free_fold: bool, old: bool) -> None:
    game = PRESETS[name]
    numbers = np.arange(8)
    cards = deal_cards(game, stream(seed, "deal"), numbers)
    table = Table(game, cards, rng_key=hand_keys(stream(seed, "luck"), numbers))
    agent = f"random:fold=.1,call=.5,raise=.4,free_fold={free_fold}"
    agents = [create(agent, AGENTS) for _ in range(game.players)]
    play_out(table, agents)
    net = table.settle()
    from mazzo.holdem.logs.formats.acpc_write import table_lines

    names = [f"p{k}" for k in range(game.players)]
    lines = table_lines(game, table.state, table.history, table.cards, net, table.seating, 0, names)
    ((hands, skipped),) = read_acpc(io.BytesIO("\n".join(lines).encode()), "x", game)
    assert not skipped
    assert hands is not None
    ((again, skipped),) = read_acpc(io.BytesIO(acpc_text(hands, old)), "x", game)
    assert not skipped
    assert again is not None
    width = int(table.state[:, 10].max())
    for written in (hands, again):
        assert (written.net[:, : game.players] == net).all()
        assert acpc_text(written).decode().splitlines() == lines
        assert not written.unverified.any()
    assert hands.history.shape[1] >= width


def pieces(*words: str) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(words) | st.text(max_size=8), max_size=25).map("".join)


NEW = "STATE:7:frc/rc/rc/rc:AdJd|6dQc|5cQs/As6s2c/Ah/8d:70|-70|0:Alice|Bob|Charlie"
ACPC = pieces(
    "STATE:", ":", "|", "/", "r", "c", "f", "r300", "As", "Kd", "0", "-5.5", "\n", "a|b|c", "#", "SCORE:", NEW
)


@given(ACPC, st.sampled_from([None, "holdem-limit-3p", "holdem-nolimit-2p", "leduc-2p"]))
@example(NEW + "\n" + NEW[:-1], None)
@example("STATE:0::||:||:||", None)
@example("STATE:99999999999999999999:c:|:|:a|b", "holdem-nolimit-2p")
@example("# name/game/hands/seed x ../../holdem-limit-2p 10 5\nSTATE:0:f:|:5|-5:a|b", None)
@settings(max_examples=400, deadline=None)
def test_no_text_crashes_the_reader_of_logs(text: str, game: str | None) -> None:
    for hands, skipped in read_acpc(io.BytesIO(text.encode()), "x", PRESETS[game] if game else None):
        assert hands is None or acpc_text(hands) is not None
        assert all(skip.reason for skip in skipped)


FIELDS = pieces(
    "variant = 'NT'\n",
    "antes = [0, 0]\n",
    "blinds_or_straddles = [1, 2]\n",
    "min_bet = 2\n",
    "[1]\n",
    "inf",
    "nan",
    "starting_stacks = [20, 30]\n",
    "actions = ['p2 cc', 'p1 cc']\n",
    "'p2 cbr 1e99'",
    "'d dh p1 AsKs'",
    "=",
    "[",
    "]",
    "small_bet = 1\nbig_bet = 2\nvariant = 'FT'\n",
    "finishing_stacks = [nan, 1]\n",
    "hand = -1\n",
)


@given(FIELDS)
@example("variant='NT'\nantes=[0,0]\nblinds_or_straddles=[1,2]\nmin_bet=2\nstarting_stacks=[nan,20]\nactions=[]")
@example(
    "variant='NT'\nantes=[0,0]\nblinds_or_straddles=[1,2]\nmin_bet=2\nstarting_stacks=[20,20]\nactions=['p2 cbr 1e99']"
)
@example(
    "variant='NT'\nantes=[0,0]\nblinds_or_straddles=[1,2]\nmin_bet=2\nstarting_stacks=[20,20]\nactions=['p2 cbr nan']"
)
@example("variant='NT'\nantes=[0,0]\nblinds_or_straddles=[0,0]\nmin_bet=0\nstarting_stacks=[20,20]\nactions=[]")
@example("variant=['NT']\nantes=[0,0]\nstarting_stacks=[20,20]\nactions=[]\nusers=" + "[" * 3000)
@settings(max_examples=300, deadline=None)
def test_no_text_crashes_the_reader_of_phh(text: str) -> None:
    for _, skipped in read_phh(text.encode(), "x"):
        assert all(skip.reason for skip in skipped)


@given(pieces("PokerStars Game #1: ", "Hold'em", "Seat 1: a ($5 in chips)\n", "\n", "$", "*** FLOP *** [2c 7d Jh]\n"))
@settings(max_examples=100, deadline=None)
def test_no_text_crashes_the_reader_of_poker_rooms(text: str) -> None:
    for _, skipped in FORMATS["pokerstars"].read(io.BytesIO(text.encode()), Path("x"), None):
        assert all(skip.reason for skip in skipped)


@given(st.binary(max_size=200))
@example(b"PAR1")
@example(b"PAR1" + b"\0" * 50 + b"PAR1")
@example(b"\x1f\x8b")
@example(b"\x28\xb5\x2f\xfd")
@example(b"\xff\xfeS\0T\0")
@settings(max_examples=100, deadline=None)
def test_no_file_crashes_reading(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "some.log"
    path.write_bytes(data)
    try:
        for hands in read_hands(path):
            assert len(hands)
    except MazzoError as error:
        pytest.fail(f"only strict reading raises: {error}")
