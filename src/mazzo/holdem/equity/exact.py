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
from numpy.typing import NDArray

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
_ROOM = 16  # rows of ranks are padded with ranks of which no card is left, to the length that vectors like
_LEFT, _SUITED, _OPEN, _BEATEN_OPEN, _BEATEN_SUITED, _TIED_OPEN, _TIED_SUITED = range(7)


def scratch() -> tuple[NDArray[np.int32], NDArray[np.uint64], NDArray[np.int32], NDArray[np.int64]]:
    """Room for the kernels below: values of rank pairs, the key they belong to, counts per rank, and sums."""
    return (
        np.zeros((_RANKS, _ROOM), dtype=np.int32),
        np.zeros(1, dtype=np.uint64),
        np.zeros((7, _ROOM), dtype=np.int32),
        np.zeros(COUNTS, dtype=np.int64),
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
def _count_partners(hero: np.int32, values: Any, per_rank: Any, partners: int, beaten_at: int, tied_at: int) -> None:
    """For a card of each rank, how many of these partners make a hand that is beaten or tied."""
    for rank in range(_RANKS):
        beaten, tied = np.int32(0), np.int32(0)
        for other in range(per_rank.shape[1]):  # a constant length would be unrolled instead of made vectors
            # Cut back to 32 bits at every step, or numba widens them and half of each vector is wasted.
            value, cards = values[rank, other], per_rank[partners, other]
            beaten = np.int32(beaten + (cards if value < hero else np.int32(0)))
            tied = np.int32(tied + (cards if value == hero else np.int32(0)))
        per_rank[beaten_at, rank] = beaten
        per_rank[tied_at, rank] = tied


@kernel
def _count_by_ranks(hero: np.int32, values: Any, per_rank: Any, suited_on_board: Any) -> None:
    """For an open and for a suited card of each rank, how many hands it makes that are beaten or tied.

    Flushes are left out: hands of two suited cards, and with four of the suit on the board all with one.
    """
    if suited_on_board < 4:
        _count_partners(hero, values, per_rank, _LEFT, _BEATEN_OPEN, _TIED_OPEN)
    else:
        _count_partners(hero, values, per_rank, _OPEN, _BEATEN_OPEN, _TIED_OPEN)
    for rank in range(_RANKS):  # a card is not its own partner
        per_rank[_BEATEN_OPEN, rank] -= np.int32(values[rank, rank] < hero)
        per_rank[_TIED_OPEN, rank] -= np.int32(values[rank, rank] == hero)
    if suited_on_board == 3:
        _count_partners(hero, values, per_rank, _OPEN, _BEATEN_SUITED, _TIED_SUITED)
    elif suited_on_board == 4:
        per_rank[_BEATEN_SUITED] = 0
        per_rank[_TIED_SUITED] = 0


@kernel
def _count_five_suited_board(hero: np.int32, board: np.int32, per_rank: Any) -> None:
    """Hands without a card of the board's suit, where the board is a flush by itself: all are worth the board."""
    open_cards = np.int32(0)
    for rank in range(_RANKS):
        open_cards += per_rank[_OPEN, rank]
    for rank in range(_RANKS):
        per_rank[_BEATEN_OPEN, rank] = (open_cards - 1) * np.int32(board < hero)
        per_rank[_TIED_OPEN, rank] = (open_cards - 1) * np.int32(board == hero)
        per_rank[_BEATEN_SUITED, rank] = 0
        per_rank[_TIED_SUITED, rank] = 0


@kernel
def _add_single_suited(hero: np.int32, board_ranks: Any, table: Any, per_rank: Any) -> None:
    """Hands with one card of a suit of which the board has four or five."""
    open_cards = np.int32(0)
    for rank in range(_RANKS):
        open_cards += per_rank[_OPEN, rank]
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
def _add_double_suited(hero: np.int32, board_ranks: Any, table: Any, per_rank: Any) -> None:
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
def _sum_up(per_rank: Any, cards_at: int, beaten_at: int, tied_at: int, sums: Any) -> None:
    """Add, over the cards, how many beaten and tied hands each is in, and the squares of these numbers."""
    beaten, tied, squares_beaten, squares_tied = np.int32(0), np.int32(0), np.int32(0), np.int32(0)
    products = np.int32(0)
    for rank in range(per_rank.shape[1]):
        cards, less, same = per_rank[cards_at, rank], per_rank[beaten_at, rank], per_rank[tied_at, rank]
        cards_less, cards_same = np.int32(cards * less), np.int32(cards * same)
        beaten = np.int32(beaten + cards_less)
        tied = np.int32(tied + cards_same)
        squares_beaten = np.int32(squares_beaten + np.int32(cards_less * less))
        squares_tied = np.int32(squares_tied + np.int32(cards_same * same))
        products = np.int32(products + np.int32(cards_less * same))
    sums[0] += beaten
    sums[1] += tied
    sums[2] += squares_beaten
    sums[3] += squares_beaten + 2 * products + squares_tied
    sums[4] += squares_tied


@kernel
def _count(per_rank: Any, suited_on_board: Any, weight: int, sums: Any, out: Any) -> None:
    """Add the five counts, from how many beaten and tied hands each card is in."""
    sums[:] = 0
    _sum_up(per_rank, _OPEN, _BEATEN_OPEN, _TIED_OPEN, sums)
    if suited_on_board >= 3:
        _sum_up(per_rank, _SUITED, _BEATEN_SUITED, _TIED_SUITED, sums)
    beaten, tied = sums[0] >> 1, sums[1] >> 1
    both = beaten + tied
    out[0] += weight * beaten
    out[1] += weight * tied
    out[2] += weight * (beaten * beaten - sums[2] + beaten)
    out[3] += weight * (both * both - sums[3] + both)
    out[4] += weight * (tied * tied - sums[4] + tied)


@kernel
def count_board(
    hole: Any,
    board: Any,
    weight: int,
    out: Any,
    keys: Any,
    suits: Any,
    table: Any,
    values: Any,
    values_key: Any,
    per_rank: Any,
    sums: Any,
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
    suited_on_board, board_ranks, free = np.int64(0), np.int64(0), np.int64(0)
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
    for rank in range(_RANKS):
        per_rank[_OPEN, rank] = per_rank[_LEFT, rank] - per_rank[_SUITED, rank]
    if suited_on_board == 5:
        _count_five_suited_board(hero, np.int32(suited_value(board_ranks, table)), per_rank)
    else:
        _count_by_ranks(hero, values, per_rank, suited_on_board)
    if suited_on_board >= 4:
        _add_single_suited(hero, board_ranks, table, per_rank)
    if suited_on_board >= 3:
        _add_double_suited(hero, board_ranks, table, per_rank)
    _count(per_rank, suited_on_board, weight, sums, out)


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
    out: Any,
    keys: Any,
    suits: Any,
    table: Any,
    values: Any,
    values_key: Any,
    per_rank: Any,
    sums: Any,
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
            count_board(hole, full, weight, out, keys, suits, table, values, values_key, per_rank, sums)
        more = next_choice(places, to_come, available)
