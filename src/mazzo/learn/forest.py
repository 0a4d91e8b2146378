"""Fitted trees as plain arrays, and a kernel that walks them: fast, exact, the same on any number of threads.

scikit-learn compares 32-bit inputs with 64-bit thresholds. For such inputs `x <= threshold` is the same as
`x <= the next 32-bit number at or below the threshold`, so thresholds are kept in 32 bits and nothing changes. A
node is eight bytes: its threshold, and its left child with the input it looks at; the right child follows the left.
"""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import UnreadableError
from mazzo.jit import tight

__all__ = ["FEATURE_BITS", "MOST_INPUTS", "Forest", "Tree", "flatten", "pack"]

FEATURE_BITS = 8
MOST_INPUTS = (1 << FEATURE_BITS) - 1
"""So many inputs a forest can have; also the bits of a link that say which of them a node looks at."""
_LANES = 8
_WORTH_A_THREAD = 100_000
_MOST_THREADS = 8


def _threads() -> int:
    """As many as there are cores; one in a worker, whose like keep the other cores busy."""
    return 1 if multiprocessing.parent_process() else min(os.cpu_count() or 1, _MOST_THREADS)


class Forest(NamedTuple):
    """Trees, each a block of nodes with its root first and every child after its parent."""

    thresholds: NDArray[np.float32]
    links: NDArray[np.int32]
    """`left child within the tree << 8 | input`; a leaf has itself as child and an infinite threshold."""
    values: NDArray[np.float64]
    """What each leaf adds; elsewhere the mean of what lies below, weighted by the rows it was learned from."""
    starts: NDArray[np.int64]
    """Where each tree begins; one more entry at the end."""
    depths: NDArray[np.int64]
    """How many steps lead from each root to its deepest leaf."""
    base: float
    """The sum begins with this."""
    divisor: float
    """And is divided by this: the number of trees where they are averaged."""
    inputs: int

    def predict(self, rows: NDArray[Any]) -> NDArray[np.float64]:
        """The forest's answer for every row."""
        x = np.ascontiguousarray(rows, np.float32)
        if x.ndim != 2 or x.shape[1] != self.inputs:
            raise UnreadableError(f"this forest takes rows of {self.inputs} inputs, not arrays of shape {x.shape}")
        if len(x) * len(self.depths) <= _WORTH_A_THREAD:
            out = np.full(len(x), self.base)
            self._add(x, out)
            return out / self.divisor
        order = self._alike(x)
        sums, x = np.full(len(x), self.base), x[order]
        parts = _threads()
        if parts == 1:
            self._add(x, sums)
        else:  # each row is added up by one thread in the order of trees, so that the answer is always the same
            cuts = np.linspace(0, len(x), parts + 1).astype(np.int64)
            with ThreadPoolExecutor(parts) as pool:
                list(pool.map(lambda k: self._add(x[cuts[k] : cuts[k + 1]], sums[cuts[k] : cuts[k + 1]]), range(parts)))
        out = np.empty(len(x))
        out[order] = sums / self.divisor
        return out

    def _add(self, x: NDArray[np.float32], out: NDArray[np.float64]) -> None:
        _walk(self.thresholds, self.links, self.values, self.starts, self.depths, x, out)

    def _alike(self, x: NDArray[np.float32]) -> NDArray[np.int64]:
        """Rows in the order of their leaves in the first tree: neighbours then need the same nodes of the others."""
        return np.argsort(self._leaves(x, 0), kind="stable")

    def leaves(self, rows: NDArray[Any]) -> NDArray[np.int32]:
        """By tree and row, the leaf that a row falls into: its place among the nodes of the tree."""
        x = np.ascontiguousarray(rows, np.float32)
        order = self._alike(x)
        x, out = x[order], np.empty((len(self.depths), len(x)), np.int32)
        for tree in range(len(out)):
            out[tree, order] = self._leaves(x, tree)
        return out

    def _leaves(self, x: NDArray[np.float32], tree: int) -> NDArray[np.int32]:
        found = np.zeros(len(x))
        place = np.arange(self.starts[tree + 1], dtype=np.float64) - self.starts[tree]
        _walk(self.thresholds, self.links, place, self.starts[tree : tree + 2], self.depths[tree : tree + 1], x, found)
        return found.astype(np.int32)

    def contributions(self, row: NDArray[Any]) -> NDArray[np.float64]:
        """What each input adds to the answer for one row, and last what the answer is before any is looked at.

        Every step down a tree changes the mean of what lies below; the change counts for the input looked at. The sum
        of all is the answer.
        """
        x = np.ascontiguousarray(row, np.float32)
        out = np.zeros(self.inputs + 1)
        out[-1] = self.base
        _contribute(self.thresholds, self.links, self.values, self.starts, x, out)
        return out / self.divisor

    def check(self) -> None:
        """Refuse arrays that no forest has: walking them could read outside the arrays or never end."""
        nodes = len(self.thresholds)
        ends = self.starts[1:]
        lengths = np.diff(self.starts)
        sound = (
            len(self.links) == nodes == len(self.values)
            and self.starts.ndim == 1
            and len(self.starts) >= 2
            and self.starts[0] == 0
            and bool((lengths > 0).all())
            and ends[-1] == nodes
            and self.depths.shape == lengths.shape
            and bool(((self.depths >= 0) & (self.depths <= lengths)).all())
            and 0 < self.inputs <= MOST_INPUTS
            and self.divisor > 0
        )
        if sound:
            place = np.arange(nodes) - np.repeat(self.starts[:-1], lengths)
            room = np.repeat(lengths, lengths)
            child = self.links.astype(np.int64) >> FEATURE_BITS
            leaf = (child == place) & np.isposinf(self.thresholds)
            inner = (child > place) & (child + 1 < room)
            sound = bool((leaf | inner).all() and ((self.links & MOST_INPUTS) < self.inputs).all())
        if not sound:
            raise UnreadableError("the trees in it are damaged: their nodes do not form trees")


@tight
def _walk(
    thresholds: NDArray[np.float32],
    links: NDArray[np.int32],
    values: NDArray[np.float64],
    starts: NDArray[np.int64],
    depths: NDArray[np.int64],
    x: NDArray[np.float32],
    out: NDArray[np.float64],
) -> None:
    """Add every tree's leaf to every row, tree by tree: the nodes of one tree stay in the nearest cache.

    Eight rows go down together, so that the processor waits for eight nodes at a time instead of one; a row that has
    reached its leaf stays there.
    """
    whole = len(x) - len(x) % _LANES
    for tree in range(len(starts) - 1):
        root = starts[tree]
        for row in range(0, whole, _LANES):
            a = b = d = e = f = g = h = i = np.int64(0)
            for _ in range(depths[tree]):
                la, lb, ld, le = links[root + a], links[root + b], links[root + d], links[root + e]
                lf, lg, lh, li = links[root + f], links[root + g], links[root + h], links[root + i]
                na = (la >> FEATURE_BITS) + (x[row, la & MOST_INPUTS] > thresholds[root + a])
                nb = (lb >> FEATURE_BITS) + (x[row + 1, lb & MOST_INPUTS] > thresholds[root + b])
                nd = (ld >> FEATURE_BITS) + (x[row + 2, ld & MOST_INPUTS] > thresholds[root + d])
                ne = (le >> FEATURE_BITS) + (x[row + 3, le & MOST_INPUTS] > thresholds[root + e])
                nf = (lf >> FEATURE_BITS) + (x[row + 4, lf & MOST_INPUTS] > thresholds[root + f])
                ng = (lg >> FEATURE_BITS) + (x[row + 5, lg & MOST_INPUTS] > thresholds[root + g])
                nh = (lh >> FEATURE_BITS) + (x[row + 6, lh & MOST_INPUTS] > thresholds[root + h])
                ni = (li >> FEATURE_BITS) + (x[row + 7, li & MOST_INPUTS] > thresholds[root + i])
                still = (na == a) & (nb == b) & (nd == d) & (ne == e) & (nf == f) & (ng == g) & (nh == h) & (ni == i)
                a, b, d, e, f, g, h, i = na, nb, nd, ne, nf, ng, nh, ni
                if still:
                    break
            out[row] += values[root + a]
            out[row + 1] += values[root + b]
            out[row + 2] += values[root + d]
            out[row + 3] += values[root + e]
            out[row + 4] += values[root + f]
            out[row + 5] += values[root + g]
            out[row + 6] += values[root + h]
            out[row + 7] += values[root + i]
        for row in range(whole, len(x)):
            node = np.int64(0)
            while True:
                link = links[root + node]
                step = (link >> FEATURE_BITS) + (x[row, link & MOST_INPUTS] > thresholds[root + node])
                if step == node:
                    break
                node = step
            out[row] += values[root + node]


@tight
def _contribute(
    thresholds: NDArray[np.float32],
    links: NDArray[np.int32],
    values: NDArray[np.float64],
    starts: NDArray[np.int64],
    x: NDArray[np.float32],
    out: NDArray[np.float64],
) -> None:
    for tree in range(len(starts) - 1):
        root, node = starts[tree], np.int64(0)
        out[len(out) - 1] += values[root]
        while True:
            link = links[root + node]
            step = (link >> FEATURE_BITS) + (x[link & MOST_INPUTS] > thresholds[root + node])
            if step == node:
                break
            out[link & MOST_INPUTS] += values[root + step] - values[root + node]
            node = step


class Tree(NamedTuple):
    """One tree as its library has it: children are -1 at leaves."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    value: NDArray[np.float64]
    rows: NDArray[np.float64]


def flatten(model: Any) -> Forest | None:
    """A fitted scikit-learn regressor as a forest, or None if it is not made of trees we can take apart."""
    from sklearn.ensemble import ExtraTreesRegressor, HistGradientBoostingRegressor, RandomForestRegressor
    from sklearn.tree import BaseDecisionTree

    own = getattr(model, "as_forest", None)
    if own is not None:
        forest: Forest = own()
        return forest
    inputs = int(getattr(model, "n_features_in_", 0))
    if not 0 < inputs <= MOST_INPUTS:
        return None
    if isinstance(model, ExtraTreesRegressor | RandomForestRegressor):
        trees = [_tree_of(tree.tree_) for tree in model.estimators_]
        return pack(trees, 0.0, float(len(trees)), inputs)
    if isinstance(model, BaseDecisionTree):
        return pack([_tree_of(model.tree_)], 0.0, 1.0, inputs)
    if isinstance(model, HistGradientBoostingRegressor):
        if model._is_categorical_remapped is not None and np.any(model._is_categorical_remapped):
            return None
        boosted = [_of_nodes(predictor.nodes) for stage in model._predictors for predictor in stage]
        return pack(boosted, float(np.ravel(model._baseline_prediction)[0]), 1.0, inputs)
    return None


def _tree_of(tree: Any) -> Tree:
    """A scikit-learn tree's arrays."""
    counts = tree.weighted_n_node_samples
    return Tree(tree.children_left, tree.children_right, tree.feature, tree.threshold, tree.value[:, 0, 0], counts)


def _of_nodes(nodes: Any) -> Tree:
    leaf = nodes["is_leaf"].astype(np.bool_)
    return Tree(
        np.where(leaf, -1, nodes["left"].astype(np.int64)),
        np.where(leaf, -1, nodes["right"].astype(np.int64)),
        nodes["feature_idx"].astype(np.int64),
        nodes["num_threshold"].astype(np.float64),
        nodes["value"].astype(np.float64),
        nodes["count"].astype(np.float64),
    )


def pack(trees: list[Tree], base: float, divisor: float, inputs: int) -> Forest:
    """Trees as one forest."""
    packed = [_breadth_first(tree) for tree in trees]
    starts = np.cumsum([0, *(len(values) for _, _, values, _ in packed)])
    return Forest(
        np.concatenate([thresholds for thresholds, _, _, _ in packed]),
        np.concatenate([links for _, links, _, _ in packed]),
        np.concatenate([values for _, _, values, _ in packed]),
        starts.astype(np.int64),
        np.array([depth for _, _, _, depth in packed], np.int64),
        base,
        divisor,
        inputs,
    )


def _breadth_first(tree: Tree) -> tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.float64], int]:
    """Nodes level by level, siblings side by side."""
    levels = [np.zeros(1, np.int64)]
    while True:
        inner = levels[-1][tree.left[levels[-1]] >= 0]
        if not len(inner):
            break
        levels.append(np.stack([tree.left[inner], tree.right[inner]], axis=1).ravel())
    order = np.concatenate(levels)
    leaf = tree.left[order] < 0
    child = np.arange(len(order))
    child[~leaf] = 1 + 2 * np.arange(len(order) - int(leaf.sum()))
    thresholds = _down_to_32_bits(tree.threshold[order])
    thresholds[leaf] = np.inf
    links = (child << FEATURE_BITS | np.where(leaf, 0, tree.feature[order])).astype(np.int32)
    return thresholds, links, _means(levels, child, leaf, tree.value[order], tree.rows[order]), len(levels) - 1


def _means(
    levels: list[NDArray[np.int64]],
    child: NDArray[np.int64],
    leaf: NDArray[np.bool_],
    values: NDArray[np.float64],
    counts: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Values of leaves as they are, those above as means of what lies below."""
    out, end = values.astype(np.float64), len(values)
    for level in reversed(levels):
        inner = np.arange(end - len(level), end)
        inner = inner[~leaf[inner]]
        left, right = child[inner], child[inner] + 1
        weights = np.maximum(counts[left] + counts[right], 1e-300)
        out[inner] = (out[left] * counts[left] + out[right] * counts[right]) / weights
        end -= len(level)
    return out


def _down_to_32_bits(thresholds: NDArray[np.float64]) -> NDArray[np.float32]:
    near = thresholds.astype(np.float32)
    return np.where(near > thresholds, np.nextafter(near, np.float32(-np.inf)), near).astype(np.float32)
