"""How the trick on the table stands, as the seat to act sees it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mazzo.jit import kernel
from mazzo.tressette.rules import Int, thirds_of

__all__ = ["trick_stands"]


@kernel
def trick_stands(played: NDArray[np.int8], count: Int) -> tuple[Int, Int, Int, Int]:
    """Of the trick on the table, seen by the seat to act: suit led, best card, whose it is, thirds lying there.

    Seats are told from the one to act (0): 2 is the partner. A leader sees -1, -1, -1, 0.
    """
    place = count & 3
    if place == 0:
        return -1, -1, -1, 0
    led, best, owner, worth = np.int64(played[count - place]) // 10, np.int64(-1), np.int64(-1), np.int64(0)
    for j in range(place):
        card = np.int64(played[count - place + j])
        worth += thirds_of(np.int64(1) << card)
        if card // 10 == led and card > best:
            best, owner = card, np.int64((4 - place + j) & 3)
    return led, best, owner, worth
