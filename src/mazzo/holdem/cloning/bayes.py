"""Naive Bayes over numbers and nominal values together, learned chunk by chunk; what is missing says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from mazzo.arrays import Floats
from mazzo.holdem.attributes import Column
from mazzo.holdem.cloning.encode import softmax

__all__ = ["NaiveBayes", "log_likelihoods"]


class NaiveBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Gaussians for numbers, counts with one added for nominal values."""

    def __init__(self, columns: Sequence[Column] = (), classes: int = 3) -> None:
        self.columns = columns
        self.classes = classes

    def _begin(self) -> None:
        numeric = [k for k, column in enumerate(self.columns) if not column.nominal]
        nominal = [k for k, column in enumerate(self.columns) if column.nominal]
        sizes = [len(self.columns[k].values or ("",)) for k in nominal]
        self.numeric_, self.nominal_ = np.array(numeric, np.int64), np.array(nominal, np.int64)
        self.starts_ = np.cumsum([0, *sizes]).astype(np.int64)
        self.prior_ = np.zeros(self.classes)
        self.seen_ = np.zeros((self.classes, len(numeric)))
        self.mean_ = np.zeros((self.classes, len(numeric)))
        self.squares_ = np.zeros((self.classes, len(numeric)))
        self.counts_ = np.zeros((self.classes, int(self.starts_[-1])))
        self.classes_ = np.arange(self.classes)

    def fit(self, x: Floats, y: NDArray[np.int64]) -> NaiveBayes:
        """Learn from rows at once."""
        self._begin()
        return self.partial_fit(x, y)

    def partial_fit(self, x: Floats, y: NDArray[np.int64]) -> NaiveBayes:
        """Learn from more rows; memory does not grow."""
        if not hasattr(self, "prior_"):
            self._begin()
        for k in range(self.classes):
            rows = x[y == k]
            self.prior_[k] += len(rows)
            self._add_numbers(k, rows[:, self.numeric_])
            for at, column in enumerate(self.nominal_):
                known = rows[:, column][~np.isnan(rows[:, column])].astype(np.int64)
                size = self.starts_[at + 1] - self.starts_[at]
                self.counts_[k, self.starts_[at] : self.starts_[at + 1]] += np.bincount(known, minlength=size)[:size]
        return self

    def _add_numbers(self, k: int, rows: Floats) -> None:
        """Merge mean and squared deviations (Chan, Golub, LeVeque 1979)."""
        known = ~np.isnan(rows)
        n = known.sum(axis=0)
        new = n > 0
        mean = np.divide(np.where(known, rows, 0).sum(axis=0), n, out=np.zeros(rows.shape[1]), where=new)
        squares = (np.where(known, rows - mean, 0) ** 2).sum(axis=0)
        total = self.seen_[k] + n
        delta = mean - self.mean_[k]
        share = np.divide(n, total, out=np.zeros(rows.shape[1]), where=total > 0)
        self.squares_[k] += squares + delta**2 * self.seen_[k] * share
        self.mean_[k] += delta * share
        self.seen_[k] = total

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What was learned, ready to be compared with rows."""
        variance = np.divide(self.squares_, self.seen_, out=np.ones_like(self.squares_), where=self.seen_ > 0)
        total = self.squares_.sum(axis=0) / np.maximum(self.seen_.sum(axis=0), 1)
        logs = np.zeros_like(self.counts_)
        for at in range(len(self.nominal_)):
            part = slice(self.starts_[at], self.starts_[at + 1])
            counts = self.counts_[:, part] + 1
            logs[:, part] = np.log(counts / counts.sum(axis=1, keepdims=True))
        return {
            "prior": np.log((self.prior_ + 1) / (self.prior_.sum() + self.classes)),
            "mean": self.mean_,
            "variance": variance + 1e-6 * total + 1e-12,
            "logs": logs,
            "numeric": self.numeric_,
            "nominal": self.nominal_,
            "starts": self.starts_,
        }

    def predict_proba(self, x: Floats) -> Floats:
        """The chance of each class."""
        return softmax(log_likelihoods(x, self.arrays()))

    def predict(self, x: Floats) -> NDArray[np.int64]:
        """The likeliest class."""
        return np.asarray(self.predict_proba(x).argmax(axis=1))


def log_likelihoods(x: Floats, a: dict[str, NDArray[Any]]) -> Floats:
    """How likely each class makes each row, as logarithms without a common constant."""
    out = np.tile(a["prior"], (len(x), 1))
    numbers = x[:, a["numeric"]]
    known = ~np.isnan(numbers)
    for k in range(len(a["prior"])):
        terms = -0.5 * np.log(2 * np.pi * a["variance"][k]) - (numbers - a["mean"][k]) ** 2 / (2 * a["variance"][k])
        out[:, k] += np.where(known, terms, 0).sum(axis=1)
    for at, column in enumerate(a["nominal"]):
        values = x[:, column]
        size = a["starts"][at + 1] - a["starts"][at]
        place = np.where(np.isnan(values), 0, np.minimum(values, size - 1)).astype(np.int64)
        out += np.where(np.isnan(values)[:, None], 0, a["logs"][:, a["starts"][at] + place].T)
    return out
