"""What the tasks of the study of Vilella (2011) found, by figure and point, and what his text prints of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mazzo.statistics import Z95, student

__all__ = [
    "CHIPS_A_BLIND",
    "FREE",
    "PRINTED",
    "RANDOM",
    "Found",
    "Mean",
    "Result",
    "block_error",
    "mean_of",
]

RANDOM, FREE = "random", "random:free_fold=true"
Result = dict[str, Any]
CHIPS_A_BLIND = 30_000
"""Vilella prints chips won in 3,000 hands at a big blind of 10."""
BLOCK_HANDS = 3_000
PRINTED: dict[tuple[str, Any], tuple[tuple[int, ...], int]] = {
    ("5.1", 4): ((11925,), 709), ("5.1", 10): ((14865,), 711), ("5.1", 20): ((23335,), 711),
    ("5.1", 30): ((23480,), 715), ("5.1", 40): ((22540,), 715), ("5.1", 100): ((-11150,), 717),
    ("5.1 exact", 4): ((31175,), 735), ("5.1 exact", 10): ((36825,), 735), ("5.1 exact", 20): ((30550,), 735),
    ("5.2", 20): ((-31645,), 724), ("5.2", 100): ((-25510,), 724), ("5.2", 400): ((16695,), 724),
    ("5.2", 800): ((20165,), 724), ("5.2", 1200): ((16955,), 724),
    ("5.3", 10): ((36825, 28630, 34595, 38870, 26880), 737),
    ("5.4", 100): ((36825, 28630, 34595), 737), ("5.4", 20): ((32110, 33410), 744),
    ("5.4", 10): ((22060, 19960), 744), ("5.4", 1): ((3155, 6195), 744),
}  # fmt: skip
"""Chips of each block of 3,000 hands of a point, and the line that prints them."""
_SHARED = {"5.1 exact": [("5.3", 10)], "5.4": [("5.3", 10)], "5.6": [("5.5", 300)]}
"""Heroes that stand in a figure but were learned for another."""


class Mean(NamedTuple):
    """A mean over seeds with its standard error and half of its interval."""

    value: float
    half: float
    seeds: int
    error: float

    @property
    def repetitions(self) -> int | None:
        """How few values the error is estimated from, if it is from seeds."""
        return self.seeds if self.seeds > 1 else None


def mean_of(group: Sequence[Result]) -> Mean:
    """Between logs there is more chance than within a match; with one log only the match's own error is known."""
    values = np.array([r["bb_per_hand"] for r in group])
    if len(values) == 1:
        return Mean(float(values[0]), Z95 * group[0]["standard_error"], 1, group[0]["standard_error"])
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    return Mean(float(values.mean()), student(len(values)) * error, len(values), error)


class Found:
    """Results by figure, what varies and opponent."""

    def __init__(self, results: Iterable[Result]) -> None:
        self.groups: dict[tuple[str, Any, str], list[Result]] = {}
        self.bounds: dict[str, float] = {}
        self.bandits: list[Result] = []
        self.blocks: list[Result] = []
        for r in results:
            if r["kind"] == "bound":
                self.bounds[r["opponent"]] = r["bound"]
            elif r["kind"] == "blocks":
                self.blocks.append(r)
            elif r["kind"] == "bandit":
                self.bandits.append(r)
            else:
                self.groups.setdefault((r["figure"], r.get("x", ""), r["opponent"]), []).append(r)

    @property
    def block_sd(self) -> float | None:
        """The spread of a block of 3,000 hands, if it was measured."""
        return float(self.blocks[0]["block_sd"]) if self.blocks else None

    def mean(self, figure: str, x: Any, opponent: str) -> Mean | None:
        """What was found for one point of a figure, if it was done."""
        group = self.groups.get((figure, x, opponent))
        return mean_of(group) if group else None

    def points(self, figure: str, opponent: str) -> list[tuple[Any, list[Result]]]:
        """All points of a figure against an opponent, in order where they are numbers."""
        own = [(x, group) for (f, x, o), group in self.groups.items() if (f, o) == (figure, opponent)]
        for other, x in _SHARED.get(figure, []):
            shared = self.groups.get((other, x, opponent))
            if shared and (own or figure == "5.4"):
                own.append(({"5.4": 100, "5.6": "nothing"}.get(figure, x), shared))
        return sorted(own, key=lambda point: point[0] if isinstance(point[0], int) else 0)

    def opponents(self) -> list[str]:
        """Those that were played against."""
        known = {opponent for _, _, opponent in self.groups}
        return [name for name in (RANDOM, FREE, "chart") if name in known]


def block_error(group: list[Result], found: Found | None = None) -> float:
    """The standard error of one of Vilella's blocks of 3,000 hands: measured over such blocks, else from our hands."""
    if found is not None and found.block_sd is not None:
        return found.block_sd
    return float(np.mean([r["standard_error"] for r in group])) * math.sqrt(group[0]["play"] / BLOCK_HANDS)
