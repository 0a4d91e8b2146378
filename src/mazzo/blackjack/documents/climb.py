"""Searching a strategy by simulation alone: change a letter, play the same cards again, keep what earns more.

This is the text's chapter 3 made automatic. Both tables play the same rounds from the same seed, so that only rounds
in which they differ count, and a change is kept only when its gain exceeds twice its standard error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import RANKS, Shoe
from mazzo.blackjack.simulation import play_rounds
from mazzo.blackjack.strategy import HARD_ROWS, ROWS, SOFT_ROWS, Strategy, play_arrays
from mazzo.rng import below, fork, stream
from mazzo.statistics import Estimate, Moments

__all__ = ["Change", "Climb", "climb", "start_table"]

_ERRORS_APART = 2.0


@dataclass(frozen=True)
class Change:
    """A letter that was changed, and what that earned on the rounds it was tested on."""

    row: str
    upcard: str
    before: str
    after: str
    gain: Estimate


@dataclass(frozen=True)
class Climb:
    """Where a climb ended: the table, the changes that led there, how many were tried."""

    table: Strategy
    changes: tuple[Change, ...]
    tried: int
    rounds: int


def start_table() -> Strategy:
    """A beginner's table: hit to 16 and stand, no doubles, no splits, no surrender."""
    rows = []
    for name in ROWS:
        if name in HARD_ROWS:
            rows.append(("h" if int(name) < 17 else "n") * 10)
        elif name in SOFT_ROWS:
            rows.append(("n" if SOFT_ROWS.index(name) < 4 else "h") * 10)
        else:
            rows.append(("n" if name in ("T-T", "9-9") else "h") * 10)
    return Strategy(tuple(rows))


def _letters_of(row: str) -> str:
    if "-" in row:
        return "nhbDs"
    return "nhD" if row in ("4", "5", "6", "7", "8", "9", "10", "11") else "nhbBDd"


def climb(
    rules: Rules,
    table: Strategy | None = None,
    rounds: int = 200_000,
    sweeps: int = 2,
    seed: int = 0,
    cells: int | None = None,
    advance: Callable[[float], None] | None = None,
    shoe: Shoe | None = None,
) -> Climb:
    """Try the letters of every cell in random order, `sweeps` times over (or only so many cells).

    Each sweep plays fresh cards: a change that was luck on one sweep's cards can be undone on the next.
    Every round is dealt from `shoe`, a fresh one if none is given.
    """
    table = start_table() if table is None else table
    changes: list[Change] = []
    tried = 0
    order = [(row, up) for row in range(len(ROWS)) for up in range(10)]
    for sweep in range(sweeps):
        key = fork(stream(seed, "climb"), sweep)
        keys = [int(below(fork(key, k), 1 << 31)) for k in range(len(order))]
        cards = seed * 1_000_003 + sweep
        base = play_rounds(rules, play_arrays(table, rules), rounds, cards, shoe)
        for row, upcard in [order[k] for k in np.argsort(keys, kind="stable")][:cells]:
            before = table.letter(row, upcard)
            for letter in _letters_of(ROWS[row]):
                if letter == table.letter(row, upcard):
                    continue
                other = table.changed(row, upcard, letter)
                results = play_rounds(rules, play_arrays(other, rules), rounds, cards, shoe)
                gain = Moments.of(results - base).estimate()
                tried += 1
                if gain.mean > _ERRORS_APART * gain.standard_error:
                    table, base = other, results
                    changes.append(Change(ROWS[row], RANKS[upcard], before, letter, gain))
                    before = letter
            if advance:
                advance(1)
    return Climb(table, tuple(changes), tried, rounds)
