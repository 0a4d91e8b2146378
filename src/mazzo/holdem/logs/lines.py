"""Kernels for the competition's log lines: bytes in, replayed hands out, and back.

Nothing here knows the rules: every action goes through `legal` and `apply`. A line that is not in order only gets a
number here; the words for it are found by reading it again, slowly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Bytes, Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.kernels import apply, begin, legal
from mazzo.jit import inlined, kernel, tight

__all__ = [
    "BETTING", "CARDS", "FIELDS", "FORM", "FREE_FOLD", "GLYPHS", "HOUSE", "IN_ORDER", "NET", "NUMBER", "PLAYERS",
    "UNDECIDED", "UNFINISHED", "WRONG_NET", "Arrays", "NameTable", "decided_rows", "enter_names", "find_lines",
    "read_lines", "split_lines",
]  # fmt: skip


FIELDS = 5  # number, betting, cards, net, players: where each begins and ends

# How a line fared.
IN_ORDER, FORM, NUMBER, BETTING, CARDS, NET, PLAYERS, UNFINISHED, WRONG_NET = range(9)

# What else is to be said of a hand in order, as bits.
FREE_FOLD = 1
UNDECIDED = 2  # the cards that decide it are not all known
HOUSE = 4  # a room's hand whose accounts are right, but with rake, a bonus or a second board in them

_SUITS = 16
GLYPHS = np.full(256, -1, np.int64)
"""What a byte means in a card: a rank from 0, a suit from 16, or nothing (-1)."""
GLYPHS[list(b"23456789TJQKA")] = range(13)
GLYPHS[list(b"cdhs")] = range(_SUITS, _SUITS + 4)

_COLON, _BAR, _SLASH, _NEWLINE, _RETURN, _SPACE, _DOT, _MINUS = 58, 124, 47, 10, 13, 32, 46, 45


def find_lines(data: Bytes) -> Ints:
    """Where the lines of a text begin and end (line ends not included), one row a line."""
    breaks = np.flatnonzero(data == _NEWLINE)
    out = np.zeros((len(breaks) + 1, 2), np.int64)
    out[1:, 0], out[:-1, 1], out[-1, 1] = breaks + 1, breaks, len(data)
    ends = out[:, 1]
    for most in (1, None):  # most lines end with one such character or none: the few others one by one
        blank = np.flatnonzero(ends > out[:, 0])
        blank = blank[(data[ends[blank] - 1] == _RETURN) | (data[ends[blank] - 1] == _SPACE)]
        if most:
            ends[blank] -= most
        else:
            for k in blank.tolist():
                ends[k] = out[k, 0] + len(data[out[k, 0] : ends[k]].tobytes().rstrip(b"\r "))
    return out


@kernel
def split_lines(data: Bytes, lines: Ints, fields: Ints) -> int:
    """Where the five fields of each line are, for the old form and the new; gives the longest betting.

    fields[k, 0] is -1 where a line has not the form of a hand.
    """
    longest = 0
    marks = np.zeros(6, np.int64)
    for k in range(len(lines)):
        start, end = lines[k, 0], lines[k, 1]
        fields[k, 0] = -1
        state = (
            end - start > 6
            and data[start] == 83
            and data[start + 1] == 84
            and data[start + 2] == 65
            and data[start + 3] == 84
            and data[start + 4] == 69
            and data[start + 5] == _COLON
        )
        first = start + 6 if state else start
        # New form: what follows the fourth colon are the names, which may hold more of them. Old form: the names come
        # first, and a colon may end the line.
        found, marks[0] = 1, first
        if not state and end > start and data[end - 1] == _COLON:
            end -= 1
        for at in range(first, end):
            if data[at] == _COLON:
                if found < 6:
                    marks[found] = at + 1
                found += 1
                if state and found == FIELDS:
                    break
        if found != FIELDS:
            continue
        marks[FIELDS] = end + 1
        # the old form names the players first, the new one last
        for f in range(5):
            source = f if state else (f + 1) % 5
            fields[k, 2 * f], fields[k, 2 * f + 1] = marks[source], marks[source + 1] - 1
        longest = max(longest, fields[k, 3] - fields[k, 2])
    return longest


@inlined
def _read_number(data: Bytes, at: int, end: int) -> tuple[int, int]:
    """A whole number of at most 18 digits and where it ends; -1 where there is none."""
    value, start = 0, at
    while at < end and 48 <= data[at] <= 57 and at - start < 18:
        value = 10 * value + data[at] - 48
        at += 1
    return value if at > start else -1, at


@inlined
def _bet(data: Bytes, at: int, end: int, rules: Ints, state: Ints, history: Ints, i: int) -> tuple[int, int]:
    """Replay the betting; gives how that went and the flags."""
    flags, round_ = 0, 0
    limit = rules[state[i, c.GAME], c.LIMIT]
    while at < end:
        byte = data[at]
        at += 1
        if byte == _SLASH:
            round_ += 1
            if round_ > state[i, c.ROUND]:
                return BETTING, flags
            continue
        if state[i, c.ACTOR] < 0 or state[i, c.ROUND] != round_:
            return BETTING, flags
        owed, low, high = legal(rules, state, i)
        action = c.CALL
        if byte == 102:  # f
            action = c.FOLD
            if owed == 0:
                flags |= FREE_FOLD
        elif byte == 114:  # r
            size, at = _read_number(data, at, end)
            action = high if limit else size
            if high == 0 or action < low or action > high or (limit and size >= 0):  # an amount is of another game
                return BETTING, flags
        elif byte != 99:  # c
            return BETTING, flags
        apply(rules, state, history, i, action)
    return UNFINISHED if state[i, c.ACTOR] >= 0 else IN_ORDER, flags


@inlined
def _read_cards(
    data: Bytes, at: int, end: int, glyphs: Ints, cards: Bytes, i: int, first: int, size: int, seen: int
) -> tuple[int, int]:
    """A group of cards, or none (unknown ones); gives where it ends (-1: not in order) and the cards seen so far."""
    count = 0
    while at + 1 < end and count < size and data[at] != _BAR and data[at] != _SLASH:
        rank, suit = glyphs[data[at]], glyphs[data[at + 1]] - _SUITS
        card = 4 * rank + suit
        if rank < 0 or rank >= _SUITS or suit < 0 or seen >> card & 1:
            return -1, seen
        seen |= 1 << card
        cards[i, first + count] = card
        count += 1
        at += 2
    if count not in (0, size) or (at < end and data[at] != _BAR and data[at] != _SLASH):
        return -1, seen
    return at, seen


@inlined
def _lay_cards(
    data: Bytes, at: int, end: int, glyphs: Ints, rules: Ints, state: Ints, cards: Bytes, i: int, deck: int
) -> int:
    """Read hole and board cards."""
    g = state[i, c.GAME]
    players, hole = rules[g, c.PLAYERS], rules[g, c.HOLE_CARDS]
    seen = ~deck
    for p in range(players):
        if p > 0:
            if at >= end or data[at] != _BAR:
                return CARDS
            at += 1
        at, seen = _read_cards(data, at, end, glyphs, cards, i, p * hole, hole, seen)
        if at < 0:
            return CARDS
    laid = 0
    for r in range(state[i, c.ROUND] + 1):
        size = rules[g, c.BOARD_SEEN + r] - laid
        if size > 0:
            if at < end:
                if data[at] != _SLASH:
                    return CARDS
                at, seen = _read_cards(data, at + 1, end, glyphs, cards, i, players * hole + laid, size, seen)
                if at < 0:
                    return CARDS
            laid += size
    return IN_ORDER if at == end else CARDS


@inlined
def _read_net(data: Bytes, at: int, end: int, players: int, given: NDArray[np.float64], i: int) -> int:
    """Read what each player won or lost, which may be a fraction; nothing at all leaves it unknown."""
    if at == end:
        return IN_ORDER
    for p in range(players):
        if p > 0:
            if at >= end or data[at] != _BAR:
                return NET
            at += 1
        negative = at < end and data[at] == _MINUS
        whole, at = _read_number(data, at + negative, end)
        if whole < 0:
            return NET
        value = float(whole)
        if at < end and data[at] == _DOT:
            digits, stop = _read_number(data, at + 1, end)
            if digits < 0:
                return NET
            value += digits / 10.0 ** (stop - at - 1)
            at = stop
        given[i, p] = -value if negative else value
    return IN_ORDER if at == end else NET


@inlined
def _find_name(data: Bytes, at: int, end: int, text: Bytes, known: Ints, slots: NDArray[np.int32]) -> int:
    """The number of a name, a new one if it was not known. known[0] counts names, known[1 + k] is where name k ends."""
    key = np.uint64(14695981039346656037)
    for k in range(at, end):
        key = (key ^ np.uint64(data[k])) * np.uint64(1099511628211)
    slot = int(np.int64((key ^ key >> np.uint64(29)) >> np.uint64(1))) % len(slots)
    while slots[slot] >= 0:
        name = int(slots[slot])
        start = known[name] if name else 0
        if known[name + 1] - start == end - at:
            k = 0
            while k < end - at and text[start + k] == data[at + k]:
                k += 1
            if k == end - at:
                return name
        slot = slot + 1 if slot + 1 < len(slots) else 0
    count = int(known[0])
    begin_at = known[count] if count else 0
    for k in range(end - at):
        text[begin_at + k] = data[at + k]
    known[0] = count + 1
    known[count + 1] = begin_at + end - at
    slots[slot] = count
    return count


@inlined
def _seat(
    data: Bytes,
    at: int,
    end: int,
    players: int,
    text: Bytes,
    known: Ints,
    slots: NDArray[np.int32],
    seating: NDArray[np.int32],
    i: int,
) -> int:
    """Read the players' names."""
    for p in range(players):
        stop = at
        while stop < end and data[stop] != _BAR:
            stop += 1
        if stop == at or (stop == end) != (p == players - 1):
            return PLAYERS
        seating[i, p] = _find_name(data, at, stop, text, known, slots)
        at = stop + 1
    return IN_ORDER


@tight
def decided_rows(rules: Ints, state: Ints, cards: Bytes, out: NDArray[np.bool_]) -> None:
    """Where the cards that decide a finished hand are known, or none are needed."""
    for i in range(len(state)):
        g, live = state[i, c.GAME], state[i, c.LIVE]
        players, hole = rules[g, c.PLAYERS], rules[g, c.HOLE_CARDS]
        out[i] = True
        if live & (live - 1):
            for card in range(players * hole + rules[g, c.BOARD_SEEN + rules[g, c.ROUNDS] - 1]):
                if (card >= players * hole or live >> (card // hole) & 1) and cards[i, card] == c.UNKNOWN:
                    out[i] = False


class Arrays(NamedTuple):
    """Room for a batch of hands while it is read."""

    state: Ints
    history: Ints
    cards: Bytes
    given: Floats
    seating: NDArray[np.int32]
    number: Ints
    status: Bytes
    flags: Bytes


class NameTable(NamedTuple):
    """Names met so far: their text one after another, how many and where each ends, and a hash table of them."""

    text: Bytes
    known: Ints
    slots: NDArray[np.int32]


@tight
def read_lines(
    data: Bytes, fields: Ints, glyphs: Ints, rules: Ints, decks: Ints, hands: Arrays, names: NameTable
) -> None:
    """Read and replay one hand a line. State rows hold game and chips; cards are unknown, `given` is NaN."""
    state, history, cards, given, seating, number, status, flags = hands
    for i in range(len(fields)):
        players = rules[state[i, c.GAME], c.PLAYERS]
        status[i] = FORM
        if fields[i, 0] < 0:
            continue
        number[i], stop = _read_number(data, fields[i, 0], fields[i, 1])
        if number[i] < 0 or stop != fields[i, 1]:
            status[i] = NUMBER
            continue
        begin(rules, state, i)
        code, extra = _bet(data, fields[i, 2], fields[i, 3], rules, state, history, i)
        if code == IN_ORDER:
            code = _lay_cards(data, fields[i, 4], fields[i, 5], glyphs, rules, state, cards, i, decks[state[i, c.GAME]])
        if code == IN_ORDER:
            code = _read_net(data, fields[i, 6], fields[i, 7], players, given, i)
        if code == IN_ORDER:
            code = _seat(data, fields[i, 8], fields[i, 9], players, names.text, names.known, names.slots, seating, i)
        status[i], flags[i] = code, extra


@tight
def enter_names(old_text: Bytes, old_known: Ints, text: Bytes, known: Ints, slots: NDArray[np.int32]) -> None:
    """Enter all names of one table in another, in order."""
    start = 0
    for name in range(old_known[0]):
        _find_name(old_text, start, old_known[name + 1], text, known, slots)
        start = old_known[name + 1]
