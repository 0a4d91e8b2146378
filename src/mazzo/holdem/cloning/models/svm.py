"""Support vectors: a plane between each action and the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from mazzo.arrays import Floats
from mazzo.holdem.attributes import Column
from mazzo.holdem.cloning.data import CLASSES
from mazzo.holdem.cloning.encode import softmax
from mazzo.holdem.cloning.models.base import Arrays, EncodedModel, check_actions

__all__ = ["SupportVectors"]


class SupportVectors(EncodedModel):
    """Linear support vectors; distances from the planes become shares."""

    kind = "svm"
    takes: ClassVar[tuple[str, ...]] = ("c",)
    form = "distances"

    @classmethod
    def learner(cls, columns: Sequence[Column], rows: int, seed: int, **settings: Any) -> Any:
        """scikit-learn's linear machine."""
        from sklearn.svm import LinearSVC

        return LinearSVC(C=settings.get("c", 1.0), random_state=seed, max_iter=5000)

    @classmethod
    def arrays_of(cls, model: Any) -> Arrays:
        """A plane for each class."""
        weights, intercept = model.coef_, model.intercept_
        if len(model.classes_) == 2:
            weights, intercept = np.vstack([-weights, weights]), np.concatenate([-intercept, intercept])
        return {"weights": weights, "intercept": intercept, "classes": model.classes_.astype(np.int64)}

    def predict_proba(self, x: Floats) -> Floats:
        """How far on its side of each plane a row lies, as shares."""
        a = self.arrays
        raw = np.asarray(self.encoded(x) @ a["weights"].T) + a["intercept"]
        out = np.full((len(x), len(CLASSES)), -np.inf)
        out[:, a["classes"]] = raw
        return softmax(out)

    def check(self) -> None:
        """Its planes must be of actions."""
        super().check()
        check_actions(self.arrays["classes"])
