"""Two boxes against one dealer: beside the exact variance of one, and beside three boxes played."""

from __future__ import annotations

import pytest

from mazzo.blackjack.bets.boxes import TwoBoxes, two_boxes
from mazzo.blackjack.bets.counter_seat import counter
from mazzo.blackjack.exact.distribution import round_moments
from mazzo.blackjack.exact.total import chart
from mazzo.blackjack.rules import rules
from mazzo.errors import UnreadableError

TABLE = rules("strip", insurance=False, even_money="none", max_hands=2, decks=8)


@pytest.fixture(scope="module")
def found() -> TwoBoxes:
    return two_boxes(TABLE, 3_000_000, seed=2)


def error(low: float, high: float) -> float:
    return (high - low) / (2 * 1.96)


def test_one_box_varies_as_it_is_counted(found: TwoBoxes) -> None:
    exact = round_moments(TABLE, None, chart(TABLE).analysis.policy)[1]
    assert abs(found.variance.value - exact) < 5 * error(*found.variance.ci95) + 0.002  # cards gone before a round


def test_three_boxes_vary_as_one_and_two_say(found: TwoBoxes) -> None:
    three = counter(TABLE, "hi-lo", "-99:1", "basic", 2_000_000, seed=9, boxes=3)
    expected = 3 * found.variance.value + 6 * found.covariance.value
    low, high = (end**2 for end in three.sd_per_round.ci95)
    slack = 5 * (error(low, high) + 3 * error(*found.variance.ci95) + 6 * error(*found.covariance.ci95))
    assert abs(three.sd_per_round.value**2 - expected) < slack
    assert slack < 0.2


def test_boxes_win_and_lose_together(found: TwoBoxes) -> None:
    assert 0.45 < found.covariance.value < 0.52
    assert found.correlation.value == pytest.approx(found.covariance.value / found.variance.value)
    assert found.stake(1) == 1
    assert found.stake(2) == pytest.approx(1 / (1 + found.correlation.value))


def test_a_shoe_that_never_ends_has_no_rounds_to_play_through() -> None:
    with pytest.raises(UnreadableError, match="infinite shoe"):
        two_boxes(TABLE.changed(decks="infinite"), 1000)
