"""The double-dummy solver: what each card is worth when all four hands lie open and everyone plays perfectly.

Values are exact, in thirds of a point, the last trick included. A zero-window search (does the side to act get at
least `need`?) is asked until its answers meet (MTD(f), Plaat 1996). What makes it fast: hands are passed in turned
order, so that one function serves all seats; cards of one hand that lie next to each other in what is left of a suit
and are worth the same count as one; positions at the start of a trick are kept in a table under what matters of them
(per suit: how many cards of each worth are left, and whose they are from the strongest to the weakest, seen from the
leader), so that most are met again; and what a side can cash at once bounds the value without a search.

The key of a position is complete, not a hash: an entry is true in any deal, and the table is never cleared.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from mazzo.bits import highest, lowest, size
from mazzo.jit import tight, tight_helper
from mazzo.tressette.kernels import ACES, LAST_TRICK_THIRDS, SUIT, Int, Ints, thirds_of

__all__ = ["EVERY", "Position", "alike", "every_card", "memory_for", "settle", "step", "tables", "to_be_had"]


def _each_suit(mask: int) -> int:
    return sum(mask << (10 * suit) for suit in range(4))


_THIRDS = _each_suit(0b11_0111_0000)
_LOWEST = _each_suit(1)
_ALIKE = _each_suit(0b01_0011_0111)
"""Places whose next higher card is worth the same."""
_DOWN_1, _DOWN_2, _DOWN_4, _DOWN_8 = (_each_suit((1 << (10 - k)) - 1) for k in (1, 2, 4, 8))
_COUNTS = 1024  # where in the tables the numbers of cards by worth begin; before it stands the compression of five bits
_MIX_0, _MIX_1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_MIX_2 = np.uint64(0xBF58476D1CE4E5B9)
_BITS_OF_TABLE = {6: 14, 8: 17, 10: 21}
EVERY = -1
"""As the cards a search may begin with: all of them."""


@cache
def tables() -> Ints:
    """How the bits of one five-bit mask at the places of another are pushed together, and the counts by worth."""
    out = np.zeros(2048, np.int64)
    for kept in range(32):
        places = [k for k in range(5) if kept >> k & 1]
        for mask in range(32):
            out[32 * kept + mask] = sum((mask >> place & 1) << k for k, place in enumerate(places))
    for left in range(1024):
        plain, figures, ace, strong = (left & 15, left >> 4 & 7, left >> 7 & 1, left >> 8)
        by_worth = (plain.bit_count() * 4 + figures.bit_count()) * 2 + ace
        out[_COUNTS + left] = by_worth * 3 + strong.bit_count()
    return out


@cache
def _memory() -> Ints:
    return np.zeros((1 << _BITS_OF_TABLE[10], 2), np.int64)


def memory_for(cards: int) -> Ints:
    """Where positions are kept, for deals of so many cards a seat: small ones fit the processor's cache."""
    bits = next(bits for most, bits in _BITS_OF_TABLE.items() if cards <= most)
    return _memory()[: 1 << bits]


class Position(NamedTuple):
    """Open hands and the trick on the table, seen by the seat to act."""

    a: Int
    """The hand of who is to act; `b`, `c`, `d` are those of who acts next, in order."""
    b: Int
    c: Int
    d: Int
    place: Int
    """How many cards lie on the table."""
    led: Int
    """The suit led, and what else the trick has: they mean nothing to a leader."""
    best: Int
    """The card that holds the trick."""
    best_at: Int
    """Whose it is: 0 is a."""
    on_table: Int
    """Thirds that lie on the table."""


@tight_helper
def to_be_had(p: Position) -> Int:
    """All thirds that are left, those on the table and of the last trick included."""
    return LAST_TRICK_THIRDS + thirds_of(p.a | p.b | p.c | p.d) + p.on_table


@tight_helper
def _and_below(mask: Int) -> Int:
    """The cards of a mask and all below them in their suits."""
    mask |= (mask >> 1) & _DOWN_1
    mask |= (mask >> 2) & _DOWN_2
    mask |= (mask >> 4) & _DOWN_4
    return mask | ((mask >> 8) & _DOWN_8)


@tight_helper
def _suits_of(mask: Int) -> Int:
    """All cards of the suits that a mask has cards of."""
    return (_and_below(mask) & _LOWEST) * SUIT


@tight_helper
def alike(hand: Int, present: Int) -> Int:
    """The cards of a hand that do what a higher one of it does: worth the same, and nobody's card is between."""
    absent = ~present
    same = (hand >> 1) & _ALIKE
    same |= ((same & absent) >> 1) & _ALIKE
    same |= ((same & absent) >> 1) & _ALIKE
    return hand & same


@tight_helper
def _cashed(mine: Int, partners: Int, hand: Int, n: Int, total: Int) -> Int:
    """What a leader gets at least by leading its masters, then crossing to its partner's: all if they last."""
    crosses = hand & _suits_of(partners) != 0
    if size(mine) + (size(partners) if crosses else 0) >= n:
        return total
    return thirds_of(mine | partners) if crosses else thirds_of(mine)


@tight_helper
def _bounds(a: Int, b: Int, c: Int, d: Int, n: Int, total: Int) -> tuple[Int, Int]:
    """What the leader's side gets at least, and at most, of all that is left."""
    mine, partners = a & ~_and_below(b | c | d), c & ~_and_below(a | b | d)
    low, high = _cashed(mine, partners, a, n, total), total
    if mine == 0 and a & _suits_of(partners) == 0:  # whatever is led, an opponent takes it and cashes
        next_, last, loss = b & ~_and_below(a | c | d), d & ~_and_below(a | b | c), total
        if a & _suits_of(next_):
            loss = min(loss, _cashed(next_, last, b, n, total))
        if a & _suits_of(last):
            loss = min(loss, _cashed(last, next_, d, n, total))
        high = total - loss
    return low, high


@tight_helper
def _pushed(mask: Int, left: Int, tables: Ints) -> Int:
    low, high = left & 31, left >> 5
    return tables[32 * low + (mask & 31)] | (tables[32 * high + (mask >> 5)] << size(low))


@tight_helper
def _suit_code(present: Int, odd: Int, far: Int, shift: Int, tables: Ints) -> Int:
    """27 bits that tell all of a suit: counts by worth, then the holder of each card in order of power."""
    left = (present >> shift) & SUIT
    holders = (_pushed((odd >> shift) & SUIT, left, tables) << 10) | _pushed((far >> shift) & SUIT, left, tables)
    return (tables[_COUNTS + left] << 20) | holders


@tight_helper
def _slot(key_0: Int, key_1: Int, slots: Int) -> Int:
    h = np.uint64(key_0) * _MIX_0 ^ np.uint64(key_1) * _MIX_1
    h = (h ^ (h >> np.uint64(29))) * _MIX_2
    return np.int64(h >> np.uint64(33)) & (slots - 1)


@tight_helper
def _lead_group(group: Int, moves: Int, first: Int, a: Int, b: Int, c: Int, d: Int) -> Int:
    """Leads in the order they are tried: what was best before, masters, to the partner's masters, the rest."""
    if group == 0:
        return (np.int64(1) << first) & moves if first >= 0 else np.int64(0)
    if group == 1:
        return moves & ~_and_below(b | c | d)
    return moves & _and_below(c & ~_and_below(a | b | d)) if group == 2 else moves


@tight_helper
def _answer_group(group: Int, moves: Int, best: Int, best_at: Int, place: Int, led: Int) -> Int:
    """Answers in the order they are tried: points to a partner who is winning; else to win, else to give least."""
    beating = moves & (SUIT << (10 * led)) & ~((np.int64(2) << best) - 1)
    if best_at == 2:
        if group == 0:
            return moves & ACES
        if group == 1:
            return moves & _THIRDS & ~beating
        return moves & ~beating if group == 2 else moves
    if group == 0:
        return beating & ACES if place == 3 else np.int64(0)
    if group == 1:
        return beating
    return moves & ~(_THIRDS | ACES) if group == 2 else moves


@tight_helper
def _key(a: Int, b: Int, c: Int, d: Int, tables: Ints) -> tuple[Int, Int]:
    present, odd, far = a | b | c | d, b | d, c | d
    key_0 = (_suit_code(present, odd, far, np.int64(0), tables) << 27) | _suit_code(
        present, odd, far, np.int64(10), tables
    )
    key_1 = (_suit_code(present, odd, far, np.int64(20), tables) << 27) | _suit_code(
        present, odd, far, np.int64(30), tables
    )
    return key_0, key_1


@tight_helper
def step(p: Position, card: Int, total: Int) -> tuple[Position, Int, Int, bool]:
    """The position that a card leads to, turned to who acts next.

    Then what the side of `a` has got by it, what is left to be had, and whether who acts next is of the other side.
    """
    a, b, c, d, place, led, best, best_at, on_table = p
    bit = np.int64(1) << card
    x, pile = a ^ bit, on_table + thirds_of(bit)
    if place == 0:
        led, best, best_at = card // 10, card, np.int64(0)
    elif card // 10 == led and card > best:
        best, best_at = card, np.int64(0)
    if place < 3:
        return Position(b, c, d, x, place + 1, led, best, (best_at - 1) & 3, pile), np.int64(0), total, True
    nothing, turned = np.int64(0), best_at & 1 == 1
    rest = total - pile if x != 0 else nothing  # with the last cards goes what the last trick is worth
    own = nothing if turned else total - rest
    if best_at == 0:
        return Position(x, b, c, d, nothing, led, best, nothing, nothing), own, rest, turned
    if best_at == 1:
        return Position(b, c, d, x, nothing, led, best, nothing, nothing), own, rest, turned
    if best_at == 2:
        return Position(c, d, x, b, nothing, led, best, nothing, nothing), own, rest, turned
    return Position(d, x, b, c, nothing, led, best, nothing, nothing), own, rest, turned


@tight_helper
def _moves(p: Position, only: Int) -> Int:
    """The cards to try: of legal ones that are alike the highest; or those of `only`."""
    present, legal = p.a | p.b | p.c | p.d, p.a
    if p.place > 0:
        present |= np.int64(1) << p.best
        following = p.a & (SUIT << (10 * p.led))
        legal = following if following != 0 else p.a
    return legal & ~alike(p.a, present) if only == EVERY else legal & only


@tight
def _search(p: Position, need: Int, total: Int, only: Int, memory: Ints, tables: Ints) -> Any:
    """A bound on what the side to act gets of `total`: from below if it is at least `need`, else from above.

    `only` restricts the first card.
    """
    every = np.int64(EVERY)  # a function that calls itself must do so with its very own types, or its cache is broken
    slot, key_0, key_1, first = np.int64(0), np.int64(0), np.int64(0), np.int64(-1)
    low, high, kept = np.int64(0), total, p.place == 0 and only == EVERY
    if kept:
        if need <= 0 or need > total:
            return low if need <= 0 else high
        low, high = _bounds(p.a, p.b, p.c, p.d, size(p.a), total)
        if low < need and high >= need:
            key_0, key_1 = _key(p.a, p.b, p.c, p.d, tables)
            slot = _slot(key_0, key_1, len(memory))
            word_0, word_1 = memory[slot, 0], memory[slot, 1]
            if word_0 >> 9 == key_0 and word_1 >> 9 == key_1:
                low, high = max(low, (word_0 >> 3) & 63), min(high, (word_1 >> 3) & 63)
                first = (((word_0 & 7) << 3) | (word_1 & 7)) - 1
        if low >= need or high < need:
            return low if low >= need else high
    moves, value, value_card, group = _moves(p, only), np.int64(-1), np.int64(-1), np.int64(0)
    while moves != 0 and value < need:
        if p.place == 0:
            now = _lead_group(group, moves, first, p.a, p.b, p.c, p.d)
        else:
            now = _answer_group(group, moves, p.best, p.best_at, p.place, p.led)
        moves &= ~now
        while now != 0 and value < need:
            card = highest(now) if p.place == 0 and group <= 1 else lowest(now)
            now ^= np.int64(1) << card
            after, own, rest, turned = step(p, card, total)
            found = rest
            if after.a != 0:
                asked = rest - need + 1 if turned else need - own
                found = _search(after, asked, rest, every, memory, tables)
            result = own + (rest - found if turned else found)
            if result > value:
                value, value_card = result, card
        group += 1
    if kept:
        low, high = (max(low, value), high) if value >= need else (low, min(high, value))
        memory[slot, 0] = (key_0 << 9) | (low << 3) | ((value_card + 1) >> 3)
        memory[slot, 1] = (key_1 << 9) | (high << 3) | ((value_card + 1) & 7)
    return value


@tight_helper
def settle(p: Position, only: Int, taken: Int, unit: Int, guess: Int, memory: Ints, tables: Ints) -> Int:
    """What the side to act gets: a number of thirds right to the unit (1, or 3 where only whole points count).

    `taken` are the thirds it has already, on top of which whole points are counted; `guess` is where to begin.
    """
    total = to_be_had(p)
    low, high = np.int64(0), total
    while (taken + low) // unit < (taken + high) // unit:
        level = min(max((taken + guess) // unit, (taken + low) // unit + 1), (taken + high) // unit)
        need = level * unit - taken
        found = _search(p, need, total, only, memory, tables)
        if found >= need:
            low = found
            guess = found + unit
        else:
            high = found
            guess = found
    return low


@tight_helper
def every_card(
    p: Position, legal: Int, taken: Int, unit: Int, guess: Int, memory: Ints, tables: Ints, values: Ints
) -> Int:
    """Fill values[card] for every legal card; gives the highest."""
    present = p.a | p.b | p.c | p.d
    if p.place > 0:
        present |= np.int64(1) << p.best
    same, best, value, left = alike(p.a, present), np.int64(-1), guess, legal
    while left != 0:
        card = highest(left)
        bit = np.int64(1) << card
        left ^= bit
        if same & bit == 0:  # else it is worth what the card above it, the last one valued, is worth
            value = settle(p, bit, taken, unit, value, memory, tables)
        values[card] = value
        best = max(best, value)
    return best
