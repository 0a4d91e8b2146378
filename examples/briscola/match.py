"""Matches between two agents: every deal twice, with the seats exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.lockstep import play_out

from .observation import Observations
from .round import Round
from .rules import Rules
from .table import Table

__all__ = ["BriscolaMatch"]


@dataclass(frozen=True)
class BriscolaMatch:
    """How the arena plays briscola. Results are points of an agent less the other's, of 120 a deal."""

    rules: Rules
    unit = "points_per_deal"
    seats = 2
    plays_per_deal = 2

    def play(
        self, agents: Sequence[Agent[Observations]], deals: range, seed: int, log: bool = False
    ) -> tuple[NDArray[np.float64], list[str]]:
        """Points of each agent over the other by deal, and the rounds as text if wanted."""
        table = Table.deal(seed, deals, self.rules, self.plays_per_deal)
        table.seating[1::2] = [1, 0]  # row 2k is deal k, row 2k + 1 the same with the seats exchanged
        play_out(table, agents)
        net = table.settle()
        won = (net[::2, 0] + net[1::2, 1]) / 2
        lines = [Round.of_row(table, row).text() for row in range(len(table))] if log else []
        return np.stack([won, -won], axis=1), lines
