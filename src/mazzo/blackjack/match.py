"""Agents side by side at blackjack: each plays the same numbered rounds against the house, from fresh shoes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mazzo.arrays import Floats
from mazzo.blackjack.rules import PRESETS, Rules
from mazzo.blackjack.table import Table, round_keys
from mazzo.errors import UnreadableError
from mazzo.lockstep import play_out

__all__ = ["BlackjackMatch"]


@dataclass(frozen=True)
class BlackjackMatch:
    """Rounds as the arena plays them. Everybody is dealt the same cards, until their plays differ."""

    rules: Rules = PRESETS["strip"]
    seats: int = 2
    unit: str = "bets_per_round"
    plays_per_deal: int = 1

    def seating(self, agents: int) -> BlackjackMatch:
        """The same rounds for so many agents: nobody is in another's way."""
        return replace(self, seats=agents)

    def play(self, agents: Sequence[Any], deals: range, seed: int, log: bool = False) -> tuple[Floats, list[str]]:
        """What each agent won in each round, in bets."""
        if log:
            raise UnreadableError("rounds of blackjack are not written to a log: leave out --log")
        keys, rng_key = round_keys(seed, deals), None
        won = np.zeros((len(deals), len(agents)))
        for player, agent in enumerate(agents):
            table = Table(self.rules, keys, rng_key=rng_key)
            rng_key = table.rng_key
            play_out(table, [agent])
            won[:, player] = table.settle()[:, 0]
        return won, []
