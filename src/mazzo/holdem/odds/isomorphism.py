"""Hands that differ only by the names of their suits are the same hand: one number for all of them.

A hand comes in rounds (two hole cards, three of the flop, one turn, one river); within a round the order of cards does
not matter, between rounds it does. As Waugh shows ("A Fast and Optimal Hand Isomorphism Algorithm", 2013), each suit
can be described by itself: its *shape* is how many of its cards each round has, its *state* which ranks those are. The
four suits, sorted, form a multiset of states for each multiset of shapes; numbering these leaves no gap, so that the
numbers index tables directly: 169 hole hands, 1,286,792 on the flop, 55,190,538 on the turn, 2,428,287,420 on the
river.

>>> from mazzo.cards import FRENCH
>>> HOLE.index([FRENCH.parse("AsKs"), FRENCH.parse("AhKh"), FRENCH.parse("AhKs")]).tolist()
[168, 168, 89]
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations, product
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mazzo.errors import IllegalError
from mazzo.jit import kernel, tight_helper

__all__ = ["BOARD", "HOLE", "HOLE_AND_FLOP", "RIVER", "SUIT_PERMUTATIONS", "TURN", "Indexer", "index_row"]

SUIT_PERMUTATIONS = np.array(
    [[4 * rank + suits[suit] for rank in range(13) for suit in range(4)] for suits in permutations(range(4))],
    dtype=np.uint8,
)
"""What each of the 24 ways to rename suits makes of each card; the first renames nothing."""


class IndexTables(NamedTuple):
    """What the indexing kernel needs; passed as an argument."""

    round_of_card: NDArray[np.int64]
    shape_weights: NDArray[np.int64]
    shape_sizes: NDArray[np.int64]
    offsets: NDArray[np.int64]
    colex: NDArray[np.int64]
    bits: NDArray[np.int64]
    binomials: NDArray[np.int64]


@tight_helper
def _multichoose(kinds: int, chosen: int) -> int:
    """How many multisets of `chosen` there are from `kinds`."""
    if chosen == 1:
        return kinds
    if chosen == 2:
        return kinds * (kinds + 1) // 2
    if chosen == 3:
        return kinds * (kinds + 1) * (kinds + 2) // 6
    return kinds * (kinds + 1) * (kinds + 2) * (kinds + 3) // 24


@tight_helper
def _suit_state(masks: Any, suit: int, weights: Any, colex: Any, bits: Any, binomials: Any) -> int:
    """A suit's shape and, below it in twenty bits, its state."""
    shape, state, states, used = 0, 0, 1, 0
    for at in range(len(weights)):
        mask = masks[suit, at]
        if mask == 0:
            continue
        free, below = mask, used
        while below:  # close the gaps of ranks that earlier rounds took, the highest first
            top = below
            while top & (top - 1):
                top &= top - 1
            free = (free & (top - 1)) | ((free >> 1) & ~(top - 1))
            below ^= top
        state += states * colex[free]
        states *= binomials[13 - bits[used], bits[mask]]
        shape += bits[mask] * weights[at]
        used |= mask
    return shape << 20 | state


@tight_helper
def index_row(
    cards: Any,
    masks: Any,
    round_of_card: Any,
    weights: Any,
    sizes: Any,
    offsets: Any,
    colex: Any,
    bits: Any,
    binomials: Any,
) -> Any:
    """The number of one hand; `masks` is scratch of at least four suits by as many rounds."""
    masks[:] = 0
    for k in range(len(round_of_card)):
        masks[cards[k] & 3, round_of_card[k]] |= 1 << (cards[k] >> 2)
    a = _suit_state(masks, 0, weights, colex, bits, binomials)
    b = _suit_state(masks, 1, weights, colex, bits, binomials)
    c = _suit_state(masks, 2, weights, colex, bits, binomials)
    d = _suit_state(masks, 3, weights, colex, bits, binomials)
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    shapes = len(sizes)
    index = offsets[((a >> 20) * shapes + (b >> 20)) * shapes + (c >> 20)]
    suits = (a, b, c, d)
    scale, at = 1, 0
    while at < 4:
        shape, same = suits[at] >> 20, 1
        while at + same < 4 and suits[at + same] >> 20 == shape:
            same += 1
        group = 0
        for k in range(same):
            group += _multichoose(suits[at + k] & 0xFFFFF, same - k)
        index += scale * group
        scale *= _multichoose(sizes[shape], same)
        at += same
    return index


@kernel
def _index_rows(
    cards: Any,
    out: Any,
    round_of_card: Any,
    weights: Any,
    sizes: Any,
    offsets: Any,
    colex: Any,
    bits: Any,
    binomials: Any,
) -> None:
    masks = np.zeros((4, len(weights)), dtype=np.int64)
    row = np.zeros(len(round_of_card), dtype=np.int64)
    for at in range(len(cards)):
        for k in range(len(row)):
            row[k] = cards[at, k]
        out[at] = index_row(row, masks, round_of_card, weights, sizes, offsets, colex, bits, binomials)


class Indexer:
    """Numbers hands dealt in rounds of these many cards, alike for hands that are alike but for their suits' names."""

    def __init__(self, *rounds: int) -> None:
        self.rounds = rounds

    def __repr__(self) -> str:
        return f"Indexer{self.rounds}"

    @property
    def cards(self) -> int:
        """How many cards a hand has."""
        return sum(self.rounds)

    @property
    def size(self) -> int:
        """How many different hands there are: numbers run from 0 to one less."""
        return _prepared(self.rounds)[1]

    @property
    def tables(self) -> IndexTables:
        """For kernels that call `index_row`."""
        return _prepared(self.rounds)[0]

    def index(self, hands: ArrayLike) -> NDArray[np.int64]:
        """The numbers of many hands: one hand a row, its cards in the order of rounds."""
        rows = np.asarray(hands)
        if rows.ndim != 2 or rows.shape[1] != self.cards:
            raise IllegalError(f"hands of rounds {self.rounds} are rows of {self.cards} cards, not {rows.shape}")
        if rows.dtype.kind not in "iu" or (rows.size and (rows.min() < 0 or rows.max() > 51)):
            raise IllegalError("cards are whole numbers from 0 (two of clubs) to 51 (ace of spades)")
        out = np.empty(len(rows), dtype=np.int64)
        _index_rows(np.ascontiguousarray(rows, dtype=np.uint8), out, *self.tables)
        return out


@cache
def _prepared(rounds: tuple[int, ...]) -> tuple[IndexTables, int]:
    radices = [size + 1 for size in rounds]
    weights = [prod(radices[:at]) for at in range(len(rounds))]
    sizes = np.zeros(prod(radices), dtype=np.int64)
    for counts in product(*(range(radix) for radix in radices)):
        free, states = 13, 1
        for count in counts:
            states *= comb(free, count)
            free -= count
        sizes[sum(count * weight for count, weight in zip(counts, weights, strict=True))] = states
    offsets, total = _offsets(rounds, weights, sizes)
    binomials = np.array([[comb(n, k) for k in range(14)] for n in range(14)], dtype=np.int64)
    tables = IndexTables(
        np.repeat(np.arange(len(rounds)), rounds).astype(np.int64),
        np.array(weights, dtype=np.int64),
        sizes,
        offsets,
        _colex(),
        np.array([mask.bit_count() for mask in range(1 << 13)], dtype=np.int64),
        binomials,
    )
    return tables, total


def _offsets(rounds: Sequence[int], weights: Sequence[int], sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Where the block of each sorted quadruple of shapes begins: the last is known from the other three."""
    quadruples: set[tuple[int, ...]] = {(0, 0, 0, 0)}
    for cards, weight in zip(rounds, weights, strict=True):
        ways = [way for way in product(range(cards + 1), repeat=4) if sum(way) == cards]
        quadruples = {
            tuple(shape + count * weight for shape, count in zip(shapes, way, strict=True))
            for shapes in quadruples
            for way in ways
        }
    offsets = np.full(len(sizes) ** 3, -1, dtype=np.int64)
    total = 0
    for shapes in sorted({tuple(sorted(shapes, reverse=True)) for shapes in quadruples}):
        offsets[(shapes[0] * len(sizes) + shapes[1]) * len(sizes) + shapes[2]] = total
        total += prod(comb(int(sizes[shape]) + shapes.count(shape) - 1, shapes.count(shape)) for shape in set(shapes))
    return offsets, total


@cache
def _colex() -> NDArray[np.int64]:
    """The number of each set of ranks among the sets of as many."""
    numbers, taken = np.zeros(1 << 13, dtype=np.int64), np.zeros(1 << 13, dtype=np.int64)
    for rank in range(13):  # sets with this rank on top are those of lower ranks, in order, with this one added
        low, high = slice(1 << rank), slice(1 << rank, 2 << rank)
        taken[high] = taken[low] + 1
        ways = np.array([comb(rank, k) for k in range(14)])
        numbers[high] = numbers[low] + ways[taken[high]]
    return numbers


HOLE = Indexer(2)
"""Two hole cards: 169."""
HOLE_AND_FLOP = Indexer(2, 3)
"""Hole cards and flop: 1,286,792."""
TURN = Indexer(2, 3, 1)
"""Hole cards, flop and turn, the turn kept apart: 55,190,538."""
RIVER = Indexer(2, 3, 1, 1)
"""Hole cards, flop, turn and river, each kept apart: 2,428,287,420."""
BOARD = {3: Indexer(3), 4: Indexer(4), 5: Indexer(5)}
"""Boards by themselves, in any order: 1,755 of three cards, 16,432 of four, 134,459 of five."""
