"""Learners on data with a known rule; what is kept of them answers as scikit-learn does."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import Pipeline
from threadpoolctl import threadpool_limits

from mazzo.errors import UnreadableError
from mazzo.holdem.attributes import Column
from mazzo.holdem.attributes.values import POSITIONS
from mazzo.holdem.cloning.clone import Clone, learn_clone
from mazzo.holdem.cloning.data import Rows
from mazzo.holdem.cloning.models import MODELS, StreetModel
from mazzo.holdem.cloning.reading import near_fraction, plain_rules, thresholds, tree_outline, tree_text
from mazzo.holdem.cloning.select import best_first, greedy, information_gain, symmetrical_uncertainty
from mazzo.holdem.cloning.validate import ceiling, cross_validate, folds_of, majority
from mazzo.model_file import Model, read_model, write_model
from mazzo.reports.draw import tree_svg
from tests.data_files import DATA

RAISE, FOLD, CALL = range(3)
OF_ACTIONS = [name for name in MODELS if MODELS[name].predicts == "CLASS_HERO_ACTION_TAKEN"]


def rows_of_a_rule(n: int = 1500, seed: int = 0, street: int = 0) -> Rows:
    """A player that raises above an equity of 1/2, or of 1/3 on the button, else folds to bets and checks."""
    rng = np.random.default_rng(seed)
    equity, owed = rng.random(n), rng.integers(0, 2, n) * 10.0
    position = rng.integers(0, 3, n) * 1.0
    noise = rng.random(n)
    button = position == 2
    y = np.where(equity > np.where(button, 1 / 3, 1 / 2), RAISE, np.where(owed > 0, FOLD, CALL))
    x = np.column_stack([equity, owed, position, noise])
    x[rng.random(n) < 0.02, 3] = np.nan
    x[rng.random(n) < 0.005, 2] = np.nan
    columns = (Column("ALL_IN_EQUITY"), Column("CALL_AMOUNT"), Column("HERO_POSITION", POSITIONS), Column("POT_SIZE"))
    group = (np.arange(n) // 10).astype(np.uint64)
    nothing = np.full(n, np.nan)
    share = np.where(y == RAISE, 0.5, np.nan)
    return Rows(street, columns, x, y, group, np.arange(n), nothing, nothing, share)


@pytest.fixture(scope="module")
def rows() -> Rows:
    return rows_of_a_rule()


def learned(kind: str, rows: Rows, **settings: Any) -> StreetModel:
    return MODELS[kind].freeze(MODELS[kind].fit(rows, **settings), rows.columns)


def _leaf_of(fitted: Any, rows: Rows) -> Any:
    return fitted.named_steps["model"].apply(fitted.named_steps["encode"].transform(rows.x))


@pytest.mark.parametrize("kind", OF_ACTIONS)
def test_what_is_kept_of_a_learner_answers_as_the_learner_does(kind: str, rows: Rows) -> None:
    fitted = MODELS[kind].fit(rows, trees=15)
    model = MODELS[kind].freeze(fitted, rows.columns)
    assert model.kind == kind
    model.check()
    test = rows_of_a_rule(700, 1)
    with threadpool_limits(1):
        assert (model.predict(test.x) == fitted.predict(test.x)).all()
    shares = model.predict_proba(test.x)
    assert shares.sum(axis=1) == pytest.approx(np.ones(len(test)))
    if hasattr(fitted, "predict_proba") and kind in ("tree", "boosting", "bayes", "knn", "tuned"):
        with threadpool_limits(1):
            wanted = fitted.predict_proba(test.x)
        if kind == "tree":  # every action that occurs has been seen once more in each leaf
            seen = fitted.named_steps["model"].tree_.n_node_samples[_leaf_of(fitted, test)][:, None]
            wanted = (wanted * seen + 1) / (seen + 3)
        assert shares[:, fitted.classes_ if kind != "bayes" else slice(None)] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(("kind", "least"), [("tree", 0.985), ("rules", 0.97), ("boosting", 0.985), ("knn", 0.85)])
def test_learners_find_a_plain_rule_and_survive_missing_values(kind: str, least: float, rows: Rows) -> None:
    found = cross_validate(rows, kind, **({"trees": 25} if "trees" in MODELS[kind].takes else {}))
    assert found.n == len(rows)
    assert found.accuracy >= least
    assert found.accuracy > majority(rows)
    assert found.ci95[0] <= found.accuracy <= found.ci95[1]


def never_known(rows: Rows) -> Rows:
    """The same decisions with nothing known of the last attribute, as of an opponent whose seat is empty."""
    x = rows.x.copy()
    x[:, 3] = np.nan
    return replace(rows, x=x)


@pytest.mark.parametrize("kind", OF_ACTIONS)
def test_an_attribute_that_is_never_known_harms_no_learner(kind: str, rows: Rows) -> None:
    unknown = never_known(rows)
    model = learned(kind, unknown, trees=25)
    assert (model.predict(unknown.x) == rows.y).mean() > majority(rows)
    assert (model.predict(rows.x) == model.predict(unknown.x)).all()  # what was never seen decides nothing


def test_boosting_in_chunks_takes_a_chunk_in_which_an_attribute_is_never_known(rows: Rows) -> None:
    model = MODELS["boosting"].fit_in_chunks([rows[:800], never_known(rows[800:])], trees=10)
    assert (model.predict(rows.x) == rows.y).mean() > 0.95


def test_learning_from_attributes_without_any_value_is_an_error(rows: Rows) -> None:
    with pytest.raises(UnreadableError, match="no chosen attribute has a value"):
        learned("tree", replace(rows, columns=(), x=rows.x[:, :0]))


def test_confusion_gives_precision_recall_and_f1(rows: Rows) -> None:
    from sklearn.metrics import f1_score, precision_score, recall_score

    found = cross_validate(rows, "bayes")
    truth = np.repeat(np.repeat(np.arange(3), 3), found.confusion.ravel())
    said = np.repeat(np.tile(np.arange(3), 3), found.confusion.ravel())
    assert found.precision == pytest.approx(precision_score(truth, said, average=None))
    assert found.recall == pytest.approx(recall_score(truth, said, average=None))
    assert found.macro_f1 == pytest.approx(f1_score(truth, said, average="macro"))


def test_folds_never_tear_a_card_set_apart() -> None:
    group = np.random.default_rng(1).integers(0, 40, 1000).astype(np.uint64)
    fold = folds_of(group, 7)
    assert all(len(set(fold[group == k].tolist())) == 1 for k in set(group.tolist()))
    assert np.bincount(fold).min() > 60


def test_fewer_card_sets_than_folds_are_an_error() -> None:
    with pytest.raises(UnreadableError, match=r"at least 7 matches or sessions, got 6; .*--folds 0"):
        folds_of(np.repeat(np.arange(6), 50).astype(np.uint64), 7)


def test_naive_bayes_learned_in_chunks_is_naive_bayes_learned_at_once(rows: Rows) -> None:
    whole = MODELS["bayes"].fit(rows).named_steps["model"].arrays()
    model = MODELS["bayes"].pipeline(rows.columns, len(rows)).named_steps["model"]
    for first in range(0, len(rows), 137):
        model.partial_fit(rows.x[first : first + 137], rows.y[first : first + 137])
    for key, array in model.arrays().items():
        assert array == pytest.approx(whole[key]), key


def test_an_unknown_model_is_explained() -> None:
    with pytest.raises(UnreadableError, match="did you mean 'boosting'"):
        learn_clone([rows_of_a_rule(50)] * 4, "bosting", big_blind=10)


def test_rules_are_few_and_say_what_the_player_does(rows: Rows) -> None:
    model = learned("rules", rows)
    lines = plain_rules(model)
    assert len(lines) < 20
    assert lines[-1].startswith("else:")
    assert any("ALL_IN_EQUITY" in line for line in lines)


def test_a_tree_shows_the_thresholds_of_the_player(rows: Rows) -> None:
    model = learned("tree", rows)
    near = {cut["near"] for cut in thresholds(model) if cut["attribute"] == "ALL_IN_EQUITY"}
    assert {"1/2", "1/3"} <= near
    text = tree_text(model)
    assert "HERO_POSITION" in text
    assert "RAISE (" in text


def test_a_drawn_tree_has_a_line_for_each_printed_one(rows: Rows) -> None:
    model = learned("tree", rows)
    picture = ElementTree.fromstring(tree_svg(tree_outline(model, "a <tree>")))
    texts = [element.text or "" for element in picture.iter() if element.tag.endswith("text")]
    assert texts[0] == "a <tree>"
    assert texts[1:] == [line.replace("| ", "") for line in tree_text(model).splitlines()]
    with pytest.raises(UnreadableError, match="only a tree can be drawn"):
        tree_outline(learned("bayes", rows))


def test_fractions_near_thresholds() -> None:
    assert near_fraction(0.333867) == "1/3"
    assert near_fraction(0.49635) == "1/2"
    assert near_fraction(0.739827) == ""


def test_a_players_mixing_bounds_what_can_be_predicted() -> None:
    sure, mixed = rows_of_a_rule(1200), rows_of_a_rule(1200)
    rng = np.random.default_rng(5)
    coins = rng.random(1200) < 0.3
    object.__setattr__(mixed, "y", np.where(coins, rng.integers(0, 3, 1200), mixed.y))
    assert ceiling(sure)["high"] > ceiling(mixed)["high"]
    assert ceiling(mixed)["low"] <= 0.8 <= ceiling(mixed)["high"] + 0.1


def test_attribute_selection_finds_what_matters_and_not_what_is_said_twice(rows: Rows) -> None:
    ranking = symmetrical_uncertainty(rows)
    assert {name for name, _ in ranking[:2]} == {"ALL_IN_EQUITY", "CALL_AMOUNT"}  # many values are no advantage
    assert dict(ranking)["POT_SIZE"] < 0.2 * ranking[0][1]
    assert information_gain(rows)[0][0] == "ALL_IN_EQUITY"
    twice = Rows(
        0,
        (*rows.columns, Column("ALL_IN_EQUITY_2PLAYERS")),
        np.column_stack([rows.x, rows.x[:, 0]]),
        rows.y,
        rows.group,
        rows.hand,
        rows.to_invest,
        rows.net,
        rows.raise_share,
    )
    for search in (best_first, greedy):
        chosen = search(twice)
        assert "CALL_AMOUNT" in chosen
        assert len({"ALL_IN_EQUITY", "ALL_IN_EQUITY_2PLAYERS"} & set(chosen)) == 1
        assert "POT_SIZE" not in chosen


@pytest.mark.parametrize("kind", OF_ACTIONS)
def test_a_clone_comes_back_from_its_file_as_it_was(kind: str, tmp_path: Path) -> None:
    data = [rows_of_a_rule(300, street, street) for street in range(4)]
    few: dict[str, Any] = {"trees": 8} if "trees" in MODELS[kind].takes else {}
    made = learn_clone(data, kind, big_blind=10, settings={"hero": "someone"}, **few)
    made.save(tmp_path / "clone.mz")
    again = Clone.load(tmp_path / "clone.mz")
    assert (again.big_blind, again.raise_shares, again.settings["hero"]) == (10, (0.5,) * 4, "someone")
    x = rows_of_a_rule(200, 9).x
    for one, other in zip(made.streets, again.streets, strict=True):
        assert other.predict_proba(x) == pytest.approx(one.predict_proba(x), abs=1e-6)


@pytest.mark.parametrize("kind", [kind for kind in OF_ACTIONS if (DATA / f"clone_{kind}.mz").is_file()])
def test_a_model_file_of_version_0_1_0_opens_and_answers_as_it_did(kind: str) -> None:
    answers = json.loads((DATA / "clone_answers.json").read_text())[kind]
    x = rows_of_a_rule(12, 9).x
    for model, wanted in zip(Clone.load(DATA / f"clone_{kind}.mz").streets, answers, strict=True):
        assert model.kind == kind
        assert model.predict_proba(x) == pytest.approx(np.array(wanted), abs=1e-6)


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        ("tree", "at", 99),
        ("boosting", "starts", 10**6),
        ("boosting", "classes", 7),
        ("rules", "columns", 99),
        ("rules", "default", 3),
        ("rules", "lengths", 50),
        ("bayes", "nominal", 99),
        ("bayes", "starts", -1),
        ("knn", "labels", -1),
        ("kdtree", "neighbours", 0),
        ("svm", "classes", 3),
    ],
)
def test_damaged_arrays_of_any_model_are_refused_when_the_file_is_opened(
    kind: str, name: str, value: int, tmp_path: Path
) -> None:
    model = read_model(DATA / f"clone_{kind}.mz")
    damaged = model.arrays[f"FLOP/{name}"].copy()
    damaged[-1] = value
    path = tmp_path / "damaged.mz"
    write_model(path, Model("clone", model.settings, {**model.arrays, f"FLOP/{name}": damaged}))
    with pytest.raises(UnreadableError, match=r"damaged|actions that there are not"):
        Clone.load(path)


def test_a_model_registered_by_a_user_learns_is_kept_and_comes_back(tmp_path: Path, rows: Rows) -> None:
    class Commonest(StreetModel):
        """Always the action that was taken most often."""

        kind = "commonest"

        @classmethod
        def pipeline(cls, columns: Any, rows: int, seed: int = 0, **settings: Any) -> Any:
            return Pipeline([("model", DummyClassifier(strategy="most_frequent"))])

        @classmethod
        def arrays_of(cls, model: Any) -> dict[str, Any]:
            return {"answer": model.classes_[model.class_prior_.argmax()].reshape(1)}

        def predict_proba(self, x: Any) -> Any:
            return np.eye(3)[np.repeat(self.arrays["answer"], len(x))]

        def check(self) -> None:
            assert 0 <= self.arrays["answer"][0] < 3

    try:
        MODELS.register("commonest")(Commonest)
        learn_clone([rows] * 4, "commonest", big_blind=10).save(tmp_path / "clone.mz")
        again = Clone.load(tmp_path / "clone.mz").streets[0]
        assert (again.predict(rows.x) == np.bincount(rows.y).argmax()).all()
        assert cross_validate(rows, "commonest").accuracy == pytest.approx(majority(rows))
    finally:
        MODELS.forget("commonest")


def test_damaged_trees_in_a_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "clone.mz"
    learn_clone([rows_of_a_rule(300, k, k) for k in range(4)], "tree", big_blind=10).save(path)
    model = read_model(path)
    arrays = {**model.arrays, "FLOP/left": np.zeros_like(model.arrays["FLOP/left"])}
    write_model(path, Model("clone", model.settings, arrays))
    with pytest.raises(UnreadableError, match="damaged"):
        Clone.load(path)
    write_model(path, Model("clone", model.settings, {}))
    with pytest.raises(UnreadableError, match="not a clone's model"):
        Clone.load(path)
    write_model(path, Model("hero", {}, {}))
    with pytest.raises(UnreadableError, match="not a clone"):
        Clone.load(path)


def test_a_setting_without_effect_is_refused_before_anything_is_learned(rows: Rows) -> None:
    with pytest.raises(UnreadableError, match=r"the model 'tree' has no setting 'rate'; known: bits, weights"):
        cross_validate(rows, "tree", rate=0.1)
    with pytest.raises(UnreadableError, match=r"the model 'bayes' has no setting 'trees'; it has none"):
        learn_clone([rows] * 4, "bayes", big_blind=10, trees=8)


@pytest.mark.parametrize("kind", [kind for kind in MODELS if MODELS[kind].takes])
def test_every_setting_a_model_names_has_an_effect_on_its_learner(kind: str) -> None:
    columns = rows_of_a_rule(50).columns
    other: dict[str, Any] = {"weights": {0: 2.0, 1: 1.0, 2: 1.0}, "neighbours": 3, "trees": 7, "leaves": 5, "leaf": 9}
    of_fit = {"others"}  # handed to `fit`
    usual = MODELS[kind].pipeline(columns, 50).named_steps["model"]
    for name in set(MODELS[kind].takes) - of_fit:
        changed: dict[str, Any] = {name: other.get(name, 0.37)}
        made = MODELS[kind].pipeline(columns, 50, **changed).named_steps["model"]
        assert repr(vars(made)) != repr(vars(usual)), name
