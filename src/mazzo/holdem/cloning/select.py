"""Which attributes matter: rankings by information, and correlation-based subsets (Hall 1999).

Numbers are cut into parts of equally many rows; what is missing is a value of its own.
"""

from __future__ import annotations

import numpy as np

from mazzo.arrays import Ints
from mazzo.holdem.cloning.data import Rows

__all__ = ["best_first", "greedy", "information_gain", "symmetrical_uncertainty"]

_PARTS = 32
_STALE = 5


def _coded(rows: Rows) -> list[Ints]:
    """Every column as small whole numbers."""
    out = []
    for k, column in enumerate(rows.columns):
        values = rows.x[:, k]
        known = ~np.isnan(values)
        if not column.nominal and known.any():
            cuts = np.unique(np.quantile(values[known], np.linspace(0, 1, _PARTS + 1)[1:-1]))
            coded = np.searchsorted(cuts, np.where(known, values, 0))
        else:
            coded = np.where(known, values, 0).astype(np.int64)
        out.append(np.unique(np.where(known, coded + 1, 0), return_inverse=True)[1])
    return out


def _entropy(codes: Ints) -> float:
    shares = np.bincount(codes) / max(len(codes), 1)
    shares = shares[shares > 0]
    return float(-(shares * np.log2(shares)).sum())


def _uncertainty(one: Ints, other: Ints) -> tuple[float, float]:
    """Information the two share, in bits, and the same as a share of both (symmetrical uncertainty)."""
    alone = _entropy(one), _entropy(other)
    together = _entropy(np.unique(one * (int(other.max(initial=0)) + 1) + other, return_inverse=True)[1])
    shared = max(alone[0] + alone[1] - together, 0.0)
    return shared, 2 * shared / sum(alone) if sum(alone) else 0.0


def _ranked(rows: Rows, which: int) -> list[tuple[str, float]]:
    found = [(c.name, _uncertainty(codes, rows.y)[which]) for c, codes in zip(rows.columns, _coded(rows), strict=True)]
    return sorted(found, key=lambda each: -each[1])


def information_gain(rows: Rows) -> list[tuple[str, float]]:
    """Attributes by the bits they tell about the action."""
    return _ranked(rows, 0)


def symmetrical_uncertainty(rows: Rows) -> list[tuple[str, float]]:
    """Attributes by the bits they share with the action, as a part of both: many values are no advantage."""
    return _ranked(rows, 1)


class _Merit:
    """How good a subset is: much about the action, little about each other."""

    def __init__(self, rows: Rows) -> None:
        self.codes = _coded(rows)
        self.to_class = np.array([_uncertainty(codes, rows.y)[1] for codes in self.codes])
        self._between: dict[tuple[int, int], float] = {}

    def between(self, one: int, other: int) -> float:
        key = (min(one, other), max(one, other))
        if key not in self._between:
            self._between[key] = _uncertainty(self.codes[key[0]], self.codes[key[1]])[1]
        return self._between[key]

    def of(self, subset: frozenset[int]) -> float:
        if not subset:
            return 0.0
        members = sorted(subset)
        about = float(self.to_class[members].sum())
        among = sum(self.between(a, b) for k, a in enumerate(members) for b in members[k + 1 :])
        return about / float(np.sqrt(len(members) + 2 * among))


def greedy(rows: Rows) -> tuple[str, ...]:
    """The subset that adding the best attribute again and again leads to, until none helps."""
    merit = _Merit(rows)
    chosen: frozenset[int] = frozenset()
    best = 0.0
    while True:
        offers = [(merit.of(chosen | {k}), k) for k in range(len(rows.columns)) if k not in chosen]
        value, k = max(offers, default=(0.0, -1))
        if value <= best:
            return tuple(rows.columns[j].name for j in sorted(chosen))
        best, chosen = value, chosen | {k}


def best_first(rows: Rows) -> tuple[str, ...]:
    """The best subset of a search that goes back to the best one not yet widened, until five bring nothing."""
    merit = _Merit(rows)
    waiting: list[tuple[float, frozenset[int]]] = [(0.0, frozenset())]
    known = {frozenset[int]()}
    best, chosen, stale = 0.0, frozenset[int](), 0
    while waiting and stale < _STALE:
        waiting.sort(key=lambda each: each[0])
        _, subset = waiting.pop()
        improved = False
        for k in range(len(rows.columns)):
            wider = subset | {k}
            if wider in known:
                continue
            known.add(wider)
            value = merit.of(wider)
            waiting.append((value, wider))
            if value > best:
                best, chosen, improved = value, wider, True
        stale = 0 if improved else stale + 1
    return tuple(rows.columns[j].name for j in sorted(chosen))
