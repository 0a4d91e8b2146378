"""The learners, each a scikit-learn pipeline, and what is kept of them: arrays that a few lines of numpy evaluate.

A model file holds these arrays and nothing that could run. Nearest neighbours keep their rows, from which the search
is built again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.clone.bayes import NaiveBayes, log_likelihoods
from mazzo.clone.data import CLASSES, Rows
from mazzo.clone.encode import Encoder, encode
from mazzo.clone.ripper import Condition, Ripper, covered
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem.attributes import Column

__all__ = ["CAPS", "MODELS", "StreetModel", "fit", "freeze", "pipeline"]

Floats = NDArray[np.float64]
Arrays = dict[str, NDArray[Any]]

MODELS = ("tree", "rules", "bayes", "knn", "kdtree", "svm", "boosting")
"""Decision tree, RIPPER, naive Bayes, nearest neighbours (searched row by row or by a KD-tree), support vectors,
gradient boosting."""

CAPS = {"tree": 200_000, "boosting": 200_000, "bayes": 200_000}
_CAP = 20_000
"""Rows a learner is given at most, as the text's table 9 does; those not named get 20,000."""

BITS = 3.0
"""What a leaf of the tree must save, in bits, to stay."""


def cap_of(kind: str) -> int:
    """How many rows a learner is given at most."""
    return CAPS.get(kind, _CAP)


def pipeline(kind: str, columns: Sequence[Column], rows: int, seed: int = 0, **settings: Any) -> Any:
    """A learner of one kind, not fitted yet.

    Args:
        kind: one of `MODELS`.
        columns: what the rows hold.
        rows: how many it will learn from; the tree's pruning depends on it.
        seed: for those that draw lots.
        settings: `bits` (tree), `neighbours` (knn, kdtree), `c` (svm), `trees` and `rate` (boosting), `weights`
            (tree and boosting: by action, to steer precision against recall).
    """
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import Pipeline
    from sklearn.svm import LinearSVC
    from sklearn.tree import DecisionTreeClassifier

    weights = settings.get("weights")
    if kind == "tree":
        alpha = settings.get("bits", BITS) / max(rows, 1)
        model: Any = DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=2, ccp_alpha=alpha, random_state=seed, class_weight=weights
        )
    elif kind == "rules":
        return Pipeline([("model", Ripper(columns, seed=seed))])
    elif kind == "bayes":
        return Pipeline([("model", NaiveBayes(columns))])
    elif kind in ("knn", "kdtree"):
        model = KNeighborsClassifier(
            settings.get("neighbours", 5), algorithm="kd_tree" if kind == "kdtree" else "brute"
        )
    elif kind == "svm":
        model = LinearSVC(C=settings.get("c", 1.0), random_state=seed, max_iter=5000)
    elif kind == "boosting":
        model = HistGradientBoostingClassifier(
            max_iter=settings.get("trees", 100), learning_rate=settings.get("rate", 0.1), early_stopping=False,
            min_samples_leaf=5, random_state=seed, class_weight=weights,
        )  # fmt: skip
    else:
        raise UnreadableError(f"there is no model {kind!r}; {did_you_mean(kind, MODELS)}")
    few: dict[str, Any] = {"least_share": 0.01, "most": 20} if kind == "boosting" else {}
    encoder = Encoder(columns, distances=kind in ("knn", "kdtree", "svm"), **few)
    return Pipeline([("encode", encoder), ("model", model)])


def fit(kind: str, rows: Rows, seed: int = 0, **settings: Any) -> Any:
    """A fitted pipeline for the decisions of a street."""
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    made = pipeline(kind, rows.columns, len(rows), seed, **settings)
    with threadpool_limits(1), warnings.catch_warnings():  # threads that wait for each other cost more than they give
        warnings.simplefilter("ignore", ConvergenceWarning)  # support vectors stop at a good enough plane
        made.fit(rows.x, rows.y)
    return made


@dataclass(frozen=True)
class StreetModel:
    """A learned model of one street as data: columns, arrays, and how it was learned."""

    kind: str
    columns: tuple[Column, ...]
    arrays: Arrays
    settings: dict[str, Any] = field(default_factory=dict)

    def shares(self, x: Floats) -> Floats:
        """How much speaks for each of RAISE, FOLD and CALL, summing to one."""
        return np.asarray(_SHARES[self.kind](self, x))

    def predict(self, x: Floats) -> NDArray[np.int64]:
        """The likeliest action, as a place in `CLASSES`."""
        return np.asarray(self.shares(x).argmax(axis=1))

    def encoded(self, x: Floats) -> NDArray[np.float32]:
        """The rows as the learner saw them."""
        a = self.arrays
        distances = self.kind in ("knn", "kdtree", "svm")
        return encode(x, a["at"], a["value"], a["fill"], a["scale"], distances)

    def feature_text(self, feature: int, threshold: float, below: bool) -> str:
        """A comparison of an encoded column in words: `POT_ODDS <= 0.25`, `HERO_POSITION = BB`."""
        column = self.columns[int(self.arrays["at"][feature])]
        value = int(self.arrays["value"][feature])
        if value >= 0:
            return f"{column.name} {'!=' if below else '='} {(column.values or ())[value]}"
        return f"{column.name} {'<=' if below else '>'} {threshold:.6g}"

    def check(self) -> None:
        """Refuse arrays that no model of this kind has: evaluating them could read outside or never end."""
        if self.kind not in MODELS:
            raise UnreadableError(f"it has a model of an unknown kind {self.kind!r}")
        a = self.arrays
        if "at" in a and (a["at"].min(initial=0) < 0 or a["at"].max(initial=-1) >= len(self.columns)):
            raise UnreadableError("its columns are damaged")
        if "left" in a:
            nodes, where = len(a["left"]), np.arange(len(a["left"]))
            inner = a["left"] >= 0
            sound = (
                all(len(a[k]) == nodes for k in ("right", "feature", "threshold", "missing"))
                and bool((a["left"][inner] > where[inner]).all() and (a["right"][inner] > where[inner]).all())
                and bool((np.maximum(a["left"], a["right"]) < nodes).all())
                and bool(((a["feature"] >= 0) & (a["feature"] < max(len(a["at"]), 1))).all())
            )
            if not sound:
                raise UnreadableError("its trees are damaged: their nodes do not form trees")


def freeze(fitted: Any, kind: str, columns: Sequence[Column], settings: dict[str, Any] | None = None) -> StreetModel:
    """A fitted pipeline as data."""
    model = fitted.named_steps["model"]
    arrays: Arrays = {}
    encoder = fitted.named_steps.get("encode")
    if encoder is not None:
        arrays = {"at": encoder.at_, "value": encoder.value_, "fill": encoder.fill_, "scale": encoder.scale_}
    arrays |= _FREEZE[kind](model)
    return StreetModel(kind, tuple(columns), arrays, settings or {})


def _freeze_tree(model: Any) -> Arrays:
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


def _freeze_boosting(model: Any) -> Arrays:
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
    arrays = {k: np.concatenate(v) for k, v in parts.items()}
    base = np.ravel(model._baseline_prediction)
    return {
        **arrays, "starts": np.array(starts, np.int64), "which": np.array(which, np.int64), "base": base,
        "classes": model.classes_.astype(np.int64),
    }  # fmt: skip


def _freeze_rules(model: Ripper) -> Arrays:
    conditions = [condition for _, rule in model.rules_ for condition in rule]
    return {
        "target": np.array([target for target, _ in model.rules_], np.int64),
        "lengths": np.array([len(rule) for _, rule in model.rules_], np.int64),
        "columns": np.array([k.column for k in conditions], np.int64),
        "kinds": np.array([k.kind for k in conditions], np.int64),
        "cuts": np.array([k.value for k in conditions], np.float64),
        "support": model.support_,
        "default": np.array([model.default_], np.int64),
    }


def _freeze_neighbours(model: Any) -> Arrays:
    return {
        "rows": np.asarray(model._fit_X, np.float32),
        "labels": model.classes_[model._y].astype(np.int64),
        "neighbours": np.array([model.n_neighbors], np.int64),
    }


def _freeze_svm(model: Any) -> Arrays:
    weights, intercept = model.coef_, model.intercept_
    if len(model.classes_) == 2:
        weights, intercept = np.vstack([-weights, weights]), np.concatenate([-intercept, intercept])
    return {"weights": weights, "intercept": intercept, "classes": model.classes_.astype(np.int64)}


def walk(a: Arrays, x: Floats, start: int) -> NDArray[np.int64]:
    """The leaf of a tree that each row falls into."""
    node = np.full(len(x), start)
    going = np.arange(len(x))
    while len(going):
        at = node[going]
        inner = a["left"][at] >= 0
        going, at = going[inner], at[inner]
        values = x[going, a["feature"][at]]
        left = np.where(np.isnan(values), a["missing"][at] > 0, values <= a["threshold"][at])
        node[going] = np.where(left, a["left"][at], a["right"][at])
    return node


def _tree_shares(model: StreetModel, x: Floats) -> Floats:
    values = model.arrays["values"][walk(model.arrays, model.encoded(x).astype(np.float64), 0)]
    return np.asarray(values / np.maximum(values.sum(axis=1, keepdims=True), 1e-300))


def _softmax(raw: Floats) -> Floats:
    shares = np.exp(raw - raw.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _boosting_shares(model: StreetModel, x: Floats) -> Floats:
    a, encoded = model.arrays, model.encoded(x).astype(np.float64)
    raw = np.tile(a["base"], (len(x), 1))
    for start, which in zip(a["starts"], a["which"], strict=True):
        raw[:, which] += a["values"][walk(a, encoded, int(start))]
    if raw.shape[1] == 1:
        raw = np.hstack([np.zeros_like(raw), raw])
    out = np.zeros((len(x), len(CLASSES)))
    out[:, a["classes"]] = _softmax(raw)
    return out


def rules_in(model: StreetModel) -> list[tuple[int, list[Condition]]]:
    """The rules of a model of rules, in order."""
    a = model.arrays
    ends = np.cumsum(a["lengths"])
    conditions = [
        Condition(int(k), int(kind), float(cut))
        for k, kind, cut in zip(a["columns"], a["kinds"], a["cuts"], strict=True)
    ]
    return [
        (int(target), conditions[end - length : end])
        for target, length, end in zip(a["target"], a["lengths"], ends, strict=True)
    ]


def _rules_shares(model: StreetModel, x: Floats) -> Floats:
    rules = rules_in(model)
    answers = np.array([*(target for target, _ in rules), int(model.arrays["default"][0])])
    fired = np.full(len(x), len(rules))
    for k, (_, rule) in reversed(list(enumerate(rules))):
        fired[covered(rule, x)] = k
    support = model.arrays["support"][fired] + 0.5
    shares = support / support.sum(axis=1, keepdims=True)
    # A rule's answer stands even where most rows it decides are of another class.
    shares[np.arange(len(x)), answers[fired]] += 1.0
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _bayes_shares(model: StreetModel, x: Floats) -> Floats:
    return _softmax(log_likelihoods(x, model.arrays))


def _neighbours_shares(model: StreetModel, x: Floats) -> Floats:
    from sklearn.neighbors import KNeighborsClassifier
    from threadpoolctl import threadpool_limits

    a, kept = model.arrays, model.__dict__
    if "_search" not in kept:  # built once from the rows; not a field, so it is neither compared nor written
        algorithm = "kd_tree" if model.kind == "kdtree" else "brute"
        search = KNeighborsClassifier(int(a["neighbours"][0]), algorithm=algorithm)
        kept["_search"] = search.fit(a["rows"], a["labels"])
    found = kept["_search"]
    out = np.zeros((len(x), len(CLASSES)))
    with threadpool_limits(1):
        out[:, found.classes_] = found.predict_proba(model.encoded(x))
    return out


def _svm_shares(model: StreetModel, x: Floats) -> Floats:
    a = model.arrays
    raw = model.encoded(x).astype(np.float64) @ a["weights"].T + a["intercept"]
    out = np.full((len(x), len(CLASSES)), -np.inf)
    out[:, a["classes"]] = raw
    return _softmax(out)


_FREEZE: dict[str, Any] = {
    "tree": _freeze_tree, "rules": _freeze_rules, "bayes": NaiveBayes.arrays, "knn": _freeze_neighbours,
    "kdtree": _freeze_neighbours, "svm": _freeze_svm, "boosting": _freeze_boosting,
}  # fmt: skip
_SHARES: dict[str, Any] = {
    "tree": _tree_shares, "rules": _rules_shares, "bayes": _bayes_shares, "knn": _neighbours_shares,
    "kdtree": _neighbours_shares, "svm": _svm_shares, "boosting": _boosting_shares,
}  # fmt: skip


def size_of(model: StreetModel) -> tuple[int, int]:
    """How large a model is: nodes and leaves of trees, conditions and rules, else numbers kept and rows."""
    a = model.arrays
    if "left" in a:
        return len(a["left"]), int((a["left"] < 0).sum())
    if model.kind == "rules":
        return int(a["lengths"].sum()), len(a["lengths"]) + 1
    return sum(int(array.size) for array in a.values()), len(a.get("rows", ()))
