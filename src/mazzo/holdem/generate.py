"""Making databases of hands: every deal is played once, the seats going round from deal to deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mazzo.agent import Agent
from mazzo.arena.match import distinct_names
from mazzo.errors import UnreadableError
from mazzo.holdem.game import Game
from mazzo.holdem.logs.write import table_lines
from mazzo.holdem.observation import Observations
from mazzo.holdem.play import play_table
from mazzo.holdem.table import Table, deal_cards, lucky
from mazzo.luck import stream

__all__ = ["generate"]

_BATCH = 4096


def generate(game: Game, agents: Sequence[Agent[Observations]], hands: int, seed: int = 0) -> Iterator[list[str]]:
    """Let agents play so many hands; gives the log's lines, batch by batch. Equal names are told apart by number."""
    if len(agents) != game.players:
        raise UnreadableError(f"{game.name} seats {game.players} agents, {len(agents)} were given")
    for agent in agents:
        reason = agent.refuses(game)
        if reason:
            raise UnreadableError(f"agent {agent.name!r} cannot play here: {reason}")
    names = distinct_names([agent.name for agent in agents])
    for begin in range(0, hands, _BATCH):
        numbers = np.arange(begin, min(begin + _BATCH, hands))
        cards = deal_cards(game, stream(seed, "deal"), numbers)
        seating = ((numbers[:, None] + np.arange(game.players)) % game.players).astype(np.int16)
        table = Table(game, cards, luck=lucky(stream(seed, "luck"), numbers), seating=seating)
        play_table(table, agents)
        yield table_lines(game, table.state, table.history, table.cards, table.settle(), seating, begin, names)
