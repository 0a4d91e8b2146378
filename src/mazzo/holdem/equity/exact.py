"""Exact equity against one or two random hands, by counting kinds of opponents instead of opponents.

With the whole board known, a hand without a flush is worth what its two ranks are worth: 91 kinds stand for the 990
hands an opponent can have, and the ranks' values are the same for every board of the same ranks. Only where the board
has three or more cards of a suit does that suit matter; then each rank has an open part (cards of other suits) and a
suited card, and pairs of suited cards (with four of the suit on the board: any suited card) are valued as flushes.

For a set X of opponents' hands, let d_c be how many of them hold card c. Each hand holds two cards, so |X| is half the
sum of d_c; and the ordered pairs of hands of X that share no card number |X|^2 - sum d_c^2 + |X|. Applied to the
weaker hands, the tied ones and both together, this gives the two opponents' score without looking at any pair.

Counts of one hand are five integers, summed over all boards to come: opponents' hands beaten and tied; ordered
disjoint pairs among the beaten, among beaten and tied together, and among the tied.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mazzo.holdem.showdown import hand_value, in_suit, rank_value, suited_value
from mazzo.jit import kernel

__all__ = ["BEATEN", "BOARDS_TO_COME", "COUNTS", "ONE_TOTAL", "TIED", "count_board", "count_hand", "scratch"]

COUNTS = 5
BEATEN, TIED, PAIRS_BEATEN, PAIRS_NOT_LOST, PAIRS_TIED = range(COUNTS)

ONE_TOTAL = 990
"""Hands one opponent can hold against two hole cards and five of the board."""
TWO_TOTAL = 990 * 903
"""Ordered pairs of hands two opponents can hold."""
BOARDS_TO_COME = {0: 2_118_760, 3: 1_081, 4: 46, 5: 1}
"""Boards of five that may follow a board of so many cards, the hero's two cards known."""

_RANKS = 13
_VALUES_ROOM = 16  # a row of values, padded so that rows begin evenly
_LEFT, _SUITED, _BEATEN_OPEN, _BEATEN_SUITED, _TIED_OPEN, _TIED_SUITED = range(6)


def scratch() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Room for the kernels below: values of rank pairs, the key they belong to, and counts per rank."""
    return (
        np.zeros((_RANKS, _VALUES_ROOM), dtype=np.int32),
        np.zeros(1, dtype=np.uint64),
        np.zeros((6, _RANKS), dtype=np.int32),
    )


@kernel
def _value_rank_pairs(board_key: np.uint64, keys: Any, table: Any, values: Any) -> None:
    """What every pair of ranks is worth on this board, flushes apart. A fifth card of a rank gives nonsense, unused."""
    for first in range(_RANKS):
        key = board_key + keys[4 * first]
        for second in range(first + 1):
            value = np.int32(rank_value(key + keys[4 * second], table))
            values[first, second] = value
            values[second, first] = value


@kernel
def _count_by_ranks(hero: np.int32, values: Any, per_rank: Any, suited_on_board: int) -> None:
    """For a card of each rank, how many hands it makes that are beaten or tied: flushes left out."""
    left, suited = per_rank[_LEFT], per_rank[_SUITED]
    no_suited_partner = suited_on_board >= 4
    for rank in range(_RANKS):
        row = values[rank]
        beaten, tied, beaten_open, tied_open = np.int32(0), np.int32(0), np.int32(0), np.int32(0)
        for other in range(_RANKS):
            less, same = np.int32(row[other] < hero), np.int32(row[other] == hero)
            beaten += less * left[other]
            tied += same * left[other]
            beaten_open += less * (left[other] - suited[other])
            tied_open += same * (left[other] - suited[other])
        own_beaten, own_tied = np.int32(row[rank] < hero), np.int32(row[rank] == hero)
        if no_suited_partner:
            per_rank[_BEATEN_OPEN, rank] = beaten_open - own_beaten
            per_rank[_TIED_OPEN, rank] = tied_open - own_tied
            per_rank[_BEATEN_SUITED, rank] = 0
            per_rank[_TIED_SUITED, rank] = 0
        else:
            per_rank[_BEATEN_OPEN, rank] = beaten - own_beaten
            per_rank[_TIED_OPEN, rank] = tied - own_tied
            per_rank[_BEATEN_SUITED, rank] = beaten_open
            per_rank[_TIED_SUITED, rank] = tied_open


@kernel
def _count_five_suited_board(hero: np.int32, board: np.int32, per_rank: Any) -> None:
    """Hands without a card of the board's suit, where the board is a flush by itself: all are worth the board."""
    open_cards = np.int32(0)
    for rank in range(_RANKS):
        open_cards += per_rank[_LEFT, rank] - per_rank[_SUITED, rank]
    for rank in range(_RANKS):
        per_rank[_BEATEN_OPEN, rank] = (open_cards - 1) * np.int32(board < hero)
        per_rank[_TIED_OPEN, rank] = (open_cards - 1) * np.int32(board == hero)
        per_rank[_BEATEN_SUITED, rank] = 0
        per_rank[_TIED_SUITED, rank] = 0


@kernel
def _add_single_suited(hero: np.int32, board_ranks: int, table: Any, per_rank: Any) -> None:
    """Hands with one card of a suit of which the board has four or five."""
    open_cards = np.int32(0)
    for rank in range(_RANKS):
        open_cards += per_rank[_LEFT, rank] - per_rank[_SUITED, rank]
    beaten, tied = np.int32(0), np.int32(0)
    for rank in range(_RANKS):
        if per_rank[_SUITED, rank]:
            value = np.int32(suited_value(board_ranks | 1 << rank, table))
            if value < hero:
                per_rank[_BEATEN_SUITED, rank] += open_cards
                beaten += np.int32(1)
            elif value == hero:
                per_rank[_TIED_SUITED, rank] += open_cards
                tied += np.int32(1)
    for rank in range(_RANKS):
        per_rank[_BEATEN_OPEN, rank] += beaten
        per_rank[_TIED_OPEN, rank] += tied


@kernel
def _add_double_suited(hero: np.int32, board_ranks: int, table: Any, per_rank: Any) -> None:
    """Hands with two cards of a suit of which the board has three or more."""
    for first in range(1, _RANKS):
        if not per_rank[_SUITED, first]:
            continue
        for second in range(first):
            if not per_rank[_SUITED, second]:
                continue
            value = np.int32(suited_value(board_ranks | 1 << first | 1 << second, table))
            if value < hero:
                per_rank[_BEATEN_SUITED, first] += 1
                per_rank[_BEATEN_SUITED, second] += 1
            elif value == hero:
                per_rank[_TIED_SUITED, first] += 1
                per_rank[_TIED_SUITED, second] += 1


@kernel
def _sum_up(per_rank: Any, weight: int, out: Any) -> None:
    """Add the five counts, from how many beaten and tied hands each card is in."""
    beaten, tied, squares_beaten, squares_tied, squares_both = 0, 0, 0, 0, 0
    for rank in range(_RANKS):
        suited = per_rank[_SUITED, rank]
        unsuited = per_rank[_LEFT, rank] - suited
        less, same = per_rank[_BEATEN_OPEN, rank], per_rank[_TIED_OPEN, rank]
        beaten += unsuited * less
        tied += unsuited * same
        squares_beaten += unsuited * less * less
        squares_tied += unsuited * same * same
        squares_both += unsuited * (less + same) * (less + same)
        if suited:
            less, same = per_rank[_BEATEN_SUITED, rank], per_rank[_TIED_SUITED, rank]
            beaten += less
            tied += same
            squares_beaten += less * less
            squares_tied += same * same
            squares_both += (less + same) * (less + same)
    beaten //= 2
    tied //= 2
    both = beaten + tied
    out[0] += weight * beaten
    out[1] += weight * tied
    out[2] += weight * (beaten * beaten - squares_beaten + beaten)
    out[3] += weight * (both * both - squares_both + both)
    out[4] += weight * (tied * tied - squares_tied + tied)


@kernel
def count_board(
    hole: Any,
    board: Any,
    weight: int,
    keys: Any,
    suits: Any,
    table: Any,
    values: Any,
    values_key: Any,
    per_rank: Any,
    out: Any,
) -> None:
    """Add the counts of one hand on one whole board, so many times."""
    key, bits = np.uint64(0), np.uint64(0)
    for k in range(5):
        key += keys[board[k]]
        bits |= suits[board[k]]
    ranks_key = key & np.uint64(0xFFFFFFFFF)
    if values_key[0] != ranks_key:
        values_key[0] = ranks_key
        _value_rank_pairs(key, keys, table, values)
    dead = bits | suits[hole[0]] | suits[hole[1]]
    hero = np.int32(hand_value(key + keys[hole[0]] + keys[hole[1]], dead, table))
    suited_on_board, board_ranks, free = 0, 0, 0
    for suit in range(4):
        if in_suit(key, suit) >= 3:
            suited_on_board = in_suit(key, suit)
            board_ranks = np.int64((bits >> np.uint64(16 * suit)) & np.uint64(0x1FFF))
            free = np.int64((~dead >> np.uint64(16 * suit)) & np.uint64(0x1FFF))
    for rank in range(_RANKS):
        per_rank[_LEFT, rank] = 4
        per_rank[_SUITED, rank] = free >> rank & 1
    for k in range(5):
        per_rank[_LEFT, board[k] >> 2] -= 1
    per_rank[_LEFT, hole[0] >> 2] -= 1
    per_rank[_LEFT, hole[1] >> 2] -= 1
    if suited_on_board == 5:
        _count_five_suited_board(hero, np.int32(suited_value(board_ranks, table)), per_rank)
    else:
        _count_by_ranks(hero, values, per_rank, suited_on_board)
    if suited_on_board >= 4:
        _add_single_suited(hero, board_ranks, table, per_rank)
    if suited_on_board >= 3:
        _add_double_suited(hero, board_ranks, table, per_rank)
    _sum_up(per_rank, weight, out)


@kernel
def orbit(cards: Any, first: int, last: int, renamings: Any) -> int:
    """How many sets of cards `cards[first:last]` stands for under these renamings of suits; 0 if another stands for it.

    The renamings form a group; the set with the smallest mask stands for all its images.
    """
    mine = np.uint64(0)
    for k in range(first, last):
        mine |= np.uint64(1) << np.uint64(cards[k])
    same = 0
    for at in range(len(renamings)):
        image = np.uint64(0)
        for k in range(first, last):
            image |= np.uint64(1) << np.uint64(renamings[at, cards[k]])
        if image < mine:
            return 0
        if image == mine:
            same += 1
    return len(renamings) // same


@kernel
def next_choice(places: Any, chosen: int, available: int) -> bool:
    """Step to the next increasing choice of places; False after the last."""
    at = chosen - 1
    while at >= 0 and places[at] == available - chosen + at:
        at -= 1
    if at < 0:
        return False
    places[at] += 1
    for k in range(at + 1, chosen):
        places[k] = places[k - 1] + 1
    return True


@kernel
def count_hand(
    hole: Any,
    board: Any,
    known: int,
    renamings: Any,
    keys: Any,
    suits: Any,
    table: Any,
    values: Any,
    values_key: Any,
    per_rank: Any,
    out: Any,
) -> None:
    """Add the counts of one hand over all boards that may follow the first `known` cards of the board.

    The renamings of suits must leave the hole cards and the known board as they are; boards they make alike are
    counted once with their weight.
    """
    full = np.empty(5, dtype=np.int64)
    live = np.empty(52, dtype=np.int64)
    dead = (np.uint64(1) << np.uint64(hole[0])) | (np.uint64(1) << np.uint64(hole[1]))
    for k in range(known):
        full[k] = board[k]
        dead |= np.uint64(1) << np.uint64(board[k])
    available = 0
    for card in range(52):
        if not (dead >> np.uint64(card)) & np.uint64(1):
            live[available] = card
            available += 1
    to_come = 5 - known
    places = np.arange(to_come)
    more = True
    while more:
        for k in range(to_come):
            full[known + k] = live[places[k]]
        weight = orbit(full, known, 5, renamings) if len(renamings) > 1 else 1
        if weight:
            count_board(hole, full, weight, keys, suits, table, values, values_key, per_rank, out)
        more = next_choice(places, to_come, available)
