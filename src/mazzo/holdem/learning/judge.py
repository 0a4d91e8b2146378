"""What a hero would earn against a log's players, from the log alone, or why that cannot be said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.confidence import LEVEL
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.attributes.elementary import BIG_BLIND, GAME
from mazzo.holdem.learning.decisions import Decisions
from mazzo.holdem.learning.hero import Settings, learn_hero, q_learner
from mazzo.holdem.learning.strategy import LearnedStrategy
from mazzo.holdem.learning.support import PLAYERS_LOOK_AT
from mazzo.learn.behaviour import explored, fit_behaviour, shares
from mazzo.learn.judging import LEAST_SHARE, Judged, Models, chosen, judged, replayed
from mazzo.statistics import Estimate
from mazzo.workers import Workers, joblib_jobs

__all__ = ["PARTS", "judge", "judge_learning", "judgement"]

PARTS = 2
"""Parts of a log, each judged by what was learned from the others."""
_MOST = sum(size * raises for size, raises in zip(GAME.raise_sizes, GAME.max_raises, strict=True))
"""Chips that a player can put in at the big blind of `BIG_BLIND`."""


def _limits(decisions: Decisions) -> tuple[float, float]:
    """The least and the most that can come after a decision: all of one's own chips lost, or all others' won."""
    most = decisions.deepest or float(_MOST)
    others = 1 if decisions.kind.heads_up_limit else int(decisions.position.max())
    return -most, most * (others + 1)


def judge(
    decisions: Decisions,
    strategy: LearnedStrategy,
    *,
    workers: Workers = 1,
    progress: Callable[[float], None] = lambda amount: None,
) -> Judged:
    """What a strategy would earn, in big blinds a hand, judged from decisions that it was not learned from."""
    return _judge(decisions, lambda others: strategy, Settings(attributes=strategy.attributes), workers, progress)


def judge_learning(
    decisions: Decisions,
    settings: Settings,
    *,
    workers: Workers = 1,
    progress: Callable[[float], None] = lambda amount: None,
) -> Judged:
    """What heroes learned so from half of these decisions would earn, each judged from the other half.

    A hero that is judged from what it was learned from looks better than it is: it plays what looked best by chance.
    """
    return _judge(decisions, lambda others: learn_hero(others, settings, workers=workers), settings, workers, progress)


def _judge(
    decisions: Decisions,
    learned: Callable[[Decisions], LearnedStrategy],
    settings: Settings,
    workers: Workers,
    progress: Callable[[float], None],
) -> Judged:
    if decisions.rewarded == "document":
        raise UnreadableError("rewards of kind document are not what was won: judge with --reward chips or auto")
    fold = _fold(decisions, settings.seed)
    parts, blinds, tried = [], [], []
    for k in range(PARTS):
        others, own = decisions.rows(fold != k), decisions.rows(fold == k)
        strategy = learned(others)
        progress(1)
        with joblib_jobs(workers) as jobs:
            models, varied = _models(others, own, strategy, settings, jobs)
        tried.append(varied)
        progress(1)
        batch = own.transitions(strategy.attributes)
        parts.append(replayed(batch, models))
        blinds.append(own.blind[own.first][np.argsort(batch.episodes[own.first])])
    found = judged(
        parts,
        lambda episode: episode // c.MAX_PLAYERS,
        limits=_limits(decisions),
        rest=decisions.idle,
        offset=np.concatenate(blinds),
        explored=min(tried),
    )
    return _in_big_blinds(found)


def _fold(decisions: Decisions, seed: int) -> Ints:
    """Which part each decision belongs to: hands are drawn, not decisions."""
    drawn = np.random.default_rng(seed).permutation(int(decisions.hand.max()) + 1) % PARTS
    return np.asarray(drawn[decisions.hand])


def _models(
    others: Decisions, own: Decisions, strategy: LearnedStrategy, settings: Settings, jobs: int
) -> tuple[Models, float]:
    """What the others' decisions say of these: shares of actions, values of the strategy; and how much they vary."""
    behaviour = fit_behaviour(
        _seen(others, strategy), others.legal, others.action, others.hand, seed=settings.seed, workers=jobs
    )
    after = strategy.played(others)[np.maximum(others.next, 0)]
    batch = replace(others.transitions(strategy.attributes), next_legal=chosen(after, others.choices.count))
    fitted = q_learner(others, settings, jobs).fit(batch)
    told = shares(behaviour.forest, _seen(own, strategy), own.legal)
    varied = explored(behaviour.held_out_shares, others.legal[behaviour.held_out], LEAST_SHARE)
    return Models(strategy.played(own), told, fitted.q_values(own.matrix(strategy.attributes))), varied


def _seen(decisions: Decisions, strategy: LearnedStrategy) -> NDArray[np.float32]:
    """What a player may have decided by, and who it is: two players are two models."""
    names = dict.fromkeys((*strategy.attributes, *(n for n in PLAYERS_LOOK_AT if n in decisions.attributes)))
    player = decisions.player if len(decisions.player) else np.zeros(len(decisions), np.int64)
    return np.column_stack([decisions.matrix(tuple(names)), player]).astype(np.float32)


def _in_big_blinds(found: Judged) -> Judged:
    def scaled(each: Estimate) -> Estimate:
        return Estimate(each.mean / BIG_BLIND, each.standard_error / BIG_BLIND, each.n)

    low, high = found.bound
    return replace(
        found,
        doubly_robust=scaled(found.doubly_robust),
        weighted=scaled(found.weighted),
        watched=found.watched / BIG_BLIND,
        bound=(low / BIG_BLIND, high / BIG_BLIND),
    )


def judgement(found: Judged) -> str:
    """What the log says, in a sentence."""
    low, high = found.bound
    if found.why_not:
        all_it_says = f"; all it says is {low:+.2f} .. {high:+.2f} bb/hand" if found.sure else ""
        return f"cannot be judged from this log: {found.why_not}{all_it_says}"
    return (
        f"judged from the log: {found.doubly_robust.mean:+.3f} bb/hand, {LEVEL} {low:+.3f} .. {high:+.3f} "
        f"(doubly robust; as much as {found.effective:,.0f} hands of its own would say; "
        f"the log's players earned {found.watched:+.3f})"
    )
