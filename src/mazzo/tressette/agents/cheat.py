"""`cheat`: sees all four hands. What the others are measured against; never seated at a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation
from mazzo.errors import IllegalError
from mazzo.tressette.choosing import best_card
from mazzo.tressette.evaluation import points_of_deals
from mazzo.tressette.observation import Observations
from mazzo.tressette.table import Table

__all__ = ["Cheat"]

_REFUSED = (
    "cheat plays by the hidden cards, which an observation does not hold: only a match with --allow-cheats has it"
)


@dataclass
class Cheat(Agent[Observations]):
    """Plays perfectly as if all hands lay open, which for it they do.

    Attributes:
        full: From so many cards a hand on it solves; before, it plays each card on like `greedy` to that length.
    """

    summary: ClassVar[str] = "sees all cards and plays perfectly: the most that can be won"
    sees_all = True
    plays_at_once: ClassVar[int] = 32

    full: int = 10

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """Refused: an observation does not show what it needs."""
        raise IllegalError(_REFUSED)

    def explain(self, observation: Observations) -> Explanation:
        """Refused, like `decide`."""
        raise IllegalError(_REFUSED)

    def decide_open(self, table: Table, rows: NDArray[np.intp], observations: Observations) -> NDArray[np.int64]:
        """The best card of each of some rounds, given everything."""
        cards = np.empty(len(rows), np.int64)
        for k, row in enumerate(rows):
            turned = np.roll(table.hands[row], -int(table.turn[row]))[None, :]
            one = observations[k : k + 1]
            cards[k] = best_card(points_of_deals(one, turned, self.full).sum(axis=0), int(one.legal[0]))
        return cards
