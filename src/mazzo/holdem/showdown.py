"""Who wins a showdown: the value of any hand of one to seven cards, a few nanoseconds each.

Every card has a 64-bit key, and the keys of a hand's cards add up, so that the board's part is summed once and each
player's cards are added to it. A key holds, from the lowest bit: a weight for its rank (36 bits), a counter for each
suit (4 x 4 bits). No two multisets of up to seven ranks have the same sum of weights; its upper bits are a row, its
lower ones the place in the row, and rows are laid over each other where they have gaps (180 kB in all): two look-ups
give the value. Where a counter shows a flush, the suit's thirteen bits are looked up instead.

A value is `category << 12 | ordinal`, the ordinal counting the category's classes from its weakest: higher wins, equal
shares. Hands of five, six and seven cards have the values of the 7,462 classes of five; hands of fewer cards have no
straights or flushes and compare only with hands of as many cards.

>>> from mazzo.cards import FRENCH
>>> describe(evaluate_one(FRENCH.parse("As Kd Ah Kc Qd 7h 2c")))
'two pair, aces and kings, queen kicker'
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mazzo.errors import IllegalError
from mazzo.holdem.showdown_tables import (
    CATEGORIES,
    FLUSH,
    FLUSHES,
    MOST_CARDS,
    ROW_SHIFT,
    STRAIGHT_FLUSH,
    SUITS_SHIFT,
    VALUES,
    ShowdownTables,
    built,
    tables,
)
from mazzo.jit import inlined, tight, tight_helper

__all__ = [
    "CATEGORIES",
    "ShowdownTables",
    "category",
    "describe",
    "evaluate",
    "evaluate_one",
    "flush_place",
    "hand_value",
    "has_flush",
    "in_suit",
    "ordinal",
    "rank_value",
    "suited_value",
    "tables",
]

# Where things are in a key.
_ROW_SHIFT = np.uint64(ROW_SHIFT)
_ROW_MASK = np.uint64(0x1FFF)
_PLACE_MASK = np.uint64((1 << ROW_SHIFT) - 1)
# Three added to each suit's counter makes five of a suit set its fourth bit.
_THREE_OF_EACH = np.uint64(0x3333 << SUITS_SHIFT)
_FIVE_OF_ANY = np.uint64(0x8888 << SUITS_SHIFT)
_FIVE_OF_FIRST = np.uint64(0x0008 << SUITS_SHIFT)
_FIVE_OF_SECOND = np.uint64(0x0080 << SUITS_SHIFT)
_FIVE_OF_THIRD = np.uint64(0x0800 << SUITS_SHIFT)
_SUIT_BITS = np.uint64(0x1FFF)
_NO_CARD = np.uint64(1 << 56)  # above all that; up to seven of it add up
_FIVE_OR_NO_CARD = _FIVE_OF_ANY | np.uint64(7 << 56)

_BLOCK = 1 << 16  # hands of seven cards that are ranked before the flushes among them are valued

_ONE, _TWO, _THREE, _FOUR, _FIVE, _SIX, _SEVEN = (np.uint64(n) for n in range(1, 8))  # steps without a test of sign


@inlined
def has_flush(key: Any) -> Any:
    """Whether the sum of a hand's keys shows five cards of a suit."""
    return ((key + _THREE_OF_EACH) & _FIVE_OF_ANY) != np.uint64(0)


@tight_helper
def flush_place(key: np.uint64, suits: np.uint64) -> np.uint64:
    """Where in the table the value of a hand with a flush is."""
    fives = (key + _THREE_OF_EACH) & _FIVE_OF_ANY
    suit = np.uint64(fives > _FIVE_OF_FIRST) + np.uint64(fives > _FIVE_OF_SECOND) + np.uint64(fives > _FIVE_OF_THIRD)
    lane = suit << np.uint64(4)
    return FLUSHES + ((suits >> lane) & _SUIT_BITS)


@inlined
def suited_value(ranks: Any, table: Any) -> Any:
    """The value of five or more cards of one suit, from the bits of their ranks."""
    return table[FLUSHES + np.uint64(ranks)]


@inlined
def in_suit(key: Any, suit: Any) -> Any:
    """How many cards of a suit are in the sum of keys."""
    return np.int64((key >> np.uint64(SUITS_SHIFT + 4 * suit)) & np.uint64(15))


@inlined
def rank_value(key: Any, table: Any) -> Any:
    """The value of a hand from the sum of its cards' `keys`, where it has no flush."""
    row = np.uint64(table[(key >> _ROW_SHIFT) & _ROW_MASK])
    return table[VALUES + row + row + (key & _PLACE_MASK)]


@inlined
def hand_value(key: Any, suits: Any, table: Any) -> Any:
    """The value of a hand from the sums of its cards' `keys` and `suits`."""
    if has_flush(key):
        value = table[flush_place(key, suits)]
    else:
        value = rank_value(key, table)
    return value


@inlined
def _sum_of_seven(cards: Any, at: Any, numbers: Any) -> Any:
    """The numbers of seven cards that lie one after the other, added up."""
    first = numbers[cards[at]] + numbers[cards[at + _ONE]] + numbers[cards[at + _TWO]] + numbers[cards[at + _THREE]]
    return first + numbers[cards[at + _FOUR]] + numbers[cards[at + _FIVE]] + numbers[cards[at + _SIX]]


@tight
def _rank_sevens(cards: Any, keys: Any, table: Any, out: Any, left: Any) -> Any:
    """Value hands of seven cards, one after the other in `cards`, as if there were no flushes.

    Those that have one, or a byte that is no card, are listed in `left`, and their number is returned: one hand in 33.
    A branch for them would be guessed wrong as often, and each time the look-ups of the next hands would begin again.
    """
    at, found = np.uint64(0), np.uint64(0)
    for row in range(np.uint64(len(out))):
        key = _sum_of_seven(cards, at, keys)
        out[row] = rank_value(key, table)
        left[found] = row
        found += np.uint64(((key + _THREE_OF_EACH) & _FIVE_OR_NO_CARD) != np.uint64(0))
        at += _SEVEN
    return found


@tight
def _flush_sevens(cards: Any, rows: Any, keys: Any, suits: Any, table: Any, out: Any) -> Any:
    """Value those rows that have a flush; False where a byte of theirs is no card."""
    seen = np.uint64(0)
    for k in range(np.uint64(len(rows))):
        at = np.uint64(rows[k]) * _SEVEN
        key = _sum_of_seven(cards, at, keys)
        seen |= key
        out[rows[k]] = table[flush_place(key, _sum_of_seven(cards, at, suits))]
    return seen < _NO_CARD


def _evaluate_sevens(
    rows: NDArray[np.uint8], keys: NDArray[np.uint64], suits: Any, table: Any, out: NDArray[np.uint16]
) -> bool:
    """Value hands of seven cards, block by block; False where a byte is no card."""
    left, good = np.empty(min(len(out), _BLOCK), dtype=np.uint32), True
    for begin in range(0, len(out), _BLOCK):
        values, cards = out[begin : begin + _BLOCK], rows[begin : begin + _BLOCK].reshape(-1)
        found = int(_rank_sevens(cards, keys, table, values, left))
        good &= bool(_flush_sevens(cards, left[:found], keys, suits, table, values))
    return good


@tight
def _evaluate_rows(cards: Any, keys: Any, suits: Any, table: Any, out: Any) -> Any:
    """Value hands of any number of cards; False where a byte of theirs is no card."""
    seen = np.uint64(0)
    for row in range(len(cards)):
        key, bits = np.uint64(0), np.uint64(0)
        for k in range(cards.shape[1]):
            key += keys[cards[row, k]]
            bits |= suits[cards[row, k]]
        out[row] = hand_value(key, bits, table)
        seen |= key
    return seen < _NO_CARD


def evaluate(cards: ArrayLike) -> NDArray[np.uint16]:
    """Values of many hands at once: one hand a row, one to seven cards each. Cards must differ within a row."""
    given = np.asarray(cards)
    if given.ndim != 2 or not 1 <= given.shape[1] <= MOST_CARDS:
        raise IllegalError(f"hands are rows of one to seven cards, not an array of shape {given.shape}")
    count = len(given)
    out = np.empty(count, dtype=np.uint16)
    # Bytes are checked where they are looked up; other numbers must not become cards by being made bytes.
    cards_only = given.dtype == np.uint8 or (given.dtype.kind in "iu" and not ((given < 0) | (given > 51)).any())
    if count and cards_only:
        rows, (_, suits, table), keys = np.ascontiguousarray(given, dtype=np.uint8), tables(), _checked_keys()
        if given.shape[1] == MOST_CARDS:
            cards_only = _evaluate_sevens(rows, keys, suits, table, out)
        else:
            cards_only = _evaluate_rows(rows, keys, suits, table, out)
    if count and not cards_only:
        raise IllegalError("cards are whole numbers from 0 (two of clubs) to 51 (ace of spades)")
    return out


@cache
def _checked_keys() -> NDArray[np.uint64]:
    """The keys of the cards, and for every other byte one that shows in the sum."""
    keys = tables().keys.copy()
    keys[52:] = _NO_CARD
    return keys


def evaluate_one(cards: Iterable[int]) -> int:
    """The value of one hand of one to seven cards."""
    row = [int(card) for card in cards]
    if len(set(row)) != len(row):
        raise IllegalError("the hand has a duplicate card")
    return int(evaluate(np.array([row], dtype=np.int64))[0])


def category(values: Any) -> Any:
    """The category of a value or of an array of values: 0 high card ... 8 straight flush."""
    return values >> 12


def ordinal(values: Any) -> Any:
    """The place of a value or of an array of values within its category, 0 the weakest."""
    return values & 0xFFF


_RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")


def describe(value: int, cards: int = 5) -> str:
    """A value in words; `cards` is the size of the hand where that is less than five."""
    kind, ranks = kind_and_ranks(value, cards)
    return _in_words(kind, ranks)


def kind_and_ranks(value: int, cards: int = 5) -> tuple[int, list[int]]:
    """What a value is: its category, and the ranks (0 is a two) that tell it from others, the weightiest first."""
    classes = built().classes[min(cards, 5)]
    kind = int(category(int(value)))
    place = int(np.searchsorted(classes, kind << 20)) + int(ordinal(int(value)))
    if not 0 <= place < len(classes) or int(classes[place]) >> 20 != kind:
        raise IllegalError(f"{value} is not the value of a hand of {cards} cards")
    packed = int(classes[place])
    return kind, [(packed >> shift & 15) - 1 for shift in (16, 12, 8, 4, 0) if packed >> shift & 15]


def _in_words(kind: int, ranks: list[int]) -> str:
    names = [_RANKS[rank] for rank in ranks]
    first, rest = names[0], names[1:]
    if kind == STRAIGHT_FLUSH:
        return "royal flush" if first == "ace" else f"straight flush, {first} high"
    if kind == 7:
        return f"four of a kind, {_plural(first)}{_kicker_words(rest)}"
    if kind == 6:
        return f"full house, {_plural(first)} over {_plural(rest[0])}"
    if kind == FLUSH:
        return f"flush, {' '.join(names)}"
    if kind == 4:
        return f"straight, {first} high"
    if kind == 3:
        return f"three of a kind, {_plural(first)}{_kicker_words(rest)}"
    if kind == 2:
        return f"two pair, {_plural(first)} and {_plural(rest[0])}{_kicker_words(rest[1:])}"
    if kind == 1:
        return f"pair of {_plural(first)}{_kicker_words(rest)}"
    return f"high card, {' '.join(names)}"


def _plural(name: str) -> str:
    return f"{name}es" if name == "six" else f"{name}s"


def _kicker_words(names: list[str]) -> str:
    if not names:
        return ""
    return f", {' '.join(names)} kicker{'s' if len(names) > 1 else ''}"
