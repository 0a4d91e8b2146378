"""Nearest neighbours: the rows are kept, and the search is built from them again."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.holdem.cloning.data import CLASSES
from mazzo.holdem.cloning.models.base import Arrays, EncodedModel, check_actions

__all__ = ["NearestNeighbours", "NearestNeighboursByTree"]


class NearestNeighbours(EncodedModel):
    """What was done in the most similar situations, searched row by row."""

    kind = "knn"
    distances = True
    algorithm: ClassVar[str] = "brute"

    @classmethod
    def learner(cls, rows: int, seed: int, **settings: Any) -> Any:
        """scikit-learn's search."""
        from sklearn.neighbors import KNeighborsClassifier

        return KNeighborsClassifier(settings.get("neighbours", 5), algorithm=cls.algorithm)

    @classmethod
    def arrays_of(cls, model: Any) -> Arrays:
        """The rows, their answers, and how many are asked."""
        return {
            "rows": np.asarray(model._fit_X, np.float32),
            "labels": model.classes_[model._y].astype(np.int64),
            "neighbours": np.array([model.n_neighbors], np.int64),
        }

    def predict_proba(self, x: Floats) -> Floats:
        """The shares of the actions among the neighbours."""
        from threadpoolctl import threadpool_limits

        a, kept = self.arrays, self.__dict__
        if "_search" not in kept:  # built once from the rows; not a field, so it is neither compared nor written
            search = self.learner(len(a["rows"]), 0, neighbours=int(a["neighbours"][0]))
            kept["_search"] = search.fit(a["rows"], a["labels"])
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
        if len(a["labels"]) != len(a["rows"]) or not 1 <= int(a["neighbours"][0]) <= len(a["rows"]):
            raise UnreadableError("its rows are damaged: they do not fit their answers or its number of neighbours")


class NearestNeighboursByTree(NearestNeighbours):
    """The same, searched by a KD-tree."""

    kind = "kdtree"
    algorithm = "kd_tree"
