"""What a tournament keeps from hand to hand: chips, button, places. The one account of it, for every way of playing.

Row t of `stacks` (by seat) and of `button` is tournament t. The button goes to the next player still in; there are no
dead buttons. Of players who go out in the same hand, the one who began it with more chips is placed higher; equal ones
are placed by lot, drawn before the tournament begins.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.jit import inlined, tight
from mazzo.rng import below, fork

__all__ = ["close", "close_rows", "end_by_chips", "end_rows", "first_button", "open_rows", "take_seats"]

Seating = NDArray[np.int16]


@inlined
def first_button(key: Any, tournament: int, seats: int) -> Any:
    """Who has the button first, by lot."""
    return below(fork(key, tournament), seats)


@inlined
def take_seats(stacks: Ints, button: Ints, t: int, seats: int, seating: Seating, at: int) -> int:
    """Write who sits at each position to seating[at], from the left of the button to the button: how many they are."""
    count = 0
    for k in range(1, seats + 1):
        seat = button[t] + k
        seat = seat if seat < seats else seat - seats
        if stacks[t, seat] > 0:
            seating[at, count] = seat
            count += 1
    return count


@inlined
def _ahead(stacks: Ints, t: int, seat: int, other: int, lot: Any) -> Any:
    mine, theirs = stacks[t, seat], stacks[t, other]
    return theirs > mine or (theirs == mine and fork(lot, other) > fork(lot, seat))


@inlined
def close(
    stacks: Ints,
    button: Ints,
    places: Any,
    t: int,
    seats: int,
    seating: Seating,
    at: int,
    count: int,
    net: Ints,
    key: Any,
    tournament: int,
) -> int:
    """Pay a finished hand out, place who has lost everything, and move the button: how many are left."""
    lot = fork(key, tournament)
    left = count
    for p in range(count):
        left -= stacks[t, seating[at, p]] + net[at, p] == 0
    for p in range(count):
        seat = seating[at, p]
        if stacks[t, seat] + net[at, p] == 0:
            place = left + 1
            for q in range(count):
                other = seating[at, q]
                if q != p and stacks[t, other] + net[at, q] == 0 and _ahead(stacks, t, seat, other, lot):
                    place += 1
            places[t, seat] = place
    for p in range(count):
        stacks[t, seating[at, p]] += net[at, p]
    for p in range(count):
        if stacks[t, seating[at, p]] > 0:
            button[t] = seating[at, p]
            break
    if left == 1:
        places[t, button[t]] = 1
    return left


@inlined
def end_by_chips(stacks: Ints, places: Any, t: int, seats: int, key: Any, tournament: int) -> None:
    """Place all who are left by their chips, equal ones by lot."""
    lot = fork(key, tournament)
    for seat in range(seats):
        if stacks[t, seat] > 0:
            place = 1
            for other in range(seats):
                if other != seat and stacks[t, other] > 0 and _ahead(stacks, t, seat, other, lot):
                    place += 1
            places[t, seat] = place


@tight
def open_rows(stacks: Ints, button: Ints, rows: Ints, seating: Seating) -> None:
    """`take_seats` for many tournaments with equally many players left."""
    for at in range(len(rows)):
        take_seats(stacks, button, rows[at], stacks.shape[1], seating, at)


@tight
def close_rows(
    stacks: Ints,
    button: Ints,
    places: Any,
    rows: Ints,
    seating: Seating,
    net: Ints,
    key: np.uint64,
    first: int,
    left: Ints,
) -> None:
    """`close` for many tournaments, the first row being tournament number `first`."""
    for at in range(len(rows)):
        t = rows[at]
        left[t] = close(stacks, button, places, t, stacks.shape[1], seating, at, seating.shape[1], net, key, first + t)


@tight
def end_rows(stacks: Ints, places: Any, rows: Ints, key: np.uint64, first: int) -> None:
    """`end_by_chips` for many tournaments."""
    for t in rows:
        end_by_chips(stacks, places, t, stacks.shape[1], key, first + t)


@tight
def buttons(key: np.uint64, first: int, seats: int, out: Ints) -> None:
    """`first_button` for tournaments numbered from `first`."""
    for t in range(len(out)):
        out[t] = first_button(key, first + t, seats)
