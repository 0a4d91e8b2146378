"""Which hands of Hold'em are played alike: before the flop those that differ only by suits, later those like in kind.

The flop's buckets are a table. The turn's table has 14 million rows: it is made from the centres when it is first
needed, in some seconds, and kept in the user's cache directory. The river's are found by counting.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.errors import UnreadableError
from mazzo.folders import cache_directory
from mazzo.holdem.aivat.showdowns import HOLDINGS
from mazzo.holdem.odds.build import number_of_holes, representatives
from mazzo.holdem.odds.isomorphism import HOLE, HOLE_AND_FLOP, Indexer, index_row
from mazzo.holdem.packed import read_packed, write_packed
from mazzo.holdem.rules import rules
from mazzo.holdem.showdown import ShowdownTables, tables
from mazzo.holdem.solver.blueprint.clusters import k_means, nearest_centre, nearest_centres
from mazzo.holdem.solver.blueprint.features import BINS, GROUPS, RiverBins, against_groups, against_groups_on
from mazzo.holdem.solver.blueprint.walking import hands_on
from mazzo.jit import kernel
from mazzo.rng import mix

__all__ = ["TURN_HANDS", "HoldemBuckets", "make_buckets"]

TURN_HANDS = Indexer(2, 4)
"""Hole cards and four of the board, in any order: 13,960,050."""
_RIVER_HANDS = Indexer(2, 5)
_TITLE = b"mazzo hold'em turn buckets, version 1\n"
_AT_ONCE = 64  # boards
_SAMPLE = 60_000  # hands that centres are found from
_REMEMBERED = 1 << 16
Progress = Callable[[float], None]

_lock = threading.Lock()
_memory = threading.local()


@kernel
def _river_buckets(
    hole: Any,
    board: Any,
    group: Any,
    pairs: Any,
    judge: ShowdownTables,
    centres: Any,
    sums: Any,
    indexer: Any,
    names: Any,
    found: Any,
    out: Any,
) -> None:
    """The river's buckets of single hands; those met before are remembered."""
    features, cards, masks = np.empty(GROUPS, np.int64), np.empty(7, np.int64), np.zeros((4, 2), np.int64)
    for row in range(len(hole)):
        cards[0], cards[1] = hole[row, 0], hole[row, 1]
        for k in range(5):
            cards[2 + k] = board[row, k]
        name = index_row(cards, masks, *indexer) + 1
        slot = np.int64(mix(np.uint64(name)) & np.uint64(len(names) - 1))
        if names[slot] != name:
            against_groups(cards[:2], cards[2:], group, pairs, judge, features)
            names[slot], found[slot] = name, nearest_centre(features, centres, sums)
        out[row] = found[slot]


@dataclass(frozen=True)
class HoldemBuckets:
    """The buckets of two hole cards and the open board."""

    flop: NDArray[np.uint16]
    """By number of the hand on the flop."""
    turn_centres: NDArray[np.int32]
    river_centres: NDArray[np.int32]
    groups: NDArray[np.uint8]
    """By class of starting hand its group."""

    def __post_init__(self) -> None:
        shapes = (self.flop.shape, self.turn_centres.shape[1:], self.river_centres.shape[1:], self.groups.shape)
        if shapes != ((HOLE_AND_FLOP.size,), (BINS,), (GROUPS,), (HOLE.size,)):
            raise ValueError("its buckets are not those of Hold'em")
        if not 0 < min(len(self.turn_centres), len(self.river_centres)) <= 1 << 16 or self.groups.max() >= GROUPS:
            raise ValueError("its buckets are not as many as may be")
        for centres in (self.turn_centres, self.river_centres):
            if centres.dtype != np.int32 or (np.diff(centres.sum(axis=1, dtype=np.int64)) < 0).any():
                raise ValueError("its buckets are not in order")

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What makes them, for a file."""
        low, high = (self.flop & 255).astype(np.uint8), (self.flop >> 8).astype(np.uint8)
        named: dict[str, NDArray[Any]] = {"turn": self.turn_centres, "river": self.river_centres, "groups": self.groups}
        return {"flop_low": low, "flop_high": high, **named}

    @classmethod
    def of_arrays(cls, arrays: dict[str, NDArray[Any]]) -> HoldemBuckets:
        """From a file, of which nothing is believed."""
        if any(arrays[name].dtype != np.uint8 for name in ("flop_low", "flop_high", "groups")):
            raise ValueError("its buckets are not those of Hold'em")
        flop = arrays["flop_low"].astype(np.uint16) | arrays["flop_high"].astype(np.uint16) << np.uint16(8)
        return cls(flop, arrays["turn"], arrays["river"], arrays["groups"])

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """By street how many buckets there are."""
        return HOLE.size, int(self.flop.max()) + 1, len(self.turn_centres), len(self.river_centres)

    @cached_property
    def _sums(self) -> tuple[Ints, Ints]:
        return self.turn_centres.sum(axis=1, dtype=np.int64), self.river_centres.sum(axis=1, dtype=np.int64)

    @cached_property
    def _group_of(self) -> NDArray[np.int64]:
        """By holding its group."""
        return self.groups.astype(np.int64)[HOLE.index(HOLDINGS)]

    def on_hands(self, board: Ints, hole: Ints, table: NDArray[np.int16]) -> NDArray[np.int32]:
        """By street and hand its bucket, on a whole board; hands and table as `hands_on` gives them."""
        whole = np.concatenate([hole, np.broadcast_to(board, (len(hole), 5))], axis=1)
        out = np.empty((4, len(hole)), np.int32)
        out[0] = HOLE.index(hole)
        out[1] = self.flop[HOLE_AND_FLOP.index(whole[:, :5])]
        out[2] = self.turn()[TURN_HANDS.index(whole[:, :6])]
        features = against_groups_on(table, self._group_of[number_of_holes(hole)])
        nearest_centres(features, self.river_centres, self._sums[1], out[3])
        return out

    def find(self, street: int, hole: NDArray[Any], board: NDArray[Any]) -> Ints:
        """The buckets of many hands of one street."""
        cards = np.concatenate([hole, board[:, : (0, 3, 4, 5)[street]]], axis=1).astype(np.int64)
        if street == 0:
            return HOLE.index(cards)
        if street == 1:
            return self.flop[HOLE_AND_FLOP.index(cards)].astype(np.int64)
        if street == 2:
            return self.turn()[TURN_HANDS.index(cards)].astype(np.int64)
        out = np.empty(len(cards), np.int64)
        _river_buckets(
            cards[:, :2],
            cards[:, 2:],
            self._group_of,
            HOLDINGS,
            tables(),
            self.river_centres,
            self._sums[1],
            tuple(_RIVER_HANDS.tables),
            *self._remembered(),
            out,
        )
        return out

    def _remembered(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """A memory for each thread, and each set of buckets."""
        kept: dict[str, Any] = _memory.__dict__
        if self.digest not in kept:
            kept[self.digest] = np.zeros(_REMEMBERED, np.int64), np.zeros(_REMEMBERED, np.int64)
        found: tuple[NDArray[np.int64], NDArray[np.int64]] = kept[self.digest]
        return found

    @cached_property
    def digest(self) -> str:
        """A name for these buckets."""
        text = b"".join(a.tobytes() for a in (self.turn_centres, self.river_centres, self.groups))
        return hashlib.blake2b(text, digest_size=10).hexdigest()

    @property
    def path(self) -> Path:
        """Where the turn's table is kept."""
        return cache_directory() / "tables" / f"holdem-turn-{self.digest}.bin"

    @property
    def ready(self) -> bool:
        """Whether the turn's table need not be made."""
        return self.digest in _turns or self.path.exists()

    def turn(self, progress: Progress = lambda amount: None) -> NDArray[np.uint16]:
        """The turn's table: from memory, from its file, or made, which takes some seconds, once."""
        with _lock:
            if self.digest not in _turns:
                raw = read_packed(self.path, _TITLE, 2 * TURN_HANDS.size)
                table = np.frombuffer(raw, "<u2").astype(np.uint16) if raw else None
                if table is None or table.max() >= len(self.turn_centres):
                    table = _turn_table(self.turn_centres, RiverBins(lambda part: progress(part / 2)), progress)
                    with suppress(UnreadableError):  # no place to keep it: it serves this process
                        write_packed(self.path, _TITLE, table.astype("<u2").tobytes())
                _turns[self.digest] = table
            return _turns[self.digest]


_turns: dict[str, NDArray[np.uint16]] = {}


def _turn_table(centres: NDArray[np.int32], rivers: RiverBins, progress: Progress) -> NDArray[np.uint16]:
    return _assigned(representatives(4).boards, centres, rivers, TURN_HANDS, lambda part: progress(part / 2))


def _assigned(
    boards: NDArray[np.uint8], centres: NDArray[np.int32], rivers: RiverBins, indexer: Indexer, progress: Progress
) -> NDArray[np.uint16]:
    """By number of the hand the nearest centre, on all boards of a street."""
    out, sums = np.zeros(indexer.size, np.uint16), centres.sum(axis=1, dtype=np.int64)
    for begin in range(0, len(boards), _AT_ONCE):
        some = boards[begin : begin + _AT_ONCE]
        spread = rivers.spread(some)
        at, holding = np.nonzero(spread[:, :, -1])
        near = np.empty(len(at), np.int64)
        nearest_centres(spread[at, holding], centres, sums, near)
        out[indexer.index(np.concatenate([HOLDINGS[holding], some[at]], axis=1))] = near
        progress(len(some) / len(boards))
    return out


def _some(rows: NDArray[Any], draw: np.random.Generator) -> NDArray[Any]:
    return rows[np.sort(draw.choice(len(rows), min(_SAMPLE, len(rows)), replace=False))]


def _boards(draw: np.random.Generator, count: int, cards: int) -> Ints:
    return np.array([draw.permutation(52)[:cards] for _ in range(count)])


def _groups(rivers: RiverBins, draw: np.random.Generator) -> NDArray[np.uint8]:
    """By class of starting hand the group it is in, by how its equity on the river is spread."""
    boards, classes = draw.choice(len(rivers.bins), 4000, replace=False), HOLE.index(HOLDINGS)
    counts = np.zeros((HOLE.size, BINS + 1), np.int64)
    for row in rivers.bins[boards]:
        np.add.at(counts, (classes, row), 1)
    spread = counts[:, :BINS].cumsum(axis=1)
    spread = spread * 10_000 // spread[:, -1:]
    centres = k_means(spread, GROUPS)
    out = np.empty(HOLE.size, np.int64)
    nearest_centres(spread, centres, centres.sum(axis=1, dtype=np.int64), out)
    return out.astype(np.uint8)


def make_buckets(
    flop: int, turn: int, river: int, *, seed: int = 0, progress: Progress = lambda amount: None
) -> HoldemBuckets:
    """Put the hands of Hold'em into so many buckets a street; `progress` is told each further part of one whole."""
    draw = np.random.default_rng(seed)
    rivers = RiverBins(lambda part: progress(part / 4))
    groups = _groups(rivers, draw)
    centres = []
    for wanted, boards in ((flop, _boards(draw, 200, 3)), (turn, _boards(draw, 400, 4))):
        spread = rivers.spread(boards)
        centres.append(k_means(_some(spread[spread[:, :, -1] > 0], draw), wanted))
        progress(1 / 8)
    by_holding, game = groups.astype(np.int64)[HOLE.index(HOLDINGS)], rules("holdem-limit-2p")
    features = []
    for board in _boards(draw, 400, 5):
        hole, table = hands_on(game, board)
        features.append(against_groups_on(table, by_holding[number_of_holes(hole)]))
    centres.append(k_means(_some(np.concatenate(features), draw), river))
    flops = _assigned(representatives(3).boards, centres[0], rivers, HOLE_AND_FLOP, lambda part: progress(part / 4))
    found = HoldemBuckets(flops, centres[1], centres[2], groups)
    if not found.ready:
        turns = _turn_table(found.turn_centres, rivers, lambda part: progress(part / 2))
        _turns[found.digest] = turns
        with suppress(UnreadableError):
            write_packed(found.path, _TITLE, turns.astype("<u2").tobytes())
    return found
