"""The players others are measured against: `random` and `greedy`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation, Option
from mazzo.cards import ITALIAN
from mazzo.jit import kernel
from mazzo.luck import below
from mazzo.tressette.agents.choosing import card_text, cheapest, dearest, legal_list, trick_stands
from mazzo.tressette.observation import Observations
from mazzo.tressette.rules import SUIT, Int, Ints, count_bits, strongest, thirds_of

__all__ = ["Greedy", "Random", "greedy_card"]


@dataclass
class Random(Agent[Observations]):
    """Plays any legal card with equal chance."""

    summary: ClassVar[str] = "any legal card with equal chance"

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """One legal card for every row."""
        return _decide_random(observations.legal, observations.luck)

    def explain(self, observation: Observations) -> Explanation:
        """The legal cards, all alike."""
        card = card_text(int(self.decide(observation)[0]))
        legal = legal_list(observation)
        options = [Option(card_text(c), value=1 / len(legal)) for c in legal]
        return Explanation(card, f"one of {len(legal)} legal cards, each with the same chance", options)


@dataclass
class Greedy(Agent[Observations]):
    """Gives points to its partner, takes points with the cheapest means, and else throws the least."""

    summary: ClassVar[str] = "gives points to a winning partner, takes tricks with points, else throws the least"

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
def _decide_random(legal: Ints, luck: NDArray[np.uint64]) -> Ints:
    cards = np.empty(len(legal), np.int64)
    for i in range(len(legal)):
        left, mask = below(luck[i], count_bits(legal[i])), legal[i]
        while left > 0:
            mask &= mask - 1
            left -= 1
        cards[i] = count_bits((mask & -mask) - 1)
    return cards


@kernel
def _decide_greedy(legal: Ints, played: NDArray[np.int8], count: Ints) -> Ints:
    cards = np.empty(len(legal), np.int64)
    for i in range(len(legal)):
        led, best, owner, worth = trick_stands(played[i], count[i])
        cards[i] = greedy_card(legal[i], led, best, owner, worth, count[i] & 3 == 3)
    return cards


@kernel
def greedy_card(legal: Int, led: Int, best: Int, owner: Int, worth: Int, last: bool) -> Int:
    """What `greedy` plays: `owner` (0 me, 2 the partner) holds the trick with the card `best`, `worth` thirds in it."""
    if led < 0:
        return cheapest(legal)
    if owner == 2:
        return dearest(legal)
    winners = legal & (SUIT << (10 * led)) & ~((np.int64(2) << best) - 1)
    if winners and worth >= 1:
        return dearest(winners) if last else strongest(winners)
    return cheapest(legal)
