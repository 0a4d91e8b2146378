"""Extremely randomized trees (Geurts, Ernst, Wehenkel 2006), grown in a kernel straight into the arrays of a `Forest`.

Every tree is grown on all rows; at a node one random cut is drawn for each of K inputs that still vary, and the one
that takes away most variance is kept. (scikit-learn's `ExtraTreesRegressor` does the same, but inputs that no longer
vary count among its K.) Fitted Q-iteration grows a thousand trees for one hero, so this is where its time goes. Each
input is a row of memory, sorted in place as nodes are parted, so that a processor compares many values at once; what
no longer varies is left alone. Outputs are rounded to so many binary digits that their sums are exact: the trees
then do not depend on the order of adding.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _check_sample_weight

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.jit import inlined, summing, tight
from mazzo.learn.estimators import ForestRegressor
from mazzo.learn.forest import FEATURE_BITS, Forest
from mazzo.rng import below, fork, stream, uniform

__all__ = ["ExtraTrees", "Grown"]

Floats32 = NDArray[np.float32]
Integers32 = NDArray[np.int32]

_ALL_BUT_SIGN = np.int32(0x7FFFFFFF)

_MOST_NODES = 1 << (31 - FEATURE_BITS)


class Grown(NamedTuple):
    """One tree in the layout of a `Forest`, with what its nodes were grown from."""

    thresholds: Floats32
    links: NDArray[np.int32]
    values: Floats
    rows: Ints
    """How many rows came to each node."""
    variances: Floats
    """And how far their outputs lie apart."""
    depth: int


class ExtraTrees(ForestRegressor):
    """A regressor of extremely randomized trees.

    Args:
        trees: how many trees (M).
        cuts: random cuts tried at a node (K); by default as many as there are inputs.
        leaf: a node of fewer rows is a leaf (n_min).
        random_state: same seed, same trees, on any number of threads.
        n_jobs: threads that grow trees.
    """

    def __init__(
        self, trees: int = 100, cuts: int | None = None, leaf: int = 30, random_state: int = 0, n_jobs: int = 1
    ) -> None:
        self.trees = trees
        self.cuts = cuts
        self.leaf = leaf
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, x: NDArray[Any], y: NDArray[Any], sample_weight: NDArray[Any] | None = None) -> ExtraTrees:
        """Grow the trees."""
        x, outputs = self._rows(x, y)
        weight = _check_sample_weight(sample_weight, x, dtype=np.float64, ensure_non_negative=True)
        self.forest_ = self._forest(self._grow(x, outputs, weight))
        return self

    def _grow(self, x: Floats32, y: Floats, weight: Floats) -> list[Grown]:
        from joblib import Parallel, delayed

        there = weight > 0
        columns, outputs, weights = _in_order(x[there].T), _rounded(y[there]), weight[there]
        cuts, key = self.cuts or x.shape[1], stream(self.random_state, "trees")
        grown: list[Grown] = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(_tree)(columns, outputs, weights, cuts, self.leaf, key, number) for number in range(self.trees)
        )
        return grown

    def _forest(self, grown: list[Grown]) -> Forest:
        return Forest(
            np.concatenate([tree.thresholds for tree in grown]),
            np.concatenate([tree.links for tree in grown]),
            np.concatenate([tree.values for tree in grown]),
            np.cumsum([0, *(len(tree.links) for tree in grown)]),
            np.array([tree.depth for tree in grown]),
            0.0,
            float(len(grown)),
            self.n_features_in_,
        )


def _in_order(x: Floats32) -> Integers32:
    """Numbers as integers in the same order: processors find the least and the greatest of those faster."""
    bits = (np.ascontiguousarray(x) + np.float32(0)).view(np.int32)  # adding 0 makes -0 the same as 0
    return bits ^ (bits >> 31 & _ALL_BUT_SIGN)


@inlined
def _number(key: np.int32) -> np.float32:
    return np.int32(key ^ (key >> np.int32(31) & _ALL_BUT_SIGN)).view(np.float32)


@inlined
def _key(number: np.float32) -> np.int32:
    bits = np.float32(number + np.float32(0)).view(np.int32)
    return np.int32(bits ^ (bits >> np.int32(31) & _ALL_BUT_SIGN))


def _rounded(y: Floats) -> Floats:
    """Outputs to as many binary digits as let all of them be summed exactly: 37 digits of 32,000 outputs."""
    largest = float(np.abs(y).max(initial=0.0))
    if not 0 < largest < np.inf:
        return y
    step = 2.0 ** (int(np.frexp(largest)[1]) + len(y).bit_length() - 52)
    return np.rint(y / step) * step


def _tree(columns: Integers32, y: Floats, weight: Floats, cuts: int, leaf: int, key: np.uint64, number: int) -> Grown:
    """Grow one tree; a node never shares rows with another, so two for each row are room enough."""
    width, room = len(columns), 2 * len(y)
    begin, end, level, rows = np.empty((4, room), np.int64)
    values, variances = np.empty((2, room))
    thresholds, links = np.empty(room, np.float32), np.empty(room, np.int32)
    varies = np.empty((room, width), np.bool_)
    nodes = _grow(
        _Rows(columns.copy(), y.copy(), weight.copy(), weight * y),
        _Limits(cuts, leaf, key, number),
        _Nodes(begin, end, level, varies, thresholds, links, rows, values, variances),
        _Scratch(np.empty((3, width), np.int32), np.empty(width, np.int64), *np.empty((2, len(y) + 1), np.int32)),
    )
    if nodes > _MOST_NODES:
        raise UnreadableError(f"a tree of {nodes:,} nodes is too large: learn from fewer rows or with a larger leaf")
    return Grown(
        thresholds[:nodes].copy(),
        links[:nodes].copy(),
        values[:nodes].copy(),
        rows[:nodes].copy(),
        variances[:nodes].copy(),
        int(level[nodes - 1]),
    )


@summing
def _range(x: Integers32) -> tuple[np.int32, np.int32]:
    low = high = x[0]
    for row in range(len(x)):
        low, high = min(low, x[row]), max(high, x[row])
    return low, high


@summing
def _left_of(x: Integers32, weight: Floats, product: Floats, cut: np.int32) -> tuple[float, float]:
    """Weight and weighted sum of the outputs of rows up to the cut.

    Something is added for every row, of some 0: a processor that guessed the side would be wrong every other time.
    """
    weights = total = 0.0
    for row in range(len(x)):
        left = x[row] <= cut
        weights += weight[row] if left else 0.0
        total += product[row] if left else 0.0
    return weights, total


@tight
def _parted(
    data: _Rows, varies: NDArray[np.bool_], begin: int, end: int, at: int, cut: np.int32, room: _Scratch
) -> int:
    """Bring rows with input `at` up to the cut to the front; gives where the others begin."""
    x = data.columns[at, begin:end]
    middle = 0
    for row in range(len(x)):
        middle += x[row] <= cut
    wrong = others = 0  # rows before the middle that belong behind it, and as many the other way round
    for row in range(middle):
        room.front[wrong] = begin + row
        wrong += x[row] > cut
    for row in range(middle, len(x)):
        room.back[others] = begin + row
        others += x[row] <= cut
    for k in range(len(data.columns)):
        if varies[k]:
            _swap(data.columns[k], room.front, room.back, wrong)
    _swap(data.y, room.front, room.back, wrong)
    _swap(data.weight, room.front, room.back, wrong)
    _swap(data.product, room.front, room.back, wrong)
    return begin + middle


@tight
def _swap(values: Any, front: Integers32, back: Integers32, count: int) -> None:
    for k in range(count):
        values[front[k]], values[back[k]] = values[back[k]], values[front[k]]


@tight
def _describe(data: _Rows, begin: int, end: int, tree: _Nodes, node: int) -> tuple[bool, float, float]:
    """Mean and variance of a node's outputs; gives whether they differ at all, their weight and their sum."""
    y, weight, product = data.y[begin:end], data.weight[begin:end], data.product[begin:end]
    least = greatest = y[0]
    weights = total = squares = 0.0
    for row in range(len(y)):
        least, greatest = min(least, y[row]), max(greatest, y[row])
        weights += weight[row]
        total += product[row]
        squares += product[row] * y[row]
    tree.values[node] = total / weights
    tree.variances[node] = max(0.0, squares / weights - tree.values[node] ** 2)
    return greatest > least, weights, total


@tight
def _draw_cuts(
    columns: Integers32, varies: NDArray[np.bool_], begin: int, end: int, limits: _Limits, rng_key: int, room: _Scratch
) -> int:
    """A random cut for each of some inputs that vary over the rows; gives how many there are, the inputs in `drawn`.

    `varies` is brought up to date.
    """
    low, high, cut = room.bounds[0], room.bounds[1], room.bounds[2]
    key = fork(limits.key, limits.number)
    count = 0
    for f in range(len(columns)):
        if varies[f]:
            low[f], high[f] = _range(columns[f, begin:end])
            varies[f] = high[f] > low[f]
            if varies[f]:
                room.drawn[count] = f
                count += 1
    for k in range(min(count, limits.cuts)):
        j = k + below(fork(key, rng_key), count - k)
        room.drawn[k], room.drawn[j] = room.drawn[j], room.drawn[k]
        f = room.drawn[k]
        least, greatest = _number(low[f]), _number(high[f])
        middle = np.float32(least + uniform(fork(key, rng_key + 1)) * (np.float64(greatest) - least))
        cut[f] = _key(middle) if middle < greatest else low[f]
        rng_key += 2
    return min(count, limits.cuts)


@tight
def _best_cut(data: _Rows, begin: int, end: int, tried: int, weights: float, total: float, room: _Scratch) -> int:
    """The input whose cut takes away most variance: the squares of the sums on either side, by their weight.

    -1 where every cut leaves a side whose weight is nothing beside the other's.
    """
    weight, product = data.weight[begin:end], data.product[begin:end]
    best, most = -1, 0.0
    for k in range(tried):
        f = room.drawn[k]
        before, left = _left_of(data.columns[f, begin:end], weight, product, room.bounds[2, f])
        right, rest = total - left, weights - before
        if rest <= 0.0:
            continue
        score = left * left / before + right * right / rest
        if best < 0 or score > most:
            best, most = f, score
    return best


class _Rows(NamedTuple):
    """What a tree is grown from, an input a row of `columns`; sorted in place as nodes are parted."""

    columns: Integers32
    y: Floats
    weight: Floats
    product: Floats
    """Outputs times weights."""


class _Limits(NamedTuple):
    """How a tree is grown."""

    cuts: int
    leaf: int
    key: np.uint64
    number: int


class _Nodes(NamedTuple):
    """Room for the nodes of a tree: which rows each has, its depth, which inputs vary there, and what is kept of it."""

    begin: Ints
    end: Ints
    level: Ints
    varies: NDArray[np.bool_]
    thresholds: Floats32
    links: NDArray[np.int32]
    rows: Ints
    values: Floats
    variances: Floats


class _Scratch(NamedTuple):
    """Room for the cuts tried at a node, and for the places of rows that are on the wrong side of one."""

    bounds: Integers32
    drawn: Ints
    front: Integers32
    back: Integers32


@tight
def _grow(data: _Rows, limits: _Limits, tree: _Nodes, scratch: _Scratch) -> int:
    """Grow a tree level by level, the two sides of a cut next to each other; gives how many nodes it has."""
    begin, end, level, varies, thresholds, links, rows = tree[:7]
    begin[0], end[0], level[0] = 0, len(data.y), 0
    varies[0, :] = True
    nodes, node, rng_key = 1, 0, 0
    while node < nodes:
        first, last = begin[node], end[node]
        rows[node] = last - first
        thresholds[node], links[node] = np.inf, node << FEATURE_BITS
        differ, weights, total = _describe(data, first, last, tree, node)
        best = -1
        if differ and rows[node] >= limits.leaf:
            tried = _draw_cuts(data.columns, varies[node], first, last, limits, rng_key, scratch)
            rng_key += 2 * tried
            best = _best_cut(data, first, last, tried, weights, total, scratch)
        if best >= 0:
            cut = scratch.bounds[2, best]
            middle = _parted(data, varies[node], first, last, best, cut, scratch)
            thresholds[node], links[node] = _number(cut), nodes << FEATURE_BITS | best
            begin[nodes], end[nodes], begin[nodes + 1], end[nodes + 1] = first, middle, middle, last
            for child in range(nodes, nodes + 2):
                level[child] = level[node] + 1
                for k in range(len(data.columns)):
                    varies[child, k] = varies[node, k]
            nodes += 2
        node += 1
    return nodes
