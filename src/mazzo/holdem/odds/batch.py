"""Equity for agents: many hands at a time, any streets mixed, as exact fractions.

Before and on the flop a row is looked up in the tables; on the turn and river it is counted, once for hands that are
alike: the last hundred thousand or so counted are remembered.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mazzo.errors import IllegalError
from mazzo.holdem import showdown
from mazzo.holdem.odds import exact
from mazzo.holdem.odds.exact import COUNTS, count_hand
from mazzo.holdem.odds.isomorphism import HOLE, HOLE_AND_FLOP, Indexer, index_row
from mazzo.holdem.odds.rows import check_rows
from mazzo.holdem.odds.store import prepare
from mazzo.jit import kernel, tight_helper
from mazzo.rng import mix

__all__ = ["PER_BOARD", "equities", "forget", "numerators_of_both"]

_WITH_TURN, _WITH_RIVER = Indexer(2, 4), Indexer(2, 5)
_REMEMBERED = 1 << 17
_memory = threading.local()


@tight_helper
def _numerator(counts: Any, opponents: int) -> Any:
    if opponents == 1:
        return 2 * counts[0] + counts[1]
    return (3 * (counts[2] + counts[3]) - counts[4]) >> 1


@kernel
def _look_up(hole: Any, board: Any, known: Any, before: Any, on_flop: Any, preflop: Any, flop: Any, out: Any) -> None:
    masks, cards = np.zeros((4, 2), dtype=np.int64), np.zeros(7, dtype=np.int64)
    masks_before = np.zeros((4, 1), dtype=np.int64)
    for row in range(len(hole)):
        if known[row] > 3:
            continue
        cards[0], cards[1] = hole[row, 0], hole[row, 1]
        for k in range(known[row]):
            cards[2 + k] = board[row, k]
        indexer, room = (on_flop, masks) if known[row] else (before, masks_before)
        at = index_row(cards, room, *indexer)
        if known[row]:
            out[row, 0], out[row, 1] = flop[at, 0], flop[at, 1]
        else:
            out[row, 0], out[row, 1] = _numerator(preflop[at], 1), _numerator(preflop[at], 2)


@kernel
def _count_rows(
    hole: Any,
    board: Any,
    known: Any,
    with_turn: Any,
    with_river: Any,
    evaluator: Any,
    room: Any,
    remembered: Any,
    remembered_counts: Any,
    out: Any,
) -> None:
    masks, cards = np.zeros((4, 2), dtype=np.int64), np.zeros(7, dtype=np.int64)
    counts = np.zeros(COUNTS, dtype=np.int64)
    for row in range(len(hole)):
        if known[row] < 4:
            continue
        cards[0], cards[1] = hole[row, 0], hole[row, 1]
        for k in range(known[row]):
            cards[2 + k] = board[row, k]
        indexer = with_turn if known[row] == 4 else with_river
        name = index_row(cards, masks, *indexer)
        name += 1 if known[row] == 4 else 1 << 40
        slot = np.int64(mix(np.uint64(name)) & np.uint64(len(remembered) - 1))
        if remembered[slot] != name:
            counts[:] = 0
            count_hand(cards[:2], cards[2:], known[row], counts, *evaluator, *room)
            remembered[slot] = name
            remembered_counts[slot, 0] = _numerator(counts, 1)
            remembered_counts[slot, 1] = _numerator(counts, 2)
        out[row, 0], out[row, 1] = remembered_counts[slot, 0], remembered_counts[slot, 1]


def _remembered() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A memory for each thread, so that no two write to one slot at the same time."""
    if not hasattr(_memory, "names"):
        _memory.names = np.zeros(_REMEMBERED, dtype=np.int64)
        _memory.counts = np.zeros((_REMEMBERED, 2), dtype=np.int64)
    return _memory.names, _memory.counts


def forget() -> None:
    """Drop what this thread remembers of turns and rivers, as a benchmark must."""
    _memory.__dict__.clear()


def equities(hole: ArrayLike, board: ArrayLike, opponents: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Exact equity of many hands against one or two random hands, as numerators and denominators.

    Args:
        hole: Two cards a row, as numbers or as text (`["AsKd", "7h7c"]`).
        board: Five places a row, -1 where nothing is dealt yet: 0, 3, 4 or 5 cards; or a text a row.
        opponents: 1 or 2, for all rows or for each.

    Returns:
        Against one opponent `2 wins + ties` over `2 deals`; against two `6 wins + 3 ties with one + 2 ties with both`
        over `6 deals`, the pair of opponents taken without order. A deal is all cards that are still unknown.
    """
    numerators, boards_to_come = numerators_of_both(hole, board)
    facing = np.broadcast_to(np.asarray(opponents, dtype=np.int64), (len(numerators),))
    if facing.size and (facing.min() < 1 or facing.max() > 2):
        raise IllegalError("equities counts against 1 or 2 opponents; for more, use sampled_equity")
    chosen = np.take_along_axis(numerators, facing[:, None] - 1, 1)[:, 0]
    return chosen, boards_to_come * np.where(facing == 1, *PER_BOARD)


PER_BOARD = (2 * exact.ONE_TOTAL, 3 * exact.TWO_TOTAL)
"""The denominators of `equities` for one board, against one and against two opponents."""


def numerators_of_both(hole: ArrayLike, board: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The numerators of `equities` against one and against two opponents, two columns from one count.

    Denominators are the boards to come, given beside them, times `PER_BOARD`.
    """
    holes, boards, known = check_rows(hole, board)
    numerators = np.zeros((len(holes), 2), dtype=np.int64)
    if (known <= 3).any():
        _look_up(holes, boards, known, tuple(HOLE.tables), tuple(HOLE_AND_FLOP.tables), *prepare(), numerators)
    if (known > 3).any():
        indices = tuple(_WITH_TURN.tables), tuple(_WITH_RIVER.tables)
        constants = tuple(showdown.tables()), exact.scratch(), *_remembered()
        _count_rows(holes, boards, known, *indices, *constants, numerators)
    boards_to_come = np.array([exact.BOARDS_TO_COME.get(cards, 0) for cards in range(6)])
    return numerators, boards_to_come[known]
