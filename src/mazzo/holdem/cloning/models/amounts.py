"""Other classes than the action: the chips a player puts in, and what each action wins (Kischka's outlook).

Both are boosted regression trees that answer as the other models do, with how much speaks for each action.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.holdem.attributes import Column
from mazzo.holdem.cloning.data import CLASSES, Rows
from mazzo.holdem.cloning.encode import blocks_of
from mazzo.holdem.cloning.models.base import Arrays
from mazzo.holdem.cloning.models.boosting import Boosting

__all__ = ["ToInvest", "Winnings"]

_RAISE, _FOLD, _CALL = range(3)
_CALL_AMOUNT = "CALL_AMOUNT"
_SURE = 0.9
"""What speaks for the chosen action: these models choose, they do not weigh."""


def _chosen(actions: Any) -> Floats:
    shares = np.full((len(actions), len(CLASSES)), (1 - _SURE) / (len(CLASSES) - 1))
    shares[np.arange(len(actions)), actions] = _SURE
    return shares


class _Amounts(Boosting):
    """Boosted trees of a number."""

    @classmethod
    def learner(cls, columns: Sequence[Column], rows: int, seed: int, **settings: Any) -> Any:
        """scikit-learn's boosting by histograms, for numbers."""
        from sklearn.ensemble import HistGradientBoostingRegressor

        return HistGradientBoostingRegressor(
            max_iter=settings.get("trees", 100),
            learning_rate=settings.get("rate", 0.1),
            early_stopping=False,
            min_samples_leaf=5,
            random_state=seed,
            categorical_features=list(range(sum(blocks_of(column) for column in columns if column.nominal))),
        )

    @classmethod
    def target(cls, rows: Rows) -> tuple[Floats, Floats, Arrays]:
        """What it learns from: attributes, numbers, and what else is to be kept."""
        raise NotImplementedError

    @classmethod
    def fit(cls, rows: Rows, seed: int = 0, **settings: Any) -> Any:
        """A fitted pipeline for the decisions of a street."""
        from threadpoolctl import threadpool_limits

        x, y, kept = cls.target(rows)
        if np.isnan(y).any():
            raise UnreadableError(f"these rows do not say the numbers of {cls.kind!r}: learn from logs")
        made = cls.pipeline(cls.columns_of(rows.columns), len(rows), seed, **settings)
        with threadpool_limits(1):
            made.fit(x, y)
        made.named_steps["model"].kept_ = kept
        return made

    @classmethod
    def columns_of(cls, columns: Sequence[Column]) -> tuple[Column, ...]:
        """The columns that its trees see."""
        return tuple(columns)

    @classmethod
    def arrays_of(cls, model: Any) -> Arrays:
        """The nodes of all trees."""
        return {**cls.trees_of(model), **model.kept_}

    def check(self) -> None:
        """Trees must be sound, and give one number."""
        self.check_trees()
        if len(self.arrays["base"]) != 1 or self.arrays["which"].any():
            raise UnreadableError("its trees are damaged: they do not give one number")


class ToInvest(_Amounts):
    """Predicts the chips that the player puts in (CLASS_TO_INVEST), and plays the action that puts in about as many."""

    kind = "to_invest"
    takes: ClassVar[tuple[str, ...]] = ("trees", "rate")
    predicts = "CLASS_TO_INVEST"

    @classmethod
    def target(cls, rows: Rows) -> tuple[Floats, Floats, Arrays]:
        """The chips put in; kept is what a raise usually adds to the call."""
        if _CALL_AMOUNT not in [column.name for column in rows.columns]:
            raise UnreadableError("CLASS_TO_INVEST needs the attribute CALL_AMOUNT: choose it on every street")
        owed = rows.x[:, [c.name for c in rows.columns].index(_CALL_AMOUNT)]
        added = (rows.to_invest - owed)[rows.y == _RAISE]
        return rows.x, rows.to_invest, {"added": np.array([np.median(added) if len(added) else 1.0])}

    def amounts(self, x: Floats) -> Floats:
        """The chips it predicts."""
        return self.sums(x)[:, 0]

    @property
    def looks_at(self) -> Any:
        """Its trees' columns, and what a call costs."""
        return np.union1d(super().looks_at, [self._owed])

    @property
    def _owed(self) -> int:
        return [column.name for column in self.columns].index(_CALL_AMOUNT)

    def predict_proba(self, x: Floats) -> Floats:
        """The action that puts in about as many chips."""
        amount, owed = self.amounts(x), np.nan_to_num(x[:, self._owed])
        action = np.where(amount > owed + float(self.arrays["added"][0]) / 2, _RAISE, _CALL)
        return _chosen(np.where((owed > 0) & (amount < owed / 2), _FOLD, action))

    def check(self) -> None:
        """It must know what a call costs and what a raise adds."""
        super().check()
        if _CALL_AMOUNT not in [column.name for column in self.columns] or self.arrays["added"].shape != (1,):
            raise UnreadableError("its trees are damaged: they do not say what a call costs or a raise adds")


class Winnings(_Amounts):
    """Predicts what each action wins, from what it won where the player took it, and plays the best."""

    kind = "winnings"
    takes: ClassVar[tuple[str, ...]] = ("trees", "rate")
    predicts = "CLASS_WINNINGS"

    @classmethod
    def columns_of(cls, columns: Sequence[Column]) -> tuple[Column, ...]:
        """The action is a column more."""
        return (*columns, Column("CLASS_HERO_ACTION_TAKEN", CLASSES))

    @classmethod
    def target(cls, rows: Rows) -> tuple[Floats, Floats, Arrays]:
        """What was won in the hand."""
        return np.column_stack([rows.x, rows.y]), rows.net, {}

    def winnings(self, x: Floats) -> Floats:
        """Chips that RAISE, FOLD and CALL are predicted to win."""
        return np.column_stack([self.sums(np.column_stack([x, np.full(len(x), k)]))[:, 0] for k in range(len(CLASSES))])

    @property
    def looks_at(self) -> Any:
        """All columns but the action's."""
        return np.arange(len(self.columns))

    def predict_proba(self, x: Floats) -> Floats:
        """The action that is predicted to win most."""
        return _chosen(self.winnings(x).argmax(axis=1))

    def check(self) -> None:
        """Every encoded column must belong to a column, or to the action."""
        widened = type(self)((*self.columns, Column("CLASS_HERO_ACTION_TAKEN", CLASSES)), self.arrays)
        super(Winnings, widened).check()
