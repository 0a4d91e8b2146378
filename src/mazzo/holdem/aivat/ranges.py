"""Luck taken out of hands of Hold'em without looking at the cards of players whose policy is known.

Such a player is taken to hold everything it might hold, given what it did. What a hand comes to is then the mean over
both ranges of pairs that share no card, and so are the terms of cards and actions. All worths are chips times the
chance to win less that to lose, linear in the weights of each player: the terms of a decision become one row of
weights, and only the sum over rows is worked out, street by street.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mazzo.agent import Agent
from mazzo.arrays import Flags, Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.aivat.replaying import DecisionsTaken, begun, check_played, done, exact_policy, options, steps, worth
from mazzo.holdem.aivat.showdowns import HOLDINGS, WITH_CARD, edge_sum, mass
from mazzo.holdem.observation import Observations
from mazzo.holdem.table import Table

__all__ = ["with_ranges"]

_AT_ONCE = 64  # hands: some hundred thousand decisions with all holdings


def with_ranges(table: Table, agents: Sequence[Agent[Observations] | None], plays: int) -> Floats:
    """What position 0 won in finished hands of heads-up Hold'em with luck taken out, in chips.

    Args:
        table: The hands; the plays of one deal follow each other.
        agents: By player of the match the agent, None for one whose policy is not known: its cards are looked at.
        plays: How often each deal was played.
    """
    keys = np.repeat(table.rng_key[::plays], plays)
    found = []
    for begin in range(0, len(table), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        rows = Table.of_rows(
            table.game,
            table.state[part],
            table.history[part],
            table.cards[part],
            table.rng_key[part],
            table.seating[part],
        )
        found.append(_Ranges(rows, agents, keys[part]).estimates())
    return np.concatenate(found)


class _Ranges:
    """Some hands, and the weights of what both players may hold, as the hands go on."""

    def __init__(self, table: Table, agents: Sequence[Agent[Observations] | None], keys: np.ndarray) -> None:
        self.table, self.agents, self.keys = table, agents, keys
        size = len(table)
        self.weights = np.zeros((2, size, len(HOLDINGS)))
        for position in range(2):
            known = np.array([agent is not None for agent in agents])[table.seating[:, position]]
            self.weights[position, known] = 1.0
            real = np.flatnonzero(~known)
            low, high = np.sort(table.cards[real, 2 * position : 2 * position + 2].astype(np.int64), axis=1).T
            self.weights[position, real, high * (high - 1) // 2 + low] = 1.0
        self.total = np.zeros(size)
        self.due = np.zeros(size)
        """What the present state's edge, summed over both ranges, still counts."""
        self.rows: dict[tuple[int, int], list[tuple[Floats, Floats]]] = {}
        """By hand and street: weights of both sides whose edges are to be added up."""

    def estimates(self) -> Floats:
        """What each hand comes to."""
        game = self.table.game
        every = np.arange(len(self.table))
        self.due -= worth(game, begun(self.table).state).chips / self._mass(every)
        for step in steps(self.table):
            self._act(step)
            self._go_on(step)
        for (hand, street), rows in self.rows.items():
            board = self.table.cards[hand, 4 : 4 + game.board_seen(street)].astype(np.int64)
            left, right = (np.array(side) for side in zip(*rows, strict=True))
            self.total[hand] += edge_sum(board, left, right, self.keys[hand])
        return self.total

    def _mass(self, hands: Ints) -> Floats:
        return mass(self.weights[0, hands], self.weights[1, hands])

    def _add(self, hand: int, street: int, position: int, row: Floats) -> None:
        """Note weights of one side, against the other's as they are now."""
        other = self.weights[1 - position, hand].copy()
        pair = (row, other) if position == 0 else (other, row)
        self.rows.setdefault((hand, street), []).append(pair)

    def _act(self, step: DecisionsTaken) -> None:
        """The terms of actions whose policy is known, and what they leave of the ranges."""
        for player, agent in enumerate(self.agents):
            at = step.of(player)
            if agent is None or not len(at):
                continue
            for position in range(2):
                some = at[step.seen.position[at] == position]
                if len(some):
                    self._act_at(agent, step, some, position)

    def _act_at(self, agent: Agent[Observations], step: DecisionsTaken, at: Ints, position: int) -> None:
        game, hands, seen = step.seen.game, step.rows[at], step.seen[at]
        own, before = self.weights[position, hands], self._mass(hands)
        rows = self.due[hands, None] * own
        self.due[hands] = 0.0
        taken = np.where((step.taken[at] >= c.RAISE) & game.limit, c.RAISE, step.taken[at])
        kept = np.zeros_like(own)
        for action, chance in _chances(agent, seen, own > 0, game.limit):
            weights = own * chance
            some = np.flatnonzero(weights.any(axis=1))
            held = worth(game, done(game, seen.state[some], np.full(len(some), action)))
            after = mass(weights[some], self.weights[1 - position, hands[some]])
            was = taken[some] == action
            self.total[hands[some]] += held.fixed * (after / before[some] - was)
            rows[some] += (held.chips / before[some])[:, None] * weights[some]
            check_played(agent, after[was])
            self.due[hands[some[was]]] = -held.chips[was] / after[was]
            kept[some[was]] = weights[some[was]]
        check_played(agent, kept.sum(axis=1))
        for k, hand in enumerate(hands):
            self._add(int(hand), int(seen.street[k]), position, rows[k])
        self.weights[position, hands] = kept

    def _go_on(self, step: DecisionsTaken) -> None:
        """What follows an action: the hand's end, or the cards of the next street."""
        game, after = step.seen.game, worth(step.seen.game, step.after)
        over = step.after[:, c.ACTOR] < 0
        for k in np.flatnonzero(over | (step.after[:, c.ROUND] > step.street)):
            hand, street = int(step.rows[k]), int(step.street[k])
            self.total[hand] += after.fixed[k] if over[k] else 0.0
            every = np.array([hand])
            self.due[hand] += float(after.chips[k]) / float(self._mass(every)[0])
            if abs(self.due[hand]) > 1e-15:
                self._add(hand, street, 0, self.due[hand] * self.weights[0, hand])
            self.due[hand] = 0.0
            if not over[k]:
                board = self.table.cards[hand, 4 : 4 + game.board_seen(int(step.after[k, c.ROUND]))]
                self.weights[:, hand, WITH_CARD[:, board].any(axis=1)] = 0.0
                self.due[hand] = -float(after.chips[k]) / float(self._mass(every)[0])


def _chances(agent: Agent[Observations], seen: Observations, possible: Flags, limit: bool) -> list[tuple[int, Floats]]:
    """By action its chance in each situation with each holding; all are asked in one batch."""
    row, holding = np.nonzero(possible)
    policy = exact_policy(agent, replace(seen[row], hole=HOLDINGS[holding].astype(np.uint8)))
    found = []
    for action, share in options(policy, limit):
        chance = np.zeros(possible.shape)
        chance[row, holding] = share
        found.append((action, chance))
    return found
