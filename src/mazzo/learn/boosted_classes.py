"""Gradient boosting of classes: small trees over histograms, one a class and round, for log-loss (Friedman 2001).

Trees are grown as those of `mazzo.learn.boosted`, from how much each class was missed by; what a leaf says is one step
of Newton's. Scores may begin with those of another model, so that the trees are a correction to it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from mazzo.arrays import Floats, Ints
from mazzo.learn.boosted import _cuts, _sort_into_bins, _Work
from mazzo.learn.forest import Tree

__all__ = ["STEP", "BoostedClasses", "BoostingPlan", "ClassTrees", "boost_classes", "chances", "mean_log_loss"]

STEP = 10
"""Rounds between two looks at the watched rows' scores."""
_MOST_STEP = 4.0
"""The farthest a leaf moves a score before the rate: where a class is nearly sure a Newton step has no end."""


@dataclass(frozen=True)
class BoostingPlan:
    """How classes are boosted."""

    trees: int = 300
    """Rounds at most."""
    leaves: int = 8
    rate: float = 0.05
    leaf: int = 20
    """The fewest rows of a leaf."""
    ridge: float = 1.0
    """Added to the curvature of a leaf: leaves of few rows say less."""
    inputs: float = 1.0
    """The share of the inputs that a tree may look at, drawn anew for each."""
    patience: int = 40
    """Rounds without progress on the watched rows before it stops."""


@dataclass
class ClassTrees:
    """Boosted trees of classes: `trees[r][k]` is that of round r for class k."""

    base: Floats
    trees: list[list[Tree]] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)
    """The log-loss on the watched rows after each round, before the first too."""
    followed: list[NDArray[np.float32]] = field(default_factory=list)
    """The scores of the watched rows before the first round and after every `STEP` rounds."""

    @property
    def rounds(self) -> int:
        """The round after which the watched rows were predicted best."""
        return int(np.argmin(self.losses)) if self.losses else len(self.trees)

    def scores(self, x: NDArray[np.float32], start: Floats | None = None) -> Floats:
        """The sums of the trees by row and class."""
        out = np.tile(self.base, (len(x), 1)) + (0.0 if start is None else start)
        for stage in self.trees:
            for k, tree in enumerate(stage):
                out[:, k] += _said(tree, x)
        return out


def _said(tree: Tree, x: NDArray[np.float32]) -> Floats:
    """What a tree says of each row."""
    node = np.zeros(len(x), np.int64)
    for k in np.flatnonzero(tree.left >= 0).tolist():  # a child stands after its parent
        here = np.flatnonzero(node == k)
        goes = x[here, tree.feature[k]] <= np.float32(tree.threshold[k])
        node[here] = np.where(goes, tree.left[k], tree.right[k])
    return np.asarray(tree.value[node])


def chances(scores: Floats) -> Floats:
    """Scores as shares that add up to one."""
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def mean_log_loss(scores: Floats, y: Ints) -> float:
    """The mean of the negative logarithm of the share of what happened."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    return float((np.log(np.exp(shifted).sum(axis=1)) - shifted[np.arange(len(y)), y]).mean())


def boost_classes(
    x: NDArray[np.float32],
    y: Ints,
    classes: int,
    plan: BoostingPlan,
    *,
    seed: int = 0,
    start: Floats | None = None,
    watched: tuple[NDArray[np.float32], Ints, Floats | None] | None = None,
) -> ClassTrees:
    """Grow the trees; no number of `x` may be missing.

    Args:
        x: The inputs.
        y: The class of each row.
        classes: How many classes there are.
        plan: How to grow them.
        seed: For the inputs that a tree may look at.
        start: Scores to begin with, by row and class, such as another model's; else those of the classes' shares.
        watched: Rows, classes and starting scores on which log-loss is followed; it stops when that no longer falls.
    """
    counts = np.bincount(y, minlength=classes) + 0.5
    base = np.zeros(classes) if start is not None else np.log(counts / counts.sum())
    found = ClassTrees(base)
    scores = np.tile(base, (len(x), 1)) + (0.0 if start is None else start)
    seen: Floats | None = None
    if watched is not None:
        seen = np.tile(base, (len(watched[0]), 1)) + (0.0 if watched[2] is None else watched[2])
        found.losses.append(mean_log_loss(seen, watched[1]))
        found.followed.append(seen.astype(np.float32))
    hit = np.zeros((len(x), classes))
    hit[np.arange(len(x)), y] = 1.0
    rng = np.random.default_rng(seed)
    grower = _Grower(x, plan)
    for _ in range(plan.trees):
        p = chances(scores)
        cuts = grower.drawn(rng)
        stage = []
        for k in range(classes):
            tree, added = grower.tree(hit[:, k] - p[:, k], p[:, k] * (1 - p[:, k]), cuts)
            scores[:, k] += added
            stage.append(tree)
            if seen is not None and watched is not None:
                seen[:, k] += _said(tree, watched[0])
        found.trees.append(stage)
        if seen is not None and watched is not None:
            found.losses.append(mean_log_loss(seen, watched[1]))
            if len(found.trees) % STEP == 0:
                found.followed.append(seen.astype(np.float32))
            if len(found.losses) - 1 - found.rounds >= plan.patience:
                break
    return found


class _Grower:
    """Grows single trees from binned inputs."""

    def __init__(self, x: NDArray[np.float32], plan: BoostingPlan) -> None:
        self.plan = plan
        cuts = _cuts(x, 0)
        bins = np.empty(x.shape, np.uint8)
        for k, chosen in enumerate(cuts):
            _sort_into_bins(x[:, k], chosen, bins[:, k])
        self.live = np.array([k for k, chosen in enumerate(cuts) if len(chosen)], np.int64)
        self.work = _Work(bins, cuts, plan.leaves, plan.leaf, 1, ThreadPoolExecutor(1))

    def drawn(self, rng: np.random.Generator) -> list[NDArray[np.float32]]:
        """The cuts of the inputs that the next trees may look at; none of the others."""
        if self.plan.inputs >= 1 or not len(self.live):
            return self.work.cuts
        many = max(1, round(self.plan.inputs * len(self.live)))
        chosen = set(rng.choice(self.live, many, replace=False).tolist())
        nothing = np.zeros(0, np.float32)
        return [cuts if k in chosen else nothing for k, cuts in enumerate(self.work.cuts)]

    def tree(self, missed: Floats, curvature: Floats, cuts: list[NDArray[np.float32]]) -> tuple[Tree, Floats]:
        """A tree for what was missed, and what it adds to each row."""
        added = np.zeros(len(missed))

        def newton(rest: Floats, rows: NDArray[np.int32], rate: float) -> float:
            step = missed[rows].sum() / (curvature[rows].sum() + self.plan.ridge)
            value = rate * float(np.clip(step, -_MOST_STEP, _MOST_STEP))
            added[rows] = value
            return value

        return self.work._replace(cuts=cuts).tree(missed, self.plan.rate, newton), added


class BoostedClasses(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """A classifier of boosted trees; it may begin with a model of other rows, which its own trees then correct.

    Args:
        plan: How the trees are grown.
        others_plan: How those of the other rows are.
        others_weight: How much of the other rows' scores is believed, 0 to 1.
        temperature: Scores are divided by this before they become shares: above 1 it is less sure of itself.
        random_state: For the inputs that a tree may look at.
    """

    def __init__(
        self,
        plan: BoostingPlan | None = None,
        others_plan: BoostingPlan | None = None,
        others_weight: float = 0.8,
        temperature: float = 1.0,
        random_state: int = 0,
    ) -> None:
        self.plan = plan
        self.others_plan = others_plan
        self.others_weight = others_weight
        self.temperature = temperature
        self.random_state = random_state

    def fit(
        self, x: NDArray[Any], y: NDArray[Any], others: tuple[NDArray[Any], NDArray[Any]] | None = None
    ) -> BoostedClasses:
        """Grow the trees, those of the other rows first."""
        x, plan = np.asarray(x, np.float32), self.plan or BoostingPlan()
        self.classes_, own = np.unique(y, return_inverse=True)
        if others is not None:
            self.classes_ = np.unique(np.concatenate([y, others[1]]))
            own = np.searchsorted(self.classes_, y)
        many = len(self.classes_)
        self.others_: ClassTrees | None = None
        start = None
        if others is not None:
            answers = np.searchsorted(self.classes_, others[1])
            before = boost_classes(
                np.asarray(others[0], np.float32), answers, many, self.others_plan or plan, seed=self.random_state
            )
            self.others_ = before
            start = self.others_weight * before.scores(x)
        self.trees_ = boost_classes(x, own, many, plan, seed=self.random_state, start=start)
        self.n_features_in_ = x.shape[1]
        return self

    def predict_proba(self, x: NDArray[Any]) -> Floats:
        """The chance of each class."""
        x = np.asarray(x, np.float32)
        start = None if self.others_ is None else self.others_weight * self.others_.scores(x)
        return chances(self.trees_.scores(x, start) / self.temperature)

    def predict(self, x: NDArray[Any]) -> NDArray[Any]:
        """The likeliest class."""
        return np.asarray(self.classes_[self.predict_proba(x).argmax(axis=1)])
