"""Extremely randomized trees (Geurts, Ernst, Wehenkel 2006), grown in a kernel straight into the arrays of a `Forest`.

Every tree is grown on all rows; at a node one random cut is drawn for each of K inputs that still vary, and the one
that takes away most variance is kept. (scikit-learn's `ExtraTreesRegressor` does the same, but inputs that no longer
vary count among its K.) Fitted Q-iteration grows a thousand trees for one hero, so this is where its time goes. Inputs
are kept in blocks of four, so that a processor compares four at once; a block that no longer varies is left alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from mazzo.errors import UnreadableError
from mazzo.jit import tight
from mazzo.learn.forest import FEATURE_BITS, MOST_INPUTS, Forest
from mazzo.luck import below, fork, stream, uniform

__all__ = ["ExtraTrees", "Grown"]

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.int64]

_BLOCK = 4
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


class ExtraTrees(RegressorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
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
        x, y = validate_data(self, x, y, dtype=np.float32, y_numeric=True)
        weight = _check_sample_weight(sample_weight, x, dtype=np.float64, ensure_non_negative=True)
        self.forest_ = self._forest(self._grow(x, np.asarray(y, np.float64), weight))
        return self

    def as_forest(self) -> Forest:
        """The fitted trees."""
        check_is_fitted(self)
        return self.forest_

    def predict(self, x: NDArray[Any]) -> Floats:
        """The mean of the trees."""
        check_is_fitted(self)
        return self.forest_.predict(validate_data(self, x, dtype=np.float32, reset=False))

    def _grow(self, x: Floats32, y: Floats, weight: Floats) -> list[Grown]:
        from joblib import Parallel, delayed

        if x.shape[1] > MOST_INPUTS:
            raise UnreadableError(f"these trees take at most {MOST_INPUTS} inputs, not {x.shape[1]}")
        there = weight > 0
        blocks, outputs, weights = _in_blocks(x[there]), y[there], weight[there]
        cuts, key = self.cuts or x.shape[1], stream(self.random_state, "trees")
        grown: list[Grown] = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(_tree)(blocks, outputs, weights, cuts, self.leaf, key, number) for number in range(self.trees)
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


def _in_blocks(x: Floats32) -> Floats32:
    """Inputs four by four: [block, row, input within the block]; inputs that fill the last block never vary."""
    rows, inputs = x.shape
    blocks = -(-inputs // _BLOCK)
    filled = np.zeros((rows, blocks * _BLOCK), np.float32)
    filled[:, :inputs] = x
    return np.ascontiguousarray(filled.reshape(rows, blocks, _BLOCK).transpose(1, 0, 2))


def _tree(blocks: Floats32, y: Floats, weight: Floats, cuts: int, leaf: int, key: np.uint64, number: int) -> Grown:
    """Grow one tree; a node never shares rows with another, so two for each row are room enough."""
    width, room = len(blocks) * _BLOCK, 2 * len(y)
    begin, end, level, rows = np.empty((4, room), np.int64)
    values, variances = np.empty((2, room))
    thresholds, links = np.empty(room, np.float32), np.empty(room, np.int32)
    nodes = _grow(
        blocks.copy(), y.copy(), weight.copy(), cuts, leaf, key, number, begin, end, level,
        np.ones((room, len(blocks)), np.bool_), np.empty((3, width), np.float32), np.empty(2),
        np.empty((2, width)), np.empty(width, np.int64), thresholds, links, values, rows, variances,
    )  # fmt: skip
    if nodes > _MOST_NODES:
        raise UnreadableError(f"a tree of {nodes:,} nodes is too large: learn from fewer rows or with a larger leaf")
    return Grown(
        thresholds[:nodes].copy(), links[:nodes].copy(), values[:nodes].copy(), rows[:nodes].copy(),
        variances[:nodes].copy(), int(level[nodes - 1]),
    )  # fmt: skip


@tight
def _ranges(block: Floats32, begin: int, end: int, low: Floats32, high: Floats32, at: int) -> None:
    """The least and the greatest of each of four inputs over some rows."""
    a = e = block[begin, 0]
    b = f = block[begin, 1]
    c = g = block[begin, 2]
    d = h = block[begin, 3]
    for row in range(begin, end):
        p, q, r, s = block[row, 0], block[row, 1], block[row, 2], block[row, 3]
        a = p if p < a else a
        b = q if q < b else b
        c = r if r < c else c
        d = s if s < d else d
        e = p if p > e else e
        f = q if q > f else f
        g = r if r > g else g
        h = s if s > h else h
    low[at], low[at + 1], low[at + 2], low[at + 3] = a, b, c, d
    high[at], high[at + 1], high[at + 2], high[at + 3] = e, f, g, h


@tight
def _left_of_cuts(
    block: Floats32, y: Floats, weight: Floats, begin: int, end: int, cut: Floats32, weights: Floats, sums: Floats,
    at: int,
) -> None:  # fmt: skip
    """Weight and weighted sum of outputs on the left of a cut of each of four inputs.

    Multiplying by 1 or 0 keeps the processor from guessing which side comes next; it would be wrong every other time.
    """
    one, none = np.float32(1), np.float32(0)
    a, b, c, d = cut[at], cut[at + 1], cut[at + 2], cut[at + 3]
    wa = wb = wc = wd = sa = sb = sc = sd = 0.0
    for row in range(begin, end):
        w = weight[row]
        v = w * y[row]
        p = one if block[row, 0] <= a else none
        q = one if block[row, 1] <= b else none
        r = one if block[row, 2] <= c else none
        s = one if block[row, 3] <= d else none
        wa += w * p
        wb += w * q
        wc += w * r
        wd += w * s
        sa += v * p
        sb += v * q
        sc += v * r
        sd += v * s
    weights[at], weights[at + 1], weights[at + 2], weights[at + 3] = wa, wb, wc, wd
    sums[at], sums[at + 1], sums[at + 2], sums[at + 3] = sa, sb, sc, sd


@tight
def _parted(
    blocks: Floats32, varies: NDArray[np.bool_], y: Floats, weight: Floats, begin: int, end: int, at: int,
    cut: np.float32,
) -> int:  # fmt: skip
    """Bring rows with input `at` up to the cut to the front; gives where the others begin."""
    block, place = at // _BLOCK, at % _BLOCK
    i, j = begin, end - 1
    while True:
        while i <= j and blocks[block, i, place] <= cut:
            i += 1
        while i <= j and blocks[block, j, place] > cut:
            j -= 1
        if i > j:
            return i
        for k in range(len(blocks)):
            if varies[k]:
                for f in range(_BLOCK):
                    blocks[k, i, f], blocks[k, j, f] = blocks[k, j, f], blocks[k, i, f]
        y[i], y[j] = y[j], y[i]
        weight[i], weight[j] = weight[j], weight[i]


@tight
def _describe(
    y: Floats, weight: Floats, begin: int, end: int, values: Floats, variances: Floats, node: int, totals: Floats
) -> bool:  # fmt: skip
    """Mean and variance of a node's outputs, their weight and sum in totals; gives whether they differ at all."""
    least = greatest = y[begin]
    weights = total = squares = 0.0
    for row in range(begin, end):
        v, w = y[row], weight[row]
        least = v if v < least else least
        greatest = v if v > greatest else greatest
        weights += w
        total += w * v
        squares += w * v * v
    values[node] = total / weights
    variances[node] = max(0.0, squares / weights - values[node] ** 2)
    totals[0], totals[1] = weights, total
    return bool(greatest > least)


@tight
def _draw_cuts(
    blocks: Floats32, varies: NDArray[np.bool_], begin: int, end: int, cuts: int, key: np.uint64, luck: int,
    bounds: Floats32, drawn: Ints,
) -> int:  # fmt: skip
    """A random cut for each of some inputs that vary over the rows; gives how many there are, the inputs in `drawn`.

    Inputs without a cut are cut at infinity. `varies` is brought up to date: which blocks have an input that varies.
    """
    low, high, cut = bounds[0], bounds[1], bounds[2]
    count = 0
    for k in range(len(blocks)):
        if varies[k]:
            _ranges(blocks[k], begin, end, low, high, _BLOCK * k)
            varies[k] = False
            for f in range(_BLOCK * k, _BLOCK * k + _BLOCK):
                cut[f] = np.inf
                if high[f] > low[f]:
                    varies[k] = True
                    drawn[count] = f
                    count += 1
    for k in range(min(count, cuts)):
        j = k + below(fork(key, luck), count - k)
        drawn[k], drawn[j] = drawn[j], drawn[k]
        f = drawn[k]
        middle = np.float32(low[f] + uniform(fork(key, luck + 1)) * (np.float64(high[f]) - low[f]))
        cut[f] = middle if middle < high[f] else low[f]
        luck += 2
    return min(count, cuts)


@tight
def _best_cut(
    blocks: Floats32, varies: NDArray[np.bool_], y: Floats, weight: Floats, begin: int, end: int, cut: Floats32,
    drawn: Ints, tried: int, totals: Floats, lefts: Floats,
) -> int:  # fmt: skip
    """The input whose cut takes away most variance: the squares of the sums on either side, by their weight.

    -1 where every cut leaves a side whose weight is nothing beside the other's.
    """
    for k in range(len(blocks)):
        if varies[k]:
            _left_of_cuts(blocks[k], y, weight, begin, end, cut, lefts[0], lefts[1], _BLOCK * k)
    best, most = -1, 0.0
    for k in range(tried):
        f = drawn[k]
        left, right, rest = lefts[1, f], totals[1] - lefts[1, f], totals[0] - lefts[0, f]
        if rest <= 0.0:
            continue
        score = left * left / lefts[0, f] + right * right / rest
        if best < 0 or score > most:
            best, most = f, score
    return best


@tight
def _grow(
    blocks: Floats32, y: Floats, weight: Floats, cuts: int, leaf: int, key: np.uint64, number: int,
    begin: Ints, end: Ints, level: Ints, varies: NDArray[np.bool_], bounds: Floats32, totals: Floats, lefts: Floats,
    drawn: Ints, thresholds: Floats32, links: NDArray[np.int32], values: Floats, rows: Ints, variances: Floats,
) -> int:  # fmt: skip
    """Grow a tree level by level, brothers side by side; gives how many nodes it has."""
    begin[0], end[0], level[0] = 0, len(y), 0
    nodes, node, luck = 1, 0, 0
    key = fork(key, number)
    while node < nodes:
        first, last = begin[node], end[node]
        rows[node] = last - first
        thresholds[node], links[node] = np.inf, node << FEATURE_BITS
        differ = _describe(y, weight, first, last, values, variances, node, totals)
        best = -1
        if differ and rows[node] >= leaf:
            tried = _draw_cuts(blocks, varies[node], first, last, cuts, key, luck, bounds, drawn)
            luck += 2 * tried
            best = _best_cut(blocks, varies[node], y, weight, first, last, bounds[2], drawn, tried, totals, lefts)
        if best >= 0:
            middle = _parted(blocks, varies[node], y, weight, first, last, best, bounds[2, best])
            thresholds[node], links[node] = bounds[2, best], nodes << FEATURE_BITS | best
            begin[nodes], end[nodes], begin[nodes + 1], end[nodes + 1] = first, middle, middle, last
            for child in range(nodes, nodes + 2):
                level[child] = level[node] + 1
                for k in range(len(blocks)):
                    varies[child, k] = varies[node, k]
            nodes += 2
        node += 1
    return nodes
