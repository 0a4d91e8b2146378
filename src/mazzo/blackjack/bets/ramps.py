"""The best bets for a table of advantage by count: for SCORE, for growth, for a bankroll and a risk, in whole chips."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mazzo.arrays import Floats
from mazzo.blackjack.bets.staking import Ramp
from mazzo.errors import UnreadableError

__all__ = ["BestRamp", "best_ramp", "read_spread"]

GOALS = ("score", "growth")


def read_spread(text: str) -> float:
    """How many times the least the largest bet is, from `1-8`, `1:8` or `8`."""
    found = re.fullmatch(r"(?:1\s*[-:]\s*)?(\d+(?:\.\d+)?)", text.strip())
    if not found or not 1 <= float(found[1]) <= 1000:
        raise UnreadableError(f"cannot read the spread {text!r}: write 1-8 for bets from one to eight units")
    return float(found[1])


@dataclass(frozen=True)
class BestRamp:
    """A ramp, what it is expected to bring, and what rounding it to chips costs."""

    ramp: Ramp
    score: float
    unrounded_score: float
    unit: float
    """The least bet."""

    @property
    def rounding_cost(self) -> float:
        """The share of SCORE that is lost by betting whole chips."""
        return 1 - self.score / self.unrounded_score if self.unrounded_score > 0 else 0.0


class _Table:
    """Frequencies, advantages and variances by count; advantages smoothed by a line, since rare counts are noisy."""

    def __init__(self, lines: Sequence[Mapping[str, Any]], boxes: int) -> None:
        known = [line for line in lines if line["played"] > 0 and line["variance"] > 0]
        if len(known) < 3:
            raise UnreadableError("a best ramp needs a table of at least three counts; play more rounds")
        self.count = np.array([line["count"] for line in known], np.float64)
        self.share = np.array([line["share"] for line in known])
        self.variance = np.array([line["variance"] for line in known])
        seen = np.array([line["advantage"]["value"] for line in known]) * boxes
        weight = np.sqrt(self.share / self.variance)
        self.gain: Floats = np.asarray(np.polyval(np.polyfit(self.count, seen, 1, w=weight), self.count), np.float64)

    def moments(self, bets: Floats) -> tuple[float, float]:
        """Mean and variance of a round."""
        mean = float(self.share @ (bets * self.gain))
        return mean, float(self.share @ (bets**2 * (self.variance + self.gain**2))) - mean**2

    def score(self, bets: Floats) -> float:
        mean, variance = self.moments(bets)
        return 1e6 * mean * abs(mean) / variance if variance > 0 else 0.0


def _best_scale(table: _Table, low: float, high: float) -> Floats:
    """Bets in proportion to advantage over variance within the limits, at the scale with the highest SCORE."""
    kelly = table.gain / table.variance
    top = float(kelly.max())
    if top <= 0:
        raise UnreadableError("no count has an advantage: there is no ramp that wins")
    scales = np.geomspace(low / top, 60 * high / top, 2000)
    trials = [np.clip(scale * kelly, low, high) for scale in scales]
    return max(trials, key=table.score)


def _in_chips(bets: Floats, chip: float, high: float) -> Floats:
    if chip <= 0:
        return bets
    return np.asarray(np.clip(np.floor(bets / chip + 0.5) * chip, chip, max(chip, math.floor(high / chip) * chip)))


def _ramp(count: Floats, bets: Floats) -> Ramp:
    steps: list[tuple[float, float]] = []
    for at, bet in zip(count.tolist(), bets.tolist(), strict=True):
        if not steps or steps[-1][1] != bet:
            steps.append((at, round(bet, 6)))
    return Ramp(tuple(steps))


def best_ramp(
    lines: Sequence[Mapping[str, Any]],
    low: float,
    spread: float,
    *,
    goal: str = "score",
    boxes: int = 1,
    bankroll: float = 10_000.0,
    fraction: float = 1.0,
    risk: float | None = None,
    chip: float = 0.0,
) -> BestRamp:
    """The stakes from `low` to `low` x `spread` that are best for a table of advantage by count.

    Args:
        lines: `Earnings.by_count()`.
        low: The least bet; with `risk` it is only where the search begins.
        spread: The largest bet over the least.
        goal: `score`, or `growth` of the bankroll (Kelly).
        boxes: Boxes played.
        bankroll: For growth and risk.
        fraction: Of Kelly's stake, for growth.
        risk: The chance of ruin that is borne: all bets are scaled to it.
        chip: Bets are whole multiples of this; 0: any.
    """
    if goal not in GOALS:
        raise UnreadableError(f"a ramp can be best for {' or '.join(GOALS)}, got {goal!r}")
    if risk is not None and not 0 < risk < 1:
        raise UnreadableError(f"the risk of ruin must be between 0 and 1, got {risk}")
    table = _Table(lines, boxes)
    if goal == "growth":
        bets = np.clip(fraction * bankroll * table.gain / table.variance, low, low * spread)
    else:
        bets = _best_scale(table, low, low * spread)
    if risk is not None:
        mean, variance = table.moments(bets)
        if mean <= 0:
            raise UnreadableError("no bets of this spread win here: every risk of ruin is 1; widen the spread")
        bets = bets * (-2 * mean * bankroll / (variance * math.log(risk)))
    rounded = _in_chips(bets, chip, float(bets.max()))
    return BestRamp(_ramp(table.count, rounded), table.score(rounded), table.score(bets), float(rounded.min()))
