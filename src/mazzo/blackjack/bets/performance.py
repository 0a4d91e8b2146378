"""What comes of a way of staking: growth, ruin, N0, SCORE, hours.

What stakes bring is measured on shoes that were really played. Ruin is the diffusion formula exp(-2 B m / v), and a
simulation that draws whole shoes again and looks at the lowest point inside each. N0 is the number of rounds after
which the expectation is one standard deviation; SCORE (Schlesinger, Blackjack Attack) what a player with 10,000 units
and a risk of ruin of 13.5 % wins in 100 rounds: a million over N0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mazzo.blackjack.bets.shoes import PlayedShoes
from mazzo.blackjack.bets.staking import Stakes
from mazzo.blackjack.counting.systems import WEIGHTS, Count
from mazzo.blackjack.multisets import Floats
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import shoe_of
from mazzo.confidence import LEVEL
from mazzo.document import Grid, Section, Shown, between
from mazzo.errors import UnreadableError
from mazzo.jit import kernel
from mazzo.rng import below, fork, stream
from mazzo.statistics import Estimate, Moments, wilson

__all__ = [
    "Performance",
    "growth",
    "kelly_stake",
    "measure",
    "risk_of_ruin",
    "simulated_ruin",
    "true_counts",
]


def true_counts(rules: Rules, played: PlayedShoes, count: Count) -> Floats:
    """The true count before each round: per deck left, tags of an unbalanced count taken as balanced."""
    fresh = shoe_of(rules)
    tags = np.array(count.tags) - WEIGHTS @ np.array(count.tags)
    running = (fresh.array() - played.counts) @ tags
    return np.asarray(running / (played.cards / 52))


@dataclass(frozen=True)
class Performance(Shown):
    """What a way of staking brings on a bankroll."""

    mean: Estimate
    """Won a round."""
    variance: float
    """Of a round's result; over long runs, shoe by shoe."""
    average_bet: float
    bankroll: float
    rounds_per_hour: float
    rounds: int
    simulated: Estimate
    """Won a round in the shoes as they fell, luck included."""

    def section(self) -> Section:
        """What it brings, in figures."""
        rows = [
            ("won a round", f"{self.mean.mean:+.5f}", between(self.mean.ci95, 5)),
            ("deviation of a round", f"{self.deviation:.3f}", ""),
            ("average bet", f"{self.average_bet:.3f}", ""),
            ("won an hour", f"{self.hourly:+.3f}", ""),
            ("N0 (rounds)", f"{self.n0:.0f}", ""),
            ("SCORE", f"{self.score:.2f}", ""),
            ("risk of ruin", f"{self.ruin:.4f}", ""),
        ]
        return Section("What the stakes bring", tables=[Grid(("figure", "value", LEVEL), rows)])

    __str__ = Shown.__str__

    @property
    def deviation(self) -> float:
        """The standard deviation of a round."""
        return math.sqrt(self.variance)

    @property
    def n0(self) -> float:
        """Rounds until the expectation is one standard deviation; infinite for a game that is lost."""
        return self.variance / self.mean.mean**2 if self.mean.mean > 0 else math.inf

    @property
    def score(self) -> float:
        """A million over N0."""
        return 1e6 / self.n0

    @property
    def hourly(self) -> float:
        """Won an hour."""
        return self.mean.mean * self.rounds_per_hour

    @property
    def ruin(self) -> float:
        """The chance that the bankroll is lost, sooner or later."""
        return risk_of_ruin(self.mean.mean, self.variance, self.bankroll)

    @property
    def growth(self) -> float:
        """The bankroll's rate of growth a round, bets kept in proportion to it: m/B - v/2B^2."""
        return self.mean.mean / self.bankroll - self.variance / (2 * self.bankroll**2)

    @property
    def hours_to_double(self) -> float:
        """Hours until the bankroll has doubled at its mean rate."""
        return self.bankroll / self.hourly if self.hourly > 0 else math.inf


def shoe_sums(played: PlayedShoes, amounts: Floats) -> tuple[Floats, Floats]:
    """For each shoe the sum of the amounts, and the lowest point of the running sum."""
    starts = np.flatnonzero(np.r_[True, np.diff(played.shoe) != 0])
    totals = np.add.reduceat(amounts, starts)
    running = np.cumsum(amounts)
    before = np.repeat(running[starts] - amounts[starts], np.diff(np.r_[starts, len(amounts)]))
    return totals, np.minimum(np.minimum.reduceat(running - before, starts), 0.0)


def measure(
    rules: Rules,
    played: PlayedShoes,
    stakes: Stakes,
    count: Count,
    bankroll: float,
    rounds_per_hour: float = 80.0,
    bias: float = 0.0,
) -> tuple[Performance, Floats, Floats]:
    """What the stakes bring on these shoes: the performance, and each shoe's result and lowest point.

    The mean stands on the values of the rounds, which have far less luck in them than the results; `bias` is what the
    fast values are too high by.
    """
    if bankroll <= 0:
        raise UnreadableError(f"a bankroll is above 0, not {bankroll}")
    bets = stakes.bets(played.guess, true_counts(rules, played, count))
    totals, lowest = shoe_sums(played, bets * played.won)
    expected, _ = shoe_sums(played, bets * (played.guess - bias))
    rounds, shoes = len(bets), len(totals)
    each = rounds / shoes
    mean, simulated = Moments.of(expected).estimate(), Moments.of(totals).estimate()
    performance = Performance(
        Estimate(mean.mean / each, mean.standard_error / each, rounds),
        Moments.of(totals).variance / each,
        float(bets.mean()),
        bankroll,
        rounds_per_hour,
        rounds,
        Estimate(simulated.mean / each, simulated.standard_error / each, rounds),
    )
    return performance, totals, lowest


def risk_of_ruin(mean: float, variance: float, bankroll: float, goal: float = math.inf) -> float:
    """The chance to lose `bankroll` before winning `goal`, for many small bets (a diffusion)."""
    if mean == 0:
        return 1.0 if math.isinf(goal) else goal / (bankroll + goal)
    if math.isinf(goal):
        return math.exp(-2 * mean * bankroll / variance) if mean > 0 else 1.0
    rate = -2 * mean / variance
    return (math.expm1(rate * (bankroll + goal)) - math.expm1(rate * bankroll)) / math.expm1(rate * (bankroll + goal))


@kernel
def _ruined(key: np.uint64, trials: int, steps: int, totals: Floats, lowest: Floats, bankroll: float) -> int:
    ruined = 0
    for trial in range(trials):
        mine = fork(key, trial)
        left = bankroll
        for step in range(steps):
            k = below(fork(mine, step), totals.shape[0])
            if left + lowest[k] <= 0.0:
                ruined += 1
                break
            left += totals[k]
            if left > 12.0 * bankroll:  # as good as safe: what remains is the chance to the twelfth power
                break
    return ruined


def simulated_ruin(
    totals: Floats, lowest: Floats, bankroll: float, shoes: int, trials: int = 2000, seed: int = 0
) -> tuple[float, tuple[float, float]]:
    """The share of players who lose the bankroll within so many shoes, and its 95 % interval; shoes are drawn again."""
    ruined = _ruined(stream(seed, "ruin"), trials, shoes, totals, lowest, bankroll)
    return ruined / trials, wilson(ruined, trials)


def growth(share: float, results: Sequence[float], chances: Sequence[float]) -> float:
    """The expected logarithm of the bankroll's factor when a share of it is bet on a game."""
    return sum(
        p * math.log1p(share * x) if share * x > -1 else -math.inf for x, p in zip(results, chances, strict=True)
    )


def kelly_stake(results: Sequence[float], chances: Sequence[float]) -> float:
    """The share of the bankroll that makes it grow fastest (Kelly 1956); 0 for a game that is not favourable."""
    if sum(p * x for x, p in zip(results, chances, strict=True)) <= 0:
        return 0.0
    worst = min(results)
    if worst >= 0:
        raise UnreadableError("a game that cannot be lost has no largest stake")
    low, high = 0.0, -1.0 / worst
    for _ in range(200):
        middle = (low + high) / 2
        slope = sum(p * x / (1 + middle * x) for x, p in zip(results, chances, strict=True))
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2
