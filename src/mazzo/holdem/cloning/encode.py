"""From attributes to what learners compare: numbers as they are, nominal values as one column each.

Values that hardly ever occur have no column of their own: none of their attribute's columns is set for them. Nor has
a number that is never known, such as of an opponent whose seat is always empty on a street. For
learners that measure distances, numbers are brought to the same scale and what is missing takes the median.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from mazzo.errors import UnreadableError
from mazzo.holdem.attributes import Column

__all__ = ["NUMERIC", "Encoder", "encode", "softmax"]

NUMERIC = -1
"""In the place of a value: the column is a number."""


class Encoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Learns which values have a column, and for distances the scale of numbers."""

    def __init__(
        self, columns: Sequence[Column] = (), distances: bool = False, least_share: float = 0.002, most: int = 60
    ) -> None:
        self.columns = columns
        self.distances = distances
        self.least_share = least_share
        self.most = most

    def fit(self, x: NDArray[np.float64], y: Any = None) -> Encoder:
        """Look at some rows."""
        at, value, fill, scale = [], [], [], []
        for k, column in enumerate(self.columns):
            known = x[:, k][~np.isnan(x[:, k])]
            if not column.nominal:
                if len(known):  # scikit-learn's boosting cannot take a column without a number
                    at.append(k)
                    value.append(NUMERIC)
                    fill.append(float(np.median(known)))
                    scale.append(float(np.std(known)) or 1.0)
                continue
            values, counts = np.unique(known.astype(np.int64), return_counts=True)
            order = np.argsort(-counts, kind="stable")[: self.most]
            frequent = sorted(values[order][counts[order] >= max(2, self.least_share * len(x))].tolist())
            if len(values) == 2 and len(frequent) == 2:
                frequent = frequent[:1]  # the other value is its opposite
            for each in frequent:
                at.append(k)
                value.append(each)
                fill.append(0.0)
                scale.append(1.0)
        if not at:
            raise UnreadableError("no chosen attribute has a value here to learn from: choose others, for every street")
        self.at_, self.value_ = np.array(at, np.int64), np.array(value, np.int64)
        self.fill_, self.scale_ = np.array(fill), np.array(scale)
        self.n_features_in_ = x.shape[1]
        return self

    def transform(self, x: NDArray[np.float64]) -> NDArray[np.float32]:
        """The rows as learners take them."""
        return encode(x, self.at_, self.value_, self.fill_, self.scale_, self.distances)


def encode(
    x: NDArray[np.float64],
    at: NDArray[np.int64],
    value: NDArray[np.int64],
    fill: NDArray[np.float64],
    scale: NDArray[np.float64],
    distances: bool,
) -> NDArray[np.float32]:
    """Rows of attributes as a fitted `Encoder` sees them."""
    out = np.empty((len(x), len(at)), np.float32)
    for k in range(len(at)):
        column = x[:, at[k]]
        if value[k] != NUMERIC:
            # Two nominal values that differ are then one apart, as two ends of a number's usual range are.
            out[:, k] = (column == value[k]) * (np.sqrt(0.5) if distances else 1.0)
        elif distances:
            out[:, k] = (np.where(np.isnan(column), fill[k], column) - fill[k]) / (2 * scale[k])
        else:
            out[:, k] = column
    return out


def softmax(raw: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares that sum to one, row by row, from logarithms with any constant added."""
    shares = np.exp(raw - raw.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
