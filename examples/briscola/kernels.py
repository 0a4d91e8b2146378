"""The rules of briscola, once: kernels that advance many rounds in lockstep over arrays.

A card is an index of `mazzo.cards.ITALIAN` (suit * 10 + rank, ranks 4 5 6 7 8 9 10 A 2 3), a set of cards a mask.
The deck's first cards are dealt, `hand` to each seat; the rest is drawn in order, and the last one is turned up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.jit import kernel
from mazzo.rng import below, fork

__all__ = ["POINTS", "POWER", "State", "apply", "beats", "begin", "forks", "shuffle"]

POWER = np.array([1, 2, 3, 4, 5, 6, 7, 9, 0, 8])
"""By rank: which card of a suit beats which."""
POINTS = np.array([0, 0, 0, 0, 2, 3, 4, 11, 0, 10])
"""By rank: fante 2, cavallo 3, re 4, three 10, ace 11; 120 in all."""

Small = NDArray[np.int8]


class State(NamedTuple):
    """Many rounds side by side. A card of the deck that is not known is -1."""

    deck: Small
    """[n, 40] in the order in which it is dealt and drawn."""
    owner: Small
    """[n, 40] who was given each card of the deck; -1 while it is in the stock."""
    hands: Ints
    """[n, 2] the cards held now, as far as they are known."""
    shown: Ints
    """[n, 2] the cards each seat has played."""
    played: Small
    """[n, 40] the cards in order of play, -1 where none yet."""
    plays: Ints
    """[n] how many cards have been played."""
    drawn: Ints
    """[n] how many cards of the deck have been given out."""
    turn: Small
    """[n] the seat to act; -1 when the round is over."""
    points: Ints
    """[n, 2] the points of the cards taken."""


@kernel
def shuffle(key: np.uint64, first: int, deck: Small) -> None:
    """The decks of rounds number `first`, `first` + 1, ... of a stream of chance."""
    for i in range(len(deck)):
        chance = fork(key, first + i)
        for k in range(40):
            deck[i, k] = k
        for k in range(39):
            chance = fork(chance, k)
            other = k + below(chance, 40 - k)
            deck[i, k], deck[i, other] = deck[i, other], deck[i, k]


@kernel
def forks(keys: NDArray[np.uint64], counters: Ints) -> NDArray[np.uint64]:
    """A random number for each key and counter."""
    found = np.empty(len(keys), np.uint64)
    for k in range(len(keys)):
        found[k] = fork(keys[k], counters[k])
    return found


@kernel
def _draw(state: State, i: int, seat: int) -> None:
    at = state.drawn[i]
    if at < 40:
        state.owner[i, at] = seat
        if state.deck[i, at] >= 0:
            state.hands[i, seat] |= np.int64(1) << np.int64(state.deck[i, at])
        state.drawn[i] = at + 1


@kernel
def begin(state: State, hand: int) -> None:
    """Deal the first cards of each deck."""
    for i in range(len(state.deck)):
        for k in range(2 * hand):
            _draw(state, i, k // hand)


@kernel
def beats(second: Any, first: Any, trump: Any) -> bool:
    """Whether the second card of a trick takes it: a higher one of the same suit, or a trump on another suit."""
    if second // 10 == first // 10:
        return bool(POWER[second % 10] > POWER[first % 10])
    return bool(second // 10 == trump // 10)


@kernel
def apply(state: State, rows: Ints, actions: Ints) -> None:
    """In each of some rounds the seat to act plays a card; who takes a trick draws first and leads."""
    for r in range(len(rows)):
        i, card = rows[r], actions[r]
        seat, k = state.turn[i], state.plays[i]
        state.hands[i, seat] &= ~(np.int64(1) << card)
        state.shown[i, seat] |= np.int64(1) << card
        state.played[i, k] = card
        state.plays[i] = k + 1
        if k % 2 == 0:
            state.turn[i] = 1 - seat
            continue
        led = state.played[i, k - 1]
        taker = seat if beats(card, led, state.deck[i, 39]) else 1 - seat
        state.points[i, taker] += POINTS[led % 10] + POINTS[card % 10]
        _draw(state, i, taker)
        _draw(state, i, 1 - taker)
        state.turn[i] = taker if k < 39 else -1
