"""Every hand a player can hold, counted once: a hand is a multiset of ranks with a number.

Orders do not matter, so there are only 3,083 hands of at most 21 points, aces counted one (the empty hand included).
They are numbered so that drawing a card always leads to a smaller number: one loop upwards is a recursion without a
stack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from mazzo.arrays import Flags, Floats, Ints
from mazzo.blackjack.columns import best_points
from mazzo.blackjack.shoe import ACE, TEN

__all__ = [
    "BLACKJACK",
    "EMPTY",
    "Flags",
    "Floats",
    "HandArrays",
    "Ints",
    "Multisets",
    "all_hands",
    "hand_total",
    "two_card_hands",
]

Multiset = tuple[int, ...]


def hand_total(ranks: Iterable[int]) -> tuple[int, bool]:
    """The points of a hand and whether it is soft (an ace counts eleven)."""
    cards = tuple(ranks)
    return best_points(sum(cards) + len(cards), ACE in cards)


class HandArrays(NamedTuple):
    """The hands as kernels take them, one row a hand."""

    counts: Ints
    """How many cards of each rank."""
    cards: Ints
    total: Ints
    """Points, an ace as eleven where that helps."""
    soft: Flags
    after: Ints
    """The hand after drawing a rank; -1 where that busts."""


@dataclass(frozen=True)
class Multisets:
    """All hands: their arrays, and the way from cards to a hand's number and back."""

    arrays: HandArrays
    number: dict[Multiset, int]
    """The hand's number from its counts."""

    def __len__(self) -> int:
        return len(self.number)

    def of(self, ranks: Iterable[int]) -> int:
        """The number of the hand with these cards; -1 for a bust."""
        at = int(EMPTY)
        for rank in ranks:
            at = int(self.arrays.after[at, rank]) if at >= 0 else at
        return at

    def ranks(self, hand: int) -> tuple[int, ...]:
        """The cards of a hand, aces first."""
        return tuple(rank for rank in range(10) for _ in range(int(self.arrays.counts[hand, rank])))


def _multisets(points: int, highest: int = TEN) -> Iterator[list[int]]:
    """All multisets of ranks up to `highest` with at most `points` points."""
    if highest < 0:
        yield []
        return
    for copies in range(points // (highest + 1) + 1):
        for rest in _multisets(points - copies * (highest + 1), highest - 1):
            yield [*rest, copies]


@cache
def all_hands() -> Multisets:
    """Every hand of at most 21 points, aces counted one."""
    counts = np.array(list(_multisets(21)), np.int64)
    hard = counts @ np.arange(1, 11)
    order = np.argsort(-hard, kind="stable")
    counts, hard = counts[order], hard[order]
    number = {tuple(row): k for k, row in enumerate(counts.tolist())}
    after = np.full((len(counts), 10), -1, np.int64)
    for k, row in enumerate(counts.tolist()):
        for rank in range(10):
            row[rank] += 1
            after[k, rank] = number.get(tuple(row), -1)
            row[rank] -= 1
    total, soft = best_points(hard, counts[:, ACE] > 0)
    return Multisets(HandArrays(counts, counts.sum(1), total, soft, after), number)


EMPTY = 3082
"""The number of the hand without cards: the last."""

BLACKJACK = (ACE, TEN)


@cache
def two_card_hands() -> Ints:
    """The numbers of the hands of two cards."""
    return np.flatnonzero(all_hands().arrays.cards == 2)
