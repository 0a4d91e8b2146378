"""Gradient boosting: many small trees, each correcting those before it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np

from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.holdem.cloning.data import CLASSES, Rows
from mazzo.holdem.cloning.encode import softmax
from mazzo.holdem.cloning.models.base import Arrays, check_actions, check_within
from mazzo.holdem.cloning.models.tree import TreeModel

__all__ = ["Boosting"]


class Boosting(TreeModel):
    """Sums of trees, turned into shares."""

    kind = "boosting"
    encoding = {"least_share": 0.01, "most": 20}  # noqa: RUF012  # declared a ClassVar in the base class

    @classmethod
    def learner(cls, rows: int, seed: int, **settings: Any) -> Any:
        """scikit-learn's boosting by histograms."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        return HistGradientBoostingClassifier(
            max_iter=settings.get("trees", 100),
            learning_rate=settings.get("rate", 0.1),
            early_stopping=False,
            min_samples_leaf=5,
            random_state=seed,
            class_weight=settings.get("weights"),
        )

    @classmethod
    def arrays_of(cls, model: Any) -> Arrays:
        """The nodes of all trees, where each tree starts and which class it speaks for."""
        parts: dict[str, list[Any]] = {k: [] for k in ("left", "right", "feature", "threshold", "missing", "values")}
        starts, which, at = [], [], 0
        for stage in model._predictors:
            for number, predictor in enumerate(stage):
                nodes = predictor.nodes
                leaf = nodes["is_leaf"].astype(np.bool_)
                parts["left"].append(np.where(leaf, -1, nodes["left"].astype(np.int64) + at))
                parts["right"].append(np.where(leaf, -1, nodes["right"].astype(np.int64) + at))
                parts["feature"].append(np.where(leaf, 0, nodes["feature_idx"]).astype(np.int64))
                parts["threshold"].append(nodes["num_threshold"].astype(np.float64))
                parts["missing"].append(nodes["missing_go_to_left"].astype(np.uint8))
                parts["values"].append(nodes["value"].astype(np.float64))
                starts.append(at)
                which.append(number)
                at += len(nodes)
        return {
            **{k: np.concatenate(v) for k, v in parts.items()},
            "starts": np.array(starts, np.int64),
            "which": np.array(which, np.int64),
            "base": np.ravel(model._baseline_prediction),
            "classes": model.classes_.astype(np.int64),
        }

    @classmethod
    def fit_in_chunks(cls, chunks: Iterable[Rows], seed: int = 0, **settings: Any) -> Self:
        """A model a chunk, all with the first one's encoding, and the mean of their scores: a committee."""
        from sklearn.base import clone
        from threadpoolctl import threadpool_limits

        members: list[Self] = []
        first: Any = None
        for rows in chunks:
            if first is None:
                first = again = cls.fit(rows, seed, **settings)
            else:
                again = clone(first)
                again.named_steps["encode"].__dict__.update(first.named_steps["encode"].__dict__)
                encoded = first.named_steps["encode"].transform(rows.x)
                encoded[:, np.isnan(encoded).all(axis=0)] = (
                    0.0  # cannot be taken as it is; what is constant has no split
                )
                with threadpool_limits(1):
                    again.named_steps["model"].fit(encoded, rows.y)
            members.append(cls.freeze(again, rows.columns))
        if not members:
            raise UnreadableError("there are no rows to learn from")
        return cls._committee(members)

    @classmethod
    def _committee(cls, members: list[Self]) -> Self:
        """Boosted models as one whose scores are the mean of theirs."""
        if len({tuple(m.arrays["classes"].tolist()) for m in members}) > 1:
            raise UnreadableError("a chunk lacks one of the actions: make the chunks larger")
        starts = np.cumsum([0, *(len(m.arrays["left"]) for m in members)])[:-1]
        arrays = dict(members[0].arrays)
        for key in ("feature", "threshold", "missing", "which"):
            arrays[key] = np.concatenate([m.arrays[key] for m in members])
        for key in ("left", "right"):
            moved = [np.where(m.arrays[key] < 0, -1, m.arrays[key] + at) for m, at in zip(members, starts, strict=True)]
            arrays[key] = np.concatenate(moved)
        arrays["starts"] = np.concatenate([m.arrays["starts"] + at for m, at in zip(members, starts, strict=True)])
        arrays["values"] = np.concatenate([m.arrays["values"] for m in members]) / len(members)
        arrays["base"] = np.mean([m.arrays["base"] for m in members], axis=0)
        return cls(members[0].columns, arrays, {"members": len(members)})

    def predict_proba(self, x: Floats) -> Floats:
        """The sums of all trees by class, as shares."""
        a, encoded = self.arrays, self.encoded(x)
        raw = np.tile(a["base"], (len(x), 1))
        for start, which in zip(a["starts"], a["which"], strict=True):
            raw[:, which] += a["values"][self.leaves(encoded, int(start))]
        if raw.shape[1] == 1:
            raw = np.hstack([np.zeros_like(raw), raw])
        out = np.zeros((len(x), len(CLASSES)))
        out[:, a["classes"]] = softmax(raw)
        return out

    def check(self) -> None:
        """Trees must be trees, begin at nodes, and speak for classes there are."""
        super().check()
        a = self.arrays
        check_within(a["starts"], len(a["left"]), "its trees are damaged: one begins at a node that it does not have")
        check_actions(a["classes"])
        if len(a["base"]) not in (1, len(a["classes"])):
            raise UnreadableError("its trees are damaged: they speak for other classes than it has")
