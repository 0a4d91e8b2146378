"""What agents share: how the trick stands, and which of several cards is cheapest or dearest."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.cards import ITALIAN
from mazzo.jit import kernel
from mazzo.tressette.observation import Observations
from mazzo.tressette.rules import SIGNALS, Int, low_bit, thirds_of
from mazzo.tressette.trick import trick_stands

__all__ = ["action_text", "best_card", "card_text", "cheapest", "dearest", "legal_list", "trick_stands"]


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


def best_card(values: NDArray[Any], legal: int) -> int:
    """The legal card of highest value; of equal ones the cheapest."""
    cards = [k for k in range(40) if legal >> k & 1]
    best = max(values[k] for k in cards)
    return int(cheapest(np.int64(sum(1 << k for k in cards if values[k] == best))))


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
