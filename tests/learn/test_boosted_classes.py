"""Boosted classes against scikit-learn's, and as a correction to other rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mazzo.learn.boosted_classes import BoostedClasses, BoostingPlan, boost_classes, chances, mean_log_loss


def _rows(n: int, seed: int, shift: float = 0.0) -> tuple[Any, Any]:
    """Three classes whose chances hang on two of four inputs."""
    rng = np.random.default_rng(seed)
    x = rng.random((n, 4)).astype(np.float32)
    p = chances(np.column_stack([3 * x[:, 0] + shift, 2 * x[:, 1], np.ones(n)]).astype(np.float64))
    y = (rng.random(n)[:, None] > p.cumsum(axis=1)).sum(axis=1)
    return x, np.minimum(y, 2)


def test_log_loss_is_as_low_as_that_of_the_boosting_of_scikit_learn() -> None:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import log_loss

    x, y = _rows(3000, 1)
    test, truth = _rows(2000, 2)
    made = BoostedClasses(BoostingPlan(trees=40, leaves=6, rate=0.1)).fit(x, y)
    peer = HistGradientBoostingClassifier(max_iter=40, max_leaf_nodes=6, learning_rate=0.1, early_stopping=False)
    own = log_loss(truth, made.predict_proba(test))
    assert own < log_loss(truth, peer.fit(x, y).predict_proba(test)) + 0.005
    assert own < log_loss(truth, np.tile(np.bincount(y) / len(y), (len(truth), 1))) - 0.02


def test_it_stops_where_the_watched_rows_are_predicted_best() -> None:
    x, y = _rows(300, 3)
    test, truth = _rows(600, 4)
    plan = BoostingPlan(trees=300, leaves=16, leaf=3, rate=0.3, patience=10)
    grown = boost_classes(x, y, 3, plan, watched=(test, truth, None))
    assert len(grown.trees) < 300
    assert grown.rounds == len(grown.trees) - 10
    grown.trees = grown.trees[: grown.rounds]
    assert mean_log_loss(grown.scores(test), truth) == pytest.approx(min(grown.losses))


def test_few_rows_gain_from_others_that_are_alike() -> None:
    x, y = _rows(60, 5, 0.5)
    test, truth = _rows(2000, 6, 0.5)
    others = _rows(3000, 7)
    plan = BoostingPlan(trees=10, leaves=4, leaf=5)
    alone = BoostedClasses(plan).fit(x, y).predict_proba(test)
    helped = BoostedClasses(plan, BoostingPlan(trees=40, leaves=6, rate=0.1)).fit(x, y, others).predict_proba(test)

    def loss(shares: Any) -> float:
        return float(-np.log(shares[np.arange(len(truth)), truth]).mean())

    assert loss(helped) < loss(alone)


def test_a_temperature_above_one_makes_it_less_sure_and_changes_no_answer() -> None:
    x, y = _rows(500, 8)
    plain, warm = (BoostedClasses(BoostingPlan(trees=20), temperature=heat).fit(x, y) for heat in (1.0, 2.0))
    assert (plain.predict(x) == warm.predict(x)).all()
    assert warm.predict_proba(x).max(axis=1).mean() < plain.predict_proba(x).max(axis=1).mean()
