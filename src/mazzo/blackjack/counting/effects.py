"""What each card's removal does, how good a count is for betting, and the best tags.

The effect of removal of a rank is what a round from a fresh shoe gains when one such card is gone, play put right for
it. The betting correlation of a count is the correlation of its tags and the effects over the 13 ranks (Griffin, The
Theory of Blackjack, 1979).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from mazzo.arrays import Floats
from mazzo.blackjack.counting.systems import WEIGHTS, Count
from mazzo.blackjack.exact.analysis import Analysis, analyse
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import must_change, shoe_of
from mazzo.errors import UnreadableError

__all__ = ["Effects", "analyses", "best_tags", "betting_correlation", "centred", "effects_of_removal", "slopes"]


@dataclass(frozen=True)
class Effects:
    """The effects of removal of a fresh shoe."""

    ev: float
    effects: Floats
    """What a round gains when one card of each rank is gone."""


@cache
def analyses(rules: Rules) -> tuple[Analysis, ...]:
    """The fresh shoe, and the fresh shoe less one card of each rank."""
    must_change(rules)
    fresh = shoe_of(rules)
    return (analyse(rules), *(analyse(rules, fresh.without([rank])) for rank in range(10)))


@cache
def effects_of_removal(rules: Rules) -> Effects:
    """The effects of removal, play at its best for each shoe."""
    base, *less = analyses(rules)
    return Effects(base.ev, np.array([analysis.ev - base.ev for analysis in less]))


@cache
def slopes(rules: Rules, parts: int = 4) -> Floats:
    """[rank, part]: what a round gains for each card of a rank that is gone, in each range of how many are gone.

    These are the slopes of the one-dimensional projections of f(k_1 .. k_10) that Bodon (2000) closes 6.3.7 with: one
    rank goes from all to none, in `parts` equal ranges, all others stay.
    """
    if parts < 1:
        raise UnreadableError(f"slopes need at least 1 range, got {parts}")
    fresh = shoe_of(rules)
    found = np.zeros((10, parts))
    for rank, count in enumerate(fresh.counts):
        gone = np.linspace(0, count, parts + 1).round().astype(int).tolist()
        values = [analyse(rules, fresh.without([rank] * k)).ev for k in gone]
        found[rank] = np.diff(values) / np.diff(gone)
    return found


def centred(values: Sequence[float] | Floats) -> Floats:
    """The values less their mean over a deck."""
    array = np.asarray(values, np.float64)
    return np.asarray(array - WEIGHTS @ array)


def betting_correlation(tags: Sequence[float] | Floats, effects: Floats) -> float:
    """The correlation of tags and effects over the cards of a deck."""
    one, other = centred(tags), centred(effects)
    return float(WEIGHTS @ (one * other) / np.sqrt((WEIGHTS @ one**2) * (WEIGHTS @ other**2)))


def best_tags(effects: Floats, level: int, balanced: bool = False) -> Count:
    """The whole tags from -level to level with the highest betting correlation.

    The best tags are the effects themselves. Whole ones are looked for among the effects at many scales and shifts,
    rounded, and then improved one tag at a time.
    """
    if not 1 <= level <= 9:
        raise UnreadableError(f"the level of a count must be 1 to 9, got {level}")
    wanted = centred(effects) / np.abs(centred(effects)).max()
    candidates = {
        tuple(np.clip(np.rint(wanted * scale + shift), -level, level).astype(int).tolist())
        for scale in np.linspace(0.5, 3 * level, 120)
        for shift in np.linspace(-0.5, 0.5, 21)
    }
    candidates = {tags for tags in candidates if len(set(tags)) > 1}
    if balanced:
        candidates = {tags for tags in candidates if sum(tags[:9]) + 4 * tags[9] == 0}
    if not candidates:
        raise UnreadableError(f"no balanced tags of level {level} were found; try a higher level")
    best = max(sorted(candidates), key=lambda tags: betting_correlation(tags, effects))
    return Count(f"best level {level}", _improved(best, effects, level, balanced))


def _improved(tags: tuple[int, ...], effects: Floats, level: int, balanced: bool) -> tuple[float, ...]:
    best, score = tags, betting_correlation(tags, effects)
    while True:
        trials = [
            tuple(t + d * ((k == i) - (k == j)) for k, t in enumerate(best))
            for i in range(10)
            for j in range(-1, 10)
            for d in (-1, 1)
            if i != j
        ]
        trials = [
            t
            for t in trials
            if max(map(abs, t)) <= level and len(set(t)) > 1 and not (balanced and sum(t[:9]) + 4 * t[9])
        ]
        top = max(trials, key=lambda t: betting_correlation(t, effects), default=best)
        if betting_correlation(top, effects) <= score + 1e-12:
            return tuple(float(t) for t in best)
        best, score = top, betting_correlation(top, effects)
