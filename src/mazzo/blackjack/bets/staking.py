"""What to bet, from what the player knows before the round: its value (perfect play), or the true count."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np

from mazzo.arrays import Floats
from mazzo.document import Section, Shown, settings
from mazzo.errors import UnreadableError
from mazzo.registry import Registry, parameters, split_name

__all__ = ["STAKES", "Kelly", "MinMax", "Ramp", "Stakes", "own_settings", "read_ramp", "stakes"]


class Stakes(Protocol):
    """A way of staking: bets from what is known before each round."""

    def bets(self, values: Floats, counts: Floats) -> Floats:
        """The bet of each round from its value and its true count."""


class _ShownStakes(Shown):
    """Bets that print their settings."""

    def section(self) -> Section:
        """What was set."""
        return settings(type(self).__name__, asdict(self))  # type: ignore[call-overload]  # every one is a dataclass


STAKES: Registry[Any] = Registry("way of staking")
"""The ways of staking by name: `minmax`, `kelly:fraction=.5`, `ramp`. `stakes` makes one."""


def _check_limits(low: float, high: float) -> None:
    if not 0 < low <= high:
        raise UnreadableError(
            f"table limits are a smallest bet above 0 and a largest not below it, not {low} and {high}"
        )


@STAKES.register("minmax")
@dataclass(frozen=True)
class MinMax(_ShownStakes):
    """The most when the round is favourable, the least when it is not (theorem 6.1)."""

    low: float = 10.0
    high: float = 200.0

    def bets(self, values: Floats, counts: Floats) -> Floats:
        """Least or most."""
        _check_limits(self.low, self.high)
        return np.where(values > 0, self.high, self.low)


@STAKES.register("kelly")
@dataclass(frozen=True)
class Kelly(_ShownStakes):
    """A fraction of the stake that makes a bankroll grow fastest: value / variance of it, within the table's limits."""

    bankroll: float = 10_000.0
    fraction: float = 1.0
    low: float = 10.0
    high: float = 200.0
    variance: float = 1.3

    def bets(self, values: Floats, counts: Floats) -> Floats:
        """In proportion to the value, for a bankroll that is not resized."""
        _check_limits(self.low, self.high)
        if not 0 < self.fraction <= 2:
            raise UnreadableError(f"the fraction of Kelly's stake must be above 0 and at most 2, got {self.fraction}")
        return np.clip(self.fraction * self.bankroll * values / self.variance, self.low, self.high)


@dataclass(frozen=True)
class Ramp(_ShownStakes):
    """Bets by true count: from each count on, a bet."""

    steps: tuple[tuple[float, float], ...]

    def bets(self, values: Floats, counts: Floats) -> Floats:
        """The bet of the highest step reached; below the first step its bet."""
        at = np.array([count for count, _ in self.steps])
        bet = np.array([bet for _, bet in self.steps])
        return np.asarray(bet[np.maximum(np.searchsorted(at, counts, side="right") - 1, 0)])


@STAKES.register("ramp")
def read_ramp(ramp: str = "") -> Ramp:
    """A ramp from `0:10,1:20,2:50,3:100`: true count and bet."""
    if not ramp:
        raise UnreadableError("a ramp needs its steps: 0:10,1:20,2:50,3:100 (true count:bet)")
    steps = []
    for word in ramp.split(","):
        count, colon, bet = word.partition(":")
        try:
            steps.append((float(count), float(bet)))
        except ValueError:
            raise UnreadableError(f"cannot read {word!r} in the ramp {ramp!r}: write 0:10,1:20,2:50") from None
        if not colon or not 0 <= steps[-1][1] < math.inf or not math.isfinite(steps[-1][0]):
            raise UnreadableError(f"cannot read {word!r} in the ramp {ramp!r}: bets are numbers from 0 up")
    if sorted(steps) != steps or len({count for count, _ in steps}) < len(steps):
        raise UnreadableError(f"the counts of the ramp {ramp!r} must rise")
    return Ramp(tuple(steps))


def stakes(name: str, **given: Any) -> Stakes:
    """A way of staking by its name, `minmax`, `kelly:fraction=.5` or `ramp`; of what is given it takes what is its own.

    >>> stakes("kelly", bankroll=20_000, fraction=0.5, low=10, high=500)
    Kelly(bankroll=20000, fraction=0.5, low=10, high=500, variance=1.3)
    >>> stakes("ramp", ramp="0:10,2:50")
    Ramp(steps=((0.0, 10.0), (2.0, 50.0)))
    """
    own = own_settings(name)
    made: Stakes = STAKES.make(name, **{key: value for key, value in given.items() if key in own})
    return made


def own_settings(name: str) -> list[str]:
    """The settings of a way of staking that its name leaves open: of `kelly:fraction=.5` all but the fraction."""
    base, said = split_name(name, STAKES.what)
    return [key for key in parameters(STAKES[base]) if key not in said]
