"""`typical`: what a player of given statistics does with each hand, with soft edges; a stand-in for people.

Before the flop the best share of starting hands is raised with, the next best called with; after it hands go by their
exact equity against a random one. No edge is sharp, and a twentieth of every decision is put down to anything: a model
of a person must rule nothing out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from mazzo.agent import Agent, Between, Explanation, Option, Safe
from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents.rich import refuse_other_than_holdem
from mazzo.holdem.agents.sizes import of_kinds
from mazzo.holdem.agents.starting import SHARES, starting_values
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.policy import ActionChances

__all__ = ["USUAL_BETS", "USUAL_FOLDS", "USUAL_PLAYED", "Typical", "usual_played"]

_ANYTHING = 0.05
"""Of every decision, what is put down to anything at all."""

USUAL_PLAYED = {2: 0.72, 3: 0.46, 4: 0.36, 5: 0.30, 6: 0.26, 7: 0.23, 8: 0.21, 9: 0.20, 10: 0.19}
"""By the number of players, the share of hands a usual player puts chips in with of his own will before the flop."""
_OF_PLAYED_RAISED = 0.72
USUAL_BETS, USUAL_FOLDS = 0.42, 0.45

_SPREAD = (0.0, 0.15, 0.20, 0.29)
"""By street, the standard deviation of a random hand's equity against another (on the river it is spread evenly)."""
_BET = 2 / 3
"""Of the pot, the bet that `folds` is of."""
_OPENED = np.array([0.55, 0.6, 0.7, 0.85, 1.15, 1.7])
"""Of the hands raised on average, the share raised from the seat five before the button, four before ... the button."""


def usual_played(players: int) -> float:
    """The share of hands that a usual player plays at a table of so many."""
    return USUAL_PLAYED[min(max(players, 2), 10)]


def _soft(x: Any, edge: Any, width: Any) -> Floats:
    """From 1 well above an edge to 0 well below it."""
    return np.asarray(1 / (1 + np.exp(np.clip(-(x - edge) / width, -40, 40))))


@dataclass
class Typical(Agent[Observations]):
    """A player known by four figures."""

    summary: ClassVar[str] = "plays as a person of given statistics would, with soft edges: a stand-in for people"
    safe: ClassVar[Safe | None] = {
        "played": Between(0, 1), "raised": Between(0, 1), "bets": Between(0, 1), "folds": Between(0, 1)
    }  # fmt: skip
    played: float = 0.0
    """The share of hands it puts chips in with of its own will before the flop; 0: the usual one for the table."""
    raised: float = 0.0
    """The share it raises with there; 0: the usual part of those played."""
    bets: float = USUAL_BETS
    """How often it bets after the flop where nobody has."""
    folds: float = USUAL_FOLDS
    """How often it folds after the flop to a bet of two thirds of the pot."""

    def __post_init__(self) -> None:
        if not all(0 <= share <= 1 for share in (self.played, self.raised, self.bets, self.folds)):
            raise UnreadableError("agent typical: played, raised, bets and folds are shares from 0 to 1")

    def unsupported_reason(self, game: Rules | None) -> str:
        """Only Hold'em has the hands it knows."""
        return refuse_other_than_holdem(game)

    def shares(self, players: int) -> tuple[float, float]:
        """The shares of hands it plays and raises with at a table of so many."""
        played = self.played or usual_played(players)
        return played, min(self.raised or _OF_PLAYED_RAISED * played, played)

    def policy(self, observations: Observations) -> ActionChances:
        """Its chances to fold, call and raise."""
        o = observations
        fold, rise = np.zeros(len(o)), np.zeros(len(o))
        early = o.street == 0
        for rows, chances in ((early, self._before_flop), (~early, self._after_flop)):
            if rows.any():
                fold[rows], rise[rows] = chances(o[rows])
        rise = np.where(o.can_raise, rise, 0.0)
        fold = np.where(o.owed > 0, fold * (1 - rise), 0.0)
        p = np.stack([fold, 1 - fold - rise, rise], axis=1)
        open_to = np.stack([o.owed > 0, np.ones(len(o), bool), o.can_raise], axis=1)
        anything = open_to / open_to.sum(axis=1, keepdims=True)
        share = (_ANYTHING / np.maximum(_size(o), 1.0))[:, None]  # nobody calls many pots by chance
        return of_kinds(o, (1 - share) * p + share * anything, amounts=_amounts(o))

    def _before_flop(self, o: Observations) -> tuple[Floats, Floats]:
        """The chance to fold if it does not raise, and to raise."""
        place, size = _places(o), _size(o)
        played, raised = self.shares(o.game.players)
        before = np.minimum(o.raises, 3)
        seats_left = np.clip(_OPENED.size - 1 - (o.game.players - 1 - o.position), 0, _OPENED.size - 1)
        blind = o.position < (1 if o.game.players == 2 else 2)
        where = np.where(blind | (o.game.players < 4), 1.0, _OPENED[seats_left])
        opened = 1.25 * raised * where
        has_raised = ((o.actors == o.position[:, None]) & (o.actions >= c.RAISE)).any(axis=1)
        kinds = [before == 0, before == 1, (before == 2) & has_raised, before == 2, has_raised]
        rises = np.select(kinds, [opened, 0.32 * raised, 0.2 * raised, 0.1 * raised, 0.12 * raised], 0.06 * raised)
        limped = np.where(blind, 1.6 * played, np.maximum(played * where, opened))
        goes_on = np.select(
            kinds,
            [
                limped,
                played * np.clip(2.2 / (1 + size), 0.12, 1.8),
                opened * np.clip(0.95 / (1 + size), 0.08, 0.9),
                played * np.clip(0.8 / (1 + size), 0.08, 0.5),
                raised * np.clip(0.45 / (1 + size), 0.08, 0.4),
            ],
            0.12 * played,
        )
        goes_on = np.clip(goes_on, 0.005, 1.0)
        rise = _soft(-place, -rises, 0.12 * rises + 0.008)
        fold = 1 - _soft(-place, -goes_on, 0.12 * goes_on + 0.008)
        return fold, rise

    def _after_flop(self, o: Observations) -> tuple[Floats, Floats]:
        """The same after the flop, by the hand's equity against a random one."""
        from mazzo.holdem.odds import equities

        won, of = equities(o.hole, o.board, 1)
        equity = won / of
        spread = np.array(_SPREAD)[np.minimum(o.street, 3)]
        strength = _soft(equity, np.full(len(o), 0.5), 0.55 * spread)  # about the share of hands that it beats
        crowd = 0.85 ** (o.opponents - 1)
        value = 0.62 * self.bets * crowd
        bet = 0.9 * _soft(strength, 1 - value, np.full(len(o), 0.07)) + 0.26 * self.bets * crowd
        again = 0.16 * self.bets / (1 + 0.7 * o.raises)
        rise = 0.75 * _soft(strength, 1 - again, np.full(len(o), 0.04)) + 0.05 * self.bets
        crowded = (1 + 0.15 * (o.opponents - 1)) * (1 + 0.2 * np.maximum(o.raises - 1, 0))
        goes_on = np.clip((1 - self.folds) * (1 + _BET) / (1 + _size(o)) / crowded, 0.01, 0.96)
        fold = 1 - _soft(strength, 1 - goes_on, np.full(len(o), 0.08))
        return fold, np.where(o.owed > 0, rise, np.minimum(bet, 0.95))

    def decide(self, observations: Observations) -> Ints:
        """Drawn by its chances."""
        return self.policy(observations).drawn(observations.rng_key)

    def explain(self, observation: Observations) -> Explanation:
        """Its chances, and what it goes by."""
        p = self.policy(observation).p[0]
        played, raised = self.shares(observation.game.players)
        reason = (
            f"a player of {played:.0%} of hands, {raised:.0%} raised, would fold {p[0]:.0%}, call or check {p[1]:.0%}, "
            f"raise {p[2]:.0%}"
        )
        options = tuple(Option(name, float(k)) for name, k in zip(("fold", "call", "raise"), p, strict=True))
        action = int(self.decide(observation)[0])
        return Explanation(action_text(action, observation.game.limit), reason, options)

    def scaled(self, factor: float, players: int) -> Typical:
        """The same player, tighter (below 1) or looser."""
        played, raised = self.shares(players)
        wide = 1 - (1 - self.folds) * factor**0.5
        return replace(
            self,
            played=min(0.95, max(played * factor, 0.02)),
            raised=min(0.95, max(raised * factor, 0.02)),
            folds=min(0.9, max(wide, 0.1)),
            bets=min(0.9, self.bets * factor**0.5),
        )


def _places(o: Observations) -> Floats:
    """By row the share of starting hands that are at least as good."""
    ranks, suits = o.hole.astype(np.int64) >> 2, o.hole.astype(np.int64) & 3
    high, low = ranks.max(axis=1), ranks.min(axis=1)
    same = suits[:, 0] == suits[:, 1]
    table = starting_values()[SHARES]
    return np.asarray(np.where(same | (high == low), table[high, low], table[low, high]))


def _size(o: Observations) -> Floats:
    """The bet to be called, in pots as they were before it."""
    return np.asarray(o.owed / np.maximum(o.pot - o.owed, 1))


def _amounts(o: Observations) -> Ints:
    """Its raises: three times the bet before the flop, two thirds of the pot after it."""
    bet = o.state[:, c.BET]
    early = o.street == 0
    to = np.where(early, 3 * bet, bet + (2 * (o.pot + o.owed)) // 3)
    least = np.where(o.game.limit, o.raise_low, to)
    return np.clip(least, o.raise_low, o.raise_high)
