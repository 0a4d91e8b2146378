"""Trees whose cuts are kept while what their leaves say is learned again, for several weights of the rows at once.

Growing a tree is far dearer than averaging the rows in its leaves. Where targets change little, or only the weights of
rows do, as when an interval is bootstrapped, the cuts may stay (Ernst, Geurts, Wehenkel 2005, section 3.5).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.jit import tight
from mazzo.learn.forest import FEATURE_BITS, Forest

__all__ = ["KeptCuts"]


class KeptCuts(NamedTuple):
    """A forest's cuts, and which leaves some rows fall into."""

    links: NDArray[np.int32]
    starts: Ints
    leaves: NDArray[np.int32]
    """Of the rows that are learned from: by tree and row, the leaf's place in its tree."""
    rate: float
    """What each tree adds: one part of all where trees are averaged; where they are boosted, how far one corrects."""
    boosted: bool

    @classmethod
    def of(cls, forest: Forest, rows: NDArray[np.float32], rate: float | None = None) -> KeptCuts:
        """The cuts of a forest of averaged trees, or of boosted ones if their rate is given."""
        share = 1.0 / len(forest.depths) if rate is None else rate
        return cls(forest.links, forest.starts, forest.leaves(rows), share, rate is not None)

    def predict(self, targets: Floats, weights: Floats, asked: NDArray[np.int32]) -> Floats:
        """What the trees, with leaves that average these targets, say of other rows.

        Args:
            targets: a row for each that is learned from, a column for each weighting.
            weights: of each row in each weighting; one that leaves a leaf without rows takes the mean of what is above.
            asked: the leaves of the other rows, as `Forest.leaves` gives them.

        Returns:
            A row for each that was asked about, a column for each weighting.
        """
        mean = (targets * weights).sum(axis=0) / weights.sum(axis=0) if self.boosted else np.zeros(targets.shape[1])
        out = np.tile(mean, (asked.shape[1], 1))
        most = int(np.diff(self.starts).max())
        room = np.empty((2, most, targets.shape[1]))
        _refit(self, targets - mean, weights, asked, room[0], room[1], out)
        return out


@tight
def _refit(
    cuts: KeptCuts, rest: Floats, weights: Floats, asked: NDArray[np.int32], sums: Floats, totals: Floats, out: Floats
) -> None:
    """Add what each tree says; of boosted ones each learns what those before it have left of the targets (`rest`)."""
    width = rest.shape[1]
    for tree in range(len(cuts.leaves)):
        links = cuts.links[cuts.starts[tree] : cuts.starts[tree + 1]]
        leaves, wanted = cuts.leaves[tree], asked[tree]
        sums[: len(links)] = 0.0
        totals[: len(links)] = 0.0
        for row in range(len(leaves)):
            leaf = np.uint32(leaves[row])
            for k in range(width):
                sums[leaf, k] += weights[row, k] * rest[row, k]
                totals[leaf, k] += weights[row, k]
        _means(links, sums, totals, cuts.rate)
        for row in range(len(wanted)):
            leaf = np.uint32(wanted[row])
            for k in range(width):
                out[row, k] += sums[leaf, k]
        if cuts.boosted:
            for row in range(len(leaves)):
                leaf = np.uint32(leaves[row])
                for k in range(width):
                    rest[row, k] -= sums[leaf, k]


@tight
def _means(links: NDArray[np.int32], sums: Floats, totals: Floats, rate: float) -> None:
    """Sums in leaves become means, times the rate; of a node without weight the one above it."""
    width = sums.shape[1]
    for back in range(len(links)):
        node = len(links) - 1 - back  # children stand behind their parents
        child = links[node] >> FEATURE_BITS
        if child != node:
            for k in range(width):
                sums[node, k] = sums[child, k] + sums[child + 1, k]
                totals[node, k] = totals[child, k] + totals[child + 1, k]
    for k in range(width):
        sums[0, k] *= rate / totals[0, k]
    for node in range(len(links)):
        child = links[node] >> FEATURE_BITS
        if child != node:
            for side in range(child, child + 2):
                for k in range(width):
                    below = totals[side, k]
                    sums[side, k] = sums[side, k] * (rate / below) if below > 0.0 else sums[node, k]
