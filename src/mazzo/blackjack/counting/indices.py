"""Index plays: from which true count on another play is better.

Given a true count t (per deck) of a balanced count, ranks are on average short in proportion to their tags; to the
first order in that the difference of two plays is linear in t, and its zero is the play's index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mazzo.arrays import Floats
from mazzo.blackjack.counting.effects import analyses, centred
from mazzo.blackjack.counting.systems import WEIGHTS, Count
from mazzo.blackjack.exact.analysis import Analysis
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import RANKS, parse_situation, shoe_of, text_of
from mazzo.errors import UnreadableError

__all__ = ["SITUATIONS", "Index", "index_plays", "reach"]

SITUATIONS: Mapping[str, tuple[str, str]] = {
    "insurance": ("insure", "leave it"),
    "10,6 v T": ("stand", "hit"),
    "10,5 v T": ("stand", "hit"),
    "T,T v 5": ("split", "stand"),
    "T,T v 6": ("split", "stand"),
    "6,4 v T": ("double", "hit"),
    "10,2 v 3": ("stand", "hit"),
    "10,2 v 2": ("stand", "hit"),
    "7,4 v A": ("double", "hit"),
    "5,4 v 2": ("double", "hit"),
    "6,4 v A": ("double", "hit"),
    "5,4 v 7": ("double", "hit"),
    "10,6 v 9": ("stand", "hit"),
    "10,3 v 2": ("stand", "hit"),
    "10,2 v 4": ("stand", "hit"),
    "10,2 v 5": ("stand", "hit"),
    "10,2 v 6": ("stand", "hit"),
    "10,3 v 3": ("stand", "hit"),
}
"""Schlesinger's eighteen: the first play from the index up, the second below it."""


@dataclass(frozen=True)
class Index:
    """From which true count on another play is better."""

    situation: str
    high: str
    """The play from the index up."""
    low: str
    index: float | None
    """None: never, at no true count that a shoe reaches."""
    slope: float
    """What one unit of true count changes in favour of the high play."""
    instead: str = ""
    """A third play that is better than both where they would change: the first two cards never come to the index."""


def reach(rules: Rules, count: Count) -> float:
    """The largest true count that matters: four standard deviations at the cut card."""
    cards = shoe_of(rules).cards
    left = max((1 - rules.penetration) * cards, 20.0)
    spread = np.sqrt(WEIGHTS @ centred(count.tags) ** 2 * left * (cards - left) / (cards - 1))
    return float(4 * spread / (left / 52))


def _difference(situation: str, high: str, low: str) -> Callable[[Analysis], float]:
    if situation == "insurance":
        return lambda analysis: analysis.insurance(())
    cards, upcard = parse_situation(situation)

    def difference(analysis: Analysis) -> float:
        plays = analysis.plays(cards, upcard)
        for name in (high, low):
            if name not in plays:
                raise UnreadableError(f"{name} is not allowed with {text_of(cards)} v {RANKS[upcard]} by these rules")
        return plays[high] - plays[low]

    return difference


def _third_play(situation: str, high: str, low: str, shoes: Sequence[Analysis], short: Floats, index: float) -> str:
    """Surrender, where it is allowed and better than both plays at the count where they would change."""
    if situation == "insurance" or "surrender" not in shoes[0].plays(situation):
        return ""
    gains = []
    for analysis in shoes:
        plays = analysis.plays(situation)
        gains.append(plays["surrender"] - plays[high])
    base, *less = gains
    return "surrender" if base + index * float(short @ (np.array(less) - base)) > 0 else ""


def index_plays(rules: Rules, count: Count, situations: Mapping[str, tuple[str, str]] = SITUATIONS) -> Iterator[Index]:
    """The index of each situation; those the rules do not allow are left out."""
    tags = centred(count.tags)
    cards = shoe_of(rules).cards
    short = WEIGHTS * tags / (WEIGHTS @ tags**2) * (cards - 1) / 52
    base, *less = analyses(rules)
    farthest = reach(rules, count)
    for situation, (high, low) in situations.items():
        difference = _difference(situation, high, low)
        try:
            at_zero = difference(base)
            slope = float(short @ np.array([difference(analysis) - at_zero for analysis in less]))
        except UnreadableError:
            continue
        index = -at_zero / slope if slope else float("inf")
        reached = abs(index) <= farthest
        instead = _third_play(situation, high, low, (base, *less), short, index) if reached else ""
        yield Index(situation, high, low, index if reached and not instead else None, slope, instead)
