"""Regressors by name."""

from __future__ import annotations

import inspect
import warnings
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyRegressor
from sklearn.exceptions import ConvergenceWarning

from mazzo.errors import MazzoError, UnreadableError
from mazzo.learn.estimators import as_formula
from mazzo.learn.fitted_q import FittedQ
from mazzo.learn.forest import flatten
from mazzo.learn.regressors import REGRESSORS, make_regressor
from mazzo.learn.transitions import Transitions

OWN = ("adaptive", "boosted", "extra")
"""Those that are ours; the others are scikit-learn's."""
HERE = [name for name in REGRESSORS if name != "torch" or find_spec("torch")]
"""PyTorch is an extra that not everything installs."""


@pytest.mark.parametrize("name", HERE)
def test_a_setting_of_none_is_left_to_the_regressor(name: str) -> None:
    nothing = dict.fromkeys(("trees", "cuts", "leaf", "leaves", "rate", "seed", "workers"))
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


SMALL: dict[str, dict[str, int]] = {
    "linear": {},
    "neighbours": {"leaf": 5},
    "net": {"trees": 60},
    "torch": {"trees": 60},
}


@pytest.mark.parametrize("name", HERE)
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


def test_with_equity_no_worth_falls_where_a_regressor_is_monotone() -> None:
    """From noise it learns a curve that never falls along the inputs that are equities, and falls along others."""
    rng = np.random.default_rng(3)
    x = rng.random((3000, 3)).astype(np.float32)
    y = x[:, 0] - 3 * x[:, 1] + rng.normal(0, 1, 3000)
    plain, rising = (make_regressor("monotone", rate=0.3, leaf=5, rising=k).fit(x, y) for k in ((), (1, 0, 0)))
    line = np.column_stack([np.linspace(0, 1, 200), np.full((200, 2), 0.5)]).astype(np.float32)
    assert np.diff(plain.predict(line)).min() < 0
    forest = flatten(rising)
    assert forest is not None
    assert np.diff(forest.predict(line)).min() >= -1e-12
    assert np.diff(forest.predict(line[:, [1, 0, 2]])).min() < 0


def test_planes_and_nets_know_as_many_actions_as_there_are() -> None:
    rng = np.random.default_rng(4)
    x = np.column_stack([rng.random(3000), rng.integers(0, 6, 3000)]).astype(np.float32)
    y = x[:, 1] ** 2 * x[:, 0]
    assert make_regressor("linear", actions=6).fit(x, y).score(x, y) > 0.99
    assert make_regressor("linear", actions=3).fit(x, y).score(x, y) < 0.9


def test_a_net_of_pytorch_learns_the_same_again_and_is_kept_as_numbers() -> None:
    pytest.importorskip("torch")
    rng = np.random.default_rng(5)
    x = np.column_stack([rng.random((4000, 2)), rng.integers(0, 3, 4000)]).astype(np.float32)
    y = 30 * np.abs(x[:, 0] - 0.5) * x[:, 2] + 100
    one, two = (make_regressor("torch", trees=30, leaves=32, seed=1).fit(x, y) for _ in range(2))
    assert (one.predict(x) == two.predict(x)).all()
    assert one.score(x, y) > 0.95
    kept = as_formula(one, x)
    assert kept is not None
    kept.check()
    assert kept.predict(x) == pytest.approx(one.predict(x), abs=1e-4)


@pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is here")
def test_where_pytorch_is_missing_it_is_said_how_to_install_it() -> None:
    with pytest.raises(MazzoError, match=r"pip install 'mazzo\[torch\]'"):
        make_regressor("torch")
