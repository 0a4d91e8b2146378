"""K-means with the sum of differences as the distance, in whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.jit import kernel, tight_helper

__all__ = ["FINER", "k_means", "nearest_centre", "nearest_centres"]

FINER = 16
"""Centres are kept in so many parts of one."""
_ROUNDS = 15


@tight_helper
def nearest_centre(features: Any, centres: Any, sums: Any) -> int:
    """The number of the nearest centre, the first of those as near; centres stand in order of their sums.

    Centres are at least as far away as their sums differ: one begins with the nearest sum, and goes on until no
    other centre can be nearer.
    """
    width, total = centres.shape[1], 0
    for k in range(width):
        total += features[k]
    total *= FINER
    low, high = 0, len(sums)
    while low < high:
        middle = (low + high) >> 1
        if sums[middle] < total:
            low = middle + 1
        else:
            high = middle
    below, above = low - 1, low
    best, found = 1 << 60, 0
    while True:
        down = total - sums[below] if below >= 0 else best + 1
        up = sums[above] - total if above < len(sums) else best + 1
        if down > best and up > best:
            return found
        at = below if down <= up else above
        if down <= up:
            below -= 1
        else:
            above += 1
        distance = 0
        for k in range(width):
            distance += abs(FINER * np.int64(features[k]) - centres[at, k])
        if distance < best or (distance == best and at < found):
            best, found = distance, at


@kernel
def nearest_centres(features: Any, centres: Any, sums: Any, out: Any) -> None:
    """The nearest centre of every row."""
    for row in range(len(features)):
        out[row] = nearest_centre(features[row], centres, sums)


def k_means(sample: NDArray[Any], wanted: int) -> NDArray[np.int32]:
    """Centres of a sample, sorted by their sums, at most as many as wanted; the same for the same sample."""
    total = sample.sum(axis=1, dtype=np.int64)
    order = np.lexsort((*sample.T.astype(np.int64), total))
    # at first one of each stretch of the sorted sample: within a broad stretch those that are spread least come first
    broad = max(1, round(wanted**0.5 / 2))
    squares = (sample.astype(np.float64) ** 2).sum(axis=1)
    parts = np.array_split(order, wanted // broad or 1)
    order = np.concatenate([part[np.argsort(squares[part], kind="stable")] for part in parts])
    picked = order[(np.arange(wanted) * 2 + 1) * len(order) // (2 * wanted)]
    centres = _sorted(np.unique(sample[picked].astype(np.int64) * FINER, axis=0))
    nearest = np.empty(len(sample), np.int64)
    for _ in range(_ROUNDS):
        nearest_centres(sample, centres, centres.sum(axis=1, dtype=np.int64), nearest)
        counts = np.bincount(nearest, minlength=len(centres))
        columns = (np.bincount(nearest, column, minlength=len(centres)) for column in sample.T.astype(np.float64))
        moved = FINER * np.stack(list(columns), axis=1) / np.maximum(counts, 1)[:, None]
        new = np.where(counts[:, None] > 0, np.rint(moved), centres)
        centres = _sorted(np.unique(new.astype(np.int64), axis=0))
    return centres


def _sorted(centres: NDArray[Any]) -> NDArray[np.int32]:
    return np.ascontiguousarray(centres[np.argsort(centres.sum(axis=1), kind="stable")], np.int32)
