"""The rules of tressette, once: kernels that advance many rounds in lockstep over arrays.

A card is an index of `mazzo.cards.ITALIAN` (suit * 10 + power), a set of cards a 40-bit mask in a signed 64-bit
integer, a suit ten adjacent bits in order of power. Seats are numbered in order of play (counter-clockwise); partners
sit two apart. Points are integer thirds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.bits import lowest, size
from mazzo.jit import kernel, tight, tight_helper
from mazzo.rng import below, fork
from mazzo.tressette.rules import SIGNALS

__all__ = [
    "ACES",
    "ALL_CARDS",
    "CORONA",
    "HONOURS",
    "LAST_TRICK_THIRDS",
    "SIGNALS",
    "SUIT",
    "TOTAL_POINTS",
    "TOTAL_THIRDS",
    "VOLO",
    "Int",
    "Ints",
    "State",
    "apply",
    "begin",
    "deal_hands",
    "declared_points",
    "legal",
    "legal_cards",
    "may_signal",
    "may_void",
    "settle",
    "tail_points",
    "thirds_of",
    "trick_stands",
]

Int = Any
"""A whole number in a kernel: Python's outside, numba's int64 inside. mypy knows no type that is both."""

SUIT = (1 << 10) - 1
"""The mask of the first suit; shift it by ten for each next one."""
ALL_CARDS = (1 << 40) - 1
HONOURS = 0b111 << 7
"""Ace, two and three of the first suit: the three cards of a napoli."""
ACES = sum(1 << (10 * suit + 7) for suit in range(4))
_THIRD_EACH = sum(0b11_0111_0000 << (10 * suit) for suit in range(4))
_RANK = sum(1 << (10 * suit) for suit in range(4))
LAST_TRICK_THIRDS = 3
TOTAL_THIRDS = 3 * ACES.bit_count() + _THIRD_EACH.bit_count() + LAST_TRICK_THIRDS
"""What a round is worth: all its cards and the last trick."""
TOTAL_POINTS = TOTAL_THIRDS // 3
"""The same in whole points, as they are counted."""
CORONA = 5
"""In the declarations of a rank: 0 nothing, 1 + suit a bongioco without that suit, 5 a corona."""
VOLO = 3
"""The signal that this was the last card of its suit."""
_MAY_VOID_THIRDS = 3
_NAPOLI_POINTS, _BONGIOCO_POINTS, _CORONA_POINTS = 3, 3, 4


@tight_helper
def thirds_of(mask: Int) -> Int:
    """What the cards of a mask are worth, in thirds of a point."""
    return 3 * size(mask & ACES) + size(mask & _THIRD_EACH)


@tight_helper
def legal_cards(hand: Int, led_suit: Int) -> Int:
    """The cards that may be played: those of the suit led if there are any, else all. A leader passes -1."""
    following = hand & (SUIT << (10 * max(led_suit, 0)))
    return following if led_suit >= 0 and following != 0 else hand


@kernel
def may_void(hand: Int) -> bool:
    """Whether a hand dealt is worth less than a point and a figure, so that its holder may send the deal a monte."""
    return bool(thirds_of(hand) <= _MAY_VOID_THIRDS)


class State(NamedTuple):
    """Many rounds side by side; row i of every array is round i. Everything is known here: see `Observations`."""

    hands: Ints
    """[n, 4] the cards held now."""
    dealt: Ints
    """[n, 4] the ten cards dealt."""
    shown: Ints
    """[n, 4] the cards each seat has played."""
    voids: Ints
    """[n, 4] suits (bits) each seat was seen not to follow, or said to have no more of."""
    owed: Ints
    """[n, 4] suits (bits) each seat said to hold more of, and has not shown since."""
    signals: NDArray[np.int8]
    """[n, 10] what the leader of each trick said (see `SIGNALS`); -1 where there is no talking."""
    declared: NDArray[np.int8]
    """[n, 4, 4] of each seat: how many napoli, then what it declared of aces, twos and threes (see `CORONA`)."""
    napoli: Ints
    """[n, 4] suits (bits) of the napoli."""
    played: NDArray[np.int8]
    """[n, 40] the cards in order of play, -1 where none yet."""
    leaders: NDArray[np.int8]
    """[n, 11] who leads each trick; the eleventh is who took the last one."""
    plays: Ints
    """[n] how many cards have been played."""
    turn: NDArray[np.int8]
    """[n] whose turn it is; -1 when the round is over."""
    thirds: Ints
    """[n, 2] thirds taken by seats 0 and 2, and by seats 1 and 3."""


@kernel
def deal_hands(key: np.uint64, first: Int, hands: Ints) -> None:
    """Deal rounds number `first`, `first` + 1, ... of a stream of chance: ten cards to each of four seats."""
    deck = np.empty(40, np.int64)
    for i in range(len(hands)):
        rng_key = fork(key, first + i)
        for k in range(40):
            deck[k] = k
        for seat in range(4):
            hands[i, seat] = 0
        for k in range(39):
            rng_key = fork(rng_key, k)
            other = k + below(rng_key, 40 - k)
            deck[k], deck[other] = deck[other], deck[k]
        for k in range(40):
            hands[i, k // 10] |= np.int64(1) << deck[k]


@kernel
def begin(state: State) -> None:
    """Start rounds whose cards are dealt: every seat takes its hand and declares what it must."""
    dealt, declared, napoli = state.dealt, state.declared, state.napoli
    for i in range(len(dealt)):
        for seat in range(4):
            hand = dealt[i, seat]
            state.hands[i, seat] = hand
            napoli[i, seat] = 0
            for suit in range(4):
                honours = HONOURS << (10 * suit)
                if hand & honours == honours:
                    napoli[i, seat] |= 1 << suit
            declared[i, seat, 0] = size(napoli[i, seat])
            for r in range(3):
                held = (hand >> (7 + r)) & _RANK
                n = size(held)
                declared[i, seat, 1 + r] = 0
                if n == 4:
                    declared[i, seat, 1 + r] = CORONA
                elif n == 3:
                    declared[i, seat, 1 + r] = 1 + lowest(_RANK & ~held) // 10


def declared_points(declared: NDArray[np.int8]) -> Ints:
    """[n, 4] points each seat's declarations score; none where they are not made (yet)."""
    ranks = declared[:, :, 1:]
    coronas = (ranks == CORONA).sum(axis=2)
    bongiochi = ((ranks > 0) & (ranks < CORONA)).sum(axis=2)
    points = _NAPOLI_POINTS * np.maximum(declared[:, :, 0], 0).astype(np.int64)
    return np.asarray(points + _CORONA_POINTS * coronas + _BONGIOCO_POINTS * bongiochi)


def tail_points(hand: int, napoli: int) -> int:
    """Cards of a hand dealt that continue its napoli (suits as bits) without a gap: king, knight, jack, 7 ..."""
    tail = 0
    for suit in range(4):
        power = 6
        while napoli >> suit & 1 and power >= 0 and hand >> (10 * suit + power) & 1:
            tail, power = tail + 1, power - 1
    return tail


@tight_helper
def _may_play(state: State, i: Int) -> Int:
    place = state.plays[i] & 3
    led = state.played[i, state.plays[i] - place] // 10 if place else -1
    return legal_cards(state.hands[i, state.turn[i]], led)


@kernel
def legal(state: State, rows: Ints) -> Ints:
    """[rows] the cards the seat to act may play; none where the round is over."""
    cards = np.empty(len(rows), np.int64)
    for k in range(len(rows)):
        cards[k] = _may_play(state, rows[k])
    return cards


@tight_helper
def _is_legal(state: State, i: Int, action: Int) -> bool:
    card, signal = action % 40, action // 40
    if action < 0 or signal > VOLO or (_may_play(state, i) >> card) & 1 == 0:
        return False
    return bool(signal == 0 or may_signal(state, i, card, signal))


@tight_helper
def may_signal(state: State, row: Int, card: Int, signal: Int) -> bool:
    """Whether the seat to act may lead a card of its hand with a signal: only what is true."""
    more = state.hands[row, state.turn[row]] & ~(np.int64(1) << card) & (SUIT << (10 * (card // 10)))
    return bool(state.signals[row, 0] >= 0 and state.plays[row] & 3 == 0 and (more == 0) == (signal == VOLO))


@tight
def apply(state: State, rows: Ints, actions: Ints, checked: bool) -> Int:
    """In each of some rounds the seat to act plays its card; a full trick goes to the highest card of the suit led.

    Gives -1; if they are to be checked and one is not legal, its place in `rows`, and none is played.
    """
    if checked:
        for r in range(len(rows)):
            if not _is_legal(state, rows[r], actions[r]):
                return r
    for r in range(len(rows)):
        i = rows[r]
        seat, k, card, signal = state.turn[i], state.plays[i], actions[r] % 40, actions[r] // 40
        place = k & 3
        bit = np.int64(1) << card
        state.hands[i, seat] &= ~bit
        state.shown[i, seat] |= bit
        state.played[i, k] = card
        state.plays[i] = k + 1
        led = state.played[i, k - place] // 10
        if card // 10 != led:
            state.voids[i, seat] |= 1 << led
        state.owed[i, seat] &= ~(1 << (card // 10))
        if signal:
            state.signals[i, k // 4] = signal
            if signal == VOLO:
                state.voids[i, seat] |= 1 << led
            else:
                state.owed[i, seat] |= 1 << led
        if place < 3:
            state.turn[i] = (seat + 1) & 3
        else:
            _end_trick(state, i, k)
    return -1


@tight_helper
def _end_trick(state: State, i: Int, k: Int) -> None:
    """Card number k was the fourth of its trick."""
    start, best = state.leaders[i, k // 4], state.played[i, k - 3]
    led, winner, worth = best // 10, start, 0
    for j in range(4):
        c = state.played[i, k - 3 + j]
        worth += thirds_of(np.int64(1) << np.int64(c))
        if c // 10 == led and c > best:
            best, winner = c, (start + j) & 3
    if k == 39:
        worth += LAST_TRICK_THIRDS
    state.thirds[i, winner & 1] += worth
    state.leaders[i, k // 4 + 1] = winner
    state.turn[i] = winner if k < 39 else -1


def settle(state: State, a_perdere: bool = False) -> Ints:
    """[n, 4] whole points of each seat's side less the other's: each side's thirds rounded down.

    A perdere they count against it, unless it has taken all of them: then the other side has them.
    """
    whole = state.thirds // 3
    ahead = whole[:, :1] - whole[:, 1:]
    if a_perdere:
        ahead = np.where(np.abs(ahead) == TOTAL_POINTS, ahead, -ahead)
    return np.hstack([ahead, -ahead, ahead, -ahead])


@tight_helper
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
