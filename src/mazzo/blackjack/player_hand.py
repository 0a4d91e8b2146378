"""A player's hand as it lies on the table, of cards that know when they were drawn."""

from __future__ import annotations

from dataclasses import dataclass

from mazzo.blackjack.multisets import BLACKJACK, hand_total
from mazzo.blackjack.shoe import text_of

__all__ = ["Drawn", "PlayerHand"]


class Drawn(int):
    """A rank that knows as which card of the round it was drawn, so that whoever shows it can give it one face."""

    number: int

    def __new__(cls, rank: int, number: int) -> Drawn:
        """The `number`-th card drawn in a round."""
        card = super().__new__(cls, rank)
        card.number = number
        return card


@dataclass(frozen=True)
class PlayerHand:
    """One of the players' hands as it lies on the table."""

    cards: tuple[int, ...]
    box: int = 0
    """Whose hand it is, where several are dealt in."""
    split: bool = False
    doubled: bool = False
    surrendered: bool = False
    over: bool = False
    insured: bool = False
    even_money: bool = False
    """A blackjack that was paid 1 to 1 at once."""

    @property
    def stake(self) -> float:
        """Units bet on it."""
        return 2.0 if self.doubled else 1.0

    @property
    def total(self) -> int:
        """Points, aces at their best."""
        return hand_total(self.cards)[0]

    @property
    def natural(self) -> bool:
        """A blackjack: ace and ten as dealt, not after a split."""
        return not self.split and tuple(sorted(self.cards)) == BLACKJACK

    def __str__(self) -> str:
        total, soft = hand_total(self.cards)
        return f"{text_of(self.cards)} ({'soft ' if soft and total < 21 else ''}{total})"
