"""The cards of the competition's reference dealer: a log whose header names the seed gives away every card."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mazzo.holdem.rules import Rules

__all__ = ["ReferenceDeck"]


class ReferenceDeck:
    """Deals hand after hand as the reference dealer does: MT19937, `raw % cards left`, the last card takes the place.

    A hand costs as many random numbers as it has cards, whether or not the board is ever seen.
    """

    def __init__(self, game: Rules, seed: int) -> None:
        self.game = game
        # The reference seeds MT19937 with one 32-bit number; only numpy's old interface does exactly that.
        self._raw = np.random.RandomState(seed & 0xFFFFFFFF)
        # The reference counts its deck suit by suit, ours runs rank by rank.
        self._deck = sorted((int(card) for card in game.deck), key=lambda card: (card & 3, card >> 2))

    def deal(self, hands: int = 1) -> NDArray[np.uint8]:
        """The cards of the next hands: hole cards position by position, then the board."""
        count = self.game.cards_dealt
        raw = self._raw.randint(0, 2**32, size=(hands, count), dtype=np.uint32)
        left = np.arange(len(self._deck), len(self._deck) - count, -1)
        return np.array([self._deal_one(row) for row in (raw % left).tolist()], np.uint8).reshape(hands, count)

    def _deal_one(self, places: list[int]) -> list[int]:
        deck = self._deck.copy()
        cards = []
        for place in places:
            cards.append(deck[place])
            last = deck.pop()
            if place < len(deck):
                deck[place] = last
        return cards
