"""How much to raise in a game without limit, by name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem import columns as c
from mazzo.holdem.observation import Observations
from mazzo.jit import inlined, kernel
from mazzo.policy import NO_ACTION, ActionChances
from mazzo.rng import below, mix

__all__ = ["SIZES", "of_kinds", "raise_amounts", "raise_to", "size_number"]

SIZES = ("least", "uniform", "pot", "most")
"""The least allowed; any amount with equal chance; the size of the pot; everything."""


def size_number(name: str) -> int:
    """The number of a size for kernels."""
    if name not in SIZES:
        raise UnreadableError(f"there is no raise size {name!r}; {did_you_mean(name, SIZES)}")
    return SIZES.index(name)


@inlined
def raise_to(size: int, rng_key: np.uint64, owed: int, low: int, high: int, bet: int, pot: int) -> int:
    """The total a raise goes to."""
    amount = low
    if high > low:
        if size == 1:
            amount = low + int(below(mix(rng_key), high - low + 1))
        elif size == 2:
            amount = min(high, max(low, bet + pot + owed))
        elif size == 3:
            amount = high
    return amount


@kernel
def _amounts(
    size: int,
    rng_key: NDArray[np.uint64],
    owed: NDArray[np.int64],
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    state: NDArray[np.int64],
) -> NDArray[np.int64]:
    out = np.empty(len(rng_key), np.int64)
    for k in range(len(rng_key)):
        out[k] = raise_to(size, rng_key[k], owed[k], low[k], high[k], state[k, c.BET], state[k, c.POT])
    return out


def raise_amounts(o: Observations, size: str) -> NDArray[np.int64]:
    """The total every row's player would raise to; meaningless where raising is not allowed."""
    number = size_number(size)
    if number == 0 or o.game.limit:
        return o.raise_low.copy()
    return _amounts(number, o.rng_key, o.owed, o.raise_low, o.raise_high, o.state)


def of_kinds(
    o: Observations, p: NDArray[np.float64], size: str = "least", amounts: NDArray[np.int64] | None = None
) -> ActionChances:
    """The policy that folds, calls and raises with these chances, a column a kind, and raises to amounts of a size."""
    to = raise_amounts(o, size) if amounts is None else amounts
    actions = np.tile(np.array([c.FOLD, c.CALL, NO_ACTION], np.int64), (len(o), 1))
    actions[o.can_raise, c.KIND_RAISE] = to[o.can_raise]
    spread = (o.raise_low, o.raise_high) if size == "uniform" and not o.game.limit else None
    return ActionChances(actions, p, spread=spread)
