"""How well a model predicts: cross-validation by card set, confusion matrices, baselines and the ceiling."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem.cloning.data import CLASSES, Rows
from mazzo.holdem.cloning.models import MODELS
from mazzo.holdem.cloning.scores import ChanceScores, scores_of
from mazzo.statistics import wilson

__all__ = ["FOLDS", "Validation", "best_single", "ceiling", "cross_validate", "folds_of", "majority"]

FOLDS = 7


@dataclass(frozen=True)
class Validation:
    """What cross-validation found, summed over the folds."""

    kind: str
    confusion: Ints
    """Rows are what the player did, columns what the model says: RAISE, FOLD, CALL."""
    trained: int
    """Rows a fold learned from, on average."""
    capped: bool
    fit_seconds: float
    size: float
    leaves: float
    likely: float
    """The mean of the chance the model gave its own answers."""
    scores: ChanceScores
    """How good the chances it gave were."""

    @classmethod
    def of(cls, kind: str, shares: Floats, y: Ints, **known: Any) -> Validation:
        """What was found where a model gave these chances and this was done."""
        confusion = np.zeros((len(CLASSES), len(CLASSES)), np.int64)
        np.add.at(confusion, (y, shares.argmax(axis=1)), 1)
        likely = float(shares.max(axis=1).sum()) / max(len(y), 1)
        return cls(kind=kind, confusion=confusion, likely=likely, scores=scores_of(shares, y), **known)

    @property
    def n(self) -> int:
        """Decisions judged."""
        return int(self.confusion.sum())

    @property
    def accuracy(self) -> float:
        """Share of decisions predicted."""
        return float(np.trace(self.confusion) / max(self.n, 1))

    @property
    def ci95(self) -> tuple[float, float]:
        """The interval of the accuracy (Wilson), decisions taken as independent."""
        return wilson(int(np.trace(self.confusion)), max(self.n, 1))

    @property
    def precision(self) -> tuple[float, ...]:
        """Per action, how often it is right where the model says it."""
        return tuple((np.diag(self.confusion) / np.maximum(self.confusion.sum(axis=0), 1)).tolist())

    @property
    def recall(self) -> tuple[float, ...]:
        """Per action, how often the model says it where it is right."""
        return tuple((np.diag(self.confusion) / np.maximum(self.confusion.sum(axis=1), 1)).tolist())

    @property
    def macro_f1(self) -> float:
        """The mean of F1 over the actions that occur."""
        p, r = np.array(self.precision), np.array(self.recall)
        f1 = 2 * p * r / np.maximum(p + r, 1e-300)
        occurs = self.confusion.sum(axis=1) > 0
        return float(f1[occurs].mean()) if occurs.any() else float("nan")

    def as_dict(self) -> dict[str, Any]:
        """The findings as plain data."""
        return {
            "model": self.kind,
            "n": self.n,
            "accuracy": self.accuracy,
            "ci95": list(self.ci95),
            "macro_f1": self.macro_f1,
            "precision": dict(zip(CLASSES, self.precision, strict=True)),
            "recall": dict(zip(CLASSES, self.recall, strict=True)),
            "confusion": self.confusion.tolist(),
            "trained_on": self.trained,
            "capped": self.capped,
            "fit_seconds": self.fit_seconds,
            "size": self.size,
            "leaves": self.leaves,
            "mean_chance": self.likely,
            **self.scores.as_dict(),
        }


def folds_of(group: NDArray[np.uint64], folds: int = FOLDS, seed: int = 0) -> Ints:
    """The fold of every row: groups are never torn apart, and shared out evenly by their size."""
    groups, places, sizes = np.unique(group, return_inverse=True, return_counts=True)
    if len(groups) < folds:
        raise UnreadableError(
            f"judging a clone in {folds} folds takes hands of at least {folds} matches or sessions, got "
            f"{len(groups)}; give more logs, fewer folds (--folds 2), or learn without judging (--folds 0)"
        )
    order = np.random.default_rng(seed).permutation(len(groups))
    order = order[np.argsort(-sizes[order], kind="stable")]
    fold, filled = np.zeros(len(groups), np.int64), np.zeros(folds)
    if sizes.max() * folds * 20 < sizes.sum():
        fold[order] = np.arange(len(groups)) % folds
    else:
        for k in order:
            fold[k] = int(filled.argmin())
            filled[fold[k]] += sizes[k]
    return np.asarray(fold[places])


def cross_validate(
    rows: Rows,
    kind: str,
    *,
    folds: int = FOLDS,
    seed: int = 0,
    share: float = 1.0,
    cap: int | None = None,
    **settings: Any,
) -> Validation:
    """Learn on all folds but one and judge on that one, in turn.

    Args:
        rows: the decisions of a street.
        kind: the learner.
        folds: into how many parts the card sets are divided.
        seed: for the division, and for learners that draw lots.
        share: learn from so much of the card sets only (learning curves).
        cap: rows to learn from at most; by default the learner's.
        settings: for the learner.
    """
    fold = folds_of(rows.group, folds, seed)
    rng = np.random.default_rng(seed)
    given = np.zeros((len(rows), len(CLASSES)))
    learner = MODELS[kind]
    learner.check_settings(settings)
    most = cap or learner.cap
    seconds, sizes, trained, capped = 0.0, [], [], False
    for k in range(folds):
        train = np.flatnonzero(fold != k)
        if share < 1:
            groups = rng.permutation(np.unique(rows.group[train]))
            train = train[np.isin(rows.group[train], groups[: max(1, round(share * len(groups)))])]
        if len(train) > most:
            train, capped = np.sort(rng.choice(train, most, replace=False)), True
        started = time.process_time()
        fitted = learner.fit(rows[train], seed, **settings)
        seconds += time.process_time() - started
        model = learner.freeze(fitted, rows.columns)
        given[fold == k] = model.predict_proba(rows.x[fold == k])
        sizes.append(model.size)
        trained.append(len(train))
    size, leaves = np.mean(sizes, axis=0)
    return Validation.of(
        kind,
        given,
        rows.y,
        trained=round(float(np.mean(trained))),
        capped=capped,
        fit_seconds=seconds / folds,
        size=float(size),
        leaves=float(leaves),
    )


def majority(rows: Rows) -> float:
    """The share of the commonest action: what a model must beat."""
    return float(np.bincount(rows.y, minlength=3).max() / max(len(rows), 1))


def best_single(rows: Rows, names: Sequence[str] | None = None, seed: int = 0) -> tuple[str, float]:
    """The attribute that alone predicts best, by a small tree cross-validated, and its accuracy."""
    best, accuracy = "", 0.0
    for name in names or [column.name for column in rows.columns]:
        found = cross_validate(rows.only([name]), "tree", seed=seed, cap=10_000).accuracy
        if found > accuracy:
            best, accuracy = name, found
    return best, accuracy


def ceiling(rows: Rows, seed: int = 0, most: int = 20_000) -> dict[str, float]:
    """What the best possible model could reach: a player who mixes cannot be predicted beyond it.

    Two decisions in nearly the same situation should be the same; how often the nearest one of another card set
    differs (e) bounds the error of the best model from below (Cover, Hart 1967): for c classes
    (c - 1) / c * (1 - sqrt(1 - c e / (c - 1))) at least, e at most, with ever more rows. With few rows neighbours are
    not near, so that part of e is distance, not mixing: the true ceiling lies above `low`, and `high` is an estimate.
    """
    chosen = np.sort(np.random.default_rng(seed).permutation(len(rows))[:most])
    found = cross_validate(rows[chosen], "knn", seed=seed, cap=most, neighbours=1)
    error, classes = 1 - found.accuracy, max(2, int((np.bincount(rows.y, minlength=3) > 0).sum()))
    inside = max(0.0, 1 - classes / (classes - 1) * error)
    return {"low": 1 - error, "high": 1 - (classes - 1) / classes * (1 - float(np.sqrt(inside)))}
