"""Leaves learned again under cuts that are kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from mazzo.learn.boosted import BoostedTrees
from mazzo.learn.extra import ExtraTrees
from mazzo.learn.forest import flatten
from mazzo.learn.kept_cuts import KeptCuts

MODELS = [ExtraTrees(7, leaf=6), BoostedTrees(12, 5, 0.3, 10), DecisionTreeRegressor(max_leaf_nodes=9, random_state=0)]


def fitted(model: Any, rows: int = 400) -> tuple[Any, KeptCuts, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 6, (rows, 3)).astype(np.float32)
    y = x[:, 0] - 2.0 * (x[:, 1] > 2) + rng.normal(size=rows)
    model.fit(x, y)
    forest = flatten(model)
    assert forest is not None
    return forest, KeptCuts.of(forest, x, getattr(model, "learning_rate", None)), x, y


@pytest.mark.parametrize("model", MODELS)
def test_the_same_targets_give_what_the_forest_says(model: Any) -> None:
    forest, cuts, x, y = fitted(model)
    again = cuts.predict(y[:, None], np.ones((len(y), 1)), forest.leaves(x[:50]))
    np.testing.assert_allclose(again[:, 0], forest.predict(x[:50]), atol=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_a_row_that_counts_twice_is_two_rows_and_weightings_do_not_mix(model: Any) -> None:
    forest, cuts, x, y = fitted(model)
    times = np.random.default_rng(1).integers(1, 4, len(y))
    both = cuts.predict(np.column_stack([y, y]), np.column_stack([times, np.ones(len(y))]), forest.leaves(x))
    rows = np.repeat(np.arange(len(y)), times)
    repeated = KeptCuts.of(forest, x[rows], getattr(model, "learning_rate", None))
    alone = repeated.predict(y[rows, None], np.ones((len(rows), 1)), forest.leaves(x))
    np.testing.assert_allclose(both[:, 0], alone[:, 0], atol=1e-9)
    np.testing.assert_allclose(both[:, 1], forest.predict(x), atol=1e-9)


def test_a_leaf_without_weight_takes_the_mean_of_what_is_above_it() -> None:
    x = np.array([[0.0], [1.0], [2.0], [3.0]], np.float32)
    y = np.array([0.0, 1.0, 10.0, 20.0])
    forest = flatten(DecisionTreeRegressor().fit(x, y))
    assert forest is not None
    weights = np.array([[1.0], [1.0], [1.0], [0.0]])
    found = KeptCuts.of(forest, x).predict(y[:, None], weights, forest.leaves(x))
    np.testing.assert_allclose(found[:, 0], [0.0, 1.0, 10.0, 10.0])
