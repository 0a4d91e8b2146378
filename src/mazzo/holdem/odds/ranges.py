"""Ranges of hands as people write them: `QQ+, AKs, A2s-A5s, T9o, 55-22, AsKd, AQ:0.5, random`.

>>> len(parse_range("QQ+,AKs").weights)
22
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.cards import FRENCH
from mazzo.document import Grid, Section, Shown
from mazzo.errors import UnreadableError

__all__ = ["Hole", "Range", "grid_places", "ink", "parse_range"]

_RANKS = "23456789TJQKA"
_HOW = (
    "a range is hands separated by commas: QQ, QQ+, 22-55, AKs (suited), AKo (offsuit), AK (both), ATs+, A2s-A5s, "
    "T9s-76s, AsKd, random, each with a weight from 0 to 1 if wanted, as in AKs:0.5"
)
_MOST_DIGITS = 6

Hole = tuple[int, int]


@dataclass(frozen=True, repr=False, init=False)
class Range(Shown):
    """Hands an opponent may hold, each with the weight it is held with: `Range("QQ+,AKs,T9s:0.5")`."""

    text: str
    weights: dict[Hole, Fraction]
    """From (lower card, higher card); hands of weight 0 are left out."""

    def __init__(self, text: str, weights: Mapping[Hole, Fraction] | None = None) -> None:
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "weights", _weights(text) if weights is None else dict(weights))

    @classmethod
    def parse(cls, text: str) -> Range:
        """A range from its text: `QQ+,AKs,T9s:0.5`."""
        return parse_range(text)

    def without(self, dead: Iterable[int]) -> Range:
        """The range when these cards are held by others."""
        gone = {int(card) for card in dead}
        return Range(self.text, {hole: weight for hole, weight in self.weights.items() if not gone & set(hole)})

    def in_whole_numbers(self) -> dict[Hole, int]:
        """The weights in the same proportion as whole numbers."""
        scale = lcm(*(weight.denominator for weight in self.weights.values()))
        return {hole: int(weight * scale) for hole, weight in self.weights.items()}

    def __len__(self) -> int:
        return len(self.weights)

    def section(self) -> Section:
        """Its hands in the usual square: pairs on the diagonal, suited above it, the darker the more of them."""
        ranks = range(12, -1, -1)
        square = [[_name(row, column) for column in ranks] for row in ranks]
        cells = [[row[k][0], *(name if self._share(name) else "" for name in row)] for k, row in enumerate(square)]
        inks = [["", *(ink(self._share(name)) for name in row)] for row in square]
        return Section(str(self), tables=[Grid(("", *reversed(_RANKS)), cells, inks=inks)])

    def _share(self, name: str) -> float:
        hands = _combinations(*_kind(name, name))
        return float(sum(self.weights.get(hole, Fraction(0)) for hole in hands)) / len(hands)

    def __str__(self) -> str:
        return f"{self.text}: {len(self)} hands"

    def __repr__(self) -> str:
        return f"<Range {self}>"


def _name(row: int, column: int) -> str:
    """The hand at a place of the square: suited right of the diagonal, offsuit left of it."""
    high, low = max(row, column), min(row, column)
    return _RANKS[high] + _RANKS[low] + ("" if row == column else "s" if row > column else "o")


def grid_places(holdings: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row and column of each holding in the 13 x 13 grid of classes: suited above the diagonal, offsuit below it."""
    low, high = np.asarray(holdings, np.int64).T
    ranks, suited = np.sort([12 - (low >> 2), 12 - (high >> 2)], axis=0), (low & 3) == (high & 3)
    return np.where(suited, ranks[0], ranks[1]), np.where(suited, ranks[1], ranks[0])


def ink(share: float) -> str:
    """From white to yellow."""
    return f"#{255:02x}{round(255 - 44 * share):02x}{round(255 - 161 * share):02x}" if share else ""


def parse_range(text: str) -> Range:
    """Read a range. A hand named twice has the weight given last."""
    return Range(text)


def _weights(text: str) -> dict[Hole, Fraction]:
    weights: dict[Hole, Fraction] = {}
    for item in text.replace(",", " ").split():
        hands, colon, weight_text = item.partition(":")
        weight = _weight(weight_text, item) if colon else Fraction(1)
        for hole in _hands(hands):
            weights[hole] = weight
    weights = {hole: weight for hole, weight in weights.items() if weight}
    if not weights:
        raise UnreadableError(f"no hand is in the range {text!r}; {_HOW}")
    return weights


def _weight(text: str, item: str) -> Fraction:
    whole, _, digits = text.partition(".")
    readable = (whole + digits).isascii() and (whole + digits).isdigit() and len(digits) <= _MOST_DIGITS
    if not readable or len(whole) > 1 or Fraction(text) > 1:
        raise UnreadableError(
            f"cannot read the weight in {item!r}: a weight is a number from 0 to 1 of at most {_MOST_DIGITS} decimals"
        )
    return Fraction(text)


def _hands(text: str) -> list[Hole]:
    if text.lower() == "random":
        return [(a, b) for b in range(52) for a in range(b)]
    first, dash, last = text.partition("-")
    if dash:
        return _between(first, last, text)
    if text.endswith("+"):
        high, low, kind = _kind(text[:-1], text)
        if high == low:
            return [hole for rank in range(high, 13) for hole in _combinations(rank, rank, kind)]
        return [hole for rank in range(low, high) for hole in _combinations(high, rank, kind)]
    if len(text) > 3:
        cards = FRENCH.parse(text)
        if len(cards) != 2:
            raise UnreadableError(f"cannot read {text!r} in the range; {_HOW}")
        return [(int(min(cards)), int(max(cards)))]
    return _combinations(*_kind(text, text))


def _between(first: str, last: str, text: str) -> list[Hole]:
    high_a, low_a, kind = _kind(first, text)
    high_b, low_b, kind_b = _kind(last, text)
    pairs = (high_a == low_a) and (high_b == low_b)
    same_gap = high_a - low_a == high_b - low_b
    if kind != kind_b or not (pairs or same_gap or high_a == high_b):
        raise UnreadableError(
            f"cannot read {text!r} in the range: from one hand to another goes between pairs (22-55), between kickers "
            "of one card (A2s-A5s) or between hands of the same gap (T9s-76s)"
        )
    if high_a == high_b:
        lows = range(min(low_a, low_b), max(low_a, low_b) + 1)
        return [hole for low in lows for hole in _combinations(high_a, low, kind)]
    highs = range(min(high_a, high_b), max(high_a, high_b) + 1)
    return [hole for high in highs for hole in _combinations(high, high - (high_a - low_a), kind)]


def _kind(text: str, whole: str) -> tuple[int, int, str]:
    """Higher rank, lower rank, and "s", "o" or "" from text like AKs."""
    ranks, kind = text[:2].upper(), text[2:].lower()
    if len(ranks) != 2 or any(rank not in _RANKS for rank in ranks) or kind not in ("", "s", "o"):
        raise UnreadableError(f"cannot read {whole!r} in the range; {_HOW}")
    low, high = sorted(_RANKS.index(rank) for rank in ranks)
    if low == high and kind:
        raise UnreadableError(f"cannot read {whole!r} in the range: a pair is neither suited nor offsuit")
    return high, low, kind


def _combinations(high: int, low: int, kind: str) -> list[Hole]:
    if high == low:
        return [(4 * low + a, 4 * low + b) for b in range(4) for a in range(b)]
    return [(4 * low + a, 4 * high + b) for a in range(4) for b in range(4) if not kind or (a == b) == (kind == "s")]
