"""How good predicted chances are: log-loss, Brier's score, and how often what was given a chance happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.statistics import Moments, wilson

__all__ = ["LEAST", "ChanceScores", "scores_of"]

LEAST = 1e-6
"""The least chance that log-loss is worked out with, so that one decision a model ruled out is not infinitely bad."""
_PARTS = 10


@dataclass(frozen=True)
class ChanceScores:
    """How good the chances of some decisions were."""

    log_loss: float
    """The mean of the negative logarithm of the chance of what was done."""
    log_loss_ci95: tuple[float, float]
    brier: float
    """The mean of the squared differences from what was done, summed over the actions: 0 is best, 2 worst."""
    reliability: tuple[dict[str, float], ...]
    """By tenths of the chance given: the mean `chance`, the share that `happened`, its interval, how many (`n`)."""

    def as_dict(self) -> dict[str, Any]:
        """The scores as plain data."""
        return {
            "log_loss": self.log_loss,
            "log_loss_ci95": list(self.log_loss_ci95),
            "brier": self.brier,
            "reliability": [dict(part) for part in self.reliability],
        }


def log_losses(shares: Floats, y: Ints) -> Floats:
    """The negative logarithm of the chance of what was done, decision by decision."""
    return np.asarray(-np.log(np.maximum(shares[np.arange(len(y)), y], LEAST)))


def scores_of(shares: Floats, y: Ints) -> ChanceScores:
    """Scores of predicted chances (a row a decision, a column an action) by what was done."""
    hit = np.zeros_like(shares)
    hit[np.arange(len(y)), y] = 1.0
    losses = Moments.of(log_losses(shares, y)).estimate()
    brier = float(((shares - hit) ** 2).sum(axis=1).mean())
    part = np.minimum((shares * _PARTS).astype(np.int64), _PARTS - 1)
    found = []
    for k in range(_PARTS):
        here = part == k
        n, happened = int(here.sum()), int(hit[here].sum())
        if n:
            low, high = wilson(happened, n)
            found.append(
                {"chance": float(shares[here].mean()), "happened": happened / n, "low": low, "high": high, "n": n}
            )
    return ChanceScores(losses.mean, losses.ci95, brier, tuple(found))
