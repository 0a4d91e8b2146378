"""Decision trees that are pruned by what a leaf saves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem.attributes import Column
from mazzo.holdem.cloning.data import CLASSES
from mazzo.holdem.cloning.encode import encode
from mazzo.holdem.cloning.models.base import Arrays, EncodedModel

__all__ = ["DecisionTree", "TreeModel"]

BITS = 3.0
"""What a leaf of the tree must save, in bits, to stay."""


class TreeModel(EncodedModel):
    """A model made of trees, all of whose nodes stand in common arrays."""

    cap = 200_000

    @cached_property
    def _compared(self) -> tuple[Ints, Ints]:
        """The encoded columns that its nodes compare, and of each node the place of its column among these."""
        inner = self.arrays["left"] >= 0
        kept, places = np.unique(self.arrays["feature"][inner], return_inverse=True)
        at = np.zeros(len(inner), np.int64)
        at[inner] = places
        return kept, at

    @property
    def looks_at(self) -> Ints:
        """Pruned trees compare few of the attributes they were offered."""
        return np.unique(self.arrays["at"][self._compared[0]])

    def encoded(self, x: Floats) -> NDArray[np.float32]:
        """The columns that its nodes compare."""
        a, kept = self.arrays, self._compared[0]
        return encode(x, a["at"][kept], a["value"][kept])

    def leaves(self, x: NDArray[np.float32], start: int) -> Ints:
        """The leaf that each encoded row falls into, of the tree that begins at node `start`."""
        a, column = self.arrays, self._compared[1]
        node = np.full(len(x), start)
        going = np.arange(len(x))
        while len(going):
            at = node[going]
            inner = a["left"][at] >= 0
            going, at = going[inner], at[inner]
            values = x[going, column[at]]
            left = np.where(np.isnan(values), a["missing"][at] > 0, self._goes_left(at, values))
            node[going] = np.where(left, a["left"][at], a["right"][at])
        return node

    def _goes_left(self, node: Ints, values: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Whether known values go left at their nodes."""
        return np.asarray(values <= self.arrays["threshold"][node])

    def check(self) -> None:
        """Nodes must lead to later nodes, or a walk through them would never end."""
        super().check()
        a = self.arrays
        nodes, where = len(a["left"]), np.arange(len(a["left"]))
        inner = a["left"] >= 0
        sound = (
            all(len(a[k]) == nodes for k in ("right", "feature", "threshold", "missing", "values"))
            and bool((a["left"][inner] > where[inner]).all() and (a["right"][inner] > where[inner]).all())
            and bool((np.maximum(a["left"], a["right"]) < nodes).all())
            and bool(((a["feature"] >= 0) & (a["feature"] < max(len(a["at"]), 1))).all())
        )
        if not sound:
            raise UnreadableError("its trees are damaged: their nodes do not form trees")

    @property
    def size(self) -> tuple[int, int]:
        """Nodes and leaves."""
        left = self.arrays["left"]
        return len(left), int((left < 0).sum())


class DecisionTree(TreeModel):
    """One tree by entropy, pruned by `bits`."""

    kind = "tree"
    takes: ClassVar[tuple[str, ...]] = ("bits", "weights")

    @classmethod
    def learner(cls, columns: Sequence[Column], rows: int, seed: int, **settings: Any) -> Any:
        """scikit-learn's tree."""
        from sklearn.tree import DecisionTreeClassifier

        return DecisionTreeClassifier(
            criterion="entropy",
            min_samples_leaf=2,
            ccp_alpha=settings.get("bits", BITS) / max(rows, 1),
            random_state=seed,
            class_weight=settings.get("weights"),
        )

    @classmethod
    def freeze(cls, fitted: Any, columns: Sequence[Column], settings: dict[str, Any] | None = None) -> Self:
        """A fitted pipeline as data; what is missing goes where its column put it, else with most rows."""
        made = super().freeze(fitted, columns, settings)
        a, side = made.arrays, fitted.named_steps["encode"].side_
        a["smooth"] = np.ones(1)
        most = a["rows"][a["left"]] >= a["rows"][a["right"]]
        put = side[a["feature"]]
        a["missing"] = np.where(put == 0, most, put < 0).astype(np.uint8)
        return made

    @classmethod
    def arrays_of(cls, model: Any) -> Arrays:
        """Its nodes."""
        tree = model.tree_
        values = np.zeros((tree.node_count, len(CLASSES)))
        values[:, model.classes_] = tree.value[:, 0, :]
        return {
            "left": tree.children_left.astype(np.int64),
            "right": tree.children_right.astype(np.int64),
            "feature": np.maximum(tree.feature, 0).astype(np.int64),
            "threshold": tree.threshold.astype(np.float64),
            "missing": tree.missing_go_to_left.astype(np.uint8),
            "values": values,
            "rows": tree.n_node_samples.astype(np.int64),
            "starts": np.zeros(1, np.int64),
        }

    def predict_proba(self, x: Floats) -> Floats:
        """The shares of the actions in the leaf, as if each action that occurs had been seen there once more (Laplace).

        Files of version 0.1 do not say so and give the shares as they are.
        """
        a = self.arrays
        leaf = self.leaves(self.encoded(x), 0)
        shares = a["values"][leaf] / np.maximum(a["values"][leaf].sum(axis=1, keepdims=True), 1e-300)
        if "smooth" not in a:
            return np.asarray(shares)
        more = float(a["smooth"][0]) * (a["values"][0] > 0)
        counts = shares * a["rows"][leaf][:, None] + more
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def check(self) -> None:
        """Its nodes must form a tree, and have seen rows."""
        super().check()
        a = self.arrays
        if "smooth" in a and not (
            a["smooth"].shape == (1,) and a["smooth"][0] >= 0 and a["rows"].shape == a["left"].shape
        ):
            raise UnreadableError("its tree is damaged: it does not say how many decisions its leaves have seen")

    def path(self, x: Floats) -> list[tuple[int, int, bool]]:
        """The way of one row: each node with the encoded column it compares, and whether the row was at most that."""
        a, node, steps = self.arrays, 0, []
        row = encode(x[:1], a["at"], a["value"])[0]
        while a["left"][node] >= 0:
            feature = int(a["feature"][node])
            value = row[feature]
            below = bool(a["missing"][node]) if np.isnan(value) else bool(value <= a["threshold"][node])
            steps.append((node, feature, below))
            node = int(a["left" if below else "right"][node])
        return steps

    def comparison(self, feature: int, threshold: float, below: bool) -> tuple[str, str, float | str]:
        """A comparison of an encoded column: the attribute, the sign, and the number or value."""
        column = self.columns[int(self.arrays["at"][feature])]
        value = int(self.arrays["value"][feature])
        if value >= 0:
            return column.name, "!=" if below else "=", (column.values or ())[value]
        return column.name, "<=" if below else ">", threshold

    def feature_text(self, feature: int, threshold: float, below: bool) -> str:
        """A comparison of an encoded column in words: `POT_ODDS <= 0.25`, `HERO_POSITION = BB`."""
        name, sign, value = self.comparison(feature, threshold, below)
        return f"{name} {sign} {value if isinstance(value, str) else format(value, '.6g')}"
