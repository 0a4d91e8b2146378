"""The rules of tressette, once: kernels that advance many rounds in lockstep over arrays.

A card is an index of `mazzo.cards.ITALIAN` (suit * 10 + power), a set of cards a 40-bit mask in a signed 64-bit
integer, a suit ten adjacent bits in order of power. Seats are numbered in order of play (counter-clockwise); partners
sit two apart. Points are integer thirds.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.jit import kernel
from mazzo.luck import below, fork

__all__ = [
    "ACES",
    "ALL_CARDS",
    "CORONA",
    "DECLARED_RANKS",
    "HONOURS",
    "LAST_TRICK_THIRDS",
    "SIGNALS",
    "SUIT",
    "TOTAL_THIRDS",
    "Int",
    "Ints",
    "Rounds",
    "count_bits",
    "deal_hands",
    "declare",
    "declared_points",
    "legal_cards",
    "low_bit",
    "may_void",
    "play_cards",
    "strongest",
    "thirds_of",
]

Ints = NDArray[np.int64]
Int = Any
"""A whole number in a kernel: Python's outside, numba's int64 inside. mypy knows no type that is both."""

SUIT = (1 << 10) - 1
"""The mask of the first suit; shift it by ten for each next one."""
ALL_CARDS = (1 << 40) - 1
HONOURS = 0b111 << 7
"""Ace, two and three of the first suit: the three cards of a napoli."""
DECLARED_RANKS = (7, 8, 9)
"""Powers of the ranks that make a bongioco or a corona: ace, two, three."""
ACES = sum(1 << (10 * suit + 7) for suit in range(4))
_THIRD_EACH = sum(0b11_0111_0000 << (10 * suit) for suit in range(4))
_RANK = sum(1 << (10 * suit) for suit in range(4))
LAST_TRICK_THIRDS = 3
TOTAL_THIRDS = 35
CORONA = 5
"""In the declarations of a rank: 0 nothing, 1 + suit a bongioco without that suit, 5 a corona."""
SIGNALS = ("", "busso", "striscio", "volo")
"""What a leader may say where talking is allowed, always true: busso and striscio, it holds more of the suit (busso
also asks the partner for its best card); volo, this was its last. An action is a card + 40 times the signal."""
_VOLO = 3
_MAY_VOID_THIRDS = 3
_NAPOLI_POINTS, _BONGIOCO_POINTS, _CORONA_POINTS = 3, 3, 4


@kernel
def count_bits(mask: Int) -> Int:
    """How many cards a mask holds."""
    v = mask - ((mask >> 1) & 0x5555555555555555)
    v = (v & 0x3333333333333333) + ((v >> 2) & 0x3333333333333333)
    v = (v + (v >> 4)) & 0x0F0F0F0F0F0F0F0F
    v = v + (v >> 8)
    v = v + (v >> 16)
    v = v + (v >> 32)
    return v & 0x7F


@kernel
def low_bit(mask: Int) -> Int:
    """The index of the lowest card of a mask that is not empty."""
    return count_bits((mask & -mask) - 1)


@kernel
def strongest(mask: Int) -> Int:
    """The index of the highest card of a mask that is not empty."""
    v = mask | (mask >> 1)
    v = v | (v >> 2)
    v = v | (v >> 4)
    v = v | (v >> 8)
    v = v | (v >> 16)
    v = v | (v >> 32)
    return count_bits(v) - 1


@kernel
def thirds_of(mask: Int) -> Int:
    """What the cards of a mask are worth, in thirds of a point."""
    return 3 * count_bits(mask & ACES) + count_bits(mask & _THIRD_EACH)


@kernel
def legal_cards(hand: Int, led_suit: Int) -> Int:
    """The cards that may be played: those of the suit led if there are any, else all. A leader passes -1."""
    following = hand & (SUIT << (10 * max(led_suit, 0)))
    return following if led_suit >= 0 and following != 0 else hand


@kernel
def may_void(hand: Int) -> bool:
    """Whether a hand dealt is worth less than a point and a figure, so that its holder may send the deal a monte."""
    return bool(thirds_of(hand) <= _MAY_VOID_THIRDS)


@dataclass
class Rounds:
    """Many rounds side by side; row i of every array is round i. All rounds know everything: see `Observations`."""

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
    count: Ints
    """[n] how many cards have been played."""
    turn: NDArray[np.int8]
    """[n] whose turn it is."""
    thirds: Ints
    """[n, 2] thirds taken by seats 0 and 2, and by seats 1 and 3."""
    named: bool = False
    """Whether a napoli names its suit."""

    @classmethod
    def start(cls, dealt: Ints, leaders: NDArray[np.int8] | int, named: bool = False, talk: bool = False) -> Rounds:
        """Rounds about to begin: hands dealt and declared."""
        n = len(dealt)
        dealt = np.ascontiguousarray(dealt, dtype=np.int64)
        declared, napoli = np.zeros((n, 4, 4), np.int8), np.zeros((n, 4), np.int64)
        declare(dealt, declared, napoli)
        led = np.full((n, 11), -1, np.int8)
        led[:, 0] = leaders
        return cls(
            hands=dealt.copy(),
            dealt=dealt,
            shown=np.zeros((n, 4), np.int64),
            voids=np.zeros((n, 4), np.int64),
            owed=np.zeros((n, 4), np.int64),
            signals=np.full((n, 10), 0 if talk else -1, np.int8),
            declared=declared,
            napoli=napoli,
            played=np.full((n, 40), -1, np.int8),
            leaders=led,
            count=np.zeros(n, np.int64),
            turn=led[:, 0].copy(),
            thirds=np.zeros((n, 2), np.int64),
            named=named,
        )

    def __len__(self) -> int:
        return len(self.hands)

    def legal(self) -> Ints:
        """[n] the cards the seat to act may play."""
        return _legal_now(self.hands, self.played, self.count, self.turn)

    def play(self, cards: NDArray[np.int64]) -> None:
        """Advance every round by one card (with its signal). It must be legal: nothing is checked here."""
        play_cards(
            self.hands,
            self.shown,
            self.voids,
            self.owed,
            self.signals,
            self.played,
            self.leaders,
            self.count,
            self.turn,
            self.thirds,
            cards,
        )

    def points(self) -> Ints:
        """[n, 2] whole points of the two sides for the cards taken: each side's thirds rounded down."""
        return self.thirds // 3

    def row(self, i: int) -> Rounds:
        """Round i alone, in arrays of its own."""
        arrays = {f.name: getattr(self, f.name)[i : i + 1].copy() for f in fields(self) if f.name != "named"}
        return Rounds(**arrays, named=self.named)

    def copy(self) -> Rounds:
        """The same rounds in arrays of their own."""
        return deepcopy(self)


@kernel
def deal_hands(key: np.uint64, first: Int, hands: Ints) -> None:
    """Deal rounds number `first`, `first` + 1, ... of a stream of chance: ten cards to each of four seats."""
    deck = np.empty(40, np.int64)
    for i in range(len(hands)):
        luck = fork(key, first + i)
        for k in range(40):
            deck[k] = k
        for seat in range(4):
            hands[i, seat] = 0
        for k in range(39):
            luck = fork(luck, k)
            other = k + below(luck, 40 - k)
            deck[k], deck[other] = deck[other], deck[k]
        for k in range(40):
            hands[i, k // 10] |= np.int64(1) << deck[k]


@kernel
def declare(dealt: Ints, declared: NDArray[np.int8], napoli: Ints) -> None:
    """Write down what every seat must declare of the ten cards dealt to it."""
    for i in range(len(dealt)):
        for seat in range(4):
            hand = dealt[i, seat]
            napoli[i, seat] = 0
            for suit in range(4):
                honours = HONOURS << (10 * suit)
                if hand & honours == honours:
                    napoli[i, seat] |= 1 << suit
            declared[i, seat, 0] = count_bits(napoli[i, seat])
            for r in range(3):
                held = (hand >> (7 + r)) & _RANK
                n = count_bits(held)
                declared[i, seat, 1 + r] = 0
                if n == 4:
                    declared[i, seat, 1 + r] = CORONA
                elif n == 3:
                    declared[i, seat, 1 + r] = 1 + low_bit(_RANK & ~held) // 10


def declared_points(declared: NDArray[np.int8]) -> Ints:
    """[n, 4] points each seat's declarations score."""
    ranks = declared[:, :, 1:]
    coronas = (ranks == CORONA).sum(axis=2)
    bongiochi = ((ranks > 0) & (ranks < CORONA)).sum(axis=2)
    points = _NAPOLI_POINTS * declared[:, :, 0].astype(np.int64)
    return np.asarray(points + _CORONA_POINTS * coronas + _BONGIOCO_POINTS * bongiochi)


@kernel
def _legal_now(hands: Ints, played: NDArray[np.int8], count: Ints, turn: NDArray[np.int8]) -> Ints:
    legal = np.empty(len(hands), np.int64)
    for i in range(len(hands)):
        place = count[i] & 3
        led = played[i, count[i] - place] // 10 if place else -1
        legal[i] = legal_cards(hands[i, turn[i]], led)
    return legal


@kernel
def play_cards(
    hands: Ints,
    shown: Ints,
    voids: Ints,
    owed: Ints,
    signals: NDArray[np.int8],
    played: NDArray[np.int8],
    leaders: NDArray[np.int8],
    count: Ints,
    turn: NDArray[np.int8],
    thirds: Ints,
    cards: NDArray[np.int64],
) -> None:
    """Every round's seat to act plays its card; a full trick goes to the highest card of the suit led."""
    for i in range(len(hands)):
        seat, k, card, signal = turn[i], count[i], cards[i] % 40, cards[i] // 40
        place = k & 3
        bit = np.int64(1) << card
        hands[i, seat] &= ~bit
        shown[i, seat] |= bit
        played[i, k] = card
        count[i] = k + 1
        led = played[i, k - place] // 10
        if card // 10 != led:
            voids[i, seat] |= 1 << led
        owed[i, seat] &= ~(1 << (card // 10))
        if signal:
            signals[i, k // 4] = signal
            if signal == _VOLO:
                voids[i, seat] |= 1 << led
            else:
                owed[i, seat] |= 1 << led
        if place < 3:
            turn[i] = (seat + 1) & 3
            continue
        start, best = leaders[i, k // 4], played[i, k - 3]
        winner, worth = start, 0
        for j in range(4):
            c = played[i, k - 3 + j]
            worth += thirds_of(np.int64(1) << np.int64(c))
            if c // 10 == led and c > best:
                best, winner = c, (start + j) & 3
        if k == 39:
            worth += LAST_TRICK_THIRDS
        thirds[i, winner & 1] += worth
        leaders[i, k // 4 + 1] = winner
        turn[i] = winner
