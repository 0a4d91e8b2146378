"""Regret minimisation over a small game: the walks through its tree, and the ways to turn regrets into strategies.

A walk for one player carries down, node by node and deal by deal, the chance that chance and the others bring the hand
there; coming up, what it is worth to the player. All ways differ only in how regrets are discounted and kept, and how
much each round counts in the mean strategy, which is the one that comes close to equilibrium.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.holdem.solver.betting_tree import BettingTree
from mazzo.holdem.solver.small_game import SmallGame
from mazzo.jit import kernel, tight_helper
from mazzo.rng import fork, stream, uniform

__all__ = ["METHODS", "Method", "Regrets", "Steps", "Walker", "uniform_strategy"]


class Steps(NamedTuple):
    """How one round weighs what came before and what it finds."""

    keep_gain: float
    """What positive regrets are multiplied by before the new ones are added."""
    keep_loss: float
    """The same for negative ones."""
    weight: float
    """What the new regrets are multiplied by."""
    floor: bool
    """Whether regrets below zero are forgotten."""
    predict: bool
    """Whether the new regrets are expected to come again."""
    keep_mean: float
    """What the summed strategy is multiplied by."""
    mean: float
    """How much this round's strategy counts in it."""


@dataclass(frozen=True)
class Method:
    """A way to minimise regret."""

    steps: Callable[[int], Steps] | None
    """By the number of the round, from 1; None for the way that samples."""
    in_turns: bool = True
    """Whether a player answers what the others have just become, or all change at once."""
    summary: str = ""


def _discounted(t: int) -> Steps:
    k = t - 1.0
    return Steps(k**1.5 / (k**1.5 + 1), 0.5 if k else 0.0, 1.0, False, False, (k / t) ** 2, 1.0)


METHODS: dict[str, Method] = {
    "cfr": Method(
        lambda t: Steps(1, 1, 1, False, False, 1, 1), False, "regrets added up (Zinkevich et al. 2007), slow"
    ),
    "cfr+": Method(
        lambda t: Steps(1, 1, 1, True, False, 1, t), True, "regrets below zero are forgotten (Tammelin 2014)"
    ),
    "linear": Method(
        lambda t: Steps(1, 1, t, False, False, 1, t), True, "later rounds count more (Brown and Sandholm 2019)"
    ),
    "dcfr": Method(_discounted, True, "old regrets fade (Brown and Sandholm 2019)"),
    "pcfr+": Method(
        lambda t: Steps(1, 1, 1, True, True, 1, t * t),
        True,
        "expects the last regrets again (Farina et al. 2021): the closest in the end",
    ),
    "mccfr": Method(None, True, "deals and the others' actions are sampled (Lanctot et al. 2009)"),
}
"""The ways to solve a game, by name."""


class Board(NamedTuple):
    """What a walk works on."""

    tree: BettingTree
    seen: Ints
    """By round, player and deal the view."""
    deal: Ints
    """By round, player and view a deal in which the player has it, or -1."""
    weight: Floats
    cumulated: Floats
    """The weights of deals added up, to draw by."""
    payoffs: Floats


class Walked(NamedTuple):
    """What a walk writes to: by node and deal the chances of reaching it and its value; by entry what it is worth."""

    others: Floats
    own: Floats
    values: Floats
    worth: Floats


@tight_helper
def _down(board: Any, sigma: Any, player: int, room: Any) -> None:
    """The chance of reaching every node in every deal: by chance and the others, and by the player alone."""
    tree, others, own = board.tree, room.others, room.own
    deals = len(board.weight)
    for d in range(deals):
        others[0, d], own[0, d] = board.weight[d], 1.0
    for node in range(len(tree.actor)):
        p, count = tree.actor[node], tree.actions[node]
        if p < 0:
            continue
        view, offset = board.seen[tree.street[node], p], tree.offset[node]
        for a in range(count):
            child = tree.first[node] + a
            if p == player:
                for d in range(deals):
                    others[child, d] = others[node, d]
                    own[child, d] = own[node, d] * sigma[offset + view[d] * count + a]
            else:
                for d in range(deals):
                    own[child, d] = own[node, d]
                    others[child, d] = others[node, d] * sigma[offset + view[d] * count + a]


@tight_helper
def _up(board: Any, sigma: Any, player: int, best: bool, room: Any) -> float:
    """What every action is worth to the player, by entry, and the value of the game.

    `sigma` is what the player plays; if the best is asked for, it is written there.
    """
    tree, values, worth = board.tree, room.values, room.worth
    deals = len(board.weight)
    for node in range(len(tree.actor) - 1, -1, -1):
        p, count, first = tree.actor[node], tree.actions[node], tree.first[node]
        if p < 0:
            for d in range(deals):
                values[node, d] = board.payoffs[tree.end[node], player, d] * room.others[node, d]
            continue
        for d in range(deals):
            values[node, d] = 0.0
        if p != player:
            for a in range(count):
                for d in range(deals):
                    values[node, d] += values[first + a, d]
            continue
        view, offset = board.seen[tree.street[node], p], tree.offset[node]
        for d in range(deals):
            for a in range(count):
                worth[offset + view[d] * count + a] = 0.0
        for d in range(deals):
            for a in range(count):
                worth[offset + view[d] * count + a] += values[first + a, d]
        if best:
            for d in range(deals):
                _take_best(worth, sigma, offset + view[d] * count, count)
        for d in range(deals):
            at = offset + view[d] * count
            for a in range(count):
                values[node, d] += sigma[at + a] * values[first + a, d]
    total = 0.0
    for d in range(deals):
        total += values[0, d]
    return total


@tight_helper
def _take_best(worth: Any, sigma: Any, at: int, count: int) -> None:
    top = at
    for k in range(at, at + count):
        sigma[k] = 0.0
        if worth[k] > worth[top]:
            top = k
    sigma[top] = 1.0


@tight_helper
def _change(board: Any, player: int, steps: Any, room: Any, sigma: Any, regret: Any, mean: Any, new: Any) -> None:
    """Take in what a walk found for one player: regrets, the mean strategy, the next strategy (`new`)."""
    tree, worth = board.tree, room.worth
    for node in range(len(tree.actor)):
        if tree.actor[node] != player:
            continue
        count, street = tree.actions[node], tree.street[node]
        for view in range(board.deal.shape[2]):
            deal = board.deal[street, player, view]
            if deal < 0:
                continue
            at, reach = tree.offset[node] + view * count, room.own[node, deal]
            value = 0.0
            for k in range(at, at + count):
                value += sigma[k] * worth[k]
                mean[k] = mean[k] * steps.keep_mean + steps.mean * reach * sigma[k]
            total = 0.0
            for k in range(at, at + count):
                change = steps.weight * (worth[k] - value)
                kept = regret[k] * (steps.keep_gain if regret[k] > 0.0 else steps.keep_loss) + change
                regret[k] = max(kept, 0.0) if steps.floor > 0.0 else kept
                new[k] = max(regret[k] + steps.predict * change, 0.0)
                total += new[k]
            for k in range(at, at + count):
                new[k] = new[k] / total if total > 0.0 else 1.0 / count


@kernel
def _rounds(board: Any, schedule: Any, room: Any, sigma: Any, regret: Any, mean: Any, new: Any) -> None:
    """Rounds of regret minimisation, a row of `schedule` each; `new` is `sigma` itself where players take turns."""
    for t in range(len(schedule)):
        row = schedule[t]
        steps = Steps(row[0], row[1], row[2], row[3], row[4], row[5], row[6])
        for player in range(board.payoffs.shape[1]):
            _down(board, sigma, player, room)
            _up(board, sigma, player, False, room)
            _change(board, player, steps, room, sigma, regret, mean, new)
        for k in range(len(sigma)):
            sigma[k] = new[k]


@tight_helper
def _pass_down(board: Any, deal: int, player: int, key: Any, sigma: Any, walked: Any) -> None:
    """Mark the nodes that are walked in a deal: all actions of the player, one drawn action of every other."""
    tree = board.tree
    walked[0] = 1.0
    for node in range(len(tree.actor)):
        p, count, first = tree.actor[node], tree.actions[node], tree.first[node]
        if p < 0:
            continue
        at = tree.offset[node] + board.seen[tree.street[node], p, deal] * count
        draw, chosen = uniform(fork(key, node)), 0
        while chosen < count - 1 and draw >= sigma[at + chosen]:
            draw -= sigma[at + chosen]
            chosen += 1
        for a in range(count):
            walked[first + a] = walked[node] if p == player or a == chosen else 0.0


@tight_helper
def _take_in(board: Any, deal: int, player: int, walked: Any, values: Any, sigma: Any, regret: Any, mean: Any) -> None:
    """Add the sampled regrets of the player, and the strategy of the next player where that one was walked."""
    tree, next_player = board.tree, (player + 1) % board.payoffs.shape[1]
    for node in range(len(tree.actor) - 1, -1, -1):
        p, count, first = tree.actor[node], tree.actions[node], tree.first[node]
        if walked[node] == 0.0:
            continue
        if p < 0:
            values[node] = board.payoffs[tree.end[node], player, deal]
            continue
        at = tree.offset[node] + board.seen[tree.street[node], p, deal] * count
        values[node] = 0.0
        for a in range(count):
            if walked[first + a] != 0.0:
                values[node] += values[first + a] * (sigma[at + a] if p == player else 1.0)
        total = 0.0
        for a in range(count):
            if p == player:
                regret[at + a] += values[first + a] - values[node]
                total += max(regret[at + a], 0.0)
            elif p == next_player:
                mean[at + a] += sigma[at + a]
        if p == player:
            for a in range(count):
                sigma[at + a] = max(regret[at + a], 0.0) / total if total > 0.0 else 1.0 / count


@kernel
def _samples(board: Any, begin: int, rounds: int, key: Any, room: Any, sigma: Any, regret: Any, mean: Any) -> None:
    """Rounds in which every player learns from one drawn deal."""
    walked, values = room.values.reshape(-1)[: len(board.tree.actor)], room.own.reshape(-1)[: len(board.tree.actor)]
    for t in range(begin, begin + rounds):
        for player in range(board.payoffs.shape[1]):
            own = fork(fork(key, t), player)
            deal = int(np.searchsorted(board.cumulated, uniform(own) * board.cumulated[-1], side="right"))
            _pass_down(board, deal, player, own, sigma, walked)
            _take_in(board, deal, player, walked, values, sigma, regret, mean)


def uniform_strategy(game: SmallGame) -> Floats:
    """The strategy that takes every action with the same chance, by entry."""
    out = np.empty(game.entries)
    for node in np.flatnonzero(game.tree.actor >= 0):
        game.rows(out, node)[:] = 1.0 / game.tree.actions[node]
    return out


class Walker:
    """Walks through one game: values of strategies, best responses, rounds of regret minimisation."""

    def __init__(self, game: SmallGame) -> None:
        self.game = game
        size = (len(game.tree.actor), len(game.weight))
        widest = max(len(keys) for keys in game.views.keys)
        # One deal stands for all in which a player has a view: its own actions lead there with the same chance in each.
        deal = np.full((*game.seen.shape[:2], widest), -1, np.int64)
        for street, rows in enumerate(game.seen):
            for player, views in enumerate(rows):
                deal[street, player, views] = np.arange(len(views))
        self._board = Board(game.tree, game.seen, deal, game.weight, np.cumsum(game.weight), game.payoffs)
        self._room = Walked(np.empty(size), np.empty(size), np.empty(size), np.zeros(game.entries))

    def _walk(self, sigma: Floats, player: int, best: bool = False) -> float:
        _down(self._board, sigma, player, self._room)
        return float(_up(self._board, sigma, player, best, self._room))

    def reach_of_others(self, sigma: Floats, player: int) -> Floats:
        """By node and deal the chance that the deal and all players but one lead there."""
        _down(self._board, sigma, player, self._room)
        return self._room.others.copy()

    def values(self, sigma: Floats) -> Floats:
        """What each player wins a hand, in chips, when all play by a strategy."""
        return np.array([self._walk(sigma, p) for p in range(self.game.players)])

    def best_responses(self, sigma: Floats) -> Floats:
        """What each player could win at most against the others' strategy."""
        return np.array([self._walk(sigma.copy(), p, best=True) for p in range(self.game.players)])

    def worths(self, sigma: Floats) -> tuple[Floats, Floats]:
        """By entry what each action is worth to its player, in chips, and the chance that all else leads there.

        Worths are of the whole hand, given that the situation is reached; where it never is, they are 0.
        """
        worth, chance, tree = np.zeros(self.game.entries), np.zeros(self.game.entries), self.game.tree
        for player in range(self.game.players):
            self._walk(sigma, player)
            for node in np.flatnonzero(tree.actor == player):
                views, size = self.game.seen[tree.street[node], player], self.game.views_at(node)
                reached = np.bincount(views, self._room.others[node], minlength=size)
                span = slice(tree.offset[node], tree.offset[node] + size * tree.actions[node])
                chance[span] = np.repeat(reached, tree.actions[node])
                worth[span] = self._room.worth[span]
        return np.divide(worth, chance, out=np.zeros_like(worth), where=chance > 0), chance

    def improve(self, method: Method, run: Regrets, rounds: int, seed: int = 0) -> None:
        """Some more rounds of a method."""
        begin, run.rounds = run.rounds + 1, run.rounds + rounds
        if method.steps is None:
            key = stream(seed, "samples")
            _samples(self._board, begin, rounds, key, self._room, run.sigma, run.regret, run.mean)
            return
        schedule = np.array([method.steps(t) for t in range(begin, begin + rounds)], np.float64)
        new = run.sigma if method.in_turns else run.sigma.copy()
        _rounds(self._board, schedule, self._room, run.sigma, run.regret, run.mean, new)


@dataclass
class Regrets:
    """Where a run of regret minimisation stands."""

    sigma: Floats
    regret: Floats
    mean: Floats
    rounds: int = 0

    @classmethod
    def begin(cls, game: SmallGame) -> Regrets:
        """No regrets yet: every action is as likely."""
        return cls(uniform_strategy(game), np.zeros(game.entries), np.zeros(game.entries))

    def strategy(self, game: SmallGame) -> Floats:
        """The mean strategy by entry; where a player never comes by its own actions, all actions are as likely."""
        out = uniform_strategy(game)
        for node in np.flatnonzero(game.tree.actor >= 0):
            summed = game.rows(self.mean, node)
            total = summed.sum(axis=1)
            game.rows(out, node)[total > 0] = summed[total > 0] / total[total > 0, None]
        return out
