"""What a player of briscola sees, and nothing else. Seat 0 is the one who looks."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints

from .kernels import State

__all__ = ["Observations", "look"]


@dataclass(frozen=True, eq=False)
class Observations:
    """A batch of decisions; row i of every array is one of them."""

    hand: Ints
    """[n] the cards held, as a mask."""
    legal: Ints
    """[n] those that may be played: all of them, 0 where it is not the observer's turn."""
    shown: Ints
    """[n, 2] the cards played by me and by the other."""
    lead: Ints
    """[n] the card on the table; -1 where there is none."""
    trump: Ints
    """[n] the card that was turned up."""
    stock: Ints
    """[n] how many cards are left to draw, the one turned up included."""
    points: Ints
    """[n, 2] points taken by me and by the other."""
    rng_key: NDArray[np.uint64]
    """[n] a random number for an agent that randomises."""

    def __len__(self) -> int:
        return len(self.hand)

    def __getitem__(self, rows: Any) -> Observations:
        """Some of the decisions."""
        return Observations(*(getattr(self, f.name)[rows] for f in fields(self)))


def look(state: State, rows: Ints, seats: Ints, rng_key: NDArray[np.uint64]) -> Observations:
    """What seat `seats[k]` sees of round `rows[k]`."""
    sides = np.stack([seats, 1 - seats], axis=1)
    hand, count = state.hands[rows, seats], state.plays[rows]
    last = state.played[rows, np.maximum(count - 1, 0)].astype(np.int64)
    return Observations(
        hand=hand,
        legal=np.where(state.turn[rows] == seats, hand, 0),
        shown=np.take_along_axis(state.shown[rows], sides, axis=1),
        lead=np.where(count % 2 == 1, last, -1),
        trump=state.deck[rows, 39].astype(np.int64),
        stock=40 - state.drawn[rows],
        points=np.take_along_axis(state.points[rows], sides, axis=1),
        rng_key=rng_key,
    )
