"""From lines of text to `Hands`: the arrays for the kernels, and the words for what is wrong with a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Bytes, Ints
from mazzo.errors import MazzoError
from mazzo.holdem import columns as c
from mazzo.holdem.columns import UNKNOWN
from mazzo.holdem.hand import Hand
from mazzo.holdem.kernels import settle_rows
from mazzo.holdem.logs import lines as k
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.rules import Rules
from mazzo.holdem.showdown import tables

__all__ = ["Names", "Origin", "arrays_for", "read_batch", "verify", "why_bad"]

CHIP_PARTS = 2520
"""Into so many parts every chip is cut to divide a pot evenly among up to ten winners."""

_POT_COLUMNS = [c.POT, *range(c.SPENT, c.SPENT + c.MAX_PLAYERS), *range(c.ANTE, c.ANTE + c.MAX_PLAYERS)]


class Names:
    """The players' names met so far, numbered; a table that the kernels look names up in and add to."""

    def __init__(self) -> None:
        self.text = np.zeros(1 << 12, np.uint8)
        self.known = np.zeros(1 << 8, np.int64)
        self.slots = np.full(1 << 9, -1, np.int32)
        self.names: list[str] = []

    def make_room(self, names: int, characters: int) -> None:
        """Room for so many more."""
        count = int(self.known[0])
        used = int(self.known[count]) if count else 0
        if used + characters > len(self.text):
            self.text = np.concatenate([self.text, np.zeros(used + characters, np.uint8)])
        if count + names + 1 > len(self.known):
            self.known = np.concatenate([self.known, np.zeros(count + names + 1, np.int64)])
        if 2 * (count + names) > len(self.slots):
            self.slots = np.full(4 * (count + names), -1, np.int32)
            if count:
                text, known, self.known = self.text.copy(), self.known.copy(), np.zeros_like(self.known)
                text.flags.writeable = False  # as what is read from a log: nothing is compiled for another kind
                k.enter_names(text, known, self.text, self.known, self.slots)

    def update(self) -> list[str]:
        """All names by number."""
        start = int(self.known[len(self.names)]) if self.names else 0
        for end in self.known[len(self.names) + 1 : int(self.known[0]) + 1].tolist():
            self.names.append(self.text[start:end].tobytes().decode(errors="replace"))
            start = end
        return self.names


@dataclass
class Origin:
    """What is the same for all hands of a source, and what is remembered between its batches."""

    source: str
    match: str
    names: Names = field(default_factory=Names)


def arrays_for(games: Sequence[Rules], game_of: Ints, stacks: Ints | None, width: int) -> k.Arrays:
    """Arrays for hands of these games, nothing begun; `width` is the most actions a hand has."""
    size = len(game_of)
    state = np.zeros((size, c.STATE_WIDTH), np.int64)
    state[:, c.GAME] = game_of
    chips = np.zeros((len(games), c.MAX_PLAYERS), np.int64)
    for g, game in enumerate(games):
        chips[g, : game.players] = game.stacks
    state[:, c.ROOM : c.ROOM + c.MAX_PLAYERS] = chips[game_of] if stacks is None else stacks
    return k.Arrays(
        state,
        np.full((size, max(width, 1)), c.NO_ACTION, np.int64),
        np.full((size, max(game.cards_dealt for game in games)), UNKNOWN, np.uint8),
        np.full((size, c.MAX_PLAYERS), np.nan),
        np.full((size, c.MAX_PLAYERS), -1, np.int32),
        np.zeros(size, np.int64),
        np.zeros(size, np.uint8),
        np.zeros(size, np.uint8),
    )


def verify(rules: Ints, a: k.Arrays) -> None:
    """Compare what the players of finished hands won with cards and betting; fill it in where it was not given.

    Odd chips may have gone to the first winner, or every pot may have been divided exactly, to six digits after the
    point: both are right.
    """
    decided = np.empty(len(a.state), np.bool_)
    k.decided_rows(rules, a.state, a.cards, decided)
    right = a.status == k.IN_ORDER
    a.flags[right & ~decided] |= k.UNDECIDED
    rows = np.flatnonzero(right & decided)
    net = settle_rows(rules, a.state, a.cards, rows, tables()).astype(np.float64)
    players = net.shape[1]
    unsaid = np.isnan(a.given[rows, 0])
    a.flags[rows[unsaid]] |= k.UNDECIDED
    seated = np.arange(players) < rules[a.state[rows, c.GAME], c.PLAYERS][:, None]
    a.given[rows[unsaid], :players] = np.where(seated, net, np.nan)[unsaid]
    doubtful = rows[_differ(rules, a, rows, net)]
    cut = a.state[doubtful]
    cut[:, _POT_COLUMNS] *= CHIP_PARTS
    exact = settle_rows(rules, cut, a.cards[doubtful], np.arange(len(cut)), tables()) / CHIP_PARTS
    a.status[doubtful[_differ(rules, a, doubtful, exact)]] = k.WRONG_NET


def _differ(rules: Ints, a: k.Arrays, rows: Ints, net: NDArray[np.float64]) -> NDArray[np.bool_]:
    players = net.shape[1]
    seated = np.arange(players) < rules[a.state[rows, c.GAME], c.PLAYERS][:, None]
    differ: NDArray[np.bool_] = ((np.abs(a.given[rows, :players] - net) > 1e-6) & seated).any(axis=1)
    return differ


def read_batch(
    data: Bytes,
    lines: Ints,
    numbers: Ints,
    games: Sequence[Rules],
    origin: Origin,
    game_of: Ints | None = None,
    stacks: Ints | None = None,
    units: Ints | None = None,
) -> tuple[Hands, list[tuple[int, int]]]:
    """Read, replay and verify the hands on some lines of a text.

    Args:
        data: the text.
        lines: where the lines begin and end.
        numbers: their line numbers.
        games: the games played.
        origin: whose hands these are.
        game_of: which game each line is of; by default the first.
        stacks: chips by position (ten columns), a row a line; by default the game's.
        units: chips to a unit of money, a line each.

    Returns:
        The hands in order, and the others: (row among the lines, what is wrong as a number for `why_bad`).
    """
    size = len(lines)
    fields = np.empty((size, 2 * k.FIELDS), np.int64)
    width = k.split_lines(data, lines, fields)
    kinds = np.zeros(size, np.int64) if game_of is None else game_of
    a = arrays_for(games, kinds, stacks, width)
    rules = np.array([game.row for game in games])
    decks = np.array([sum(1 << int(card) for card in game.deck) for game in games], np.int64)
    origin.names.make_room(size * int(rules[:, c.PLAYERS].max()), int((lines[:, 1] - lines[:, 0]).sum()))
    n = origin.names
    k.read_lines(data, fields, k.GLYPHS, rules, decks, a, k.NameTable(n.text, n.known, n.slots))
    verify(rules, a)
    good = np.flatnonzero(a.status == k.IN_ORDER)
    history = a.history[:, : max(1, int(a.state[:, c.COUNT].max(initial=0)))]
    hands = Hands(
        tuple(games),
        a.state,
        history,
        a.cards,
        a.given,
        a.seating,
        n.update(),
        a.number,
        numbers,
        a.flags,
        np.ones(size, np.int64) if units is None else units,
        np.zeros(size, np.uint64),
        np.zeros(size, np.int64),
        [origin.match],
        origin.source,
    )
    bad = np.flatnonzero(a.status != k.IN_ORDER)
    return hands if len(good) == size else hands[good], [(int(row), int(a.status[row])) for row in bad]


_FORM = (
    "it has not the form of a hand: STATE:number:betting:cards:net:players, or in old logs "
    "players:number:betting:cards:net:"
)


def why_bad(text: str, game: Rules, status: int, stacks: Sequence[int] | None = None) -> str:
    """What is wrong with a line, in words."""
    old = not text.startswith("STATE:")
    fields = text.removesuffix(":").split(":") if old else text.split(":", k.FIELDS)[1:]
    if old:
        fields = [*fields[1:], *fields[:1]]
    if len(fields) != k.FIELDS:
        return _FORM
    number, betting, cards, net, names = fields
    if status == k.NUMBER:
        return f"{number!r} is not the number of a hand"
    try:
        hand = Hand.parse(f"STATE:{number}:{betting}:{cards}", game, stacks)
    except MazzoError as error:
        return str(error)
    if not hand.over:
        return f"the betting {betting!r} ends before the hand is over (to act: position {hand.actor}, {hand.legal})"
    if status == k.CARDS:
        return f"the cards {cards!r} are not those of a hand of {game.name} with the betting {betting!r}"
    if status == k.NET:
        return f"{net!r} is not the result of {game.players} players"
    if status == k.PLAYERS:
        return f"{names!r} are not the names of {game.players} players"
    try:
        right = "|".join(map(str, hand.payoffs))
    except MazzoError as error:
        return str(error)
    if right != net:
        return f"the net {net} does not follow from cards and betting, which give {right} in {_blinds(game)}"
    return f"the betting {betting!r} is not one of {game.name}"


def _blinds(game: Rules) -> str:
    return f"{game.name} with blinds {'/'.join(map(str, game.blinds))}"
