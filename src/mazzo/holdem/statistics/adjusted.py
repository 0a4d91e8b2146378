"""What an all-in was worth when it was made: the pot divided by exact equity, every board that could come counted."""

from __future__ import annotations

from itertools import combinations, islice

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.columns import UNKNOWN
from mazzo.holdem.kernels import settle_rows
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.showdown import tables

__all__ = ["adjusted_net"]

_CHUNK = 1 << 15


def adjusted_net(hands: Hands, row: int) -> Floats:
    """The results of a hand, by position, in chips; where players were all-in before the last card, what was expected.

    What the house took is taken from each in proportion to what he could expect to collect. Where cards are hidden,
    the result itself.
    """
    state, game = hands.state[row], hands.games[int(hands.state[row, c.GAME])]
    players, live = game.players, int(state[c.LIVE])
    net: Floats = hands.net[row].copy()
    last = _last_street(state)
    first, seen = players * game.hole_cards, game.board_seen(last)
    cards = hands.cards[row, : game.cards_dealt]
    known = all(card != UNKNOWN for p in range(players) if live >> p & 1 for card in cards[2 * p : 2 * p + 2])
    if live & (live - 1) == 0 or last == game.rounds - 1 or not known or UNKNOWN in cards[first : first + seen]:
        return net
    expected = _expected(hands, row, first, seen)
    put_in = (state[c.SPENT : c.SPENT + players] + state[c.ANTE : c.ANTE + players]).astype(np.float64)
    gross = expected[:players] + put_in
    house = -float(np.nansum(net[:players]))
    called = gross - _uncalled(state[c.SPENT : c.SPENT + players])
    net[:players] = expected[:players] - house * called / max(called.sum(), 1)
    return net


def _last_street(state: Ints) -> int:
    """The street of the last action."""
    count = int(state[c.COUNT])
    return max((r for r in range(int(state[c.ROUND]) + 1) if r == 0 or int(state[c.ROUND_AT + r]) < count), default=0)


def _uncalled(spent: Ints) -> Floats:
    second, most = np.sort(spent)[-2:]
    return np.where((spent == most) & (most > second), most - second, 0).astype(np.float64)


def _expected(hands: Hands, row: int, first: int, seen: int) -> Floats:
    """The mean result over all boards that could come."""
    game = hands.games[int(hands.state[row, c.GAME])]
    rules = game.row[None, :]
    cards = hands.cards[row, : game.cards_dealt]
    held = {int(card) for card in cards[: first + seen] if card != UNKNOWN}
    deck = [int(card) for card in game.deck if int(card) not in held]
    boards = combinations(deck, 5 - seen)
    total, count = np.zeros(c.MAX_PLAYERS), 0
    while True:
        some = np.array(list(islice(boards, _CHUNK)), np.uint8)
        if not len(some):
            return total / count
        dealt = np.repeat(cards[None, :], len(some), axis=0)
        dealt[:, first + seen : first + 5] = some
        states = np.repeat(hands.state[row : row + 1], len(some), axis=0)
        states[:, c.GAME] = 0
        net = settle_rows(rules, states, dealt, np.arange(len(some)), tables())
        total[: net.shape[1]] += net.sum(axis=0)
        count += len(some)
