"""What a batch of hands must look like, checked once for every way of asking."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mazzo.cards import FRENCH
from mazzo.errors import IllegalError
from mazzo.jit import kernel, tight_helper

__all__ = ["check_rows"]

_NO_BOARD, _NO_CARDS = -1, -2


@tight_helper
def _known_cards(hole: Any, board: Any) -> int:
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
        known[row] = _known_cards(hole[row], board[row])
        if known[row] < 0:
            return row
    return -1


def _numbers(cards: ArrayLike, width: int) -> NDArray[Any]:
    """Rows of cards as they are; from a text a row their numbers, -1 in the places that are left."""
    given = np.asarray(cards)
    if given.dtype.kind != "U":
        return given
    rows = [FRENCH.parse(str(text)) for text in np.atleast_1d(given)]
    return np.array([[*map(int, row), *[-1] * (width - len(row))] for row in rows])


def check_rows(hole: ArrayLike, board: ArrayLike) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int64]]:
    """Hole cards and boards as kernels want them, and how many cards of each board are dealt."""
    given_holes, given_boards = _numbers(hole, 2), _numbers(board, 5)
    if given_holes.ndim != 2 or given_holes.shape[1] != 2 or given_boards.shape != (len(given_holes), 5):
        raise IllegalError(
            "equity takes rows of two hole cards and as many rows of five board cards (-1 where nothing is dealt), "
            f"not arrays of shapes {given_holes.shape} and {given_boards.shape}"
        )
    # What does not fit a byte must not become a card by wrapping round.
    holes = np.ascontiguousarray(np.clip(given_holes, -1, 127), dtype=np.int8)
    boards = np.ascontiguousarray(np.clip(given_boards, -1, 127), dtype=np.int8)
    known = np.empty(len(holes), dtype=np.int64)
    wrong = _known_rows(holes, boards, known)
    if wrong >= 0:
        where = f"row {wrong} (hole {given_holes[wrong].tolist()}, board {given_boards[wrong].tolist()})"
        if known[wrong] == _NO_BOARD:
            raise IllegalError(f"{where}: a board has 0, 3, 4 or 5 cards, undealt places (-1) after the dealt ones")
        raise IllegalError(f"{where}: cards are whole numbers from 0 to 51, none of them twice")
    return holes, boards, known
