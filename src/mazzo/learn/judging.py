"""What a strategy would earn, judged from the log of others, and whether the log can tell.

Each episode counts by how much likelier the strategy was to play it than those who did (importance sampling), with the
model of the log's players in the place of what they truly did. Weighted importance sampling averages what episodes
brought; the doubly robust estimate (Jiang and Li 2016; weighted: Thomas and Brunskill 2016) begins with fitted values
of the strategy and corrects them by the weighted errors they make, so that it is right if either model is. Both models
come from other episodes than those they are applied to. Where the strategy plays what was hardly ever played, nothing
is known of what follows: that part enters with the least and the most it could be. And where the log's players hardly
ever varied, the few who did what the strategy does may have had reasons that no attribute shows: what departing from
them is said to bring is then held to be uncertain by as much again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Flags, Floats, Ints
from mazzo.learn.transitions import Transitions
from mazzo.statistics import Estimate

__all__ = ["LEAST_SHARE", "Judged", "Models", "ReplayedPolicy", "judged", "replayed"]

LEAST_SHARE = 0.05
"""An action that was taken less often in like situations is held not to be covered by the log."""
_FEWEST = 100.0
_MOST_MISSING = 0.02
_WEIGHT_OFF = 0.25


class Models(NamedTuple):
    """What is known of some episodes from others: arrays of a row a decision."""

    played: Ints
    """What the strategy plays."""
    shares: Floats
    """How often each action is taken in like situations, a column an action."""
    q: Floats
    """The fitted value of each action if the strategy plays on, a column an action."""


class ReplayedPolicy(NamedTuple):
    """Episodes with the weight and the corrections of each; arrays of a row an episode."""

    number: Ints
    """Which episode of the transitions it is."""
    value: Floats
    """The fitted value of its first decision."""
    weights: Floats
    """After each step how much likelier it is under the strategy; a column a step, the last one kept when it ends."""
    errors: Floats
    """At each step, what came less the fitted value."""
    brought: Floats
    missing: Floats
    """The weight with which it comes, at a step, to a decision that the log does not cover."""
    missing_worth: Floats
    """This times the fitted value there, over all steps."""


@dataclass(frozen=True)
class Judged:
    """What a log says of a strategy, in the unit of its rewards."""

    doubly_robust: Estimate
    weighted: Estimate
    """Weighted importance sampling."""
    effective: float
    """So many episodes of the strategy itself would say as much."""
    missing: float
    """The share of its episodes that come to a decision of which the log holds nothing like it."""
    mean_weight: float
    """1 if the model of the log's players is right."""
    watched: float
    """What those who made the log earned."""
    bound: tuple[float, float]
    """The interval, widened by what is missing and by what the log's players may have known."""

    @property
    def sure(self) -> bool:
        """Whether the bound can be relied on: there are episodes enough for an interval, and the models fit."""
        return self.effective >= _FEWEST and abs(self.mean_weight - 1) <= _WEIGHT_OFF

    @property
    def why_not(self) -> str:
        """Why the log cannot judge this strategy; empty if it can."""
        if self.missing > _MOST_MISSING:
            return f"in {self.missing:.0%} of its hands it comes to play what was hardly ever played in the log"
        if self.effective < _FEWEST:
            return f"the log says as much as {self.effective:.0f} hands of its own would: too few"
        if abs(self.mean_weight - 1) > _WEIGHT_OFF:
            return f"the model of the log's players does not fit (mean weight {self.mean_weight:.2f} instead of 1)"
        return ""


def replayed(batch: Transitions, models: Models, least: float = LEAST_SHARE) -> ReplayedPolicy:
    """Go through episodes step by step; decisions of one episode must stand in the order they were taken."""
    order = np.argsort(batch.episodes, kind="stable")
    numbers, start, episode = np.unique(batch.episodes[order], return_index=True, return_inverse=True)
    step = np.arange(len(order)) - start[episode]
    rows = np.arange(len(batch))
    best, share = models.q[rows, models.played], models.shares[rows, models.played]
    ahead = np.append(best[order][1:], 0.0)
    came = batch.rewards[order] + np.where(batch.terminal[order], 0.0, ahead)
    error = came - models.q[rows, batch.actions][order]
    covered = (share >= least)[order]
    ratio = np.where(covered & (batch.actions == models.played)[order], 1 / np.maximum(share, least)[order], 0.0)
    steps = int(step.max()) + 1
    ratios, errors = np.ones((len(numbers), steps)), np.zeros((len(numbers), steps))
    bare = np.zeros((len(numbers), steps))
    ratios[episode, step], errors[episode, step], bare[episode, step] = ratio, error, ~covered
    weights: Floats = np.asarray(np.cumprod(ratios, axis=1), np.float64)
    before = np.column_stack([np.ones(len(numbers)), weights[:, :-1]])
    brought: Floats = np.asarray(np.bincount(episode, batch.rewards[order]), np.float64)
    fitted = np.zeros((len(numbers), steps))
    fitted[episode, step] = best[order]
    missing = before * bare  # an episode that is not covered has no weight from there on
    return ReplayedPolicy(
        numbers, best[order][start], weights, errors, brought, missing, (missing * fitted).sum(axis=1)
    )


def judged(
    parts: list[ReplayedPolicy],
    groups: Callable[[Ints], Ints],
    *,
    limits: tuple[float, float],
    rest: Floats,
    offset: Floats,
    explored: float,
) -> Judged:
    """Put together what episodes say.

    Args:
        parts: the episodes.
        groups: of episodes by number, which of them depend on each other: an interval takes such as one.
        limits: the least and the most that can come after a decision.
        rest: what was earned by others whom the strategy could not change; they belong to the average.
        offset: of each episode, in the order of the parts, what is to be taken from what it brought.
        explored: of what else the log's players could have done in like situations, the part that they did.
    """
    steps = max(part.weights.shape[1] for part in parts)
    weights = np.concatenate([_wide(part.weights, steps) for part in parts])
    errors, missing = (
        np.concatenate([_wide(getattr(part, name), steps, last=False) for part in parts])
        for name in ("errors", "missing")
    )
    value, brought, unknown, number = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("value", "brought", "missing_worth", "number")
    )
    cluster, everybody = groups(number), len(value) + len(rest)
    gone = missing.mean(axis=0).cumsum()
    mean = np.maximum(weights.mean(axis=0) + gone, 1e-12)  # what is missing has lost its weight, not its share
    correction = (weights * errors).mean(axis=0) / mean
    robust = value - offset + ((weights / mean) * (errors - correction)).sum(axis=1) + correction.sum()
    total = max(float(weights[:, -1].sum()), 1e-12)
    net, last = brought - offset, weights[:, -1] * (len(value) / total)
    middle = float((last * net).mean())
    doubly = _with_rest(robust, robust, cluster, rest)
    simple = _with_rest(np.full(len(net), middle), middle + last * (net - middle), cluster, rest)
    low, high = doubly.ci95
    part = len(value) / everybody
    known, lost = float(unknown.mean()), float(gone[-1])
    watched = (float(net.sum()) + float(rest.sum())) / everybody
    doubt = (1 - explored) * abs(doubly.mean - watched)
    return Judged(
        doubly,
        simple,
        total * total / max(float((weights[:, -1] ** 2).sum()), 1e-12),
        lost,
        float(mean[-1]),
        watched,
        (
            low - doubt + part * min(0.0, lost * limits[0] - known),
            high + doubt + part * max(0.0, lost * limits[1] - known),
        ),
    )


def _wide(array: Floats, steps: int, last: bool = True) -> Floats:
    more = steps - array.shape[1]
    end = np.repeat(array[:, -1:], more, axis=1) if last else np.zeros((len(array), more))
    return np.concatenate([array, end], axis=1)


def _with_rest(values: Floats, influence: Floats, cluster: Ints, rest: Floats) -> Estimate:
    """The mean of values and rest, with the error of the influences, cluster by cluster."""
    everybody = len(values) + len(rest)
    mean = (float(values.sum()) + float(rest.sum())) / everybody
    _, group = np.unique(cluster, return_inverse=True)
    sums = np.bincount(group, influence - mean)
    spread = float(sums @ sums) + float(((rest - mean) ** 2).sum())
    return Estimate(mean, float(np.sqrt(spread)) / everybody, everybody)


def chosen(actions: NDArray[np.int64], width: int) -> Flags:
    """True in the column of each row's action."""
    return np.asarray(np.arange(width)[None, :] == actions[:, None])
