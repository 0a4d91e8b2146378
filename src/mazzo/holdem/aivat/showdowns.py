"""How hands held with given weights fare against each other, over all boards that may come or some that are drawn.

On a whole board holdings are sorted by strength; one pass then gives for each the weight it beats and the weight it
loses to, those that share a card with it taken out by the sums of each card.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.holdem.showdown import ShowdownTables, hand_value, tables
from mazzo.jit import kernel, tight_helper
from mazzo.rng import below, fork

__all__ = [
    "BOARDS", "HOLDINGS", "WITH_CARD", "apart", "edge_sum", "edges_on", "mass", "passed", "sorted_holdings",
]  # fmt: skip

BOARDS = 48
"""Boards that are drawn before and on the flop; later every board is counted."""


def _holdings() -> NDArray[np.int64]:
    high, low = np.tril_indices(52, -1)
    return np.ascontiguousarray(np.stack([low, high], axis=1), np.int64)


HOLDINGS = _holdings()
"""Two cards a row, lower first: {a < b} at b (b - 1) / 2 + a."""

WITH_CARD: Floats = (HOLDINGS[:, :, None] == np.arange(52)).any(axis=1).astype(np.float64)
"""By holding and card whether it has it."""


def mass(left: Floats, right: Floats) -> Floats:
    """The summed products of weights of all pairs of holdings that share no card, row by row."""
    shared = ((left @ WITH_CARD) * (right @ WITH_CARD)).sum(axis=1)
    return np.asarray(left.sum(axis=1) * right.sum(axis=1) - shared + (left * right).sum(axis=1))


@kernel
def sorted_holdings(board: Any, active: Any, pairs: Any, judge: ShowdownTables, order: Any) -> int:
    """Sort the active holdings that are possible on a board by strength; gives how many there are."""
    keys, suits, table = judge
    key, bits, count = np.uint64(0), np.uint64(0), 0
    for card in board:
        key += keys[card]
        bits |= suits[card]
    for h in active:
        a, b = pairs[h, 0], pairs[h, 1]
        own = suits[a] | suits[b]
        if not bits & own:
            order[count] = np.int64(hand_value(key + keys[a] + keys[b], bits | own, table)) << 11 | h
            count += 1
    order[:count].sort()
    return count


@tight_helper
def passed(order: Any, right: Any, pairs: Any, sums: Any, out: Any) -> None:
    """By holding of `order`, sorted by strength, the weight of `right` it beats less the weight it loses to."""
    whole, below_, equal = sums[0], sums[1], sums[2]
    sums[:] = 0.0
    total, beaten, begin = 0.0, 0.0, 0
    for k in range(len(order)):
        h = order[k] & 2047
        total += right[h]
        whole[pairs[h, 0]] += right[h]
        whole[pairs[h, 1]] += right[h]
    while begin < len(order):
        end, tied = begin, 0.0
        while end < len(order) and order[end] >> 11 == order[begin] >> 11:
            h = order[end] & 2047
            tied += right[h]
            equal[pairs[h, 0]] += right[h]
            equal[pairs[h, 1]] += right[h]
            end += 1
        for k in range(begin, end):
            h = order[k] & 2047
            a, b = pairs[h, 0], pairs[h, 1]
            apart = total - whole[a] - whole[b] + right[h]
            won = beaten - below_[a] - below_[b]
            shared = tied - equal[a] - equal[b] + right[h]
            out[h] = 2.0 * won + shared - apart
        for k in range(begin, end):
            h = order[k] & 2047
            for side in range(2):
                below_[pairs[h, side]] += right[h]
                equal[pairs[h, side]] = 0.0
        beaten += tied
        begin = end


@kernel
def _edges_on(board: Any, right: Any, active: Any, pairs: Any, judge: ShowdownTables, out: Any) -> None:
    order, sums = np.empty(len(pairs), np.int64), np.zeros((3, 52))
    count = sorted_holdings(board, active, pairs, judge, order)
    for row in range(len(right)):
        passed(order[:count], right[row], pairs, sums, out[row])


def edges_on(board: Ints, right: Floats) -> Floats:
    """By row of weights and holding what it beats on a whole board less what it loses to; 0 if it cannot be.

    Args:
        board: Five cards.
        right: Weights of the opponent's holdings, a row each.
    """
    out = np.zeros(right.shape)
    _edges_on(board, right, np.arange(len(HOLDINGS)), HOLDINGS, tables(), out)
    return out


def apart(right: Floats) -> Floats:
    """By row of weights and holding the weight of all holdings that share no card with it."""
    by_card = right @ WITH_CARD
    low, high = HOLDINGS.T
    return np.asarray(right.sum(axis=1, keepdims=True) - by_card[:, low] - by_card[:, high] + right)


@kernel
def _edge_sum(
    known: Any, boards: int, rng_key: Any, left: Any, right: Any, active: Any, pairs: Any, judge: ShowdownTables
) -> float:
    """The sum over boards and rows; `boards` are drawn, or all are taken where it is 0 (one card to come at most)."""
    board, live, size = np.empty(5, np.int64), np.empty(52, np.int64), 0
    order, sums, edge = np.empty(len(pairs), np.int64), np.zeros((3, 52)), np.empty(len(pairs))
    for card in range(52):
        free = True
        for other in known:
            free = free and other != card
        if free:
            live[size] = card
            size += 1
    board[: len(known)] = known
    to_come, total = 5 - len(known), 0.0
    for t in range(boards if boards else (size if to_come else 1)):
        if boards == 0 and to_come:
            board[4] = live[t]
        elif to_come:
            for j in range(to_come):
                rng_key = fork(rng_key, j)
                other = j + below(rng_key, size - j)
                live[j], live[other] = live[other], live[j]
                board[len(known) + j] = live[j]
        count = sorted_holdings(board, active, pairs, judge, order)
        for row in range(len(left)):
            passed(order[:count], right[row], pairs, sums, edge)
            for k in range(count):
                total += left[row, order[k] & 2047] * edge[order[k] & 2047]
    return total


def edge_sum(known: Ints, left: Floats, right: Floats, rng_key: np.uint64) -> float:
    """The sum, over rows and pairs of holdings that share no card, of both weights times the chance to win less lose.

    Args:
        known: The open board: 0, 3, 4 or 5 cards. With 0 or 3 the chance is of some drawn boards: right in the mean.
        left: Weights by holding, a row each; any sign.
        right: Those of the opponent.
        rng_key: To draw by.
    """
    to_come = 5 - len(known)
    drawn = BOARDS if to_come > 1 else 0
    active = np.flatnonzero((left != 0).any(axis=0) | (right != 0).any(axis=0))
    total = float(_edge_sum(known, drawn, rng_key, left, right, active, HOLDINGS, tables()))
    # Of all boards only those that touch neither holding count, and these are the same share for every pair.
    every, for_a_pair = comb(52 - len(known), to_come), comb(48 - len(known), to_come)
    return total * (every / (drawn or every)) / for_a_pair
