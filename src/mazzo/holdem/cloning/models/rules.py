"""Rules in order, the first that holds decides (RIPPER)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.holdem.attributes import Column
from mazzo.holdem.cloning.data import CLASSES
from mazzo.holdem.cloning.models.base import Arrays, StreetModel, check_actions, check_within
from mazzo.holdem.cloning.ripper import Condition, Ripper, covered

__all__ = ["DecisionRules"]


class DecisionRules(StreetModel):
    """An ordered list of rules and what holds where none fires."""

    kind = "rules"

    @classmethod
    def pipeline(cls, columns: Sequence[Column], rows: int, seed: int = 0, **settings: Any) -> Any:
        """RIPPER, which takes attributes as they are."""
        from sklearn.pipeline import Pipeline

        return Pipeline([("model", Ripper(columns, seed=seed))])

    @classmethod
    def arrays_of(cls, model: Any) -> Arrays:
        """All conditions one after another, how many each rule has, what it says and how often it was right."""
        conditions = [condition for _, rule in model.rules_ for condition in rule]
        return {
            "target": np.array([target for target, _ in model.rules_], np.int64),
            "lengths": np.array([len(rule) for _, rule in model.rules_], np.int64),
            "columns": np.array([k.column for k in conditions], np.int64),
            "kinds": np.array([k.kind for k in conditions], np.int64),
            "cuts": np.array([k.value for k in conditions], np.float64),
            "support": model.support_,
            "default": np.array([model.default_], np.int64),
        }

    def rules(self) -> list[tuple[int, list[Condition]]]:
        """Its rules in order: the action and the conditions."""
        a = self.arrays
        ends = np.cumsum(a["lengths"])
        conditions = [
            Condition(int(k), int(kind), float(cut))
            for k, kind, cut in zip(a["columns"], a["kinds"], a["cuts"], strict=True)
        ]
        return [
            (int(target), conditions[end - length : end])
            for target, length, end in zip(a["target"], a["lengths"], ends, strict=True)
        ]

    def predict_proba(self, x: Floats) -> Floats:
        """The shares of the actions where the same rule fired; the rule's own action leads."""
        rules = self.rules()
        answers = np.array([*(target for target, _ in rules), int(self.arrays["default"][0])])
        fired = np.full(len(x), len(rules))
        for k, (_, rule) in reversed(list(enumerate(rules))):
            fired[covered(rule, x)] = k
        support = self.arrays["support"][fired] + 0.5
        shares = support / support.sum(axis=1, keepdims=True)
        # A rule's answer stands even where most rows it decides are of another class.
        shares[np.arange(len(x)), answers[fired]] += 1.0
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def check(self) -> None:
        """Conditions must be on columns there are, answers must be actions, and every rule must have its support."""
        a = self.arrays
        check_within(a["columns"], len(self.columns), "its rules are damaged: one asks for a column it does not have")
        check_actions(np.concatenate([a["target"], a["default"]]))
        if a["lengths"].min(initial=0) < 0 or a["lengths"].sum() != len(a["columns"]):
            raise UnreadableError("its rules are damaged: their lengths do not add up to their conditions")
        if a["support"].shape != (len(a["target"]) + 1, len(CLASSES)):
            raise UnreadableError("its rules are damaged: their support is not a row for each")

    @property
    def size(self) -> tuple[int, int]:
        """Conditions and rules, the one that holds else among them."""
        lengths = self.arrays["lengths"]
        return int(lengths.sum()), len(lengths) + 1
