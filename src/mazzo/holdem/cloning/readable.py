"""A reading model beside the playing one: a small tree fitted to what the playing model answers.

It looks at nothing that a person would not say: no single cards, suits or betting sequences by name.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mazzo.holdem.attributes.select import RAW_CARDS
from mazzo.holdem.cloning.data import Rows
from mazzo.holdem.cloning.models import MODELS, StreetModel
from mazzo.holdem.cloning.models.tree import DecisionTree

__all__ = ["MOST_LEAVES", "reading_tree"]

MOST_LEAVES = 14
_BITS = (3.0, 6.0, 12.0, 25.0, 50.0, 100.0, 200.0, 400.0, 1000.0, 4000.0, 20_000.0)
_MOST_ROWS = 20_000


def reading_tree(model: StreetModel, rows: Rows, seed: int = 0) -> DecisionTree | None:
    """A small tree that says what a model says, with its `fidelity` on held-out decisions; None if it is small itself.

    `rows` are the decisions that the model was learned from, with its columns.
    """
    if isinstance(model, DecisionTree) and model.size[1] <= MOST_LEAVES and _plain(model):
        return None
    names = [k.name for k in model.columns if k.name not in RAW_CARDS and not k.attribute.sequence]
    some = (
        rows
        if len(rows) <= _MOST_ROWS
        else rows[np.sort(np.random.default_rng(seed).permutation(len(rows))[:_MOST_ROWS])]
    )
    answers = model.predict(some.x)
    told = replace(some.only(names), y=answers)
    if not names or len(told) < 20:
        return None
    held = _held_out(told, seed)
    whole = MODELS["tree"]
    bits = _bits(told, seed)
    tree = whole.freeze(whole.fit(told[~held], seed, bits=bits), told.columns)
    fidelity = float((tree.predict(told.x[held]) == answers[held]).mean())
    made = whole.freeze(
        whole.fit(told, seed, bits=bits),
        told.columns,
        {"fidelity": fidelity, "held_out": int(held.sum()), "rows": len(told)},
    )
    assert isinstance(made, DecisionTree)
    return made


def _plain(model: DecisionTree) -> bool:
    used = {model.columns[int(k)].name for k in model.looks_at}
    return not used & set(RAW_CARDS)


def _held_out(rows: Rows, seed: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """A quarter of the groups; of the rows, where there are few groups."""
    rng = np.random.default_rng(seed)
    groups = np.unique(rows.group)
    if len(groups) < 4:
        return np.asarray(rng.random(len(rows)) < 0.25)
    return np.isin(rows.group, rng.permutation(groups)[: max(1, len(groups) // 4)])


def _bits(rows: Rows, seed: int) -> float:
    """What a leaf must save so that the tree of all rows is small enough to be read."""
    tree = MODELS["tree"]
    for bits in _BITS:
        if tree.freeze(tree.fit(rows, seed, bits=bits), rows.columns).size[1] <= MOST_LEAVES:
            return bits
    return _BITS[-1]
