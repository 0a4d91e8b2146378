"""Our learners are scikit-learn's kind of estimator, and are checked by scikit-learn's own tests where they apply."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from mazzo.learn.adaptive import AdaptiveTrees
from mazzo.learn.boosted import BoostedTrees
from mazzo.learn.extra import ExtraTrees
from mazzo.learn.fitted_q import FittedQ
from mazzo.learn.regressors import extra_trees
from mazzo.learn.transitions import Transitions


def _not_asked(estimator: Any) -> dict[str, str]:
    rows = "n_min counts rows, as scikit-learn's min_samples_split does: a row of weight two is not two rows"
    return {"check_sample_weight_equivalence_on_dense_data": rows}


@parametrize_with_checks(  # type: ignore[untyped-decorator]
    [ExtraTrees(5, leaf=10), AdaptiveTrees(5), BoostedTrees(20, learning_rate=0.3, leaf=10)],
    expected_failed_checks=_not_asked,
)
def test_our_trees_are_regressors_by_scikit_learns_own_checks(estimator: Any, check: Any) -> None:
    check(estimator)


# `FittedQ.fit` takes decisions with their next states, not (X, y): an episode's rewards have no one y until Q is known.
# scikit-learn's checks call fit(X, y) and so cannot be run on it; what else they ask of an estimator is asked here.


def batch() -> Transitions:
    states = np.arange(12, dtype=np.float32)[:, None] % 3
    ends = states[:, 0] == 2
    return Transitions(
        states,
        np.arange(12) % 2,
        ends.astype(np.float64),
        states + 1,
        ends,
        np.ones((12, 2), np.bool_),
        np.arange(12) // 3,
        states[:, 0] == 0,
    )


def q() -> FittedQ:
    return FittedQ(DecisionTreeRegressor(random_state=0), actions=2, iterations=3)


def test_q_is_cloned_with_its_parameters_and_without_what_it_learned() -> None:
    fitted = q().fit(batch())
    copy = clone(fitted)
    assert copy.get_params(deep=False).keys() == {"regressor", "actions", "iterations", "gamma", "worth"}
    assert (copy.iterations, copy.actions, copy.gamma) == (3, 2, 1.0)
    assert not hasattr(copy, "residuals_")


def test_parameters_of_the_regressor_inside_q_are_set_by_name() -> None:
    estimator = FittedQ(extra_trees(10)).set_params(regressor__trees=7, gamma=0.5)
    assert estimator.regressor.trees == 7
    assert estimator.get_params()["regressor__trees"] == 7
    assert estimator.gamma == 0.5


def test_fitting_q_gives_it_back_and_leaves_its_parameters_alone() -> None:
    estimator = q()
    before = repr(estimator)
    assert estimator.fit(batch()) is estimator
    assert repr(estimator) == before
    assert before.split() == ["FittedQ(actions=2,", "iterations=3,", "regressor=DecisionTreeRegressor(random_state=0))"]
    assert not hasattr(estimator.regressor, "tree_")


def test_fitting_q_again_forgets_what_it_learned_before() -> None:
    estimator = q().fit(batch().rows(np.arange(6)))
    again = estimator.fit(batch()).q_values(batch().states)
    np.testing.assert_array_equal(again, q().fit(batch()).q_values(batch().states))


@pytest.mark.parametrize("ask", [FittedQ().q_values, FittedQ().predict, AdaptiveTrees().predict])
def test_asking_before_fitting_says_that_it_is_not_fitted(ask: Any) -> None:
    with pytest.raises(NotFittedError, match="not fitted"):
        ask(np.zeros((1, 1)))
