"""Who wins a showdown: the value of any hand of one to seven cards, a few nanoseconds each.

Every card has a 64-bit key, and the keys of a hand's cards add up, so that the board's part is summed once and each
player's cards are added to it. A key holds, from the lowest bit: a base-5 number whose digits count the cards of each
of the seven low ranks (17 bits); one for the six high ranks (15 bits); the number of cards (4 bits); a counter for
each suit (4 x 4 bits). The two rank numbers are a perfect hash of the 49,205 multisets of seven ranks (and of those of
six to one): the low halves that have the same number of cards are numbered, each high half has an offset, and the sum
of the two is the place of the value. Where a counter shows a flush, the suit's thirteen bits are looked up instead.

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
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mazzo.errors import IllegalError
from mazzo.holdem.packed import read_packed, write_packed
from mazzo.jit import helper, inlined, kernel, tight, tight_helper

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

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
"""Names of the categories, weakest first: `CATEGORIES[category(value)]`."""

_MOST_CARDS = 7
_MULTISETS = 13 + 91 + 455 + 1820 + 6175 + 18395 + 49205  # of one to seven ranks, no more than four of each

# Where things are in a key ...
_LOW_MASK = np.uint64((1 << 17) - 1)
_HIGH_SHIFT = np.uint64(17)
_HIGH_MASK = np.uint64((1 << 18) - 1)  # the number of cards included
_COUNT_SHIFT = np.uint64(32 - 16)  # the number of cards, times the room of a block of values
_COUNT_MASK = np.uint64(7 << 16)
_SUITS_SHIFT = 36
# Three added to each suit's counter makes five of a suit set its fourth bit.
_THREE_OF_EACH = np.uint64(0x3333 << _SUITS_SHIFT)
_FIVE_OF_ANY = np.uint64(0x8888 << _SUITS_SHIFT)
_FIVE_OF_FIRST = np.uint64(0x0008 << _SUITS_SHIFT)
_FIVE_OF_SECOND = np.uint64(0x0080 << _SUITS_SHIFT)
_FIVE_OF_THIRD = np.uint64(0x0800 << _SUITS_SHIFT)
_SUIT_BITS = np.uint64(0x1FFF)
_NO_CARD = np.uint64(1 << 56)  # above all that; up to seven of it add up
_FIVE_OR_NO_CARD = _FIVE_OF_ANY | np.uint64(7 << 56)

_ONE, _TWO, _THREE, _FOUR, _FIVE, _SIX, _SEVEN = (np.uint64(n) for n in range(1, 8))  # steps without a test of sign

# ... and in the table.
_OFFSETS = np.uint64(1 << 17)
_VALUES = np.uint64((1 << 17) + (1 << 18))
_FLUSHES = np.uint64((1 << 17) + (1 << 18) + (8 << 16))
_TABLE_SIZE = (1 << 17) + (1 << 18) + (8 << 16) + (1 << 13)

_FLUSH = 5
_STRAIGHT_FLUSH = 8


class ShowdownTables(NamedTuple):
    """What kernels need to value hands; passed to them as an argument, because globals are not frozen well."""

    keys: NDArray[np.uint64]
    """The key of each card. (256 entries, so that no byte reaches beyond: what is no card adds nothing.)"""
    suits: NDArray[np.uint64]
    """Each card as a bit: thirteen ranks in each of four lanes of sixteen bits. These add up as well."""
    table: NDArray[np.uint16]
    """Numbers of low halves, offsets of high halves, values of each number of cards, values of flushes."""


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
    return _FLUSHES + ((suits >> lane) & _SUIT_BITS)


@inlined
def suited_value(ranks: Any, table: Any) -> Any:
    """The value of five or more cards of one suit, from the bits of their ranks."""
    return table[_FLUSHES + np.uint64(ranks)]


@inlined
def in_suit(key: Any, suit: Any) -> Any:
    """How many cards of a suit are in the sum of keys."""
    return np.int64((key >> np.uint64(_SUITS_SHIFT + 4 * suit)) & np.uint64(15))


@inlined
def rank_value(key: Any, table: Any) -> Any:
    """The value of a hand from the sum of its cards' `keys`, where it has no flush."""
    block = np.uint64(table[_OFFSETS + ((key >> _HIGH_SHIFT) & _HIGH_MASK)])
    return table[_VALUES + ((key >> _COUNT_SHIFT) & _COUNT_MASK) + block + np.uint64(table[key & _LOW_MASK])]


@inlined
def hand_value(key: Any, suits: Any, table: Any) -> Any:
    """The value of a hand from the sums of its cards' `keys` and `suits`."""
    if has_flush(key):
        value = table[flush_place(key, suits)]
    else:
        value = rank_value(key, table)
    return value


@tight
def _rank_sevens(cards: Any, keys: Any, table: Any, out: Any, left: Any) -> Any:
    """Value hands of seven cards, one after the other in `cards`, as if there were no flushes.

    Those that have one, or a byte that is no card, are listed in `left`, and their number is returned: one hand in 33.
    A branch for them would be guessed wrong as often, and each time the look-ups of the next hands would begin again.
    """
    at, found = np.uint64(0), np.uint64(0)
    for row in range(np.uint64(len(out))):
        key = keys[cards[at]] + keys[cards[at + _ONE]] + keys[cards[at + _TWO]] + keys[cards[at + _THREE]]
        key += keys[cards[at + _FOUR]] + keys[cards[at + _FIVE]] + keys[cards[at + _SIX]]
        out[row] = rank_value(key, table)
        left[found] = row
        found += np.uint64(((key + _THREE_OF_EACH) & _FIVE_OR_NO_CARD) != np.uint64(0))
        at += _SEVEN
    return found


@tight
def _evaluate_rows(cards: Any, rows: Any, keys: Any, suits: Any, table: Any, out: Any) -> Any:
    """Value hands of any number of cards; False where a byte of theirs is no card."""
    seen = np.uint64(0)
    for row in rows:
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
    if given.ndim != 2 or not 1 <= given.shape[1] <= _MOST_CARDS:
        raise IllegalError(f"hands are rows of one to seven cards, not an array of shape {given.shape}")
    count = len(given)
    out = np.empty(count, dtype=np.uint16)
    # Bytes are checked where they are looked up; other numbers must not become cards by being made bytes.
    cards_only = given.dtype == np.uint8 or (given.dtype.kind in "iu" and not ((given < 0) | (given > 51)).any())
    if count and cards_only:
        rows, (_, suits, table), keys = np.ascontiguousarray(given, dtype=np.uint8), tables(), _checked_keys()
        if given.shape[1] == _MOST_CARDS:
            left = np.empty(count + 1, dtype=np.uint32)
            left = left[: int(_rank_sevens(rows.reshape(-1), keys, table, out, left))]
        else:
            left = np.arange(count, dtype=np.uint32)
        cards_only = _evaluate_rows(rows, left, keys, suits, table, out)
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
        raise IllegalError("a card stands twice in the hand")
    return int(evaluate(np.array([row], dtype=np.int64))[0])


def category(values: Any) -> Any:
    """The category of a value or of an array of values: 0 high card ... 8 straight flush."""
    return values >> 12


def ordinal(values: Any) -> Any:
    """The place of a value or of an array of values within its category, 0 the weakest."""
    return values & 0xFFF


@tight_helper
def _kickers(counts: Any, first: int, second: int, wanted: int) -> np.int64:
    """The highest other ranks, each plus one, in nibbles from the highest."""
    found, rank, packed = 0, 12, np.int64(0)
    while found < wanted and rank >= 0:
        if counts[rank] > 0 and rank != first and rank != second:
            packed = packed << 4 | (rank + 1)
            found += 1
        rank -= 1
    return packed


@tight_helper
def _straight_top(mask: int) -> int:
    """The highest rank of the best straight in a mask of ranks (the wheel's is 3, the five), or -1."""
    with_low_ace = (mask << 1) | (mask >> 12)
    runs = with_low_ace & (with_low_ace >> 1) & (with_low_ace >> 2) & (with_low_ace >> 3) & (with_low_ace >> 4)
    top = -1
    while runs:
        top += 1
        runs >>= 1
    return top + 3 if top >= 0 else -1


@tight_helper
def _pack(category: int, ranks: Any) -> np.int64:
    while ranks < 1 << 16:
        ranks <<= 4
    return np.int64(category) << 20 | np.int64(ranks)


@tight_helper
def _strength(counts: Any, cards: int) -> np.int64:
    """Category and deciding ranks of a hand without a flush, packed so that stronger is greater."""
    quad, trip, pair, second, mask = -1, -1, -1, -1, 0
    for rank in range(12, -1, -1):
        count = counts[rank]
        if count > 0:
            mask |= 1 << rank
        if count == 4 and quad < 0:
            quad = rank
        elif count >= 3 and trip < 0:
            trip = rank
        elif count >= 2 and pair < 0:
            pair = rank
        elif count >= 2 and second < 0:
            second = rank
    size = min(cards, 5)
    straight = _straight_top(mask) if size == 5 else -1
    if quad >= 0:
        return _pack(7, (quad + 1) << 4 * (size - 4) | _kickers(counts, quad, -1, size - 4))
    if trip >= 0 and pair >= 0:
        return _pack(6, (trip + 1) << 4 | (pair + 1))
    if straight >= 0:
        return _pack(4, straight + 1)
    if trip >= 0:
        return _pack(3, (trip + 1) << 4 * (size - 3) | _kickers(counts, trip, -1, size - 3))
    if second >= 0:
        return _pack(2, ((pair + 1) << 4 | (second + 1)) << 4 * (size - 4) | _kickers(counts, pair, second, size - 4))
    if pair >= 0:
        return _pack(1, (pair + 1) << 4 * (size - 2) | _kickers(counts, pair, -1, size - 2))
    return _pack(0, _kickers(counts, -1, -1, size))


@helper
def _digit_sums(states: int) -> Any:
    """The sum of the base-5 digits of every number below `states`: how many cards half a hand has."""
    sums = np.zeros(states, dtype=np.int64)
    for state in range(1, states):
        sums[state] = sums[state // 5] + state % 5
    return sums


@kernel
def _number_halves(table: Any) -> Any:
    """Write numbers and offsets into the table; return the place of every multiset of ranks and its strength."""
    cards_low, cards_high = _digit_sums(5**7), _digit_sums(5**6)
    found = np.zeros(8, dtype=np.int64)
    states = np.zeros((8, 2000), dtype=np.int64)
    for state in range(len(cards_low)):
        cards = cards_low[state]
        if cards <= 7:
            table[state] = found[cards]
            states[cards, found[cards]] = state
            found[cards] += 1
    places = np.empty(_MULTISETS, dtype=np.int64)
    strengths = np.empty(_MULTISETS, dtype=np.int64)
    at = 0
    for cards in range(1, 8):
        block = 0
        for high in range(len(cards_high)):
            below = cards - cards_high[high]
            if below >= 0:
                table[int(_OFFSETS) + (cards << 15) + high] = block
                for k in range(found[below]):
                    places[at] = int(_VALUES) + (cards << 16) + block + k
                    strengths[at] = _strength(_counts(states[below, k], high), cards)
                    at += 1
                block += found[below]
    return places, strengths


@helper
def _counts(low: int, high: int) -> Any:
    """How many cards of each rank the two halves have."""
    counts = np.zeros(13, dtype=np.int64)
    for rank in range(13):
        if rank < 7:
            counts[rank] = low % 5
            low //= 5
        else:
            counts[rank] = high % 5
            high //= 5
    return counts


@kernel
def _flush_strengths() -> Any:
    """The strength of every set of at least five ranks of one suit; 0 for smaller sets."""
    strengths = np.zeros(1 << 13, dtype=np.int64)
    counts = np.zeros(13, dtype=np.int64)
    for mask in range(1 << 13):
        ranks = 0
        for rank in range(13):
            counts[rank] = mask >> rank & 1
            ranks += counts[rank]
        if ranks >= 5:
            top = _straight_top(mask)
            if top >= 0:
                strengths[mask] = _pack(_STRAIGHT_FLUSH, top + 1)
            else:
                strengths[mask] = _pack(_FLUSH, _kickers(counts, -1, -1, 5))
    return strengths


def _numbered(strengths: NDArray[np.int64], classes: NDArray[np.int64]) -> NDArray[np.uint16]:
    """Strengths as values: their category, and their place in it among the sorted classes."""
    categories = strengths >> 20
    first = np.searchsorted(classes, np.arange(len(CATEGORIES), dtype=np.int64) << 20)
    ordinals = np.searchsorted(classes, strengths) - first[categories]
    return np.asarray(categories << 12 | ordinals, dtype=np.uint16)


class _Built(NamedTuple):
    tables: ShowdownTables
    classes: dict[int, NDArray[np.int64]]
    """The strengths that hands of one to five cards can have, sorted."""


_SHIPPED = Path(__file__).with_name("showdown.bin")
_TITLE = b"mazzo hold'em showdown tables, version 1\n"
_CLASSES = {1: 13, 2: 91, 3: 455, 4: 1820, 5: 7462}  # different strengths of so many cards
_TABLE_BYTES = 2 * _TABLE_SIZE


@cache
def _built() -> _Built:
    """The tables that come with Mazzo: to build them is quick, but to compile what builds them is not."""
    return _read(_SHIPPED) or _build()


def _read(path: Path) -> _Built | None:
    numbers = read_packed(path, _TITLE, _TABLE_BYTES + 8 * sum(_CLASSES.values()))
    if numbers is None:
        return None
    table = np.frombuffer(numbers[:_TABLE_BYTES], dtype="<u2").astype(np.uint16)
    strengths = np.frombuffer(numbers[_TABLE_BYTES:], dtype="<i8").astype(np.int64)
    parts = np.split(strengths, np.cumsum(list(_CLASSES.values()))[:-1])
    return _Built(ShowdownTables(*_card_constants(), table), dict(zip(_CLASSES, parts, strict=True)))


def _write(path: Path, built: _Built) -> None:
    strengths = np.concatenate([built.classes[n] for n in _CLASSES])
    write_packed(path, _TITLE, built.tables.table.astype("<u2").tobytes() + strengths.astype("<i8").tobytes(), 19)


def _build() -> _Built:
    table = np.zeros(_TABLE_SIZE, dtype=np.uint16)
    places, strengths = _number_halves(table)
    flush_strengths = _flush_strengths()
    cards = (places - int(_VALUES)) >> 16
    classes = {n: np.unique(strengths[cards == n]) for n in range(1, 6)}
    classes[5] = np.union1d(classes[5], flush_strengths[flush_strengths > 0])
    for n in range(1, _MOST_CARDS + 1):
        table[places[cards == n]] = _numbered(strengths[cards == n], classes[min(n, 5)])
    table[int(_FLUSHES) :] = _numbered(flush_strengths, classes[5])
    return _Built(ShowdownTables(*_card_constants(), table), classes)


def _card_constants() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    keys, suits = np.zeros(256, dtype=np.uint64), np.zeros(256, dtype=np.uint64)
    for card in range(52):
        rank, suit = divmod(card, 4)
        half = 5**rank if rank < 7 else 5 ** (rank - 7) << 17
        keys[card] = half | 1 << 32 | 1 << (_SUITS_SHIFT + 4 * suit)
        suits[card] = 1 << (16 * suit + rank)
    return keys, suits


def tables() -> ShowdownTables:
    """The tables, read once a process in a few milliseconds."""
    return _built().tables


_RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")


def describe(value: int, cards: int = 5) -> str:
    """A value in words; `cards` is the size of the hand where that is less than five."""
    kind, ranks = kind_and_ranks(value, cards)
    return _in_words(kind, ranks)


def kind_and_ranks(value: int, cards: int = 5) -> tuple[int, list[int]]:
    """What a value is: its category, and the ranks (0 is a two) that tell it from others, the weightiest first."""
    classes = _built().classes[min(cards, 5)]
    kind = int(category(int(value)))
    place = int(np.searchsorted(classes, kind << 20)) + int(ordinal(int(value)))
    if not 0 <= place < len(classes) or int(classes[place]) >> 20 != kind:
        raise IllegalError(f"{value} is not the value of a hand of {cards} cards")
    packed = int(classes[place])
    return kind, [(packed >> shift & 15) - 1 for shift in (16, 12, 8, 4, 0) if packed >> shift & 15]


def _in_words(kind: int, ranks: list[int]) -> str:
    names = [_RANKS[rank] for rank in ranks]
    first, rest = names[0], names[1:]
    if kind == _STRAIGHT_FLUSH:
        return "royal flush" if first == "ace" else f"straight flush, {first} high"
    if kind == 7:
        return f"four of a kind, {_plural(first)}{_kicker_words(rest)}"
    if kind == 6:
        return f"full house, {_plural(first)} over {_plural(rest[0])}"
    if kind == _FLUSH:
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
