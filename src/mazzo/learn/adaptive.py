"""Extremely randomized trees whose leaves are as large as their variance asks for, instead of a fixed n_min.

Trees are grown to small leaves and then cut back from below: a cut stays only if the means of its two sides differ by
more than so many standard errors, given the variance on either side. Where outcomes are noisy leaves become large, and
where they are not they stay small.
"""

from __future__ import annotations

import numpy as np

from mazzo.learn.extra import ExtraTrees, Grown
from mazzo.learn.forest import FEATURE_BITS, MOST_INPUTS, Forest, Tree, pack

__all__ = ["AdaptiveTrees"]


class AdaptiveTrees(ExtraTrees):
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
        super().__init__(trees, cuts, leaf, random_state, n_jobs)
        self.errors = errors

    def _forest(self, grown: list[Grown]) -> Forest:
        return pack([_cut_back(tree, self.errors) for tree in grown], 0.0, float(len(grown)), self.n_features_in_)


def _cut_back(tree: Grown, errors: float) -> Tree:
    """The tree without those lowest cuts whose sides do not differ enough, again and again."""
    child = tree.links.astype(np.int64) >> FEATURE_BITS
    left = np.where(child == np.arange(len(child)), -1, child)
    error = tree.variances / tree.rows
    changed = True
    while changed:
        inner = np.flatnonzero(left >= 0)
        lowest = inner[(left[child[inner]] < 0) & (left[child[inner] + 1] < 0)]
        a, b = child[lowest], child[lowest] + 1
        same = np.abs(tree.values[a] - tree.values[b]) <= errors * np.sqrt(error[a] + error[b])
        single = (tree.rows[a] < 2) | (tree.rows[b] < 2)  # one row says nothing of its variance
        gone = lowest[same | single]
        left[gone] = -1
        changed = len(gone) > 0
    inputs = (tree.links & MOST_INPUTS).astype(np.int64)
    return Tree(left, child + 1, inputs, tree.thresholds.astype(np.float64), tree.values, tree.rows.astype(np.float64))
