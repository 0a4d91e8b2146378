"""From attributes to columns of a data set: each with the values it can have, and the rows as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mazzo.holdem.attributes.registry import REGISTRY, Attribute
from mazzo.holdem.attributes.situations import Situations
from mazzo.holdem.attributes.values import OTHER, sequence_code, sequence_text, sequences
from mazzo.holdem.game import Game

__all__ = ["Column", "columns_of", "describe", "fixed_values"]

Floats = NDArray[np.float64]


def fixed_values(attribute: Attribute, games: Iterable[Game]) -> tuple[str, ...] | None:
    """The values an attribute can have in some games; None where only the data says (betting sequences)."""
    if not attribute.sequence:
        return attribute.values
    shapes = {(g.limit, g.players, g.max_raises) for g in games}
    if shapes == {(True, 3, (3, 4, 4, 4))}:
        return sequences(3 if attribute.name.startswith("PREFLOP") else 4)
    return None


@dataclass(frozen=True)
class Column:
    """One column: an attribute, and its values if it is nominal."""

    name: str
    values: tuple[str, ...] | None = None

    @property
    def attribute(self) -> Attribute:
        """What it holds."""
        return REGISTRY[self.name]

    @property
    def nominal(self) -> bool:
        """Whether it holds one of some values."""
        return self.attribute.type == "nominal"

    def of(self, situations: Situations) -> Floats:
        """The column: numbers, or places of values; NaN where missing."""
        found = self.attribute.work(situations)
        if not self.nominal:
            return np.asarray(found, np.float64)
        if self.attribute.sequence:
            found = self._places(np.asarray(found))
        return np.where(found < 0, np.nan, found)

    def _places(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        values = self.values or ()
        known = np.array([sequence_code(k) if k != OTHER else 0 for k in values] or [0], np.int64)
        order = np.argsort(known)
        at = np.minimum(np.searchsorted(known[order], codes), len(known) - 1)
        hit = known[order][at] == codes
        other = values.index(OTHER) if OTHER in values else -1
        return np.where(hit & (len(values) > 0), order[at], other)

    def with_values_of(self, situations: Iterable[Situations]) -> Column:
        """A column of betting sequences with those that occur, and OTHER."""
        if not self.attribute.sequence or self.values is not None:
            return self
        seen: set[int] = set()
        for batch in situations:
            seen.update(np.unique(self.attribute.work(batch)).tolist())
        texts = sorted(sequence_text(code) for code in seen if code > 0)
        return Column(self.name, (*texts, OTHER))


def columns_of(names: Sequence[str], games: Iterable[Game]) -> tuple[Column, ...]:
    """Columns of attributes by name, for hands of some games."""
    every = list(games)
    return tuple(Column(name, fixed_values(REGISTRY[name], every)) for name in names)


def describe(situations: Situations, columns: Sequence[Column]) -> Floats:
    """The rows: one a decision, a number a column."""
    out = np.empty((len(situations), len(columns)))
    for k, column in enumerate(columns):
        out[:, k] = column.of(situations)
    return out
