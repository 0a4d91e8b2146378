"""Between scikit-learn's estimators and what is kept of them as data: a `Forest` or a `Formula`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.learn.forest import MOST_INPUTS, Forest
from mazzo.learn.formulas import Formula, by_action
from mazzo.learn.torch_net import TorchNet

__all__ = ["ByAction", "ForestRegressor", "as_formula"]


class ForestRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """What regressors of trees of ours share: `fit` checks its rows by `_rows` and leaves `forest_`."""

    forest_: Forest

    def _rows(self, x: NDArray[Any], y: NDArray[Any]) -> tuple[NDArray[np.float32], Floats]:
        """The rows to grow trees from, as they are taken."""
        x, y = validate_data(self, x, y, dtype=np.float32, y_numeric=True)
        if x.shape[1] > MOST_INPUTS:
            raise UnreadableError(f"these trees take at most {MOST_INPUTS} inputs, not {x.shape[1]}")
        return x, np.asarray(y, np.float64)

    def as_forest(self) -> Forest:
        """The fitted trees."""
        check_is_fitted(self)
        return self.forest_

    def predict(self, x: NDArray[Any]) -> Floats:
        """What the trees say of each row, together."""
        return self.as_forest().predict(validate_data(self, x, dtype=np.float32, reset=False))


class ByAction(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """Inputs anew for each action: the last input is the action's number, and each action gets columns of its own."""

    def __init__(self, actions: int = 3) -> None:
        self.actions = actions

    def fit(self, x: NDArray[Any], y: Any = None) -> ByAction:
        """Nothing is learned."""
        self.n_features_in_ = np.asarray(x).shape[1]
        return self

    def transform(self, x: NDArray[Any]) -> Floats:
        """One block of columns an action, with a 1 for the action itself; zeros in the blocks of the others."""
        return by_action(np.asarray(x, np.float64), self.actions)


def as_formula(model: Any, inputs: NDArray[Any]) -> Formula | None:
    """A fitted scikit-learn regressor as a formula, or None if it cannot be kept as data.

    Args:
        model: linear models, nearest neighbours (uniform weights, Euclidean), nets, or a pipeline of scaling,
            `ByAction` and one of these.
        inputs: what it was fitted with, for the usual row that `contributions` starts from.
    """
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import StandardScaler

    *before, last = [step for _, step in model.steps] if isinstance(model, Pipeline) else [model]
    steps, arrays = [], {"usual": np.median(inputs, axis=0).astype(np.float64)}
    for k, step in enumerate(before):
        if isinstance(step, ByAction):
            steps.append(f"by_action:{step.actions}")
        elif isinstance(step, StandardScaler) and step.with_mean and step.with_std:
            steps.append("scale")
            arrays |= {f"{k}/mean": np.array(step.mean_), f"{k}/scale": np.array(step.scale_)}
        else:
            return None
    found = _final(last)
    if found is None:
        return None
    final, settings, more = found
    return Formula(inputs.shape[1], tuple(steps), final, settings, arrays | more)


def _final(model: Any) -> tuple[str, dict[str, Any], dict[str, NDArray[Any]]] | None:
    from sklearn.linear_model._base import LinearModel
    from sklearn.neighbors import KNeighborsRegressor
    from sklearn.neural_network import MLPRegressor

    if isinstance(model, KNeighborsRegressor):
        if model.weights != "uniform" or model.effective_metric_ != "euclidean":
            return None
        rows = {"rows": np.array(model._fit_X, np.float64), "values": np.array(model._y, np.float64).ravel()}
        return "neighbours", {"neighbours": int(model.n_neighbors)}, rows
    if isinstance(model, MLPRegressor | TorchNet):
        arrays = {f"weights{k}": np.array(each, np.float64) for k, each in enumerate(model.coefs_)}
        arrays |= {f"bias{k}": np.array(each, np.float64) for k, each in enumerate(model.intercepts_)}
        return "net", {"layers": len(model.coefs_), "activation": model.activation}, arrays
    if isinstance(model, LinearModel) and np.asarray(getattr(model, "coef_", 0.0)).ndim == 1:
        numbers = {"coef": np.array(model.coef_, np.float64), "intercept": np.array([float(model.intercept_)])}
        return "linear", {}, numbers
    return None
