"""What to bet and what comes of it: stakes, growth, ruin, N0, SCORE, hours.

Stakes follow what the player knows before the round: its value (perfect play), or the true count. What they bring is
measured on shoes that were really played. Ruin is the diffusion formula exp(-2 B m / v), and a simulation that draws
whole shoes again and looks at the lowest point inside each. N0 is the number of rounds after which the expectation is
one standard deviation; SCORE (Schlesinger, Blackjack Attack) what a player with 10,000 units and a risk of ruin of
13.5 % wins in 100 rounds: a million over N0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from mazzo.arena.statistics import Estimate, Moments, wilson
from mazzo.blackjack.bets.counting import WEIGHTS, Count
from mazzo.blackjack.bets.shoes import Played
from mazzo.blackjack.hands import Floats
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import shoe_of
from mazzo.errors import UnreadableError
from mazzo.jit import kernel
from mazzo.luck import below, fork, stream

__all__ = [
    "Kelly",
    "MinMax",
    "Performance",
    "Ramp",
    "Stakes",
    "growth",
    "kelly_stake",
    "measure",
    "read_ramp",
    "risk_of_ruin",
    "simulated_ruin",
    "true_counts",
]


class Stakes(Protocol):
    """A way of staking: bets from what is known before each round."""

    def bets(self, values: Floats, counts: Floats) -> Floats:
        """The bet of each round from its value and its true count."""


def _check_limits(low: float, high: float) -> None:
    if not 0 < low <= high:
        raise UnreadableError(
            f"table limits are a smallest bet above 0 and a largest not below it, not {low} and {high}"
        )


@dataclass(frozen=True)
class MinMax:
    """The most when the round is favourable, the least when it is not (theorem 6.1)."""

    low: float
    high: float

    def bets(self, values: Floats, counts: Floats) -> Floats:
        """Least or most."""
        _check_limits(self.low, self.high)
        return np.where(values > 0, self.high, self.low)


@dataclass(frozen=True)
class Kelly:
    """A fraction of the stake that makes a bankroll grow fastest: value / variance of it, within the table's limits."""

    bankroll: float
    fraction: float
    low: float
    high: float
    variance: float = 1.3

    def bets(self, values: Floats, counts: Floats) -> Floats:
        """In proportion to the value, for a bankroll that is not resized."""
        _check_limits(self.low, self.high)
        if not 0 < self.fraction <= 2:
            raise UnreadableError(f"the fraction of Kelly's stake is above 0 and at most 2, not {self.fraction}")
        return np.clip(self.fraction * self.bankroll * values / self.variance, self.low, self.high)


@dataclass(frozen=True)
class Ramp:
    """Bets by true count: from each count on, a bet."""

    steps: tuple[tuple[float, float], ...]

    def bets(self, values: Floats, counts: Floats) -> Floats:
        """The bet of the highest step reached; below the first step its bet."""
        at = np.array([count for count, _ in self.steps])
        bet = np.array([bet for _, bet in self.steps])
        return np.asarray(bet[np.maximum(np.searchsorted(at, counts, side="right") - 1, 0)])


def read_ramp(text: str) -> Ramp:
    """A ramp from `0:10,1:20,2:50,3:100`: true count and bet."""
    steps = []
    for word in text.split(","):
        count, colon, bet = word.partition(":")
        try:
            steps.append((float(count), float(bet)))
        except ValueError:
            raise UnreadableError(f"cannot read {word!r} in the ramp {text!r}: write 0:10,1:20,2:50") from None
        if not colon or steps[-1][1] < 0:
            raise UnreadableError(f"cannot read {word!r} in the ramp {text!r}: bets are not below 0")
    if sorted(steps) != steps or len({count for count, _ in steps}) < len(steps):
        raise UnreadableError(f"the counts of the ramp {text!r} must rise")
    return Ramp(tuple(steps))


def true_counts(rules: Rules, played: Played, count: Count) -> Floats:
    """The true count before each round: per deck left, tags of an unbalanced count taken as balanced."""
    fresh = shoe_of(rules)
    tags = np.array(count.tags) - WEIGHTS @ np.array(count.tags)
    running = (fresh.array() - played.counts) @ tags
    return np.asarray(running / (played.cards / 52))


@dataclass(frozen=True)
class Performance:
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


def shoe_sums(played: Played, amounts: Floats) -> tuple[Floats, Floats]:
    """For each shoe the sum of the amounts, and the lowest point of the running sum."""
    starts = np.flatnonzero(np.r_[True, np.diff(played.shoe) != 0])
    totals = np.add.reduceat(amounts, starts)
    running = np.cumsum(amounts)
    before = np.repeat(running[starts] - amounts[starts], np.diff(np.r_[starts, len(amounts)]))
    return totals, np.minimum(np.minimum.reduceat(running - before, starts), 0.0)


def measure(
    rules: Rules, played: Played, stakes: Stakes, count: Count, bankroll: float, rounds_per_hour: float = 80.0,
    bias: float = 0.0,
) -> tuple[Performance, Floats, Floats]:  # fmt: skip
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
        Estimate(mean.mean / each, mean.standard_error / each, rounds), Moments.of(totals).variance / each,
        float(bets.mean()), bankroll, rounds_per_hour, rounds,
        Estimate(simulated.mean / each, simulated.standard_error / each, rounds),
    )  # fmt: skip
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
