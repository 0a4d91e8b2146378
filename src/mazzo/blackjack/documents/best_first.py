"""Compositions in exact order of probability, any counts: the enumerator Bodon's 6.3.4 wished for.

The text knew no way to the next likely composition without weighing others. But its own rule of one parent for each
modifier (6.3.5) is a tree, and a child, being farther from the likeliest composition by one exchange, is never likelier
than its parent: the factors n-k/k+1 fall as k grows. So a priority queue over that tree gives every composition after
all that are likelier, once each, and only the queue need be kept. Counts of the ranks may differ, so that the tens of
blackjack can be one rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from mazzo.blackjack.multisets import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.jit import inlined, kernel

__all__ = ["best_first", "likeliest", "probability"]

Rows = NDArray[np.int16]
_CHUNK = 1 << 14
_MARGIN = 1 << 9


def probability(counts: Sequence[int], taken: Sequence[int]) -> float:
    """The poly-hypergeometric probability (6.7), from whole numbers."""
    ways = 1
    for of, k in zip(counts, taken, strict=True):
        ways *= comb(of, k)
    return ways / comb(sum(counts), sum(taken))


def likeliest(counts: Sequence[int], cards: int) -> tuple[int, ...]:
    """The likeliest composition of `cards` cards: cards are added where the probability grows most."""
    if not 0 <= cards <= sum(counts):
        raise UnreadableError(f"cannot take {cards} cards from {sum(counts)}")
    taken = [0] * len(counts)
    for _ in range(cards):
        best = max(range(len(counts)), key=lambda k: (counts[k] - taken[k]) / (taken[k] + 1))
        taken[best] += 1
    return tuple(taken)


@inlined
def _push(keys: Floats, at: Ints, size: int, key: float, row: int) -> None:
    """Put a row into the heap (largest key first)."""
    child = size
    while child > 0:
        parent = (child - 1) >> 1
        if keys[parent] >= key:
            break
        keys[child] = keys[parent]
        at[child] = at[parent]
        child = parent
    keys[child] = key
    at[child] = row


@inlined
def _pop(keys: Floats, at: Ints, size: int) -> int:
    """Take the first out of a heap that has `size` left after it; the row it was in."""
    first = at[0]
    key, row = keys[size], at[size]
    hole = 0
    while True:
        child = 2 * hole + 1
        if child >= size:
            break
        if child + 1 < size and keys[child + 1] > keys[child]:
            child += 1
        if keys[child] <= key:
            break
        keys[hole] = keys[child]
        at[hole] = at[child]
        hole = child
    keys[hole] = key
    at[hole] = row
    return first  # type: ignore[no-any-return]


@kernel
def _step(
    counts: Ints,
    mode: Ints,
    keys: Floats,
    rows: Rows,
    at: Ints,
    size: int,
    mass: float,
    target: float,
    found: Floats,
    taken: Rows,
) -> tuple[int, int, float]:
    """Take the likeliest out and put its children in, until the block is full, the mass reached or room is short.

    Rows `at[size:]` are free. Gives (compositions found, size of the heap, mass).
    """
    ranks = counts.shape[0]
    done = 0
    while done < found.shape[0] and size > 0 and mass < target and keys.shape[0] - size > ranks * ranks:
        key = keys[0]
        size -= 1
        row = _pop(keys, at, size)
        at[size] = row
        mass += key
        found[done] = key
        taken[done] = rows[row]
        positive, negative = ranks - 1, ranks - 1
        for k in range(ranks - 1, -1, -1):
            if taken[done, k] > mode[k]:
                positive = k
            elif taken[done, k] < mode[k]:
                negative = k
        for i in range(positive + 1):
            up = taken[done, i]
            if up < mode[i] or up >= counts[i]:
                continue
            for j in range(negative + 1):
                down = taken[done, j]
                if i == j or down > mode[j] or down <= 0:
                    continue
                chance = key * (counts[i] - up) / (up + 1) * down / (counts[j] - down + 1)
                free = at[size]
                rows[free] = taken[done]
                rows[free, i] += 1
                rows[free, j] -= 1
                _push(keys, at, size, chance, free)
                size += 1
        done += 1
    return done, size, mass


def best_first(counts: Sequence[int], cards: int, mass: float = 1.0) -> Iterator[tuple[Ints, Floats]]:
    """Compositions from the likeliest down until they have `mass`, in blocks: [composition, rank] and [p]."""
    mode = likeliest(counts, cards)
    ranks = len(counts)
    room = 4 * _CHUNK + _MARGIN
    keys, at, rows = np.zeros(room), np.arange(room), np.zeros((room, ranks), np.int16)
    keys[0], rows[0] = probability(counts, mode), mode
    size, total = 1, 0.0
    target = mass if mass < 1 else np.inf
    while size > 0 and total < target:
        if room - size <= ranks * ranks + 1:
            keys, at = np.concatenate([keys, np.zeros(room)]), np.concatenate([at, np.arange(room, 2 * room)])
            rows = np.concatenate([rows, np.zeros((room, ranks), np.int16)])
            room *= 2
        found, taken = np.zeros(_CHUNK), np.zeros((_CHUNK, ranks), np.int16)
        done, size, total = _step(
            np.asarray(counts, np.int64), np.asarray(mode, np.int64), keys, rows, at, size, total, target, found, taken
        )
        yield taken[:done].astype(np.int64), found[:done]
