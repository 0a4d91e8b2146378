"""What agents share: how the trick stands, and which of several cards is cheapest or dearest."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mazzo.cards import ITALIAN
from mazzo.jit import kernel
from mazzo.tressette.observation import Observations
from mazzo.tressette.rules import SIGNALS, Int, low_bit, thirds_of

__all__ = ["action_text", "card_text", "cheapest", "dearest", "legal_list", "trick_stands"]


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


@kernel
def cheapest(cards: Int) -> Int:
    """The card worth least; of those the lowest in power, then the first suit."""
    return _choose(cards, 1)


@kernel
def dearest(cards: Int) -> Int:
    """The card worth most; of those the lowest in power, then the first suit."""
    return _choose(cards, -1)


@kernel
def _choose(cards: Int, sign: Int) -> Int:
    best, best_key = np.int64(-1), np.int64(1 << 30)
    while cards:
        card = low_bit(cards)
        cards &= cards - 1
        key = 100 * sign * thirds_of(np.int64(1) << card) + card % 10
        if key < best_key:
            best, best_key = card, key
    return best


def legal_list(observation: Observations) -> list[int]:
    """The legal cards of a batch of one."""
    return [int(card) for card in ITALIAN.unmask(int(observation.legal[0]))]


def card_text(card: int) -> str:
    """A card's index as text."""
    return ITALIAN.text([card])


def action_text(action: int) -> str:
    """A card with its signal, as `Round.act` reads it: `4d`, `4d:busso`."""
    card, signal = card_text(action % 40), SIGNALS[action // 40]
    return f"{card}:{signal}" if signal else card
