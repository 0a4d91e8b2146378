"""Whether the other players have changed: what they do, sequence of betting by sequence of betting.

What a hero wins changes whenever the hero learns. What the others do after a given betting of the whole hand does not:
their cards there depend on their own actions. So the counts of fold, call and raise after each sequence, before and
now, are compared by Pearson's test of all sequences together, which says how surely they are of other players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.holdem.attributes.elementary import matrix
from mazzo.holdem.attributes.replay import replay
from mazzo.holdem.attributes.situations import situations_replayed
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.notation import STREETS

__all__ = ["Conduct", "conduct_of", "latest_surprises", "surprise"]

_SEQUENCES = 32
"""More than the numbers of a street's betting."""
_EXPECTED = 5.0
"""The least expected count of a cell: below it the test is not what its table says."""


@dataclass(frozen=True)
class Conduct:
    """How often each action was taken after each sequence of betting."""

    sequence: Ints
    """Numbers of the sequences, in order."""
    counts: Ints
    """A row a sequence: folds, calls, raises."""

    @classmethod
    def empty(cls) -> Conduct:
        """Nothing seen yet."""
        return cls(np.zeros(0, np.int64), np.zeros((0, 3), np.int64))

    def __add__(self, other: Conduct) -> Conduct:
        """Both together."""
        sequence, at = np.unique(np.concatenate([self.sequence, other.sequence]), return_inverse=True)
        counts = np.zeros((len(sequence), 3), np.int64)
        np.add.at(counts, at, np.concatenate([self.counts, other.counts]))
        return Conduct(sequence, counts)


def conduct_of(hands: Hands, me: str) -> Conduct:
    """What everybody but one player did in hands of heads-up limit Hold'em; their cards are not looked at."""
    number = hands.names.index(me)
    wanted = hands.seating[:, :2] != number
    rows = replay(hands, wanted)
    seen = situations_replayed(hands, rows)
    numbers = matrix(seen, ["stage", *(f"bet_{street}" for street in STREETS)]).astype(np.int64)
    places = _SEQUENCES ** np.arange(numbers.shape[1])
    sequence, at = np.unique(numbers @ places, return_inverse=True)
    counts = np.zeros((len(sequence), 3), np.int64)
    np.add.at(counts, (at, rows.action), 1)
    return Conduct(sequence, counts)


def surprise(before: Conduct, now: Conduct) -> float:
    """How far the two are from being of the same players, as a standard normal number; 0 where too little is known."""
    _, one, other = np.intersect1d(before.sequence, now.sequence, assume_unique=True, return_indices=True)
    total, freedom = 0.0, 0
    for a, b in zip(before.counts[one], now.counts[other], strict=True):
        both = _pooled(np.array([a, b], float))
        if both.shape[1] < 2:
            continue
        expected = _expected(both)
        total += float(((both - expected) ** 2 / expected).sum())
        freedom += both.shape[1] - 1
    if not freedom:
        return 0.0
    # Wilson and Hilferty (1931): the cube root of a chi-square is nearly normal.
    spread = 2 / (9 * freedom)
    return float(((total / freedom) ** (1 / 3) - (1 - spread)) / np.sqrt(spread))


def latest_surprises(usual: Conduct, recent: Sequence[Conduct]) -> list[float]:
    """The surprise of the last of some looks, of the last two, four and so on, against all that came before."""
    found, size = [], 1
    while size <= len(recent):
        before = sum(recent[:-size], usual)
        found.append(surprise(before, sum(recent[-size:], Conduct.empty())))
        size *= 2
    return found


def _expected(counts: Floats) -> Floats:
    expected: Floats = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    return expected


def _pooled(counts: Floats) -> Floats:
    """Actions that are too rare to be counted by themselves put together with the next rarer."""
    counts = counts[:, counts.sum(axis=0) > 0]
    counts = counts[:, np.argsort(counts.sum(axis=0), kind="stable")]
    while counts.shape[1] > 1 and _expected(counts).min() < _EXPECTED:
        counts = np.column_stack([counts[:, 0] + counts[:, 1], counts[:, 2:]])
        counts = counts[:, np.argsort(counts.sum(axis=0), kind="stable")]
    return counts
