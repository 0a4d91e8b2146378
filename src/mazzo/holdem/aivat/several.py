"""Luck taken out of hands of Hold'em between several players: the luck of the cards, and of drawn actions.

A state is worth what each player would win if everybody called and nobody bet again, side pots and all: the mean over
the rest of the board. Where more than one card is to come that mean is taken over some drawn boards, which have nothing
to do with the board that came; this adds a little noise and no bias.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem import kernels
from mazzo.holdem.aivat.replaying import (
    DecisionsTaken,
    begun,
    called_down,
    check_played,
    done,
    exact_policy,
    options,
    steps,
)
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.holdem.showdown import tables
from mazzo.holdem.table import Table

__all__ = ["BOARDS", "of_several"]

BOARDS = 100
"""Boards that are drawn where more than one card is to come."""

_ROWS = 200_000


class _Boards:
    """By hand and street the boards over which worths are means; the plays of one deal share them."""

    def __init__(self, table: Table, plays: int) -> None:
        self.game, self.cards = table.game, table.cards
        self.hole = table.game.players * table.game.hole_cards
        reached = table.state[:, c.ROUND].reshape(-1, plays).max(axis=1)
        self._deal = np.arange(len(table)) // plays
        self._by_street: list[dict[int, NDArray[np.uint8]]] = [{} for _ in range(3)]
        for deal, last in enumerate(reached):
            cards, key = table.cards[deal * plays], int(table.rng_key[deal * plays])
            for street in range(min(int(last), 2) + 1):
                self._by_street[street][deal] = self._drawn(cards, street, np.random.default_rng([key, street]))

    def _drawn(self, cards: NDArray[np.uint8], street: int, draw: np.random.Generator) -> NDArray[np.uint8]:
        known = self.hole + self.game.board_seen(street)
        left = np.setdiff1d(np.arange(52, dtype=np.uint8), cards[:known])
        to_come = len(cards) - known
        if to_come == 1:  # all of them; each hand has as many
            return np.column_stack([np.tile(cards[self.hole : known], (len(left), 1)), left])
        drawn = draw.permuted(np.tile(left, (BOARDS, 1)), axis=1)[:, :to_come]
        return np.column_stack([np.tile(cards[self.hole : known], (BOARDS, 1)), drawn])

    def worth(self, hands: Ints, ends: Ints, street: int) -> Floats:
        """What each position wins in the mean at ends of hands, the board known as on a street."""
        out = np.zeros((len(hands), self.game.players))
        at_once = max(1, _ROWS // BOARDS)
        for begin in range(0, len(hands), at_once):
            some = slice(begin, begin + at_once)
            if street == 3:
                boards = self.cards[hands[some], None, self.hole :]
            else:
                boards = np.stack([self._by_street[street][int(k)] for k in self._deal[hands[some]]])
            count = boards.shape[1]
            hole = np.repeat(self.cards[hands[some], : self.hole], count, axis=0)
            cards = np.concatenate([hole, boards.reshape(-1, boards.shape[2])], axis=1)
            net = _settled(self.game, np.repeat(ends[some], count, axis=0), np.ascontiguousarray(cards))
            out[some] = net.reshape(-1, count, self.game.players).mean(axis=1)
        return out


def _settled(game: Rules, ends: Ints, cards: NDArray[np.uint8]) -> Floats:
    net = kernels.settle_rows(game.row[None, :], ends, cards, np.arange(len(ends)), tables())
    return np.asarray(net, np.float64)


def of_several(
    table: Table, net: Ints, agents: Sequence[Agent[Observations] | None], plays: int
) -> tuple[Floats, Floats]:
    """What each position won without the luck of the cards, and without that of drawn actions either: chips, by hand.

    Args:
        table: Finished hands of Hold'em; the plays of one deal follow each other.
        net: What each position won.
        agents: By player of the match the agent, None for one whose policy is not known.
        plays: How often each deal was played.
    """
    boards = _Boards(table, plays)
    chance, acts = net.astype(np.float64), np.zeros(net.shape)
    chance -= _of_hole_cards(table, boards)
    for step in steps(table):
        over = step.after[:, c.ACTOR] < 0
        shown = np.bitwise_count(step.after[:, c.LIVE]) > 1
        ends = called_down(table.game, step.after)
        for street in range(3):  # of hands that are all in several cards come at once
            later = np.flatnonzero((step.street <= street) & (street < step.after[:, c.ROUND]) & (~over | shown))
            rows = step.rows[later]
            chance[rows] += boards.worth(rows, ends[later], street) - boards.worth(rows, ends[later], street + 1)
        for player, agent in enumerate(agents):
            at = step.of(player)
            if agent is not None and len(at):
                acts[step.rows[at]] += _of_actions(agent, step, at, boards)
    return chance, chance + acts


def _of_hole_cards(table: Table, boards: _Boards) -> Floats:
    """What the cards dealt were worth at first. If all put in the same, that is nothing in the mean, for everybody."""
    game = table.game
    ends = called_down(game, begun(table).state)
    paid = ends[:, c.SPENT : c.SPENT + game.players] + ends[:, c.ANTE : c.ANTE + game.players]
    if (paid != paid[:, :1]).any() or (np.bitwise_count(ends[:, c.LIVE]) != game.players).any():
        return np.zeros((len(table), game.players))
    return boards.worth(np.arange(len(table)), ends, 0)


def _of_actions(agent: Agent[Observations], step: DecisionsTaken, at: Ints, boards: _Boards) -> Floats:
    """What an agent's actions were worth less than the mean over what it might have done, by position."""
    game, seen, term = step.seen.game, step.seen[at], np.zeros((len(at), step.seen.game.players))
    policy = exact_policy(agent, seen)
    check_played(agent, policy.share(step.taken[at], any_raise=game.limit))
    for street in range(4):
        drawn = np.flatnonzero((policy.p.max(axis=1) < 1) & (seen.street == street))
        rows = step.rows[at[drawn]]
        if not len(drawn):
            continue
        term[drawn] -= boards.worth(rows, called_down(game, step.after[at[drawn]]), street)
        for action, share in options(policy, game.limit):
            some = drawn[share[drawn] > 0]
            after = called_down(game, done(game, seen.state[some], np.full(len(some), action)))
            term[some] += share[some, None] * boards.worth(step.rows[at[some]], after, street)
    return term
