"""Regressors that are not made of trees, kept as data: linear models, nearest neighbours, small nets.

A `Formula` is what is left of a fitted scikit-learn regressor, or of a pipeline that ends in one: its numbers and how
they are used. Nothing in it can run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from mazzo.arrays import Floats
from mazzo.errors import UnreadableError

__all__ = ["ByAction", "Formula", "as_formula"]

_ACTIVATIONS = ("identity", "logistic", "tanh", "relu")
_FINALS = ("linear", "neighbours", "net")
_AT_ONCE = 100_000


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
        return _by_action(np.asarray(x, np.float64), self.actions)


def _by_action(x: Floats, actions: int) -> Floats:
    state, action = x[:, :-1], x[:, -1]
    blocks = [np.column_stack([np.ones(len(x)), state]) * (action == k)[:, None] for k in range(actions)]
    return np.hstack(blocks)


@dataclass(frozen=True)
class Formula:
    """A regressor as numbers: what is done to inputs in order, and what they are then used for."""

    inputs: int
    steps: tuple[str, ...]
    """by_action:N and scale, in order."""
    final: str
    """linear, neighbours or net."""
    settings: dict[str, Any]
    arrays: dict[str, NDArray[Any]]
    _built: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_built": {}}

    def predict(self, rows: NDArray[Any]) -> Floats:
        """What it says of rows."""
        x = np.asarray(rows, np.float64)
        if len(x) > _AT_ONCE:
            return np.concatenate([self.predict(part) for part in np.split(x, range(_AT_ONCE, len(x), _AT_ONCE))])
        for k, step in enumerate(self.steps):
            if step == "scale":
                x = (x - self.arrays[f"{k}/mean"]) / self.arrays[f"{k}/scale"]
            else:
                x = _by_action(x, int(step.partition(":")[2]))
        final: Floats = getattr(self, f"_{self.final}")(x)
        return final

    def _linear(self, x: Floats) -> Floats:
        return np.asarray(x @ self.arrays["coef"] + self.arrays["intercept"][0])

    def _net(self, x: Floats) -> Floats:
        layers = int(self.settings["layers"])
        for k in range(layers):
            x = x @ self.arrays[f"weights{k}"] + self.arrays[f"bias{k}"]
            if k < layers - 1:
                x = _activated(x, self.settings["activation"])
        return np.asarray(x[:, 0])

    def _neighbours(self, x: Floats) -> Floats:
        from scipy.spatial import cKDTree

        if "tree" not in self._built:
            self._built["tree"] = cKDTree(self.arrays["rows"])
        _, found = self._built["tree"].query(x, int(self.settings["neighbours"]))
        return np.asarray(self.arrays["values"][found.reshape(len(x), -1)].mean(axis=1))

    def contributions(self, row: NDArray[Any]) -> Floats:
        """What each input changes against the usual row, one after the other, and last what that row gives."""
        now, usual = np.asarray(row, np.float64), self.arrays["usual"]
        steps = np.tile(usual, (len(now) + 1, 1))
        for k in range(len(now)):
            steps[k + 1 :, k] = now[k]
        said = self.predict(steps)
        return np.append(np.diff(said), said[0])

    def check(self) -> None:
        """Refuse numbers that do not fit each other."""
        try:
            sound = self.final in _FINALS and all(np.isfinite(a).all() for a in self.arrays.values())
            sound = sound and self.arrays["usual"].shape == (self.inputs,)
            if self.final == "neighbours":
                sound = sound and 1 <= int(self.settings["neighbours"]) <= len(self.arrays["rows"])
                sound = sound and self.arrays["values"].shape == (len(self.arrays["rows"]),)
            if self.final == "net":
                sound = sound and self.settings["activation"] in _ACTIVATIONS and 1 <= int(self.settings["layers"]) <= 9
            for step in self.steps:
                sound = sound and (step == "scale" or step in ("by_action:2", "by_action:3"))
            sound = sound and self.predict(np.zeros((1, self.inputs))).shape == (1,)
        except (KeyError, ValueError, TypeError, IndexError):
            sound = False
        if not sound:
            raise UnreadableError("the formula in it is damaged: its numbers do not fit each other")


def _activated(x: Floats, name: str) -> Floats:
    if name == "relu":
        return np.maximum(x, 0)
    if name == "tanh":
        return np.tanh(x)
    return np.asarray(1 / (1 + np.exp(-x))) if name == "logistic" else x


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
    if isinstance(model, MLPRegressor):
        arrays = {f"weights{k}": np.array(each, np.float64) for k, each in enumerate(model.coefs_)}
        arrays |= {f"bias{k}": np.array(each, np.float64) for k, each in enumerate(model.intercepts_)}
        return "net", {"layers": len(model.coefs_), "activation": model.activation}, arrays
    if isinstance(model, LinearModel) and np.asarray(getattr(model, "coef_", 0.0)).ndim == 1:
        numbers = {"coef": np.array(model.coef_, np.float64), "intercept": np.array([float(model.intercept_)])}
        return "linear", {}, numbers
    return None
