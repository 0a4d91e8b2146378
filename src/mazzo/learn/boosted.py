"""Gradient boosting of small trees (Friedman 2001) over histograms, for squares of errors and many rows.

What scikit-learn's `HistGradientBoostingRegressor` does, in memory of one byte an input: each input is sorted into at
most 255 bins, trees are grown best leaf first, and of two leaves that were one only the smaller is counted. What is
counted are whole numbers, errors rounded to sixteen bits and rows in one sum, so that any number of threads gives the
same trees; what leaves say is the exact mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.jit import tight
from mazzo.learn.estimators import ForestRegressor
from mazzo.learn.forest import Tree, pack

__all__ = ["BoostedTrees"]

_BINS = 255
_SAMPLE = 200_000
"""Rows from which the bins of an input with many values are chosen."""
_WORTH_A_THREAD = 100_000
_Bins = NDArray[np.uint8]
_Rows = NDArray[np.int32]


class BoostedTrees(ForestRegressor):
    """A regressor of boosted trees.

    Args:
        trees: how many trees, each correcting those before it.
        leaves: the most leaves of a tree.
        learning_rate: by what share of its fit each tree corrects the ones before.
        leaf: the fewest rows of a leaf.
        random_state: for the rows from which bins are chosen, where there are very many.
        n_jobs: threads that count.
    """

    def __init__(
        self,
        trees: int = 150,
        leaves: int = 8,
        learning_rate: float = 0.05,
        leaf: int = 100,
        random_state: int = 0,
        n_jobs: int = 1,
    ) -> None:
        self.trees = trees
        self.leaves = leaves
        self.learning_rate = learning_rate
        self.leaf = leaf
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, x: NDArray[Any], y: NDArray[Any]) -> BoostedTrees:
        """Grow the trees; `fitted_values_` is what they say of the rows they were grown from."""
        x, outputs = self._rows(x, y)
        base = float(outputs.mean())
        rest = outputs - base
        cuts = _cuts(x, self.random_state)
        bins = np.empty(x.shape, np.uint8)
        for k, chosen in enumerate(cuts):
            _sort_into_bins(x[:, k], chosen, bins[:, k])
        with ThreadPoolExecutor(max(1, self.n_jobs)) as pool:
            work = _Work(bins, cuts, self.leaves, self.leaf, max(1, self.n_jobs), pool)
            grown = [work.tree(rest, self.learning_rate) for _ in range(self.trees)]
        self.forest_ = pack(grown, base, 1.0, x.shape[1])
        self.fitted_values_ = outputs - rest
        return self


def _cuts(x: NDArray[np.float32], seed: int) -> list[NDArray[np.float32]]:
    """Of each input the values between which it is cut: all there are, or so many that bins are about equally full."""
    some = x
    if len(x) > _SAMPLE:
        some = x[np.sort(np.random.default_rng(seed).choice(len(x), _SAMPLE, replace=False))]
    found = []
    for column in some.T:
        values = np.unique(column)
        if len(values) <= _BINS:
            middle = values[:-1] + (values[1:] - values[:-1]) / 2
            middle = np.where(middle < values[1:], middle, values[:-1])
        else:
            middle = np.unique(np.quantile(column, np.linspace(0, 1, _BINS + 1)[1:-1], method="lower"))
        found.append(middle.astype(np.float32))
    return found


@tight
def _sort_into_bins(x: NDArray[np.float32], cuts: NDArray[np.float32], out: _Bins) -> None:
    """How many cuts each number lies above."""
    for row in range(len(x)):
        low, size = np.int64(0), np.int64(len(cuts))
        while size > 0:
            half = size >> 1
            above = x[row] > cuts[low + half]
            low = low + half + 1 if above else low
            size = size - half - 1 if above else half
        out[row] = low


class _Split(NamedTuple):
    gain: float
    feature: int
    cut: int


class _Node(NamedTuple):
    """A leaf so far: its rows, what was counted of them, and how it is best cut."""

    rows: _Rows
    counted: Ints
    best: _Split


class _Work(NamedTuple):
    """What trees are grown from."""

    bins: _Bins
    cuts: list[NDArray[np.float32]]
    leaves: int
    fewest: int
    threads: int
    pool: ThreadPoolExecutor

    def tree(self, rest: Floats, rate: float, value_of: Callable[[Floats, _Rows, float], float] | None = None) -> Tree:
        """One tree for what is left of the outputs, which it is taken from; `value_of` gives a leaf another value."""
        bits = len(rest).bit_length()
        most = float(np.abs(rest).max())
        scale = (2 ** min(15, 61 - 2 * bits) - 1) / most if most > 0 else 0.0
        errors = np.empty(len(rest), np.int64)
        _packed(rest, scale, bits, errors)
        nodes = [self._node(np.arange(len(rest), dtype=np.int32), errors, bits, None)]
        inner: dict[int, int] = {}
        for _ in range(self.leaves - 1):
            at = max((k for k in range(len(nodes)) if k not in inner), key=lambda k: nodes[k].best.gain)
            if nodes[at].best.gain <= 0:
                break
            inner[at] = len(nodes)
            nodes += self._cut(nodes[at], errors, bits)
        return self._as_tree(nodes, inner, rest, rate, value_of or _take_mean)

    def _node(self, rows: _Rows, errors: Ints, bits: int, counted: Ints | None) -> _Node:
        found = np.sum(list(self._counted(rows, errors)), axis=0) if counted is None else counted
        best = _Split(*_best_split(found, np.array([len(c) for c in self.cuts]), bits, self.fewest))
        return _Node(rows, found, best)

    def _counted(self, rows: _Rows, errors: Ints) -> Iterator[Ints]:
        """Sums of errors and rows by input and bin, of parts of the rows."""
        parts = self.threads if len(rows) >= _WORTH_A_THREAD else 1

        def count(part: _Rows) -> Ints:
            out = np.zeros((self.bins.shape[1], _BINS + 1), np.int64)
            _count(self.bins, errors, part, out)
            return out

        pieces = np.array_split(rows, parts)
        return self.pool.map(count, pieces) if parts > 1 else map(count, pieces)

    def _cut(self, node: _Node, errors: Ints, bits: int) -> tuple[_Node, _Node]:
        below, above = np.empty((2, len(node.rows) + 1), np.int32)
        size = _part(self.bins[:, node.best.feature], node.rows, node.best.cut, below, above)
        left, right = below[:size], above[: len(node.rows) - size]
        less = left if len(left) <= len(right) else right
        few = self._node(less, errors, bits, None)
        rest = self._node(right if less is left else left, errors, bits, node.counted - few.counted)
        return (few, rest) if less is left else (rest, few)

    def _as_tree(
        self,
        nodes: list[_Node],
        inner: dict[int, int],
        rest: Floats,
        rate: float,
        value_of: Callable[[Floats, _Rows, float], float],
    ) -> Tree:
        children = np.array([inner.get(k, -1) for k in range(len(nodes))], np.int64)
        right = np.where(children < 0, -1, children + 1)
        features = np.array([node.best.feature for node in nodes], np.int64)
        cuts = [float(self.cuts[n.best.feature][n.best.cut]) if k in inner else 0.0 for k, n in enumerate(nodes)]
        values = np.zeros(len(nodes))
        for k in np.flatnonzero(children < 0).tolist():
            values[k] = value_of(rest, nodes[k].rows, rate)
        return Tree(children, right, features, np.array(cuts), values, np.array([float(len(n.rows)) for n in nodes]))


@tight
def _packed(rest: Floats, scale: float, bits: int, out: Ints) -> None:
    """An error as a whole number, and below it a 1 for its row."""
    for row in range(len(rest)):
        out[row] = (np.int64(np.rint(rest[row] * scale)) << bits) + 1


@tight
def _count(bins: _Bins, errors: Ints, rows: _Rows, out: Ints) -> None:
    for k in range(len(rows)):
        row = np.uint32(rows[k])
        for f in range(bins.shape[1]):
            out[f, bins[row, f]] += errors[row]


@tight
def _part(bins: _Bins, rows: _Rows, cut: int, below: _Rows, above: _Rows) -> int:
    """Rows up to a bin and those above it, in order; gives how many are the former."""
    size = other = 0
    for k in range(len(rows)):
        up_to = bins[np.uint32(rows[k])] <= cut
        below[size] = above[other] = rows[k]
        size += up_to
        other += not up_to
    return size


@tight
def _best_split(counted: Ints, cuts: Ints, bits: int, fewest: int) -> tuple[float, int, int]:
    """The cut that takes away most variance, its input and its bin; no gain where there is none."""
    mask = (np.int64(1) << bits) - 1
    whole = np.int64(0)
    for b in range(counted.shape[1]):
        whole += counted[0, b]
    rows, total = np.float64(whole & mask), np.float64(whole >> bits)
    best, feature, cut = 1e-9, 0, 0
    found = False
    for f in range(len(counted)):
        left = np.int64(0)
        for b in range(cuts[f]):
            left += counted[f, b]
            n, s = np.float64(left & mask), np.float64(left >> bits)
            if n >= fewest and rows - n >= fewest:
                gain = s * s / n + (total - s) * (total - s) / (rows - n) - total * total / rows
                if gain > best:
                    best, feature, cut, found = gain, f, b, True
    return best if found else 0.0, feature, cut


@tight
def _take_mean(rest: Floats, rows: _Rows, rate: float) -> float:
    """The mean of some rows, times the rate, which is taken from them."""
    total = 0.0
    for k in range(len(rows)):
        total += rest[np.uint32(rows[k])]
    value = rate * total / len(rows)
    for k in range(len(rows)):
        rest[np.uint32(rows[k])] -= value
    return value
