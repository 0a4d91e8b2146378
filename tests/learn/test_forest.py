from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesRegressor, HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor

from mazzo.errors import UnreadableError
from mazzo.learn.forest import Forest, flatten
from mazzo.learn.regressors import boosted_trees, extra_trees


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(1003, 5)).astype(np.float32)
    x[:, 1] = rng.integers(0, 4, 1003)
    return x, x[:, 0] * x[:, 1] + rng.normal(size=1003)


MODELS = [
    ExtraTreesRegressor(20, min_samples_split=5, random_state=1),
    HistGradientBoostingRegressor(max_iter=30, max_leaf_nodes=8, learning_rate=0.05, min_samples_leaf=5),
    boosted_trees(30, leaf=5),
    RandomForestRegressor(5, random_state=1),
    DecisionTreeRegressor(random_state=1),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_walking_gives_what_scikit_learn_predicts(model: Any, data: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = data
    model.fit(x, y)
    forest = flatten(model)
    assert forest is not None
    forest.check()
    assert (forest.predict(x) == model.predict(x)).all()
    for row in (0, 1002):  # rows that do not go down in eights
        assert forest.predict(x[row : row + 1])[0] == model.predict(x[row : row + 1])[0]


def test_inputs_next_to_a_threshold_go_where_scikit_learn_sends_them() -> None:
    # A threshold between two numbers is halfway in 64 bits; rounded up to 32 bits it could pass the upper one.
    rng = np.random.default_rng(2)
    x = (1 + rng.integers(0, 64, (400, 1)) * 2.0**-20).astype(np.float32)
    y = rng.normal(size=400)
    model = DecisionTreeRegressor(random_state=0).fit(x, y)
    forest = flatten(model)
    assert forest is not None
    near = np.concatenate([x, np.nextafter(x, np.float32(2)), np.nextafter(x, np.float32(0))])
    assert (forest.predict(near) == model.predict(near)).all()


def test_threads_change_nothing(data: tuple[np.ndarray, np.ndarray], monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = data
    forest = flatten(extra_trees(20, leaf=5, seed=1).fit(x, y))
    assert forest is not None
    one = forest.predict(x)
    monkeypatch.setattr("mazzo.learn.forest._WORTH_A_THREAD", 0)
    monkeypatch.setattr("mazzo.learn.forest._threads", lambda: 3)
    assert (forest.predict(x) == one).all()


@pytest.mark.parametrize("model", MODELS[:2], ids=lambda m: type(m).__name__)
def test_what_the_inputs_add_sums_to_the_answer(model: Any, data: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = data
    forest = flatten(model.fit(x, y))
    assert forest is not None
    for row in range(10):
        parts = forest.contributions(x[row])
        assert parts.sum() == pytest.approx(forest.predict(x[row : row + 1])[0])


def test_what_is_not_trees_gives_no_forest(data: tuple[np.ndarray, np.ndarray]) -> None:
    assert flatten(LinearRegression().fit(*data)) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda f: f._replace(links=f.links + (1 << 20)),
        lambda f: f._replace(links=np.zeros_like(f.links)),
        lambda f: f._replace(links=f.links | 0x7F),
        lambda f: f._replace(starts=f.starts + 1),
        lambda f: f._replace(values=f.values[:-1]),
        lambda f: f._replace(depths=f.depths[:-1]),
        lambda f: f._replace(divisor=0.0),
    ],
)
def test_arrays_that_are_no_trees_are_refused(change: Any, data: tuple[np.ndarray, np.ndarray]) -> None:
    forest = flatten(extra_trees(3, leaf=50).fit(*data))
    assert isinstance(forest, Forest)
    with pytest.raises(UnreadableError, match="damaged"):
        change(forest).check()


def test_rows_of_another_width_are_refused(data: tuple[np.ndarray, np.ndarray]) -> None:
    forest = flatten(extra_trees(3, leaf=50).fit(*data))
    assert forest is not None
    with pytest.raises(UnreadableError, match="rows of 5 inputs"):
        forest.predict(np.zeros((3, 4)))
