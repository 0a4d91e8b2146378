"""What a strategy would earn, judged from a log alone: fitted Q evaluation (Le, Voloshin, Yue 2019), with an interval.

Q of the strategy itself is fitted to the logged decisions, `reward + gamma * Q(next state, what the strategy plays)`,
and averaged over the states in which episodes begin. Trees are grown a few times only, first for what the logged
decisions brought and then for the targets found with the trees before; between that their cuts are kept and their
leaves learned again until every decision has been heard of. So are they for episodes drawn with replacement; the
interval is that of these repetitions. It covers the chance of the log, not the bias of the regressor, which is the
larger part where the log holds few of the strategy's own decisions: the arena has the last word.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.learn.fitted_q import FittedQ
from mazzo.learn.forest import Forest, flatten
from mazzo.learn.kept_cuts import KeptCuts
from mazzo.learn.transitions import Transitions
from mazzo.statistics import Estimate

__all__ = ["GROWTHS", "Policy", "evaluate", "evaluate_once"]

Policy = Callable[[NDArray[np.float32], NDArray[np.bool_]], NDArray[np.int64]]
"""The action a strategy takes in each state, of those that are legal."""


GROWTHS = 3
"""How often the trees are grown: growing them at every iteration gives the same within the interval."""


def evaluate_once(
    batch: Transitions,
    policy: Policy,
    regressor: Any,
    *,
    actions: int = 3,
    iterations: int = 12,
    gamma: float = 1.0,
    first_legal: NDArray[np.bool_] | None = None,
    weights: Floats | None = None,
    progress: Callable[[float], None] = lambda amount: None,
) -> Floats:
    """The strategy's value in the first state of every episode of the batch.

    Args:
        batch: the logged decisions.
        policy: the strategy.
        regressor: a regressor made of trees.
        actions: how many actions there are.
        iterations: as for `FittedQ`.
        gamma: as for `FittedQ`.
        first_legal: what is legal in the first states, a row an episode; by default everything.
        weights: how often every decision counts, a column for each weighting; the trees are grown for the first.
        progress: told 1 each time the trees have been grown.

    Returns:
        A value an episode; with weights, a column for each weighting.
    """
    FittedQ(regressor, actions, iterations, gamma).check(batch)
    ahead = np.flatnonzero(~batch.terminal)
    inputs = _with_actions(batch.states, batch.actions)
    after = _with_actions(batch.next_states[ahead], policy(batch.next_states[ahead], batch.next_legal[ahead]))
    starts = batch.states[batch.first]
    legal = np.ones((len(starts), actions), np.bool_) if first_legal is None else first_legal
    begins = _with_actions(starts, policy(starts, legal))
    every = np.ones((len(batch), 1)) if weights is None else weights
    target = _to_come(batch, gamma)[:, None]
    for growth in range(1, GROWTHS + 1):
        columns = every if growth == GROWTHS else every[:, :1]
        forest, cuts = _grown(regressor, inputs, target[:, 0])
        leaves = forest.leaves(after)
        target = np.repeat(batch.rewards[:, None], columns.shape[1], axis=1)
        for _ in range(iterations - 1):
            value = cuts.predict(target, columns, leaves)
            target = np.repeat(batch.rewards[:, None], columns.shape[1], axis=1)
            target[ahead] += gamma * value
        progress(1)
    values = cuts.predict(target, every, forest.leaves(begins))
    return values[:, 0] if weights is None else values


def _grown(regressor: Any, inputs: NDArray[np.float32], target: Floats) -> tuple[Forest, KeptCuts]:
    model = clone(regressor)
    with threadpool_limits(1):
        model.fit(inputs, target)
    forest = flatten(model)
    if forest is None:
        raise UnreadableError("only a regressor made of trees can judge a strategy")
    return forest, KeptCuts.of(forest, inputs, getattr(model, "learning_rate", None))


def _with_actions(states: NDArray[np.float32], actions: NDArray[np.int64]) -> NDArray[np.float32]:
    return np.column_stack([states, actions.astype(np.float32)])


def _to_come(batch: Transitions, gamma: float) -> Floats:
    """What every decision and those after it in its episode brought."""
    order = np.argsort(batch.episodes, kind="stable")
    rewards, episodes = batch.rewards[order], batch.episodes[order]
    later = np.append(episodes[1:] == episodes[:-1], False)
    for row in np.flatnonzero(later)[::-1].tolist():
        rewards[row] += gamma * rewards[row + 1]
    out = np.empty(len(rewards))
    out[order] = rewards
    return out


def evaluate(
    batch: Transitions,
    policy: Policy,
    regressor: Any,
    *,
    repetitions: int = 10,
    seed: int = 0,
    **options: Any,
) -> Estimate:
    """The strategy's mean value over first states, with a bootstrap's standard error.

    Args:
        batch: the logged decisions.
        policy: the strategy.
        regressor: a regressor made of trees.
        repetitions: how often episodes are drawn again.
        seed: for the drawing.
        options: as for `evaluate_once`.
    """
    if repetitions < 2:
        raise UnreadableError(f"repetitions must be at least 2 for an interval, got {repetitions}")
    episodes, episode = np.unique(batch.episodes, return_inverse=True)
    rng = np.random.default_rng(seed)
    size = len(episodes)
    drawn = [np.bincount(rng.integers(0, size, size), minlength=size) for _ in range(repetitions)]
    weights = np.column_stack([np.ones(size), *drawn])[episode]
    values = evaluate_once(batch, policy, regressor, weights=weights, **options)
    means = np.average(values, axis=0, weights=weights[batch.first])
    return Estimate(float(means[0]), float(np.std(means[1:], ddof=1)), size)
