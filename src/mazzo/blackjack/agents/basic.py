"""Basic strategy: the printed chart."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from mazzo.agent import Safe
from mazzo.arrays import Ints
from mazzo.blackjack.agents.explaining import ExplainingAgent
from mazzo.blackjack.columns import HIT, LEAVE, SPLIT, STAND
from mazzo.blackjack.exact.total import best_table
from mazzo.blackjack.multisets import hand_total
from mazzo.blackjack.observation import Observations
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.strategy import Strategy, row_of

__all__ = ["BasicAgent"]


@dataclass
class BasicAgent(ExplainingAgent):
    """Plays the best chart of the rules: totals, pairs and the upcard, nothing of the cards that are gone."""

    summary: ClassVar[str] = "plays the printed chart (basic strategy)"
    randomises: ClassVar[bool] = False
    safe: ClassVar[Safe | None] = {}
    _tables: dict[Rules, Strategy] = field(default_factory=dict, init=False, repr=False)

    def _table(self, rules: Rules) -> Strategy:
        if rules not in self._tables:
            self._tables[rules] = best_table(rules).table
        return self._tables[rules]

    def decide(self, observations: Observations) -> Ints:
        """The chart's play, or what it falls back on where that is not allowed; side bets are left."""
        table, side = self._table(observations.rules), observations.side_bets
        chosen = [LEAVE if side[k] else self._play(table, observations, k) for k in range(len(observations))]
        return np.array(chosen, np.int64)

    def _play(self, table: Strategy, seen: Observations, k: int) -> int:
        hand, upcard = seen.hand(k)
        total, soft = hand_total(hand)
        letter = table.letter(row_of(total, soft), upcard)
        if len(hand) == 2:
            play = table.play(seen.rules, *hand, upcard, bool(seen.after_split[k]))
            if hand[0] == hand[1] and seen.legal[k, SPLIT] and table.play(seen.rules, *hand, upcard, False) == SPLIT:
                play = SPLIT
            if seen.legal[k, play]:
                return play
        return HIT if letter in "hbD" and seen.legal[k, HIT] else STAND
