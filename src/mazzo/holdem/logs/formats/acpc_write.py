"""Hands as the competition's log lines, many at a time: the new form (`STATE:`) and the old."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Bytes, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.logs.files import new_file
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.rules import Rules
from mazzo.jit import inlined, kernel

__all__ = ["acpc_text", "old_line", "table_lines", "write_acpc"]

_COLON, _BAR, _SLASH, _NEWLINE, _DOT, _MINUS = 58, 124, 47, 10, 46, 45


class _Letters(NamedTuple):
    """What lines are written with."""

    head: Bytes
    ranks: Bytes
    suits: Bytes


_LETTERS = _Letters(*(np.frombuffer(text, np.uint8) for text in (b"STATE:", b"23456789TJQKA", b"cdhs")))


@inlined
def _put_number(out: Bytes, at: int, value: int) -> int:
    """Write a whole number that is not negative; gives where it ends."""
    digits, rest = 1, value
    while rest >= 10:
        rest //= 10
        digits += 1
    end = at + digits
    for k in range(digits):
        out[end - 1 - k] = 48 + value % 10
        value //= 10
    return end


@inlined
def _put_betting(out: Bytes, at: int, limit: int, state: Ints, history: Ints, i: int) -> int:
    round_ = 0
    for j in range(state[i, c.COUNT] + 1):
        while round_ < state[i, c.ROUND] and state[i, c.ROUND_AT + round_ + 1] <= j:
            out[at] = _SLASH
            at += 1
            round_ += 1
        if j < state[i, c.COUNT]:
            action = history[i, j] >> c.ACTOR_BITS
            out[at] = 114 if action >= c.RAISE else 99 if action == c.CALL else 102
            at += 1
            if action >= c.RAISE and not limit:
                at = _put_number(out, at, action)
    return at


@inlined
def _put_cards(out: Bytes, at: int, rules: Ints, state: Ints, cards: Bytes, i: int, ranks: Bytes, suits: Bytes) -> int:
    g = state[i, c.GAME]
    hole, first = rules[g, c.HOLE_CARDS], rules[g, c.HOLE_CARDS] * rules[g, c.PLAYERS]
    shown = first + rules[g, c.BOARD_SEEN + state[i, c.ROUND]]
    round_ = 0
    for k in range(shown):
        if k >= first:
            begins = k == first
            while k - first >= rules[g, c.BOARD_SEEN + round_]:
                round_ += 1
                begins = True
            if begins:
                out[at] = _SLASH
                at += 1
        elif k > 0 and k % hole == 0:
            out[at] = _BAR
            at += 1
        if cards[i, k] != c.UNKNOWN:
            out[at], out[at + 1] = ranks[cards[i, k] >> 2], suits[cards[i, k] & 3]
            at += 2
    return at


@inlined
def _put_net(out: Bytes, at: int, players: int, net: NDArray[np.float64], i: int) -> int:
    """What each player won or lost, with up to six digits after the point; nothing where it is not known."""
    for p in range(players):
        if np.isnan(net[i, p]):
            return at
    for p in range(players):
        if p:
            out[at] = _BAR
            at += 1
        parts = int(np.rint(abs(net[i, p]) * 1_000_000))
        if net[i, p] < 0 and parts:
            out[at] = _MINUS
            at += 1
        at = _put_number(out, at, parts // 1_000_000)
        parts %= 1_000_000
        if parts:
            out[at] = _DOT
            at += 1
            for _ in range(6):
                out[at] = 48 + parts // 100_000
                parts = parts % 100_000 * 10
                at += 1
            while out[at - 1] == 48:
                at -= 1
    return at


@inlined
def _put_names(out: Bytes, at: int, players: int, seating: NDArray[np.int32], i: int, text: Bytes, ends: Ints) -> int:
    for p in range(players):
        if p:
            out[at] = _BAR
            at += 1
        who = seating[i, p]
        for k in range(ends[who], ends[who + 1]):
            out[at] = text[k]
            at += 1
    return at


@kernel
def _write(
    rules: Ints,
    state: Ints,
    history: Ints,
    cards: Bytes,
    net: NDArray[np.float64],
    seating: NDArray[np.int32],
    number: Ints,
    text: Bytes,
    ends: Ints,
    old: bool,
    letters: _Letters,
) -> Bytes:
    longest = 0
    for who in range(len(ends) - 1):
        longest = max(longest, ends[who + 1] - ends[who] + 1)
    out = np.empty(256 * len(state) + 4096, np.uint8)
    at = 0
    for i in range(len(state)):
        players = rules[state[i, c.GAME], c.PLAYERS]
        need = 64 + 20 * state[i, c.COUNT] + 4 * cards.shape[1] + players * (longest + 40)
        if at + need > len(out):
            wider = np.empty(2 * len(out) + need, np.uint8)
            wider[:at] = out[:at]
            out = wider
        if old:
            at = _put_names(out, at, players, seating, i, text, ends)
            out[at] = _COLON
            at += 1
        else:
            for byte in letters.head:
                out[at] = byte
                at += 1
        at = _put_number(out, at, number[i])
        out[at] = _COLON
        at = _put_betting(out, at + 1, rules[state[i, c.GAME], c.LIMIT], state, history, i)
        out[at] = _COLON
        at = _put_cards(out, at + 1, rules, state, cards, i, letters.ranks, letters.suits)
        out[at] = _COLON
        at = _put_net(out, at + 1, players, net, i)
        if not old:
            out[at] = _COLON
            at = _put_names(out, at + 1, players, seating, i, text, ends)
        out[at] = _NEWLINE
        at += 1
    return out[:at]


def _text(
    games: Sequence[Rules],
    state: Ints,
    history: Ints,
    cards: Bytes,
    net: NDArray[np.float64],
    seating: NDArray[np.int32],
    number: Ints,
    names: Sequence[str],
    old: bool,
) -> bytes:
    encoded = [_sayable(name, old).encode() for name in names] or [b""]
    ends = np.concatenate([[0], np.cumsum([len(name) for name in encoded])]).astype(np.int64)
    rules = np.array([game.row for game in games])
    text = np.frombuffer(b"".join(encoded) or b"\0", np.uint8)
    done = _write(rules, state, history, cards, net, seating, number, text, ends, old, _LETTERS)
    return done.tobytes()


def _sayable(name: str, old: bool) -> str:
    """A name as a log can carry it: what would end it there becomes `_`."""
    for mark in "|\r\n:" if old else "|\r\n":
        name = name.replace(mark, "_")
    if old and name.startswith(("#", "STATE", "SCORE")):
        name = "_" + name[1:]
    return name.strip() or "_"


def acpc_text(hands: Hands, old: bool = False) -> bytes:
    """The hands as lines of a competition log, a newline after each.

    A result less the house's share is left out: such a log has no place for the share.
    """
    raked = hands.unverified & (np.abs(np.nansum(hands.net, axis=1)) > 1e-3)
    net = np.where(raked[:, None], np.nan, hands.net)
    return _text(
        hands.games, hands.state, hands.history, hands.cards, net, hands.seating, hands.number, hands.names, old
    )


def old_line(line: str) -> str:
    """A `STATE:` line in the old form; any other line as it is."""
    if not line.startswith("STATE:"):
        return line
    _, number, betting, cards, net, names = line.split(":", 5)
    return ":".join(["|".join(_sayable(n, True) for n in names.split("|")), number, betting, cards, net])


def table_lines(
    game: Rules,
    state: Ints,
    history: Ints,
    cards: Bytes,
    net: Ints,
    seating: NDArray[np.int16],
    first: int,
    names: Sequence[str],
) -> list[str]:
    """The finished hands of a `Table` as lines; `seating` says which of the names sits where, `first` is the number."""
    if not len(state):
        return []
    numbers = np.arange(first, first + len(state))
    who = seating.astype(np.int32)
    return (
        _text([game], state, history, cards, net.astype(np.float64), who, numbers, names, False).decode().splitlines()
    )


def write_acpc(batches: Iterable[Hands], path: Path, old: bool = False) -> int:
    """Write hands of one game to a new log; gives how many."""
    count, game = 0, ""
    with new_file(path) as file:
        for hands in batches:
            names = {g.name for g in hands.games}
            if len(names) > 1:
                raise UnreadableError("a competition log holds hands of one game: write these as PHH or Parquet")
            if game and names != {game}:
                raise UnreadableError(f"these are hands of {game} and {names.pop()}: a competition log holds one game")
            game = hands.games[0].name
            file.write(acpc_text(hands, old))
            count += len(hands)
    return count
