"""What a seat may know of a round, and nothing else.

Everything is told from the observer's place: seat 0 is the observer ("me"), 1 the opponent who plays after it
("avv1"), 2 its partner ("compagno"), 3 the other opponent ("avv2").
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from mazzo.jit import kernel
from mazzo.tressette.rules import Rounds, legal_cards

__all__ = ["PLACES", "Observations", "observe"]

Ints = NDArray[np.int64]

PLACES = ("me", "avv1", "compagno", "avv2")
"""Names of the four seats as the observer sees them, in order of play."""


@dataclass(frozen=True)
class Observations:
    """A batch of decisions; row i of every array is one of them."""

    hand: Ints
    """[n] the observer's cards."""
    legal: Ints
    """[n] those it may play now (0 where it is not its turn)."""
    shown: Ints
    """[n, 4] the cards each seat has played."""
    voids: Ints
    """[n, 4] suits (bits) each seat was seen not to follow, or said to have no more of."""
    owed: Ints
    """[n, 4] suits (bits) each seat said to hold more of, and has not shown since."""
    signals: NDArray[np.int8]
    """[n, 10] what the leader of each trick said (see `SIGNALS` of the rules); -1 where there is no talking."""
    declared: NDArray[np.int8]
    """[n, 4, 4] of each seat: how many napoli, then what it declared of aces, twos and threes."""
    napoli: Ints
    """[n, 4] suits (bits) of the napoli, where they are named; else 0."""
    played: NDArray[np.int8]
    """[n, 40] the cards in order of play, -1 where none yet."""
    leaders: NDArray[np.int8]
    """[n, 11] who leads each trick, -1 where not known yet."""
    count: Ints
    """[n] how many cards have been played."""
    thirds: Ints
    """[n, 2] thirds taken by the observer's side and by the other."""
    luck: NDArray[np.uint64]
    """[n] a random number for an agent that randomises."""

    def __len__(self) -> int:
        return len(self.hand)

    def rows(self, chosen: NDArray[np.intp] | slice) -> Observations:
        """Some of the decisions."""
        return Observations(*[getattr(self, f.name)[chosen] for f in fields(self)])


def observe(
    rounds: Rounds, rows: NDArray[np.int64], seats: NDArray[np.int64], luck: NDArray[np.uint64]
) -> Observations:
    """What seat `seats[k]` knows of round `rows[k]`."""
    n = len(rows)
    o = Observations(
        hand=np.empty(n, np.int64),
        legal=np.empty(n, np.int64),
        shown=np.empty((n, 4), np.int64),
        voids=np.empty((n, 4), np.int64),
        owed=np.empty((n, 4), np.int64),
        signals=rounds.signals[rows],
        declared=np.empty((n, 4, 4), np.int8),
        napoli=np.zeros((n, 4), np.int64),
        played=rounds.played[rows],
        leaders=np.empty((n, 11), np.int8),
        count=rounds.count[rows],
        thirds=np.empty((n, 2), np.int64),
        luck=luck,
    )
    _look(
        (rounds.hands, rounds.shown, rounds.voids, rounds.owed, rounds.napoli, rounds.thirds, rounds.count),
        (rounds.declared, rounds.leaders, rounds.turn),
        rounds.named,
        rows,
        seats,
        (o.hand, o.legal),
        (o.shown, o.voids, o.owed, o.napoli, o.thirds),
        o.played,
        o.declared,
        o.leaders,
    )
    return o


@kernel
def _look(
    known: tuple[Ints, ...],
    signs: tuple[NDArray[np.int8], ...],
    named: bool,
    rows: Ints,
    seats: Ints,
    own: tuple[Ints, ...],
    seen: tuple[Ints, ...],
    played: NDArray[np.int8],
    declared: NDArray[np.int8],
    leaders: NDArray[np.int8],
) -> None:
    """Turn the table so that the observer sits at seat 0."""
    hands, shown, voids, owed, napoli, thirds, count = known
    all_declared, all_leaders, turn = signs
    hand, legal = own
    o_shown, o_voids, o_owed, o_napoli, o_thirds = seen
    for k in range(len(rows)):
        i, me = rows[k], seats[k]
        hand[k] = hands[i, me]
        place = count[i] & 3
        led = played[k, count[i] - place] // 10 if place else -1
        legal[k] = legal_cards(hand[k], led) if turn[i] == me and count[i] < 40 else 0
        for seat in range(4):
            other = (me + seat) & 3
            o_shown[k, seat] = shown[i, other]
            o_voids[k, seat] = voids[i, other]
            o_owed[k, seat] = owed[i, other]
            if named:
                o_napoli[k, seat] = napoli[i, other]
            for j in range(4):
                declared[k, seat, j] = all_declared[i, other, j]
        for side in range(2):
            o_thirds[k, side] = thirds[i, (me + side) & 1]
        for trick in range(11):
            leader = all_leaders[i, trick]
            leaders[k, trick] = (leader - me) & 3 if leader >= 0 else -1
