"""How the tables of preflop and flop equity are made: each of the 134,459 different boards is looked at once.

On a board, hands of the same ranks that stand alike to the board's suit are alike, so that some 150 kinds stand for
the 1,081 hands. What a hand is worth on a board goes, with the number of boards this one stands for, to its hole cards
and to each of the ten flops the board may have begun with; a flop's suits are renamed to those of the flop that stands
for it. At the end, hands that are alike are put together and divided by how many they are, which leaves no remainder.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.holdem import showdown
from mazzo.holdem.odds import exact
from mazzo.holdem.odds.exact import COUNTS, count_hand
from mazzo.holdem.odds.isomorphism import BOARD, HOLE, HOLE_AND_FLOP, SUIT_PERMUTATIONS
from mazzo.jit import helper, kernel, tight_helper

__all__ = ["EquityTables", "Progress", "build", "holes", "number_of_holes", "representatives"]

Progress = Callable[[float], None]
"""Told how much more of the work is done; the amounts add up to one."""

_HOLES = 1326
_CHUNKS = 200
_FLOPS_OF_BOARD = np.array(list(combinations(range(5), 3)), dtype=np.int64)


class EquityTables(NamedTuple):
    """Exact counts before the flop, and exact numerators on it, by the number of the hand among those that differ."""

    preflop: NDArray[np.int64]
    """The five counts of `exact`, over all boards to come: 169 rows."""
    flop: NDArray[np.uint32]
    """Numerators against one and two opponents: 1,286,792 rows."""


class Representatives(NamedTuple):
    """Boards that stand for all others: which they are, how many each stands for, and the number of every board."""

    boards: NDArray[np.uint8]
    weights: NDArray[np.int64]
    numbers: NDArray[np.int64]


def representatives(cards: int) -> Representatives:
    """The boards of so many cards that differ, each by its first occurrence in increasing order."""
    every = np.fromiter(chain.from_iterable(combinations(range(52), cards)), dtype=np.uint8).reshape(-1, cards)
    numbers = BOARD[cards].index(every)
    _, first, counts = np.unique(numbers, return_index=True, return_counts=True)
    return Representatives(every[first], counts.astype(np.int64), numbers)


@cache
def holes() -> NDArray[np.int64]:
    """All pairs of cards, the pair of lower card a and higher card b at b(b-1)/2 + a. One array: not to be changed."""
    return np.array([(a, b) for b in range(52) for a in range(b)], dtype=np.int64)


def number_of_holes(pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where pairs of cards stand among all, as `holes` lists them."""
    low, high = pairs.min(axis=-1), pairs.max(axis=-1)
    return np.asarray(high * (high - 1) // 2 + low)


class _Flops(NamedTuple):
    """For every flop, at C(c,3) + C(b,2) + a: its number, and the renaming of suits that makes it the one of it."""

    number: NDArray[np.int64]
    renaming: NDArray[np.int64]


def _flops(standing: Representatives) -> _Flops:
    every = np.array(list(combinations(range(52), 3)), dtype=np.int64)
    places = every[:, 2] * (every[:, 2] - 1) * (every[:, 2] - 2) // 6 + every[:, 1] * (every[:, 1] - 1) // 2
    places += every[:, 0]
    wanted = np.sort(standing.boards[standing.numbers], axis=1)
    number, renaming = np.empty(len(every), dtype=np.int64), np.full(len(every), -1, dtype=np.int64)
    number[places] = standing.numbers
    for at in range(len(SUIT_PERMUTATIONS)):
        images = np.sort(SUIT_PERMUTATIONS[at][every], axis=1)
        renaming[places[(images == wanted).all(axis=1)]] = at
    return _Flops(number, renaming)


@helper
def _value_hands(
    board: Any, pairs: Any, keys: Any, suits: Any, table: Any, room: Any, kinds: Any, live: Any, worth: Any
) -> int:
    """The counts of every hand on one board: fills `live` with their numbers and `worth` with rows of counts."""
    dead, suited, seen = np.uint64(0), -1, np.zeros(4, dtype=np.int64)
    for k in range(5):
        dead |= np.uint64(1) << np.uint64(board[k])
        seen[board[k] & 3] += 1
        if seen[board[k] & 3] == 3:
            suited = board[k] & 3
    kinds[:] = -1
    hands = 0
    for hole in range(len(pairs)):
        a, b = pairs[hole, 0], pairs[hole, 1]
        if ((dead >> np.uint64(a)) | (dead >> np.uint64(b))) & np.uint64(1):
            continue
        kind = 26 * ((a >> 2) * 2 + (a & 3 == suited)) + (b >> 2) * 2 + (b & 3 == suited)
        known = kinds[kind]
        for k in range(COUNTS):
            worth[hands, k] = 0 if known < 0 else worth[known, k]
        if known < 0:
            kinds[kind] = hands
            count_hand(pairs[hole], board, 5, worth[hands], keys, suits, table, *room)
        live[hands] = hole
        hands += 1
    return hands


@tight_helper
def _spread(
    board: Any, weight: int, live: Any, worth: Any, hands: int, number: Any, renaming: Any, images: Any, flops: Any
) -> None:
    """Give what hands are worth on a board to the ten flops it may have begun with."""
    for at in range(10):
        a, b, c = board[_FLOPS_OF_BOARD[at, 0]], board[_FLOPS_OF_BOARD[at, 1]], board[_FLOPS_OF_BOARD[at, 2]]
        place = c * (c - 1) * (c - 2) // 6 + b * (b - 1) // 2 + a
        flop, renamed = number[place], renaming[place]
        for k in range(hands):
            hole = images[renamed, live[k]]
            flops[flop, hole, 0] += weight * (2 * worth[k, 0] + worth[k, 1])
            flops[flop, hole, 1] += weight * ((3 * (worth[k, 2] + worth[k, 3]) - worth[k, 4]) >> 1)


@kernel
def _look_at_boards(
    boards: Any,
    weights: Any,
    pairs: Any,
    number: Any,
    renaming: Any,
    images: Any,
    keys: Any,
    suits: Any,
    table: Any,
    room: Any,
    preflop: Any,
    flops: Any,
) -> None:
    live = np.empty(1081, dtype=np.int64)
    worth = np.zeros((1081, COUNTS), dtype=np.int64)
    kinds = np.empty(26 * 26, dtype=np.int64)
    board = np.empty(5, dtype=np.int64)
    for at in range(len(boards)):
        for k in range(5):
            board[k] = boards[at, k]
        hands = _value_hands(board, pairs, keys, suits, table, room, kinds, live, worth)
        for k in range(hands):
            for count in range(COUNTS):
                preflop[live[k], count] += weights[at] * worth[k, count]
        _spread(board, weights[at], live, worth, hands, number, renaming, images, flops)


def build(progress: Progress = lambda amount: None) -> EquityTables:
    """Make both tables: well under a minute on one core, and 60 MB of memory meanwhile."""
    boards, flops = representatives(5), representatives(3)
    pairs = holes()
    images = number_of_holes(SUIT_PERMUTATIONS.astype(np.int64)[:, pairs])
    raw_preflop = np.zeros((_HOLES, COUNTS), dtype=np.int64)
    raw_flop = np.zeros((len(flops.boards), _HOLES, 2), dtype=np.int64)
    room = exact.scratch()
    constants = (pairs, *_flops(flops), images, *showdown.tables(), room, raw_preflop, raw_flop)
    for some in np.array_split(np.arange(len(boards.boards)), _CHUNKS):
        _look_at_boards(boards.boards[some], boards.weights[some], *constants)
        progress(1 / _CHUNKS)
    return EquityTables(_gather_preflop(raw_preflop, pairs), _gather_flop(raw_flop, flops, pairs))


def _gather_preflop(raw: NDArray[np.int64], pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    numbers = HOLE.index(pairs)
    total, alike = np.zeros((HOLE.size, COUNTS), dtype=np.int64), np.bincount(numbers, minlength=HOLE.size)
    np.add.at(total, numbers, raw)
    return _divide(total, alike[:, np.newaxis])


def _gather_flop(raw: NDArray[np.int64], flops: Representatives, pairs: NDArray[np.int64]) -> NDArray[np.uint32]:
    total = np.zeros((HOLE_AND_FLOP.size, 2), dtype=np.int64)
    alike = np.zeros(HOLE_AND_FLOP.size, dtype=np.int64)
    for at, flop in enumerate(flops.boards):
        free = ~np.isin(pairs, flop).any(axis=1)
        hands = np.concatenate([pairs[free], np.broadcast_to(flop, (int(free.sum()), 3))], axis=1)
        numbers = HOLE_AND_FLOP.index(hands)
        np.add.at(total, numbers, raw[at, free])
        np.add.at(alike, numbers, flops.weights[at])
    return _divide(total, alike[:, np.newaxis]).astype(np.uint32)


def _divide(total: NDArray[np.int64], alike: NDArray[np.int64]) -> NDArray[np.int64]:
    if (total % alike).any():
        raise ArithmeticError("hands that are alike were not counted alike: the equity tables would be wrong")
    return total // alike
