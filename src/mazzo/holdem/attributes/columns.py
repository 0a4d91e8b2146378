"""From attributes to columns of a data set: each with the values it can have, and the rows as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.holdem.attributes.elementary import refuse_other_than_heads_up_limit
from mazzo.holdem.attributes.registry import REGISTRY, STREETS, Attribute
from mazzo.holdem.attributes.situations import Situations
from mazzo.holdem.attributes.values import OTHER, sequence_code, sequence_text, sequences
from mazzo.holdem.rules import Rules

__all__ = ["Column", "columns_of", "describe", "fixed_values"]

_MOST_RAISES = 4  # with more, the sequences that can occur are too many to list: those that do occur are taken


def fixed_values(attribute: Attribute, games: Iterable[Rules]) -> tuple[str, ...] | None:
    """The values an attribute can have in some games; None where only the data says (betting sequences)."""
    if not attribute.sequence:
        return attribute.values
    streets = [STREETS.index(street) for street in attribute.streets]
    first = streets[:1] if attribute.name.startswith(attribute.streets[0]) else streets  # of one street, or of any
    caps = {(g.limit, g.players, max(g.max_raises[k] for k in first)) for g in games if g.rounds == len(STREETS)}
    limit, players, raises = caps.pop() if len(caps) == 1 else (False, 0, 0)
    return sequences(raises) if limit and players == 3 and raises <= _MOST_RAISES else None


@dataclass(frozen=True)
class Column:
    """One column: an attribute, and its values if it is nominal."""

    name: str
    values: tuple[str, ...] | None = None

    def __reduce__(self) -> Any:
        """With the attribute, so that a process that gets it knows the user's too."""
        return _column, (self.attribute, self.values)

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


def _column(attribute: Attribute, values: tuple[str, ...] | None) -> Column:
    return Column(attribute.name, values)


def columns_of(names: Sequence[str], games: Iterable[Rules]) -> tuple[Column, ...]:
    """Columns of attributes by name, for hands of some games."""
    every = list(games)
    for game in every:
        reason = refuse_other_than_heads_up_limit(game)
        wrong = next((name for name in names if reason and REGISTRY[name].heads_up), None)
        if wrong:
            raise UnreadableError(f"the attribute {wrong!r} does not describe {game.name}: {reason}")
    return tuple(Column(name, fixed_values(REGISTRY[name], every)) for name in names)


def describe(situations: Situations, columns: Sequence[Column], only: Iterable[int] | None = None) -> Floats:
    """The rows: one a decision, a number a column; `only` these places of columns, and NaN in the others."""
    rows = (
        np.empty((len(columns), len(situations))) if only is None else np.full((len(columns), len(situations)), np.nan)
    )
    for k in range(len(columns)) if only is None else only:
        rows[k] = columns[k].of(situations)
    return rows.T
