"""How often each action was taken in like situations: a model of those who made a log, and what it lets one believe.

What an action is worth can be learned only where somebody took it. A model of the log's players says where that is:
boosted trees on (state, action) fitted to 1 for the action taken and 0 for the other legal ones, as many trees as
foretell episodes that were held out best. An action is believed where its share is at least a part of the commonest
action's (batch-constrained Q-learning: Fujimoto, Meger, Precup 2019, and its discrete form of the same year).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Flags, Floats, Ints
from mazzo.learn.forest import Forest
from mazzo.learn.q_values import q_table

__all__ = ["Behaviour", "believed", "explored", "fit_behaviour", "shares"]

TREES, LEAVES, RATE, LEAF = 60, 32, 0.2, 5
"""Large trees with small leaves: a rule of somebody's is sharp. Held-out episodes say when to stop."""
_HELD_OUT = 5
"""One episode of so many is held out."""


class Behaviour(NamedTuple):
    """A fitted model of a log's players."""

    forest: Forest
    """Of a state and an action."""
    held_out: Ints
    """The decisions that were held out while the number of trees was chosen."""
    held_out_shares: Floats
    """What a model that had not seen them says of these: a column an action."""


def shares(forest: Forest, states: NDArray[np.float32], legal: Flags) -> Floats:
    """The share of each action in like situations; rows sum to 1, an action that is not legal has 0."""
    p = q_table(forest.predict, states, legal.shape[1], legal)
    p = np.where(legal, np.clip(p, 0.0, 1.0), 0.0)
    total = p.sum(axis=1, keepdims=True)
    even = legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)
    return np.where(total > 0, p / np.where(total > 0, total, 1.0), even)


def believed(p: Floats, caution: float) -> Flags:
    """Which actions were taken often enough: their share is at least `caution` times the commonest action's."""
    return np.asarray((p > 0) & (p >= caution * p.max(axis=1, keepdims=True)))


def explored(p: Floats, legal: Flags, caution: float) -> float:
    """Of the actions beside the commonest one, the part that is believed: 1 where everything was tried, 0 at a rule."""
    others = legal.sum(axis=1) - 1
    if not others.sum():
        return 1.0
    return float((believed(p, caution).sum(axis=1) - 1)[others > 0].sum() / others.sum())


def fit_behaviour(
    states: NDArray[np.float32], legal: Flags, actions: Ints, episodes: Ints, *, seed: int = 0, workers: int = 1
) -> Behaviour:
    """Fit a model of who took these decisions.

    Args:
        states: what could be seen, a row a decision.
        legal: what might be chosen, a column an action.
        actions: what was.
        episodes: equal for decisions that belong together: they are held out together.
        seed: for what is held out.
        workers: threads that count.
    """
    _, group = np.unique(episodes, return_inverse=True)
    out = (np.random.default_rng(seed).permutation(int(group.max()) + 1) % _HELD_OUT == 0)[group]
    first = _fit(states[~out], legal[~out], actions[~out], TREES, seed, workers)
    trees = _best_number(first, states[out], legal[out], actions[out])
    held = np.flatnonzero(out)
    told = shares(_first_trees(first, trees), states[held], legal[held])
    return Behaviour(_fit(states, legal, actions, trees, seed, workers), held, told)


def _asked(states: NDArray[np.float32], legal: Flags, actions: Ints) -> tuple[NDArray[np.float32], Floats]:
    """A row for each legal action of each decision, and whether it was taken."""
    action, row = np.nonzero(legal.T)
    inputs = np.column_stack([states[row], action.astype(np.float32)])
    return inputs, (actions[row] == action).astype(np.float64)


def _fit(states: Any, legal: Flags, actions: Ints, trees: int, seed: int, workers: int) -> Forest:
    from mazzo.learn.boosted import BoostedTrees  # brings scikit-learn

    inputs, taken = _asked(states, legal, actions)
    return BoostedTrees(trees, LEAVES, RATE, LEAF, random_state=seed, n_jobs=workers).fit(inputs, taken).as_forest()


def _best_number(forest: Forest, states: Any, legal: Flags, actions: Ints) -> int:
    """With how many of its trees a forest foretells these decisions best, by squared error; at least 1."""
    if not len(actions):
        return len(forest.depths)
    inputs, taken = _asked(states, legal, actions)
    rest = taken - forest.base
    errors = []
    for leaves, start in zip(forest.leaves(inputs), forest.starts, strict=False):
        rest = rest - forest.values[start + leaves]
        errors.append(float(rest @ rest))
    return int(np.argmin(errors)) + 1


def _first_trees(forest: Forest, number: int) -> Forest:
    end = int(forest.starts[number])
    return forest._replace(
        thresholds=forest.thresholds[:end],
        links=forest.links[:end],
        values=forest.values[:end],
        starts=forest.starts[: number + 1],
        depths=forest.depths[:number],
    )
