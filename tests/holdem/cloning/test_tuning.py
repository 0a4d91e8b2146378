"""What `--model auto` chooses, how chances are scored, what is read of a model, and how raises are sized."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mazzo.errors import UnreadableError
from mazzo.holdem.attributes import Column
from mazzo.holdem.cloning import tuning
from mazzo.holdem.cloning.clone import Clone, learn_clone
from mazzo.holdem.cloning.data import Rows
from mazzo.holdem.cloning.models import MODELS
from mazzo.holdem.cloning.models.sizes import learn_sizes, size_classes
from mazzo.holdem.cloning.readable import MOST_LEAVES, reading_tree
from mazzo.holdem.cloning.reading import merged_conditions, plain_rules
from mazzo.holdem.cloning.scores import scores_of
from mazzo.holdem.cloning.tuning import choose, fold_groups
from mazzo.model_file import read_model, write_model
from tests.holdem.cloning.test_models import CALL, FOLD, RAISE, rows_of_a_rule


def mixed_rows(n: int, seed: int, bold: float = 0.0) -> Rows:
    """A player that raises the more often the higher its equity, and folds to bets or checks."""
    rows = rows_of_a_rule(n, seed)
    rng = np.random.default_rng(seed + 100)
    equity, owed = rows.x[:, 0], rows.x[:, 1]
    p = 1 / (1 + np.exp(-6 * (equity - 0.5 + bold)))
    y = np.where(rng.random(n) < p, RAISE, np.where(owed > 0, FOLD, CALL))
    share = np.where(y == RAISE, np.where(equity > 0.6, 1.0, 0.5) + 0.02 * rng.random(n), np.nan)
    return replace(rows, y=y, raise_share=share)


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "_ROUNDS", 30)
    monkeypatch.setattr(tuning, "_SHAPES", tuning._SHAPES[:2])


def test_scores_are_those_of_scikit_learn() -> None:
    from sklearn.metrics import log_loss

    rng = np.random.default_rng(0)
    shares, y = rng.dirichlet(np.ones(3), 400), rng.integers(0, 3, 400)
    found = scores_of(shares, y)
    assert found.log_loss == pytest.approx(log_loss(y, shares))
    assert found.brier == pytest.approx(((shares - np.eye(3)[y]) ** 2).sum(axis=1).mean())
    assert sum(part["n"] for part in found.reliability) == shares.size
    assert sum(part["n"] * part["happened"] for part in found.reliability) == pytest.approx(len(y))


def test_a_player_that_follows_a_rule_is_a_tree_and_nothing_else_is_tried() -> None:
    choice = choose(rows_of_a_rule(3000))
    assert choice.kind == "tree"
    assert len(choice.tried) == 2
    assert choice.judged.accuracy > 0.98


def test_a_player_that_mixes_is_predicted_with_chances_that_can_be_trusted() -> None:
    rows, later = mixed_rows(1200, 1), mixed_rows(3000, 2)
    choice = choose(rows)
    kind, some = MODELS[choice.kind], choice.rows(rows)
    model = kind.freeze(kind.fit(some, **choice.settings), some.columns)
    tree = MODELS["tree"].freeze(MODELS["tree"].fit(rows), rows.columns)
    found, other = (scores_of(m.predict_proba(later.only(choice.names).x), later.y) for m in (model, tree))
    assert found.log_loss < other.log_loss
    assert found.log_loss == pytest.approx(choice.judged.scores.log_loss, abs=0.05)
    for part in found.reliability:
        assert part["n"] < 200 or abs(part["chance"] - part["happened"]) < 0.12


def test_a_player_of_few_decisions_borrows_from_the_others() -> None:
    choice = choose(mixed_rows(90, 3), mixed_rows(2500, 4, 0.05))
    assert "others" in choice.settings
    assert choice.described()["borrows"]
    assert "others" not in choice.described()["settings"]


def test_opponents_statistics_are_taken_where_the_player_adapts() -> None:
    rows = mixed_rows(1500, 5)
    vpip = np.random.default_rng(6).random(len(rows))
    y = np.where(vpip > 0.5, rows.y, CALL)  # it raises and folds only against loose opponents
    column = Column("HISTORY_VPIP_OPPONENT_0")
    watched = replace(rows, y=y, x=np.column_stack([rows.x, vpip]), columns=(*rows.columns, column))
    assert column.name in choose(watched).names
    same = replace(watched, y=rows.y)
    assert column.name not in choose(same).names


def test_statistics_that_run_through_a_match_are_judged_by_match_or_by_runs_of_hands() -> None:
    rows = rows_of_a_rule(400)
    assert (fold_groups(rows, False) == rows.group).all()
    by_match = replace(rows, match=(np.arange(400) // 50).astype(np.uint64))
    assert (fold_groups(by_match, True) == by_match.match).all()
    runs = fold_groups(replace(rows, match=np.zeros(400, np.uint64)), True)
    assert len(np.unique(runs)) == 20
    assert (np.diff(runs.astype(np.int64)) >= 0).all()
    assert all(len(np.unique(runs[rows.group == g])) == 1 for g in np.unique(rows.group))


def test_conditions_on_one_attribute_are_one() -> None:
    said: list[Any] = [("A", "<=", 1.16), ("B", "=", "BTN"), ("A", "<=", 0.82)]
    assert merged_conditions(said) == ["A <= 0.82", "B = BTN"]
    assert merged_conditions([("A", ">", 0.2), ("A", "<=", 0.8), ("A", ">", 0.5)]) == ["0.5 < A <= 0.8"]
    assert merged_conditions([("B", "!=", "SB"), ("B", "!=", "BB")]) == ["B is none of SB, BB"]
    assert merged_conditions([("B", "!=", "SB"), ("B", "=", "BB")]) == ["B = BB"]


@pytest.mark.parametrize("kind", ["boosting", "tuned", "knn", "bayes"])
def test_every_kind_of_model_has_a_small_tree_to_be_read_by(kind: str) -> None:
    rows = mixed_rows(800, 7)
    model = MODELS[kind].freeze(MODELS[kind].fit(rows, trees=20), rows.columns)
    read = reading_tree(model, rows)
    assert read is not None
    assert read.size[1] <= MOST_LEAVES
    held = mixed_rows(1500, 8)
    places = [[k.name for k in rows.columns].index(k.name) for k in read.columns]
    same = (read.predict(held.x[:, places]) == model.predict(held.x)).mean()
    assert same == pytest.approx(read.settings["fidelity"], abs=0.08)
    assert any(line.startswith("if ") for line in plain_rules(read))


def test_sizes_of_raises_are_classes_and_then_amounts(tmp_path: Path) -> None:
    rows = mixed_rows(1500, 9)
    size = learn_sizes(rows)
    assert size is not None
    assert size.amounts == pytest.approx([0.51, 1.01], abs=0.01)
    assert size.settings["accuracy"] > 0.95 > size.settings["majority"]
    assert size.settings["error"] < size.settings["error_without"]
    assert learn_sizes(rows_of_a_rule(1500)) is None  # always one size, as in limit games
    clone = learn_clone([rows] * 4, "tree", big_blind=10, learned_hands=np.arange(5, dtype=np.uint64))
    clone.save(tmp_path / "c.mz")
    again = Clone.load(tmp_path / "c.mz")
    assert again.learned_hands.tolist() == [0, 1, 2, 3, 4]
    for one, other in zip(clone.sizes, again.sizes, strict=True):
        assert one is not None
        assert other is not None
        assert other.predict_proba(rows.x) == pytest.approx(one.predict_proba(rows.x))


def test_damaged_sizes_are_refused(tmp_path: Path) -> None:
    learn_clone([mixed_rows(600, 10)] * 4, "tree", big_blind=10).save(tmp_path / "c.mz")
    model = read_model(tmp_path / "c.mz")
    for key, value in (("amounts", np.array([np.inf, 1.0])), ("classes", np.array([0, 7]))):
        write_model(tmp_path / "bad.mz", replace(model, arrays={**model.arrays, f"size/FLOP/{key}": value}))
        with pytest.raises(UnreadableError, match="sizes are damaged"):
            Clone.load(tmp_path / "bad.mz")


def test_few_raises_of_a_size_join_a_neighbouring_class() -> None:
    shares = np.array([0.5] * 30 + [0.75] * 3 + [1.0] * 20)
    classes, amounts = size_classes(shares)
    assert len(amounts) == 2
    assert set(classes[30:33].tolist()) <= {0, 1}
