"""Where a difference that rises with the true count passes zero, exactly and floored."""

from __future__ import annotations

import math

import numpy as np

from mazzo.arrays import Floats

__all__ = ["crossing", "grid", "means_by_floor"]

_FINE = 4
"""Points of a true count at which a difference is averaged over one floored count."""


def grid(limit: float) -> Floats:
    """True counts from -limit to limit, as many to each floored count."""
    most = math.ceil(limit)
    return np.asarray(np.arange(-most * _FINE, most * _FINE) / _FINE + 0.5 / _FINE)


def means_by_floor(counts: Floats, difference: Floats) -> dict[int, float]:
    """The mean of a difference over each floored count."""
    floors = np.floor(counts).astype(np.int64)
    return {floor: float(difference[floors == floor].mean()) for floor in np.unique(floors).tolist()}


def crossing(counts: Floats, difference: Floats) -> tuple[float, int] | None:
    """Where a rising difference passes zero, and the lowest floored count from which on its mean is above zero."""
    above = difference > 0
    if above.all() or not above[-1]:
        return None
    k = int(np.flatnonzero(~above)[-1])
    low, high = difference[k], difference[k + 1]
    exact = float(counts[k] + (counts[k + 1] - counts[k]) * (-low) / (high - low))
    best = math.ceil(exact)
    for floor, mean in sorted(means_by_floor(counts, difference).items(), reverse=True):
        if mean <= 0:
            break
        best = floor
    return exact, best
