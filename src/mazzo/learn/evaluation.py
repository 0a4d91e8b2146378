"""What a strategy would earn, judged from a log alone: fitted Q evaluation (Le, Voloshin, Yue 2019), with an interval.

Q of the strategy itself is fitted to the logged decisions, `reward + gamma * Q(next state, what the strategy plays)`,
and averaged over the states in which episodes begin. The whole is done again on episodes drawn with replacement; the
interval is that of these repetitions. It covers the chance of the log, not the bias of the regressor, which is the
larger part where the log holds few of the strategy's own decisions: the arena has the last word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arena.statistics import Estimate
from mazzo.errors import UnreadableError
from mazzo.learn.fitted_q import FittedQ, q_table
from mazzo.learn.transitions import Transitions

__all__ = ["Policy", "evaluate", "evaluate_once"]

Floats = NDArray[np.float64]
Policy = Callable[[NDArray[np.float32], NDArray[np.bool_]], NDArray[np.int64]]
"""The action a strategy takes in each state, of those that are legal."""


def evaluate_once(
    batch: Transitions, policy: Policy, regressor: Any, *, actions: int = 3, iterations: int = 12, gamma: float = 1.0,
    first_legal: NDArray[np.bool_] | None = None,
) -> Floats:  # fmt: skip
    """The strategy's value in the first state of every episode of the batch.

    Args:
        batch: the logged decisions.
        policy: the strategy.
        regressor: any scikit-learn regressor.
        actions: how many actions there are.
        iterations: as for `FittedQ`.
        gamma: as for `FittedQ`.
        first_legal: what is legal in the first states, a row an episode; by default everything.
    """
    chosen = np.zeros((len(batch), actions), np.bool_)
    ahead = np.flatnonzero(~batch.terminal)
    chosen[ahead, policy(batch.next_states[ahead], batch.next_legal[ahead])] = True
    fitted = FittedQ(regressor, actions, iterations, gamma).fit(replace(batch, next_legal=chosen))
    starts = batch.states[batch.first]
    legal = np.ones((len(starts), actions), np.bool_) if first_legal is None else first_legal
    taken = np.zeros((len(starts), actions), np.bool_)
    taken[np.arange(len(starts)), policy(starts, legal)] = True
    values: Floats = q_table(fitted._predict, starts, actions, taken).max(axis=1)
    return values


def evaluate(
    batch: Transitions, policy: Policy, regressor: Any, *, repetitions: int = 10, seed: int = 0,
    first_legal: NDArray[np.bool_] | None = None, progress: Callable[[float], None] = lambda amount: None,
    **options: Any,
) -> Estimate:  # fmt: skip
    """The strategy's mean value over first states, with a bootstrap's standard error.

    Args:
        batch: the logged decisions.
        policy: the strategy.
        regressor: any scikit-learn regressor.
        repetitions: how often episodes are drawn again.
        seed: for the drawing.
        first_legal: what is legal in the first states, a row an episode.
        progress: told 1 after each fit, of which there is one more than repetitions.
        options: as for `evaluate_once`.
    """
    if repetitions < 2:
        raise UnreadableError(f"an interval needs at least two repetitions, not {repetitions}")
    mean = float(evaluate_once(batch, policy, regressor, first_legal=first_legal, **options).mean())
    progress(1)
    order = np.argsort(batch.episodes, kind="stable")
    _, begins, lengths = np.unique(batch.episodes[order], return_index=True, return_counts=True)
    first_row = np.flatnonzero(batch.first)
    place = np.empty(len(batch), np.int64)
    place[first_row] = np.arange(len(first_row))
    rng = np.random.default_rng(seed)
    means = []
    for _ in range(repetitions):
        drawn = rng.integers(0, len(begins), len(begins))
        rows = np.concatenate([order[begins[k] : begins[k] + lengths[k]] for k in drawn])
        again = batch.rows(rows)
        legal = None if first_legal is None else first_legal[place[rows[again.first]]]
        means.append(evaluate_once(again, policy, regressor, first_legal=legal, **options).mean())
        progress(1)
    return Estimate(mean, float(np.std(means, ddof=1)), len(begins))
