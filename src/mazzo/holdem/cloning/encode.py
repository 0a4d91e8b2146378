"""From attributes to what learners compare; no nominal value that occurs is left out.

Numbers stay as they are, except that a number that is never known, such as of an opponent whose seat is always empty
on a street, has no column. Nominal values come in one of two forms:

- one column for each value that occurs, in a sparse matrix: hole cards alone have 1,326 values;
- for learners that take categories as such, the value's place, in as many columns as a learner's limit of categories
  asks for (`BLOCK` places each, missing elsewhere);
- for small trees that have few rows to learn from, the value's place as a number: ranks, positions and sequences stand
  in an order that means something, and a cut between two places takes more rows than a value alone.

A sparse matrix cannot say that a number is missing: such a number has two columns, in which it is below and above all
others, so that a tree may send it either way. For learners that measure distances, numbers are brought to one scale and
what is missing takes the median.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from mazzo.errors import UnreadableError
from mazzo.holdem.attributes import Column

__all__ = ["BLOCK", "NUMERIC", "Encoder", "Form", "blocks_of", "encode", "encode_sparse", "softmax"]

NUMERIC = -1
"""In the place of a value: the column is a number. Below it, -2 - k: the k-th block of an attribute's places."""
BLOCK = 254
"""Places of an attribute in one column of categories: scikit-learn's boosting takes 255 categories at most."""

Form = Literal["sparse", "categories", "distances", "places"]


class _Seen(NamedTuple):
    """One encoded column."""

    at: int
    value: int
    fill: float = 0.0
    scale: float = 1.0
    side: int = 0
    """Where a missing number is put while learning: -1 below all others, 1 above, 0 it does not occur."""


class Encoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Learns which values occur, and for distances the scale of numbers."""

    def __init__(self, columns: Sequence[Column] = (), form: Form = "sparse", dense: bool = False) -> None:
        self.columns = columns
        self.form = form
        self.dense = dense

    def fit(self, x: NDArray[np.float64], y: Any = None) -> Encoder:
        """Look at some rows."""
        seen = [each for k, column in enumerate(self.columns) for each in self._columns_of(k, column, x[:, k])]
        if self.form == "categories":
            seen.sort(key=lambda each: each.value == NUMERIC)  # categories first: their number is known beforehand
        if not any(not np.isnan(x[:, each.at]).all() for each in seen):
            raise UnreadableError("no chosen attribute has a value here to learn from: choose others, for every street")
        self.at_ = np.array([each.at for each in seen], np.int64)
        self.value_ = np.array([each.value for each in seen], np.int64)
        self.fill_, self.scale_ = np.array([each.fill for each in seen]), np.array([each.scale for each in seen])
        self.side_ = np.array([each.side for each in seen], np.int64)
        self.n_features_in_ = x.shape[1]
        return self

    def _columns_of(self, k: int, column: Column, x: NDArray[np.float64]) -> Iterator[_Seen]:
        known = x[~np.isnan(x)]
        if self.form == "places":
            if len(known):
                yield _Seen(k, NUMERIC, float(known.min()) - 1.0)  # what is missing lies below all others
        elif column.nominal and self.form == "categories":
            for block in range(blocks_of(column)):
                yield _Seen(k, NUMERIC - 1 - block)
        elif column.nominal:
            values = np.unique(known.astype(np.int64)).tolist()
            if len(values) == 2 and self.form == "sparse" and len(known) == len(x):
                values = values[:1]  # the other value is its opposite
            for value in values:
                yield _Seen(k, value)
        elif len(known):  # scikit-learn's boosting cannot take a column without a number
            middle, scale = float(np.median(known)), float(np.std(known)) or 1.0
            if self.form != "sparse" or len(known) == len(x):
                yield _Seen(k, NUMERIC, middle, scale)
            else:
                yield _Seen(k, NUMERIC, float(known.min()) - 1.0, scale, -1)
                yield _Seen(k, NUMERIC, float(known.max()) + 1.0, scale, 1)

    def transform(self, x: NDArray[np.float64]) -> Any:
        """The rows as learners take them."""
        if self.form in ("categories", "places"):
            made = encode(x, self.at_, self.value_)
            return made if self.form == "categories" else np.where(np.isnan(made), np.float32(self.fill_), made)
        made = encode_sparse(x, self.at_, self.value_, self.fill_, self.scale_, self.form == "distances")
        return made.toarray() if self.dense else made


def blocks_of(column: Column) -> int:
    """How many columns of categories an attribute needs."""
    return max(1, -(-len(column.values or ()) // BLOCK))


def encode(x: NDArray[np.float64], at: NDArray[np.int64], value: NDArray[np.int64]) -> NDArray[np.float32]:
    """Rows of attributes in some encoded columns, as trees compare them: missing numbers stay missing."""
    out = np.empty((len(x), len(at)), np.float32)
    for k in range(len(at)):
        column = x[:, at[k]]
        if value[k] == NUMERIC:
            out[:, k] = column
        elif value[k] < NUMERIC:
            place = column - BLOCK * (NUMERIC - 1 - value[k])
            out[:, k] = np.where((place >= 0) & (place < BLOCK), place, np.nan)
        else:
            out[:, k] = column == value[k]
    return out


def encode_sparse(
    x: NDArray[np.float64],
    at: NDArray[np.int64],
    value: NDArray[np.int64],
    fill: NDArray[np.float64],
    scale: NDArray[np.float64],
    distances: bool,
) -> Any:
    """Rows of attributes as a sparse matrix: columns of one attribute stand together, its values in order."""
    from scipy.sparse import csc_matrix

    # Two nominal values that differ are then one apart, as two ends of a number's usual range are.
    one = np.sqrt(0.5) if distances else 1.0
    rows, data, starts = [], [], [0]
    first = np.flatnonzero(np.diff(at, prepend=-1))
    for start, end in zip(first.tolist(), [*first[1:].tolist(), len(at)], strict=True):
        column = x[:, at[start]]
        if value[start] == NUMERIC:
            for k in range(start, end):
                numbers = np.where(np.isnan(column), fill[k], column)
                if distances:
                    numbers = (numbers - fill[k]) / (2 * scale[k])
                set_ = np.flatnonzero(numbers)
                rows.append(set_)
                data.append(numbers[set_])
                starts.append(starts[-1] + len(set_))
            continue
        values = value[start:end]
        places = np.minimum(np.searchsorted(values, column), len(values) - 1)  # NaN sorts last and equals nothing
        hit = np.flatnonzero(values[places] == column)
        order = np.argsort(places[hit], kind="stable")
        rows.append(hit[order])
        data.append(np.full(len(hit), one))
        starts.extend((starts[-1] + np.cumsum(np.bincount(places[hit], minlength=len(values)))).tolist())
    indices = np.concatenate(rows) if rows else np.zeros(0, np.int64)
    values_ = np.concatenate(data) if data else np.zeros(0)
    shape = (len(x), len(at))
    return csc_matrix((values_.astype(np.float32), indices.astype(np.int32), np.array(starts, np.int32)), shape=shape)


def softmax(raw: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares that sum to one, row by row, from logarithms with any constant added."""
    shares = np.exp(raw - raw.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
