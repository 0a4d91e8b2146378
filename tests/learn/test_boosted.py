"""Boosted trees, with scikit-learn's as the judge."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingRegressor

from mazzo.errors import UnreadableError
from mazzo.learn import boosted
from mazzo.learn.boosted import BoostedTrees
from mazzo.learn.forest import FEATURE_BITS


def data(rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of few and of many values, and an output of some of them with noise."""
    rng = np.random.default_rng(seed)
    x = np.column_stack(
        [rng.integers(0, 4, rows), rng.integers(0, 2, rows), rng.uniform(size=rows), rng.normal(size=rows)]
    ).astype(np.float32)
    y = 3.0 * x[:, 0] * (x[:, 2] > 0.3) - 5.0 * x[:, 1] + np.sin(3 * x[:, 3]) + rng.normal(size=rows)
    return x, y


def test_trees_are_as_good_as_scikit_learns() -> None:
    x, y = data(8000)
    new, truth = data(8000, 1)
    ours = BoostedTrees(100, 8, 0.1, 20).fit(x, y)
    theirs = HistGradientBoostingRegressor(
        max_iter=100, max_leaf_nodes=8, learning_rate=0.1, min_samples_leaf=20, early_stopping=False
    ).fit(x, y)
    errors = [float(np.mean((model.predict(new) - truth) ** 2)) for model in (ours, theirs)]
    assert errors[0] == pytest.approx(errors[1], rel=0.02)
    np.testing.assert_allclose(ours.fitted_values_, ours.predict(x), atol=1e-9)
    assert np.corrcoef(ours.predict(new), theirs.predict(new))[0, 1] > 0.995


def test_any_number_of_threads_grows_the_same_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = data(3000)
    one = BoostedTrees(20, leaf=20).fit(x, y).as_forest()
    monkeypatch.setattr(boosted, "_WORTH_A_THREAD", 10)
    three = BoostedTrees(20, leaf=20, n_jobs=3).fit(x, y).as_forest()
    for name in ("thresholds", "links", "values", "starts"):
        assert np.array_equal(getattr(one, name), getattr(three, name))


@pytest.mark.parametrize(("leaves", "leaf"), [(2, 1), (8, 100), (31, 7)])
def test_leaves_are_no_more_and_no_smaller_than_asked_and_say_the_mean_of_their_rows(leaves: int, leaf: int) -> None:
    x, y = data(2000)
    forest = BoostedTrees(1, leaves, 1.0, leaf).fit(x, y).as_forest()
    is_leaf = (forest.links >> FEATURE_BITS) == np.arange(len(forest.links))
    fallen = forest.leaves(x)[0]
    assert is_leaf.sum() <= leaves
    assert np.bincount(fallen)[np.unique(fallen)].min() >= leaf
    for node in np.unique(fallen):
        np.testing.assert_allclose(forest.predict(x[fallen == node]), y[fallen == node].mean())


def test_the_first_cut_is_the_one_that_takes_away_most_variance() -> None:
    x, y = data(500)
    x = x[:, :2]
    forest = BoostedTrees(1, 2, 1.0, 1).fit(x, y).as_forest()

    def left(feature: int, value: float) -> float:
        some = x[:, feature] <= value
        return float(some.sum() * y[some].var() + (~some).sum() * y[~some].var())

    best = min(((f, v) for f in range(2) for v in np.unique(x[:, f])[:-1]), key=lambda cut: left(*cut))
    assert forest.links[0] & 255 == best[0]
    assert best[1] <= forest.thresholds[0] < best[1] + 1


def test_nothing_to_learn_is_one_leaf_and_too_many_inputs_are_refused() -> None:
    x, y = data(300)
    assert len(BoostedTrees(1).fit(x, np.full(300, 7.0)).as_forest().links) == 1
    assert BoostedTrees(3).fit(np.zeros((300, 2)), y).predict(np.zeros((1, 2)))[0] == pytest.approx(y.mean())
    with pytest.raises(UnreadableError, match="at most 255 inputs"):
        BoostedTrees(1).fit(np.zeros((300, 256)), y)
