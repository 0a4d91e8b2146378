"""What agents share: which of several cards is cheapest, dearest, best, or what `greedy` would play."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.bits import highest, lowest
from mazzo.cards import ITALIAN
from mazzo.jit import tight_helper
from mazzo.tressette.kernels import SUIT, Int, thirds_of
from mazzo.tressette.observation import Observations

__all__ = ["best_card", "card_text", "cheapest", "dearest", "greedy_card", "legal_list"]


@tight_helper
def cheapest(cards: Int) -> Int:
    """The card worth least; of those the lowest in power, then the first suit."""
    return _choose(cards, 1)


@tight_helper
def dearest(cards: Int) -> Int:
    """The card worth most; of those the lowest in power, then the first suit."""
    return _choose(cards, -1)


@tight_helper
def _choose(cards: Int, sign: Int) -> Int:
    best, best_key = np.int64(-1), np.int64(1 << 30)
    while cards:
        card = lowest(cards)
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


@tight_helper
def greedy_card(legal: Int, led: Int, best: Int, owner: Int, worth: Int, last: bool) -> Int:
    """What `greedy` plays: `owner` (0 me, 2 the partner) holds the trick with the card `best`, `worth` thirds in it."""
    if led < 0:
        return cheapest(legal)
    if owner == 2:
        return dearest(legal)
    winners = legal & (SUIT << (10 * led)) & ~((np.int64(2) << best) - 1)
    if winners and worth >= 1:
        return dearest(winners) if last else highest(winners)
    return cheapest(legal)
