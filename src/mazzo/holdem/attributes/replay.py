"""Recorded hands played again: one row for every decision that is wanted. Learning and cloning both start here."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.holdem import columns as c
from mazzo.holdem.kernels import apply, begin, kind_of, legal
from mazzo.holdem.logs.hands import Hands
from mazzo.jit import tight

__all__ = ["ReplayedDecisions", "replay"]

_OPEN = (0, 3, 4, 5)  # board cards by street


class ReplayedDecisions(NamedTuple):
    """Decisions in the order they were taken, hand by hand."""

    state: Ints
    """The public state before the decision, as `mazzo.holdem.columns` names its columns."""
    history: Ints
    """The actions before it, as a hand's record has them, filled up with 0."""
    hole: NDArray[np.uint8]
    board: NDArray[np.int8]
    """The open board: -1 where nothing is dealt yet, or the log hides it."""
    owed: Ints
    raise_low: Ints
    raise_high: Ints
    """The least and most that might be raised to; 0 where raising was not allowed."""
    action: Ints
    """0 fold, 1 call or check, 2 bet or raise."""
    size: Ints
    """The total raised to; 0 where it was no raise."""
    paid: Ints
    """Chips the decision put in."""
    invested: Ints
    """Chips the player put in on this street from this decision on."""
    hand: Ints
    """The row of its hand."""
    position: Ints
    next: Ints
    """The row of the same player's next decision in the hand, or -1."""


class _Work(NamedTuple):
    """Room for one hand being played."""

    state: Ints
    history: Ints
    previous: Ints
    """By position, the row of the player's decision before."""


@tight
def _replay(
    rules: Ints,
    final: Ints,
    record: Ints,
    cards: NDArray[np.uint8],
    wanted: NDArray[np.bool_],
    work: _Work,
    out: ReplayedDecisions,
) -> None:
    row, n = work.state, 0
    for i in range(len(final)):
        players = rules[final[i, c.GAME], c.PLAYERS]
        some = False
        for p in range(players):
            some |= wanted[i, p]
            work.previous[p] = -1
            row[0, c.ROOM + p] = final[i, c.ROOM + p] + final[i, c.ANTE + p]
        if not some:
            continue
        row[0, c.GAME] = final[i, c.GAME]
        begin(rules, row, 0)
        for j in range(final[i, c.COUNT]):
            what, who = record[i, j] >> c.ACTOR_BITS, record[i, j] & c.ACTOR_MASK
            spent, street = row[0, c.SPENT + who], row[0, c.ROUND]
            mine = wanted[i, who]
            if mine:
                for k in range(c.STATE_WIDTH):
                    out.state[n, k] = row[0, k]
                for k in range(record.shape[1]):
                    out.history[n, k] = record[i, k] if k < j else c.NO_ACTION
                for k in range(2):
                    out.hole[n, k] = cards[i, 2 * who + k]
                for k in range(5):
                    open_now = k < _OPEN[street] and 2 * players + k < cards.shape[1]
                    out.board[n, k] = np.int8(cards[i, 2 * players + k]) if open_now else np.int8(-1)
                out.owed[n], out.raise_low[n], out.raise_high[n] = legal(rules, row, 0)
            apply(rules, row, work.history, 0, what)
            if mine:
                out.action[n], out.size[n] = kind_of(what), what if what >= c.RAISE else 0
                out.hand[n], out.position[n], out.next[n], out.invested[n] = i, who, -1, 0
                out.paid[n] = row[0, c.SPENT + who] - spent
                if work.previous[who] >= 0:
                    out.next[work.previous[who]] = n
                work.previous[who] = n
                k = n
                while k >= 0 and out.hand[k] == i and out.state[k, c.ROUND] == street:
                    out.invested[k] += out.paid[n] if out.position[k] == who else 0
                    k -= 1
                n += 1


def replay(hands: Hands, wanted: NDArray[np.bool_]) -> ReplayedDecisions:
    """The decisions of hands of Hold'em that are wanted.

    Args:
        hands: the hands.
        wanted: a row a hand, a column a position: whose decisions.
    """
    rules = np.array([game.row for game in hands.games])
    count, width = hands.state[:, c.COUNT], hands.history.shape[1]
    took = np.take_along_axis(wanted, np.minimum(hands.history & c.ACTOR_MASK, wanted.shape[1] - 1), 1)
    n = int((took & (np.arange(width) < count[:, None])).sum())
    state, history = np.empty((n, c.STATE_WIDTH), np.int64), np.empty((n, width), np.int64)
    hole, board = np.empty((n, 2), np.uint8), np.empty((n, 5), np.int8)
    out = ReplayedDecisions(state, history, hole, board, *np.empty((len(ReplayedDecisions._fields) - 4, n), np.int64))
    room = np.zeros((1, c.STATE_WIDTH), np.int64), np.zeros((1, max(1, width)), np.int64)
    work = _Work(*room, np.zeros(c.MAX_PLAYERS, np.int64))
    _replay(rules, hands.state, hands.history, hands.cards, wanted, work, out)
    return out
