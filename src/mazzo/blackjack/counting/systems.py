"""Counts: a tag for each rank, by name or as ten tags."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from mazzo.document import Grid, Section, Shown
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.registry import Registry

__all__ = ["COUNTS", "WEIGHTS", "Count", "counts", "read_count"]

WEIGHTS = np.array([1.0] * 9 + [4.0]) / 13
"""The share of each rank."""


@dataclass(frozen=True)
class Count(Shown):
    """Tags for ace, two, .., nine, ten."""

    name: str
    tags: tuple[float, ...]
    aces: float = 0.0
    """With a side count of aces: what each ace more or less than the cards gone lead to expect counts for bets."""
    pivot: float = 0.0
    """Of an unbalanced count: the running count that means the same at any depth; it starts so that it is that."""

    @property
    def betting_tags(self) -> tuple[float, ...]:
        """The tags by which bets are made when aces are counted beside: an ace too many in the shoe adds `aces`."""
        return tuple(tag + self.aces * (1 / 13 - (rank == 0)) for rank, tag in enumerate(self.tags))

    def start(self, decks: float) -> float:
        """The running count to begin with: 0 if balanced, 4 - 4 x decks for KO."""
        return self.pivot - self.imbalance * decks if self.imbalance else 0.0

    @property
    def imbalance(self) -> float:
        """What a whole deck counts: 0 for a balanced count."""
        return round(52 * float(WEIGHTS @ np.array(self.tags)), 9)

    def section(self) -> Section:
        """Its tags."""
        tags = [f"{tag:+g}" if tag else "0" for tag in self.tags]
        return Section(f"the count {self.name}", tables=[Grid(tuple("A23456789T"), [tags])])

    def __str__(self) -> str:
        return f"{self.name}: {' '.join(f'{tag:+g}' if tag else '0' for tag in self.tags)}"


COUNTS: Registry[Count] = Registry("count")
"""The counts by name; a new one is registered here."""

for _count in (
    Count("hi-lo", (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1)),
    Count("ko", (-1, 1, 1, 1, 1, 1, 1, 0, 0, -1), pivot=4),
    Count("hi-opt-1", (0, 0, 1, 1, 1, 1, 0, 0, 0, -1), aces=1),
    Count("hi-opt-2", (0, 1, 1, 2, 2, 1, 1, 0, 0, -2), aces=2),
    Count("omega-2", (0, 1, 1, 2, 2, 2, 1, 0, -1, -2), aces=2),
    Count("red-7", (-1, 1, 1, 1, 1, 1, 0.5, 0, 0, -1)),  # suits do not matter here: every seven counts a half
    Count("zen", (-1, 1, 1, 2, 2, 2, 1, 0, 0, -2)),
    Count("wong-halves", (-1, 0.5, 1, 1, 1.5, 1, 0.5, 0, -0.5, -1)),
):
    COUNTS.register(_count.name)(_count)


def counts() -> list[Count]:
    """The counts that have a name."""
    return list(COUNTS.values())


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
