"""Other classes than the action: chips put in, and chips won."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mazzo.errors import UnreadableError
from mazzo.holdem.cloning.clone import Clone, learn_clone
from mazzo.holdem.cloning.models import MODELS
from mazzo.holdem.cloning.models.amounts import ToInvest, Winnings
from mazzo.holdem.cloning.validate import cross_validate
from tests.holdem.cloning.test_models import CALL, FOLD, RAISE, rows_of_a_rule

ROWS = rows_of_a_rule(1500)
INVESTED = replace(ROWS, to_invest=np.where(ROWS.y == FOLD, 0.0, ROWS.x[:, 1] + np.where(ROWS.y == RAISE, 10.0, 0.0)))


def test_chips_to_invest_are_predicted_and_played() -> None:
    model = MODELS["to_invest"].freeze(MODELS["to_invest"].fit(INVESTED), ROWS.columns)
    assert isinstance(model, ToInvest)
    model.check()
    assert np.abs(model.amounts(ROWS.x) - INVESTED.to_invest).mean() < 0.5
    assert (model.predict(ROWS.x) == ROWS.y).mean() > 0.98
    assert cross_validate(INVESTED, "to_invest", folds=3, trees=40).accuracy > 0.97


def test_the_action_that_wins_most_is_played() -> None:
    rng = np.random.default_rng(0)
    taken = rng.integers(0, 3, len(ROWS))
    won = np.where(taken == FOLD, -5.0, np.where(taken == CALL, 0.0, 40 * (ROWS.x[:, 0] - 0.5)))
    rows = replace(ROWS, y=taken, net=won)
    model = MODELS["winnings"].freeze(MODELS["winnings"].fit(rows), ROWS.columns)
    assert isinstance(model, Winnings)
    model.check()
    clear = np.abs(ROWS.x[:, 0] - 0.5) > 0.1
    best = np.where(ROWS.x[:, 0] > 0.5, RAISE, CALL)
    assert (model.predict(ROWS.x) == best)[clear].mean() > 0.98
    assert np.abs(model.winnings(ROWS.x)[:, FOLD] + 5).max() < 1.0


@pytest.mark.parametrize("kind", ["to_invest", "winnings"])
def test_such_a_clone_comes_back_from_its_file(kind: str, tmp_path: Path) -> None:
    rows = replace(INVESTED, net=INVESTED.to_invest)
    made = learn_clone([replace(rows, street=k) for k in range(4)], kind, big_blind=10, trees=5)
    made.save(tmp_path / "clone.mz")
    again = Clone.load(tmp_path / "clone.mz")
    assert (again.streets[0].predict_proba(ROWS.x) == made.streets[0].predict_proba(ROWS.x)).all()


def test_rows_without_the_numbers_or_the_cost_of_a_call_are_refused() -> None:
    with pytest.raises(UnreadableError, match="do not say the numbers"):
        MODELS["to_invest"].fit(ROWS)
    with pytest.raises(UnreadableError, match="needs the attribute CALL_AMOUNT"):
        MODELS["to_invest"].fit(INVESTED.only(["ALL_IN_EQUITY"]))
