"""What a player's cards and the board make: texture of the board, hand, outs and draws, in whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.holdem.attributes import values as v
from mazzo.holdem.showdown import CATEGORIES, hand_value, tables
from mazzo.jit import inlined, kernel, tight_helper

__all__ = ["DRAW", "FLUSHES", "OUTS", "PAIRS", "RANK", "STRAIGHTS", "TYPE", "card_facts"]


# Columns: how likely flushes, straights and pairs are by the board (0, 1, 2); the hand; what may become of it.
FLUSHES, STRAIGHTS, PAIRS, RANK, TYPE, OUTS, DRAW = range(7)
WIDTH = 7

_CATEGORY = 12  # a value is category << 12 | place in it
_PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _FULL, _QUADS, _STRAIGHT_FLUSH = range(1, len(CATEGORIES))
_NOTHING, _A_PAIR, _TOP_PAIR, _OVER_PAIR, _TWO, _THREE = range(6)
_STRAIGHT_DRAW, _FLUSH_DRAW, _BOTH_DRAWS, _NO_DRAW = range(len(v.DRAWS))


@inlined
def _most_in_a_row(ranks: int) -> int:
    """Most ranks of a mask that stand in one straight (of five, the ace high or low)."""
    with_low_ace = ranks << 1 | ranks >> 12
    most = 0
    for low in range(10):
        window, count = with_low_ace >> low & 31, 0
        while window:
            window &= window - 1
            count += 1
        most = max(most, count)
    return most


@inlined
def _straight_top(ranks: int) -> int:
    """The place of the highest straight in a mask of ranks, 1 the wheel; 0 if there is none."""
    with_low_ace = ranks << 1 | ranks >> 12
    top = 0
    for low in range(10):
        if with_low_ace >> low & 31 == 31:
            top = low + 1
    return top


@inlined
def _has_three_consecutive(ranks: int) -> bool:
    with_low_ace = ranks << 1 | ranks >> 12
    return with_low_ace & (with_low_ace >> 1) & (with_low_ace >> 2) != 0


@inlined
def _highest(counts: Any, least: int, but: int) -> int:
    """The highest rank of which there are at least so many cards, another one left out; -1 if there is none."""
    found = -1
    for rank in range(13):
        if counts[rank] >= least and rank != but:
            found = rank
    return found


@tight_helper
def _texture(counts: Any, in_suit: Any, ranks: int, dealt: int, out: Any) -> None:
    most = 0
    for suit in range(4):
        most = max(most, in_suit[suit])
    out[FLUSHES] = min(max(most - (1 if dealt == 3 else 2), 0), 2)
    straight = _most_in_a_row(ranks)
    out[STRAIGHTS] = min(max(straight - 2, 0), 2)
    if dealt == 3:
        out[STRAIGHTS] = (straight == 3) + (straight == 3 and _has_three_consecutive(ranks))
    pairs, more = 0, 0
    for rank in range(13):
        pairs += counts[rank] == 2
        more += counts[rank] > 2
    out[PAIRS] = 2 if more or pairs > 1 else pairs


@tight_helper
def _type_of_pair(counts: Any, first: int, second: int, board_top: int) -> int:
    pair = _highest(counts, 2, -1)
    if first == second:
        return _OVER_PAIR if 0 <= board_top < pair else _A_PAIR
    if first != pair and second != pair:
        return _NOTHING
    return _TOP_PAIR if pair == board_top else _A_PAIR


@tight_helper
def _type_by_ranks(category: Any, counts: Any, first: int, second: int, board_top: int) -> Any:
    """The type of a hand of pairs, trips or quads: nothing, if the cards that make it all lie on the board."""
    if category == _PAIR:
        return _type_of_pair(counts, first, second, board_top)
    need = 2 if category == _TWO_PAIR else 4 if category == _QUADS else 3
    one = _highest(counts, need, -1)
    other = _highest(counts, 2, one) if category in (_TWO_PAIR, _FULL) else one
    if first != one and second != one and first != other and second != other:
        return _NOTHING
    return category + 2


@tight_helper
def _type_by_suit(category: Any, first: int, second: int, in_suit: Any, suited: Any, board_suited: Any) -> Any:
    """The type of a flush or straight flush: nothing, if the board has it by itself."""
    suit = 0
    for k in range(4):
        if in_suit[k] >= 5:
            suit = k
    if category == _STRAIGHT_FLUSH:
        return category + 2 if _straight_top(suited[suit]) > _straight_top(board_suited[suit]) else _NOTHING
    for card in (first, second):
        above = suited[suit] >> (card // 4 + 1)
        count = 0
        while above:
            above &= above - 1
            count += 1
        if card % 4 == suit and count < 5:
            return category + 2
    return _NOTHING


@tight_helper
def _count_outs(hole: Any, board: Any, dealt: int, keys: Any, suits: Any, table: Any) -> Any:
    """Unseen cards that raise the hand's category by more than the board's."""
    key, bits, used = np.uint64(0), np.uint64(0), np.uint64(0)
    for k in range(dealt):
        key += keys[board[k]]
        bits |= suits[board[k]]
    own_key, own_bits = key + keys[hole[0]] + keys[hole[1]], bits | suits[hole[0]] | suits[hole[1]]
    used = own_bits
    hand = np.int64(hand_value(own_key, own_bits, table)) >> _CATEGORY
    alone = np.int64(hand_value(key, bits, table)) >> _CATEGORY
    outs = np.int64(0)
    for card in range(52):
        if used & suits[card]:
            continue
        better = (np.int64(hand_value(own_key + keys[card], own_bits | suits[card], table)) >> _CATEGORY) - hand
        if better > 0:
            gained = (np.int64(hand_value(key + keys[card], bits | suits[card], table)) >> _CATEGORY) - alone
            outs += np.int64(better > gained)
    return outs


@tight_helper
def _draws(hole: Any, in_suit: Any, ranks: int, board_ranks: int) -> int:
    flush_draw = False
    for suit in range(4):
        if in_suit[suit] >= 5:
            return _NO_DRAW
        flush_draw |= in_suit[suit] == 4 and (hole[0] % 4 == suit or hole[1] % 4 == suit)
    straight_draw = False
    if _straight_top(ranks) == 0:
        for rank in range(13):
            straight_draw |= _straight_top(ranks | 1 << rank) > _straight_top(board_ranks | 1 << rank)
    if straight_draw and flush_draw:
        return _BOTH_DRAWS
    return _STRAIGHT_DRAW if straight_draw else _FLUSH_DRAW if flush_draw else _NO_DRAW


@tight_helper
def _row(
    hole: Any,
    board: Any,
    keys: Any,
    suits: Any,
    table: Any,
    counts: Any,
    in_suit: Any,
    suited: Any,
    board_suited: Any,
    out: Any,
) -> None:
    counts[:], in_suit[:], suited[:] = 0, 0, 0
    dealt, ranks, board_top = 0, 0, -1
    key, bits = np.uint64(0), np.uint64(0)
    while dealt < 5 and board[dealt] >= 0:
        card = board[dealt]
        counts[card // 4] += 1
        in_suit[card % 4] += 1
        suited[card % 4] |= 1 << (card // 4)
        ranks |= 1 << (card // 4)
        board_top = max(board_top, card // 4)
        key += keys[card]
        bits |= suits[card]
        dealt += 1
    out[FLUSHES] = out[STRAIGHTS] = out[PAIRS] = 0
    if dealt:
        _texture(counts, in_suit, ranks, dealt, out)
    for suit in range(4):
        board_suited[suit] = suited[suit]
    board_ranks = ranks
    for card in hole:
        counts[card // 4] += 1
        in_suit[card % 4] += 1
        suited[card % 4] |= 1 << (card // 4)
        ranks |= 1 << (card // 4)
        key += keys[card]
        bits |= suits[card]
    category = np.int64(hand_value(key, bits, table)) >> _CATEGORY
    out[RANK] = category
    if category == 0:
        out[TYPE] = _NOTHING
    elif category == _STRAIGHT:
        out[TYPE] = category + 2 if _straight_top(ranks) > _straight_top(board_ranks) else _NOTHING
    elif category in (_FLUSH, _STRAIGHT_FLUSH):
        out[TYPE] = _type_by_suit(category, hole[0], hole[1], in_suit, suited, board_suited)
    else:
        out[TYPE] = _type_by_ranks(category, counts, hole[0] // 4, hole[1] // 4, board_top)
    out[OUTS], out[DRAW] = 0, _NO_DRAW
    if 3 <= dealt < 5:
        out[OUTS] = _count_outs(hole, board, dealt, keys, suits, table)
        out[DRAW] = _draws(hole, in_suit, ranks, board_ranks)


@kernel
def _rows(hole: Any, board: Any, keys: Any, suits: Any, table: Any, out: Any) -> None:
    counts, in_suit = np.zeros(13, np.int64), np.zeros(4, np.int64)
    suited, board_suited = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for i in range(len(hole)):
        _row(hole[i], board[i], keys, suits, table, counts, in_suit, suited, board_suited, out[i])


def card_facts(hole: NDArray[np.integer[Any]], board: NDArray[np.int8]) -> Ints:
    """The facts of many hands (two cards and a board of five places, -1 where nothing is dealt yet)."""
    out = np.zeros((len(hole), WIDTH), np.int64)
    _rows(np.ascontiguousarray(hole, np.int64), np.ascontiguousarray(board, np.int64), *tables(), out)
    return out
