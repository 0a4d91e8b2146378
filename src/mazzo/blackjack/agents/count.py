"""The exact best play of the very cards that are left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mazzo.agent import Safe
from mazzo.arrays import Ints
from mazzo.blackjack.agents.explaining import ExplainingAgent, values_of
from mazzo.blackjack.columns import ACTIONS
from mazzo.blackjack.observation import Observations

__all__ = ["CountingAgent"]


@dataclass
class CountingAgent(ExplainingAgent):
    """Plays every hand at its best for the very cards that are left, side bets too."""

    summary: ClassVar[str] = "knows every card that is gone and plays the exact best"
    randomises: ClassVar[bool] = False
    safe: ClassVar[Safe | None] = {}
    by_shoe: ClassVar[bool] = True

    def decide(self, observations: Observations) -> Ints:
        """What has the highest exact value."""
        chosen = []
        for row in range(len(observations)):
            values = values_of(observations, row, True)
            chosen.append(ACTIONS.index(max(values, key=lambda name: values[name])))
        return np.array(chosen, np.int64)
