"""Equity against up to nine random hands by sampling, with its standard error.

Sample k of a row is a function of the row's luck and of k alone, so that a batch of n rows gives what n batches of one
give, and more samples continue the fewer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mazzo.errors import IllegalError
from mazzo.holdem import showdown
from mazzo.holdem.equity.rows import check_rows
from mazzo.holdem.showdown import hand_value
from mazzo.jit import kernel
from mazzo.luck import below, fork

__all__ = ["MOST_OPPONENTS", "sample_counts", "sampled_equity"]

MOST_OPPONENTS = 9


@kernel
def _share(hole: Any, drawn: Any, board: Any, known: int, opponents: int, keys: Any, suits: Any, table: Any) -> int:
    """Among how many the hero shares the best hand: 1 if alone, 0 if beaten. First drawn are the board's cards."""
    key, bits = np.uint64(0), np.uint64(0)
    for k in range(5):
        card = board[k] if k < known else drawn[k - known]
        key += keys[card]
        bits |= suits[card]
    hero = hand_value(key + keys[hole[0]] + keys[hole[1]], bits | suits[hole[0]] | suits[hole[1]], table)
    sharing = 1
    for k in range(opponents):
        a, b = drawn[5 - known + 2 * k], drawn[5 - known + 2 * k + 1]
        value = hand_value(key + keys[a] + keys[b], bits | suits[a] | suits[b], table)
        if value > hero:
            return 0
        if value == hero:
            sharing += 1
    return sharing


@kernel
def _sample_row(
    hole: Any, board: Any, opponents: int, samples: int, luck: Any, keys: Any, suits: Any, table: Any, counts: Any
) -> None:
    known, dead = 0, suits[hole[0]] | suits[hole[1]]
    while known < 5 and board[known] >= 0:
        dead |= suits[board[known]]
        known += 1
    live, deck = np.empty(52, dtype=np.int64), np.empty(52, dtype=np.int64)
    available = 0
    for card in range(52):
        if not dead & suits[card]:
            live[available] = card
            available += 1
    wanted = 5 - known + 2 * opponents
    for sample in range(samples):
        key = fork(luck, sample)
        for k in range(available):
            deck[k] = live[k]
        for k in range(wanted):
            at = k + below(fork(key, k), available - k)
            deck[k], deck[at] = deck[at], deck[k]
        counts[_share(hole, deck, board, known, opponents, keys, suits, table)] += 1


@kernel
def _sample_rows(
    hole: Any, board: Any, opponents: Any, samples: int, luck: Any, keys: Any, suits: Any, table: Any, counts: Any
) -> None:
    for row in range(len(hole)):
        _sample_row(hole[row], board[row], opponents[row], samples, luck[row], keys, suits, table, counts[row])


def sample_counts(
    hole: ArrayLike, board: ArrayLike, opponents: ArrayLike, samples: int, luck: ArrayLike
) -> NDArray[np.int64]:
    """How often each hand was beaten (column 0), best alone (column 1), best together with k - 1 others (column k)."""
    holes, boards, _ = check_rows(hole, board)
    facing = np.ascontiguousarray(np.broadcast_to(np.asarray(opponents, dtype=np.int64), (len(holes),)))
    if facing.size and (facing.min() < 1 or facing.max() > MOST_OPPONENTS):
        raise IllegalError(f"there are 1 to {MOST_OPPONENTS} opponents, not {facing.min()} to {facing.max()}")
    if samples < 2:
        raise IllegalError(f"a standard error needs at least 2 samples, not {samples}")
    streams = np.ascontiguousarray(np.broadcast_to(np.asarray(luck, dtype=np.uint64), (len(holes),)))
    counts = np.zeros((len(holes), MOST_OPPONENTS + 2), dtype=np.int64)
    _sample_rows(holes, boards, facing, samples, streams, *showdown.tables(), counts)
    return counts


def sampled_equity(
    hole: ArrayLike, board: ArrayLike, opponents: ArrayLike, samples: int, luck: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Equity of many hands against one to nine random hands: means and standard errors.

    Args:
        hole: Two cards a row.
        board: Five places a row, -1 where nothing is dealt yet.
        opponents: For all rows or for each.
        samples: Deals sampled for each row.
        luck: One 64-bit number a row (or one for all rows), such as an observation's.
    """
    counts = sample_counts(hole, board, opponents, samples, luck)
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
