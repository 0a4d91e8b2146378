"""A counting drill: cards go by, the player keeps the count. Nothing is kept."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mazzo.blackjack.counting.systems import Count
from mazzo.blackjack.shoe import RANKS, Shoe
from mazzo.errors import UnreadableError
from mazzo.rng import below, fork, stream

__all__ = ["Drill"]


@dataclass
class Drill:
    """A shoe dealt in handfuls, and how well the count was kept."""

    count: Count
    decks: int = 6
    handful: int = 3
    seed: int = 0
    asked: int = 0
    right: int = 0
    _cards: list[int] = field(default_factory=list, repr=False)
    _dealt: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.handful <= 26:
            raise UnreadableError(f"a handful must be 1 to 26 cards, got {self.handful}")
        cards = [rank for rank, count in enumerate(Shoe.of_decks(self.decks).counts) for _ in range(count)]
        key = stream(self.seed, "drill")
        for k in range(len(cards)):
            place = k + int(below(np.uint64(fork(key, k)), len(cards) - k))
            cards[k], cards[place] = cards[place], cards[k]
        self._cards = cards

    @property
    def decks_left(self) -> float:
        """Decks not dealt yet, to the half deck, at least half of one."""
        return max(0.5, round((len(self._cards) - self._dealt) / 26) / 2)

    @property
    def running(self) -> float:
        """The running count."""
        return float(sum(self.count.tags[card] for card in self._cards[: self._dealt]))

    @property
    def true(self) -> float:
        """The running count per deck left."""
        return self.running / self.decks_left

    @property
    def over(self) -> bool:
        """Whether three quarters of the shoe are dealt."""
        return self._dealt >= 0.75 * len(self._cards)

    def deal(self) -> str:
        """The next handful, as text."""
        cards = self._cards[self._dealt : self._dealt + self.handful]
        self._dealt += len(cards)
        return " ".join(RANKS[card] for card in cards)

    def answer(self, text: str, per_deck: bool = False) -> bool:
        """Whether the answer is right: the running count exactly, the true count to within half a unit."""
        try:
            given = float(text.replace(",", "."))
        except ValueError:
            raise UnreadableError(f"cannot read {text!r}: the count is a number, such as -3 or 2.5") from None
        good = abs(given - self.true) <= 0.5 if per_deck else given == self.running
        self.asked += 1
        self.right += good
        return good
