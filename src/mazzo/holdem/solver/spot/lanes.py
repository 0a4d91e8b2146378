"""Eight ranges side by side against every hand: sums by card, and showdowns in one pass over hands by strength."""

from __future__ import annotations

from typing import Any

from mazzo.holdem.solver.spot.boards import HIGH, LOW, NO_CARD, A, B
from mazzo.jit import tight_helper
from mazzo.wide import EIGHT, load8, splat8, store8

__all__ = ["SUMS", "beside", "showdown8", "sum_up"]

_TOTAL = NO_CARD + 1  # where the sum over all cards stands among those by card
SUMS = (NO_CARD + 2) * EIGHT
"""The room that sums by card take."""


@tight_helper
def _add(sums: Any, begin: int, hands: Any, j: int, v: Any) -> None:
    """Add the weights of hand j to the sums of its cards."""
    a, b = begin + hands[A, j] * EIGHT, begin + hands[B, j] * EIGHT
    store8(sums, a, load8(sums, a) + v)
    store8(sums, b, load8(sums, b) + v)


@tight_helper
def _without(total: Any, sums: Any, begin: int, hands: Any, i: int) -> Any:
    a, b = begin + hands[A, i] * EIGHT, begin + hands[B, i] * EIGHT
    return total - load8(sums, a) - load8(sums, b)


@tight_helper
def sum_up(sums: Any, begin: int, hands: Any, live: int, rows: Any, first: int) -> None:
    """Sum the weights of hands, which are in `rows` from `first` on, by card and over all."""
    total = splat8(0.0, sums)
    for k in range(0, SUMS, EIGHT):
        store8(sums, begin + k, total)
    for j in range(live):
        v = load8(rows, first + j * EIGHT)
        total = total + v
        _add(sums, begin, hands, j, v)
    store8(sums, begin + _TOTAL * EIGHT, total)


@tight_helper
def beside(sums: Any, begin: int, hands: Any, i: int) -> Any:
    """The sum over the opponent's hands that share no card with hand i (its own holding taken off once too often)."""
    return _without(load8(sums, begin + _TOTAL * EIGHT), sums, begin, hands, i)


@tight_helper
def showdown8(
    mine: Any, theirs: Any, live: int, rows: Any, first: int, lanes: Any, plain: int, at: int, raked: bool
) -> None:
    """Won less lost of every hand against eight rows at once; with rake also won or lost.

    `rows` holds the weights from `first` on; `lanes` from `plain` on the sums over all hands, then room for the running
    sums, and from `at` on the results.
    """
    run, stride = plain + SUMS, mine.shape[1] * EIGHT
    half = splat8(-0.5, lanes)
    for k in range(0, SUMS, EIGHT):
        store8(lanes, run + k, load8(lanes, plain + k) * half)
    total = load8(lanes, run + _TOTAL * EIGHT)  # the running one stays in a register
    i, j = 0, 0
    while i < live:
        low, high, end = mine[LOW, i], mine[HIGH, i], i
        while j < low:
            v = load8(rows, first + j * EIGHT)
            total = total + v
            _add(lanes, run, theirs, j, v)
            j += 1
        while end < live and mine[LOW, end] == low and mine[HIGH, end] == high:
            store8(lanes, at + end * EIGHT, _without(total, lanes, run, mine, end))
            end += 1
        while j < high:
            v = load8(rows, first + j * EIGHT)
            total = total + v
            _add(lanes, run, theirs, j, v)
            j += 1
        for k in range(i, end):
            before, after = load8(lanes, at + k * EIGHT), _without(total, lanes, run, mine, k)
            store8(lanes, at + k * EIGHT, before + after)
            if raked:
                store8(lanes, at + stride + k * EIGHT, beside(lanes, plain, mine, k) + before - after)
        i = end
