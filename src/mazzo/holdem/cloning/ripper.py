"""RIPPER (Cohen 1995): rules for all classes but the commonest, grown, pruned, weighed by description length, revised.

Classes are taken from the rarest on; a rule is conditions that must all hold, the first rule that fires decides, and
where none does the commonest class is the answer. What is missing meets no condition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from mazzo.arrays import Floats
from mazzo.holdem.attributes import Column

__all__ = ["AT_LEAST", "AT_MOST", "EQUALS", "Condition", "Ripper", "covered"]

Mask = NDArray[np.bool_]

AT_MOST, AT_LEAST, EQUALS = range(3)
_LONGER = 64.0  # bits by which a rule set may be longer than the shortest before growing stops


class Condition(NamedTuple):
    """One comparison of a column."""

    column: int
    kind: int
    value: float

    def holds(self, x: Floats) -> Mask:
        """In which rows it holds."""
        column = x[:, self.column]
        if self.kind == EQUALS:
            return np.asarray(column == self.value)
        return np.asarray(column <= self.value if self.kind == AT_MOST else column >= self.value)


def covered(rule: Sequence[Condition], x: Floats) -> Mask:
    """Rows that meet all conditions."""
    mask = np.ones(len(x), np.bool_)
    for condition in rule:
        mask &= condition.holds(x)
    return mask


def _gain(p: Any, n: Any, before: float) -> Any:
    """FOIL's gain: bits saved on the positives that stay."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(p > 0, p * (np.log2(p / (p + n)) - before), -np.inf)


@dataclass
class _Task:
    """One class against those that come after it."""

    x: Floats
    positive: Mask
    nominal: Sequence[bool]
    tests: int
    """How many different conditions there are, for the description length."""


def _best_condition(task: _Task, rows: NDArray[np.int64]) -> tuple[float, Condition | None]:
    positive = task.positive[rows]
    p_all, n_all = int(positive.sum()), int((~positive).sum())
    before = np.log2(p_all / (p_all + n_all)) if p_all else 0.0
    best, chosen = 1e-9, None
    for k, nominal in enumerate(task.nominal):
        values = task.x[rows, k]
        known = ~np.isnan(values)
        v, pos = values[known], positive[known]
        if not len(v):
            continue
        if nominal:
            kinds, at = np.unique(v, return_inverse=True)
            p = np.bincount(at, pos, len(kinds))
            gains = _gain(p, np.bincount(at, ~pos, len(kinds)), before)
            top = int(gains.argmax())
            if gains[top] > best:
                best, chosen = float(gains[top]), Condition(k, EQUALS, float(kinds[top]))
            continue
        order = np.argsort(v, kind="stable")
        v, pos = v[order], pos[order]
        ends = np.flatnonzero(v[1:] != v[:-1])
        p, count = np.cumsum(pos)[ends], ends + 1.0
        total = float(pos.sum())
        for kind, gains in (
            (AT_MOST, _gain(p, count - p, before)),
            (AT_LEAST, _gain(total - p, len(v) - count - (total - p), before)),
        ):
            if len(gains) and gains.max() > best:
                top = int(gains.argmax())
                low, high = float(v[ends[top]]), float(v[ends[top] + 1])
                middle = (low + high) / 2
                cut = middle if low < middle < high else (low if kind == AT_MOST else high)
                best, chosen = float(gains.max()), Condition(k, kind, cut)
    return best, chosen


def _grow(task: _Task, rows: NDArray[np.int64], begin: Sequence[Condition] = ()) -> list[Condition]:
    rule = list(begin)
    rows = rows[covered(rule, task.x[rows])]
    while len(rows) and not task.positive[rows].all() and len(rule) < 32:
        _, condition = _best_condition(task, rows)
        if condition is None:
            break
        rule.append(condition)
        rows = rows[condition.holds(task.x[rows])]
    return rule


def _prune(task: _Task, rows: NDArray[np.int64], rule: list[Condition]) -> list[Condition]:
    """Drop the last conditions as long as that does not make the rule worse on rows it was not grown on."""
    best, keep = -np.inf, len(rule)
    for length in range(len(rule), 0, -1):
        hit = task.positive[rows[covered(rule[:length], task.x[rows])]]
        worth = (2 * hit.sum() - len(hit)) / len(hit) if len(hit) else 0.0
        if worth >= best:
            best, keep = worth, length
    return rule[:keep]


def _log_choose(k: float, n: float) -> float:
    """Bits to name k of n, by Stirling's bound as entropy."""
    if n <= 0 or k <= 0 or k >= n:
        return 0.0
    q = k / n
    return float(n * -(q * np.log2(q) + (1 - q) * np.log2(1 - q)))


def _length(task: _Task, rules: Sequence[Sequence[Condition]]) -> float:
    """The description length of rules and of what they get wrong, in bits."""
    fired = np.zeros(len(task.x), np.bool_)
    bits = 0.0
    for rule in rules:
        fired |= covered(rule, task.x)
        bits += 0.5 * (np.log2(max(len(rule), 1)) + 1 + len(rule) * np.log2(max(task.tests, 2)))
    hits = int(fired.sum())
    wrong, missed = int((fired & ~task.positive).sum()), int((~fired & task.positive).sum())
    return float(bits + _log_choose(wrong, hits) + _log_choose(missed, len(fired) - hits) + np.log2(len(fired) + 1))


class Ripper(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Multi-class RIPPER over numbers and nominal values."""

    def __init__(self, columns: Sequence[Column] = (), classes: int = 3, optimize: int = 1, seed: int = 0) -> None:
        self.columns = columns
        self.classes = classes
        self.optimize = optimize
        self.seed = seed

    def fit(self, x: Floats, y: NDArray[np.int64]) -> Ripper:
        """Learn the rules."""
        rng = np.random.default_rng(self.seed)
        nominal = [column.nominal for column in self.columns]
        tests = sum(len(np.unique(x[:, k][~np.isnan(x[:, k])])) for k in range(x.shape[1]))
        counts = np.bincount(y, minlength=self.classes)
        order = [int(k) for k in np.argsort(counts, kind="stable") if counts[k]]
        self.rules_: list[tuple[int, list[Condition]]] = []
        left = np.ones(len(x), np.bool_)
        for target in order[:-1]:
            task = _Task(x[left], y[left] == target, nominal, tests)
            rules = self._rules_for(task, rng)
            self.rules_ += [(target, rule) for rule in rules]
            for rule in rules:
                left &= ~covered(rule, x)
        self.default_ = order[-1] if order else 0
        self.classes_ = np.arange(self.classes)
        self._count(x, y)
        return self

    def _rules_for(self, task: _Task, rng: np.random.Generator) -> list[list[Condition]]:
        rules = self._cover(task, [], np.arange(len(task.x)), rng)
        for _ in range(self.optimize):
            rules = self._revise(task, rules, rng)
            fired = np.zeros(len(task.x), np.bool_)
            for rule in rules:
                fired |= covered(rule, task.x)
            rules = self._cover(task, rules, np.flatnonzero(~fired), rng)
        return self._drop(task, rules)

    def _cover(
        self, task: _Task, rules: list[list[Condition]], rows: NDArray[np.int64], rng: np.random.Generator
    ) -> list[list[Condition]]:
        """Add rules until nothing is left, the last is no better than chance, or the set grows too long."""
        rules = list(rules)
        shortest = _length(task, rules)
        while task.positive[rows].any():
            grow, prune = _split(task, rows, rng)
            rule = _prune(task, prune, _grow(task, grow))
            hit = task.positive[prune[covered(rule, task.x[prune])]]
            if not rule or (len(hit) and hit.mean() < 0.5) or not covered(rule, task.x[rows]).any():
                break
            rules.append(rule)
            length = _length(task, rules)
            if length > shortest + _LONGER:
                rules.pop()
                break
            shortest = min(shortest, length)
            rows = rows[~covered(rule, task.x[rows])]
        return rules

    def _revise(self, task: _Task, rules: list[list[Condition]], rng: np.random.Generator) -> list[list[Condition]]:
        """Offer every rule a replacement grown anew and one grown on; the shortest description stays."""
        rules = list(rules)
        for k, rule in enumerate(rules):
            others = np.zeros(len(task.x), np.bool_)
            for j, other in enumerate(rules):
                if j != k:
                    others |= covered(other, task.x)
            rows = np.flatnonzero(~others)
            if not task.positive[rows].any():
                continue
            grow, prune = _split(task, rows, rng)
            offers = [rule, _prune(task, prune, _grow(task, grow)), _prune(task, prune, _grow(task, grow, rule))]
            lengths = [_length(task, [*rules[:k], offer, *rules[k + 1 :]]) if offer else np.inf for offer in offers]
            rules[k] = offers[int(np.argmin(lengths))]
        return rules

    def _drop(self, task: _Task, rules: list[list[Condition]]) -> list[list[Condition]]:
        """Leave out rules without which the description is shorter, the last first."""
        for k in range(len(rules) - 1, -1, -1):
            fewer = [*rules[:k], *rules[k + 1 :]]
            if _length(task, fewer) < _length(task, rules):
                rules = fewer
        return rules

    def _count(self, x: Floats, y: NDArray[np.int64]) -> None:
        """How many rows of each class each rule decides, the default last."""
        fired = self._fired(x)
        self.support_ = np.zeros((len(self.rules_) + 1, self.classes))
        np.add.at(self.support_, (fired, y), 1)

    def _fired(self, x: Floats) -> NDArray[np.int64]:
        fired = np.full(len(x), len(self.rules_))
        for k, (_, rule) in reversed(list(enumerate(self.rules_))):
            fired[covered(rule, x)] = k
        return fired

    def predict(self, x: Floats) -> NDArray[np.int64]:
        """The class of the first rule that fires."""
        answers = np.array([*(target for target, _ in self.rules_), self.default_])
        return np.asarray(answers[self._fired(x)])


def _split(task: _Task, rows: NDArray[np.int64], rng: np.random.Generator) -> tuple[Any, Any]:
    """Two thirds to grow on and a third to prune on, of positives and negatives alike."""
    grow, prune = [], []
    for side in (rows[task.positive[rows]], rows[~task.positive[rows]]):
        mixed = rng.permutation(side)
        cut = -(-2 * len(mixed) // 3)
        grow.append(mixed[:cut])
        prune.append(mixed[cut:])
    return np.concatenate(grow), np.concatenate(prune)
