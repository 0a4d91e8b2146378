"""`random`: any legal card. What others are measured against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation, Option, Safe
from mazzo.arrays import Ints
from mazzo.bits import lowest, size
from mazzo.jit import kernel
from mazzo.rng import below
from mazzo.tressette.choosing import card_text, legal_list
from mazzo.tressette.observation import Observations

__all__ = ["Random"]


@dataclass
class Random(Agent[Observations]):
    """Plays any legal card with equal chance."""

    summary: ClassVar[str] = "any legal card with equal chance"
    safe: ClassVar[Safe | None] = {}

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """One legal card for every row."""
        return _decide_random(observations.legal, observations.rng_key)

    def explain(self, observation: Observations) -> Explanation:
        """The legal cards, all alike."""
        card = card_text(int(self.decide(observation)[0]))
        legal = legal_list(observation)
        options = [Option(card_text(c), value=1 / len(legal)) for c in legal]
        return Explanation(card, f"one of {len(legal)} legal cards, each with the same chance", options)


@kernel
def _decide_random(legal: Ints, rng_key: NDArray[np.uint64]) -> Ints:
    cards = np.empty(len(legal), np.int64)
    for i in range(len(legal)):
        left, mask = below(rng_key[i], size(legal[i])), legal[i]
        while left > 0:
            mask &= mask - 1
            left -= 1
        cards[i] = lowest(mask)
    return cards
