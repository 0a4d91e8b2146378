"""`cheat`: sees all four hands. What the others are measured against; never seated at a table.

It plays as if everybody saw all cards. Against players who do not, more could be won by counting on their mistakes,
so that it is no upper bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Explanation, Option
from mazzo.cards import ITALIAN
from mazzo.errors import IllegalError, UnreadableError
from mazzo.tressette.agents.taking import TakesPoints
from mazzo.tressette.choosing import best_card, card_text, legal_list
from mazzo.tressette.evaluation import points_of_deals
from mazzo.tressette.kernels import TOTAL_POINTS
from mazzo.tressette.observation import Observations
from mazzo.tressette.round import Round
from mazzo.tressette.table import Table

__all__ = ["Cheat"]

_REFUSED = (
    "cheat plays by the hidden cards, which an observation does not hold: mazzo match, league and explain show it all "
    "cards with --allow-cheats"
)


@dataclass
class Cheat(TakesPoints):
    """Plays perfectly as if all hands lay open, which for it they do.

    Attributes:
        full: From so many cards a hand on it solves; before, it plays each card on like `greedy` to that length.
    """

    summary: ClassVar[str] = "sees all cards and plays as if all four did, which is not the most that can be won"
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
            one = observations[k : k + 1]
            cards[k] = best_card(self._points(one, table.hands[row], int(table.turn[row])), int(one.legal[0]))
        return cards

    def explain_open(self, deal: Round, observation: Observations) -> Explanation:
        """What every legal card leads to, given everything."""
        try:
            hands = [ITALIAN.mask(deal.hand(seat)) for seat in range(4)]
        except IllegalError as error:
            raise UnreadableError(
                f"cheat needs all four hands (south ...; east ...; north ...; west ...): {error}"
            ) from None
        points = self._points(observation, np.array(hands), deal.turn or 0)
        choice, legal = best_card(points, int(observation.legal[0])), legal_list(observation)
        options = [Option(card_text(card), float(2 * points[card] - TOTAL_POINTS)) for card in legal]
        options.sort(key=lambda option: -(option.value or 0.0))
        solved = int(observation.hand[0]).bit_count() <= self.full
        how = (
            "the best play of all four"
            if solved
            else f"play like greedy down to {self.full} cards a hand, then the best"
        )
        reason = "the only legal card" if len(legal) == 1 else f"{options[0].value:+g} points after it by {how}"
        facts = {"all cards": "seen", "unit": "points of the round, our side minus theirs"}
        return Explanation(card_text(choice), reason, options, facts, unit="points")

    def _points(self, one: Observations, hands: NDArray[np.int64], turn: int) -> NDArray[np.int64]:
        """Points of our side by card, in the one deal that there is."""
        points: NDArray[np.int64] = points_of_deals(one, np.roll(hands, -turn)[None, :], self.full)[0]
        return points
