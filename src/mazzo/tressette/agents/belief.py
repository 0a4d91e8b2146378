"""`belief`: foresee the cards of the trick, take it with the lowest card that does, else throw the least.

In the text's form a belief network foresees them. With its constants the most likely card of a suit is always the
first unseen of 4 5 6 7, 8 9 10, 2, A 3: inference adds nothing to that order. The version with `exact` asks instead
how likely it is, over all deals that agree with what was seen, that nobody still to play can beat a card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import YES_NO, Between, Explanation, Option, Safe
from mazzo.arrays import Floats
from mazzo.bits import lowest
from mazzo.cards import ITALIAN
from mazzo.errors import UnreadableError
from mazzo.jit import kernel, tight_helper
from mazzo.tressette.agents.decision_kernels import SILENCE, p_side_takes, p_without
from mazzo.tressette.agents.network import posterior_table
from mazzo.tressette.agents.signalling import reason_with_answer, with_signals
from mazzo.tressette.agents.taking import TakesPoints
from mazzo.tressette.choosing import card_text, cheapest, dearest, legal_list
from mazzo.tressette.deals.tally import tally
from mazzo.tressette.deals.ways import MAY, VECTOR, constrain
from mazzo.tressette.kernels import ALL_CARDS, SUIT, Int, Ints, trick_stands
from mazzo.tressette.observation import Observations

__all__ = ["Belief", "ImprovedBelief"]

_PARTNER, _POINTS = 1, 2
_SURE = 0.95
_ACE = 7  # the power of an ace; a two or three is worth more as a later taker than its third of a point
_TIE = 1e-12

_SAFE: Safe = {
    "exact": YES_NO,
    "partner": YES_NO,
    "points": YES_NO,
    "silence": YES_NO,
    "likely": Between(0, 1),
    "signals": YES_NO,
}


@dataclass
class Belief(TakesPoints):
    """Takes the trick where it can against the cards it expects; without switches as the text means it.

    Attributes:
        exact: Expect by exact counts: a card takes if it is likely that no opponent still to play can beat it.
        partner: Play with the partner: give points to a trick that is likely the side's.
        points: Following, take a trick that is surely the side's with the card worth most up to the ace.
        silence: Count with what was *not* declared, too.
        likely: The chance from which a card is expected to take, where chances are counted.
        signals: Where talking is allowed, say busso, striscio or volo when leading, and answer the partner's busso.
    """

    summary: ClassVar[str] = "belief network: takes against the cards it foresees, else throws the least"
    randomises: ClassVar[bool] = False
    safe: ClassVar[Safe | None] = _SAFE

    exact: bool = False
    partner: bool = False
    points: bool = False
    silence: bool = False
    likely: float = 0.3
    signals: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.likely <= 1:
            raise UnreadableError(f"likely of the agent belief must be 0 to 1, a probability, got {self.likely:g}")

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """One legal card for every row."""
        cards = self._decide(observations, np.zeros(40))
        return with_signals(observations, cards) if self.signals else cards

    def _decide(self, o: Observations, chances: Floats) -> NDArray[np.int64]:
        if not self._counts:
            return _decide_by_network(o.legal, o.hand, o.shown, o.played, o.count, posterior_table(), chances)
        style = _PARTNER * self.partner + _POINTS * self.points
        facts = (o.hand, o.legal, o.shown, o.voids, o.owed, o.napoli, o.count)
        return _decide_by_counts(facts, o.declared, o.played, style, self.silence, self.likely, chances)

    @property
    def _counts(self) -> bool:
        return self.exact or self.partner or self.points or self.silence

    def explain(self, observation: Observations) -> Explanation:
        """What it expects, and which cards take against that."""
        chances = np.zeros(40)
        card = int(self._decide(observation, chances)[0])
        what = "chance that the side takes" if self.partner or self.points else "chance to take"
        name = what if self._counts else "takes what is expected"
        options = [Option(card_text(c), terms={name: float(chances[c])}) for c in legal_list(observation)]
        if chances[card] > (self.likely if self._counts else 0):
            reason = "takes the trick against what is expected, at the least cost"
            if self._counts:
                reason = f"the trick is likely ours ({chances[card]:.0%})"
        else:
            reason = "no card is expected to take: throws what costs least"
        facts: dict[str, Any] = {} if self._counts else self._expectations(observation)
        action = int(with_signals(observation, np.array([card]))[0]) if self.signals else card
        return Explanation(*reason_with_answer(action, card, reason), options, facts)

    def _expectations(self, observation: Observations) -> dict[str, Any]:
        led, *_ = trick_stands(observation.played[0], int(observation.count[0]))
        to_play = 3 - int(observation.count[0]) % 4
        facts: dict[str, Any] = {"players to act": to_play}
        unseen = _unseen(observation.hand[0], observation.shown[0])
        for suit in range(4) if led < 0 else [led]:
            expected = _expected(unseen, suit, to_play, posterior_table())
            name = ITALIAN.suit_names[int(suit)]
            facts[f"strongest of {name} expected"] = card_text(int(expected)) if expected >= 0 else "none"
        return facts


@dataclass
class ImprovedBelief(Belief):
    """The belief player with exact counts, a partner, and an eye for points."""

    summary: ClassVar[str] = "belief player with exact chances, that plays with its partner and weighs points"
    safe: ClassVar[Safe | None] = _SAFE

    exact: bool = True
    partner: bool = True
    points: bool = True


@tight_helper
def _unseen(hand: Int, shown: Ints) -> Int:
    return ALL_CARDS & ~(hand | shown[0] | shown[1] | shown[2] | shown[3])


@tight_helper
def _expected(unseen: Int, suit: Int, n: Int, table: Floats) -> Int:
    """The strongest of the n most likely unseen cards of a suit (of equals the lower first), or -1."""
    cards = (unseen >> (10 * suit)) & SUIT
    cannot, top = SUIT & ~cards, np.int64(-1)
    for _ in range(n):
        likely = np.int64(-1)
        for power in range(10):
            if (cards >> power) & 1 and (likely < 0 or table[cannot, power] > table[cannot, likely] + _TIE):
                likely = np.int64(power)
        if likely >= 0:
            cards &= ~(1 << likely)
            top = max(top, 10 * suit + likely)
    return top


@kernel
def _decide_by_network(
    legal: Ints, hand: Ints, shown: Ints, played: NDArray[np.int8], count: Ints, table: Floats, chances: Floats
) -> Ints:
    """The text's policy; chances[card] is 1 for the cards of the last row that take against what is expected."""
    chosen = np.empty(len(legal), np.int64)
    for i in range(len(legal)):
        led, best, _, _ = trick_stands(played[i], count[i])
        unseen, takers = _unseen(hand[i], shown[i]), np.int64(0)
        for suit in range(4):
            if led < 0 or suit == led:
                bar = max(best, _expected(unseen, suit, 3 - (count[i] & 3), table))
                above = ~((np.int64(2) << bar) - 1) if bar >= 0 else np.int64(-1)
                takers |= legal[i] & (SUIT << (10 * suit)) & above
        for card in range(40):
            chances[card] = (takers >> card) & 1
        chosen[i] = _lowest(takers) if takers else cheapest(legal[i])
    return chosen


@tight_helper
def _lowest(cards: Int) -> Int:
    """The card of least power; of equals the one worth least, then the first suit."""
    chosen = np.int64(-1)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if chosen < 0 or card % 10 < chosen % 10:
            chosen = card
    return chosen


@kernel
def _decide_by_counts(
    facts: tuple[Ints, ...],
    declared: NDArray[np.int8],
    played: NDArray[np.int8],
    style: Int,
    silence: bool,
    likely: float,
    chances: Floats,
) -> Ints:
    """The policy with exact chances; chances[card] are those of the last row."""
    hand, legal, shown, voids, owed, napoli, count = facts
    chosen = np.empty(len(hand), np.int64)
    c, nothing = np.empty(VECTOR, np.int64), np.empty((0, 0), np.int64)
    switches = np.int64(SILENCE if silence else 0)
    for i in range(len(hand)):
        constrain(hand[i], shown[i], voids[i], owed[i], declared[i], napoli[i], True, silence, c)
        total = tally(c, nothing)
        unseen = c[MAY] | c[MAY + 1] | c[MAY + 2]
        led, best, owner, _ = trick_stands(played[i], count[i])
        later = (7 >> (count[i] & 3)) & 7
        chances[:] = 0.0
        cards = legal[i]
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            suit = led if led >= 0 else card // 10
            if style:
                chances[card] = p_side_takes(c, switches, total, later, suit, card, best, owner, unseen)
            elif card // 10 == suit and card > best:
                above = unseen & (SUIT << (10 * suit)) & ~((np.int64(2) << card) - 1)
                chances[card] = p_without(c, switches, total, later & 5, above)
        chosen[i] = _take_or_throw(legal[i], style, owner, led, best, likely, chances)
    return chosen


@tight_helper
def _take_or_throw(legal: Int, style: Int, owner: Int, led: Int, best: Int, likely: float, chances: Floats) -> Int:
    """The lowest card that likely takes; where the partner's card likely does, the dearest that leaves it so."""
    takers, sure, given = np.int64(0), np.int64(0), np.int64(0)
    cards = legal
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        bit = np.int64(1) << card
        if chances[card] > likely:
            given |= bit
            if led < 0 or (card // 10 == led and card > best):
                takers |= bit
                sure |= bit if chances[card] >= _SURE and card % 10 <= _ACE else 0
    if style & _PARTNER and owner == 2 and given:
        return dearest(given)
    if style & _POINTS and led >= 0 and sure:
        return dearest(sure)
    return _lowest(takers) if takers else cheapest(legal)
