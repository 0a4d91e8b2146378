"""Boosted trees whose settings are chosen by grouped cross-validation, calibrated, and helped by other players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.holdem.attributes import Column
from mazzo.holdem.cloning.data import CLASSES, Rows
from mazzo.holdem.cloning.encode import NUMERIC, Encoder, softmax
from mazzo.holdem.cloning.models.base import Arrays
from mazzo.holdem.cloning.models.boosting import Boosting

__all__ = ["OTHERS_PLAN", "Tuned"]

OTHERS_PLAN: dict[str, Any] = {"trees": 100, "leaves": 10, "rate": 0.1, "leaf": 40, "inputs": 0.4}
"""How the players of the log as a whole are learned, whom a player with few decisions is a correction to."""


class Tuned(Boosting):
    """Sums of small trees over values in their order; `mazzo.holdem.cloning.tuning` chooses its settings.

    Settings: `trees` (rounds), `leaves` of a tree, `leaf` (rows at least), `rate`, `temperature`, and `others`: the
    decisions of other players as `Rows` of the same columns.
    """

    kind = "tuned"
    takes: ClassVar[tuple[str, ...]] = (
        "trees",
        "leaves",
        "leaf",
        "rate",
        "inputs",
        "ridge",
        "temperature",
        "others",
        "others_weight",
    )
    form = "places"
    dense = True

    @classmethod
    def learner(cls, columns: Sequence[Column], rows: int, seed: int, **settings: Any) -> Any:
        """Mazzo's boosting of classes."""
        from mazzo.learn.boosted_classes import BoostedClasses, BoostingPlan

        keys = ("trees", "leaves", "rate", "leaf", "ridge", "inputs")
        plan = BoostingPlan(
            **{"trees": 150, "rate": 0.1, "inputs": 0.4, **{k: settings[k] for k in keys if k in settings}}
        )
        return BoostedClasses(
            plan,
            BoostingPlan(**OTHERS_PLAN),
            settings.get("others_weight", 0.8),
            settings.get("temperature", 1.0),
            seed,
        )

    @classmethod
    def fit(cls, rows: Rows, seed: int = 0, **settings: Any) -> Any:
        """A fitted pipeline for the decisions of a street, begun with those of other players where they are given."""
        from sklearn.pipeline import Pipeline

        others: Rows | None = settings.get("others")
        every = rows.x if others is None else np.concatenate([rows.x, others.x])
        encoder = Encoder(rows.columns, cls.form, cls.dense).fit(every)
        learner = cls.learner(rows.columns, len(rows), seed, **settings)
        before = None if others is None else (encoder.transform(others.x), others.y)
        learner.fit(encoder.transform(rows.x), rows.y, before)
        return Pipeline([("encode", encoder), ("model", learner)])

    @classmethod
    def arrays_of(cls, model: Any) -> Arrays:
        """The nodes of all trees, those of other players first, and the temperature."""
        stages, base, scales = [], np.array(model.trees_.base), []
        if model.others_ is not None:
            base = base + model.others_weight * model.others_.base
            stages += model.others_.trees
            scales += [model.others_weight] * len(model.others_.trees)
        stages, scales = [*stages, *model.trees_.trees], [*scales, *([1.0] * len(model.trees_.trees))]
        trees = [(k, tree, scale) for stage, scale in zip(stages, scales, strict=True) for k, tree in enumerate(stage)]
        sizes = [len(tree.left) for _, tree, _ in trees]
        starts = np.cumsum([0, *sizes])[:-1].astype(np.int64)
        moved = {
            key: [
                np.where(getattr(t, key) < 0, -1, getattr(t, key) + at)
                for (_, t, _), at in zip(trees, starts, strict=True)
            ]
            for key in ("left", "right")
        }

        def joined(parts: list[Any], of: Any) -> Any:
            return np.concatenate(parts).astype(of) if parts else np.zeros(0, of)

        left = joined(moved["left"], np.int64)
        return {
            "left": left,
            "right": joined(moved["right"], np.int64),
            "feature": joined([t.feature for _, t, _ in trees], np.int64),
            # Inputs have 32 bits: compared with the threshold of as many bits they go where they went while learning.
            "threshold": joined([t.threshold.astype(np.float32) for _, t, _ in trees], np.float64),
            "missing": np.ones(len(left), np.uint8),
            "values": joined([t.value * scale for _, t, scale in trees], np.float64),
            "starts": starts,
            "which": np.array([k for k, _, _ in trees], np.int64),
            "base": base,
            "classes": model.classes_.astype(np.int64),
            "temperature": np.array([model.temperature]),
        }

    def predict_proba(self, x: Floats) -> Floats:
        """The sums of all trees by action, brought to the temperature, as shares."""
        a = self.arrays
        out = np.zeros((len(x), len(CLASSES)))
        out[:, a["classes"]] = softmax(self.sums(x) / a["temperature"][0])
        return out

    def check(self) -> None:
        """Trees must be sound, all inputs numbers, and the temperature above zero."""
        super().check()
        a = self.arrays
        if len(a["base"]) != len(a["classes"]):
            raise UnreadableError("its trees are damaged: they speak for other classes than it has")
        heat = a["temperature"]
        if heat.shape != (1,) or not 0 < float(heat[0]) < np.inf or (a["value"] != NUMERIC).any():
            raise UnreadableError("its trees are damaged: its temperature must be above 0, and its inputs numbers")
