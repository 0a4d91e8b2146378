"""The tables behind `showdown`: where the parts of a card's key stand, how the tables are built, and those shipped."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.holdem.packed import read_packed, write_packed
from mazzo.jit import kernel, tight_helper

__all__ = [
    "CATEGORIES",
    "FLUSH",
    "FLUSHES",
    "MOST_CARDS",
    "ROW_SHIFT",
    "STRAIGHT_FLUSH",
    "SUITS_SHIFT",
    "VALUES",
    "ShowdownTables",
    "built",
    "tables",
]

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
"""Names of the categories, weakest first: `CATEGORIES[category(value)]`."""

MOST_CARDS = 7
_MULTISETS = 13 + 91 + 455 + 1820 + 6175 + 18395 + 49205  # of one to seven ranks, no more than four of each

# One for each rank, such that no two multisets of up to seven ranks have the same sum: those of OMPEval (Zoltan Uhlar).
_WEIGHTS = (
    0x2000, 0x8001, 0x11000, 0x3A000, 0x91000, 0x176005, 0x366000,
    0x41A013, 0x47802E, 0x479068, 0x48C0E4, 0x48F211, 0x494493,
)  # fmt: skip

# Where the counters of suits are in a key, and where the parts of the table begin. The upper bits of a sum of weights
# are a row, of which the table's first part says where it begins, in steps of two; the lower ones the place in it.
SUITS_SHIFT = 36
ROW_SHIFT = 12
_ROWS = 1 << 13
VALUES = np.uint64(_ROWS)
_ROOM = 88_000  # rows overlap where one has gaps
FLUSHES = np.uint64(_ROWS + _ROOM + (1 << ROW_SHIFT))  # a sum that stands for nothing stays below
_TABLE_SIZE = int(FLUSHES) + (1 << 13)

FLUSH = 5
STRAIGHT_FLUSH = 8


class ShowdownTables(NamedTuple):
    """What kernels need to value hands; passed to them as an argument, because globals are not frozen well."""

    keys: NDArray[np.uint64]
    """The key of each card. (256 entries, so that no byte reaches beyond: what is no card adds nothing.)"""
    suits: NDArray[np.uint64]
    """Each card as a bit: thirteen ranks in each of four lanes of sixteen bits. These add up as well."""
    table: NDArray[np.uint16]
    """Where rows begin, values by row and place, values of flushes."""


@tight_helper
def _kickers(counts: Any, first: int, second: int, wanted: int) -> np.int64:
    """The highest other ranks, each plus one, in nibbles from the highest."""
    found, rank, packed = 0, 12, np.int64(0)
    while found < wanted and rank >= 0:
        if counts[rank] > 0 and rank != first and rank != second:
            packed = packed << 4 | (rank + 1)
            found += 1
        rank -= 1
    return packed


@tight_helper
def _straight_top(mask: int) -> int:
    """The highest rank of the best straight in a mask of ranks (the wheel's is 3, the five), or -1."""
    with_low_ace = (mask << 1) | (mask >> 12)
    runs = with_low_ace & (with_low_ace >> 1) & (with_low_ace >> 2) & (with_low_ace >> 3) & (with_low_ace >> 4)
    top = -1
    while runs:
        top += 1
        runs >>= 1
    return top + 3 if top >= 0 else -1


@tight_helper
def _pack(category: int, ranks: Any) -> np.int64:
    while ranks < 1 << 16:
        ranks <<= 4
    return np.int64(category) << 20 | np.int64(ranks)


@tight_helper
def _strength(counts: Any, cards: int) -> np.int64:
    """Category and deciding ranks of a hand without a flush, packed so that stronger is greater."""
    quad, trip, pair, second, mask = -1, -1, -1, -1, 0
    for rank in range(12, -1, -1):
        count = counts[rank]
        if count > 0:
            mask |= 1 << rank
        if count == 4 and quad < 0:
            quad = rank
        elif count >= 3 and trip < 0:
            trip = rank
        elif count >= 2 and pair < 0:
            pair = rank
        elif count >= 2 and second < 0:
            second = rank
    size = min(cards, 5)
    straight = _straight_top(mask) if size == 5 else -1
    if quad >= 0:
        return _pack(7, (quad + 1) << 4 * (size - 4) | _kickers(counts, quad, -1, size - 4))
    if trip >= 0 and pair >= 0:
        return _pack(6, (trip + 1) << 4 | (pair + 1))
    if straight >= 0:
        return _pack(4, straight + 1)
    if trip >= 0:
        return _pack(3, (trip + 1) << 4 * (size - 3) | _kickers(counts, trip, -1, size - 3))
    if second >= 0:
        return _pack(2, ((pair + 1) << 4 | (second + 1)) << 4 * (size - 4) | _kickers(counts, pair, second, size - 4))
    if pair >= 0:
        return _pack(1, (pair + 1) << 4 * (size - 2) | _kickers(counts, pair, -1, size - 2))
    return _pack(0, _kickers(counts, -1, -1, size))


@kernel
def _rank_strengths(weights: Any) -> Any:
    """Every multiset of one to seven ranks: its sum of weights, how many cards it has, and its strength."""
    counts, sums, found = np.zeros(13, np.int64), np.zeros(_MULTISETS, np.int64), 0
    cards, strengths = np.zeros(_MULTISETS, np.int64), np.zeros(_MULTISETS, np.int64)
    while True:
        rank = 0  # counts are the digits of a number of base 5; those of more than seven cards are passed over
        while rank < 13 and (counts[rank] == 4 or counts.sum() == MOST_CARDS):
            counts[rank] = 0
            rank += 1
        if rank == 13:
            return sums, cards, strengths
        counts[rank] += 1
        sums[found], cards[found] = (counts * weights).sum(), counts.sum()
        strengths[found] = _strength(counts, cards[found])
        found += 1


@kernel
def _lay_rows(sums: Any, first: Any, taken: Any) -> Any:
    """Where each row begins (in steps of two), in the first place where its sums meet no taken one; `first` lists them.

    Sums are in the order of rows, those with most sums first; row k has those from `first[k]` to `first[k + 1]`.
    """
    begins = np.zeros(len(first) - 1, np.int64)
    for row in range(len(begins)):
        at, free = 0, False
        while not free:
            free = True
            for k in range(first[row], first[row + 1]):
                if taken[2 * at + sums[k]]:
                    free = False
                    at += 1
                    break
        begins[row] = at
        for k in range(first[row], first[row + 1]):
            taken[2 * at + sums[k]] = True
    return begins


@kernel
def _flush_strengths() -> Any:
    """The strength of every set of at least five ranks of one suit; 0 for smaller sets."""
    strengths = np.zeros(1 << 13, dtype=np.int64)
    counts = np.zeros(13, dtype=np.int64)
    for mask in range(1 << 13):
        ranks = 0
        for rank in range(13):
            counts[rank] = mask >> rank & 1
            ranks += counts[rank]
        if ranks >= 5:
            top = _straight_top(mask)
            if top >= 0:
                strengths[mask] = _pack(STRAIGHT_FLUSH, top + 1)
            else:
                strengths[mask] = _pack(FLUSH, _kickers(counts, -1, -1, 5))
    return strengths


def _numbered(strengths: NDArray[np.int64], classes: NDArray[np.int64]) -> NDArray[np.uint16]:
    """Strengths as values: their category, and their place in it among the sorted classes."""
    categories = strengths >> 20
    first = np.searchsorted(classes, np.arange(len(CATEGORIES), dtype=np.int64) << 20)
    ordinals = np.searchsorted(classes, strengths) - first[categories]
    return np.asarray(categories << 12 | ordinals, dtype=np.uint16)


class _Built(NamedTuple):
    tables: ShowdownTables
    classes: dict[int, NDArray[np.int64]]
    """The strengths that hands of one to five cards can have, sorted."""


_SHIPPED = Path(__file__).with_name("showdown.bin")
_TITLE = b"mazzo hold'em showdown tables, version 2\n"
_CLASSES = {1: 13, 2: 91, 3: 455, 4: 1820, 5: 7462}  # different strengths of so many cards
_TABLE_BYTES = 2 * _TABLE_SIZE


@cache
def built() -> _Built:
    """The tables that come with Mazzo: to build them is quick, but to compile what builds them is not."""
    return _read(_SHIPPED) or _build()


def _read(path: Path) -> _Built | None:
    numbers = read_packed(path, _TITLE, _TABLE_BYTES + 8 * sum(_CLASSES.values()))
    if numbers is None:
        return None
    table = np.frombuffer(numbers[:_TABLE_BYTES], dtype="<u2").astype(np.uint16)
    strengths = np.frombuffer(numbers[_TABLE_BYTES:], dtype="<i8").astype(np.int64)
    parts = np.split(strengths, np.cumsum(list(_CLASSES.values()))[:-1])
    return _Built(ShowdownTables(*_card_constants(), table), dict(zip(_CLASSES, parts, strict=True)))


def _write(path: Path, built: _Built) -> None:
    strengths = np.concatenate([built.classes[n] for n in _CLASSES])
    write_packed(path, _TITLE, built.tables.table.astype("<u2").tobytes() + strengths.astype("<i8").tobytes(), 19)


def _build() -> _Built:
    sums, cards, strengths = _rank_strengths(np.array(_WEIGHTS))
    flush_strengths = _flush_strengths()
    classes = {n: np.unique(strengths[cards == n]) for n in range(1, 6)}
    classes[5] = np.union1d(classes[5], flush_strengths[flush_strengths > 0])
    table = np.zeros(_TABLE_SIZE, dtype=np.uint16)
    places = _lay(sums, table)
    for n in range(1, MOST_CARDS + 1):
        table[places[cards == n]] = _numbered(strengths[cards == n], classes[min(n, 5)])
    table[int(FLUSHES) :] = _numbered(flush_strengths, classes[5])
    return _Built(ShowdownTables(*_card_constants(), table), classes)


def _lay(sums: NDArray[np.int64], table: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Write where rows begin into the table; gives the place of the value of each sum."""
    rows = sums >> ROW_SHIFT
    many = np.bincount(rows, minlength=_ROWS)[rows]
    order = np.lexsort((sums, rows, -many))  # the fullest rows first, as long as there is room for them
    starts = np.flatnonzero(np.diff(rows[order], prepend=-1))
    within = sums & (1 << ROW_SHIFT) - 1
    taken = np.zeros(2 * _ROOM, np.bool_)
    begins = _lay_rows(within[order], np.append(starts, len(order)), taken)
    table[rows[order][starts]] = begins
    places: NDArray[np.int64] = int(VALUES) + 2 * table[rows].astype(np.int64) + within
    return places


def _card_constants() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    keys, suits = np.zeros(256, dtype=np.uint64), np.zeros(256, dtype=np.uint64)
    for card in range(52):
        rank, suit = divmod(card, 4)
        keys[card] = _WEIGHTS[rank] | 1 << (SUITS_SHIFT + 4 * suit)
        suits[card] = 1 << (16 * suit + rank)
    return keys, suits


def tables() -> ShowdownTables:
    """The tables, read once a process in a few milliseconds."""
    return built().tables
