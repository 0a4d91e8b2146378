"""Exact equity against one or two random hands, by counting kinds of opponents instead of opponents.

With the whole board known, a hand without a flush is worth what its two ranks are worth: 91 kinds stand for the 990
hands an opponent can have, and the ranks' values are the same for every board of the same ranks. Only where the board
has three or more cards of a suit does that suit matter; then each rank has an open part (cards of other suits) and a
suited card, and pairs of suited cards (with four of the suit on the board: any suited card) are valued as flushes.
Boards to come are counted in the same way: those of the same ranks that give nobody a flush are one kind, those with
the same three or more ranks in one suit another, each with the number of boards it stands for.

For a set X of opponents' hands, let d_c be how many of them hold card c. Each hand holds two cards, so |X| is half the
sum of d_c; and the ordered pairs of hands of X that share no card number |X|^2 - sum d_c^2 + |X|. Applied to the
weaker hands, the tied ones and both together, this gives the two opponents' score without looking at any pair.

Counts of one hand are five integers, summed over all boards to come: opponents' hands beaten and tied; ordered
disjoint pairs among the beaten, among beaten and tied together, and among the tied.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.holdem.showdown import in_suit, rank_value, suited_value
from mazzo.holdem.showdown_tables import FLUSH
from mazzo.jit import helper, tight_helper

__all__ = ["BOARDS_TO_COME", "COUNTS", "ONE_TOTAL", "TWO_TOTAL", "count_hand", "scratch"]

COUNTS = 5
"""Beaten, tied; ordered pairs among the beaten, among beaten and tied together, among the tied."""

ONE_TOTAL = 990
"""Hands one opponent can hold against two hole cards and five of the board."""
TWO_TOTAL = 990 * 903
"""Ordered pairs of hands two opponents can hold."""
BOARDS_TO_COME = {0: 2_118_760, 3: 1_081, 4: 46, 5: 1}
"""Boards of five that may follow a board of so many cards, the hero's two cards known."""

_RANKS = 13
_ROOM = 16  # rows of ranks are padded with ranks of which no card is left, to the length that vectors like
_LEFT, _SUITED, _OPEN, _BEATEN_OPEN, _BEATEN_SUITED, _TIED_OPEN, _TIED_SUITED = range(7)
_RANKS_OF_KEY = np.uint64(0xFFFFFFFFF)  # the rest are counters of suits
_LEAST_FLUSH = FLUSH << 12
_CHOOSE = np.array([[comb(n, k) for k in range(5)] for n in range(5)], dtype=np.int64)

# What is known of a kind of board where a flush may be: how many cards of the suit it has and of which ranks, those of
# the hole cards in the suit, those free in it; and of any kind, how many boards it stands for.
_SUITED_ON_BOARD, _BOARD_RANKS, _HOLE_RANKS, _FREE_RANKS, _WAYS = range(5)

Scratch = tuple[NDArray[np.int32], NDArray[np.uint64], NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]


def scratch() -> Scratch:
    """Room for the kernels: values of rank pairs by last card, their board's key, counts per rank, sums, kinds."""
    return (
        np.zeros((_RANKS, _RANKS, _ROOM), dtype=np.int32),
        np.zeros(1, dtype=np.uint64),
        np.zeros((7, _ROOM), dtype=np.int32),
        np.zeros(COUNTS, dtype=np.int64),
        np.zeros((4 * 32 + 1, 5), dtype=np.int64),
    )


@tight_helper
def _value_rank_pairs(board_key: np.uint64, keys: Any, table: Any, values: Any) -> None:
    """What every pair of ranks is worth on this board, flushes apart. A fifth card of a rank gives nonsense, unused."""
    for first in range(_RANKS):
        key = board_key + keys[4 * first]
        for second in range(first + 1):
            value = np.int32(rank_value(key + keys[4 * second], table))
            values[first, second] = value
            values[second, first] = value


@tight_helper
def _value_rank_triples(board_key: np.uint64, keys: Any, table: Any, values: Any) -> None:
    """The same for a board that lacks a card, by its rank: one value for all orders of the three ranks."""
    for first in range(_RANKS):
        for second in range(first + 1):
            key = board_key + keys[4 * first] + keys[4 * second]
            for third in range(second + 1):
                value = np.int32(rank_value(key + keys[4 * third], table))
                values[first, second, third] = values[first, third, second] = value
                values[second, first, third] = values[second, third, first] = value
                values[third, first, second] = values[third, second, first] = value


@tight_helper
def _count_partners(hero: np.int32, values: Any, per_rank: Any, partners: int, beaten_at: int, tied_at: int) -> None:
    """For a card of each rank, how many of these partners make a hand that is beaten or tied."""
    for rank in range(_RANKS):
        both = np.int32(0)  # the beaten in its lower half, the tied in its upper: one sum, not two
        for other in range(per_rank.shape[1]):  # a constant length would be unrolled instead of made vectors
            # Cut back to 32 bits at every step, or numba widens them and half of each vector is wasted.
            value, cards = values[rank, other], per_rank[partners, other]
            less = cards if value < hero else np.int32(0)
            both = np.int32(both + (np.int32(cards << 16) if value == hero else less))
        per_rank[beaten_at, rank] = both & np.int32(0xFFFF)
        per_rank[tied_at, rank] = both >> 16


@tight_helper
def _count_by_ranks(hero: np.int32, values: Any, per_rank: Any, suited_on_board: Any) -> None:
    """For an open and for a suited card of each rank, how many hands it makes that are beaten or tied.

    Flushes are left out: hands of two suited cards, and with four of the suit on the board all with one.
    """
    _count_partners(hero, values, per_rank, _LEFT if suited_on_board < 4 else _OPEN, _BEATEN_OPEN, _TIED_OPEN)
    for rank in range(_RANKS):  # a card is not its own partner
        per_rank[_BEATEN_OPEN, rank] -= np.int32(values[rank, rank] < hero)
        per_rank[_TIED_OPEN, rank] -= np.int32(values[rank, rank] == hero)
    if suited_on_board == 3:
        _count_partners(hero, values, per_rank, _OPEN, _BEATEN_SUITED, _TIED_SUITED)
    elif suited_on_board == 4:
        per_rank[_BEATEN_SUITED] = 0
        per_rank[_TIED_SUITED] = 0


@tight_helper
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


@tight_helper
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


@tight_helper
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


@tight_helper
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


@tight_helper
def _add_counts(per_rank: Any, suited_on_board: Any, weight: Any, sums: Any, out: Any) -> None:
    """Add the five counts of a kind of board, from how many beaten and tied hands each card is in."""
    sums[:] = 0
    _sum_up(per_rank, _LEFT if suited_on_board < 3 else _OPEN, _BEATEN_OPEN, _TIED_OPEN, sums)
    if suited_on_board >= 3:
        _sum_up(per_rank, _SUITED, _BEATEN_SUITED, _TIED_SUITED, sums)
    beaten, tied = sums[0] >> 1, sums[1] >> 1
    both = beaten + tied
    out[0] += weight * beaten
    out[1] += weight * tied
    out[2] += weight * (beaten * beaten - sums[2] + beaten)
    out[3] += weight * (both * both - sums[3] + both)
    out[4] += weight * (tied * tied - sums[4] + tied)


@tight_helper
def _count_suited(
    hero: np.int32, suited_on_board: Any, board_ranks: Any, free: Any, table: Any, values: Any, per_rank: Any
) -> None:
    """Fill the counts per rank where the board has three or more cards of a suit."""
    for rank in range(_RANKS):
        per_rank[_SUITED, rank] = free >> rank & 1
        per_rank[_OPEN, rank] = per_rank[_LEFT, rank] - per_rank[_SUITED, rank]
    if suited_on_board == 5:
        _count_five_suited_board(hero, np.int32(suited_value(board_ranks, table)), per_rank)
    else:
        _count_by_ranks(hero, values, per_rank, suited_on_board)
    if hero < _LEAST_FLUSH:
        return  # no flush is beaten or tied
    if suited_on_board >= 4:
        _add_single_suited(hero, board_ranks, table, per_rank)
    _add_double_suited(hero, board_ranks, table, per_rank)


@tight_helper
def _count_kind(
    hole_key: np.uint64, kind: Any, out: Any, table: Any, values: Any, ranks_key: np.uint64, per_rank: Any, sums: Any
) -> None:
    """Add the counts of one hand on one kind of whole board; values and cards left per rank are filled in before."""
    suited_on_board, board_ranks, hole_ranks = kind[_SUITED_ON_BOARD], kind[_BOARD_RANKS], kind[_HOLE_RANKS]
    in_hole = np.int64(hole_ranks != 0) + np.int64((hole_ranks & (hole_ranks - 1)) != 0)
    if suited_on_board >= 3 and suited_on_board + in_hole >= 5:
        hero = np.int32(suited_value(board_ranks | hole_ranks, table))
    else:
        hero = np.int32(rank_value(ranks_key + hole_key, table))
    if suited_on_board >= 3:
        _count_suited(hero, suited_on_board, board_ranks, kind[_FREE_RANKS], table, values, per_rank)
    else:
        _count_by_ranks(hero, values, per_rank, suited_on_board)
    _add_counts(per_rank, suited_on_board, kind[_WAYS], sums, out)


@tight_helper
def _ranks_of(bits: np.uint64, suit: int) -> np.int64:
    return np.int64((bits >> np.uint64(16 * suit)) & np.uint64(0x1FFF))


@tight_helper
def _ways_with(chosen: int, ranks: Any, times: Any, kinds: int, free: Any, per_rank: Any) -> Any:
    """In how many ways cards of these ranks can come so that just the chosen ones are in a suit, and the suited ranks.

    Cards left per rank are those after the cards to come.
    """
    ways, suited = 1, 0
    for k in range(kinds):
        rank, wanted = ranks[k], times[k]
        has = free >> rank & 1
        there = per_rank[_LEFT, rank] + wanted
        if chosen >> k & 1:
            ways *= _CHOOSE[there - 1, wanted - 1] * has
            suited |= 1 << rank
        else:
            ways *= _CHOOSE[there - has, wanted]
    return ways, suited


@tight_helper
def _list_kinds(
    ranks: Any, times: Any, distinct: int, board_key: Any, hole_bits: Any, board_bits: Any, per_rank: Any, kinds: Any
) -> int:
    """List the kinds of boards that cards to come of these ranks make; return how many there are.

    A kind that may give flushes has a suit and the ranks the board has in it; the last kind is all other boards.
    """
    plain, found = 1, 0
    for k in range(distinct):
        plain *= _CHOOSE[per_rank[_LEFT, ranks[k]] + times[k], times[k]]
    for suit in range(4):
        known, alike = in_suit(board_key, suit), _alike_suits(hole_bits, board_bits, suit)
        if alike == 0 or known + distinct < 3:
            continue
        free = _ranks_of(~(board_bits | hole_bits), suit)
        for chosen in range(1 << distinct):
            suited = known
            for k in range(distinct):
                suited += chosen >> k & 1
            if suited < 3:
                continue
            ways, more = _ways_with(chosen, ranks, times, distinct, free, per_rank)
            if ways:
                kinds[found, _SUITED_ON_BOARD] = suited
                kinds[found, _BOARD_RANKS] = _ranks_of(board_bits, suit) | more
                kinds[found, _HOLE_RANKS] = _ranks_of(hole_bits, suit)
                kinds[found, _FREE_RANKS] = free & ~more
                kinds[found, _WAYS] = ways * alike
                plain -= ways * alike
                found += 1
    if plain:
        kinds[found] = 0
        kinds[found, _WAYS] = plain
        found += 1
    return found


@tight_helper
def _next_ranks(ranks: Any) -> bool:
    """Step to the next ranks in rising order, repetitions allowed; False after the last."""
    at = len(ranks) - 1
    while at >= 0 and ranks[at] == _RANKS - 1:
        at -= 1
    if at < 0:
        return False
    ranks[at:] = ranks[at] + 1
    return True


@tight_helper
def _alike_suits(hole_bits: np.uint64, board_bits: np.uint64, suit: int) -> int:
    """How many suits hold the same ranks in hand and on the board as this one; 0 if an earlier one does."""
    alike = 0
    for other in range(4):
        same_hole = _ranks_of(hole_bits, suit) == _ranks_of(hole_bits, other)
        if same_hole and _ranks_of(board_bits, suit) == _ranks_of(board_bits, other):
            if other < suit:
                return 0
            alike += 1
    return alike


@tight_helper
def _take_ranks(to_come: Any, left: Any, ranks: Any, times: Any, per_rank: Any) -> int:
    """Fill the ranks to come, how often each comes and the cards left; return how many, -1 if one comes too often."""
    distinct = 0
    for rank in range(_RANKS):
        per_rank[_LEFT, rank] = left[rank]
    for k in range(len(to_come)):
        if k == 0 or to_come[k] != to_come[k - 1]:
            ranks[distinct], times[distinct] = to_come[k], 0
            distinct += 1
        times[distinct - 1] += 1
        per_rank[_LEFT, to_come[k]] -= 1
        if per_rank[_LEFT, to_come[k]] < 0:
            return -1
    return distinct


@helper
def count_hand(
    hole: Any,
    board: Any,
    known: int,
    out: Any,
    keys: Any,
    suits: Any,
    table: Any,
    values: Any,
    last_key: Any,
    per_rank: Any,
    sums: Any,
    kinds: Any,
) -> None:
    """Add the counts of one hand over all boards that may follow the first `known` cards of the board."""
    hole_key, hole_bits = keys[hole[0]] + keys[hole[1]], suits[hole[0]] | suits[hole[1]]
    board_key, board_bits = np.uint64(0), np.uint64(0)
    left = np.full(_RANKS, 4)
    left[hole[0] >> 2] -= 1
    left[hole[1] >> 2] -= 1
    for k in range(known):
        board_key += keys[board[k]]
        board_bits |= suits[board[k]]
        left[board[k] >> 2] -= 1
    to_come, taken = np.zeros(5 - known, dtype=np.int64), np.zeros((2, 5), dtype=np.int64)
    ranks, times = taken[0], taken[1]
    more = True
    while more:
        distinct = _take_ranks(to_come, left, ranks, times, per_rank)
        if distinct >= 0:
            ranks_key, last = board_key, 0
            for k in range(len(to_come)):
                last = to_come[k]
                ranks_key += keys[4 * last]
            ranks_key &= _RANKS_OF_KEY
            # Of boards that differ by their last card alone all pairs are valued at once.
            base_key = ranks_key if known == 5 else (ranks_key - keys[4 * last]) & _RANKS_OF_KEY
            if last_key[0] != base_key:
                last_key[0] = base_key
                if known == 5:
                    _value_rank_pairs(base_key, keys, table, values[0])
                else:
                    _value_rank_triples(base_key, keys, table, values)
            found = _list_kinds(ranks, times, distinct, board_key, hole_bits, board_bits, per_rank, kinds)
            for k in range(found):
                _count_kind(hole_key, kinds[k], out, table, values[last], ranks_key, per_rank, sums)
        more = _next_ranks(to_come)
