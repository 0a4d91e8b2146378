"""The betting of heads-up limit Hold'em street by street, walked with all holdings at once.

A street is a number of blocks of the same shape, one for each way the betting before it can have gone. Down a block
goes the chance of every holding of the agent to be there; up comes what each holding of the responder can win.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mazzo.agent import Agent
from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem.agents.balanced import Balanced
from mazzo.holdem.aivat.replaying import worth
from mazzo.holdem.aivat.showdowns import apart, edges_on
from mazzo.holdem.beliefs import holdings, with_all_holdings
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.holdem.solver.betting_tree import betting_by_street, grow_betting

__all__ = ["StreetByStreet", "free_of"]

_ROWS_AT_ONCE = 200_000
"""Decisions the agent is asked at once."""


class StreetByStreet:
    """The whole betting of a heads-up limit game, for one who answers an agent in a given seat."""

    def __init__(self, rules: Rules, agent: Agent[Any], seat: int) -> None:
        """Grow the betting.

        Args:
            rules: A heads-up limit game of Hold'em without all-ins.
            agent: Who is answered; its policy must be exact.
            seat: Where the one who answers sits; the agent has the other.
        """
        self.rules, self.agent, self.seat = rules, agent, seat
        self.tree, self.state, self.history = grow_betting(rules, free_folds=agent.folds_free)
        self.streets = betting_by_street(self.tree, rules.rounds)
        held = worth(rules, self.state)
        sign = 1 - 2 * seat
        self._chips, self._fixed = held.chips, sign * held.fixed  # chips are won or lost alike

    def chips_at(self, street: int) -> Floats:
        """By block of a street the chips that are shown down for if nobody bets in it or later."""
        return np.asarray(self._chips[self.streets[street].nodes[:, 0]])

    def reached(self, street: int, blocks: Ints, board: Sequence[int], reach: Floats) -> list[Floats]:
        """By place, block and holding of the agent the chance that it plays to there.

        Args:
            street: 0 before the flop, 3 the river.
            blocks: Which blocks of the street.
            board: The open cards.
            reach: By block and holding the chance to be at its beginning.
        """
        shape = self.streets[street]
        found: list[Floats] = [reach] * len(shape.actor)
        for place, children in enumerate(shape.children):
            if not children:
                continue
            if shape.actor[place] == self.seat:
                for child in children:
                    found[child] = found[place]
            else:
                for child, chance in zip(
                    children, self._asked(shape.nodes[blocks, place], board, found[place]), strict=True
                ):
                    found[child] = found[place] * chance
        return found

    def _asked(self, nodes: Ints, board: Sequence[int], reach: Floats) -> Floats:
        """By action, node and holding how often the agent takes it; 0 where it cannot be."""
        actions = int(self.tree.actions[nodes[0]])
        possible = reach > 0
        if isinstance(self.agent, Balanced):  # it need not be asked row by row
            return self.agent.blueprint.on_board(nodes, board) * possible
        out = np.zeros((actions, *reach.shape))
        at_once = max(1, _ROWS_AT_ONCE // reach.shape[1])
        for begin in range(0, len(nodes), at_once):
            part = slice(begin, begin + at_once)
            row, holding = np.nonzero(possible[part])
            if not len(row):
                continue
            some = nodes[part]
            policy = self.agent.policy(
                with_all_holdings(self._public(some, board), self.state[some], self.history[some], possible[part])
            )
            if not policy.exact:
                raise UnreadableError(
                    f"the chances of {self.agent.name} are only sampled: a best response to the samples would win "
                    "from their errors too; a local best response (without --flops) gives a lower bound"
                )
            for action in range(actions):
                taken = self.tree.action[self.tree.first[some] + action][row]
                out[action, begin + row, holding] = policy.share(taken, any_raise=True)
        if (np.abs(out.sum(axis=0)[possible] - 1) > 1e-9).any():
            raise UnreadableError(f"{self.agent.name} plays what the tree of {self.rules.name} does not have")
        return out

    def _public(self, nodes: Ints, board: Sequence[int]) -> Observations:
        """What everybody sees at these nodes."""
        size, none = len(nodes), np.zeros(len(nodes), np.int64)
        cards = np.full((size, sum(self.rules.board_cards)), -1, np.int8)
        cards[:, : len(board)] = board
        seating = np.tile(np.arange(2, dtype=np.int16), (size, 1))
        hole, keys = np.zeros((size, 2), np.uint8), np.zeros(size, np.uint64)
        return Observations(
            self.rules, self.state[nodes], self.history[nodes], hole, cards, none, none, none, keys, seating
        )

    def paid(self, street: int, blocks: Ints, board: Sequence[int], reached: Sequence[Floats]) -> dict[int, Floats]:
        """By place at which the hand is over, block and holding of the responder, what it wins there, in chips."""
        shape, out = self.streets[street], {}
        for place in shape.ends:
            nodes = shape.nodes[blocks, place]
            out[place] = np.zeros(reached[place].shape)
            some = np.flatnonzero(reached[place].any(axis=1))
            weights, chips, fixed = reached[place][some], self._chips[nodes[some]], self._fixed[nodes[some]]
            if chips.any():
                out[place][some] = chips[:, None] * edges_on(np.array(board, np.int64), weights)
            else:
                out[place][some] = fixed[:, None] * apart(weights)
        return out

    def best(self, street: int, leaves: dict[int, Floats], counted: dict[int, Floats]) -> Floats:
        """What the responder wins from the beginning of blocks on, by holding.

        Args:
            street: Which.
            leaves: By place where the street is over what is won from there: by these it chooses.
            counted: The same by other cards, that had no part in the choice: these are what it then wins.
        """
        shape = self.streets[street]
        chosen, won = dict(leaves), dict(counted)
        for place in range(len(shape.children) - 1, -1, -1):
            children = shape.children[place]
            if not children:
                continue
            if shape.actor[place] != self.seat:
                chosen[place] = np.sum([chosen.pop(k) for k in children], axis=0)
                won[place] = np.sum([won.pop(k) for k in children], axis=0)
                continue
            top, worth_then = chosen.pop(children[0]), won.pop(children[0])
            for child in children[1:]:
                other, then = chosen.pop(child), won.pop(child)
                better = other > top
                top, worth_then = np.where(better, other, top), np.where(better, then, worth_then)
            chosen[place], won[place] = top, worth_then
        return won[0]


def free_of(cards: Sequence[int]) -> Floats:
    """By holding 1 where it has none of the cards, else 0."""
    return np.asarray(~np.isin(holdings(), np.asarray(cards, np.int64)).any(axis=1), np.float64)
