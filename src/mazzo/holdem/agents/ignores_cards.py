"""Agents that do not look at their cards: `random`, `call`, `raise`, `fold`.

Each is a mixture: fold, call or raise with given chances. Because nothing but the betting matters to them, whole hands
between them are played inside one kernel (`play_mixtures`), by the same rules and with the same choices as one by one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import YES_NO, Agent, Between, Explanation, Option, Safe
from mazzo.arrays import Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents.sizes import SIZES, of_kinds, raise_to, size_number
from mazzo.holdem.kernels import apply, legal
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Observations
from mazzo.holdem.table import Table
from mazzo.jit import inlined, kernel, tight
from mazzo.policy import ActionChances
from mazzo.rng import fork, uniform

__all__ = ["Call", "Fold", "IgnoresCards", "Raise", "Random", "play_rows"]


@inlined
def _choose(
    rng_key: np.uint64, owed: int, low: int, high: int, bet: int, pot: int, mixtures: NDArray[np.float64], player: int
) -> int:
    """One action of a player's mixture: chance of a fold, chance of a fold or call, free folds?, size."""
    draw = uniform(rng_key)
    raising = (draw >= mixtures[player, 1]) & (high > 0)
    action = low if raising else c.CALL
    if draw < mixtures[player, 0]:
        if owed > 0 or mixtures[player, 2]:
            action = c.FOLD
    elif raising and high > low:
        action = raise_to(int(mixtures[player, 3]), rng_key, owed, low, high, bet, pot)
    return action


@kernel
def _decide(
    rng_key: NDArray[np.uint64], owed: Ints, low: Ints, high: Ints, state: Ints, mixtures: NDArray[np.float64]
) -> Ints:
    out = np.empty(len(rng_key), np.int64)
    for k in range(len(rng_key)):
        out[k] = _choose(rng_key[k], owed[k], low[k], high[k], state[k, c.BET], state[k, c.POT], mixtures, 0)
    return out


@tight
def play_rows(
    rules: Ints,
    state: Ints,
    history: Ints,
    rng_key: NDArray[np.uint64],
    seating: NDArray[np.int16],
    mixtures: NDArray[np.float64],
) -> bool:
    """Play every hand to its end between mixtures, one a player. False if a hand ran out of room in `history`."""
    room = history.shape[1]
    complete = True
    for i in range(len(state)):
        while state[i, c.ACTOR] >= 0:
            if state[i, c.COUNT] == room:
                complete = False
                break
            player = int(seating[i, state[i, c.ACTOR]]) & c.ACTOR_MASK
            owed, low, high = legal(rules, state, i)
            chance = fork(rng_key[i], state[i, c.COUNT])
            action = _choose(chance, owed, low, high, state[i, c.BET], state[i, c.POT], mixtures, player)
            apply(rules, state, history, i, action)
    return complete


def play_mixtures(table: Table, agents: Sequence[IgnoresCards]) -> None:
    """Play every hand of a table to its end between agents that ignore their cards."""
    mixtures = np.array([agent.mixture() for agent in agents])
    while not play_rows(table.rules, table.state, table.history, table.rng_key, table.seating, mixtures):
        table.make_room(np.arange(len(table)))


class IgnoresCards(Agent[Observations]):
    """A player that ignores its cards: the base of `random`, `call`, `raise` and `fold`."""

    kernel: ClassVar[str] = "mixture"

    @abstractmethod
    def mixture(self) -> NDArray[np.float64]:
        """Chance of a fold, of a fold or call, whether it folds for free, and the size of raises, for the kernels."""

    def decide(self, observations: Observations) -> Ints:
        """Draw an action for every row."""
        o = observations
        return _decide(o.rng_key, o.owed, o.raise_low, o.raise_high, o.state, self.mixture()[None])

    def policy(self, observations: Observations) -> ActionChances:
        """The chances themselves: a fold for nothing is a check, a raise that is not allowed a call."""
        o = observations
        fold, fold_or_call, free, size = self.mixture()
        p = np.zeros((len(o), 3))
        p[:, c.KIND_FOLD] = np.where((o.owed > 0) | bool(free), fold, 0.0)
        p[:, c.KIND_RAISE] = np.where(o.can_raise, max(0.0, 1.0 - fold_or_call), 0.0)
        p[:, c.KIND_CALL] = 1.0 - p[:, c.KIND_FOLD] - p[:, c.KIND_RAISE]
        return of_kinds(o, p, SIZES[int(size)])

    def explain(self, observation: Observations) -> Explanation:
        """The chances of each action."""
        fold, fold_or_call, free, _ = self.mixture()
        owes, may_raise = bool(observation.owed[0] > 0), bool(observation.can_raise[0])
        p_fold = float(fold) if owes or free else 0.0
        p_raise = max(1.0 - float(fold_or_call), 0.0) if may_raise else 0.0  # never raising stands there as 2
        options = [Option("fold", p_fold), Option("call", 1 - p_fold - p_raise), Option("raise", p_raise)]
        action = int(self.decide(observation)[0])
        return Explanation(
            action_text(action, observation.game.limit),
            "it does not look at its cards; the values are the chances of each action",
            options,
            {"to call": int(observation.owed[0])},
        )


Table.compiled = {**Table.compiled, "mixture": play_mixtures}


@cache
def _mixture(fold: float, call: float, raise_: float, free_fold: bool, size: str) -> NDArray[np.float64]:
    weights = np.array([fold, call, raise_], np.float64)
    if not np.isfinite(weights).all() or (weights < 0).any() or weights.sum() <= 0:
        raise UnreadableError(f"fold, call and raise must be 0 or more and not all 0; got {fold}, {call}, {raise_}")
    weights /= weights.sum()
    # A chance of raising that is zero must stay zero, whatever rounding the sum suffers.
    fold_or_call = weights[0] + weights[1] if raise_ > 0 else 2.0
    mixture = np.array([weights[0], fold_or_call, float(free_fold), float(size_number(size))])
    mixture.flags.writeable = False  # it is shared by all who ask for it
    return mixture


@dataclass
class Random(IgnoresCards):
    """Folds, calls and raises by chance. A fold for nothing is a check, a raise past the cap a call."""

    summary: ClassVar[str] = "fold 10 %, call 50 %, raise 40 %, whatever its cards"
    safe: ClassVar[Safe | None] = {
        "fold": Between(0, 1),
        "call": Between(0, 1),
        "raise_": Between(0, 1),
        "size": SIZES,
        "free_fold": YES_NO,
    }
    fold: float = 0.1
    """How often it folds, against the two others."""
    call: float = 0.5
    """How often it checks or calls."""
    raise_: float = 0.4
    """How often it bets or raises."""
    size: str = "uniform"
    """No-limit: how much it raises to, the least, the pot, the most, or any amount (uniform)."""
    free_fold: bool = False
    """Whether it may fold where checking costs nothing."""

    def __post_init__(self) -> None:
        self.folds_free = self.free_fold
        self.mixture()

    def mixture(self) -> NDArray[np.float64]:
        """The chances given."""
        return _mixture(self.fold, self.call, self.raise_, self.free_fold, self.size)


@dataclass
class Call(IgnoresCards):
    """Always checks or calls."""

    summary: ClassVar[str] = "always checks or calls"
    safe: ClassVar[Safe | None] = {}

    def mixture(self) -> NDArray[np.float64]:
        """Nothing but calls."""
        return _mixture(0, 1, 0, False, "least")


@dataclass
class Raise(IgnoresCards):
    """Always bets or raises; calls where it may not."""

    summary: ClassVar[str] = "always bets or raises (no-limit: the least, or size=uniform|pot|most)"
    safe: ClassVar[Safe | None] = {"size": SIZES}
    size: str = "least"
    """No-limit: how much it raises to, the least, the pot, the most, or any amount (uniform)."""

    def __post_init__(self) -> None:
        self.mixture()

    def mixture(self) -> NDArray[np.float64]:
        """Nothing but raises."""
        return _mixture(0, 0, 1, False, self.size)


@dataclass
class Fold(IgnoresCards):
    """Folds to any bet; checks where that is free."""

    summary: ClassVar[str] = "folds to any bet, checks otherwise"
    safe: ClassVar[Safe | None] = {}

    def mixture(self) -> NDArray[np.float64]:
        """Nothing but folds."""
        return _mixture(1, 0, 0, False, "least")
