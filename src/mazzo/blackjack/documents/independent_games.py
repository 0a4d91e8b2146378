"""Independent games cannot be beaten by staking (Bodon 2000, theorem 1.1): computed and played on a roulette wheel."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum

import numpy as np

from mazzo.blackjack.multisets import Floats
from mazzo.errors import UnreadableError
from mazzo.jit import kernel
from mazzo.rng import fork, stream, uniform
from mazzo.statistics import Estimate, Moments

__all__ = ["SYSTEMS", "Staking", "doubling", "doubling_up", "roulette_edge", "staking_systems"]

SYSTEMS = ("flat", "doubling", "d'Alembert", "Fibonacci", "paroli")
"""Flat; double after a loss; one more after a loss and one less after a win; Fibonacci's; double after a win."""

_MOST = 512.0


def roulette_edge(numbers: int) -> float:
    """What a unit on any of 1 to 36 numbers earns (1.2): -1/37 whatever the bet."""
    if not 1 <= numbers <= 36:
        raise UnreadableError(f"a bet covers 1 to 36 numbers of the wheel, not {numbers}")
    return numbers / 37 * (36 / numbers - 1) - (1 - numbers / 37)


@dataclass(frozen=True)
class Doubling:
    """Doubling up after losses, at most n times in a row."""

    n: int
    expected: float
    """1 - (1 + 1/37)^n (1.3)."""
    p_ruin: float
    """The chance of n losses in a row."""
    played: Estimate


def doubling_up(n: int) -> float:
    """What one sequence of at most n doubled bets on red earns, summed over how it may end."""
    win = 18 / 37
    ends = [(1 - win) ** (k - 1) * win * (2 ** (k - 1) - (2 ** (k - 1) - 1)) for k in range(1, n + 1)]
    return fsum([*ends, -((1 - win) ** n) * (2**n - 1)])


def doubling(n: int = 10, games: int = 200_000, seed: int = 0) -> Doubling:
    """The roulette example: computed by the formula and played."""
    if not 1 <= n <= 40:
        raise UnreadableError(f"the number of bets in a row is 1 to 40, not {n}")
    chance = np.random.Generator(np.random.Philox(int(stream(seed, "roulette"))))
    first_win = chance.geometric(18 / 37, games)
    played = Moments.of(np.where(first_win <= n, 1.0, 1.0 - 2.0**n)).estimate()
    return Doubling(n, 1 - (1 + 1 / 37) ** n, (19 / 37) ** n, played)


@dataclass(frozen=True)
class Staking:
    """What a way of staking earned on red."""

    system: str
    per_unit: Estimate
    """What a unit staked earned; the theorem says -1/37."""
    mean_stake: float
    deviation: float
    """The standard deviation of an evening's result, which staking does change."""


@kernel
def _evenings(key: np.uint64, system: int, bets: int, most: float, staked: Floats, won: Floats) -> None:
    for evening in range(staked.shape[0]):
        mine = fork(key, evening)
        stake, before = 1.0, 1.0
        for k in range(bets):
            win = uniform(fork(mine, k)) < 18 / 37
            staked[evening] += stake
            won[evening] += stake if win else -stake
            if system == 1:
                stake = 1.0 if win else 2.0 * stake
            elif system == 2:
                stake = stake - 1.0 if win else stake + 1.0
            elif system == 3:
                stake, before = (1.0, 1.0) if win else (stake + before, stake)
            elif system == 4:
                stake = 2.0 * stake if win else 1.0
            if stake < 1.0 or stake > most:  # the table's limits: begin again
                stake, before = 1.0, 1.0


def staking_systems(evenings: int = 20_000, bets: int = 200, seed: int = 0) -> list[Staking]:
    """Each way of staking on red, stakes 1 to 512: the result by the unit staked does not depend on it."""
    found = []
    for k, system in enumerate(SYSTEMS):
        staked, won = np.zeros(evenings), np.zeros(evenings)
        _evenings(stream(seed, f"staking {system}"), k, bets, _MOST, staked, won)
        ratio = float(won.sum() / staked.sum())
        error = Moments.of(won - ratio * staked).estimate().standard_error / float(staked.mean())
        found.append(
            Staking(system, Estimate(ratio, error, evenings), float(staked.mean()) / bets, float(won.std(ddof=1)))
        )
    return found
