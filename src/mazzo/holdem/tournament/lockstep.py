"""Tournaments between any agents: many at once in lockstep, or one after the other where an agent learns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.arrays import Ints
from mazzo.holdem import columns as c
from mazzo.holdem.observation import Finished, Observations
from mazzo.holdem.table import Table, deal_cards, hand_keys
from mazzo.holdem.tournament.book import buttons, close_rows, end_rows, open_rows
from mazzo.holdem.tournament.fast import PlayedTournaments, reckon
from mazzo.holdem.tournament.format import NUMBER_BITS, TournamentFormat
from mazzo.lockstep import play_out
from mazzo.rng import stream

__all__ = ["Noted", "fingerprint", "play_lockstep"]

Noted = Callable[[Table, Ints, Ints], None]
"""Told of every batch of finished hands: the table, what each position won, the hands' numbers."""


class _Lockstep:
    """Tournaments that go from hand to hand together; those with equally many players left share a table."""

    def __init__(
        self,
        form: TournamentFormat,
        agents: Sequence[Agent[Observations]],
        first: int,
        count: int,
        seed: int,
        noted: Noted | None = None,
    ) -> None:
        self.form, self.agents, self.first, self.seed, self.noted = form, agents, first, seed, noted
        self.stacks: Ints = np.full((count, form.players), form.chips, np.int64)
        self.button: Ints = np.zeros(count, np.int64)
        self.left: Ints = np.full(count, form.players, np.int64)
        self.hands: Ints = np.zeros(count, np.int64)
        self.places = np.zeros((count, form.players), np.int8)
        self.lot = stream(seed, "lot")
        buttons(self.lot, first, form.players, self.button)

    def play(self) -> NDArray[np.bool_]:
        """Play all to the end; gives where the hand limit ended it."""
        for hand in range(self.form.hand_limit):
            if not (self.left > 1).any():
                break
            for players in range(self.form.players, 1, -1):
                rows = np.flatnonzero((self.left == players) & (self.hands == hand))
                if len(rows):
                    self._hand(rows, players, hand)
        limited = self.left > 1
        end_rows(self.stacks, self.places, np.flatnonzero(limited), self.lot, self.first)
        return limited

    def _hand(self, rows: Ints, players: int, hand: int) -> None:
        seating = np.zeros((len(rows), players), np.int16)
        open_rows(self.stacks, self.button, rows, seating)
        game = self.form.game(players, self.form.level(hand))
        numbers = (self.first + rows) << NUMBER_BITS | hand
        table = Table(
            game,
            deal_cards(game, stream(self.seed, "deal"), numbers),
            np.take_along_axis(self.stacks[rows], seating.astype(np.int64), 1),
            hand_keys(stream(self.seed, "luck"), numbers),
            seating,
        )
        play_out(table, self.agents)
        net = table.settle()
        for player, agent in enumerate(self.agents):
            if agent.learns and (seating == player).any():
                agent.on_hands_finished(Finished.of(table, player, net))
        self.finished(table, net, numbers)
        close_rows(self.stacks, self.button, self.places, rows, seating, net, self.lot, self.first, self.left)
        self.hands[rows] += 1

    def finished(self, table: Table, net: Ints, numbers: Ints) -> None:
        """Called with every batch of finished hands."""
        if self.noted is not None:
            self.noted(table, net, numbers)


def play_lockstep(
    form: TournamentFormat,
    agents: Sequence[Agent[Observations]],
    tournaments: range,
    seed: int,
    noted: Noted | None = None,
) -> PlayedTournaments:
    """Play numbered tournaments between any agents. Where one learns, tournaments follow one another."""
    learning = any(agent.learns for agent in agents)
    size = 1 if learning else max(1, len(tournaments))
    parts = []
    for first in range(tournaments.start, tournaments.stop, size):
        step = _Lockstep(form, agents, first, min(size, tournaments.stop - first), seed, noted)
        limited = step.play()
        parts.append((step.places, step.hands, limited, _thresholds(agents, learning)))
    places, hands, ended, drift = (np.concatenate(part) for part in zip(*parts, strict=True))
    return PlayedTournaments(places, hands, ended, drift, np.zeros((0, 0), np.int64))


def _thresholds(agents: Sequence[Agent[Observations]], learning: bool) -> NDArray[np.float32]:
    """Thresholds of all seats as they stand, NaN for agents that have none; empty where nobody learns."""
    if not learning:
        return np.zeros((0, len(agents), 2), np.float32)
    missing = np.full((1, 2), np.nan)
    return np.concatenate([getattr(agent, "thresholds_", missing) for agent in agents]).astype(np.float32)[None]


def fingerprint(table: Table, row: int) -> int:
    """The fingerprint of a hand's betting, as the fast way of playing writes it in its trace."""
    count = int(table.state[row, c.COUNT])
    return int(reckon(table.history[row : row + 1], count))
