"""`patient`: waits for good cards and then bets more than the pot, as the person did who beat Aceituno's bots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents.rich import refuse_other_than_holdem
from mazzo.holdem.agents.starting import starting_shares, starting_values
from mazzo.holdem.agents.utility import worths
from mazzo.holdem.game import Game
from mazzo.holdem.hand import action_text
from mazzo.holdem.observation import Observations
from mazzo.holdem.showdown import tables

__all__ = ["Patient"]

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass
class Patient(Agent[Observations]):
    """Plays the best hands only, and bets big with what is still good after the flop."""

    summary: ClassVar[str] = "waits for the best hands, then bets more than the pot"
    top: float = 0.12
    """The share of starting hands it plays."""
    made: float = 0.25
    """The worth of the hand made (V of `utility`: a pair from .2, two pair from .3) from which it bets later."""
    bet: float = 2.0
    """Its bets and raises, in pots."""

    def __post_init__(self) -> None:
        if not 0 < self.top <= 1 or not 0 <= self.made <= 1 or self.bet <= 0:
            raise UnreadableError("agent patient: top is a share above 0, made one from 0 to 1, bet is above 0")

    def refuses(self, game: Game | None) -> str:
        """Only Hold'em has the hands it waits for."""
        return refuse_other_than_holdem(game)

    def _likes(self, o: Observations) -> tuple[Bools, NDArray[np.float64]]:
        """Where it likes its hand, and the figure it judges by: the share of starting hands, or the worth made."""
        high, low = o.hole.max(axis=1) >> 2, o.hole.min(axis=1) >> 2
        suited = (o.hole[:, 0] & 3 == o.hole[:, 1] & 3) | (high == low)
        share = np.where(suited, starting_shares()[high, low], starting_shares()[low, high])
        worth = worths(o.hole, o.board, 0, starting_values(), tables())
        early = o.street == 0
        return np.where(early, share <= self.top, worth >= self.made), np.where(early, share, worth)

    def _big(self, o: Observations) -> Ints:
        wanted = o.state[:, c.BET] + np.floor(self.bet * (o.pot + o.owed)).astype(np.int64)
        return np.asarray(np.clip(wanted, o.raise_low, o.raise_high), np.int64)

    def decide(self, observations: Observations) -> Ints:
        """Bet big with a hand it likes; check or fold others."""
        o = observations
        likes, _ = self._likes(o)
        return np.where(likes, np.where(o.can_raise, self._big(o), c.CALL), np.where(o.owed > 0, c.FOLD, c.CALL))

    def explain(self, observation: Observations) -> Explanation:
        """Whether the hand is one to wait for."""
        likes, figure = self._likes(observation)
        early = observation.street[0] == 0
        word = "is" if likes[0] else "is not"
        if early:
            reason = f"the hand is in the best {figure[0]:.1%}, which {word} in the {self.top:.0%} it plays"
        else:
            reason = f"what it has made is worth {figure[0]:.3f}, which {word} the {self.made:g} it bets with"
        facts = {"pot": int(observation.pot[0]), "to call": int(observation.owed[0])}
        action = int(self.decide(observation)[0])
        return Explanation(action_text(action, observation.game.limit), reason, (), facts)
