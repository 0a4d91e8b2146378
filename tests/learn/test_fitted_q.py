from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor

from mazzo.errors import UnreadableError
from mazzo.learn.adaptive import AdaptiveTrees
from mazzo.learn.evaluation import evaluate, evaluate_once
from mazzo.learn.fitted_q import FittedQ
from mazzo.learn.q_values import greedy
from mazzo.learn.regressors import boosted_trees, extra_trees
from mazzo.learn.transitions import Transitions

GOAL = 4


def corridor(episodes: int = 300, seed: int = 0) -> Transitions:
    """A corridor of places 0..4: 0 stays, 1 steps right for -1, reaching 4 pays 10, 2 gives up; random walks."""
    rng = np.random.default_rng(seed)
    rows: list[tuple[int, int, float, int, bool, int, bool]] = []
    for episode in range(episodes):
        place, first = int(rng.integers(0, GOAL)), True
        for _ in range(12):
            action = int(rng.choice(3, p=[0.3, 0.6, 0.1]))
            after = place + (action == 1)
            ends = after == GOAL or action == 2
            reward = -1.0 * (action == 1) + 10.0 * (after == GOAL)
            rows.append((place, action, reward, after, ends, episode, first))
            first = False
            if ends:
                break
            place = after
        else:
            rows[-1] = (*rows[-1][:4], True, *rows[-1][5:])
    columns = [np.array(k) for k in zip(*rows, strict=True)]
    states, ahead = columns[0][:, None].astype(np.float32), columns[3][:, None].astype(np.float32)
    legal = np.ones((len(rows), 3), np.bool_)
    return Transitions(states, columns[1], columns[2], ahead, columns[4], legal, columns[5], columns[6])


def exact(**options: Any) -> FittedQ:
    return FittedQ(DecisionTreeRegressor(random_state=0), **options)


def test_q_of_a_corridor_is_what_the_way_to_the_goal_costs_and_pays() -> None:
    batch = corridor()
    # A walk that was cut short ends with nothing; such rows are left out so that the corridor is deterministic.
    whole = batch.rows(~(batch.terminal & (batch.actions == 0)))
    q = exact(iterations=8).fit(whole).q_values(np.arange(GOAL)[:, None])
    np.testing.assert_allclose(q[:, 1], [6, 7, 8, 9])
    np.testing.assert_allclose(q[:, 0], [6, 7, 8, 9])
    np.testing.assert_allclose(q[:, 2], 0)


def test_each_iteration_sees_one_decision_further() -> None:
    whole = corridor().rows(~(corridor().terminal & (corridor().actions == 0)))
    seen = [exact(iterations=n).fit(whole).q_values(np.array([[2.0]]))[0, 1] for n in (1, 2)]
    np.testing.assert_allclose(seen, [-1, 8])


def test_a_terminal_row_never_gets_a_next_value() -> None:
    batch = corridor()
    unknown = batch.next_states.copy()
    unknown[batch.terminal] = 123.456
    plain, other = exact().fit(batch), exact().fit(replace(batch, next_states=unknown))
    places = np.arange(GOAL)[:, None]
    assert (plain.q_values(places) == other.q_values(places)).all()


def test_an_action_that_is_not_legal_next_adds_nothing_to_the_value() -> None:
    batch = corridor()
    legal = np.ones((len(batch), 3), np.bool_)
    legal[:, 1] = False
    q = exact().fit(replace(batch, next_legal=legal)).q_values(np.array([[2.0]]))
    assert q[0, 1] == pytest.approx(-1)


def test_gamma_shrinks_what_comes_later() -> None:
    whole = corridor().rows(~(corridor().terminal & (corridor().actions == 0)))
    q = exact(gamma=0.5, iterations=8).fit(whole).q_values(np.array([[2.0]]))
    assert q[0, 1] == pytest.approx(-1 + 0.5 * 9)


def test_bellman_residuals_fall_to_nothing_where_q_is_found() -> None:
    whole = corridor().rows(~(corridor().terminal & (corridor().actions == 0)))
    told: list[int] = []
    fitted = exact(iterations=10).fit(whole, lambda number, residual: told.append(number))
    assert fitted.residuals_[0] > 1
    assert fitted.residuals_[-1] == pytest.approx(0)
    assert told == list(range(1, 11))


def test_of_equal_actions_the_first_is_played_and_only_legal_ones() -> None:
    q = np.array([[1.0, 1.0, 0.0], [5.0, 1.0, 1.0]])
    assert greedy(q).tolist() == [0, 0]
    assert greedy(q, np.array([[True] * 3, [False, True, True]])).tolist() == [0, 1]


def test_any_regressor_and_one_for_each_iteration_can_be_handed_in() -> None:
    batch = corridor()
    assert FittedQ(LinearRegression(), iterations=2).fit(batch).predict(batch.states[:5]).shape == (5,)
    numbers: list[int] = []

    def make(number: int) -> Any:
        numbers.append(number)
        return extra_trees(3, seed=number)

    FittedQ(make, iterations=3).fit(batch)
    assert numbers == [1, 2, 3]


def test_an_estimator_keeps_its_parameters_and_can_be_cloned() -> None:
    from sklearn.base import clone

    original = FittedQ(extra_trees(7), gamma=0.9)
    copy = clone(original)
    assert copy.get_params()["regressor__trees"] == 7
    assert copy.gamma == 0.9


@pytest.mark.parametrize("workers", [1, 2])
def test_the_number_of_workers_changes_nothing(workers: int) -> None:
    batch = corridor()
    one = FittedQ(extra_trees(20, leaf=5, seed=3), iterations=4).fit(batch).q_values(batch.states)
    assert (
        FittedQ(extra_trees(20, leaf=5, seed=3, workers=workers), iterations=4).fit(batch).q_values(batch.states) == one
    ).all()


def test_adaptive_leaves_are_large_in_noise_and_small_where_there_is_none() -> None:
    rng = np.random.default_rng(1)
    x = rng.uniform(size=(2000, 1))
    noise = AdaptiveTrees(20, leaf=4).fit(x, rng.normal(size=2000)).as_forest()
    clean = AdaptiveTrees(20, leaf=4).fit(x, 10 * x[:, 0]).as_forest()
    assert len(noise.values) < 0.6 * len(clean.values)
    assert np.abs(clean.predict(x) - 10 * x[:, 0]).max() < 0.5


def test_a_strategy_is_valued_from_the_log_of_another() -> None:
    whole = corridor(400).rows(~(corridor(400).terminal & (corridor(400).actions == 0)))
    whole = replace(whole, first=np.concatenate([[True], np.diff(whole.episodes) > 0]))

    def always_right(states: np.ndarray, legal: np.ndarray) -> np.ndarray:
        return np.ones(len(states), np.int64)

    values = evaluate_once(whole, always_right, DecisionTreeRegressor(random_state=0))
    np.testing.assert_allclose(values, 6 + whole.states[whole.first][:, 0])
    found = evaluate(whole, always_right, DecisionTreeRegressor(random_state=0), repetitions=5)
    assert found.mean == pytest.approx(values.mean())
    assert 0 < found.standard_error < 0.2
    low, high = found.ci95
    assert low < values.mean() < high


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda b: b.rows(np.zeros(len(b), np.bool_)), "no decisions"),
        (lambda b: replace(b, actions=b.actions + 1), "numbered 0 to 2"),
        (lambda b: replace(b, next_legal=np.zeros((len(b), 3), np.bool_)), "must have a legal action"),
    ],
)
def test_batches_that_cannot_be_learned_from_are_refused(change: Any, words: str) -> None:
    with pytest.raises(UnreadableError, match=words):
        FittedQ().fit(change(corridor()))


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(UnreadableError, match="at least 1"):
        extra_trees(0)
    with pytest.raises(UnreadableError, match="leaf at least 2"):
        extra_trees(leaf=1)
    with pytest.raises(UnreadableError, match="rate"):
        boosted_trees(rate=0)
    with pytest.raises(UnreadableError, match="gamma"):
        FittedQ(gamma=2).fit(corridor())
