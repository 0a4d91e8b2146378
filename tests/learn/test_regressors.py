"""Regressors by name."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyRegressor
from sklearn.exceptions import ConvergenceWarning

from mazzo.errors import UnreadableError
from mazzo.learn.fitted_q import FittedQ
from mazzo.learn.regressors import REGRESSORS, make_regressor
from mazzo.learn.transitions import Transitions

OWN = ("adaptive", "boosted", "extra")
"""Those that are ours; the others are scikit-learn's."""


@pytest.mark.parametrize("name", REGRESSORS)
def test_a_setting_of_none_is_left_to_the_regressor(name: str) -> None:
    nothing = dict.fromkeys(
        ("trees", "cuts", "leaf", "leaves", "rate", "seed", "workers")
    )  # whether it has them or not
    assert repr(make_regressor(name, **nothing)) == repr(REGRESSORS[name]())


GIVEN: dict[str, dict[str, Any]] = {
    "extra": {"trees": 7, "cuts": 2, "leaf": 9},
    "adaptive": {"trees": 7, "cuts": 2, "leaf": 9},
    "boosted": {"trees": 7, "leaves": 5, "rate": 0.3, "leaf": 9},
    "forest": {"trees": 7, "leaf": 9},
    "neighbours": {"leaf": 9},
    "net": {"leaves": 5, "rate": 0.3, "trees": 7},
    "linear": {},
}
"""All settings of each, but for `seed` and `workers`."""


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("forest", {"n_estimators": 7, "min_samples_split": 9, "random_state": 11}),
        ("neighbours", {"kneighborsregressor__n_neighbors": 9}),
        ("net", {"mlpregressor__hidden_layer_sizes": (5, 5), "mlpregressor__learning_rate_init": 0.3,
                 "mlpregressor__max_iter": 7, "mlpregressor__random_state": 11}),
        ("linear", {}),
    ],
)  # fmt: skip
def test_settings_reach_regressors_of_scikit_learn(name: str, settings: dict[str, Any]) -> None:
    made = make_regressor(name, **GIVEN[name], seed=11, workers=1).get_params()
    assert {key: made[key] for key in settings} == settings


@pytest.mark.parametrize("name", OWN)
def test_settings_reach_the_regressor_that_has_them(name: str) -> None:
    one = make_regressor(name, **GIVEN[name], seed=11, workers=1).get_params()
    assert one["random_state"] == 11
    wanted = {"learning_rate" if key == "rate" else key: value for key, value in GIVEN[name].items()}
    assert {key: one[key] for key in wanted} == wanted


@pytest.mark.parametrize("name", GIVEN)
def test_a_setting_that_a_regressor_does_not_have_is_refused(name: str) -> None:
    for key in {"trees", "cuts", "leaf", "leaves", "rate", "tress"} - GIVEN[name].keys():
        with pytest.raises(UnreadableError, match=f"the regressor '{name}' has no setting '{key}'; its settings: "):
            make_regressor(name, **{key: 1})


SMALL: dict[str, dict[str, int]] = {"linear": {}, "neighbours": {"leaf": 5}, "net": {"trees": 60}}


@pytest.mark.parametrize("name", REGRESSORS)
def test_every_regressor_can_be_cloned_and_learns(name: str) -> None:
    x = np.random.default_rng(0).random((400, 3)).astype(np.float32)
    x[:, 2] = np.arange(400) % 3  # the last input is the action
    y = 2.0 * (x[:, 0] > 0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a net of few passes
        fitted = clone(make_regressor(name, **SMALL.get(name, {"trees": 60, "leaf": 5}), seed=1)).fit(x, y)
    assert np.corrcoef(fitted.predict(x), y)[0, 1] > 0.8


def test_an_unknown_regressor_is_explained() -> None:
    with pytest.raises(UnreadableError, match="there is no regressor 'exta'; did you mean 'extra'"):
        make_regressor("exta")


@pytest.mark.parametrize("name", [*OWN, "forest", "net"])
def test_a_forest_of_no_trees_is_refused(name: str) -> None:
    with pytest.raises(UnreadableError, match="at least 1"):
        make_regressor(name, trees=0)


def test_no_neighbours_are_refused() -> None:
    with pytest.raises(UnreadableError, match="at least 1"):
        make_regressor("neighbours", leaf=0)


def test_a_regressor_of_the_users_learns_q() -> None:
    @REGRESSORS.register("mean")
    def mean(*, seed: int = 0) -> Any:
        """Always the mean."""
        return DummyRegressor()

    try:
        made = make_regressor("mean", seed=1, workers=1)
    finally:
        REGRESSORS.forget("mean")
    states = np.zeros((4, 1), np.float32)
    legal = np.ones((4, 2), np.bool_)
    ends, rewards = np.ones(4, np.bool_), np.array([1.0, 2.0, 3.0, 4.0])
    batch = Transitions(states, np.array([0, 1, 0, 1]), rewards, states, ends, legal, np.arange(4), ends)
    assert FittedQ(made, actions=2, iterations=1).fit(batch).q_values(states[:1]).tolist() == [[2.5, 2.5]]


def test_every_regressor_says_what_it_is() -> None:
    assert all(inspect.getdoc(make) for make in REGRESSORS.values())
