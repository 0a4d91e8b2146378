"""What hands are told apart by: on flop and turn how their equity on the river is spread, on the river whom they beat.

Everything is counted in whole numbers, so that a hand is put into the same bucket wherever and whenever it is asked.
A spread is a histogram of river equities, cumulated: the sum of the differences of two such is the earth mover's
distance. On the river a hand is described by its equity against eight groups of starting hands.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.holdem.aivat.showdowns import HOLDINGS, passed, sorted_holdings
from mazzo.holdem.odds.build import number_of_holes, representatives
from mazzo.holdem.odds.isomorphism import BOARD, SUIT_PERMUTATIONS, index_row
from mazzo.holdem.showdown import ShowdownTables, hand_value, tables
from mazzo.holdem.solver.spot.lanes import SUMS, beside, showdown8, sum_up
from mazzo.jit import kernel, tight
from mazzo.wide import EIGHT, load8, splat8, store8

__all__ = ["BINS", "GROUPS", "UNITS", "RiverBins", "against_groups", "against_groups_on", "bins_on"]

BINS = 32
"""Of a histogram of equities."""
GROUPS = EIGHT
"""Of starting hands, against which a hand is tried on the river."""
UNITS = 4096
"""An equity of one less than nothing is so many; less is worse than even."""

_OPPONENTS = 990


@kernel
def _bins_on(boards: Any, pairs: Any, judge: ShowdownTables, out: Any) -> None:
    """By board and holding the bin of its equity; BINS where it cannot be held."""
    order, sums, edge = np.empty(len(pairs), np.int64), np.zeros((3, 52)), np.zeros(len(pairs))
    every, ones, board = np.arange(len(pairs)), np.ones(len(pairs)), np.empty(5, np.int64)
    for at in range(len(boards)):
        for k in range(5):
            board[k] = boards[at, k]
        count = sorted_holdings(board, every, pairs, judge, order)
        passed(order[:count], ones, pairs, sums, edge)
        out[at] = BINS
        for k in range(count):
            h = order[k] & 2047
            # the edge is won less lost, -990 to 990
            out[at, h] = min(BINS - 1, (np.int64(edge[h]) + _OPPONENTS) * BINS // (2 * _OPPONENTS))


@kernel
def _spread(boards: Any, bins: Any, images: Any, cards: Any, indexer: Any, out: Any) -> None:
    """By board of three or four cards, holding and bin how many rivers give it that equity, cumulated."""
    known = boards.shape[1]
    full, row, masks = np.empty(5, np.int64), np.empty(5, np.int64), np.zeros((4, 1), np.int64)
    counts = np.zeros((images.shape[1], BINS + 1), np.int32)
    for at in range(len(boards)):
        counts[:] = 0
        dead = np.uint64(0)
        for k in range(known):
            full[k] = boards[at, k]
            dead |= np.uint64(1) << np.uint64(full[k])
        for first in range(52):
            if dead >> np.uint64(first) & np.uint64(1):
                continue
            full[known] = first
            for second in range(first + 1, 52 if known == 3 else first + 2):
                if known == 3:
                    if dead >> np.uint64(second) & np.uint64(1):
                        continue
                    full[4] = second
                # The board that stands for this one is the first in order of those its suits can be renamed to.
                best, chosen = np.uint64(0), 0
                for g in range(len(cards)):
                    mask = np.uint64(0)
                    for k in range(5):
                        mask |= np.uint64(1) << np.uint64(51 - cards[g, full[k]])
                    if mask > best:
                        best, chosen = mask, g
                for k in range(5):
                    row[k] = full[k]
                number = index_row(row, masks, *indexer)
                for h in range(images.shape[1]):
                    counts[h, bins[number, images[chosen, h]]] += 1
        for h in range(images.shape[1]):
            total = 0
            for k in range(BINS):
                total += counts[h, k]
                out[at, h, k] = total


def bins_on(boards: NDArray[Any], out: NDArray[np.uint8]) -> None:
    """By whole board and holding the bin of its equity against any other hand; `BINS` where it cannot be held."""
    _bins_on(boards, HOLDINGS, tables(), out)


class RiverBins:
    """The equity of every holding on each of the 134,459 boards that differ, in bins: what spreads are counted from."""

    def __init__(self, progress: Any = lambda amount: None) -> None:
        boards = representatives(5).boards
        self.begin(np.empty((len(boards), len(HOLDINGS)), np.uint8))
        for some in np.array_split(np.arange(len(boards)), 100):
            part = slice(some[0], some[-1] + 1)
            bins_on(boards[part], self.bins[part])
            progress(1 / 100)

    def begin(self, bins: NDArray[np.uint8]) -> None:
        """Take these bins, by number of the board."""
        self.bins = bins
        self._images = number_of_holes(SUIT_PERMUTATIONS.astype(np.int64)[:, HOLDINGS]).astype(np.int16)

    def spread(self, boards: NDArray[Any]) -> NDArray[np.int16]:
        """By board (three or four cards), holding and bin its rivers up to that bin; all 0 where it cannot be held."""
        out = np.zeros((len(boards), len(HOLDINGS), BINS), np.int16)
        cards = np.ascontiguousarray(boards, np.int64)
        _spread(cards, self.bins, self._images, SUIT_PERMUTATIONS, tuple(BOARD[5].tables), out)
        return out


@tight
def _against_groups_on(table: Any, group: Any, rows: Any, lanes: Any, out: Any) -> None:
    hands, zero = table.shape[1], splat8(0.0, rows)
    for h in range(hands):
        store8(rows, h * EIGHT, zero)
        rows[h * EIGHT + group[h]] = 1.0
    sum_up(lanes, 0, table, hands, rows, 0)
    at = 2 * SUMS
    showdown8(table, table, hands, rows, 0, lanes, 0, at, False)
    for h in range(hands):
        store8(lanes, 0 + SUMS, beside(lanes, 0, table, h) + load8(rows, h * EIGHT))
        for k in range(EIGHT):
            met, edge = np.int64(lanes[SUMS + k]), np.int64(lanes[at + h * EIGHT + k])
            out[h, k] = edge * UNITS // met if met else 0


def against_groups_on(table: NDArray[np.int16], group: Ints) -> NDArray[np.int32]:
    """By hand of a board, in order of strength, and group of the other's hands its edge over them, in `UNITS`."""
    hands = table.shape[1]
    out = np.empty((hands, GROUPS), np.int32)
    lanes = np.empty(2 * SUMS + hands * EIGHT, np.float32)
    _against_groups_on(table, group, np.empty(hands * EIGHT, np.float32), lanes, out)
    return out


@kernel
def against_groups(hole: Any, board: Any, group: Any, pairs: Any, judge: ShowdownTables, out: Any) -> None:
    """The same for a single hand on a whole board; `group` is by holding."""
    keys, suits, table = judge
    won, met = np.zeros(GROUPS, np.int64), np.zeros(GROUPS, np.int64)
    key, bits = np.uint64(0), np.uint64(0)
    for k in range(5):
        key += keys[board[k]]
        bits |= suits[board[k]]
    own = suits[hole[0]] | suits[hole[1]]
    mine = hand_value(key + keys[hole[0]] + keys[hole[1]], bits | own, table)
    dead = bits | own
    for h in range(len(pairs)):
        a, b = pairs[h, 0], pairs[h, 1]
        theirs = suits[a] | suits[b]
        if dead & theirs:
            continue
        value = hand_value(key + keys[a] + keys[b], bits | theirs, table)
        met[group[h]] += 1
        won[group[h]] += 1 if mine > value else -1 if mine < value else 0
    for k in range(GROUPS):
        out[k] = won[k] * UNITS // met[k] if met[k] else 0
