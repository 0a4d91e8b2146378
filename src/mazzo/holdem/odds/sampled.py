"""Equity against up to nine random hands by sampling, with its standard error.

Sample k of a row is a function of the row's random key and of k alone, so that a batch of n rows gives what n batches
of one give, and more samples continue the fewer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mazzo.errors import IllegalError
from mazzo.holdem import showdown
from mazzo.holdem.odds.rows import check_rows
from mazzo.holdem.showdown import ShowdownTables, hand_value
from mazzo.jit import inlined, tight, tight_helper
from mazzo.rng import below, fork

__all__ = ["MOST_OPPONENTS", "sample_counts", "sampled_equity"]

MOST_OPPONENTS = 9

_ROOM = 64  # of a deck
_DRAWN_ANYHOW = 8  # cards


@inlined
def _draw(deck: Any, k: int, left: int, key: np.uint64) -> Any:
    """The k-th card of a deal: one of those left in the deck, which takes its place there."""
    at = np.uint64(k + below(fork(key, k), left - k))
    card = deck[at]
    deck[at] = deck[np.uint64(k)]
    return card


@inlined
def _share(hero: Any, board: Any, known: int, opponents: int, deck: Any, left: int, key: Any, judge: Any) -> Any:
    """Among how many the hero shares the best hand of one deal: 1 if alone, 0 if beaten.

    Nothing branches on what the first opponents hold, so that the look-ups of one deal overlap those of the next; after
    them the rest are dealt only to a hero who is not beaten yet.
    """
    keys, suits, table = judge
    ranks, bits, k = board[0], board[1], 0
    for _ in range(known, 5):
        card = _draw(deck, k, left, key)
        ranks += keys[card]
        bits |= suits[card]
        k += 1
    own = hand_value(ranks + hero[0], bits | hero[1], table)
    sharing, beaten = np.int64(1), np.int64(0)
    for _ in range(opponents):
        a, b = _draw(deck, k, left, key), _draw(deck, k + 1, left, key)
        k += 2
        value = hand_value(ranks + keys[a] + keys[b], bits | suits[a] | suits[b], table)
        beaten |= np.int64(value > own)
        if k > _DRAWN_ANYHOW and beaten:
            break
        sharing += np.int64(value == own)
    return sharing * (1 - beaten)


@tight_helper
def _sample_row(
    hole: Any, board: Any, opponents: int, samples: int, rng_key: Any, judge: Any, decks: Any, counts: Any
) -> None:
    keys, suits, _ = judge
    hero = keys[hole[0]] + keys[hole[1]], suits[hole[0]] | suits[hole[1]]
    known, ranks, bits = 0, np.uint64(0), np.uint64(0)
    while known < 5 and board[known] >= 0:
        ranks += keys[board[known]]
        bits |= suits[board[known]]
        known += 1
    live, deck, left = decks[0], decks[1], 0
    for card in range(52):
        if not (hero[1] | bits) & suits[card]:
            live[left] = card
            left += 1
    for sample in range(samples):
        for k in range(_ROOM):  # more than there are, but of a length that takes a few instructions
            deck[k] = live[k]
        key = fork(rng_key, sample)
        counts[_share(hero, (ranks, bits), known, opponents, deck, left, key, judge)] += 1


@tight
def _sample_rows(
    hole: Any, board: Any, opponents: Any, samples: int, rng_key: Any, judge: ShowdownTables, decks: Any, counts: Any
) -> None:
    for row in range(len(hole)):
        _sample_row(hole[row], board[row], opponents[row], samples, rng_key[row], judge, decks, counts[row])


def sample_counts(
    hole: ArrayLike, board: ArrayLike, opponents: ArrayLike, samples: int, rng_key: ArrayLike
) -> NDArray[np.int64]:
    """How often each hand was beaten (column 0), best alone (column 1), best together with k - 1 others (column k)."""
    holes, boards, _ = check_rows(hole, board)
    facing = np.ascontiguousarray(np.broadcast_to(np.asarray(opponents, dtype=np.int64), (len(holes),)))
    if facing.size and (facing.min() < 1 or facing.max() > MOST_OPPONENTS):
        raise IllegalError(f"there are 1 to {MOST_OPPONENTS} opponents, not {facing.min()} to {facing.max()}")
    if samples < 2:
        raise IllegalError(f"a standard error needs at least 2 samples, not {samples}")
    streams = np.ascontiguousarray(np.broadcast_to(np.asarray(rng_key, dtype=np.uint64), (len(holes),)))
    counts = np.zeros((len(holes), MOST_OPPONENTS + 2), dtype=np.int64)
    decks = np.zeros((2, _ROOM), dtype=np.uint8)
    _sample_rows(holes, boards, facing, samples, streams, showdown.tables(), decks, counts)
    return counts


def sampled_equity(
    hole: ArrayLike, board: ArrayLike, opponents: ArrayLike, samples: int, rng_key: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Equity of many hands against one to nine random hands: means and standard errors.

    Args:
        hole: Two cards a row.
        board: Five places a row, -1 where nothing is dealt yet.
        opponents: For all rows or for each.
        samples: Deals sampled for each row.
        rng_key: One 64-bit number a row (or one for all rows), such as an observation's.
    """
    counts = sample_counts(hole, board, opponents, samples, rng_key)
    return mean_and_error(counts)


def mean_and_error(counts: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean share of the pot and its standard error."""
    shares = np.zeros(counts.shape[1])
    shares[1:] = 1 / np.arange(1, counts.shape[1])
    samples = counts.sum(axis=1)
    # Summed row by row: a product of matrices rounds differently in batches of other sizes.
    mean = (counts * shares).sum(axis=1) / samples
    variance = np.maximum((counts * shares**2).sum(axis=1) / samples - mean**2, 0) * samples / (samples - 1)
    return mean, np.sqrt(variance / samples)
