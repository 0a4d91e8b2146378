"""Figures of players, counted by hand on a few hands and against another way of counting on many."""

from __future__ import annotations

import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from mazzo.cli.app import mazzo
from mazzo.document import Chart, Series
from mazzo.errors import UnreadableError
from mazzo.holdem import PRESETS
from mazzo.holdem.logs import read_hands
from mazzo.holdem.logs.filter import HandFilter
from mazzo.holdem.logs.formats.acpc import read_acpc
from mazzo.holdem.statistics.figures import compare, find_player, statistics_of, streets_of, winnings_chart
from mazzo.holdem.statistics.tally import Tally, tally
from mazzo.reports.draw import svg
from tests.data_files import DATA

LINES = """\
STATE:0:ff:7d3d|2hAc|5sKs:-5|5|0:a|b|c
STATE:1:crfc/cr/:||:a|b|c
STATE:1:rcf/cc/cc/rc:AsAh|2c7d|KsKd/3c4d8h/9h/Jc:50|-10|-40:a|b|c
STATE:2:ccc/crrfc/cc/cc:AsAh|2c7d|KsKd/3c4d8h/9h/Jc:-10|-30|41:b|a|c
"""


def test_the_figures_of_a_few_hands_are_those_counted_by_hand() -> None:
    lines = [
        "STATE:0:ff:7d3d|2hAc|5sKs:-5|5|0:a|b|c",  # c folds, a folds
        "STATE:1:rcf/cc/cc/rc:AsAh|2c7d|KsKd/3c4d8h/9h/Jc:50|-10|-40:a|b|c",  # c raises, a calls and bets the river
        "STATE:2:ccc/crcf/cc/cc:2c7d|AsAh|KsKd/3c4d8h/9h/Jc:-10|30|-20:b|a|c",  # a bets the flop, b folds to it
    ]
    ((hands, skipped),) = read_acpc(io.BytesIO("\n".join(lines).encode()), "x", PRESETS["holdem-limit-3p"])
    assert not skipped, skipped
    assert hands is not None
    a = statistics_of(tally([hands]).players["a"])
    assert a["hands"] == 3
    assert a["vpip"] == pytest.approx(1 / 3)  # the call of the raise; the check of the big blind is not voluntary
    assert a["pfr"] == 0
    assert a["aggression"] is None  # two bets and no call after the flop
    assert a["fold_to_bet"] == 0  # it faced one raise, and called
    assert a["went_to_showdown"] == 1
    assert a["won_at_showdown"] == 1
    assert a["bb_per_hand"] == pytest.approx((-5 + 50 + 30) / 30)
    c = statistics_of(tally([hands]).players["c"])
    assert c["pfr"] == pytest.approx(1 / 3)
    assert c["vpip"] == pytest.approx(2 / 3)
    assert c["aggression"] == 0
    b = streets_of(tally([hands]).players["b"])
    assert [row["hands"] for row in b] == [3, 1, 0, 0, 0]
    assert [row["folds"] for row in b] == [1, 1, 0, 0, 0]
    assert [row["wins"] for row in b] == [1, 0, 0, 0, 0]
    assert [row["net_bb"] for row in b] == [-0.5, -1.0, 0, 0, 0]


def test_what_all_players_won_on_all_streets_comes_to_nothing() -> None:
    counted = tally(read_hands(DATA / "acpc_3p_limit.log"))
    assert sum(p.results.sum() for p in counted.players.values()) == pytest.approx(0)
    for player in counted.players.values():
        assert player.results.sum() == pytest.approx(player.win_rate.mean * player.hands)


def test_actions_counted_agree_with_the_letters_of_the_log() -> None:
    counted = tally(read_hands(DATA / "acpc_6p_nolimit.log"))
    text = (DATA / "acpc_6p_nolimit.log").read_text()
    betting = [line.split(":")[2] for line in text.splitlines() if line.startswith("STATE")]
    rows = [streets_of(player) for player in counted.players.values()]
    for street in range(4):
        letters = "".join((parts.split("/") + [""] * 4)[street] for parts in betting)
        for letter, figure in (("r", "raises"), ("c", "calls"), ("f", "folds")):
            assert sum(row[street][figure] for row in rows) == letters.count(letter)


def test_batches_counted_one_by_one_give_what_they_give_together() -> None:
    (hands,) = read_hands(DATA / "acpc_3p_limit.log")
    one, many = Tally(), Tally()
    one.add(hands)
    for row in range(0, len(hands), 7):
        many.add(hands[row : row + 7])
    for name, player in one.players.items():
        assert (player.counts == many.players[name].counts).all()
        assert player.win_rate.standard_error == pytest.approx(many.players[name].win_rate.standard_error)


def test_selection_by_street_pot_player_and_showdown_leaves_the_right_hands() -> None:
    (hands,) = read_hands(DATA / "acpc_3p_limit.log")
    river = hands[HandFilter(street=3)(hands)]
    assert 0 < len(river) < len(hands)
    assert all(hand.street == 3 for hand in river)
    large = hands[HandFilter(least_pot=20, most_pot=30)(hands)]
    assert all(200 <= hand.pot <= 300 for hand in large)
    shown = hands[HandFilter(showdown=True)(hands)]
    assert all(hand.folded.count(False) > 1 for hand in shown)
    assert HandFilter(player="nobody")(hands).sum() == 0
    assert HandFilter(player="Bob")(hands).all()


def test_two_players_side_by_side_show_their_difference() -> None:
    counted = tally(read_hands(DATA / "acpc_3p_limit.log"))
    rows = compare(counted.players["Alice"], counted.players["Bob"])
    same = compare(counted.players["Alice"], counted.players["Alice"])
    assert {row["street"] for row in rows} == {"preflop", "flop", "turn", "river", "showdown"}
    assert all(row["difference"] in (0, None) for row in same)
    flop = next(row for row in rows if row["street"] == "flop" and row["figure"] == "hands")
    assert flop["difference"] == pytest.approx((flop["counts"][1] - flop["counts"][0]) / 60)
    with pytest.raises(UnreadableError, match="did you mean 'Alice'"):
        find_player(counted, "Alise")


def test_the_curve_ends_at_the_sum_of_the_results() -> None:
    counted = tally(read_hands(DATA / "acpc_3p_limit.log"), curves=True)
    chart = winnings_chart(counted.sorted())
    picture = ElementTree.fromstring(svg(chart, standalone=True))
    texts = ["".join(element.itertext()) for element in picture.iter() if element.tag.endswith("text")]
    for player, series in zip(counted.sorted(), chart.series, strict=True):
        assert series.y[0] == 0
        assert series.y[-1] == pytest.approx(player.results.sum())
        assert f"{player.name} {player.results.sum():+.1f}" in texts
    assert {"Cumulative winnings", "hands", "big blinds"} <= set(texts)


@pytest.mark.parametrize("name", ["$a^{$", "_hidden", "<b>&", "\\frac"])
def test_any_player_name_can_stand_in_a_legend(name: str) -> None:
    picture = ElementTree.fromstring(svg(Chart("t", "x", "y", [Series(name, [0, 1], [0, 1])]), standalone=True))
    texts = ["".join(element.itertext()).strip("\u200b") for element in picture.iter() if element.tag.endswith("text")]
    assert name in texts


def run(*arguments: str) -> str:
    result = CliRunner().invoke(mazzo, ["hands", *arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_the_command_says_what_was_read_used_and_skipped(tmp_path: Path) -> None:
    path = tmp_path / "some.log"
    path.write_text(LINES)
    said = json.loads(run(str(path), "--json", "--game", "holdem-limit-3p"))
    assert (said["read"], said["used"], said["unverified"]) == (4, 2, 0)
    assert said["skipped"]["hands"] == 2
    assert {line["line"] for line in said["skipped"]["lines"]} == {2, 4}
    assert all(line["reason"] for line in said["skipped"]["lines"])


def test_the_command_lists_converts_and_analyses(tmp_path: Path) -> None:
    log = str(DATA / "acpc_3p_limit.log")
    assert run(log, "--list", "--street", "river").count("STATE:") == sum(
        hand.street == 3 for hands in read_hands(log) for hand in hands
    )
    run(log, "--to", str(tmp_path / "x.parquet"))
    said = json.loads(run(str(tmp_path / "x.parquet"), "--stats", "--analyse", "--compare", "Alice", "Bob", "--json"))
    assert said["used"] == 60
    assert [p["name"] for p in said["players"]] == ["Alice", "Bob", "Charlie"]
    assert len(said["analysis"]) == 3
    assert said["comparison"]["players"] == ["Alice", "Bob"]
    table = run(log, "--stats", "--analyse", "--svg", str(tmp_path / "x.svg"))
    assert "W$SD" in table
    assert (tmp_path / "x.svg").read_text().startswith("<svg")
