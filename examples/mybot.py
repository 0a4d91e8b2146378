"""A bot in one file: `mazzo match holdem-limit-2p examples/mybot.py:courage=.6 random` plays it."""

from dataclasses import dataclass

import numpy as np

from mazzo.agent import Agent, Explanation
from mazzo.holdem import CALL, FOLD, Observations
from mazzo.holdem.odds import equities


@dataclass
class MyBot(Agent[Observations]):
    """Raises with an equity above its courage, calls when the pot pays, folds otherwise."""

    courage: float = 0.55

    def decide(self, observations: Observations) -> np.ndarray:
        """One action a row: `FOLD`, `CALL` (also a check), or the total to raise to."""
        o = observations
        won, of = equities(o.hole, o.board, np.ones(len(o), np.int64))
        equity = won / of
        call = (equity * (o.pot + o.owed) >= o.owed) | (o.owed == 0)
        return np.where((equity > self.courage) & o.can_raise, o.raise_low, np.where(call, CALL, FOLD))

    def explain(self, observation: Observations) -> Explanation:
        """Why it does what it does in a batch of one."""
        won, of = equities(observation.hole, observation.board, [1])
        action = {FOLD: "f", CALL: "c"}.get(int(self.decide(observation)[0]), "r")
        return Explanation(action, f"its equity is {won[0] / of[0]:.3f}, its courage {self.courage}")
