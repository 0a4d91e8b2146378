"""`greedy`: points to a winning partner, points from an opponent, else the least. Others are measured against it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Explanation, Option, Safe
from mazzo.arrays import Ints
from mazzo.cards import ITALIAN
from mazzo.jit import kernel
from mazzo.tressette.agents.taking import TakesPoints
from mazzo.tressette.choosing import card_text, greedy_card, legal_list
from mazzo.tressette.kernels import thirds_of, trick_stands
from mazzo.tressette.observation import Observations

__all__ = ["Greedy"]


@dataclass
class Greedy(TakesPoints):
    """Gives points to its partner, takes points with the cheapest means, and else throws the least."""

    summary: ClassVar[str] = "gives points to a winning partner, takes tricks with points, else throws the least"
    randomises: ClassVar[bool] = False
    safe: ClassVar[Safe | None] = {}

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """One legal card for every row."""
        return _decide_greedy(observations.legal, observations.played, observations.count)

    def explain(self, observation: Observations) -> Explanation:
        """Which of its rules applied."""
        card = int(self.decide(observation)[0])
        led, best, owner, worth = trick_stands(observation.played[0], int(observation.count[0]))
        if led < 0:
            reason = "leading: the lowest card of least points"
        elif owner == 2:
            reason = "the partner is winning: the most points it can give"
        elif card // 10 == led and card > best and worth:
            reason = f"takes {worth} third{'' if worth == 1 else 's'} lying on the table"
        else:
            reason = "cannot take points: the card of least points, lowest first"
        options = [
            Option(str(c), terms={"thirds": float(thirds_of(1 << c)), "power": float(c.rank + 1)})
            for c in ITALIAN.cards(legal_list(observation))
        ]
        return Explanation(card_text(card), reason, options, {"thirds on the table": int(worth)})


@kernel
def _decide_greedy(legal: Ints, played: NDArray[np.int8], count: Ints) -> Ints:
    cards = np.empty(len(legal), np.int64)
    for i in range(len(legal)):
        led, best, owner, worth = trick_stands(played[i], count[i])
        cards[i] = greedy_card(legal[i], led, best, owner, worth, count[i] & 3 == 3)
    return cards
