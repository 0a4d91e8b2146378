from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from mazzo.blackjack import PRESETS, counter
from mazzo.blackjack.counting.crossing import crossing, grid
from mazzo.blackjack.counting.decisions import decisions, depth_of
from mazzo.blackjack.counting.efficiency import efficiency, insurance_correlation
from mazzo.blackjack.counting.generate import composition_exceptions, found_indices, frequencies, generated_table
from mazzo.blackjack.counting.index_tables import EIGHTEEN, FOUR
from mazzo.blackjack.counting.systems import COUNTS
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.exact.total import best_table
from mazzo.blackjack.multisets import all_hands
from mazzo.blackjack.shoe import Shoe
from mazzo.cli.app import mazzo
from mazzo.errors import UnreadableError

LATE = PRESETS["strip"].changed(surrender="late")
HI_LO = COUNTS["hi-lo"]
QUICK = PRESETS["strip"].changed(max_hands=1, double_after_split=False)


def run(*words: str) -> str:
    result = CliRunner().invoke(mazzo, ["blackjack", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_generated_indices_of_hi_lo_are_the_published_ones_within_one() -> None:
    found = {(one.situation, one.play): one for one in found_indices(LATE, HI_LO)}
    published = {f"{p.row} v {'A23456789T'[p.upcard]}": p for p in (*EIGHTEEN, *FOUR)}
    equal = 0
    for play in (*EIGHTEEN, *FOUR):
        one = found[f"{play.row} v {'A23456789T'[play.upcard]}", play.play]
        assert abs(one.index - play.index) <= 1, one
        assert one.published == play.index
        if one.index != play.index:  # then the plays are worth the same near the border between two floored counts
            assert abs(one.exact - (max(one.index, play.index) - 0.5)) < 0.65, one
        equal += one.index == play.index
    assert equal >= 16
    assert len(published) >= 20
    assert found["insurance", "insure"].index == 3


def test_indices_come_in_the_order_of_their_gain_and_none_loses() -> None:
    gains = [one.gain for one in found_indices(LATE, HI_LO)]
    assert gains == sorted(gains, reverse=True)
    assert min(gains) > -1e-7
    first = [one.situation for one in found_indices(LATE, HI_LO)[:6]]
    assert "insurance" in first
    assert "16 v T" in first


def test_play_by_generated_indices_earns_what_the_published_ones_do() -> None:
    ramp = "-1:10,1:20,2:40,3:60,4:80"
    mine = counter(LATE, "hi-lo", ramp, generated_table(LATE, HI_LO), 8_000_000, seed=2)
    basic = counter(LATE, "hi-lo", ramp, "basic", 8_000_000, seed=2)
    assert mine.ev_per_round.value - basic.ev_per_round.value > 0.02
    assert mine.ev_per_round.ci95[1] > 0.146


def test_every_count_has_indices_to_play_by_also_as_running_counts() -> None:
    ko = generated_table(QUICK, COUNTS["ko"], every=False, running=True)
    by_play = {str(play).rsplit(" ", 1)[0]: play.index for play in ko.plays}
    assert -20 < by_play["16 v T stand"] < by_play["15 v T stand"]
    assert by_play["15 v T stand"] == pytest.approx(4, abs=2)  # near the pivot any depth gives the same
    assert -3 < ko.insurance < 6
    zen = generated_table(QUICK, COUNTS["zen"], every=False)
    assert {play.play for play in zen.plays} <= {"stand", "double"}  # the rules have no splits and no surrender


def test_values_at_a_count_are_exact_where_the_shoe_has_whole_cards() -> None:
    """At 195 cards and a true count of 12 the tens are 45 / 10 x 4 more: halves; at 0 nothing is rounded."""
    found = decisions(QUICK, HI_LO)
    assert found.depth.shoe == Shoe((15,) * 9 + (60,))
    hand = np.array([all_hands().of((9, 5))])
    before = float(found.before(np.array([0.0]), hand, 9)[0, 0])
    exact = analyse(QUICK, found.depth.shoe).plays("10,6 v T")
    blackjack = analyse(QUICK, found.depth.shoe).blackjack[hand[0], 9]
    at_zero = found.at(np.array([-before / ((195 - 3) / 195)]), hand, 9)[0, 0]
    assert at_zero[0] / (1 - blackjack) == pytest.approx(exact["stand"], abs=1e-9)
    assert at_zero[1] / (1 - blackjack) == pytest.approx(exact["hit"], abs=1e-9)


def test_a_third_of_the_cards_are_tens_at_the_insurance_index() -> None:
    found = decisions(QUICK, HI_LO)
    at = crossing(grid(20), np.array([found.tens(count) - 1 / 3 for count in grid(20).tolist()]))
    assert at is not None
    assert found.tens(at[0]) == pytest.approx(1 / 3)
    assert at[1] == 3


def test_a_crossing_is_floored_as_players_use_it() -> None:
    counts = grid(10)
    for exact, floored in ((2.4, 2), (2.6, 3)):
        found = crossing(counts, counts - exact)
        assert found is not None
        assert found[0] == pytest.approx(exact)
        assert found[1] == floored
    assert crossing(counts, counts + 99) is None
    assert crossing(counts, counts - 99) is None


def test_rates_of_counts_are_those_of_the_books() -> None:
    """Insurance correlations as published; playing efficiencies in the published order."""
    known = {
        "hi-lo": 0.76,
        "ko": 0.78,
        "hi-opt-1": 0.85,
        "hi-opt-2": 0.91,
        "omega-2": 0.85,
        "zen": 0.85,
        "red-7": 0.78,
        "wong-halves": 0.72,
    }
    assert {name: round(insurance_correlation(COUNTS[name]), 2) for name in known} == pytest.approx(known, abs=0.011)
    playing = [efficiency(PRESETS["strip"], COUNTS[name]).playing_efficiency for name in ("hi-lo", "zen", "hi-opt-2")]
    assert playing == sorted(playing)
    assert playing == pytest.approx([0.51, 0.63, 0.67], abs=0.06)


def test_exceptions_of_a_chart_cost_together_what_knowing_the_cards_gains() -> None:
    found = composition_exceptions(QUICK)
    costs = sum(cost for *_, cost in found)
    assert costs == pytest.approx(analyse(QUICK).ev - best_table(QUICK).ev, rel=0.15)
    assert found[0][3] >= found[-1][3] > 0
    assert any(hand == "2,T v 4" and best == "hit" for hand, _, best, _ in found)


def test_the_commands_print_indices_exceptions_and_a_file_to_play_by() -> None:
    quick = ("--set", "max_hands=1", "--set", "double_after_split=false")
    text = run("indices", *quick)
    assert "18+4 (+0)" in text
    assert "published" in text
    assert "16 v T stand" in run("indices", *quick, "--format", "file")
    assert "stand from" in run("indices", "--hand", "10,6 v T", "--play", "stand,hit", *quick)
    assert "exceptions cost" in run("chart", "--exceptions", *quick)
    data = json.loads(run("chart", "--exceptions", *quick, "--json"))
    assert data["exceptions"][0]["cost_a_round"] > 0
    with pytest.raises(UnreadableError, match="--play"):
        run("indices", "--hand", "10,6 v T")
    with pytest.raises(UnreadableError, match="too few"):
        depth_of(QUICK, 0.99)


def test_true_counts_come_as_often_as_simulated_shoes_show_them() -> None:
    shares = frequencies(LATE, HI_LO)
    assert sum(shares.values()) == pytest.approx(1, abs=1e-6)
    for line in counter(LATE, "hi-lo", "-99:1", "basic", 1_000_000, seed=1).by_count():
        if abs(line["count"]) < 6:
            assert shares[line["count"]] == pytest.approx(line["share"], abs=0.02)
