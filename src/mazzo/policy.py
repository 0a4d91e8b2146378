"""What an agent does in a situation, as probabilities: one row a decision, one column an action.

`Agent.policy` gives it. An agent whose choice hangs on nothing but what it sees, or that states its chances, is exact;
of any other the choice is asked for under many random keys, and the policy says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Flags, Floats, Ints

__all__ = ["NO_ACTION", "SAMPLES", "ActionChances", "asked"]

NO_ACTION = int(np.iinfo(np.int64).min)
"""Stands where a row has fewer actions than the widest."""

SAMPLES = 64
"""Random keys a decision is asked under, where a policy must be sampled."""


@dataclass(frozen=True)
class ActionChances:
    """The chance of each action, a row a decision."""

    actions: Ints
    """The actions of each row, as the game codes them; `NO_ACTION` where there is none."""
    p: Floats
    """Their chances; every row sums to one."""
    samples: int = 0
    """Where chances are shares of sampled choices: of how many; 0 where they are the chances themselves."""
    spread: tuple[Ints, Ints] | None = None
    """If given, the last column stands for every amount from the first number to the second, all as likely."""
    nearest: bool = False
    """Whether an amount (an action from 1 up) stands for those nearest to it, by their ratio: for players whose sizes
    are known in classes."""

    @property
    def exact(self) -> bool:
        """Whether these are the chances themselves."""
        return self.samples == 0

    @property
    def standard_error(self) -> float:
        """The most that a chance may be off, as a standard error; 0 where they are exact."""
        return 0.0 if self.exact else 0.5 / self.samples**0.5

    def __len__(self) -> int:
        return len(self.actions)

    def drawn(self, rng_key: NDArray[np.uint64]) -> Ints:
        """One action a row, drawn by these chances."""
        draw = (rng_key >> np.uint64(11)).astype(np.float64) * 2.0**-53
        passed = self.p.cumsum(axis=1)[:, :-1] <= draw[:, None]
        chosen = passed.sum(axis=1)
        never = self.p[np.arange(len(self)), chosen] <= 0  # rounding at the end of a row
        chosen = np.where(never, self.p.argmax(axis=1), chosen)
        return np.asarray(self.actions[np.arange(len(self)), chosen])

    def share(self, taken: Ints, *, any_raise: bool = False) -> Floats:
        """The chance of exactly this action in each row; with `any_raise` every amount, from 1 up, is the same."""
        done = np.asarray(taken, np.int64)[:, None]
        chances, alike = self.p, self.actions == done
        if self.nearest:
            alike = alike | self._nearest(done)
        if any_raise:
            alike = alike | ((self.actions > 0) & (done > 0))
        if self.spread is not None:
            low, high = self.spread
            alike, chances = alike.copy(), chances.copy()
            alike[:, -1] = (low <= done[:, 0]) & (done[:, 0] <= high)
            chances[:, -1] /= np.maximum(high - low + 1, 1)
        return np.asarray(np.where(alike, chances, 0.0).sum(axis=1))

    def _nearest(self, done: Ints) -> Flags:
        """Which amount stands for the one taken; none where no amount was taken."""
        amounts = np.where((self.actions > 0) & (self.p > 0), self.actions, np.inf).astype(np.float64)
        far = np.abs(np.log(amounts) - np.log(np.maximum(done, 1)))
        found = np.zeros(self.actions.shape, np.bool_)
        found[np.arange(len(self)), far.argmin(axis=1)] = True
        return found & (done > 0) & np.isfinite(amounts)

    def share_of(self, row: int, taken: Ints) -> Floats:
        """The chances of several actions in one row."""
        rows = np.full(len(taken), row)
        spread = None if self.spread is None else (self.spread[0][rows], self.spread[1][rows])
        return ActionChances(self.actions[rows], self.p[rows], self.samples, spread, self.nearest).share(taken)

    def likelihood(self, taken: Ints, *, any_raise: bool = False) -> Floats:
        """How likely the action that was taken is in each row, for reasoning back from it.

        Where chances are sampled, an action that did not come up is not ruled out: it counts as half a choice.
        """
        if self.exact:
            return self.share(taken, any_raise=any_raise)
        kinds = (self.actions != NO_ACTION).sum(axis=1) + 1
        return np.asarray((self.share(taken, any_raise=any_raise) * self.samples + 0.5) / (self.samples + 0.5 * kinds))


def _certain(actions: Ints) -> ActionChances:
    return ActionChances(np.asarray(actions, np.int64)[:, None], np.ones((len(actions), 1)))


def _keys(keys: NDArray[np.uint64], samples: int) -> NDArray[np.uint64]:
    from mazzo.rng import fork

    chance: Any = fork.py_func  # type: ignore[attr-defined]  # plain arithmetic: it takes arrays as they are
    with np.errstate(over="ignore"):
        own = np.repeat(keys, samples)
        return np.asarray(chance(own, np.tile(np.arange(samples, dtype=np.uint64), len(keys))))


def _sampled(decide: Callable[[Any], Ints], observations: Any, samples: int) -> ActionChances:
    rows = np.repeat(np.arange(len(observations)), samples)
    copies = replace(observations[rows], rng_key=_keys(observations.rng_key, samples))
    chosen = np.sort(np.asarray(decide(copies), np.int64).reshape(len(observations), samples), axis=1)
    first = np.ones(chosen.shape, bool)
    first[:, 1:] = chosen[:, 1:] != chosen[:, :-1]
    kind = first.cumsum(axis=1) - 1
    width = int(kind.max(initial=0)) + 1
    row = np.arange(len(chosen))[:, None]
    actions = np.full((len(chosen), width), NO_ACTION, np.int64)
    actions[row, kind] = chosen
    p = np.zeros((len(chosen), width))
    np.add.at(p, (np.broadcast_to(row, kind.shape), kind), 1 / samples)
    return ActionChances(actions, p, samples)


def asked(decide: Callable[[Any], Ints], observations: Any, draws: Flags, samples: int = SAMPLES) -> ActionChances:
    """The policy of one who is asked for its choices: once where nothing is drawn, under many random keys elsewhere.

    Args:
        decide: What gives a choice for every row.
        observations: The situations.
        draws: In which of them the choice hangs on the random key.
        samples: How many keys.
    """
    if not draws.any():
        return _certain(decide(observations))
    drawn = _sampled(decide, observations[draws], samples)
    if draws.all():
        return drawn
    actions = np.full((len(observations), drawn.actions.shape[1]), NO_ACTION, np.int64)
    p = np.zeros(actions.shape)
    actions[draws], p[draws] = drawn.actions, drawn.p
    actions[~draws, 0], p[~draws, 0] = decide(observations[~draws]), 1.0
    return ActionChances(actions, p, samples)
