from __future__ import annotations

import math

import numpy as np
import pytest

from mazzo.blackjack import PRESETS
from mazzo.blackjack.bets.performance import (
    bankroll_for,
    growth,
    kelly_stake,
    measure,
    risk_of_ruin,
    shoe_sums,
    simulated_ruin,
    true_counts,
)
from mazzo.blackjack.bets.shoes import PlayedShoes, play_shoes
from mazzo.blackjack.bets.staking import Kelly, MinMax, read_ramp
from mazzo.blackjack.counting.systems import COUNTS
from mazzo.errors import UnreadableError

STRIP = PRESETS["strip"].changed(max_hands=1, double_after_split=False)


def test_kellys_stake_on_an_even_bet_is_the_edge() -> None:
    for p in (0.51, 0.6, 0.9):
        assert kelly_stake((1.0, -1.0), (p, 1 - p)) == pytest.approx(2 * p - 1, abs=1e-12)
    assert kelly_stake((2.0, -1.0), (0.4, 0.6)) == pytest.approx((0.4 * 2 - 0.6) / 2)
    assert kelly_stake((1.0, -1.0), (0.5, 0.5)) == 0
    with pytest.raises(UnreadableError, match="cannot be lost"):
        kelly_stake((1.0, 0.0), (0.5, 0.5))


def test_no_other_stake_grows_faster_than_kellys() -> None:
    results, chances = (1.5, 1.0, 0.0, -1.0, -2.0), (0.05, 0.43, 0.08, 0.42, 0.02)
    best = kelly_stake(results, chances)
    assert all(growth(best, results, chances) >= growth(f, results, chances) for f in np.linspace(0, 0.49, 200))
    assert growth(2 * best, results, chances) == pytest.approx(0, abs=2e-5)  # twice Kelly hardly grows


def test_growth_is_what_a_long_run_grows_by() -> None:
    chance = np.random.default_rng(1)
    won = np.where(chance.random(200_000) < 0.55, 1.0, -1.0)
    logs = np.log1p(0.1 * won)
    expected = growth(0.1, (1.0, -1.0), (0.55, 0.45))
    assert abs(logs.mean() - expected) < 4 * logs.std() / math.sqrt(len(logs))


def test_ruin_of_small_even_bets_is_the_gamblers() -> None:
    p, bankroll, goal = 0.505, 60, 80
    q = (1 - p) / p
    exact = (q**bankroll - q ** (bankroll + goal)) / (1 - q ** (bankroll + goal))
    assert risk_of_ruin(2 * p - 1, 1 - (2 * p - 1) ** 2, bankroll, goal) == pytest.approx(exact, rel=1e-3)
    assert risk_of_ruin(2 * p - 1, 1 - (2 * p - 1) ** 2, bankroll) == pytest.approx(q**bankroll, rel=1e-3)
    assert risk_of_ruin(0, 1, 30, 10) == 0.25
    assert risk_of_ruin(-0.01, 1, 30) == 1
    assert risk_of_ruin(0, 1, 30) == 1


def test_the_bankroll_for_a_risk_of_ruin_has_just_this_risk() -> None:
    for mean, variance, risk in ((0.01, 1.3, 0.05), (2.0, 900.0, 0.5), (0.1, 40.0, 0.001)):
        needed = bankroll_for(risk, mean / variance)
        assert risk_of_ruin(mean, variance, needed) == pytest.approx(risk)
    assert math.isinf(bankroll_for(0.1, -0.01))
    with pytest.raises(UnreadableError, match="between 0 and 1"):
        bankroll_for(1.0, 0.1)


def test_simulated_ruin_of_even_bets_is_the_gamblers() -> None:
    p, bankroll = 0.52, 20
    steps = np.r_[np.ones(52), -np.ones(48)]
    share, (low, high) = simulated_ruin(steps, np.minimum(steps, 0), bankroll, 20_000, 20_000, seed=1)
    assert low < ((1 - p) / p) ** bankroll < high
    assert low < share < high


def test_a_shoes_lowest_point_counts_every_round_in_it() -> None:
    played = PlayedShoes(np.array([4, 4, 4, 7, 7]), np.zeros((5, 10), np.int16), np.zeros(5), np.zeros(5))
    totals, lowest = shoe_sums(played, np.array([-1.0, -2.0, 5.0, 1.0, 1.0]))
    assert totals.tolist() == [2, 2]
    assert lowest.tolist() == [-3, 0]


def test_stakes_follow_the_value_or_the_count() -> None:
    values, counts = np.array([-0.01, 0.0, 0.01, 0.1]), np.array([-3.0, 0.0, 1.0, 2.5])
    assert MinMax(1, 10).bets(values, counts).tolist() == [1, 1, 10, 10]
    assert Kelly(1300, 0.5, 1, 40).bets(values, counts).tolist() == [1, 1, 5, 40]
    assert read_ramp("0:1,1:2,2:8").bets(values, counts).tolist() == [1, 1, 2, 8]


@pytest.mark.parametrize("text", ["1:2,0:1", "1", "1:x", "1:2,1:3", "1:-2"])
def test_a_ramp_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(UnreadableError, match="ramp"):
        read_ramp(text)


def test_limits_bankrolls_and_fractions_that_cannot_be_are_refused() -> None:
    nothing = np.zeros(1)
    with pytest.raises(UnreadableError, match="table limits"):
        MinMax(5, 1).bets(nothing, nothing)
    with pytest.raises(UnreadableError, match="fraction"):
        Kelly(100, 3, 1, 5).bets(nothing, nothing)


def test_a_performance_is_what_the_shoes_gave() -> None:
    played = play_shoes(STRIP, range(300), seed=1)
    counts = true_counts(STRIP, played, COUNTS["hi-lo"])
    assert counts[played.cards == 312] == pytest.approx(0)
    assert np.corrcoef(counts, played.guess)[0, 1] > 0.9
    flat, totals, lowest, _ = measure(STRIP, played, MinMax(1, 1), COUNTS["hi-lo"], 1000)
    assert flat.average_bet == 1
    assert flat.mean.mean == pytest.approx(played.guess.mean())
    assert flat.simulated.mean == pytest.approx(played.won.mean())
    assert totals.sum() == pytest.approx(played.won.sum())
    assert (lowest <= np.minimum(totals, 0) + 1e-12).all()
    assert flat.variance == pytest.approx(1.25, rel=0.2)
    spread, _, _, _ = measure(STRIP, played, MinMax(1, 20), COUNTS["hi-lo"], 1000)
    assert spread.mean.mean > 0 > flat.mean.mean
    assert spread.score == pytest.approx(1e6 / spread.n0)
    assert spread.n0 * spread.mean.mean == pytest.approx(spread.deviation * math.sqrt(spread.n0))
    assert flat.ruin == 1
    assert flat.hours_to_double == math.inf
    with pytest.raises(UnreadableError, match="bankroll"):
        measure(STRIP, played, MinMax(1, 1), COUNTS["hi-lo"], 0)
