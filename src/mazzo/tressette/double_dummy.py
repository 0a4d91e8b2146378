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

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.cards import ITALIAN, Card
from mazzo.errors import IllegalError
from mazzo.jit import kernel, tight
from mazzo.tressette.bits import highest, lowest, size
from mazzo.tressette.rules import ACES, LAST_TRICK_THIRDS, SUIT, Int, Ints, Rounds, legal_cards
from mazzo.tressette.trick import trick_stands

__all__ = [
    "alike",
    "card_values",
    "every_card",
    "memory_for",
    "settle",
    "solve",
    "step",
    "tables",
    "values_of_rounds",
    "worth_of",
]


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
_EVERY = -1  # as the cards a search may begin with: all of them


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


@kernel
def worth_of(mask: Int) -> Int:
    """What the cards of a mask are worth, in thirds of a point."""
    return 3 * size(mask & ACES) + size(mask & _THIRDS)


@kernel
def _and_below(mask: Int) -> Int:
    """The cards of a mask and all below them in their suits."""
    mask |= (mask >> 1) & _DOWN_1
    mask |= (mask >> 2) & _DOWN_2
    mask |= (mask >> 4) & _DOWN_4
    return mask | ((mask >> 8) & _DOWN_8)


@kernel
def _suits_of(mask: Int) -> Int:
    """All cards of the suits that a mask has cards of."""
    return (_and_below(mask) & _LOWEST) * SUIT


@kernel
def alike(hand: Int, present: Int) -> Int:
    """The cards of a hand that do what a higher one of it does: worth the same, and nobody's card is between."""
    absent = ~present
    same = (hand >> 1) & _ALIKE
    same |= ((same & absent) >> 1) & _ALIKE
    same |= ((same & absent) >> 1) & _ALIKE
    return hand & same


@kernel
def _cashed(mine: Int, partners: Int, hand: Int, n: Int, total: Int) -> Int:
    """What a leader gets at least by leading its masters, then crossing to its partner's: all if they last."""
    crosses = hand & _suits_of(partners) != 0
    if size(mine) + (size(partners) if crosses else 0) >= n:
        return total
    return worth_of(mine | partners) if crosses else worth_of(mine)


@kernel
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


@kernel
def _pushed(mask: Int, left: Int, tables: Ints) -> Int:
    low, high = left & 31, left >> 5
    return tables[32 * low + (mask & 31)] | (tables[32 * high + (mask >> 5)] << size(low))


@kernel
def _suit_code(present: Int, odd: Int, far: Int, shift: Int, tables: Ints) -> Int:
    """27 bits that tell all of a suit: counts by worth, then the holder of each card in order of power."""
    left = (present >> shift) & SUIT
    holders = (_pushed((odd >> shift) & SUIT, left, tables) << 10) | _pushed((far >> shift) & SUIT, left, tables)
    return (tables[_COUNTS + left] << 20) | holders


@kernel
def _slot(key_0: Int, key_1: Int, slots: Int) -> Int:
    h = np.uint64(key_0) * _MIX_0 ^ np.uint64(key_1) * _MIX_1
    h = (h ^ (h >> np.uint64(29))) * _MIX_2
    return np.int64(h >> np.uint64(33)) & (slots - 1)


@kernel
def _lead_group(group: Int, moves: Int, first: Int, a: Int, b: Int, c: Int, d: Int) -> Int:
    """Leads in the order they are tried: what was best before, masters, to the partner's masters, the rest."""
    if group == 0:
        return (np.int64(1) << first) & moves if first >= 0 else np.int64(0)
    if group == 1:
        return moves & ~_and_below(b | c | d)
    return moves & _and_below(c & ~_and_below(a | b | d)) if group == 2 else moves


@kernel
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


@kernel
def _key(a: Int, b: Int, c: Int, d: Int, tables: Ints) -> tuple[Int, Int]:
    present, odd, far = a | b | c | d, b | d, c | d
    key_0 = (_suit_code(present, odd, far, np.int64(0), tables) << 27) | _suit_code(
        present, odd, far, np.int64(10), tables
    )
    key_1 = (_suit_code(present, odd, far, np.int64(20), tables) << 27) | _suit_code(
        present, odd, far, np.int64(30), tables
    )
    return key_0, key_1


@kernel
def step(
    a: Int, b: Int, c: Int, d: Int, card: Int, place: Int, led: Int, best: Int, best_at: Int, on_table: Int, total: Int
) -> tuple[Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, bool]:
    """What a card leads to: the hands turned to who acts next, suit led, best card, whose it is, thirds on the table.

    Then what the side of `a` has got by it, what is left to be had, and whether who acts next is of the other side.
    """
    bit = np.int64(1) << card
    x, pile = a ^ bit, on_table + worth_of(bit)
    if place == 0:
        led, best, best_at = card // 10, card, np.int64(0)
    elif card // 10 == led and card > best:
        best, best_at = card, np.int64(0)
    if place < 3:
        return b, c, d, x, led, best, (best_at - 1) & 3, pile, np.int64(0), total, True
    nothing, turned = np.int64(0), best_at & 1 == 1
    rest = total - pile if x != 0 else nothing  # with the last cards goes what the last trick is worth
    own = nothing if turned else total - rest
    if best_at == 0:
        return x, b, c, d, led, best, nothing, nothing, own, rest, turned
    if best_at == 1:
        return b, c, d, x, led, best, nothing, nothing, own, rest, turned
    if best_at == 2:
        return c, d, x, b, led, best, nothing, nothing, own, rest, turned
    return d, x, b, c, led, best, nothing, nothing, own, rest, turned


@tight
def _search(
    a: Int, b: Int, c: Int, d: Int, place: Int, led: Int, best: Int, best_at: Int, on_table: Int,
    need: Int, total: Int, only: Int, memory: Ints, tables: Ints,
) -> Any:  # fmt: skip
    """A bound on what the side of `a`, who is to act, gets of `total`: from below if it is at least `need`, else above.

    `b`, `c`, `d` are the hands of those who act next; `best_at` says who of them (0 is a) holds the trick with the card
    `best`; `on_table` are the thirds in it; `only` restricts the first card.
    """
    every = np.int64(_EVERY)  # a function that calls itself must do so with its very own types, or its cache is broken
    slot, key_0, key_1, first = np.int64(0), np.int64(0), np.int64(0), np.int64(-1)
    low, high, kept = np.int64(0), total, place == 0 and only == _EVERY
    if kept:
        if need <= 0 or need > total:
            return low if need <= 0 else high
        low, high = _bounds(a, b, c, d, size(a), total)
        if low < need and high >= need:
            key_0, key_1 = _key(a, b, c, d, tables)
            slot = _slot(key_0, key_1, len(memory))
            word_0, word_1 = memory[slot, 0], memory[slot, 1]
            if word_0 >> 9 == key_0 and word_1 >> 9 == key_1:
                low, high = max(low, (word_0 >> 3) & 63), min(high, (word_1 >> 3) & 63)
                first = (((word_0 & 7) << 3) | (word_1 & 7)) - 1
        if low >= need or high < need:
            return low if low >= need else high
    present, legal = a | b | c | d, a
    if place > 0:
        present |= np.int64(1) << best
        following = a & (SUIT << (10 * led))
        legal = following if following != 0 else a
    moves = legal & ~alike(a, present) if only == _EVERY else legal & only
    value, value_card, group = np.int64(-1), np.int64(-1), np.int64(0)
    while moves != 0 and value < need:
        if place == 0:
            now = _lead_group(group, moves, first, a, b, c, d)
        else:
            now = _answer_group(group, moves, best, best_at, place, led)
        moves &= ~now
        while now != 0 and value < need:
            card = highest(now) if place == 0 and group <= 1 else lowest(now)
            now ^= np.int64(1) << card
            h0, h1, h2, h3, suit, top, top_at, pile, own, rest, turned = step(
                a, b, c, d, card, place, led, best, best_at, on_table, total
            )
            found = rest
            if h0 != 0:
                asked = rest - need + 1 if turned else need - own
                found = _search(
                    h0, h1, h2, h3, (place + 1) & 3, suit, top, top_at, pile, asked, rest, every, memory, tables
                )
            result = own + (rest - found if turned else found)
            if result > value:
                value, value_card = result, card
        group += 1
    if kept:
        low, high = (max(low, value), high) if value >= need else (low, min(high, value))
        memory[slot, 0] = (key_0 << 9) | (low << 3) | ((value_card + 1) >> 3)
        memory[slot, 1] = (key_1 << 9) | (high << 3) | ((value_card + 1) & 7)
    return value


@kernel
def settle(
    hands: tuple[Int, Int, Int, Int], table: tuple[Int, Int, Int, Int, Int], only: Int, taken: Int, unit: Int,
    guess: Int, memory: Ints, tables: Ints,
) -> Int:  # fmt: skip
    """What the side to act gets: a number of thirds right to the unit (1, or 3 where only whole points count).

    `taken` are the thirds it has already, on top of which whole points are counted; `guess` is where to begin.
    """
    a, b, c, d = hands
    place, led, best, best_at, on_table = table
    total = LAST_TRICK_THIRDS + worth_of(a | b | c | d) + on_table
    low, high = np.int64(0), total
    while (taken + low) // unit < (taken + high) // unit:
        level = min(max((taken + guess) // unit, (taken + low) // unit + 1), (taken + high) // unit)
        need = level * unit - taken
        found = _search(a, b, c, d, place, led, best, best_at, on_table, need, total, only, memory, tables)
        if found >= need:
            low = found
            guess = found + unit
        else:
            high = found
            guess = found
    return low


@kernel
def every_card(
    hands: tuple[Int, Int, Int, Int], table: tuple[Int, Int, Int, Int, Int], legal: Int, taken: Int, unit: Int,
    guess: Int, memory: Ints, tables: Ints, values: Ints,
) -> Int:  # fmt: skip
    """Fill values[card] for every legal card; gives the highest."""
    a, b, c, d = hands
    present = a | b | c | d
    if table[0] > 0:
        present |= np.int64(1) << table[2]
    same, best, value, left = alike(a, present), np.int64(-1), guess, legal
    while left != 0:
        card = highest(left)
        bit = np.int64(1) << card
        left ^= bit
        if same & bit == 0:  # else it is worth what the card above it, the last one valued, is worth
            value = settle(hands, table, bit, taken, unit, value, memory, tables)
        values[card] = value
        best = max(best, value)
    return best


def solve(hands: Sequence[int], leader: int = 0) -> int:
    """Thirds that the leader's side gets of all there is to get, everyone playing perfectly.

    Args:
        hands: Four masks of equally many cards, in order of play.
        leader: The seat that leads.
    """
    sizes = {int(hand).bit_count() for hand in hands}
    together = int(np.bitwise_or.reduce(np.asarray(hands, np.int64)))
    if len(hands) != 4 or len(sizes) != 1 or together.bit_count() != 4 * max(sizes) or not together:
        raise IllegalError(f"four hands of equally many cards, none held twice, are solved; these are {_shown(hands)}")
    a, b, c, d = (np.int64(hands[(leader + k) & 3]) for k in range(4))
    nothing = np.int64(0)
    lead, middle = (
        (nothing, nothing, nothing, nothing, nothing),
        np.int64((worth_of(together) + LAST_TRICK_THIRDS) // 2),
    )
    memory = memory_for(max(sizes))
    return int(settle((a, b, c, d), lead, np.int64(_EVERY), np.int64(0), np.int64(1), middle, memory, tables()))


def _shown(hands: Sequence[int]) -> str:
    return "; ".join(ITALIAN.text(ITALIAN.unmask(int(hand))) or "none" for hand in hands)


def values_of_rounds(rounds: Rounds) -> Ints:
    """[n, 40] thirds that the side to act gets from here on (what lies on the table included) by each legal card.

    Cards that are not legal have -1. Everyone sees all cards and plays perfectly afterwards.
    """
    values = np.full((len(rounds), 40), -1, np.int64)
    most = 10 - int(rounds.count.min()) // 4
    _values_of_rows(rounds.hands, rounds.played, rounds.count, rounds.turn, memory_for(max(most, 1)), tables(), values)
    return values


def card_values(rounds: Rounds) -> dict[Card, int]:
    """What every legal card of one round is worth: `values_of_rounds` of a batch of one."""
    return {Card(k, ITALIAN): int(value) for k, value in enumerate(values_of_rounds(rounds)[0]) if value >= 0}


@kernel
def _values_of_rows(
    hands: Ints, played: NDArray[np.int8], count: Ints, turn: NDArray[np.int8], memory: Ints, tables: Ints, values: Ints
) -> None:
    for i in range(len(hands)):
        if count[i] == 40:
            continue
        t = np.int64(turn[i])
        turned = (hands[i, t], hands[i, (t + 1) & 3], hands[i, (t + 2) & 3], hands[i, (t + 3) & 3])
        led, best, owner, on_table = trick_stands(played[i], count[i])
        left = LAST_TRICK_THIRDS + worth_of(turned[0] | turned[1] | turned[2] | turned[3]) + on_table
        table = (count[i] & 3, led, best, owner, on_table)
        legal = legal_cards(turned[0], led)
        every_card(turned, table, legal, np.int64(0), np.int64(1), left // 2, memory, tables, values[i])
