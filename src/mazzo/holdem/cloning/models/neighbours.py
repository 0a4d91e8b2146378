"""Nearest neighbours: the rows are kept, and the search is built from them again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.holdem.attributes import Column
from mazzo.holdem.cloning.data import CLASSES, Rows
from mazzo.holdem.cloning.models.base import Arrays, EncodedModel, check_actions

__all__ = ["NearestNeighbours", "NearestNeighboursByTree"]


class NearestNeighbours(EncodedModel):
    """What was done in the most similar situations, searched row by row."""

    kind = "knn"
    takes: ClassVar[tuple[str, ...]] = ("neighbours",)
    form = "distances"
    algorithm: ClassVar[str] = "brute"

    @classmethod
    def learner(cls, columns: Sequence[Column], rows: int, seed: int, **settings: Any) -> Any:
        """scikit-learn's search."""
        from sklearn.neighbors import KNeighborsClassifier

        return KNeighborsClassifier(settings.get("neighbours", 5), algorithm=cls.algorithm)

    @classmethod
    def fit(cls, rows: Rows, seed: int = 0, **settings: Any) -> Any:
        """The attributes are kept as they are: encoded rows are many times as large."""
        made = super().fit(rows, seed, **settings)
        made.named_steps["model"].attributes_ = rows.x
        return made

    @classmethod
    def arrays_of(cls, model: Any) -> Arrays:
        """The rows, their answers, and how many are asked."""
        return {
            "situations": np.asarray(model.attributes_, np.float64),
            "labels": model.classes_[model._y].astype(np.int64),
            "neighbours": np.array([model.n_neighbors], np.int64),
        }

    def predict_proba(self, x: Floats) -> Floats:
        """The shares of the actions among the neighbours."""
        from threadpoolctl import threadpool_limits

        a, kept = self.arrays, self.__dict__
        if "_search" not in kept:  # built once from the rows; not a field, so it is neither compared nor written
            search = self.learner(self.columns, len(a["labels"]), 0, neighbours=int(a["neighbours"][0]))
            # Files of version 0.1 keep rows that are encoded.
            rows = self.encoded(a["situations"]) if "situations" in a else a["rows"]
            kept["_search"] = search.fit(rows, a["labels"])
        found = kept["_search"]
        out = np.zeros((len(x), len(CLASSES)))
        with threadpool_limits(1):
            out[:, found.classes_] = found.predict_proba(self.encoded(x))
        return out

    def check(self) -> None:
        """Answers must be actions, and there must be as many rows as neighbours are asked."""
        super().check()
        a = self.arrays
        check_actions(a["labels"])
        rows, width = (a["situations"], len(self.columns)) if "situations" in a else (a["rows"], len(a["at"]))
        if rows.shape != (len(a["labels"]), width) or not 1 <= int(a["neighbours"][0]) <= len(rows):
            raise UnreadableError("its rows are damaged: they do not fit their answers or its number of neighbours")


class NearestNeighboursByTree(NearestNeighbours):
    """The same, searched by a KD-tree."""

    kind = "kdtree"
    algorithm = "kd_tree"

    dense = True
