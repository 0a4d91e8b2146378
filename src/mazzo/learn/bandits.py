"""Ways to choose among arms of unknown value: random, epsilon-greedy, softmax; sample averages or a constant step.

Figures 2.3-2.7 of Vilella (2011): ten arms with values drawn from N(0, 1), rewards with N(0, 1) noise, 1,000 plays. An
estimate begins with one noisy look at each arm, as in the text's code; every way sees the same first looks.

>>> curves = compare({"greedy": EpsilonGreedy(0.0), "random": EpsilonGreedy(1.0)}, runs=200, seed=1)
>>> bool(curves["greedy"].mean[-1] > curves["random"].mean[-1])
True
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats
from mazzo.errors import UnreadableError

__all__ = ["FIGURES", "BanditPolicy", "Curve", "EpsilonGreedy", "Softmax", "compare"]


class BanditPolicy(Protocol):
    """A way to choose: one arm for every run, from the estimates (runs x arms) and uniform numbers (runs x 2)."""

    @property
    def step(self) -> float | None:
        """How far an estimate moves to a new reward; None: to the average of all seen."""

    def choose(self, estimates: Floats, draws: Floats) -> NDArray[np.int64]:
        """An arm for every run."""


@dataclass(frozen=True)
class EpsilonGreedy:
    """The best arm by its estimate, but any arm with chance epsilon (1: always at random)."""

    epsilon: float
    step: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.epsilon <= 1:
            raise UnreadableError(f"epsilon must be a probability from 0 to 1, got {self.epsilon}")

    def choose(self, estimates: Floats, draws: Floats) -> NDArray[np.int64]:
        """An arm for every run."""
        anyhow = (draws[:, 1] * estimates.shape[1]).astype(np.int64)
        arms: NDArray[np.int64] = np.where(draws[:, 0] < self.epsilon, anyhow, estimates.argmax(axis=1))
        return arms


@dataclass(frozen=True)
class Softmax:
    """Arms with chances by Gibbs: exp(estimate / temperature); near zero it is greedy, far above it random."""

    temperature: float
    step: float | None = None

    def __post_init__(self) -> None:
        if not self.temperature > 0:
            raise UnreadableError(f"the temperature must be above 0, got {self.temperature}")

    def chances(self, estimates: Floats) -> Floats:
        """The chance of every arm."""
        weights = np.exp((estimates - estimates.max(axis=1, keepdims=True)) / self.temperature)
        chances: Floats = weights / weights.sum(axis=1, keepdims=True)
        return chances

    def choose(self, estimates: Floats, draws: Floats) -> NDArray[np.int64]:
        """An arm for every run."""
        below = (self.chances(estimates).cumsum(axis=1) <= draws[:, :1]).sum(axis=1)
        arms: NDArray[np.int64] = np.minimum(below, estimates.shape[1] - 1)
        return arms


@dataclass(frozen=True)
class Curve:
    """The average reward up to each play: its mean over runs, and the standard error of that mean."""

    mean: Floats
    standard_error: Floats


FIGURES: dict[str, BanditPolicy] = {
    "random": EpsilonGreedy(1.0),
    "epsilon 0.01": EpsilonGreedy(0.01),
    "epsilon 0.1": EpsilonGreedy(0.1),
    "softmax 0.05": Softmax(0.05),
}
"""The ways that figures 2.3-2.7 compare."""


def compare(
    ways: Mapping[str, BanditPolicy],
    *,
    runs: int = 2000,
    plays: int = 1000,
    arms: int = 10,
    noise: float = 1.0,
    seed: int = 0,
) -> dict[str, Curve]:
    """Play every way on the same bandits and give its curve of average reward."""
    if min(runs, plays, arms) < 1:
        raise UnreadableError(f"runs, plays and arms must be at least 1, got {runs}, {plays} and {arms}")
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(runs, arms))
    first = values + noise * rng.normal(size=(runs, arms))
    return {
        name: _play(way, values, first, plays, noise, np.random.default_rng([seed, k]))
        for k, (name, way) in enumerate(ways.items())
    }


def _play(
    way: BanditPolicy, values: Floats, first: Floats, plays: int, noise: float, rng: np.random.Generator
) -> Curve:
    runs = np.arange(len(values))
    estimates, seen = first.copy(), np.ones_like(first)
    total = np.zeros(len(values))
    mean, error = np.empty(plays), np.empty(plays)
    for play in range(plays):
        arm = way.choose(estimates, rng.uniform(size=(len(values), 2)))
        reward = values[runs, arm] + noise * rng.normal(size=len(values))
        seen[runs, arm] += 1
        step = 1 / seen[runs, arm] if way.step is None else way.step
        estimates[runs, arm] += step * (reward - estimates[runs, arm])
        total += reward
        average = total / (play + 1)
        mean[play] = average.mean()
        error[play] = average.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.inf
    return Curve(mean, error)


def __getattr__(name: str) -> Any:
    """The old name of `BanditPolicy`, for one release."""
    if name == "Way":
        warnings.warn("Way is now called BanditPolicy", DeprecationWarning, stacklevel=2)
        return BanditPolicy
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
