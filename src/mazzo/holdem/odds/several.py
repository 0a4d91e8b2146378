"""Hands drawn from several ranges at once, and what a hand or range wins against them.

Whole tuples of hands are drawn; one whose cards meet is drawn again as a whole: anything else would change the weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem.odds.build import holes
from mazzo.holdem.odds.ranges import Range
from mazzo.holdem.showdown import evaluate
from mazzo.rng import forks

__all__ = ["drawn_holdings", "filled_boards", "sampled_shares"]

_LEAST_ACCEPTED = 1e-3
_DRAWN, _CARDS = 1, 2  # streams of a key
_AT_ONCE = 1 << 16


def _uniform(key: np.uint64, stream: int, first: int, rows: int, columns: int) -> Floats:
    """Numbers in [0, 1): row r is a function of the key and of its number alone."""
    keys = forks(forks(key, np.array([stream]))[0], np.arange(first, first + rows))
    parts = forks(np.repeat(keys, columns), np.tile(np.arange(columns), rows))
    return np.asarray((parts >> np.uint64(11)).astype(np.float64) * 2.0**-53).reshape(rows, columns)


def drawn_holdings(gone: Sequence[int], ranges: Sequence[Floats], samples: int, key: np.uint64) -> Ints:
    """Holdings drawn for all opponents at once, a row a draw; those that share a card are drawn again as a whole."""
    free = ~np.isin(holes(), gone).any(axis=1)
    sums = [np.cumsum(np.where(free, weights, 0.0)) for weights in ranges]
    for k, total in enumerate(sums):
        if total[-1] <= 0:
            raise UnreadableError(f"the range of opponent {k + 1} has no holding that the cards leave")
    found: list[Ints] = []
    count = tried = 0
    while count < samples:
        draw = _uniform(key, _DRAWN, tried, 2 * samples, len(sums))
        tried += 2 * samples
        picked = np.stack([np.searchsorted(s, draw[:, k] * s[-1], side="right") for k, s in enumerate(sums)], axis=1)
        cards = np.sort(holes()[picked].reshape(len(picked), -1), axis=1)
        apart = (cards[:, 1:] != cards[:, :-1]).all(axis=1)
        found.append(picked[apart])
        count += int(apart.sum())
        if count < _LEAST_ACCEPTED * tried:
            raise UnreadableError("these ranges leave hardly any deal in which no card is held twice")
    return np.concatenate(found)[:samples]


def filled_boards(gone: Ints, board: NDArray[np.int8], key: np.uint64) -> Ints:
    """Boards filled up with cards that are not gone, a row a draw."""
    known = [int(card) for card in board if card >= 0]
    order = _uniform(key, _CARDS, 0, len(gone), 52)
    np.put_along_axis(order, gone, 2.0, axis=1)
    order[:, known] = 2.0
    rest = np.argpartition(order, 5, axis=1)[:, :5]
    rest = np.take_along_axis(rest, np.take_along_axis(order, rest, axis=1).argsort(axis=1), axis=1)
    return np.concatenate([np.tile(np.array(known, np.int64), (len(gone), 1)), rest[:, : 5 - len(known)]], axis=1)


def _weights(of: Range) -> Floats:
    weights = np.zeros(len(holes()))
    for (low, high), weight in of.weights.items():
        weights[high * (high - 1) // 2 + low] = float(weight)
    return weights


def sampled_shares(
    ranges: Sequence[Range], board: Sequence[int], dead: Iterable[int], samples: int, key: np.uint64
) -> tuple[Floats, Floats, Floats]:
    """Per deal the share of the pot that the first range wins, whether it is best alone, and whether it shares."""
    open_, gone = np.array([*board, *[-1] * (5 - len(board))], np.int8), [int(card) for card in dead]
    shares, weights = [], [_weights(one) for one in ranges]
    for block, begin in enumerate(range(0, samples, _AT_ONCE)):
        own = forks(key, np.array([block]))[0]
        size = min(_AT_ONCE, samples - begin)
        held = holes()[drawn_holdings([*board, *gone], weights, size, own)].astype(np.int64).reshape(size, -1)
        out = np.concatenate([held, np.tile(np.array(gone, np.int64), (size, 1))], axis=1)
        boards = filled_boards(out, open_, own)
        values = np.stack(
            [evaluate(np.concatenate([held[:, 2 * k : 2 * k + 2], boards], axis=1)) for k in range(len(ranges))]
        ).astype(np.int64)
        best = values.max(axis=0)
        shares.append(np.where(values[0] == best, 1.0 / (values == best).sum(axis=0), 0.0))
    share = np.concatenate(shares)
    return share, np.asarray(share == 1.0, np.float64), np.asarray((share > 0) & (share < 1.0), np.float64)
