"""What comes of a way of staking: growth, ruin, N0, SCORE, hours.

What stakes bring is measured on shoes that were really played, by somebody who plays every hand at its best for the
cards that are left: a bound for counts, whose own figures come from `bets.counter_seat`. Ruin is the diffusion
formula exp(-2 B m / v), and a simulation that draws whole shoes again and looks at the lowest point inside each. N0
is the number of rounds after which the expectation is one standard deviation; SCORE (Schlesinger, Blackjack Attack)
what a player with 10,000 units and a risk of ruin of 13.5 % wins in 100 rounds: a million over N0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mazzo.blackjack.bets.intervals import Ranged, ranged
from mazzo.blackjack.bets.shoes import PlayedShoes
from mazzo.blackjack.bets.staking import Stakes
from mazzo.blackjack.counting.systems import WEIGHTS, Count
from mazzo.blackjack.multisets import Floats, Ints
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import shoe_of
from mazzo.confidence import CONFIDENCE, LEVEL
from mazzo.document import Grid, Section, Shown, between
from mazzo.errors import UnreadableError
from mazzo.jit import kernel
from mazzo.rng import below, fork, stream
from mazzo.statistics import Estimate, Moments, wilson

__all__ = [
    "Performance",
    "bankroll_for",
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
    sums: Floats
    """[group of shoes, (shoes, rounds, expected, won, won squared by shoe)]: what intervals are found from."""

    def ranged(self) -> dict[str, Ranged]:
        """What depends on both mean and variance, with intervals: deviation, SCORE, N0, hourly, ruin."""
        sharpe = ranged(lambda t: _mean(t) / math.sqrt(_variance(t)), self.sums)
        over = ranged(lambda t: _mean(t) / _variance(t), self.sums)
        return {
            "deviation": ranged(lambda t: math.sqrt(_variance(t)), self.sums),
            "score": sharpe.through(lambda d: 1e6 * d * abs(d)),
            "n0": sharpe.through(lambda d: 1 / d**2 if d > 0 else math.inf),
            "hourly": ranged(_mean, self.sums).times(self.rounds_per_hour),
            "risk_of_ruin": over.through(lambda x: math.exp(-2 * x * self.bankroll) if x > 0 else 1.0),
        }

    def bankroll_for(self, risk: float) -> Ranged:
        """The bankroll at which these bets are lost, sooner or later, with this chance; infinite for a losing game."""
        over = ranged(lambda t: _mean(t) / _variance(t), self.sums)
        return over.through(lambda x: bankroll_for(risk, x))

    def section(self) -> Section:
        """What it brings, in figures."""
        found = self.ranged()
        rows = [
            ("won a round", f"{self.mean.mean:+.5f}", between(self.mean.ci95, 5)),
            ("deviation of a round", *found["deviation"].text(3)),
            ("average bet", f"{self.average_bet:.3f}", ""),
            ("won an hour", *found["hourly"].text(3, "+")),
            ("N0 (rounds)", *found["n0"].text(0)),
            ("SCORE", *found["score"].text(2)),
            ("risk of ruin", *found["risk_of_ruin"].text(4)),
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
) -> tuple[Performance, Floats, Floats, Floats]:
    """What the stakes bring on these shoes: the performance, and each shoe's result, lowest point and worth.

    The mean stands on the values of the rounds, which have far less luck in them than the results; `bias` is what the
    fast values are too high by.
    """
    if bankroll <= 0:
        raise UnreadableError(f"a bankroll must be above 0, got {bankroll}")
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
        _group_sums(played, expected, totals),
    )
    return performance, totals, lowest, expected


_GROUPS = 100


def _group_sums(played: PlayedShoes, expected: Floats, totals: Floats) -> Floats:
    rounds = np.unique(played.shoe, return_counts=True)[1]
    columns = np.stack([np.ones_like(totals), rounds, expected, totals, totals**2], axis=1)
    return np.array([part.sum(0) for part in np.array_split(columns, min(_GROUPS, len(columns)))])


def _mean(total: Floats) -> float:
    return float(total[2] / total[1])


def _variance(total: Floats) -> float:
    """Of a round over long runs: that of a shoe, by rounds."""
    shoes = total[0]
    return float((total[4] - total[3] ** 2 / shoes) / (shoes - 1) * shoes / total[1])


def risk_of_ruin(mean: float, variance: float, bankroll: float, goal: float = math.inf) -> float:
    """The chance to lose `bankroll` before winning `goal`, for many small bets (a diffusion)."""
    if mean == 0:
        return 1.0 if math.isinf(goal) else goal / (bankroll + goal)
    if math.isinf(goal):
        return math.exp(-2 * mean * bankroll / variance) if mean > 0 else 1.0
    rate = -2 * mean / variance
    return (math.expm1(rate * (bankroll + goal)) - math.expm1(rate * bankroll)) / math.expm1(rate * (bankroll + goal))


def bankroll_for(risk: float, mean_over_variance: float) -> float:
    """The bankroll whose risk of ruin this is: -ln(risk) v / 2m."""
    if not 0 < risk < 1:
        raise UnreadableError(f"a risk of ruin must be between 0 and 1, got {risk:g}")
    return -math.log(risk) / (2 * mean_over_variance) if mean_over_variance > 0 else math.inf


@kernel
def _ruined(
    key: np.uint64, trials: int, steps: int, totals: Floats, lowest: Floats, drawn: Ints, shift: float, bankroll: float
) -> int:
    """How many of the trials lose the bankroll; shoes are drawn from those numbered in `drawn`."""
    ruined = 0
    for trial in range(trials):
        mine = fork(key, trial)
        left = bankroll
        for step in range(steps):
            k = drawn[below(fork(mine, step), drawn.shape[0])]
            if left + lowest[k] <= 0.0:
                ruined += 1
                break
            left += totals[k] + shift
            if left > 12.0 * bankroll:  # as good as safe: what remains is the chance to the twelfth power
                break
    return ruined


_RESAMPLES = 200


def simulated_ruin(
    totals: Floats,
    lowest: Floats,
    bankroll: float,
    shoes: int,
    trials: int = 2000,
    seed: int = 0,
    expected: Floats | None = None,
) -> tuple[float, tuple[float, float]]:
    """The share of players who lose the bankroll within so many shoes, and its interval.

    Shoes are drawn again from those that were played. What is not known about them is the larger part of the error, so
    the interval is that of the whole calculation done again with shoes drawn from the shoes (the bootstrap; Efron
    1979). With `expected`, what each shoe was worth, results are shifted to that mean, which has less luck in it.
    """
    every = np.arange(len(totals))
    worth = totals if expected is None else expected
    shares = []
    chance = np.random.Generator(np.random.Philox([int(stream(seed, "ruin")), 1]))
    for sample in range(_RESAMPLES + 1):
        drawn = every if sample == 0 else chance.integers(0, len(totals), len(totals))
        shift = float(worth[drawn].mean() - totals[drawn].mean())
        key, number = stream(seed, f"ruin {sample}"), trials if sample == 0 else max(trials // 10, 50)
        shares.append(_ruined(key, number, shoes, totals, lowest, drawn, shift, bankroll) / number)
    low, high = np.quantile(shares[1:], [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    inside = wilson(round(shares[0] * trials), trials)
    return shares[0], (min(float(low), inside[0]), max(float(high), inside[1]))


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
