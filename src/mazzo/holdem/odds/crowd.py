"""Equity before the flop against three to nine random hands: too many cases to count, so dealt once, 200 million times.

The table comes with Mazzo: for each number of opponents and each of the 169 starting hands, how many deals there were
and what the hand won in them. The standard error of an equity is 0.0003 at most, a thirtieth of that of the 2,000 deals
an agent would sample for a decision. Every deal seats ten; its first four, five, ... ten players are each a deal for
all the hands in it.
"""

from __future__ import annotations

from functools import cache
from math import lcm
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mazzo.holdem import showdown
from mazzo.holdem.odds.sampled import MOST_OPPONENTS
from mazzo.holdem.packed import read_packed, write_packed
from mazzo.holdem.showdown import ShowdownTables, hand_value
from mazzo.jit import tight
from mazzo.rng import below, fork, stream

__all__ = ["SHIPPED", "CrowdTable", "crowd_equities", "crowd_table", "deal_table", "read_table", "write_table"]

FEWEST = 3
POT = lcm(*range(1, MOST_OPPONENTS + 2))
"""A pot that any number of winners can share in whole parts."""
SHIPPED = Path(__file__).with_name("crowd.bin")
"""The table that comes with Mazzo; `write_table(SHIPPED, deal_table())` makes the file."""

_TITLE = b"mazzo hold'em equities before the flop against many, version 1\n"
_DEALS, _AT_ONCE = 200_000_000, 1_000_000
_SHAPE = (MOST_OPPONENTS + 1 - FEWEST, 13, 13)
_BYTES = 8 * int(np.prod(_SHAPE))


class CrowdTable(NamedTuple):
    """By opponents (from three), higher and lower rank for suited hands, lower and higher for pairs and the rest."""

    won: NDArray[np.int64]
    """What was won, in parts of which a pot has `POT`."""
    deals: NDArray[np.int64]


@tight
def _deal(
    key: Any, first: int, count: int, deck: Any, judge: ShowdownTables, values: Any, kinds: Any, out: Any
) -> None:
    """Deal a run of numbered deals to ten players; `out` has what was won and how often a place held a hand."""
    keys, suits, table = judge
    won, seen = out
    players = len(values)
    for deal in range(first, first + count):
        rng_key = fork(key, deal)
        for k in range(5 + 2 * players):  # a deck that is shuffled already is as good as a new one
            at = k + below(fork(rng_key, k), 52 - k)
            deck[k], deck[at] = deck[at], deck[k]
        ranks, bits = np.uint64(0), np.uint64(0)
        for k in range(5):
            ranks += keys[deck[k]]
            bits |= suits[deck[k]]
        best, winners = np.int64(-1), 0
        for p in range(players):
            a, b = deck[5 + 2 * p], deck[6 + 2 * p]
            high, low = max(a >> 2, b >> 2), min(a >> 2, b >> 2)
            kinds[p] = high * 13 + low if a & 3 == b & 3 else low * 13 + high
            seen[p, kinds[p]] += 1
            values[p] = hand_value(ranks + keys[a] + keys[b], bits | suits[a] | suits[b], table)
            winners = 1 if values[p] > best else winners + (values[p] == best)
            best = max(best, values[p])
            if p >= FEWEST:
                for q in range(p + 1):
                    if values[q] == best:
                        won[p - FEWEST, kinds[q]] += POT // winners


def deal_table(deals: int = _DEALS) -> CrowdTable:
    """Deal the table: about half a minute for all of it."""
    players = MOST_OPPONENTS + 1
    won, seen = np.zeros((_SHAPE[0], 169), np.int64), np.zeros((players, 169), np.int64)
    room = np.zeros(players, np.int64), np.zeros(players, np.int64)
    for first in range(0, deals, _AT_ONCE):
        deck = np.arange(52, dtype=np.int64)
        count = min(_AT_ONCE, deals - first)
        _deal(stream(0, "crowd"), first, count, deck, showdown.tables(), *room, (won, seen))
    return CrowdTable(won.reshape(_SHAPE), np.cumsum(seen, axis=0)[FEWEST:].reshape(_SHAPE))


def read_table(path: Path) -> CrowdTable | None:
    """The table in a file, or nothing if the file is missing or not what was written."""
    numbers = read_packed(path, _TITLE, 2 * _BYTES)
    if numbers is None:
        return None
    return CrowdTable(*np.frombuffer(numbers, dtype="<i8").astype(np.int64).reshape(2, *_SHAPE))


def write_table(path: Path, table: CrowdTable) -> None:
    """Write the table so that a reader sees the old file or the new one, never a part of it."""
    write_packed(path, _TITLE, np.stack(table).astype("<i8").tobytes(), 19)


@cache
def crowd_table() -> CrowdTable:
    """The table that comes with Mazzo; dealt anew, the same, where its file is damaged."""
    return read_table(SHIPPED) or deal_table()


def crowd_equities(hole: ArrayLike, opponents: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Equity of many hands before the flop against three to nine random hands, as numerators and denominators."""
    holes = np.asarray(hole, dtype=np.int64)
    ranks = np.sort(holes >> 2, axis=1)
    suited = (holes[:, 0] & 3) == (holes[:, 1] & 3)
    low, high = ranks[:, 0], ranks[:, 1]
    at = np.asarray(opponents) - FEWEST, np.where(suited, high, low), np.where(suited, low, high)
    table = crowd_table()
    return table.won[at], table.deals[at] * POT
