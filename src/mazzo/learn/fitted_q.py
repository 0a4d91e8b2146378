"""Fitted Q-iteration (Ernst, Geurts, Wehenkel 2005): the best strategy against those who made a batch of decisions.

Q is one regressor on (state, action); each iteration fits it anew to `reward + gamma * max Q(next state, legal)`, and a
decision after which nothing comes is never given a next value. Everything here is scikit-learn's: `FittedQ` only
stores its parameters, what is learned ends in an underscore, and any regressor can be handed in.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.learn.estimators import as_formula
from mazzo.learn.forest import Forest, flatten
from mazzo.learn.formulas import Formula
from mazzo.learn.q_values import AT_ONCE, greedy, q_table
from mazzo.learn.regressors import extra_trees
from mazzo.learn.transitions import Transitions

__all__ = ["FittedQ"]

Progress = Callable[[int, float], None]
"""Told after every iteration its number and its Bellman residual."""


class FittedQ(BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """Learns Q from a batch of decisions.

    Args:
        regressor: any scikit-learn regressor, by default extremely randomized trees; a function from the number of
            the iteration to one, to use another at every iteration.
        actions: how many actions there are; they are numbered from 0.
        iterations: how many times Q is fitted: the most decisions an episode can have.
        gamma: how much the next decision's value counts.
        worth: of actions whose worth needs no learning, that worth; their rows are left out.
    """

    regressor_: Any
    forest_: Forest | None
    kept_: Forest | Formula | None
    """The last Q as data, where the regressor can be kept so."""
    residuals_: list[float]

    def __init__(
        self,
        regressor: Any = None,
        actions: int = 3,
        iterations: int = 12,
        gamma: float = 1.0,
        worth: Mapping[int, float] | None = None,
    ) -> None:
        self.regressor = regressor
        self.actions = actions
        self.iterations = iterations
        self.gamma = gamma
        self.worth = worth

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
        if self.worth:
            learned = ~np.isin(batch.actions, list(self.worth))
            batch = batch.rows(learned)
            sample_weight = None if sample_weight is None else sample_weight[learned]
        self.check(batch)
        inputs = np.column_stack([batch.states, batch.actions.astype(np.float32)])
        ahead = np.flatnonzero(~batch.terminal)
        self.residuals_ = []
        target = batch.rewards
        before = np.zeros(len(batch))
        for number in range(1, self.iterations + 1):
            self.regressor_ = self._new_regressor(number)
            options = {} if sample_weight is None else {"sample_weight": sample_weight}
            with threadpool_limits(1), warnings.catch_warnings():  # waiting threads cost more than they bring here
                warnings.simplefilter("ignore", ConvergenceWarning)  # a net of few passes is meant to be one
                self.regressor_.fit(inputs, target, **options)
            self.forest_ = flatten(self.regressor_)
            residual = float(np.sqrt(np.mean((target - before) ** 2)))
            self.residuals_.append(residual)
            progress(number, residual)
            if number == self.iterations:
                self.kept_ = self.forest_ or as_formula(self.regressor_, inputs)
                break
            known = getattr(self.regressor_, "fitted_values_", None)
            before = self._predict(inputs) if known is None else known
            target = batch.rewards.copy()
            for some in np.split(ahead, range(AT_ONCE, len(ahead), AT_ONCE)):
                q = q_table(self._predict, batch.next_states[some], self.actions, batch.next_legal[some], self.worth)
                target[some] += self.gamma * q.max(axis=1)
        return self

    def check(self, batch: Transitions) -> None:
        """Refuse decisions that nothing can be learned from."""
        if not len(batch):
            raise UnreadableError("there are no decisions to learn from")
        if self.iterations < 1 or not 0 <= self.gamma <= 1:
            raise UnreadableError(
                f"iterations must be at least 1 and gamma from 0 to 1, got {self.iterations} and {self.gamma}"
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
        return q_table(self._predict, np.asarray(states, np.float32), self.actions, worth=self.worth)

    def predict(self, states: NDArray[Any], legal: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """The best legal action in every state."""
        return greedy(self.q_values(states), legal)
