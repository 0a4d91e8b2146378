"""`patient`: waits for good cards and then bets more than the pot, as the person did who beat Aceituno's bots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mazzo.agent import Agent, Between, Explanation, Safe
from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents import utility_kernels as u
from mazzo.holdem.agents.rich import refuse_other_than_holdem
from mazzo.holdem.agents.starting import SHARES, starting_values
from mazzo.holdem.agents.utility import worths
from mazzo.holdem.kernels import legal
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.holdem.showdown import tables
from mazzo.jit import tight

__all__ = ["Patient"]


@tight
def _wait_rows(rules: Ints, state: Ints, value: Floats, settings: Floats, actions: Ints) -> None:
    for k in range(len(state)):
        owed, low, high = legal(rules, state, k)
        actions[k] = u.wait(state, k, value[k], owed, low, high, settings, 0)


@dataclass
class Patient(Agent[Observations]):
    """Plays the best hands only, and bets big with what is still good after the flop."""

    kernel: ClassVar[str] = "utility"
    summary: ClassVar[str] = "waits for the best hands, then bets more than the pot"
    randomises: ClassVar[bool] = False
    safe: ClassVar[Safe | None] = {"top": Between(0, 1), "made": Between(0, 1), "bet": Between(0, 1000)}
    top: float = 0.12
    """The share of starting hands it plays."""
    made: float = 0.25
    """The worth of the hand made (V of `utility`: a pair from .2, two pair from .3) from which it bets later."""
    bet: float = 2.0
    """Its bets and raises, in pots."""

    def __post_init__(self) -> None:
        if not 0 < self.top <= 1 or not 0 <= self.made <= 1 or self.bet <= 0:
            raise UnreadableError("agent patient: top is a share above 0, made one from 0 to 1, bet is above 0")

        self.settings_ = np.zeros((1, u.SETTINGS_WIDTH))
        row = self.settings_[0]
        row[u.PATIENT], row[u.LIST] = 1, SHARES
        row[u.TOP], row[u.MADE], row[u.BIG] = self.top, self.made, self.bet
        self.thresholds_ = np.zeros((1, 2))
        self.record_ = np.zeros((1, u.RECORD_WIDTH), np.int64)
        self.known_ = np.zeros((1, c.MAX_PLAYERS, u.PROFILE_WIDTH), np.int64)

    def unsupported_reason(self, game: Rules | None) -> str:
        """Only Hold'em has the hands it waits for."""
        return refuse_other_than_holdem(game)

    def _figures(self, o: Observations) -> Floats:
        """What it judges by: the share of starting hands, or the worth of the hand made."""
        return worths(o.hole, o.board, SHARES, starting_values(), tables())

    def decide(self, observations: Observations) -> Ints:
        """Bet big with a hand it likes; check or fold others."""
        o = observations
        actions = np.empty(len(o), np.int64)
        _wait_rows(o.game.row[None, :], o.state, self._figures(o), self.settings_, actions)
        return actions

    def explain(self, observation: Observations) -> Explanation:
        """Whether the hand is one to wait for."""
        figure, early = self._figures(observation), observation.street[0] == 0
        likes = figure[0] <= self.top if early else figure[0] >= self.made
        if early:
            reason = f"hand in the best {figure[0]:.1%}, {'inside' if likes else 'outside'} the {self.top:.0%} it plays"
        else:
            where = "reaches" if likes else "is below"
            reason = f"made-hand value {figure[0]:.3f} {where} its betting threshold of {self.made:g}"
        facts = {"pot": int(observation.pot[0]), "to call": int(observation.owed[0])}
        action = int(self.decide(observation)[0])
        return Explanation(action_text(action, observation.game.limit), reason, (), facts)
