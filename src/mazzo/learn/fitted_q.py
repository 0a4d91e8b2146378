"""Fitted Q-iteration (Ernst, Geurts, Wehenkel 2005): the best strategy against those who made a batch of decisions.

Q is one regressor on (state, action); each iteration fits it anew to `reward + gamma * max Q(next state, legal)`, and a
decision after which nothing comes is never given a next value. Everything here is scikit-learn's: `FittedQ` only
stores its parameters, what is learned ends in an underscore, and any regressor can be handed in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from mazzo.errors import UnreadableError
from mazzo.learn.forest import Forest, flatten
from mazzo.learn.transitions import Transitions

__all__ = ["FittedQ", "boosted_trees", "extra_trees", "greedy", "q_table"]

Floats = NDArray[np.float64]
Progress = Callable[[int, float], None]
"""Told after every iteration its number and its Bellman residual."""


def extra_trees(trees: int = 100, cuts: int | None = None, leaf: int = 30, *, seed: int = 0, workers: int = 1) -> Any:
    """Extremely randomized trees: so many trees, random cuts tried at a node, and rows a node must have to be cut.

    Args:
        trees: M of the papers.
        cuts: K; by default, and at most, as many as there are inputs.
        leaf: n_min: a node of fewer rows is a leaf.
        seed: same seed, same trees, on any number of workers.
        workers: threads that grow trees.
    """
    from mazzo.learn.extra import ExtraTrees

    if trees < 1 or (cuts is not None and cuts < 1) or leaf < 2:
        raise UnreadableError(f"trees and cuts are at least 1 and leaf at least 2, not {trees}, {cuts} and {leaf}")
    return ExtraTrees(trees, cuts, leaf, random_state=seed, n_jobs=workers)


def boosted_trees(trees: int = 150, leaves: int = 8, rate: float = 0.05, leaf: int = 100, *, seed: int = 0) -> Any:
    """Gradient boosting: small trees, each correcting those before it."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    if trees < 1 or leaves < 2 or leaf < 1 or not 0 < rate <= 1:
        raise UnreadableError(
            "trees and leaf are at least 1, leaves at least 2 and rate in (0, 1], "
            f"not {trees}, {leaf}, {leaves} and {rate}"
        )
    return HistGradientBoostingRegressor(
        max_iter=trees, max_leaf_nodes=leaves, learning_rate=rate, min_samples_leaf=leaf, early_stopping=False,
        random_state=seed,
    )  # fmt: skip


def greedy(q: Floats, legal: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
    """The best legal action of every row; of equals the first, which is the cheapest where actions stand in order."""
    if legal is not None:
        q = np.where(legal, q, -np.inf)
    best: NDArray[np.int64] = np.argmax(q, axis=1)
    return best


def q_table(
    predict: Callable[[NDArray[np.float32]], Floats],
    states: NDArray[np.float32],
    actions: int,
    wanted: NDArray[np.bool_] | None = None,
) -> Floats:
    """Q of every action in every state, a column an action; minus infinity where it is not wanted."""
    size, width = states.shape
    mask = np.ones((size, actions), np.bool_) if wanted is None else wanted
    out = np.full((size, actions), -np.inf)
    action, row = np.nonzero(mask.T)  # rows that are alike side by side go down a tree together
    inputs = np.empty((len(row), width + 1), np.float32)
    inputs[:, :width] = states[row]
    inputs[:, width] = action
    out[row, action] = predict(inputs)
    return out


class FittedQ(BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """Learns Q from a batch of decisions.

    Args:
        regressor: any scikit-learn regressor, by default extremely randomized trees; a function from the number of
            the iteration to one, to use another at every iteration.
        actions: how many actions there are; they are numbered from 0.
        iterations: how many times Q is fitted: the most decisions an episode can have.
        gamma: how much the next decision's value counts.
    """

    regressor_: Any
    forest_: Forest | None
    residuals_: list[float]

    def __init__(self, regressor: Any = None, actions: int = 3, iterations: int = 12, gamma: float = 1.0) -> None:
        self.regressor = regressor
        self.actions = actions
        self.iterations = iterations
        self.gamma = gamma

    def fit(
        self,
        batch: Transitions,
        progress: Progress = lambda number, residual: None,
        sample_weight: Floats | None = None,
    ) -> FittedQ:
        """Learn from the decisions; gives this estimator.

        `residuals_` are the Bellman residuals: how far, in the root mean square over the decisions taken, each
        iteration's Q is from the target the one before sets.
        """
        self._check(batch)
        inputs = np.column_stack([batch.states, batch.actions.astype(np.float32)])
        ahead = np.flatnonzero(~batch.terminal)
        states, legal = batch.next_states[ahead], batch.next_legal[ahead]
        self.residuals_ = []
        target = batch.rewards
        before = np.zeros(len(batch))
        for number in range(1, self.iterations + 1):
            self.regressor_ = self._new_regressor(number)
            options = {} if sample_weight is None else {"sample_weight": sample_weight}
            with threadpool_limits(1):  # threads that wait for each other cost more than they bring at these sizes
                self.regressor_.fit(inputs, target, **options)
            self.forest_ = flatten(self.regressor_)
            residual = float(np.sqrt(np.mean((target - before) ** 2)))
            self.residuals_.append(residual)
            progress(number, residual)
            if number == self.iterations:
                break
            before = self._predict(inputs)
            target = batch.rewards.copy()
            target[ahead] += self.gamma * q_table(self._predict, states, self.actions, legal).max(axis=1)
        return self

    def _check(self, batch: Transitions) -> None:
        if not len(batch):
            raise UnreadableError("there are no decisions to learn from")
        if self.iterations < 1 or not 0 <= self.gamma <= 1:
            raise UnreadableError(
                f"iterations are at least 1 and gamma is in [0, 1], not {self.iterations} and {self.gamma}"
            )
        if batch.actions.min() < 0 or batch.actions.max() >= self.actions:
            raise UnreadableError(f"actions are numbered 0 to {self.actions - 1}, not to {batch.actions.max()}")
        if not batch.next_legal[~batch.terminal].any(axis=1).all():
            raise UnreadableError("a state that is followed by a decision must have a legal action")

    def _new_regressor(self, number: int) -> Any:
        if self.regressor is None:
            return extra_trees()
        if hasattr(self.regressor, "fit"):
            return clone(self.regressor)
        return self.regressor(number)

    def _predict(self, inputs: NDArray[np.float32]) -> Floats:
        """One thread, in a fixed order: sums of threads differ in the last bit, and iterating would make it grow."""
        if self.forest_ is not None:
            return self.forest_.predict(inputs)
        predicted: Floats = np.asarray(self.regressor_.predict(inputs), np.float64)
        return predicted

    def q_values(self, states: NDArray[Any]) -> Floats:
        """Q of every action in every state: a column an action."""
        check_is_fitted(self)
        return q_table(self._predict, np.asarray(states, np.float32), self.actions)

    def predict(self, states: NDArray[Any], legal: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """The best legal action in every state."""
        return greedy(self.q_values(states), legal)
