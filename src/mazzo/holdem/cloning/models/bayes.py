"""Naive Bayes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np

from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.holdem.attributes import Column
from mazzo.holdem.cloning.bayes import NaiveBayes, log_likelihoods
from mazzo.holdem.cloning.data import CLASSES, Rows
from mazzo.holdem.cloning.encode import softmax
from mazzo.holdem.cloning.models.base import Arrays, StreetModel, check_within

__all__ = ["Bayes"]


class Bayes(StreetModel):
    """How likely each action makes the attributes, taken one by one."""

    kind = "bayes"
    cap = 200_000

    @classmethod
    def pipeline(cls, columns: Sequence[Column], rows: int, seed: int = 0, **settings: Any) -> Any:
        """Naive Bayes, which takes attributes as they are."""
        from sklearn.pipeline import Pipeline

        return Pipeline([("model", NaiveBayes(columns))])

    @classmethod
    def arrays_of(cls, model: Any) -> Arrays:
        """Priors, Gaussians of the numbers, logarithms of the values' shares."""
        kept: Arrays = model.arrays()
        return kept

    @classmethod
    def fit_in_chunks(cls, chunks: Iterable[Rows], seed: int = 0, **settings: Any) -> Self:
        """Counts and moments add up, chunk after chunk."""
        model: NaiveBayes | None = None
        columns: tuple[Column, ...] = ()
        for rows in chunks:
            columns = rows.columns
            model = (model or NaiveBayes(columns)).partial_fit(rows.x, rows.y)
        if model is None:
            raise UnreadableError("there are no rows to learn from")
        return cls(columns, cls.arrays_of(model))

    def predict_proba(self, x: Floats) -> Floats:
        """The chance of each action."""
        return softmax(log_likelihoods(x, self.arrays))

    def check(self) -> None:
        """Its figures must be of columns there are, and every nominal value must have its place."""
        a = self.arrays
        check_within(np.concatenate([a["numeric"], a["nominal"]]), len(self.columns), "its columns are damaged")
        starts = a["starts"]
        sound = (
            len(starts) == len(a["nominal"]) + 1
            and starts[0] == 0
            and bool((np.diff(starts) > 0).all())
            and a["logs"].shape == (len(CLASSES), starts[-1])
            and a["mean"].shape == a["variance"].shape == (len(CLASSES), len(a["numeric"]))
        )
        if not sound:
            raise UnreadableError("its shares are damaged: they do not fit its columns")
