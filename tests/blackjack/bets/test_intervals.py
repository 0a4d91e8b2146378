"""Intervals over 200 seeds against a game whose mean, deviation, SCORE, N0 and ruin are known in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mazzo.blackjack.bets.earnings import MONEY, MONEY_SQUARES, PLAYED, ROUNDS, SQUARES, STAKES, WON, Earnings
from mazzo.blackjack.bets.intervals import Ranged, ranged, ratios, trip_ruin
from mazzo.blackjack.bets.performance import simulated_ruin
from mazzo.blackjack.counting.kernel import BINS, LOWEST

SEEDS = 200
P, BET, BANKROLL, PER_HOUR = 0.53, 10.0, 400.0, 80.0
MEAN, VARIANCE = BET * (2 * P - 1), BET**2 * (1 - (2 * P - 1) ** 2)


def even_bets(seed: int, rounds: int = 4096, groups: int = 256) -> Earnings:
    """Rounds of an even bet that is won with chance P, as the kernel would sum them."""
    won = np.where(np.random.default_rng(seed).random((groups, rounds // groups)) < P, 1.0, -1.0)
    sums = np.zeros((groups, BINS, 7))
    at = sums[:, -LOWEST]
    at[:, ROUNDS] = at[:, PLAYED] = won.shape[1]
    at[:, WON], at[:, SQUARES] = won.sum(1), (won**2).sum(1)
    at[:, MONEY], at[:, MONEY_SQUARES] = BET * won.sum(1), BET**2 * (won**2).sum(1)
    at[:, STAKES] = BET * won.shape[1]
    return Earnings(sums, 1, BANKROLL, PER_HOUR, 0.0, seed, 1.0)


TRUE = {
    "ev_per_round": MEAN,
    "sd_per_round": math.sqrt(VARIANCE),
    "score": 1e6 * MEAN**2 / VARIANCE,
    "n0": VARIANCE / MEAN**2,
    "hourly": PER_HOUR * MEAN,
    "ruin": math.exp(-2 * MEAN * BANKROLL / VARIANCE),
    "advantage": 2 * P - 1,
    "certainty equivalent": PER_HOUR * (MEAN - VARIANCE / (2 * BANKROLL)),
    "trip": trip_ruin(MEAN, VARIANCE, BANKROLL, 3 * PER_HOUR),
}


def figure(found: Earnings, name: str) -> Ranged:
    if name == "certainty equivalent":
        return found.certainty_equivalent()
    if name == "trip":
        return found.trip(3)
    value: Ranged = getattr(found, name)
    return value


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    played = [even_bets(seed) for seed in range(SEEDS)]
    for name, truth in TRUE.items():
        ends = [figure(found, name).ci95 for found in played]
        covered = sum(low <= truth <= high for low, high in ends)
        assert 0.90 * SEEDS <= covered <= 0.995 * SEEDS, (name, covered)


def test_simulated_ruin_covers_though_only_few_shoes_were_played() -> None:
    """Shoes of a normal result: ruin within many of them is that of a Brownian motion, looked at shoe by shoe."""
    mean, spread, bankroll, shoes, covered = 0.5, 4.0, 30.0, 150, 0
    longer = bankroll + 0.5826 * spread  # ruin is seen only between shoes: Siegmund's correction
    truth = trip_ruin(mean, spread**2, longer, shoes)
    for seed in range(SEEDS):
        totals = np.random.default_rng(seed).normal(mean, spread, 300)
        low, high = simulated_ruin(totals, np.zeros_like(totals), bankroll, shoes, 500, seed)[1]
        covered += low <= truth <= high
    assert covered >= 0.9 * SEEDS


def test_what_each_round_was_worth_narrows_the_interval_of_ruin() -> None:
    chance = np.random.default_rng(1)
    worth = chance.normal(0.5, 0.5, 300)
    totals = worth + chance.normal(0, 4, 300)
    plain = simulated_ruin(totals, np.zeros(300), 30, 150, 1000, 1)[1]
    better = simulated_ruin(totals, np.zeros(300), 30, 150, 1000, 1, worth)[1]
    assert better[1] - better[0] < 0.7 * (plain[1] - plain[0])


def test_a_game_that_may_be_lost_has_no_upper_end_for_n0() -> None:
    sums = even_bets(0).sums.copy()
    sums[:, :, MONEY] -= 0.06 * BET * sums[:, :, ROUNDS]
    found = Earnings(sums, 1, BANKROLL, PER_HOUR, 0.0, 0, 1.0)
    assert found.n0.ci95[1] == math.inf
    assert found.ruin.ci95[1] == 1


def test_ruin_within_a_time_is_that_of_a_simulated_walk() -> None:
    steps = np.random.default_rng(2).normal(0.05, 1.0, (20_000, 400))
    ruined = (np.cumsum(steps, axis=1).min(axis=1) <= -15 - 0.5826).mean()
    assert trip_ruin(0.05, 1.0, 15 + 0.5826 * 2, 400) == pytest.approx(ruined, abs=0.01)
    assert trip_ruin(0.05, 1.0, 15, 1e9) == pytest.approx(math.exp(-1.5), rel=1e-6)
    assert trip_ruin(-0.1, 1.0, 5, 1e6) == pytest.approx(1)
    assert trip_ruin(0.01, 1.0, 1e5, 10) == 0


def test_ratios_and_functions_of_sums_have_the_error_of_a_mean() -> None:
    values = np.random.default_rng(3).normal(2.0, 1.0, (100, 1))
    ratio, error = ratios(values, np.ones_like(values))
    assert ratio[0] == pytest.approx(values.mean())
    assert error[0] == pytest.approx(values.std(ddof=1) / 10)
    both = np.concatenate([values, np.ones_like(values)], axis=1)
    found = ranged(lambda total: float(total[0] / total[1]), both)
    assert found.ci95[1] - found.value == pytest.approx(1.984 * error[0], rel=1e-3)
