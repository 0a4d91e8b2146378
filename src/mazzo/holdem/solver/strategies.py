"""What agents play in a small game, as one array."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mazzo.agent import Agent
from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem.observation import Observations
from mazzo.holdem.solver.small_game import SmallGame
from mazzo.policy import ActionChances

__all__ = ["strategy_of"]

_AT_ONCE = 100_000


def _shares(game: SmallGame, nodes: Ints, policy: ActionChances) -> list[Floats]:
    """By action of the tree its chance in every row."""
    tree, out = game.tree, []
    for a in range(int(tree.actions[nodes].max())):
        there = tree.first[nodes] + np.minimum(a, tree.actions[nodes] - 1)
        share = policy.share(tree.action[there], any_raise=game.rules.limit)
        out.append(np.where(a < tree.actions[nodes], share, 0.0))
    return out


def strategy_of(agents: Sequence[Agent[Observations]], game: SmallGame) -> tuple[Floats, bool]:
    """What agents play, one a position, as chances by entry of a game; and whether these are exact."""
    tree, exact = game.tree, True
    out = np.zeros(game.entries)
    for player, agent in enumerate(agents):
        nodes = np.flatnonzero(tree.actor == player)
        rows = np.concatenate(
            [np.column_stack([np.full(game.views_at(n), n), np.arange(game.views_at(n))]) for n in nodes]
        )
        for part in np.array_split(rows, max(1, len(rows) // _AT_ONCE)):
            at, views = part.T
            policy = agent.policy(game.observations(at, views))
            exact &= policy.exact
            shares = np.array(_shares(game, at, policy))
            if (np.abs(shares.sum(axis=0) - 1) > 1e-9).any():
                raise UnreadableError(f"{agent.name} plays what the tree of {game.rules.name} does not have")
            for a, share in enumerate(shares):
                inside = a < tree.actions[at]
                out[(tree.offset[at] + views * tree.actions[at] + a)[inside]] = share[inside]
    return out, exact
