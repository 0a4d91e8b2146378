"""Regressors kept as formulas answer as scikit-learn does, and what is damaged is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.linear_model import HuberRegressor, Lasso, LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.neural_network import MLPRegressor

from mazzo.errors import UnreadableError
from mazzo.learn.estimators import as_formula
from mazzo.learn.formulas import Formula
from mazzo.learn.regressors import REGRESSORS, make_regressor


def _data(n: int = 600) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    x = np.column_stack([rng.normal(5, 3, (n, 4)), rng.integers(0, 3, n)]).astype(np.float32)
    return x, x[:, 0] * (x[:, 4] - 1) + rng.normal(0, 0.1, n)


_MODELS = [
    make_regressor("linear"), make_regressor("neighbours", leaf=7), make_regressor("net", trees=5),
    LinearRegression(), Lasso(), HuberRegressor(max_iter=1000), KNeighborsRegressor(3),
    MLPRegressor(hidden_layer_sizes=(8,), activation="tanh", max_iter=300),
    MLPRegressor(hidden_layer_sizes=(8,), activation="logistic", max_iter=300),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("model", _MODELS, ids=lambda model: str(model)[:40])
def test_a_formula_answers_as_its_regressor(model: object) -> None:
    x, y = _data()
    fitted = model.fit(x.astype(np.float64), y)  # type: ignore[attr-defined]
    kept = as_formula(fitted, x)
    assert kept is not None
    kept.check()
    other = _data(80)[0] + 0.25
    assert kept.predict(other) == pytest.approx(fitted.predict(other.astype(np.float64)), abs=1e-6)
    parts = kept.contributions(other[0])
    assert parts.sum() == pytest.approx(kept.predict(other[:1])[0])


def test_a_plane_for_each_action_learns_what_one_plane_cannot() -> None:
    x, y = _data()
    assert make_regressor("linear").fit(x, y).score(x, y) > 0.99
    assert LinearRegression().fit(x, y).score(x, y) < 0.9


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_what_cannot_be_kept_is_none_and_what_is_damaged_is_refused() -> None:
    x, y = _data(100)
    assert as_formula(GaussianProcessRegressor().fit(x, y), x) is None
    assert as_formula(KNeighborsRegressor(3, weights="distance").fit(x, y), x) is None
    good = as_formula(make_regressor("net", trees=2).fit(x, y), x)
    assert isinstance(good, Formula)
    for change in (
        {"final": "shell"},
        {"steps": ("by_action:99999999",)},
        {"inputs": 2},
        {"arrays": {**good.arrays, "weights0": good.arrays["weights0"][:3]}},
        {"settings": {**good.settings, "layers": 10**9}},
        {"arrays": {**good.arrays, "bias0": good.arrays["bias0"] * np.nan}},
    ):
        with pytest.raises(UnreadableError, match="damaged"):
            replace(good, **change).check()


def test_every_regressor_is_listed_with_what_it_is() -> None:
    assert {"extra", "boosted", "adaptive", "forest", "linear", "neighbours", "net"} <= set(REGRESSORS)
    assert all(REGRESSORS[name].__doc__ for name in REGRESSORS)
