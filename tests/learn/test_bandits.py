from __future__ import annotations

import numpy as np
import pytest

from mazzo.errors import UnreadableError
from mazzo.learn import bandits
from mazzo.learn.bandits import FIGURES, EpsilonGreedy, Softmax, compare


def test_average_rewards_are_those_of_the_ten_armed_testbed() -> None:
    """Sutton and Barto (1998), figure 2.1: after 1,000 plays epsilon 0.1 earns near 1.35, random nothing."""
    last = {name: curve.mean[-1] for name, curve in compare(FIGURES, runs=500, seed=3).items()}
    assert last["random"] == pytest.approx(0, abs=0.05)
    assert 1.15 < last["epsilon 0.1"] < 1.4
    assert 0.9 < last["epsilon 0.01"] < last["epsilon 0.1"] + 0.1
    assert last["softmax 0.05"] > 0.9


def test_without_noise_greed_finds_the_best_arm_at_once() -> None:
    curve = compare({"greedy": EpsilonGreedy(0)}, runs=300, plays=5, noise=0, seed=1)["greedy"]
    best = np.random.default_rng(1).normal(size=(300, 10)).max(axis=1).mean()
    np.testing.assert_allclose(curve.mean, best)


def test_softmax_follows_the_formula_of_gibbs() -> None:
    estimates = np.array([[0.0, 0.1, -0.2]])
    weights = np.exp(estimates / 0.05)
    np.testing.assert_allclose(Softmax(0.05).chances(estimates), weights / weights.sum())
    arms = Softmax(0.05).choose(np.repeat(estimates, 3, 0), np.array([[0.0, 0], [0.5, 0], [0.999999, 0]]))
    assert arms.tolist() == [0, 1, 2] or arms.tolist() == [0, 1, 1]


def test_a_constant_step_forgets_and_averages_do_not() -> None:
    both = compare({"average": EpsilonGreedy(0.1), "step": EpsilonGreedy(0.1, step=0.9)}, runs=300, plays=400, seed=2)
    assert both["average"].mean[-1] > both["step"].mean[-1]  # arms do not change here, so forgetting costs


def test_the_same_seed_gives_the_same_curves() -> None:
    first, second = (compare(FIGURES, runs=5, plays=20, seed=4) for _ in range(2))
    assert all((first[name].mean == second[name].mean).all() for name in FIGURES)


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(UnreadableError, match="probability"):
        EpsilonGreedy(1.5)
    with pytest.raises(UnreadableError, match="temperature"):
        Softmax(0)
    with pytest.raises(UnreadableError, match="at least 1"):
        compare(FIGURES, runs=0)


def test_the_old_name_of_a_policy_still_works_and_says_the_new_one() -> None:
    with pytest.warns(DeprecationWarning, match="Way is now called BanditPolicy"):
        assert bandits.Way is bandits.BanditPolicy
    with pytest.raises(AttributeError, match="has no attribute 'Wey'"):
        bandits.Wey  # noqa: B018 - asking is the test
