"""Extremely randomized trees whose leaves are as large as their variance asks for, instead of a fixed n_min.

Trees are grown to small leaves and then cut back from below: a cut stays only if the means of its two sides differ by
more than so many standard errors, given the variance on either side. Where outcomes are noisy leaves become large, and
where they are not they stay small.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mazzo.learn.fitted_q import extra_trees
from mazzo.learn.forest import Forest, pack, tree_of

__all__ = ["AdaptiveTrees"]


class AdaptiveTrees(RegressorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """A regressor of extremely randomized trees, cut back where a cut does not stand out from the noise.

    Args:
        trees: how many trees.
        cuts: random cuts tried at a node; by default as many as there are inputs.
        leaf: a node of fewer rows is never cut.
        errors: by how many standard errors the sides of a cut must differ.
        random_state: same seed, same trees.
        n_jobs: threads that grow trees.
    """

    def __init__(
        self,
        trees: int = 100,
        cuts: int | None = None,
        leaf: int = 10,
        errors: float = 2.0,
        random_state: int = 0,
        n_jobs: int = 1,
    ) -> None:
        self.trees = trees
        self.cuts = cuts
        self.leaf = leaf
        self.errors = errors
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, x: NDArray[Any], y: NDArray[Any], sample_weight: NDArray[Any] | None = None) -> AdaptiveTrees:
        """Grow the trees and cut them back."""
        x, y = validate_data(self, x, y, dtype=np.float32, y_numeric=True)
        grown = extra_trees(self.trees, self.cuts, self.leaf, seed=self.random_state, workers=self.n_jobs)
        grown.fit(x, y, sample_weight)
        trees = [_cut_back(estimator.tree_, self.errors) for estimator in grown.estimators_]
        self.forest_ = pack(trees, 0.0, float(len(trees)), self.n_features_in_)
        return self

    def as_forest(self) -> Forest:
        """The fitted trees."""
        check_is_fitted(self)
        return self.forest_

    def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
        """The mean of the trees."""
        check_is_fitted(self)
        return self.forest_.predict(validate_data(self, x, dtype=np.float32, reset=False))


def _cut_back(tree: Any, errors: float) -> Any:
    """The tree without those lowest cuts whose sides do not differ enough, again and again."""
    whole = tree_of(tree)
    left = whole.left.copy()
    counts, means, variances = tree.n_node_samples, whole.value, np.maximum(tree.impurity, 0.0)
    error = variances / counts
    changed = True
    while changed:
        inner = np.flatnonzero(left >= 0)
        lowest = inner[(left[whole.left[inner]] < 0) & (left[whole.right[inner]] < 0)]
        a, b = whole.left[lowest], whole.right[lowest]
        same = np.abs(means[a] - means[b]) <= errors * np.sqrt(error[a] + error[b])
        single = (counts[a] < 2) | (counts[b] < 2)  # one row says nothing of its variance
        gone = lowest[same | single]
        left[gone] = -1
        changed = len(gone) > 0
    return whole._replace(left=left)
