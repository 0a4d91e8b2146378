"""What is asked of a game's `Table`: rows that are the deals of the same numbers, and observations apart from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.deal import Deal
from mazzo.errors import IllegalError
from mazzo.games import Entry
from mazzo.lockstep import Lockstep
from mazzo.testing.common import NEVER, first_difference, some_legal

__all__ = ["check_settled", "check_table"]


def check_table(entry: Entry, rules: Any, deals: int, seed: int) -> None:
    """Rows of a table are the deals of the same numbers, played the same way."""
    table, rng = entry.table(rules, range(3, 3 + deals), seed), np.random.default_rng(seed)
    alone = [entry.deal(rules, seed, 3 + k) for k in range(deals)]
    assert len(table) == deals, f"a table of {deals} deals has {len(table)} rows"
    while len(rows := np.flatnonzero(table.actor >= 0)):
        seen = table.observe(rows)
        _check_apart(seen, table)
        for k, row in enumerate(rows.tolist()):
            deal = alone[row]
            assert table.actor[row] == deal.turn, f"row {row} waits for seat {table.actor[row]}, the deal not: {deal}"
            wrong = first_difference(seen[k : k + 1], deal.observe())
            assert not wrong, f"{wrong} of the observation is not the same in a table: {deal.text()}"
        _check_refused_in_table(table, rows, alone, rng)
        actions = np.array([rng.choice(some_legal(alone[row], rng)) for row in rows])
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            alone[row].act(action)
        table.apply(rows, actions)
    check_settled(entry, table)
    for row, payoffs in enumerate(table.settle()):
        assert np.allclose(payoffs, alone[row].payoffs), f"a table pays {payoffs}, the deal {alone[row].payoffs}"


def _check_refused_in_table(table: Lockstep, rows: Ints, alone: Sequence[Deal], rng: np.random.Generator) -> None:
    """One illegal action among legal ones is refused before any is carried out."""
    actions = np.array([some_legal(alone[row], rng)[0] for row in rows])
    actions[-1] = NEVER
    before = table.observe(rows)
    try:
        table.apply(rows, actions)
    except IllegalError:
        pass
    else:
        raise AssertionError(f"a table carries out action {NEVER}")
    assert not first_difference(before, table.observe(rows)), "a table refused one action and carried out others"


def _check_apart(seen: Any, table: Lockstep) -> None:
    """Nothing in an observation leads back to the table, where all cards are."""
    held = list(_arrays(vars(table)))
    for name, array in ((f.name, getattr(seen, f.name)) for f in fields(seen)):
        if isinstance(array, np.ndarray) and array.size:
            root = array
            while isinstance(root.base, np.ndarray):
                root = root.base
            shared = any(np.may_share_memory(root, other) for other in held)
            assert not shared, f"{name} of the observation shares its memory with the table"


def _arrays(value: Any) -> Iterator[NDArray[Any]]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _arrays(inner)
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from _arrays(inner)


def check_settled(entry: Entry, table: Lockstep) -> None:
    """All has been played, and what some won the others lost, where the game says so."""
    assert (table.actor < 0).all(), "somebody is still to act when all has been played"
    if getattr(entry, "ZERO_SUM", False):
        assert np.allclose(table.settle().sum(axis=1), 0), "something was won that nobody lost"
