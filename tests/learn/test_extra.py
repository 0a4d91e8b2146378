from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesRegressor

from mazzo.errors import UnreadableError
from mazzo.learn.extra import ExtraTrees, Grown
from mazzo.learn.forest import FEATURE_BITS, MOST_INPUTS, Forest

Data = tuple[np.ndarray, np.ndarray]


def some_rows(rows: int, seed: int) -> Data:
    """Inputs of many values and of few, one that never varies, and an output with noise."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 6)).astype(np.float32)
    x[:, 1] = rng.integers(0, 4, rows)
    x[:, 2] = 7
    x[:, 3] = rng.integers(0, 2, rows)
    return x, x[:, 0] * x[:, 1] + x[:, 3] + rng.normal(size=rows)


def trees_of(model: ExtraTrees, x: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None) -> list[Grown]:
    return model._grow(x.astype(np.float32), y, np.ones(len(y)) if weight is None else weight)


def leaves_reached(forest: Forest, tree: int, x: np.ndarray) -> np.ndarray:
    """Walks one tree row by row, as plainly as can be."""
    start, out = forest.starts[tree], []
    for row in x:
        node = 0
        while True:
            link = int(forest.links[start + node])
            if link >> FEATURE_BITS == node:
                break
            node = (link >> FEATURE_BITS) + int(row[link & MOST_INPUTS] > forest.thresholds[start + node])
        out.append(node)
    return np.array(out)


def test_a_cut_is_chosen_by_the_variance_it_takes_away_as_in_the_text() -> None:
    """Section 3.2.2.1 of Vilella (2011): of the cuts i1 < 5.2 and i2 < 3.8 the second wins, 0.2354 to 0.0078."""
    outputs = np.array([3.0, 6.0, 9.0, 4.0, 2.0, 1.0])
    i1, i2 = np.array([1, 1, 0, 0, 0, 0.0]), np.array([0, 1, 0, 1, 1, 1.0])

    def score(inputs: np.ndarray) -> tuple[float, np.ndarray]:
        tree = trees_of(ExtraTrees(1, leaf=5), inputs, outputs)[0]
        below = tree.rows[1:3] @ tree.variances[1:3] / 6
        return float((tree.variances[0] - below) / tree.variances[0]), tree.values

    assert np.var(outputs) == pytest.approx(7.14, abs=0.005)
    assert score(i1[:, None])[0] == pytest.approx(0.0078, abs=5e-5)
    both, means = score(np.column_stack([i1, i2]))
    assert both == pytest.approx(0.2354, abs=5e-5)
    assert sorted(means[1:3]) == [3.25, 6]


def test_a_node_of_fewer_rows_than_n_min_or_of_one_output_is_a_leaf() -> None:
    inputs, outputs = np.arange(6.0)[:, None], np.arange(6.0)
    assert len(trees_of(ExtraTrees(1, leaf=7), inputs, outputs)[0].links) == 1
    assert len(trees_of(ExtraTrees(1, leaf=6), inputs, outputs)[0].links) > 1
    assert len(trees_of(ExtraTrees(1, leaf=2), inputs, np.ones(6))[0].links) == 1
    assert len(trees_of(ExtraTrees(1, leaf=2), np.ones((6, 1)), outputs)[0].links) == 1


@pytest.mark.parametrize("leaf", [2, 10, 40])
def test_every_leaf_is_the_mean_of_the_rows_that_reach_it(leaf: int) -> None:
    x, y = some_rows(400, 1)
    weight = np.random.default_rng(2).uniform(0.1, 2, 400)
    model = ExtraTrees(3, leaf=leaf).fit(x, y, weight)
    forest = model.as_forest()
    forest.check()
    for number, tree in enumerate(trees_of(model, x, y, weight)):
        reached = leaves_reached(forest, number, x)
        for node in np.unique(reached):
            mine = reached == node
            assert tree.rows[node] == mine.sum()
            assert tree.values[node] == pytest.approx(np.average(y[mine], weights=weight[mine]))
            mean = np.average(y[mine], weights=weight[mine])
            assert tree.variances[node] == pytest.approx(np.average((y[mine] - mean) ** 2, weights=weight[mine]))
        inner = tree.links >> FEATURE_BITS != np.arange(len(tree.links))
        child = tree.links[inner] >> FEATURE_BITS
        assert (tree.rows[child] + tree.rows[child + 1] == tree.rows[inner]).all()
        assert (tree.rows[child] > 0).all()
        assert (tree.rows[inner] >= leaf).all()
        assert (tree.links[inner] & MOST_INPUTS != 2).all()  # the input that never varies


def test_a_row_without_weight_is_not_there() -> None:
    x, y = some_rows(300, 3)
    weight = (np.arange(300) < 200).astype(float)
    some, whole = ExtraTrees(5, leaf=4).fit(x[:200], y[:200]), ExtraTrees(5, leaf=4).fit(x, y, weight)
    assert (some.predict(x) == whole.predict(x)).all()


def test_weights_may_fade_to_nothing_but_not_all() -> None:
    x, y = some_rows(200, 7)
    faded = ExtraTrees(20, leaf=2).fit(x, y, 0.5 ** np.arange(200.0))
    assert np.isfinite(faded.predict(x)).all()
    assert faded.predict(x[:1])[0] == pytest.approx(y[0], abs=1e-6)
    with pytest.raises(ValueError, match="at least one non-zero"):
        ExtraTrees(2).fit(x, y, np.zeros(200))


@pytest.mark.parametrize(("cuts", "leaf"), [(6, 2), (6, 30), (1, 10)])
def test_trees_are_as_large_and_as_good_as_scikit_learns(cuts: int, leaf: int) -> None:
    # Between one and all the two differ: inputs that no longer vary count among scikit-learn's K.
    x, y = some_rows(1000, 4)
    other, truth = some_rows(1000, 5)
    ours = ExtraTrees(300, cuts, leaf).fit(x, y)
    theirs = ExtraTreesRegressor(300, max_features=cuts, min_samples_split=leaf, random_state=1).fit(x, y)
    mine = np.diff(ours.as_forest().starts)
    peer = np.array([tree.tree_.node_count for tree in theirs.estimators_])
    error = np.sqrt(mine.var() / 300 + peer.var() / 300)
    assert abs(mine.mean() - peer.mean()) <= 4 * error
    left = [np.mean((model.predict(other) - truth) ** 2) for model in (ours, theirs)]
    assert left[0] == pytest.approx(left[1], rel=0.02)


def test_a_single_cut_looks_at_every_input_that_varies_alike() -> None:
    x, y = some_rows(100, 6)
    roots = [int(tree.links[0]) & MOST_INPUTS for tree in trees_of(ExtraTrees(2000, cuts=1, leaf=100), x, y)]
    counts = np.bincount(roots, minlength=6)
    assert counts[2] == 0
    assert np.abs(np.delete(counts, 2) - 400).max() < 80  # 400 +- 18 each: more than four standard errors


def test_what_is_not_positive_and_too_many_inputs_are_refused() -> None:
    x, y = some_rows(20, 1)
    with pytest.raises(ValueError, match="Negative values"):
        ExtraTrees(2).fit(x, y, -np.ones(20))
    with pytest.raises(UnreadableError, match="at most 255 inputs"):
        ExtraTrees(2).fit(np.zeros((20, 256)), y)
