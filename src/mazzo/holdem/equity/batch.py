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
from mazzo.holdem.equity import exact
from mazzo.holdem.equity.exact import COUNTS, count_hand
from mazzo.holdem.equity.isomorphism import HOLE, HOLE_AND_FLOP, SUIT_PERMUTATIONS, Indexer, index_row
from mazzo.holdem.equity.store import prepare
from mazzo.jit import kernel
from mazzo.luck import mix

__all__ = ["equities", "known_cards"]

_WITH_TURN, _WITH_RIVER = Indexer(2, 4), Indexer(2, 5)
_REMEMBERED = 1 << 17
_memory = threading.local()

_NO_BOARD, _NO_CARDS = -1, -2


@kernel
def known_cards(hole: Any, board: Any) -> int:
    """How many cards of the board are dealt; negative if that cannot be a board, or these cannot be cards."""
    seen = np.uint64(0)
    for k in range(2):
        card = hole[k]
        if card < 0 or card > 51 or (seen >> np.uint64(card)) & np.uint64(1):
            return _NO_CARDS
        seen |= np.uint64(1) << np.uint64(card)
    known = 0
    for k in range(5):
        card = board[k]
        if card < 0:
            continue
        if known != k:
            return _NO_BOARD
        if card > 51 or (seen >> np.uint64(card)) & np.uint64(1):
            return _NO_CARDS
        seen |= np.uint64(1) << np.uint64(card)
        known += 1
    return _NO_BOARD if known == 1 or known == 2 else known


@kernel
def _known_rows(hole: Any, board: Any, known: Any) -> int:
    for row in range(len(hole)):
        known[row] = known_cards(hole[row], board[row])
        if known[row] < 0:
            return row
    return -1


@kernel
def _numerator(counts: Any, opponents: int) -> int:
    if opponents == 1:
        return 2 * counts[0] + counts[1]
    return (3 * (counts[2] + counts[3]) - counts[4]) >> 1


@kernel
def _look_up(
    hole: Any, board: Any, known: Any, opponents: Any, before: Any, on_flop: Any, preflop: Any, flop: Any, out: Any
) -> None:
    masks, cards = np.zeros((4, 2), dtype=np.int64), np.zeros(7, dtype=np.int64)
    masks_before = np.zeros((4, 1), dtype=np.int64)
    for row in range(len(hole)):
        if known[row] > 3:
            continue
        cards[0], cards[1] = hole[row, 0], hole[row, 1]
        if known[row] == 0:
            out[row] = _numerator(preflop[index_row(cards, *before, masks_before)], opponents[row])
        else:
            for k in range(3):
                cards[2 + k] = board[row, k]
            out[row] = flop[index_row(cards, *on_flop, masks), opponents[row] - 1]


@kernel
def _count_rows(
    hole: Any,
    board: Any,
    known: Any,
    opponents: Any,
    with_turn: Any,
    with_river: Any,
    evaluator: Any,
    room: Any,
    names_kept: Any,
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
        if known[row] == 4:
            name = index_row(cards, *with_turn, masks) + 1
        else:
            name = index_row(cards, *with_river, masks) + (1 << 40)
        slot = np.int64(mix(np.uint64(name)) & np.uint64(len(remembered) - 1))
        if remembered[slot] != name:
            counts[:] = 0
            count_hand(cards[:2], cards[2:], known[row], names_kept, *evaluator, *room, counts)
            remembered[slot] = name
            remembered_counts[slot, 0] = _numerator(counts, 1)
            remembered_counts[slot, 1] = _numerator(counts, 2)
        out[row] = remembered_counts[slot, opponents[row] - 1]


def _remembered() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A memory for each thread, so that no two write to one slot at the same time."""
    if not hasattr(_memory, "names"):
        _memory.names = np.zeros(_REMEMBERED, dtype=np.int64)
        _memory.counts = np.zeros((_REMEMBERED, 2), dtype=np.int64)
    return _memory.names, _memory.counts


def equities(hole: ArrayLike, board: ArrayLike, opponents: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Exact equity of many hands against one or two random hands, as numerators and denominators.

    Args:
        hole: Two cards a row.
        board: Five places a row, -1 where nothing is dealt yet: 0, 3, 4 or 5 cards.
        opponents: 1 or 2, for all rows or for each.

    Returns:
        Against one opponent `2 wins + ties` over `2 deals`; against two `6 wins + 3 ties with one + 2 ties with both`
        over `6 deals`, the pair of opponents taken without order. A deal is all cards that are still unknown.
    """
    holes, boards, facing = _checked(hole, board, opponents)
    known = np.empty(len(holes), dtype=np.int64)
    wrong = _known_rows(holes, boards, known)
    if wrong >= 0:
        _complain(wrong, int(known[wrong]), holes[wrong], boards[wrong])
    numerators = np.zeros(len(holes), dtype=np.int64)
    if (known <= 3).any():
        tables = prepare()
        _look_up(holes, boards, known, facing, tuple(HOLE.tables), tuple(HOLE_AND_FLOP.tables), *tables, numerators)
    if (known > 3).any():
        indices = tuple(_WITH_TURN.tables), tuple(_WITH_RIVER.tables)
        constants = tuple(showdown.tables()), exact.scratch(), SUIT_PERMUTATIONS[:1], *_remembered()
        _count_rows(holes, boards, known, facing, *indices, *constants, numerators)
    boards_to_come = np.array([exact.BOARDS_TO_COME.get(cards, 0) for cards in range(6)])
    per_board = np.where(facing == 1, 2 * exact.ONE_TOTAL, 3 * exact.TWO_TOTAL)
    return numerators, boards_to_come[known] * per_board


def _checked(
    hole: ArrayLike, board: ArrayLike, opponents: ArrayLike
) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int64]]:
    given_holes, given_boards = np.asarray(hole), np.asarray(board)
    if given_holes.ndim != 2 or given_holes.shape[1] != 2 or given_boards.shape != (len(given_holes), 5):
        raise IllegalError(
            "equities takes rows of two hole cards and as many rows of five board cards (-1 where nothing is dealt), "
            f"not arrays of shapes {given_holes.shape} and {given_boards.shape}"
        )
    facing = np.ascontiguousarray(np.broadcast_to(np.asarray(opponents, dtype=np.int64), (len(given_holes),)))
    if facing.size and (facing.min() < 1 or facing.max() > 2):
        raise IllegalError("equities counts against 1 or 2 opponents; for more, use sampled_equity")
    # Bytes beyond 127 would wrap to "not dealt": keep them wrong.
    holes = np.ascontiguousarray(np.minimum(given_holes, 127), dtype=np.int8)
    boards = np.ascontiguousarray(np.minimum(given_boards, 127), dtype=np.int8)
    return holes, boards, facing


def _complain(row: int, what: int, hole: NDArray[np.int8], board: NDArray[np.int8]) -> None:
    where = f"row {row} (hole {hole.tolist()}, board {board.tolist()})"
    if what == _NO_BOARD:
        raise IllegalError(f"{where}: a board has 0, 3, 4 or 5 cards, undealt places (-1) after the dealt ones")
    raise IllegalError(f"{where}: cards are whole numbers from 0 to 51, none of them twice")
