"""Playing numbered deals in duplicate: every agent plays every seat on the same cards."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.errors import IllegalError
from mazzo.holdem import columns as c
from mazzo.holdem.agents.blind import Blind, play_blind
from mazzo.holdem.game import Game
from mazzo.holdem.hand import UNKNOWN, Hand
from mazzo.holdem.observation import Observations
from mazzo.holdem.table import Table, deal_cards, lucky
from mazzo.jit import kernel, tight
from mazzo.luck import stream

__all__ = ["Finished", "HoldemMatch", "known_to", "play_table"]

Ints = NDArray[np.int64]

_spare = threading.local()
"""The last table of each thread, whose memory the next one uses again."""


@dataclass(frozen=True)
class Finished:
    """Finished hands as one player may know them: for agents that learn from what they play."""

    game: Game
    player: int
    """Which player of the match is told."""
    state: Ints
    history: Ints
    seating: NDArray[np.int16]
    cards: NDArray[np.uint8]
    """All cards of each hand; 255 for those this player has not seen."""
    net: Ints
    """What each position won or lost."""


@kernel
def _turns(state: Ints, seating: NDArray[np.int16], rows: Ints, player: int) -> Ints:
    """Those of the rows in which it is a player's turn."""
    out = np.empty(len(rows), np.int64)
    count = 0
    for i in rows:
        actor = state[i, c.ACTOR]
        if actor >= 0 and seating[i, actor] == player:
            out[count] = i
            count += 1
    return out[:count]


@tight
def _by_deal(net: Ints, seating: NDArray[np.int16], plays: int, scale: float, out: NDArray[np.float64]) -> None:
    """Add up what each player of the match won over the plays of each deal."""
    for deal in range(len(out)):
        for i in range(deal * plays, (deal + 1) * plays):
            for position in range(net.shape[1]):
                out[deal, seating[i, position]] += net[i, position] * scale


def play_table(table: Table, agents: Sequence[Agent[Observations]]) -> None:
    """Play every hand of a table to its end; `table.seating` says which agent sits where."""
    if all(isinstance(agent, Blind) for agent in agents):
        _play_blind(table, agents)
        return
    waiting = np.arange(len(table))
    while len(waiting):
        for player, agent in enumerate(agents):
            rows = _turns(table.state, table.seating, waiting, player)
            if len(rows):
                _let_act(table, rows, agent)
        waiting = waiting[table.actor[waiting] >= 0]


def _play_blind(table: Table, agents: Sequence[Any]) -> None:
    mixtures = np.array([agent.mixture() for agent in agents])
    while not play_blind(table.rules, table.state, table.history, table.luck, table.seating, mixtures):
        table.make_room(np.arange(len(table)))


def _let_act(table: Table, rows: Ints, agent: Agent[Observations]) -> None:
    seen = table.observe(rows)
    actions = np.asarray(agent.decide(seen), np.int64)
    try:
        table.apply(rows, actions)
    except IllegalError as wrong:
        raise IllegalError(f"agent {agent.name!r}: {wrong}") from None
    if not agent.folds_free:
        free = np.flatnonzero((actions == c.FOLD) & (seen.owed == 0))
        if len(free):
            hand = Hand.of_row(table, int(rows[free[0]]))
            raise IllegalError(f"agent {agent.name!r} folded where checking was free: {hand.text()}")


def known_to(table: Table, player: int) -> NDArray[np.uint8]:
    """The cards a player has seen when the hands are over: its own, the open board, and what was shown down."""
    game, width = table.game, table.game.hole_cards
    cards = table.cards.copy()
    live = table.state[:, c.LIVE]
    shown = np.bitwise_count(live) > 1
    for position in range(game.players):
        hidden = (table.seating[:, position] != player) & ~(shown & (live >> position & 1 == 1))
        cards[hidden, position * width : (position + 1) * width] = UNKNOWN
    first = game.players * width
    for k in range(sum(game.board_cards)):
        open_by = next(r for r in range(game.rounds) if game.board_seen(r) > k)
        cards[table.state[:, c.ROUND] < open_by, first + k] = UNKNOWN
    return cards


@dataclass(frozen=True)
class HoldemMatch:
    """How the arena plays a Hold'em game: deals by number, each once per rotation of the seats."""

    game: Game
    unit = "bb_per_hand"

    @property
    def seats(self) -> int:
        """How many agents play."""
        return self.game.players

    @property
    def plays_per_deal(self) -> int:
        """How often each deal is played, so that every agent has held every hand."""
        return self.game.players

    def table(self, deals: range, seed: int, spare: Table | None = None) -> Table:
        """The hands of some deals: deal by deal, rotation by rotation."""
        players = self.game.players
        cards = np.repeat(
            deal_cards(self.game, stream(seed, "deal"), np.arange(deals.start, deals.stop)), players, axis=0
        )
        numbers = np.arange(deals.start * players, deals.stop * players)
        rotations = (np.arange(players)[:, None] + np.arange(players)) % players
        seating = np.tile(rotations.astype(np.int16), (len(deals), 1))
        luck = lucky(stream(seed, "luck"), numbers)
        return Table(self.game, cards, luck=luck, seating=seating, spare=spare)

    def play(
        self, agents: Sequence[Agent[Observations]], deals: range, seed: int, log: bool = False
    ) -> tuple[NDArray[np.float64], list[str]]:
        """Mean results by (deal, agent) in big blinds a hand, and the hands as text if wanted."""
        table = self.table(deals, seed, _spare.__dict__.pop("table", None))
        play_table(table, agents)
        net = table.settle()
        for player, agent in enumerate(agents):
            if agent.learns:
                known = known_to(table, player)
                agent.hand_over(Finished(self.game, player, table.state, table.history, table.seating, known, net))
        names = [agent.name for agent in agents]
        lines = self._lines(table, net, names, deals.start * self.plays_per_deal) if log else []
        values = np.zeros((len(deals), self.seats))
        _by_deal(net, table.seating, self.plays_per_deal, 1 / (self.plays_per_deal * self.game.big_blind), values)
        if not any(agent.learns for agent in agents):  # a learner may have kept the arrays it was handed
            _spare.table = table
        return values, lines

    def _lines(self, table: Table, net: Ints, names: Sequence[str], first: int) -> list[str]:
        from mazzo.holdem.logs.write import table_lines

        return table_lines(self.game, table.state, table.history, table.cards, net, table.seating, first, names)
