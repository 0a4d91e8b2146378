"""Counting in practice: what each card's removal does, the best tags, how good a count is, and index plays.

The effect of removal of a rank is what a round from a fresh shoe gains when one such card is gone, play put right for
it. A count gives each rank a tag; its betting correlation is the correlation of tags and effects over the 13 ranks
(Griffin, The Theory of Blackjack, 1979). Given a true count t (per deck) of a balanced count, ranks are on average
short in proportion to their tags; to the first order in that the difference of two plays is linear in t, and its zero
is the play's index.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from mazzo.blackjack.exact.analysis import Analysis, analyse
from mazzo.blackjack.hands import Floats
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import RANKS, parse_situation, shoe_of, text_of
from mazzo.errors import UnreadableError, did_you_mean

__all__ = [
    "COUNTS",
    "SITUATIONS",
    "Count",
    "Effects",
    "Index",
    "best_tags",
    "betting_correlation",
    "effects_of_removal",
    "index_plays",
    "read_count",
]

WEIGHTS = np.array([1.0] * 9 + [4.0]) / 13
"""The share of each rank."""


@dataclass(frozen=True)
class Count:
    """Tags for ace, two, .., nine, ten."""

    name: str
    tags: tuple[float, ...]

    @property
    def imbalance(self) -> float:
        """What a whole deck counts: 0 for a balanced count."""
        return 52 * float(WEIGHTS @ np.array(self.tags))


COUNTS: Mapping[str, Count] = {
    count.name: count
    for count in (
        Count("hi-lo", (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1)),
        Count("ko", (-1, 1, 1, 1, 1, 1, 1, 0, 0, -1)),
        Count("hi-opt-1", (0, 0, 1, 1, 1, 1, 0, 0, 0, -1)),
        Count("omega-2", (0, 1, 1, 2, 2, 2, 1, 0, -1, -2)),
        Count("zen", (-1, 1, 1, 2, 2, 2, 1, 0, 0, -2)),
        Count("wong-halves", (-1, 0.5, 1, 1, 1.5, 1, 0.5, 0, -0.5, -1)),
    )
}


def read_count(text: str) -> Count:
    """A count by its name, or ten tags for A, 2, .., 9, T: `-1,1,1,1,1,1,0,0,0,-1`."""
    if text.lower() in COUNTS:
        return COUNTS[text.lower()]
    words = [word for word in re.split(r"[\s,]+", text.strip()) if word]
    if len(words) != 10 or not all(re.fullmatch(r"[+-]?\d{1,3}(\.\d+)?", word) for word in words):
        raise UnreadableError(
            f"cannot read the count {text!r}: give a name or ten tags of A,2,..,9,T; {did_you_mean(text, COUNTS)}"
        )
    tags = tuple(float(word) for word in words)
    if len(set(tags)) == 1:
        raise UnreadableError(f"the count {text!r} gives every card the same tag: it tells nothing")
    return Count("yours", tags)


@dataclass(frozen=True)
class Effects:
    """The effects of removal of a fresh shoe."""

    ev: float
    effects: Floats
    """What a round gains when one card of each rank is gone."""


@cache
def _analyses(rules: Rules) -> tuple[Analysis, ...]:
    """The fresh shoe, and the fresh shoe less one card of each rank."""
    fresh = shoe_of(rules)
    return (analyse(rules), *(analyse(rules, fresh.without([rank])) for rank in range(10)))


@cache
def effects_of_removal(rules: Rules) -> Effects:
    """The effects of removal, play at its best for each shoe."""
    base, *less = _analyses(rules)
    return Effects(base.ev, np.array([analysis.ev - base.ev for analysis in less]))


def _centred(values: Sequence[float] | Floats) -> Floats:
    array = np.asarray(values, np.float64)
    return np.asarray(array - WEIGHTS @ array)


def betting_correlation(tags: Sequence[float] | Floats, effects: Floats) -> float:
    """The correlation of tags and effects over the cards of a deck."""
    one, other = _centred(tags), _centred(effects)
    return float(WEIGHTS @ (one * other) / np.sqrt((WEIGHTS @ one**2) * (WEIGHTS @ other**2)))


def best_tags(effects: Floats, level: int, balanced: bool = False) -> Count:
    """The whole tags from -level to level with the highest betting correlation.

    The best tags are the effects themselves. Whole ones are looked for among the effects at many scales and shifts,
    rounded, and then improved one tag at a time.
    """
    if not 1 <= level <= 9:
        raise UnreadableError(f"the level of a count is 1 to 9, not {level}")
    wanted = _centred(effects) / np.abs(_centred(effects)).max()
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
            for i in range(10) for j in range(-1, 10) for d in (-1, 1) if i != j
        ]  # fmt: skip
        trials = [
            t for t in trials
            if max(map(abs, t)) <= level and len(set(t)) > 1 and not (balanced and sum(t[:9]) + 4 * t[9])
        ]  # fmt: skip
        top = max(trials, key=lambda t: betting_correlation(t, effects), default=best)
        if betting_correlation(top, effects) <= score + 1e-12:
            return tuple(float(t) for t in best)
        best, score = top, betting_correlation(top, effects)


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
    index: float
    slope: float
    """What one unit of true count changes in favour of the high play."""


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


def index_plays(rules: Rules, count: Count, situations: Mapping[str, tuple[str, str]] = SITUATIONS) -> Iterator[Index]:
    """The index of each situation; those the rules do not allow are left out."""
    tags = _centred(count.tags)
    cards = shoe_of(rules).cards
    short = WEIGHTS * tags / (WEIGHTS @ tags**2) * (cards - 1) / 52
    base, *less = _analyses(rules)
    for situation, (high, low) in situations.items():
        difference = _difference(situation, high, low)
        try:
            at_zero = difference(base)
            slope = float(short @ np.array([difference(analysis) - at_zero for analysis in less]))
        except UnreadableError:
            continue
        yield Index(situation, high, low, -at_zero / slope if slope else float("inf"), slope)
