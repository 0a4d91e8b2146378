"""All compositions above a probability, without a queue: the traversal where `best_first` would keep too much.

Ranks are chosen one after the other. What the ranks still to choose can add at most to the logarithm of the probability
is known for every number of cards left, so a branch is left as soon as no composition in it is likely enough: every
branch that is followed ends in one that is. Nothing is kept but the branch itself. The set is that of `best_first`, in
another order.

How likely a composition must be for a share of the probability to be visited is a quantile: the chance that a random
composition is at least so likely is the share itself. It is read off random compositions, and the share that is really
visited is added up on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb, inf, log
from typing import NamedTuple

import numpy as np

from mazzo.blackjack.multisets import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.jit import tight

__all__ = ["drawn", "likelihoods", "likely", "threshold_of"]

_CHUNK = 1 << 16
_DRAWS = 40_000
_LOWEST = -1e300


def _ways(counts: Sequence[int]) -> Floats:
    """[rank, taken]: the logarithm of C(n, taken), minus infinity beyond n."""
    return np.array([[log(comb(n, k)) if k <= n else -inf for k in range(max(counts) + 1)] for n in counts])


def _most(ways: Floats, cards: int) -> Floats:
    """[rank, cards]: the most that this rank and those after it can add where they take so many cards together."""
    ranks = len(ways)
    most = np.full((ranks + 1, cards + 1), -inf)
    most[ranks, 0] = 0.0
    for rank in range(ranks - 1, -1, -1):
        for left in range(cards + 1):
            taken = np.arange(min(left, ways.shape[1] - 1) + 1)
            most[rank, left] = (ways[rank, taken] + most[rank + 1, left - taken]).max()
    return most


class _Branch(NamedTuple):
    """Where the walk stands."""

    taken: Ints
    """What each rank takes; the last element is the rank to go on with."""
    added: Floats
    """[rank]: the logarithms of the ranks before it."""
    left: Ints
    """[rank]: the cards left for it and those after it."""


@tight
def _fill(ways: Floats, most: Floats, least: float, scale: float, branch: _Branch, rows: Ints, chances: Floats) -> int:
    """Go on from a branch and write what is likely enough.

    Gives how many were written; after the last one the branch stands before the first rank.
    """
    taken, added, left = branch.taken, branch.added, branch.left
    last = ways.shape[0] - 1
    rank = taken[last + 1]
    written = 0
    while rank >= 0 and written < rows.shape[0]:
        taken[rank] += 1
        here = taken[rank]
        if rank == last:  # it takes whatever is left, so that there is one composition
            rows[written, last] = left[last]
            for k in range(last):
                rows[written, k] = taken[k]
            chances[written] = np.exp(added[last] + ways[last, left[last]] - scale)
            written += 1
            rank -= 1
            continue
        if here > left[rank] or here >= ways.shape[1]:
            rank -= 1
            continue
        so_far = added[rank] + ways[rank, here]
        if so_far + most[rank + 1, left[rank] - here] >= least:
            rank += 1
            added[rank] = so_far
            left[rank] = left[rank - 1] - here
            taken[rank] = -1
    taken[last + 1] = rank
    return written


def likely(counts: Sequence[int], cards: int, least: float = -inf) -> Iterator[tuple[Ints, Floats]]:
    """The compositions of `cards` cards whose log-probability is at least `least`, in blocks, and their probabilities.

    Args:
        counts: How many cards of each rank there are.
        cards: Cards taken.
        least: See `threshold_of`; every composition if not given.
    """
    if not 0 <= cards <= sum(counts):
        raise UnreadableError(f"cannot take {cards} cards from {sum(counts)}")
    ways = _ways(counts)
    most, scale = _most(ways, cards), log(comb(sum(counts), cards))
    size = len(counts) + 1
    branch = _Branch(np.zeros(size, np.int64), np.zeros(size), np.zeros(size, np.int64))
    branch.taken[0], branch.left[0] = -1, cards
    floor = max(least + scale, _LOWEST)  # above minus infinity, which stands for what cannot be
    while branch.taken[-1] >= 0:
        rows, chances = np.zeros((_CHUNK, len(counts)), np.int64), np.zeros(_CHUNK)
        written = _fill(ways, most, floor, scale, branch, rows, chances)
        if written:
            yield rows[:written], chances[:written]


def drawn(counts: Sequence[int], cards: int, amount: int, rng_key: np.random.Generator) -> Ints:
    """Random compositions of `cards` cards."""
    return np.asarray(rng_key.multivariate_hypergeometric(list(counts), cards, amount), np.int64)


def likelihoods(counts: Sequence[int], rows: Ints) -> Floats:
    """The log-probability of each composition; all of as many cards."""
    ways, cards = _ways(counts), int(rows[0].sum())
    total = ways[np.arange(len(counts)), rows].sum(1)
    return np.asarray(total - log(comb(sum(counts), cards)))


def threshold_of(
    counts: Sequence[int], cards: int, mass: float, rng_key: np.random.Generator, draws: int = _DRAWS
) -> tuple[float, float]:
    """How likely compositions must be for `mass` of the probability, and about how many there are of them.

    The share that is then visited differs from `mass` by chance, some thousandths, and by whole compositions that are
    equally likely.
    """
    found = np.sort(likelihoods(counts, drawn(counts, cards, draws, rng_key)))
    least = -inf if mass >= 1 else float(found[int((1 - mass) * draws)]) - 1e-7
    # the mean of 1/p over random compositions that are visited is how many there are
    return least, float(np.where(found >= least, np.exp(-found), 0.0).mean())
