"""How much a player raises where it may choose: first a class of pot fraction, then the amount that is usual in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem.cloning.data import Rows
from mazzo.holdem.cloning.encode import NUMERIC, softmax
from mazzo.holdem.cloning.models.base import Arrays, check_within
from mazzo.holdem.cloning.models.tuned import Tuned

__all__ = ["SizeModel", "learn_sizes"]

EDGES = (0.4, 0.6, 0.85, 1.2, 2.5)
"""Where one class of raises ends and the next begins, in pots after the call."""
_FEWEST = 12
"""Raises that a class has at least; smaller ones join a neighbour."""
_FOLDS = 4
_PLAN: dict[str, Any] = {"leaves": 4, "leaf": 10, "rate": 0.1, "inputs": 0.4}


class SizeModel(Tuned):
    """The chance of each class of raise."""

    kind = "sizes"

    @classmethod
    def arrays_of(cls, model: Any) -> Arrays:
        """Its trees, and the usual amount of each class in pots after the call."""
        return {**super().arrays_of(model), "amounts": np.asarray(model.amounts_, np.float64)}

    @property
    def amounts(self) -> Floats:
        """What a raise of each class usually adds to the call, in pots after the call."""
        return np.asarray(self.arrays["amounts"])

    def predict_proba(self, x: Floats) -> Floats:
        """The chance of each class of raise."""
        a = self.arrays
        out = np.zeros((len(x), len(a["amounts"])))
        out[:, a["classes"]] = softmax(self.sums(x) / a["temperature"][0])
        return out

    def check(self) -> None:
        """Trees must be sound and speak for classes that have an amount."""
        self.check_trees()
        a = self.arrays
        problem = "its sizes are damaged: they speak for classes that it does not have"
        check_within(a["classes"], len(a["amounts"]), problem)
        check_within(a["which"], len(a["base"]), problem)
        if len(a["base"]) != len(a["classes"]) or not len(a["classes"]) or (a["value"] != NUMERIC).any():
            raise UnreadableError(problem)
        if not (np.isfinite(a["amounts"]).all() and (a["amounts"] >= 0).all() and (a["amounts"] < 1e6).all()):
            raise UnreadableError("its sizes are damaged: an amount is not a share of the pot")
        if a["temperature"].shape != (1,) or not 0 < float(a["temperature"][0]) < np.inf:
            raise UnreadableError("its sizes are damaged: its temperature must be above 0")


def size_classes(shares: Floats) -> tuple[Ints, Floats]:
    """The class of each raise and the usual amount of each class; classes of few raises join the one below."""
    place = np.searchsorted(EDGES, shares, side="left")
    kept: list[int] = []
    for k in range(len(EDGES) + 1):
        if (place == k).sum() >= _FEWEST:
            kept.append(k)
    if not kept:
        return np.zeros(len(shares), np.int64), np.array([float(np.median(shares))])
    near = np.abs(place[:, None] - np.array(kept)[None, :]).argmin(axis=1)
    return near, np.array([float(np.median(shares[near == k])) for k in range(len(kept))])


def learn_sizes(rows: Rows, seed: int = 0) -> SizeModel | None:
    """How a player sizes its raises on a street; None where there is nothing to learn, as in limit games.

    `settings` of the model say how well it does on held-out groups: the share of classes it predicts (`accuracy`),
    that of the commonest class (`majority`), and the mean error of the amount in pots with and without it.
    """
    from mazzo.holdem.cloning.validate import folds_of
    from mazzo.learn.boosted_classes import STEP, BoostingPlan, boost_classes

    raised = np.flatnonzero(~np.isnan(rows.raise_share) & np.isfinite(rows.raise_share))
    if len(raised) < 4 * _FEWEST or len(np.unique(rows.group[raised])) < _FOLDS:
        return None
    some = rows[raised]
    if np.ptp(np.quantile(some.raise_share, [0.02, 0.98])) < 1e-9:
        return None
    y, amounts = size_classes(some.raise_share)
    if len(amounts) < 2:
        return None
    model_rows = _as_classes(some, y)
    fold = folds_of(some.group, _FOLDS, seed)
    looks, rounds = 100 // STEP + 1, 100
    scores = np.zeros((looks, len(some), len(amounts)))
    from mazzo.holdem.cloning.encode import Encoder

    x = Encoder(some.columns, "places", True).fit(some.x).transform(some.x)
    for k in range(_FOLDS):
        test = fold == k
        grown = boost_classes(
            x[~test],
            y[~test],
            len(amounts),
            BoostingPlan(trees=rounds, **_PLAN),
            seed=seed,
            watched=(x[test], y[test], None),
        )
        for look in range(looks):
            scores[look, test] = grown.followed[min(look, len(grown.followed) - 1)]
    losses = [-np.log(np.maximum(softmax(s)[np.arange(len(y)), y], 1e-9)).mean() for s in scores]
    look = int(np.argmin(losses))
    said = amounts[scores[look].argmax(axis=1)]
    usual = float(np.median(some.raise_share))
    settings = {
        "raises": len(some),
        "accuracy": float((scores[look].argmax(axis=1) == y).mean()),
        "majority": float(np.bincount(y).max() / len(y)),
        "log_loss": float(losses[look]),
        "log_loss_without": float(losses[0]),
        "error": float(np.abs(said - some.raise_share).mean()),
        "error_without": float(np.abs(usual - some.raise_share).mean()),
    }
    fitted = SizeModel.fit(model_rows, seed, trees=look * STEP, **_PLAN)
    fitted.named_steps["model"].amounts_ = amounts
    return SizeModel.freeze(fitted, some.columns, settings)


def _as_classes(rows: Rows, y: Ints) -> Rows:
    from dataclasses import replace

    return replace(rows, y=y)
