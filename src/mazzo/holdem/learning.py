"""Learning a hero: from decisions to a strategy that plays, with its settings kept beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arena.statistics import Estimate
from mazzo.arena.workers import Workers, joblib_jobs
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem.agents.hero import Strategy
from mazzo.holdem.decisions import LEARNING, Decisions
from mazzo.holdem.decisions.attributes import BIG_BLIND
from mazzo.learn.fitted_q import FittedQ, Progress, boosted_trees, extra_trees, greedy, q_table

__all__ = ["REGRESSORS", "Settings", "estimate_from_log", "learn_hero", "make_regressor"]

REGRESSORS = ("extra", "boosted", "adaptive")
"""extra: extremely randomized trees; boosted: gradient boosting; adaptive: extra, leaves sized by variance."""

_FEWEST = 200


@dataclass(frozen=True)
class Settings:
    """How a hero learns. None leaves a number to the regressor: 100 trees and leaves of 30, or 150 boosted trees."""

    attributes: tuple[str, ...] = LEARNING
    regressor: str = "extra"
    trees: int | None = None
    cuts: int | None = None
    leaf: int | None = None
    leaves: int | None = None
    rate: float | None = None
    iterations: int = 12
    gamma: float = 1.0
    reward: str = "chips"
    pv_samples: int = 0
    seed: int = 0


def make_regressor(settings: Settings, workers: int = 1) -> Any:
    """The regressor the settings ask for."""
    s = settings
    inputs = len(s.attributes) + 1
    cuts = None if s.cuts is None else min(s.cuts, inputs)
    if s.regressor == "extra":
        return extra_trees(s.trees or 100, cuts, s.leaf or 30, seed=s.seed, workers=workers)
    if s.regressor == "boosted":
        return boosted_trees(s.trees or 150, s.leaves or 8, s.rate or 0.05, s.leaf or 100, seed=s.seed)
    if s.regressor == "adaptive":
        from mazzo.learn.adaptive import AdaptiveTrees

        return AdaptiveTrees(s.trees or 100, cuts, s.leaf or 10, random_state=s.seed, n_jobs=workers)
    raise UnreadableError(f"there is no regressor {s.regressor!r}; {did_you_mean(s.regressor, REGRESSORS)}")


def learn_hero(
    decisions: Decisions,
    settings: Settings,
    *,
    workers: Workers = 1,
    progress: Progress = lambda number, residual: None,
) -> Strategy:
    """Learn the strategy that earns most against the opponents of these decisions."""
    if len(decisions) < _FEWEST:
        raise UnreadableError(
            f"{len(decisions)} decisions are too few to learn from: give at least {_FEWEST} (some hundred hands; "
            "a useful hero takes thousands)"
        )
    batch = decisions.transitions(settings.attributes)
    with joblib_jobs(workers) as jobs:
        fitted = FittedQ(make_regressor(settings, jobs), 3, settings.iterations, settings.gamma).fit(batch, progress)
    if fitted.forest_ is None:
        raise UnreadableError("only regressors made of trees can play")
    made = {
        **asdict(settings),
        "decisions": len(decisions),
        "hands": int(decisions.hand.max()) + 1,
        "log": decisions.fingerprint,
        "reward": decisions.rewarded,
        "residuals": fitted.residuals_,
        "big_blind": BIG_BLIND,
    }
    return Strategy(settings.attributes, fitted.forest_, made)


def estimate_from_log(
    decisions: Decisions, strategy: Strategy, settings: Settings, *, repetitions: int = 10,
    progress: Callable[[float], None] = lambda amount: None,
) -> Estimate:  # fmt: skip
    """What a strategy would earn, in big blinds a hand, judged from the log alone by fitted Q evaluation."""
    from mazzo.learn.evaluation import evaluate

    def policy(states: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
        return greedy(q_table(strategy.forest.predict, states, 3, legal))

    first = decisions.first
    found = evaluate(
        decisions.transitions(strategy.attributes), policy, make_regressor(settings), repetitions=repetitions,
        seed=settings.seed, first_legal=decisions.seen.legal[first], iterations=settings.iterations,
        gamma=settings.gamma, progress=progress,
    )  # fmt: skip
    # Hands in which a player had nothing to decide belong to the average too, at what they brought.
    played, idle = int(first.sum()), len(decisions.idle)
    share = played / (played + idle)
    mean = share * (found.mean - float(decisions.blind[first].mean())) + (1 - share) * float(
        decisions.idle.mean() if idle else 0.0
    )
    return Estimate(mean / BIG_BLIND, share * found.standard_error / BIG_BLIND, played + idle)
