from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mazzo.learn.behaviour import believed, explored, fit_behaviour, shares
from mazzo.learn.judging import Judged, Models, judged, replayed
from mazzo.learn.transitions import Transitions


def players(rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Below 0.5 the first action always; above it each of three alike, where the last is legal."""
    rng = np.random.default_rng(seed)
    states = rng.uniform(size=(rows, 2)).astype(np.float32)
    legal = np.ones((rows, 3), np.bool_)
    legal[:, 2] = rng.uniform(size=rows) < 0.5
    drawn = (rng.uniform(size=rows) * legal.sum(axis=1)).astype(np.int64)
    return states, legal, np.where(states[:, 0] < 0.5, 0, drawn), np.arange(rows) // 2


def test_shares_are_those_of_the_players_and_rows_sum_to_one() -> None:
    states, legal, actions, episodes = players(6000)
    made = fit_behaviour(states, legal, actions, episodes)
    fresh, can, _, _ = players(2000, 1)
    p = shares(made.forest, fresh, can)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert (p[~can] == 0).all()
    rule = fresh[:, 0] < 0.48
    assert p[rule, 0].min() > 0.9
    free = (fresh[:, 0] > 0.52) & can[:, 2]
    assert np.abs(p[free] - 1 / 3).mean() < 0.08


def test_only_what_was_tried_is_believed_and_the_commonest_always() -> None:
    p = np.array([[0.9, 0.1, 0.0], [0.5, 0.4, 0.1], [0.96, 0.04, 0.0]])
    assert believed(p, 0.2).tolist() == [[True, False, False], [True, True, True], [True, False, False]]
    assert believed(p, 1.0).sum(axis=1).tolist() == [1, 1, 1]


def test_what_was_explored_is_none_at_a_rule_and_all_at_chance() -> None:
    legal = np.ones((2, 3), np.bool_)
    assert explored(np.array([[1.0, 0, 0], [0, 1.0, 0]]), legal, 0.2) == 0
    assert explored(np.full((2, 3), 1 / 3), legal, 0.2) == 1
    assert explored(np.ones((2, 1)), np.ones((2, 1), np.bool_), 0.2) == 1


def test_episodes_of_chance_stop_the_trees_early_and_those_of_a_rule_do_not() -> None:
    states, legal, _, episodes = players(3000)
    rng = np.random.default_rng(5)
    chance = fit_behaviour(states, legal, (rng.uniform(size=3000) * legal.sum(axis=1)).astype(np.int64), episodes)
    rule = fit_behaviour(states, legal, (states[:, 0] + states[:, 1] > 1).astype(np.int64), episodes)
    assert len(chance.forest.depths) < len(rule.forest.depths)
    assert len(np.intersect1d(episodes[chance.held_out], np.delete(episodes, chance.held_out))) == 0


def walk(episodes: int, seed: int, right: float) -> tuple[Transitions, np.ndarray, np.ndarray]:
    """Two steps; at each, action 1 (with this probability) pays N(1, 1) and action 0 pays N(0, 1)."""
    rng = np.random.default_rng(seed)
    actions = (rng.uniform(size=(episodes, 2)) < right).astype(np.int64)
    rewards = actions + rng.normal(size=(episodes, 2))
    rows = 2 * episodes
    states = np.tile(np.array([[0.0], [1.0]], np.float32), (episodes, 1))
    ends = np.tile([False, True], episodes)
    batch = Transitions(
        states,
        actions.ravel(),
        rewards.ravel(),
        states[np.minimum(np.arange(rows) + 1, rows - 1)],
        ends,
        np.ones((rows, 2), np.bool_),
        np.repeat(np.arange(episodes), 2),
        ~ends,
    )
    return batch, np.tile([1 - right, right], (rows, 1)), actions


def say(batch: Transitions, p: np.ndarray, q: np.ndarray, explored: float = 1.0) -> Judged:
    models = Models(np.ones(len(batch), np.int64), p, q)
    part = replayed(batch, models)
    count = len(part.number)
    return judged(
        [part], lambda e: e, limits=(-10.0, 10.0), rest=np.zeros(0), offset=np.zeros(count), explored=explored
    )


@pytest.mark.parametrize("fitted", [0.0, 1.0])
def test_intervals_hold_what_always_stepping_right_earns_in_most_of_two_hundred_logs(fitted: float) -> None:
    """The truth is 2; whether the fitted values are right or all wrong, both estimators must find it."""
    robust = weighted = 0
    for seed in range(200):
        batch, p, _ = walk(300, seed, 0.4)
        q = fitted * (np.tile([[0.0, 1.0]], (len(batch), 1)) + (~batch.terminal)[:, None])
        found = say(batch, p, q)
        assert found.why_not == "" or "too few" in found.why_not
        low, high = found.doubly_robust.ci95
        robust += low <= 2 <= high
        low, high = found.weighted.ci95
        weighted += low <= 2 <= high
    assert robust >= 180
    assert weighted >= 180


def test_right_values_make_the_interval_narrower() -> None:
    """Episodes differ by what they bring at the end whatever is done: values that know it take that out."""
    batch, p, _ = walk(2000, 1, 0.4)
    luck = np.repeat(np.random.default_rng(2).normal(size=2000) * 3, 2)
    batch = replace(batch, rewards=batch.rewards + batch.terminal * luck)
    right = np.tile([[0.0, 1.0]], (len(batch), 1)) + (~batch.terminal)[:, None] + luck[:, None]
    known, unknown = say(batch, p, right), say(batch, p, 0 * right)
    assert known.doubly_robust.standard_error < 0.8 * unknown.doubly_robust.standard_error
    assert abs(known.doubly_robust.mean - 2) < 4 * known.doubly_robust.standard_error


def test_what_nobody_did_cannot_be_judged_and_is_bounded_by_what_is_possible() -> None:
    batch, p, _ = walk(1000, 1, 0.0)
    found = say(batch, p, np.zeros((len(batch), 2)))
    assert "hardly ever played" in found.why_not
    assert found.missing == 1
    assert found.bound[0] <= -10
    assert found.bound[1] >= 10


def test_few_like_episodes_and_a_wrong_model_are_said() -> None:
    batch, p, _ = walk(100, 1, 0.4)
    assert "too few" in say(batch, p, np.zeros((len(batch), 2))).why_not
    batch, p, _ = walk(3000, 1, 0.4)
    wrong = np.tile([0.2, 0.8], (len(batch), 1))
    found = say(batch, wrong, np.zeros((len(batch), 2)))
    assert "does not fit" in found.why_not
    assert not found.sure


def test_where_nobody_varied_what_departing_brings_is_uncertain_by_as_much_again() -> None:
    batch, p, _ = walk(2000, 1, 0.4)
    q = np.zeros((len(batch), 2))
    free, bound = say(batch, p, q, 1.0), say(batch, p, q, 0.0)
    gain = abs(free.doubly_robust.mean - free.watched)
    assert bound.bound[0] == pytest.approx(free.bound[0] - gain)
    assert bound.bound[1] == pytest.approx(free.bound[1] + gain)
