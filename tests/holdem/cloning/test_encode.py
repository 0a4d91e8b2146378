"""No nominal value that occurs is lost on the way to a learner."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mazzo.holdem.attributes import Column
from mazzo.holdem.cloning.data import Rows
from mazzo.holdem.cloning.encode import BLOCK, NUMERIC, Encoder, encode, encode_sparse
from mazzo.holdem.cloning.models import MODELS

VALUES = tuple(f"v{k}" for k in range(1326))
OF_ACTIONS = [name for name in MODELS if MODELS[name].predicts == "CLASS_HERO_ACTION_TAKEN"]
COLUMNS = (Column("HERO_HOLE_CARDS", VALUES), Column("ALL_IN_EQUITY"))


def _hands(n: int = 5304) -> Rows:
    """Every one of 1,326 values four times; a few of them, and nothing else, are raised."""
    rng = np.random.default_rng(3)
    place = np.arange(n) % len(VALUES)
    x = np.column_stack([place.astype(float), rng.random(n)])
    x[rng.random(n) < 0.1, 1] = np.nan
    y = np.where(place % 51 == 7, 0, 2)
    nothing = np.full(n, np.nan)
    return Rows(0, COLUMNS, x, y, np.arange(n).astype(np.uint64), np.arange(n), nothing, nothing, nothing)


@pytest.mark.parametrize(("kind", "settings"), [("tree", {"bits": 1.0}), ("boosting", {"trees": 60}), ("svm", {})])
def test_a_player_who_raises_some_hole_cards_only_is_learned(kind: str, settings: dict[str, Any]) -> None:
    rows = _hands()
    model = MODELS[kind].freeze(MODELS[kind].fit(rows, **settings), rows.columns)
    model.check()
    assert (model.predict(rows.x) == rows.y).all()


def test_hole_cards_alone_can_be_learned_from() -> None:
    rows = _hands().only(["HERO_HOLE_CARDS"])
    for kind in OF_ACTIONS:
        model = MODELS[kind].freeze(MODELS[kind].fit(rows, trees=5), rows.columns)
        assert len(model.predict(rows.x)) == len(rows)


@given(st.lists(st.one_of(st.none(), st.integers(0, 600)), min_size=1, max_size=40))
def test_two_rows_are_encoded_alike_only_if_their_values_are(places: list[int | None]) -> None:
    column = (Column("HERO_HOLE_CARDS", VALUES[:601]),)
    x = np.array([[np.nan if k is None else k] for k in places])
    if np.isnan(x).all():
        return
    for form in ("categories", "distances", "sparse"):
        encoder = Encoder(column, form).fit(x)
        seen = encoder.transform(x)
        rows = [
            tuple(row) for row in np.nan_to_num(seen if form == "categories" else seen.toarray(), nan=-1.0).tolist()
        ]
        assert len(set(rows)) == len(set(places)), form


def test_categories_stand_in_blocks_that_a_learner_can_take() -> None:
    x = np.arange(1326.0)[:, None]
    encoder = Encoder(COLUMNS[:1], "categories").fit(x)
    seen = encoder.transform(x)
    assert seen.shape == (1326, 6)
    assert np.nanmax(seen) == BLOCK - 1
    assert (np.isnan(seen).sum(axis=1) == 5).all()


def test_missing_numbers_can_go_either_way_in_a_tree() -> None:
    rng = np.random.default_rng(0)
    x = rng.random((400, 1))
    x[::4] = np.nan
    for low in (True, False):  # the missing act as small numbers do, or as large ones
        y = np.where(np.isnan(x[:, 0]), low, x[:, 0] < 0.5).astype(np.int64)
        nothing = np.full(400, np.nan)
        rows = Rows(0, COLUMNS[1:], x, y, np.arange(400).astype(np.uint64), np.arange(400), nothing, nothing, nothing)
        fitted = MODELS["tree"].fit(rows)
        model = MODELS["tree"].freeze(fitted, rows.columns)
        assert (model.predict(x) == y).all()
        assert (model.predict(x) == fitted.predict(x)).all()
        assert model.size == (3, 2)


def test_sparse_and_dense_encodings_agree() -> None:
    x = _hands().x[:300]
    encoder = Encoder(COLUMNS).fit(x)
    known = encoder.side_ == 0
    dense = encode(x, encoder.at_[known], encoder.value_[known])
    sparse = encode_sparse(x, encoder.at_, encoder.value_, encoder.fill_, encoder.scale_, False).toarray()
    assert (dense == sparse[:, known]).all()
    assert (encoder.value_[~known] == NUMERIC).all()
