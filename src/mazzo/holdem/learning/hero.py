"""Learning a hero: from decisions to a strategy that plays, with its settings kept beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import give_back_memory
from mazzo.errors import UnreadableError
from mazzo.holdem.attributes.elementary import BIG_BLIND
from mazzo.holdem.learning import LEARNING, Decisions
from mazzo.holdem.learning.choices import HEADS_UP_LIMIT, kind_of_games, known_worth
from mazzo.holdem.learning.strategy import LearnedStrategy
from mazzo.holdem.learning.support import AUTO, NONE, Supported, support_of
from mazzo.holdem.logs.hands import Hands, rescaled
from mazzo.learn import regressors
from mazzo.learn.fitted_q import FittedQ, Progress
from mazzo.learn.q_values import greedy, q_table
from mazzo.statistics import Estimate
from mazzo.workers import Workers, joblib_jobs

__all__ = ["Settings", "estimate_from_log", "in_the_same_chips", "learn_hero", "make_regressor"]

_FEWEST = 200


@dataclass(frozen=True)
class Settings:
    """How a hero learns. None leaves a number to the regressor: 100 trees and leaves of 30, or 150 boosted trees."""

    attributes: tuple[str, ...] = LEARNING
    regressor: str = "boosted"
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
    caution: str | float = AUTO
    """What the log must hold of an action before it is believed: `auto`, `none` or a share of the commonest one's."""


EQUITIES = ("pv", "ALL_IN_EQUITY", "ALL_IN_EQUITY_2PLAYERS")
"""Attributes with which the worth of playing on rises."""


def make_regressor(settings: Settings, workers: int = 1, actions: int = 3) -> Any:
    """The regressor the settings ask for; it is never told to try more cuts than there are inputs."""
    s = settings
    rising = tuple(int(name in EQUITIES) for name in (*s.attributes, "action"))
    cuts = None if s.cuts is None else min(s.cuts, len(s.attributes) + 1)
    return regressors.make_regressor(
        s.regressor,
        trees=s.trees,
        cuts=cuts,
        leaf=s.leaf,
        leaves=s.leaves,
        rate=s.rate,
        seed=s.seed,
        workers=workers,
        actions=actions,
        rising=rising,
    )


def in_the_same_chips(batches: Iterable[Hands]) -> Iterator[Hands]:
    """Hands with the blinds that decisions of heads-up limit Hold'em are counted in; of other games as they are."""
    for hands in batches:
        same = {game.big_blind for game in hands.games} == {BIG_BLIND}
        if same or kind_of_games(hands.games) != HEADS_UP_LIMIT:
            yield hands
        else:
            yield rescaled(hands, (BIG_BLIND // 2, BIG_BLIND))


def learn_hero(
    decisions: Decisions,
    settings: Settings,
    *,
    workers: Workers = 1,
    progress: Progress = lambda number, residual: None,
    told: Callable[[Supported], None] = lambda supported: None,
) -> LearnedStrategy:
    """Learn the strategy that earns most against the opponents of these decisions.

    Args:
        decisions: what to learn from.
        settings: how.
        workers: processes to use.
        progress: is told the number and residual of every iteration.
        told: is told which actions the decisions support, before the learning begins.
    """
    if len(decisions) < _FEWEST:
        raise UnreadableError(
            f"{len(decisions)} decisions are too few to learn from: give at least {_FEWEST} (some hundred hands; "
            "a useful hero takes thousands)"
        )
    give_back_memory()  # reading leaves many holes
    batch = decisions.transitions(settings.attributes)
    with joblib_jobs(workers) as jobs:
        found = support_of(decisions, settings.attributes, settings.caution, seed=settings.seed, workers=jobs)
        told(found)
        batch = replace(batch, next_legal=found.believed[np.maximum(decisions.next, 0)])
        fitted = q_learner(decisions, settings, jobs).fit(batch, progress)
    if fitted.kept_ is None:
        raise UnreadableError(
            "this regressor cannot be kept as data, so it cannot play: use trees, boosting, a linear model, nearest "
            "neighbours or a net (`mazzo learn --regressor list`)"
        )
    made = {
        **asdict(settings),
        "decisions": len(decisions),
        "hands": int(decisions.hand.max()) + 1,
        "log": decisions.fingerprint,
        "reward": decisions.rewarded,
        "residuals": fitted.residuals_,
        "big_blind": BIG_BLIND,
        "caution": NONE if found.support is None else found.support.caution,
        "explored": found.explored,
        **_of_game(decisions),
    }
    return LearnedStrategy(settings.attributes, fitted.kept_, made, found.support)


def q_learner(decisions: Decisions, settings: Settings, workers: int = 1) -> FittedQ:
    """What learns Q of decisions."""
    worth = known_worth(decisions.kind) or None
    regressor = make_regressor(settings, workers, decisions.choices.count)
    return FittedQ(regressor, decisions.choices.count, settings.iterations, settings.gamma, worth)


def _of_game(decisions: Decisions) -> dict[str, Any]:
    """What the file of a hero says of the game where it is not heads-up limit."""
    if decisions.kind.heads_up_limit:
        return {}
    sizes = ["all" if np.isinf(size) else size for size in decisions.choices.sizes]
    return {"game": decisions.kind.name, "sizes": sizes, "shown": decisions.shown}


def estimate_from_log(
    decisions: Decisions,
    strategy: LearnedStrategy,
    settings: Settings,
    *,
    repetitions: int = 10,
    workers: Workers = 1,
    progress: Callable[[float], None] = lambda amount: None,
) -> Estimate:
    """What a strategy would earn, in big blinds a hand, judged from the log alone by fitted Q evaluation."""
    from mazzo.learn.evaluation import evaluate

    def policy(states: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
        return greedy(q_table(strategy.forest.predict, states, 3, legal))

    first = decisions.first
    with joblib_jobs(workers) as jobs:
        found = evaluate(
            decisions.transitions(strategy.attributes),
            policy,
            make_regressor(settings, jobs),
            repetitions=repetitions,
            seed=settings.seed,
            first_legal=decisions.legal[first],
            iterations=settings.iterations,
            gamma=settings.gamma,
            progress=progress,
        )
    # Hands in which a player had nothing to decide belong to the average too, at what they brought.
    played, idle = int(first.sum()), len(decisions.idle)
    share = played / (played + idle)
    mean = share * (found.mean - float(decisions.blind[first].mean())) + (1 - share) * float(
        decisions.idle.mean() if idle else 0.0
    )
    return Estimate(mean / BIG_BLIND, share * found.standard_error / BIG_BLIND, played + idle)
