"""`rich`: raises when it holds more than its share of the pot, calls when the pot pays, folds otherwise.

The TunedFixedRichieRich of the Darmstadt poker framework, with exact equities instead of sampled ones. With one or two
opponents everything is decided in whole numbers, so that an equity of exactly 1/2 or 1/3 is never mistaken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Between, Explanation, Option, Safe
from mazzo.arrays import Flags, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents.sizes import SIZES, raise_amounts, size_number
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules

__all__ = ["Rich"]


def refuse_other_than_holdem(game: Rules | None) -> str:
    """Why an agent that needs Hold'em's cards cannot play a game; empty if it can."""
    if game is None or (len(game.deck), game.hole_cards, sum(game.board_cards)) == (52, 2, 5):
        return ""
    return "it needs two hole cards and a board of five from 52 cards"


_SAFE: Safe = {"margin": Between(-1, 1), "samples": Between(1, 20_000), "size": SIZES}


@dataclass
class Rich(Agent[Observations]):
    """Equity times players above one: raise; equity times pot above the call plus a margin: call; else fold."""

    summary: ClassVar[str] = "raises with more than its share of equity, calls when the pot pays (exact equity)"
    safe: ClassVar[Safe | None] = _SAFE
    margin: float = 0.01
    """How much more than the price a call must bring, in chips."""
    samples: int = 2000
    """Runs of the simulation against three opponents or more, from the flop on; before it there is a table."""
    size: str = "pot"
    """No-limit: least, pot, most or uniform."""

    def __post_init__(self) -> None:
        size_number(self.size)
        if self.samples < 1:
            raise UnreadableError(f"samples must be at least 1, got {self.samples}")

    def unsupported_reason(self, game: Rules | None) -> str:
        """Only Hold'em has the equities it needs."""
        return refuse_other_than_holdem(game)

    def prepare(self, progress: Callable[[float], None]) -> None:
        """Make or load the tables of equities."""
        from mazzo.holdem.odds import prepare

        prepare(progress)

    def _equities(self, o: Observations) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Equity against all active opponents as a fraction: exact whole numbers where there are one or two."""
        from mazzo.holdem.odds import crowd_equities, equities, sampled_equity

        opponents = o.opponents
        numerator, denominator = np.empty(len(o)), np.ones(len(o))
        few, dealt = opponents <= 2, o.board[:, 0] >= 0
        if (at := np.flatnonzero(few)).size:
            numerator[at], denominator[at] = equities(o.hole[at], o.board[at], opponents[at])
        if (at := np.flatnonzero(~few & ~dealt)).size:
            numerator[at], denominator[at] = crowd_equities(o.hole[at], opponents[at])
        if (at := np.flatnonzero(~few & dealt)).size:
            numerator[at], _ = sampled_equity(o.hole[at], o.board[at], opponents[at], self.samples, o.rng_key[at])
        return numerator, denominator

    def draws(self, observations: Observations) -> Flags:
        """Equity against three opponents or more is sampled; and an amount may be drawn."""
        amounts = self.size == "uniform" and not observations.game.limit
        return (observations.opponents > 2) | amounts

    def decide(self, observations: Observations) -> Ints:
        """Raise, call or fold by equity."""
        o = observations
        # Against one or two opponents these are whole numbers far below 2**53, so the first comparison is exact.
        numerator, denominator = self._equities(o)
        wants = numerator * (o.opponents + 1) > denominator
        pays = (numerator * o.pot > (o.owed + self.margin) * denominator) | (o.owed == 0)
        action = np.where(pays | wants, c.CALL, c.FOLD)
        return np.where(wants & o.can_raise, raise_amounts(o, self.size), action)

    def explain(self, observation: Observations) -> Explanation:
        """Its equity, what it compares it with, and what follows."""
        numerator, denominator = self._equities(observation)
        equity = float(numerator[0] / denominator[0])
        players = int(observation.opponents[0]) + 1
        owed, pot = int(observation.owed[0]), int(observation.pot[0])
        action = int(self.decide(observation)[0])
        if equity * players > 1:
            reason = f"its equity of {equity:.4f} is more than its share of 1/{players}"
            if action < c.RAISE:
                reason += ", and no further raise is allowed"
        elif owed == 0:
            reason = "its equity is no more than its share, and checking is free"
        else:
            enough = action == c.CALL
            reason = f"{'enough' if enough else 'too little'} equity to call: equity x pot is {equity * pot:.2f}, "
            reason += f"{'more' if enough else 'less'} than the {owed} to call"
        options = [
            Option("raise", equity * players - 1, terms={"equity x players": equity * players, "needed": 1.0}),
            Option("call", equity * pot - owed - self.margin, terms={"equity x pot": equity * pot, "to call": owed}),
            Option("fold", 0.0),
        ]
        facts = {"equity": equity, "active players": players, "pot": pot, "to call": owed}
        return Explanation(action_text(action, observation.game.limit), reason, options, facts)
