"""Gradient boosting: many small trees, each correcting those before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem.attributes import Column
from mazzo.holdem.cloning.data import CLASSES, Rows
from mazzo.holdem.cloning.encode import NUMERIC, Form, blocks_of, softmax
from mazzo.holdem.cloning.models.base import Arrays, check_actions, check_within
from mazzo.holdem.cloning.models.tree import TreeModel

__all__ = ["Boosting"]


_NODES = ("left", "right", "feature", "threshold", "missing", "values", "set")
_WORDS = 8
"""Words of 32 bits in a set of categories."""


def _categories(model: Any) -> list[Ints]:
    """Of each column of categories the places that occurred: scikit-learn numbers them anew, in order."""
    if model._preprocessor is None:
        return []
    found = model._preprocessor.named_transformers_["encoder"].categories_
    return [each[~np.isnan(each)].astype(np.int64) for each in found]


def _set(left: NDArray[np.uint32], known: Ints, missing_goes_left: bool) -> Ints:
    """The places that go left as bits; with what is missing goes a place that never occurred."""
    goes = np.full(32 * _WORDS, missing_goes_left)
    number = np.arange(len(known))
    goes[known] = (left[number >> 5] >> (number & 31).astype(np.uint32)) & 1
    return np.asarray((goes.reshape(_WORDS, 32).astype(np.int64) << np.arange(32)).sum(axis=1))


class Boosting(TreeModel):
    """Sums of trees, turned into shares."""

    kind = "boosting"
    takes: ClassVar[tuple[str, ...]] = ("trees", "rate", "weights")
    form: ClassVar[Form] = "categories"

    @classmethod
    def learner(cls, columns: Sequence[Column], rows: int, seed: int, **settings: Any) -> Any:
        """scikit-learn's boosting by histograms, which takes categories as they are."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        return HistGradientBoostingClassifier(
            max_iter=settings.get("trees", 100),
            learning_rate=settings.get("rate", 0.1),
            early_stopping=False,
            min_samples_leaf=5,
            random_state=seed,
            class_weight=settings.get("weights"),
            categorical_features=list(range(sum(blocks_of(column) for column in columns if column.nominal))),
        )

    @classmethod
    def arrays_of(cls, model: Any) -> Arrays:
        """The nodes of all trees, where each tree starts and which class it speaks for."""
        return {**cls.trees_of(model), "classes": model.classes_.astype(np.int64)}

    @classmethod
    def trees_of(cls, model: Any) -> Arrays:
        """The nodes of all trees of a boosted model, of classes or of numbers."""
        parts: dict[str, list[Any]] = {k: [] for k in _NODES}
        starts, which, at = [], [], 0
        sets: list[Any] = []
        known = _categories(model)
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
                parts["set"].append(np.full(len(nodes), -1))
                for node in np.flatnonzero(nodes["is_categorical"].astype(np.bool_) & ~leaf).tolist():
                    left = predictor.raw_left_cat_bitsets[nodes["bitset_idx"][node]]
                    parts["set"][-1][node] = len(sets)
                    sets.append(_set(left, known[nodes["feature_idx"][node]], bool(nodes["missing_go_to_left"][node])))
                starts.append(at)
                which.append(number)
                at += len(nodes)
        return {
            **{k: np.concatenate(v) for k, v in parts.items()},
            "sets": np.array(sets, np.int64).reshape(-1, _WORDS),
            "starts": np.array(starts, np.int64),
            "which": np.array(which, np.int64),
            "base": np.ravel(model._baseline_prediction),
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
        for key in ("feature", "threshold", "missing", "which", "sets"):
            arrays[key] = np.concatenate([m.arrays[key] for m in members])
        sets = np.cumsum([0, *(len(m.arrays["sets"]) for m in members)])[:-1]
        for key, starts_of in (("left", starts), ("right", starts), ("set", sets)):
            moved = [
                np.where(m.arrays[key] < 0, -1, m.arrays[key] + at) for m, at in zip(members, starts_of, strict=True)
            ]
            arrays[key] = np.concatenate(moved)
        arrays["starts"] = np.concatenate([m.arrays["starts"] + at for m, at in zip(members, starts, strict=True)])
        arrays["values"] = np.concatenate([m.arrays["values"] for m in members]) / len(members)
        arrays["base"] = np.mean([m.arrays["base"] for m in members], axis=0)
        return cls(members[0].columns, arrays, {"members": len(members)})

    def sums(self, x: Floats) -> Floats:
        """The sums of all trees, by class or as one number."""
        a, encoded = self.arrays, self.encoded(x)
        raw = np.tile(a["base"], (len(x), 1))
        for start, which in zip(a["starts"], a["which"], strict=True):
            raw[:, which] += a["values"][self.leaves(encoded, int(start))]
        return np.asarray(raw)

    def predict_proba(self, x: Floats) -> Floats:
        """The sums of all trees by class, as shares."""
        a, raw = self.arrays, self.sums(x)
        if raw.shape[1] == 1:
            raw = np.hstack([np.zeros_like(raw), raw])
        out = np.zeros((len(x), len(CLASSES)))
        out[:, a["classes"]] = softmax(raw)
        return out

    def _goes_left(self, node: Ints, values: NDArray[np.float32]) -> NDArray[np.bool_]:
        """By the threshold, or by the set of categories."""
        a = self.arrays
        left = super()._goes_left(node, values)
        by_set = np.flatnonzero(a["set"][node] >= 0) if "set" in a else ()  # files of version 0.1 have none
        if len(by_set):
            place = np.nan_to_num(values[by_set]).astype(np.int64)
            word = a["sets"][a["set"][node[by_set]], place >> 5]
            left[by_set] = (word >> (place & 31)) & 1
        return left

    def check(self) -> None:
        """Trees must be sound, and speak for classes there are."""
        self.check_trees()
        a = self.arrays
        check_actions(a["classes"])
        if len(a["base"]) not in (1, len(a["classes"])):
            raise UnreadableError("its trees are damaged: they speak for other classes than it has")
        check_within(a["which"], len(a["base"]), "its trees are damaged: they speak for other classes than it has")

    def check_trees(self) -> None:
        """Trees must be trees, begin at nodes, and their sets of values must be there."""
        super().check()
        a = self.arrays
        check_within(a["starts"], len(a["left"]), "its trees are damaged: one begins at a node that it does not have")
        if len(a["which"]) != len(a["starts"]):
            raise UnreadableError("its trees are damaged: some speak for nothing")
        if "set" not in a:
            return
        check_within(np.maximum(a["set"], 0), max(len(a["sets"]), 1), "its trees are damaged: a set is missing")
        chosen = a["set"] >= 0
        numbers = a["value"][a["feature"]] == NUMERIC
        if a["set"].shape != a["left"].shape or a["sets"].shape[1:] != (_WORDS,) or (chosen & numbers).any():
            raise UnreadableError("its trees are damaged: their sets of values do not fit their nodes")
