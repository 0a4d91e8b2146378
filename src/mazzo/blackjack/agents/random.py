"""Any legal action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mazzo.agent import Safe
from mazzo.arrays import Ints
from mazzo.blackjack.agents.explaining import ExplainingAgent
from mazzo.blackjack.observation import Observations
from mazzo.rng import below

__all__ = ["RandomAgent"]


@dataclass
class RandomAgent(ExplainingAgent):
    """Any legal action, each as likely."""

    summary: ClassVar[str] = "any legal play, each as likely"
    safe: ClassVar[Safe | None] = {}

    def decide(self, observations: Observations) -> Ints:
        """Drawn from each row's random key."""
        chosen = []
        for legal, rng_key in zip(observations.legal, observations.rng_key, strict=True):
            plays = np.flatnonzero(legal)
            chosen.append(int(plays[int(below(np.uint64(rng_key), len(plays)))]))
        return np.array(chosen, np.int64)
