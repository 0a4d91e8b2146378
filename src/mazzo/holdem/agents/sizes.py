"""How much to raise in a game without limit, by name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem import columns as c
from mazzo.holdem.observation import Observations
from mazzo.jit import inlined, kernel
from mazzo.luck import below, mix

__all__ = ["SIZES", "raise_amounts", "raise_to", "size_number"]

SIZES = ("least", "uniform", "pot", "most")
"""The least allowed; any amount with equal chance; the size of the pot; everything."""


def size_number(name: str) -> int:
    """The number of a size for kernels."""
    if name not in SIZES:
        raise UnreadableError(f"there is no raise size {name!r}; {did_you_mean(name, SIZES)}")
    return SIZES.index(name)


@inlined
def raise_to(size: int, luck: np.uint64, owed: int, low: int, high: int, bet: int, pot: int) -> int:
    """The total a raise goes to."""
    amount = low
    if high > low:
        if size == 1:
            amount = low + int(below(mix(luck), high - low + 1))
        elif size == 2:
            amount = min(high, max(low, bet + pot + owed))
        elif size == 3:
            amount = high
    return amount


@kernel
def _amounts(
    size: int, luck: NDArray[np.uint64], owed: NDArray[np.int64], low: NDArray[np.int64], high: NDArray[np.int64],
    state: NDArray[np.int64],
) -> NDArray[np.int64]:  # fmt: skip
    out = np.empty(len(luck), np.int64)
    for k in range(len(luck)):
        out[k] = raise_to(size, luck[k], owed[k], low[k], high[k], state[k, c.BET], state[k, c.POT])
    return out


def raise_amounts(o: Observations, size: str) -> NDArray[np.int64]:
    """The total every row's player would raise to; meaningless where raising is not allowed."""
    return _amounts(size_number(size), o.luck, o.owed, o.raise_low, o.raise_high, o.state)
