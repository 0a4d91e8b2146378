"""Choosing hands: by player, street reached, size of the pot, showdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mazzo.holdem import columns as c
from mazzo.holdem.logs.hands import Hands

__all__ = ["HandFilter"]


@dataclass(frozen=True)
class HandFilter:
    """Which hands are wanted; by default all."""

    player: str | None = None
    street: int = 0
    """At least this street was reached (0 before the flop, 3 the river)."""
    least_pot: float = 0
    """In big blinds."""
    most_pot: float = float("inf")
    showdown: bool | None = None

    def __call__(self, hands: Hands) -> NDArray[np.bool_]:
        """Which of the hands are wanted."""
        blinds = np.array([game.big_blind for game in hands.games])[hands.state[:, c.GAME]]
        pots = hands.state[:, c.POT] / blinds
        chosen = (hands.state[:, c.ROUND] >= self.street) & (pots >= self.least_pot) & (pots <= self.most_pot)
        if self.player is not None:
            who = hands.names.index(self.player) if self.player in hands.names else -2
            chosen &= (hands.seating == who).any(axis=1)
        if self.showdown is not None:
            chosen &= hands.showdown == self.showdown
        return np.asarray(chosen)

    def of(self, batches: Iterable[Hands]) -> Iterator[Hands]:
        """The wanted hands of some batches, batches without any left out."""
        for hands in batches:
            chosen = self(hands)
            if chosen.all():
                yield hands
            elif chosen.any():
                yield hands[chosen]
