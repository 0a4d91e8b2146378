from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mazzo.blackjack import PRESETS, Rules, Shoe
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.exact.total import best_table, two_card_arrays, two_card_dependent
from mazzo.blackjack.infinite import infinite_ev
from mazzo.blackjack.simulation import play_rounds, simulate
from mazzo.blackjack.strategy import ROWS, Strategy, play_arrays, policy_of
from mazzo.errors import UnreadableError

STRIP = PRESETS["strip"]
GAMES: dict[str, dict[str, Any]] = {
    **{name: rules.as_dict() for name, rules in PRESETS.items()},
    "aces played on": {"decks": 1, "hit_split_aces": True, "resplit_aces": True, "max_hands": 3},
    "late, no hole card": {"decks": 1, "peek": False, "surrender": "late", "surrender_after_split": True},
    "early, peek": {"decks": 2, "surrender": "early", "hit_soft_17": True, "double": "10-11"},
    "6:5, no double after split": {"decks": 1, "blackjack_pays": "6:5", "double_after_split": False, "max_hands": 2},
}


@pytest.mark.parametrize("name", GAMES)
def test_simulated_rounds_earn_the_exact_value(name: str) -> None:
    rules = Rules().changed(**GAMES[name])
    best = best_table(rules)
    played = simulate(rules, best.table, 3_000_000, seed=11).estimate
    assert abs(played.mean - best.ev) < 4 * played.standard_error
    assert played.standard_error < 0.0008


def test_a_rich_shoe_with_insurance_earns_the_exact_value() -> None:
    shoe = Shoe((10, 4, 4, 4, 4, 4, 8, 10, 10, 60))
    rules = PRESETS["hungarian"]
    best = best_table(rules, shoe)
    counted = simulate(rules, best.table, 3_000_000, seed=5, shoe=shoe).estimate
    never = simulate(rules, best.table, 3_000_000, seed=5, shoe=shoe, insuring="never").estimate
    assert abs(counted.mean - best.ev) < 4 * counted.standard_error
    assert counted.mean - never.mean > 0.001


@pytest.mark.parametrize("peek", [True, False])
def test_even_money_is_taken_where_a_blackjack_pays_little(peek: bool) -> None:
    shoe = Shoe((10, 4, 4, 4, 4, 4, 8, 10, 10, 60))
    rules = STRIP.changed(blackjack_pays="6:5", peek=peek, even_money="ace-ten")
    best = best_table(rules, shoe)
    played = simulate(rules, best.table, 3_000_000, seed=5, shoe=shoe).estimate
    assert abs(played.mean - best.ev) < 4 * played.standard_error
    offered = {1.0, 1.2, 0.0}  # a blackjack against an ace is paid at once: it never loses half a bet on insurance
    results = play_rounds(rules, play_arrays(best.table, rules), 200_000, seed=1, shoe=shoe)
    assert not np.isin(results, (1.2 - 0.5,)).any()
    assert np.isin(list(offered), results).all()


def test_a_given_strategy_that_splits_without_end_earns_its_exact_value() -> None:
    rules = PRESETS["hungarian"].changed(max_hands="unlimited")
    table = Strategy(tuple(("s" if "-" in row else "n") * 10 for row in ROWS))
    exact = analyse(rules, None, policy_of(table, rules)).ev
    played = simulate(rules, table, 3_000_000, seed=1).estimate
    assert exact == pytest.approx(-0.2777058, abs=1e-7)
    assert abs(played.mean - exact) < 4 * played.standard_error


def test_the_infinite_shoe_can_be_simulated() -> None:
    rules = STRIP.changed(decks="infinite")
    table = best_table(STRIP.changed(decks=8)).table
    played = simulate(rules, table, 3_000_000, seed=2).estimate
    assert abs(played.mean - infinite_ev(rules)) < 4 * played.standard_error


def test_two_card_strategies_can_be_simulated() -> None:
    rules = STRIP.changed(decks=1)
    analysis = two_card_dependent(rules)
    arrays = two_card_arrays(analysis, best_table(rules).table)
    played = simulate(rules, arrays, 3_000_000, seed=8).estimate
    assert abs(played.mean - analysis.ev) < 4 * played.standard_error


def test_same_seed_same_result_whatever_the_blocks() -> None:
    play = play_arrays(best_table(STRIP).table, STRIP)
    whole = play_rounds(STRIP, play, 2000, seed=4)
    parts = np.concatenate([play_rounds(STRIP, play, 500, seed=4, first=start) for start in range(0, 2000, 500)])
    np.testing.assert_array_equal(whole, parts)
    assert (whole != play_rounds(STRIP, play, 2000, seed=5)).any()
    one = simulate(STRIP, play, 600_000, seed=4)
    two = simulate(STRIP, play, 600_000, seed=4, workers=2)
    assert one.estimate == two.estimate


def test_shoes_played_through_are_worth_about_as_much_as_fresh_ones() -> None:
    rules = PRESETS["hungarian"]
    best = best_table(rules)
    played = simulate(rules, best.table, 6_000_000, seed=1, through=True, insuring="never").estimate
    # the cut-card effect makes a fixed strategy earn a little less than from a full shoe: under 0.0004 with six decks
    assert abs(played.mean - best.ev) < 4 * played.standard_error + 0.0004


def test_results_are_what_blackjack_pays() -> None:
    play = play_arrays(best_table(STRIP).table, STRIP)
    results = play_rounds(STRIP, play, 200_000, seed=1, insuring="never")
    assert set(np.unique(results)) <= {-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 1.5, 2, 3, 4, 5, 6, 7, 8}
    assert np.mean(results == 1.5) == pytest.approx(2 * 24 * 96 / (312 * 311) * (1 - 0.0464), abs=0.001)


def test_wrong_requests_are_refused() -> None:
    play = play_arrays(best_table(STRIP).table, STRIP)
    with pytest.raises(UnreadableError, match="from 1 up"):
        simulate(STRIP, play, 0)
    with pytest.raises(UnreadableError, match="never, always, counted"):
        simulate(STRIP, play, 10, insuring="sometimes")
    with pytest.raises(UnreadableError, match="played through"):
        simulate(STRIP.changed(decks="infinite"), play, 10, through=True)
