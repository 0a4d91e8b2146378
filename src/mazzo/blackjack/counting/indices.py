"""Index plays of certain hands: from which true count on another play is better, by the cards of the hand.

`decisions` values every play at every true count; the index is where the difference of two of them is zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from mazzo.blackjack.columns import PLAYS, SURRENDER
from mazzo.blackjack.counting.crossing import crossing, grid
from mazzo.blackjack.counting.decisions import CountedValues, decisions, reach
from mazzo.blackjack.counting.systems import Count
from mazzo.blackjack.multisets import all_hands
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import parse_situation
from mazzo.errors import UnreadableError

__all__ = ["SITUATIONS", "Index", "index_plays", "insurance_index"]

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
    floored: int | None
    """As players use it: the floored true count from which the high play is made."""
    slope: float
    """What one unit of true count changes in favour of the high play."""
    instead: str = ""
    """A third play that is better than both where they would change: the first two cards never come to the index."""


def insurance_index(found: CountedValues) -> tuple[float, int] | None:
    """The true count from which a third of the unseen cards are tens, and floored."""
    counts = grid(20)
    return crossing(counts, np.array([found.tens(count) - 1 / 3 for count in counts.tolist()]))


def _insurance(found: CountedValues, high: str, low: str) -> Index:
    at = insurance_index(found)
    slope = 1.5 * (found.tens(1.0) - found.tens(0.0))
    return Index("insurance", high, low, at and at[0], at and at[1], slope)


def _of_hand(found: CountedValues, situation: str, high: str, low: str, farthest: float) -> Index | None:
    """None where the rules do not allow both plays."""
    cards, upcard = parse_situation(situation)
    hand = all_hands().of(cards)
    if hand < 0 or len(cards) < 2:
        raise UnreadableError(f"{situation!r} leaves nothing to play")
    counts = grid(farthest)
    values = found.at(counts, np.array([hand]), upcard)[:, 0]
    one, other = PLAYS.index(high), PLAYS.index(low)
    if not np.isfinite(values[:, [one, other]]).all():
        return None
    difference = values[:, one] - values[:, other]
    middle = len(counts) // 2
    slope = float((difference[middle + 4] - difference[middle - 4]) / (counts[middle + 4] - counts[middle - 4]))
    at = crossing(counts, difference)
    if at is None:
        return Index(situation, high, low, None, None, slope)
    there = int(np.searchsorted(counts, at[0]))
    if values[there, SURRENDER] > values[there, one] and SURRENDER not in (one, other):
        return Index(situation, high, low, None, None, slope, "surrender")
    return Index(situation, high, low, at[0], at[1], slope)


def index_plays(
    rules: Rules, count: Count, situations: Mapping[str, tuple[str, str]] = SITUATIONS, gone: float | None = 0.0
) -> Iterator[Index]:
    """The index of each situation; those the rules do not allow are left out.

    Args:
        rules: The rules.
        count: The count.
        situations: By hand the play from the index up and the one below it.
        gone: The share of the shoe that is gone; None: half of what is dealt before the cut card.
    """
    found, farthest = decisions(rules, count, gone), min(reach(rules, count), 20.0)
    for situation, (high, low) in situations.items():
        if situation == "insurance":
            yield _insurance(found, high, low)
            continue
        index = _of_hand(found, situation, high, low, farthest)
        if index is not None:
            yield index
