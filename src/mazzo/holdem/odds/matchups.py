"""One starting hand against another before the flop: how many of the 1,712,304 boards each wins, for every pair.

The table comes with Mazzo: 169 hands stand for all, and each has a row of what it wins and ties against the 1,326. It
is made by looking once at each of the 134,459 boards that differ by more than the names of suits.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mazzo.holdem import showdown
from mazzo.holdem.odds.build import holes, number_of_holes, representatives
from mazzo.holdem.odds.isomorphism import SUIT_PERMUTATIONS
from mazzo.holdem.odds.ranges import Hole
from mazzo.holdem.packed import read_packed, write_packed
from mazzo.jit import tight

__all__ = [
    "BOARDS",
    "SHIPPED",
    "Matchups",
    "build_matchups",
    "count_boards",
    "count_matchups",
    "matchup_table",
    "read_matchups",
    "write_matchups",
]

BOARDS = 1_712_304
"""Boards that may come when four cards are known."""
SHIPPED = Path(__file__).with_name("matchups.bin")
"""The table that comes with Mazzo; `write_matchups(SHIPPED, build_matchups())` makes the file."""

_TITLE = b"mazzo hold'em matchups before the flop, version 1\n"
_HOLES, _KINDS = 1326, 169
_RENAMED = SUIT_PERMUTATIONS.astype(np.int64)
_PLANES = 3  # bytes that hold a count
_AT_ONCE = 128  # boards
_ABSENT, _ABSENT_OPPONENT = 0, 1 << 16  # a hand that holds a card of the board: it beats nobody, and nobody beats it


class Matchups(NamedTuple):
    """What the first hand of each of the 169 kinds wins and ties against each of the 1,326."""

    won: NDArray[np.uint32]
    tied: NDArray[np.uint32]

    def rows(self, hands: ArrayLike, against: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Boards won and tied by some hands (rows) against others (columns); 0 and 0 where they share a card."""
        mine, theirs = np.asarray(hands, np.int64).reshape(-1, 2), np.asarray(against, np.int64).reshape(-1, 2)
        kinds = _kinds(mine)
        columns = number_of_holes(_RENAMED[:, theirs])[_renaming_of(mine)]
        return self.won[kinds[:, None], columns].astype(np.int64), self.tied[kinds[:, None], columns].astype(np.int64)


def _kinds(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """The kind of each hand: 13 times its higher rank plus the lower if it is suited, else the other way."""
    low, high = np.sort(hands >> 2, axis=-1).T
    suited = (hands[:, 0] & 3) == (hands[:, 1] & 3)
    return np.asarray(np.where(suited, 13 * high + low, 13 * low + high))


def _renaming_of(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """A renaming of suits that turns each hand into the first of its kind."""
    first = _first_of_kind()[_kinds(hands)]
    return np.asarray((number_of_holes(_RENAMED[:, hands]) == first).argmax(axis=0))


@cache
def _first_of_kind() -> NDArray[np.int64]:
    """Of each of the 169 kinds the first of the 1,326 hands."""
    return np.asarray(np.unique(_kinds(holes()), return_index=True)[1])


@tight
def _compare(values: Any, as_opponent: Any, weights: Any, won: Any, tied: Any) -> None:
    """Add the boards that every hand wins and ties against every other; a row of values a hand, a column a board."""
    for i in range(len(values)):
        for j in range(i):
            more, less, same = np.int32(0), np.int32(0), np.int32(0)
            for k in range(values.shape[1]):  # cut back to 32 bits, or half of each vector is wasted
                more = np.int32(more + (weights[k] if values[i, k] > as_opponent[j, k] else np.int32(0)))
                less = np.int32(less + (weights[k] if values[j, k] > as_opponent[i, k] else np.int32(0)))
                same = np.int32(same + (weights[k] if values[i, k] == as_opponent[j, k] else np.int32(0)))
            won[i, j] += more
            won[j, i] += less
            tied[i, j] += same
            tied[j, i] += same


def _values(boards: NDArray[np.uint8], pairs: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """What every hand is worth on each board, and the same as its opponent sees it: hands that are not there apart."""
    blocked = (pairs[:, :, None, None] == boards).any(axis=(1, 3))
    cards = np.empty((len(pairs), len(boards), 7), np.uint8)
    cards[:, :, :2], cards[:, :, 2:] = pairs[:, None], boards
    worth = showdown.evaluate(cards.reshape(-1, 7)).reshape(blocked.shape).astype(np.int32)
    return np.where(blocked, _ABSENT, worth), np.where(blocked, _ABSENT_OPPONENT, worth)


def count_boards(boards: NDArray[np.uint8], weights: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """What each of the 1,326 hands wins and ties against each on some boards, each counted so often."""
    pairs = holes()
    won, tied = np.zeros((2, _HOLES, _HOLES), np.int64)
    for begin in range(0, len(boards), _AT_ONCE):
        some = slice(begin, begin + _AT_ONCE)
        _compare(*_values(boards[some], pairs), weights[some].astype(np.int32), won, tied)
    apart = ~(pairs[:, None, :, None] == pairs[:, None]).any(axis=(2, 3))
    return won * apart, tied * apart


def build_matchups() -> Matchups:
    """Count the whole table: a minute or two."""
    boards = representatives(5)
    images = number_of_holes(_RENAMED[:, holes()])
    mine = images[:, _first_of_kind()]
    tables = []
    for counted in count_boards(boards.boards, boards.weights):
        # A board stands for its images: to rename it is to rename both hands the other way.
        total = sum(counted[hands[:, None], others] for hands, others in zip(mine, images, strict=True))
        if (total % len(images)).any():
            raise ArithmeticError("hands that are alike were not counted alike: the table would be wrong")
        tables.append((total // len(images)).astype(np.uint32))
    return Matchups(*tables)


def read_matchups(path: Path) -> Matchups | None:
    """The table in a file, or nothing if the file is missing or not what was written."""
    numbers = read_packed(path, _TITLE, 2 * _PLANES * _KINDS * _HOLES)
    if numbers is None:
        return None
    planes = np.frombuffer(numbers, np.uint8).reshape(2, _PLANES, _KINDS, _HOLES)
    tables = np.zeros((2, _KINDS, _HOLES), np.uint32)
    for at in range(_PLANES):
        tables |= planes[:, at].astype(np.uint32) << np.uint32(8 * at)
    return Matchups(*tables)


def write_matchups(path: Path, table: Matchups) -> None:
    """Write the table so that a reader sees the old file or the new one, never a part of it."""
    planes = [(counts >> np.uint32(8 * at)).astype(np.uint8).tobytes() for counts in table for at in range(_PLANES)]
    write_packed(path, _TITLE, b"".join(planes), 19)


@cache
def matchup_table() -> Matchups:
    """The table that comes with Mazzo; counted anew where its file is damaged."""
    return read_matchups(SHIPPED) or build_matchups()


def count_matchups(mine: Mapping[Hole, int], theirs: Mapping[Hole, int]) -> tuple[int, int, int]:
    """Weight won, tied and dealt over all boards, hands of one range against those of another, with whole weights.

    For each renaming of suits that turns one of my hands into the first of its kind, their weights are renamed once
    and summed with the rows of all kinds: no more is done for a thousand hands than for a dozen.
    """
    hands, others = (np.array(list(side), np.int64).reshape(-1, 2) for side in (mine, theirs))
    weights = np.array(list(theirs.values()), np.int64)
    kinds, renaming = _kinds(hands), _renaming_of(hands)
    used, which = np.unique(renaming, return_inverse=True)
    rows, row = np.unique(kinds, return_inverse=True)
    renamed = np.zeros((len(used), _HOLES), np.int64)
    np.put_along_axis(renamed, number_of_holes(_RENAMED[used][:, others]), weights[None], axis=1)
    met = np.flatnonzero(renamed.any(axis=0))
    counts = [(part[rows][:, met].astype(np.int64) @ renamed[:, met].T)[row, which] for part in matchup_table()] + [
        _weight_apart(hands, others, weights)
    ]
    won, tied, dealt = (sum(int(n) * weight for n, weight in zip(c, mine.values(), strict=True)) for c in counts)
    return won, tied, dealt * BOARDS


def _weight_apart(hands: NDArray[np.int64], others: NDArray[np.int64], weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each hand the weight of the others that share no card with it."""
    by_card, by_hand = np.zeros(52, np.int64), np.zeros(_HOLES, np.int64)
    np.add.at(by_card, others, weights[:, None])
    by_hand[number_of_holes(others)] = weights
    both = by_hand[number_of_holes(hands)]  # counted with each of its cards
    return np.asarray(weights.sum() - by_card[hands].sum(axis=1) + both)
