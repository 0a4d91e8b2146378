"""Luck taken out of small games (Kuhn, Leduc, small `.game` files), where every deal can be listed.

What is known at a moment of a hand is a weight for every deal: 1 or 0 by the cards that are seen, times the chance
that players whose cards are not looked at would have acted as they did. A state is worth the mean of a value over
these weights; every chance event and every action of a known player then adds the mean over what could have happened
less what did.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.arrays import Flags, Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.observation import Observations
from mazzo.holdem.solver.small_game import SmallGame
from mazzo.holdem.solver.strategies import strategy_of
from mazzo.holdem.table import Table

__all__ = [
    "GRADES",
    "Grade",
    "SmallGameEstimates",
    "Values",
    "called_values",
    "no_values",
    "of_small_game",
    "played_values",
]

Grade = Literal["chance", "actions", "ranges"]
GRADES: tuple[Grade, ...] = ("chance", "actions", "ranges")
"""Which luck is taken out, each with those before it."""
Values = NDArray[np.float64]
"""By node and deal a value to position 0; at the ends what is won."""


def no_values(game: SmallGame) -> Values:
    """Nothing is worth anything before the end."""
    out = np.zeros((len(game.tree.actor), len(game.weight)))
    ends = np.flatnonzero(game.tree.actor < 0)
    out[ends] = game.payoffs[game.tree.end[ends], 0]
    return out


def called_values(game: SmallGame) -> Values:
    """A state is worth what is won if all is called and nobody bets again."""
    out, tree = no_values(game), game.tree
    for node in np.flatnonzero(tree.actor >= 0)[::-1]:  # children stand after their parents
        first = int(tree.first[node])
        called = first + int(np.flatnonzero(tree.action[first : first + tree.actions[node]] == c.CALL)[0])
        out[node] = out[called]
    return out


def played_values(game: SmallGame, strategy: Floats) -> Values:
    """A state is worth what is won in the mean when both play by a strategy."""
    out, tree = no_values(game), game.tree
    for node in np.flatnonzero(tree.actor >= 0)[::-1]:
        first, count = int(tree.first[node]), int(tree.actions[node])
        view = game.seen[tree.street[node], tree.actor[node]]
        out[node] = (game.rows(strategy, node)[view].T * out[first : first + count]).sum(axis=0)
    return out


class SmallGameEstimates:
    """Results of one small game between two agents in given seats, as far as luck can be taken out of them."""

    def __init__(self, game: SmallGame, strategy: Floats, known: Sequence[bool], values: Values) -> None:
        """Prepare.

        Args:
            game: The game, its views told apart by suits.
            strategy: What the known players do, by entry.
            known: By position whether the player's policy is known.
            values: A value of every state, fixed before the hands are seen.
        """
        self.game, self.strategy, self.known, self.values = game, strategy, known, values
        self._boards = self._boards_seen()

    def _boards_seen(self) -> NDArray[np.int64]:
        """By round and deal a number for the board as it lies open."""
        rules, first = self.game.rules, self.game.players * self.game.rules.hole_cards
        out = np.zeros((rules.rounds, len(self.game.weight)), np.int64)
        for street in range(rules.rounds):
            shown = self.game.cards[:, first : first + rules.board_seen(street)]
            out[street] = np.unique(shown, axis=0, return_inverse=True)[1].reshape(-1)
        return out

    def _seen(self, deal: int, grade: Grade) -> Flags:
        """The deals that agree with the cards looked at from the start: those of players that are not replaced."""
        holes = self.game.seen[0]
        looked = [p for p in range(2) if grade != "ranges" or not self.known[p]]
        agree = np.ones(len(self.game.weight), np.bool_)
        for p in looked:
            agree &= holes[p] == holes[p, deal]
        return np.asarray(agree & (self._boards[0] == self._boards[0, deal]))

    def estimate(self, end: int, deal: int, grade: Grade) -> float:
        """What a hand that came to this end in this deal gives to position 0, in chips."""
        tree, value = self.game.tree, self.values
        path = self._path(end)
        before = self.game.weight
        weight = before * self._seen(deal, grade)
        total = _mean(before, value[0]) - _mean(weight, value[0])
        for node, child in pairwise(path):
            if grade != "chance" and self.known[tree.actor[node]]:
                term, weight = self._action(node, child, weight)
                total += term
            street = int(tree.street[child])
            if street > tree.street[node] and tree.actor[child] >= 0:
                shown = weight * (self._boards[street] == self._boards[street, deal])
                total += _mean(weight, value[child]) - _mean(shown, value[child])
                weight = shown
        # Where all are in, the cards still to come are averaged over here, which is their term.
        return total + _mean(weight, value[end])

    def _action(self, node: int, child: int, weight: Floats) -> tuple[float, Floats]:
        """The term of one action of a known player, and the weights after it."""
        tree, first = self.game.tree, int(self.game.tree.first[node])
        view = self.game.seen[tree.street[node], tree.actor[node]]
        chances = self.game.rows(self.strategy, node)[view].T
        values = self.values[first : first + len(chances)]
        after = weight * chances[child - first]
        if after.sum() <= 0:
            raise UnreadableError("a player did what by its policy it never does: they do not agree")
        return _mean(weight, (chances * values).sum(axis=0)) - _mean(after, self.values[child]), after

    def _path(self, end: int) -> list[int]:
        tree, path = self.game.tree, [end]
        while path[0]:
            path.insert(0, int(np.flatnonzero((tree.first <= path[0]) & (path[0] < tree.first + tree.actions))[0]))
        return path


def of_small_game(
    table: Table,
    agents: Sequence[Agent[Observations] | None],
    value: str | Agent[Observations],
    grades: Sequence[Grade],
) -> Floats:
    """What position 0 won in finished hands of a small game, by hand and grade, in chips.

    Args:
        table: The hands.
        agents: By player of the match the agent, None for one whose policy is not known.
        value: What states are worth: `equity` (called and checked down), `policies` (what the two agents win), or
            an agent (what it wins playing itself).
        grades: Which luck is taken out.
    """
    game = SmallGame(table.game, symmetric=False, free_folds=any(a is not None and a.folds_free for a in agents))
    ends, deals = _ends(game, table), _deals(game, table)
    out = np.zeros((len(table), len(grades)))
    for first in range(2):
        rows = np.flatnonzero(table.seating[:, 0] == first)
        without = _seated(game, [agents[first], agents[1 - first]], value)
        found: dict[tuple[int, int], list[float]] = {}
        for row in rows:
            key = int(ends[row]), int(deals[row])
            if key not in found:
                found[key] = [without.estimate(*key, grade) for grade in grades]
            out[row] = found[key]
    return out


def _seated(
    game: SmallGame, agents: Sequence[Agent[Observations] | None], value: str | Agent[Observations]
) -> SmallGameEstimates:
    """Agents by position, None for one that is not known."""
    known = [agent for agent in agents if agent is not None]
    strategy = np.zeros(game.entries)
    if known:  # what stands in the place of an unknown one is never looked at
        strategy, exact = strategy_of([agent if agent is not None else known[0] for agent in agents], game)
        if not exact:
            raise UnreadableError("the chances of an agent are not known exactly at every decision")
    if isinstance(value, Agent):
        values = played_values(game, strategy_of([value, value], game)[0])
    elif value == "policies":
        if len(known) < 2:
            raise UnreadableError("a hand is worth what the policies win only where both policies are known")
        values = played_values(game, strategy)
    else:
        values = called_values(game)
    return SmallGameEstimates(game, strategy, [agent is not None for agent in agents], values)


def _ends(game: SmallGame, table: Table) -> Ints:
    """The end of the tree that each hand came to."""
    node = np.zeros(len(table), np.int64)
    for k in range(int(table.state[:, c.COUNT].max(initial=0))):
        rows = np.flatnonzero(table.state[:, c.COUNT] > k)
        node[rows] = game.children(node[rows], table.history[rows, k] >> c.ACTOR_BITS)
    if (node < 0).any():
        raise UnreadableError(f"a hand was played that the tree of {table.game.name} does not have")
    return node


def _deals(game: SmallGame, table: Table) -> Ints:
    """The number of each hand's deal."""
    rules, last = table.game, table.game.rounds - 1
    hole, board = rules.hole_cards, table.cards[:, 2 * rules.hole_cards :]
    views = [game.views.find(last, table.cards[:, p * hole : (p + 1) * hole], board) for p in range(2)]
    number = {(int(a), int(b)): d for d, (a, b) in enumerate(game.seen[last].T)}
    return np.array([number[int(a), int(b)] for a, b in zip(*views, strict=True)], np.int64)


def _mean(weight: Floats, value: Floats) -> float:
    return float((weight * value).sum() / weight.sum())
