"""The share of the pot that a hand wins against each single holding of one opponent, the board to come averaged.

With it the equity against any weighted range is one sum. Exact from the flop on; before it boards are sampled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats
from mazzo.holdem.odds.build import holes
from mazzo.holdem.showdown import ShowdownTables, hand_value, tables
from mazzo.jit import kernel
from mazzo.rng import below, fork

__all__ = ["BOARDS", "shares_by_holding"]

BOARDS = 500
"""Boards that are sampled for a hand before the flop."""


@kernel
def _one_board(
    own: Any, key: Any, suits: Any, dead: Any, pairs: Any, judge: ShowdownTables, won: Any, met: Any
) -> None:
    """Compare a hand with every holding that the cards leave, on one board: two points a win, one a tie."""
    mine = hand_value(key + own[0], suits | own[1], judge.table)
    for k in range(len(pairs)):
        a, b = pairs[k, 0], pairs[k, 1]
        if ((dead >> np.uint64(a)) | (dead >> np.uint64(b))) & np.uint64(1):
            continue
        theirs = hand_value(key + judge.keys[a] + judge.keys[b], suits | judge.suits[a] | judge.suits[b], judge.table)
        won[k] += 2 if mine > theirs else 1 if mine == theirs else 0
        met[k] += 2


@kernel
def _against_each(
    hole: Any, board: Any, known: int, boards: int, rng_key: Any, pairs: Any, judge: ShowdownTables, out: Any
) -> None:
    """One hand against every holding; `boards` are drawn where none of the board is known."""
    won, met = np.zeros(len(pairs), np.int64), np.zeros(len(pairs), np.int64)
    own = (judge.keys[hole[0]] + judge.keys[hole[1]], judge.suits[hole[0]] | judge.suits[hole[1]])
    gone = np.uint64(1) << np.uint64(hole[0]) | np.uint64(1) << np.uint64(hole[1])
    key = suits = np.uint64(0)
    for k in range(known):
        gone |= np.uint64(1) << np.uint64(board[k])
        key += judge.keys[board[k]]
        suits |= judge.suits[board[k]]
    left = np.empty(52, np.int64)
    size = 0
    for card in range(52):
        if not (gone >> np.uint64(card)) & np.uint64(1):
            left[size] = card
            size += 1
    draws = 1 if known == 5 else size if known == 4 else size * (size - 1) // 2 if known == 3 else boards
    first, second = 0, 0
    for draw in range(draws):
        if known == 4:
            left[0], left[draw] = left[draw], left[0]
        elif known == 3:  # every pair once: the first two places of the pack hold it
            second += 1
            if second == size:
                first += 1
                second = first + 1
        elif known == 0:
            for k in range(5):
                other = k + below(fork(fork(rng_key, draw), k), size - k)
                left[k], left[other] = left[other], left[k]
        dead, whole, colours = gone, key, suits
        for k in range(5 - known):
            card = left[(first if k == 0 else second) if known == 3 else k]
            dead |= np.uint64(1) << np.uint64(card)
            whole += judge.keys[card]
            colours |= judge.suits[card]
        _one_board(own, whole, colours, dead, pairs, judge, won, met)
    for k in range(len(pairs)):
        out[k] = won[k] / met[k] if met[k] else 0.0


def shares_by_holding(
    hole: NDArray[np.uint8], board: NDArray[np.int8], rng_key: np.uint64, boards: int = BOARDS
) -> Floats:
    """The share of the pot that own cards win against each of the 1,326 holdings; 0 for those that cannot be.

    Args:
        hole: The own cards.
        board: The open board cards, filled up with -1.
        rng_key: For the boards that are drawn before the flop.
        boards: How many of them.
    """
    out = np.zeros(len(holes()))
    known = int((board >= 0).sum())
    _against_each(hole.astype(np.int64), board.astype(np.int64), known, boards, rng_key, holes(), tables(), out)
    return out
