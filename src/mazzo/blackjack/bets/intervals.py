"""Figures of a way of betting with intervals that cover: functions of sums over independent groups of shoes.

Rounds of one shoe are not independent, shoes are. So sums are kept by groups of shoes, and the error of any function
of them is found by leaving out one group after the other (the jackknife; Efron and Stein 1981). Figures that cannot be
below zero or above one, or that are the inverse of something that may be zero, get their interval on a scale on which
they are nearly normal: SCORE and N0 on that of mean over deviation, the risk of ruin on that of mean over variance.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from mazzo.arrays import Floats
from mazzo.statistics import student

__all__ = ["Ranged", "jackknife", "probability", "ranged", "ratios", "trip_ruin"]

_NORMAL = NormalDist()


@dataclass(frozen=True)
class Ranged:
    """A figure and its interval; an end that is not known is infinite."""

    value: float
    ci95: tuple[float, float]

    def as_dict(self) -> dict[str, object]:
        """As plain data."""
        return {"value": self.value, "ci95": list(self.ci95)}

    def times(self, factor: float) -> Ranged:
        """The figure in other units."""
        low, high = sorted(factor * end for end in self.ci95)
        return Ranged(factor * self.value, (low, high))

    def through(self, function: Callable[[float], float]) -> Ranged:
        """A rising or falling function of the figure."""
        low, high = sorted(function(end) for end in self.ci95)
        return Ranged(function(self.value), (low, high))

    def text(self, digits: int = 4, sign: str = "") -> tuple[str, str]:
        """The figure and its interval."""
        low, high = self.ci95
        return f"{self.value:{sign}.{digits}f}", f"{low:{sign}.{digits}f} .. {high:{sign}.{digits}f}"


def jackknife(function: Callable[[Floats], float], sums: Floats) -> tuple[float, float]:
    """A function of the sums over all groups, and its standard error.

    Args:
        function: Of sums [column].
        sums: [group, column].
    """
    total, groups = sums.sum(0), len(sums)
    left_out = np.array([function(total - one) for one in sums])
    spread = float(((left_out - left_out.mean()) ** 2).sum())
    return function(total), math.sqrt(spread * (groups - 1) / groups)


def ranged(function: Callable[[Floats], float], sums: Floats) -> Ranged:
    """A function of the sums with its interval."""
    value, error = jackknife(function, sums)
    half = student(len(sums)) * error
    return Ranged(value, (value - half, value + half))


def probability(function: Callable[[Floats], float], sums: Floats) -> Ranged:
    """A probability that depends on the sums, its interval found on the scale of normal deviates."""

    def deviate(total: Floats) -> float:
        return _NORMAL.inv_cdf(min(max(function(total), 1e-12), 1 - 1e-12))

    found = ranged(deviate, sums).through(_NORMAL.cdf)
    return Ranged(function(sums.sum(0)), found.ci95)


def ratios(top: Floats, bottom: Floats) -> tuple[Floats, Floats]:
    """[column]: sum over sum and its standard error, from [group, column]; 0 and infinity where there is nothing."""
    groups, below = len(top), bottom.sum(0)
    ratio = np.divide(top.sum(0), below, out=np.zeros_like(below), where=below > 0)
    spread = ((top - ratio * bottom) ** 2).sum(0) * groups / (groups - 1)
    error = np.divide(np.sqrt(spread), below, out=np.full_like(below, math.inf), where=below > 0)
    return ratio, error


def trip_ruin(mean: float, variance: float, bankroll: float, rounds: float) -> float:
    """The chance to lose the bankroll within so many rounds: the first passage of a Brownian motion."""
    if variance <= 0:
        return float(bankroll + mean * rounds <= 0)
    spread = math.sqrt(variance * rounds)
    exponent = -2 * mean * bankroll / variance
    below = _NORMAL.cdf((-bankroll - mean * rounds) / spread)
    # exp(e) Phi(x) for large e: by logarithms, since the first grows without end where the second vanishes
    x = (-bankroll + mean * rounds) / spread
    log_tail = math.log(_NORMAL.cdf(x)) if x > -30 else -x * x / 2 - math.log(-x * math.sqrt(2 * math.pi))
    return min(1.0, below + math.exp(min(exponent + log_tail, 0.0)))
