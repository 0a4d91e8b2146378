"""`random`: any card. What others are measured against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation, Option, Safe
from mazzo.arrays import Ints
from mazzo.cards import ITALIAN
from mazzo.jit import kernel
from mazzo.rng import below

from ..observation import Observations

__all__ = ["Random"]


@dataclass
class Random(Agent[Observations]):
    """Plays any card with equal chance."""

    summary: ClassVar[str] = "any card with equal chance"
    safe: ClassVar[Safe | None] = {}

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """One legal card for every row."""
        return _decide(observations.legal, observations.rng_key)

    def explain(self, observation: Observations) -> Explanation:
        """The cards, all alike."""
        cards = ITALIAN.unmask(int(observation.legal[0]))
        card = ITALIAN.text(self.decide(observation))
        options = [Option(str(one), terms={"chance": 1 / len(cards)}) for one in cards]
        return Explanation(card, "drawn by chance: every card is as good as any other", options)


@kernel
def _decide(legal: Ints, rng_key: NDArray[np.uint64]) -> Ints:
    cards = np.empty(len(legal), np.int64)
    for i in range(len(legal)):
        held = np.flatnonzero((legal[i] >> np.arange(40)) & 1)
        cards[i] = held[below(rng_key[i], len(held))]
    return cards
