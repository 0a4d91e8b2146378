"""Matches between two agents: the same deals twice, with the pairs exchanged.

Points a deal: the first agent's side minus the second's in whole points (each side's thirds rounded down), the mean of
the two plays of a deal with the pairs exchanged and the same leader. Declarations are made, so that agents know them,
but not scored; no deal is sent a monte.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.lockstep import play_out
from mazzo.rng import stream
from mazzo.tressette.kernels import deal_hands
from mazzo.tressette.observation import Observations
from mazzo.tressette.round import Round
from mazzo.tressette.rules import PRESETS, Rules
from mazzo.tressette.table import Table, keys_of_rounds

__all__ = ["TressetteMatch"]


@dataclass(frozen=True)
class TressetteMatch:
    """How the arena plays tressette: two agents, each holding a pair of seats; every deal twice, pairs exchanged."""

    rules: Rules = PRESETS["tressette"]
    unit = "points_per_deal"
    seats = 2
    plays_per_deal = 2

    @property
    def game(self) -> Rules:
        """What agents are asked whether they can play."""
        return self.rules

    def play(
        self, agents: Sequence[Agent[Observations]], deals: range, seed: int, log: bool = False
    ) -> tuple[NDArray[np.float64], list[str]]:
        """Points of each agent over the other by deal, and the rounds as text if wanted."""
        table = self._table(deals, seed)
        play_out(table, agents)
        # Row 2k is deal k with the first agent at seats 0 and 2, row 2k + 1 the same with the pairs exchanged.
        won = table.settle()[:, :2].reshape(-1, 4)[:, [0, 3]].mean(axis=1)
        table.keys[:] = 0  # a log says what was played, not what agents drew their random numbers from
        lines = [Round.of_row(table, row).text() for row in range(len(table))] if log else []
        return np.stack([won, -won], axis=1), lines

    def _table(self, deals: range, seed: int) -> Table:
        hands = np.empty((len(deals), 4), np.int64)
        deal_hands(stream(seed, "deal"), deals.start, hands)
        leaders = np.repeat(np.arange(deals.start, deals.stop) % 4, 2).astype(np.int8)
        seating = np.tile([[0, 1, 0, 1], [1, 0, 1, 0]], (len(deals), 1))
        keys = keys_of_rounds(seed, 2 * deals.start, 2 * len(deals))
        return Table.begin(np.repeat(hands, 2, axis=0), leaders, self.rules, seating, keys)
