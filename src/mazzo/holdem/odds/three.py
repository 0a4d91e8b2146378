"""A hand or range against two others: every board to come, every hand and every pair of opponents' hands is counted.

Pairs of opponents' hands are not looked at one by one. Of each opponent the weight that one of my hands beats and ties
is summed, whole and by card; all pairs are the product of the sums, less those that share a card: the products by card,
of which a pair that is the same two cards was taken off twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import IllegalError
from mazzo.holdem.odds.ranges import Hole
from mazzo.holdem.odds.versus import next_choice
from mazzo.holdem.showdown import hand_value
from mazzo.jit import tight, tight_helper

__all__ = ["count_three"]

_MOST_STEPS = 2 * 10**10  # a minute or so
_LARGEST = 1 << 62
_BEATS, _TIES, _MEETS = 0, 1, 2  # rows of sums: weight beaten, weight tied, weight met at all
_WHOLE = 52  # the column of a row that holds the whole weight; those before it hold the weight by card


@tight_helper
def _sum_up(hands: Any, weights: Any, values: Any, dead: Any, mine: int, suits: Any, sums: Any) -> None:
    """What an opponent's hands are beside one of mine of that value, whole and by card."""
    for row in range(3):
        for card in range(53):
            sums[row, card] = 0
    for at in range(len(hands)):
        a, b, weight = hands[at, 0], hands[at, 1], weights[at]
        if dead & (suits[a] | suits[b]) or values[at] > mine:
            weight_met = 0 if dead & (suits[a] | suits[b]) else weight
            sums[_MEETS, a] += weight_met
            sums[_MEETS, b] += weight_met
            sums[_MEETS, _WHOLE] += weight_met
            continue
        row = _TIES if values[at] == mine else _BEATS
        sums[row, a] += weight
        sums[row, b] += weight
        sums[row, _WHOLE] += weight
    for card in range(53):
        sums[_MEETS, card] += sums[_BEATS, card] + sums[_TIES, card]


@tight_helper
def _pairs(first: Any, row: int, second: Any, other: int) -> Any:
    """Weight of the pairs from two sums, less those that share a card; the same two cards are taken off twice."""
    pairs = first[row, _WHOLE] * second[other, _WHOLE]
    for card in range(52):
        pairs -= first[row, card] * second[other, card]
    return pairs


@tight_helper
def _value_all(hands: Any, key: Any, bits: Any, keys: Any, suits: Any, table: Any, values: Any) -> None:
    for at in range(len(hands)):
        a, b = hands[at, 0], hands[at, 1]
        if not bits & (suits[a] | suits[b]):
            values[at] = hand_value(key + keys[a] + keys[b], bits | suits[a] | suits[b], table)


@tight
def _count(
    board: Any,
    known: int,
    hands: Any,
    weights: Any,
    same: Any,
    values: Any,
    room: Any,
    places: Any,
    live: Any,
    tables: Any,
    out: Any,
) -> None:
    """Add for each of my hands the pairs it beats, beats and ties, ties and beats, ties, and meets, over all boards."""
    mine, first, second = hands
    keys, suits, table = tables
    more = True
    while more:
        key, bits = np.uint64(0), np.uint64(0)
        for k in range(5):
            card = board[k] if k < known else live[places[k - known]]
            key += keys[card]
            bits |= suits[card]
        _value_all(mine, key, bits, keys, suits, table, values[0])
        _value_all(first, key, bits, keys, suits, table, values[1])
        _value_all(second, key, bits, keys, suits, table, values[2])
        for at in range(len(mine)):
            held = suits[mine[at, 0]] | suits[mine[at, 1]]
            if bits & held:
                continue
            worth, dead = values[0, at], bits | held
            _sum_up(first, weights[0], values[1], dead, worth, suits, room[0])
            _sum_up(second, weights[1], values[2], dead, worth, suits, room[1])
            out[at, 0] += _pairs(room[0], _BEATS, room[1], _BEATS)
            out[at, 1] += _pairs(room[0], _BEATS, room[1], _TIES) + _pairs(room[0], _TIES, room[1], _BEATS)
            out[at, 2] += _pairs(room[0], _TIES, room[1], _TIES)
            out[at, 3] += _pairs(room[0], _MEETS, room[1], _MEETS)
            for k in range(len(first)):
                if same[k] and not dead & (suits[first[k, 0]] | suits[first[k, 1]]):
                    out[at, 3] += same[k]
                    if values[1, k] < worth:
                        out[at, 0] += same[k]
                    elif values[1, k] == worth:
                        out[at, 2] += same[k]
        more = next_choice(places, 5 - known, len(live))


def _arrays(weights: Mapping[Hole, int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return np.array(list(weights), np.int64).reshape(-1, 2), np.array(list(weights.values()), np.int64)


def count_three(
    mine: Mapping[Hole, int],
    opponents: tuple[Mapping[Hole, int], Mapping[Hole, int]],
    board: Any,
    tables: Any,
    gone: Any = (),
) -> tuple[int, int, int, int]:
    """Weight won alone, shared with one, shared with both and dealt, over all boards, with whole weights.

    Cards that are `gone` are in no hand and on no board.
    """
    live = np.setdiff1d(np.arange(52), np.asarray([*board, *gone], np.int64))
    boards = comb(len(live), 5 - len(board))
    steps = boards * len(mine) * (sum(map(len, opponents)) + 300)
    if steps > _MOST_STEPS:
        raise IllegalError(
            f"three hands or ranges before the flop are {steps:,} steps here, more than {_MOST_STEPS:,}: "
            "give the flop with board, or smaller ranges"
        )
    hands, weights = zip(*map(_arrays, (mine, *opponents)), strict=True)
    if boards * int(weights[1].sum()) * int(weights[2].sum()) >= _LARGEST:
        raise IllegalError("the weights of the ranges have too many decimals to count exactly: use three or fewer")
    same = np.array([weight * opponents[1].get(hole, 0) for hole, weight in opponents[0].items()], np.int64)
    full, places = np.zeros(5, np.int64), np.arange(5 - len(board))
    full[: len(board)] = board
    values, room = np.zeros((3, max(map(len, hands))), np.int64), np.zeros((2, 3, 53), np.int64)
    out = np.zeros((len(mine), 4), np.int64)
    _count(full, len(board), hands, weights[1:], same, values, room, places, live, tuple(tables), out)
    won, one, both, dealt = (
        sum(int(n) * weight for n, weight in zip(column, mine.values(), strict=True)) for column in out.T
    )
    return won, one, both, dealt
