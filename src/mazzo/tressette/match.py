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
from mazzo.arrays import Ints
from mazzo.lockstep import play_out
from mazzo.rng import stream
from mazzo.tressette.game import Game
from mazzo.tressette.kernels import deal_hands
from mazzo.tressette.observation import Observations
from mazzo.tressette.round import Round
from mazzo.tressette.rules import PRESETS, Rules
from mazzo.tressette.table import Table, keys_of_rounds

__all__ = ["TressetteMatch", "WholeMatches"]


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


@dataclass(frozen=True)
class WholeMatches:
    """Whole matches to the target, declarations scored: a deal is a match, played twice with the pairs exchanged.

    Both plays are dealt the same cards for as long as both go on. The result is the share of matches that the first
    agent won over the second: 1 won, -1 lost. No deal is sent a monte.
    """

    rules: Rules = PRESETS["tressette"]
    unit = "matches"
    seats = 2
    plays_per_deal = 2

    @property
    def game(self) -> Rules:
        """What agents are asked whether they can play."""
        return self.rules

    def play(
        self, agents: Sequence[Agent[Observations]], deals: range, seed: int, log: bool = False
    ) -> tuple[NDArray[np.float64], list[str]]:
        """Matches of each agent won less lost, and the rounds as text if wanted."""
        games = [Game(self.rules, dealer=(k + 3) % 4) for k in deals for _ in range(2)]
        lines: list[str] = []
        for number in range(_MOST_ROUNDS):
            going = np.array([k for k, game in enumerate(games) if game.winner is None], np.int64)
            if not len(going):
                break
            table = self._round(games, going, deals.start, seed, number)
            play_out(table, agents)
            table.keys[:] = 0
            for row, k in enumerate(going):
                _score(games[k], Round.of_row(table, row))
            lines += [Round.of_row(table, row).text() for row in range(len(table))] if log else []
        won = (
            np.array([1.0 if game.winner == k % 2 else -1.0 for k, game in enumerate(games)])
            .reshape(-1, 2)
            .mean(axis=1)
        )
        return np.stack([won, -won], axis=1), lines

    def _round(self, games: Sequence[Game], going: Ints, first: int, seed: int, number: int) -> Table:
        """The next round of the matches that go on: the cards hang on the match and the round, not on who plays."""
        hands, keys = np.empty((len(going), 4), np.int64), np.empty(len(going), np.uint64)
        for row, k in enumerate(going):
            deal = (first + int(k) // 2) * _MOST_ROUNDS + number
            deal_hands(stream(seed, "deal"), deal, hands[row : row + 1])
            keys[row] = keys_of_rounds(seed, 2 * deal + int(k) % 2, 1)[0]
        leaders = np.array([(games[k].dealer + 1) % 4 for k in going], np.int8)
        seating = np.array([[[0, 1, 0, 1], [1, 0, 1, 0]][int(k) % 2] for k in going])
        table = Table.begin(hands, leaders, self.rules, seating, keys)
        table.match[:] = [(*games[k].scores, self.rules.target) for k in going]
        return table


def _score(game: Game, table: Round) -> None:
    """Write a round down, up to the trick that ends the match where that is within it."""
    if game.rules.out_at_once:
        again = Round.parse(table.text(), table.rules)
        while len(again.plays) > 4:
            again.undo(4)
        while not game.is_out(again) and not again.over:
            again.act(table.history[len(again.plays)])
        table = again
    game.score(table)


_MOST_ROUNDS = 64
"""Rounds of a match that are dealt for: each gives eleven points or more, and a target is at most 51."""
