"""What a local best response wins in a small game, exactly: how good a bound it is, seen where the best is known."""

from __future__ import annotations

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.solver.regrets import Walker
from mazzo.holdem.solver.small_game import SmallGame

__all__ = ["local_values"]


def _called_down(game: SmallGame) -> Ints:
    """By node the end that is reached if everybody checks and calls from there on."""
    tree = game.tree
    out = np.arange(len(tree.actor))
    for node in range(len(tree.actor) - 1, -1, -1):
        if tree.actor[node] >= 0:
            children = tree.first[node] + np.arange(tree.actions[node])
            out[node] = out[children[tree.action[children] == c.CALL][0]]
    return np.asarray(tree.end[out])


def _shares(game: SmallGame, strategy: Floats, node: int) -> Floats:
    """By action and deal how often the player to act takes it."""
    views = game.seen[game.tree.street[node], game.tree.actor[node]]
    return np.asarray(game.rows(strategy, node)[views].T)


def _worths(game: SmallGame, strategy: Floats, node: int, down: Ints) -> Floats:
    """By action and deal what it pays the player to act, if nobody bets again; a bet may be folded to once."""
    tree, player = game.tree, int(game.tree.actor[node])
    out = np.empty((int(tree.actions[node]), len(game.weight)))
    for a in range(len(out)):
        child = int(tree.first[node]) + a
        out[a] = game.payoffs[down[child], player]
        if tree.action[child] >= c.RAISE and tree.actor[child] >= 0:
            first = int(tree.first[child])
            folds = tree.action[first] == c.FOLD
            gone = _shares(game, strategy, child)[0] if folds else np.zeros(len(game.weight))
            paid = game.payoffs[down[first], player] if folds else 0.0
            out[a] = gone * paid + (1 - gone) * out[a]
    return out


def local_values(game: SmallGame, strategy: Floats) -> Floats:
    """By seat what a local best response wins there against a strategy of the other player, in chips a hand."""
    if game.players != 2:
        raise UnreadableError("a local best response is known between two players only")
    walker, down, tree = Walker(game), _called_down(game), game.tree
    out = np.empty(2)
    for player in range(2):
        chosen = strategy.copy()
        reach = walker.reach_of_others(strategy, player)
        for node in np.flatnonzero(tree.actor == player):
            worth = _worths(game, strategy, int(node), down) * reach[node]
            views, rows = game.seen[tree.street[node], player], game.rows(chosen, int(node))
            summed = np.array([np.bincount(views, row, minlength=len(rows)) for row in worth])
            rows[:] = np.eye(rows.shape[1])[summed.argmax(axis=0)]
        out[player] = walker.values(chosen)[player]
    return out
