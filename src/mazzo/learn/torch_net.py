"""A small neural net fitted with PyTorch on the CPU (`pip install 'mazzo[torch]'`); it plays without PyTorch.

What is kept are its weights, used as those of scikit-learn's nets are.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mazzo.arrays import Floats

__all__ = ["TorchNet"]

_BATCH = 1024
"""Rows of a step; fewer where there are few rows, so that a pass has steps enough."""


class TorchNet(RegressorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """Two hidden layers with rectified units, squared errors, Adam with a rate that falls to zero.

    Args:
        units: units of each hidden layer.
        passes: passes over the rows.
        learning_rate: Adam's, at the beginning.
        random_state: for the first weights and the order of the rows.
        n_jobs: threads.
    """

    activation = "relu"

    def __init__(
        self, units: int = 64, passes: int = 8, learning_rate: float = 0.003, random_state: int = 0, n_jobs: int = 1
    ) -> None:
        self.units = units
        self.passes = passes
        self.learning_rate = learning_rate
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, x: NDArray[Any], y: NDArray[Any]) -> TorchNet:
        """Fit the net; `coefs_` and `intercepts_` are its weights."""
        import torch

        x, y = validate_data(self, x, y, dtype=np.float32, y_numeric=True)
        middle, spread = float(np.mean(y)), float(np.std(y)) or 1.0
        torch.set_num_threads(max(1, self.n_jobs))
        drawn = torch.Generator().manual_seed(self.random_state)
        rows, wanted = torch.from_numpy(x), torch.from_numpy(((y - middle) / spread).astype(np.float32))
        layers = _layers(torch, (x.shape[1], self.units, self.units, 1), drawn)
        _descend(torch, layers, rows, wanted, self.passes, self.learning_rate, drawn)
        weights = [[part.detach().numpy().astype(np.float64) for part in layer] for layer in layers]
        self.coefs_: list[Floats] = [w for w, _ in weights]
        self.intercepts_: list[Floats] = [b for _, b in weights]
        self.coefs_[-1] = self.coefs_[-1] * spread
        self.intercepts_[-1] = self.intercepts_[-1] * spread + middle
        return self

    def predict(self, x: NDArray[Any]) -> Floats:
        """What the net says of each row."""
        check_is_fitted(self)
        out = np.asarray(validate_data(self, x, dtype=np.float32, reset=False), np.float64)
        for k, (weights, bias) in enumerate(zip(self.coefs_, self.intercepts_, strict=True)):
            out = out @ weights + bias
            if k < len(self.coefs_) - 1:
                out = np.maximum(out, 0)
        return np.asarray(out[:, 0])


def _layers(torch: Any, sizes: tuple[int, ...], drawn: Any) -> list[tuple[Any, Any]]:
    """Weights and biases of each layer, drawn as He and others (2015) do for rectified units."""
    made = []
    for before, after in pairwise(sizes):
        weights = torch.randn((before, after), generator=drawn) * (2.0 / before) ** 0.5
        made.append((weights.requires_grad_(), torch.zeros(after, requires_grad=True)))
    return made


def _descend(
    torch: Any, layers: list[tuple[Any, Any]], rows: Any, wanted: Any, passes: int, rate: float, drawn: Any
) -> None:
    chosen = torch.optim.Adam([part for layer in layers for part in layer], lr=rate)
    batch = min(_BATCH, max(32, len(rows) // 64))
    steps = passes * -(-len(rows) // batch)
    falling = torch.optim.lr_scheduler.LambdaLR(chosen, lambda step: max(0.0, 1 - step / steps))
    for _ in range(passes):
        for some in torch.randperm(len(rows), generator=drawn).split(batch):
            out = rows[some]
            for k, (weights, bias) in enumerate(layers):
                out = out @ weights + bias
                out = out.relu() if k < len(layers) - 1 else out
            chosen.zero_grad()
            ((out[:, 0] - wanted[some]) ** 2).mean().backward()
            chosen.step()
            falling.step()
