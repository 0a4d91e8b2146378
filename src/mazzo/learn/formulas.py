"""Regressors that are not made of trees, kept as data: linear models, nearest neighbours, small nets.

A `Formula` is what is left of a fitted scikit-learn regressor, or of a pipeline that ends in one: its numbers and how
they are used. Nothing in it can run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats
from mazzo.errors import UnreadableError

__all__ = ["Formula", "by_action"]

_ACTIVATIONS = ("identity", "logistic", "tanh", "relu")
_FINALS = ("linear", "neighbours", "net")
_AT_ONCE = 100_000
_BY_ACTION = tuple(f"by_action:{actions}" for actions in range(2, 17))


def by_action(x: Floats, actions: int) -> Floats:
    """Inputs anew: a block of columns an action, led by a 1; zeros but in the block of the action in the last input."""
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
                x = by_action(x, int(step.partition(":")[2]))
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
                sound = sound and (step == "scale" or step in _BY_ACTION)
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
