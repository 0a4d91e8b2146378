"""`greedy`: takes a trick that is worth it as cheaply as it can, else gives away as little as it can."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Between, Explanation, Option, Safe
from mazzo.arrays import Ints
from mazzo.cards import ITALIAN
from mazzo.jit import kernel

from ..kernels import POINTS, POWER, beats
from ..observation import Observations

__all__ = ["Greedy"]


@dataclass
class Greedy(Agent[Observations]):
    """Weighs this trick alone: the points it brings or gives away, less what the card would be worth later."""

    summary: ClassVar[str] = "wins tricks that are worth it, gives away little (trump=3: what a trump is kept for)"
    safe: ClassVar[Safe | None] = {"trump": Between(0, 20)}
    trump: float = 3.0
    """Points that keeping a trump is worth."""

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """One legal card for every row."""
        o = observations
        return _decide(o.legal, o.lead, o.trump, self.trump)

    def explain(self, observation: Observations) -> Explanation:
        """What every card brings in this trick."""
        lead, trump = int(observation.lead[0]), int(observation.trump[0])
        card = int(self.decide(observation)[0])
        cards = ITALIAN.unmask(int(observation.legal[0]))
        options = [Option(str(one), float(_worth(int(one), lead, trump, self.trump))) for one in cards]
        reason = "it leads what it can best spare" if lead < 0 else "it gives away as little as it can"
        if lead >= 0 and beats(card, lead, trump):
            reason = f"it takes {ITALIAN.text([lead])} as cheaply as it can"
        facts = {"on the table": ITALIAN.text([lead]) if lead >= 0 else "nothing", "trump": ITALIAN.text([trump])}
        return Explanation(ITALIAN.text([card]), reason, options, facts, unit="points")


@kernel
def _worth(card: Any, lead: Any, trump: Any, kept: float) -> float:
    """Points that a card brings in this trick, less what is spent; a little power decides between equals."""
    own = POINTS[card % 10]
    spent = POWER[card % 10] / 20 + (kept if card // 10 == trump // 10 else 0.0)
    if lead >= 0 and beats(card, lead, trump):
        return float(POINTS[lead % 10] + own - spent)
    return float(-own - (POINTS[lead % 10] if lead >= 0 else 0) - spent)


@kernel
def _decide(legal: Ints, lead: Ints, trump: Ints, kept: float) -> Ints:
    cards = np.empty(len(legal), np.int64)
    for i in range(len(legal)):
        best = -1e9
        for card in range(40):
            if (legal[i] >> card) & 1:
                worth = _worth(card, lead[i], trump[i], kept)
                if worth > best:
                    best, cards[i] = worth, card
    return cards
