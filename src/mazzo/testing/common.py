"""What the checks share: a deal played at random, and where two observations differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import islice
from typing import Any

import numpy as np

from mazzo.deal import Deal
from mazzo.games import Entry

__all__ = ["LISTED", "NEVER", "first_difference", "positions", "some_legal"]

LISTED = 40
"""Of more legal actions than this a few are tried."""
NEVER = -(10**6)
"""The number of no action of any game."""


def positions(entry: Entry, rules: Any, seed: int, number: int) -> Iterator[tuple[Deal, np.random.Generator]]:
    """A deal played at random, before each action and at its end."""
    deal, rng = entry.deal(rules, seed, number), np.random.default_rng([seed, number])
    while True:
        yield deal, rng
        if deal.over:
            return
        deal.act(int(rng.choice(some_legal(deal, rng))))


def some_legal(deal: Deal, rng: np.random.Generator) -> list[int]:
    """The legal actions; of very many the first, the last and one between."""
    legal = list(islice(deal.legal, 10**5))
    return legal if len(legal) <= LISTED else [*legal[:4], int(rng.choice(legal)), legal[-1]]


def first_difference(one: Any, other: Any) -> str:
    """The first field in which two observations differ; a row of numbers may be filled up with -1."""
    assert is_dataclass(one), f"{type(one).__name__} is no dataclass: its fields cannot be compared"
    return next((f.name for f in fields(one) if not _same(getattr(one, f.name), getattr(other, f.name))), "")


def _same(one: Any, other: Any) -> bool:
    if not isinstance(one, np.ndarray):
        return bool(one == other)
    if one.ndim == other.ndim == 2 and one.shape[1] != other.shape[1]:
        width = min(one.shape[1], other.shape[1])
        filled = (one[:, width:] == -1).all() and (other[:, width:] == -1).all()
        return bool(filled) and np.array_equal(one[:, :width], other[:, :width])
    return np.array_equal(one, other)
