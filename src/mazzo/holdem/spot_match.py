"""Hands that begin in a spot: cards drawn from both ranges, then played to the end by agents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.logs.formats.acpc_write import table_lines
from mazzo.holdem.observation import Observations
from mazzo.holdem.odds.build import holes
from mazzo.holdem.rules import Rules
from mazzo.holdem.solver.spot.betting import Betting, grow
from mazzo.holdem.solver.spot.spot import Spot
from mazzo.holdem.table import Cards, Table, hand_keys
from mazzo.lockstep import play_out
from mazzo.rng import fork, stream

__all__ = ["SpotMatch"]

_MOST_TRIES = 10_000


def _forked(keys: NDArray[np.uint64], counter: int) -> NDArray[np.uint64]:
    plain: Any = fork.py_func  # type: ignore[attr-defined]  # plain arithmetic: it takes arrays as they are
    with np.errstate(over="ignore"):
        return np.asarray(plain(keys, np.uint64(counter)))


def _uniform(keys: NDArray[np.uint64]) -> Floats:
    return (keys >> np.uint64(11)).astype(np.float64) * 2.0**-53


@dataclass(frozen=True)
class SpotMatch:
    """How the arena plays a spot: the first agent out of position, the second in position."""

    spot: Spot
    unit = "chips_per_hand"
    seats = 2
    plays_per_deal = 1

    @property
    def game(self) -> Rules:
        """The rules of the hands."""
        return self.spot.rules

    @cached_property
    def _betting(self) -> Betting:
        return grow(self.spot.replaced(sizes={}, add_allin=0.0, by_street={}))

    def __repr__(self) -> str:
        return f"SpotMatch({self.spot.as_dict()!r})"

    def deal(self, deals: range, seed: int) -> Cards:
        """The cards of numbered deals: pairs of hands by their weights, those that share a card drawn again."""
        keys = _forked(np.full(len(deals), stream(seed, "deal")), 0)
        with np.errstate(over="ignore"):
            keys = _forked(
                keys ^ np.arange(deals.start, deals.stop, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15), 1
            )
        hands = self._hands(keys)
        out = np.zeros((len(deals), 9), np.uint8)
        out[:, :2], out[:, 2:4] = holes()[hands[0]], holes()[hands[1]]
        board = [int(card) for card in self.spot.board]
        out[:, 4 : 4 + len(board)] = board
        for at in range(4 + len(board), 9):
            used = np.zeros((len(deals), 52), bool)
            used[np.arange(len(deals))[:, None], out[:, :at].astype(np.int64)] = True
            free = np.argsort(used, axis=1, kind="stable")
            pick = (_uniform(_forked(keys, at)) * (52 - at)).astype(np.int64)
            out[:, at] = free[np.arange(len(deals)), pick]
        return out

    def _hands(self, keys: NDArray[np.uint64]) -> tuple[Ints, Ints]:
        weights = [self.spot.free("oop"), self.spot.free("ip")]
        sums = [np.cumsum(w) / w.sum() for w in weights]
        found = [np.zeros(len(keys), np.int64) for _ in range(2)]
        left = np.arange(len(keys))
        for attempt in range(_MOST_TRIES):
            for p in range(2):
                draw = _uniform(_forked(keys[left], 100 + 2 * attempt + p))
                found[p][left] = np.searchsorted(sums[p], draw, side="right")
            first, second = holes()[found[0][left]], holes()[found[1][left]]
            left = left[(first[:, :, None] == second[:, None, :]).any(axis=(1, 2))]
            if not len(left):
                return found[0], found[1]
        raise UnreadableError("hardly any two hands of the ranges can be held at the same time")

    def table(self, deals: range, seed: int) -> Table:
        """The hands of some deals, as they stand when the spot begins."""
        state = np.repeat(self._betting.state[:1], len(deals), axis=0)
        history = np.zeros((len(deals), self._betting.history.shape[1]), np.int64)
        history[:] = self._betting.history[0]
        key = hand_keys(stream(seed, "luck"), np.arange(deals.start, deals.stop))
        return Table.of_rows(self.game, state, history, self.deal(deals, seed), key)

    def play(
        self, agents: Sequence[Agent[Observations]], deals: range, seed: int, log: bool = False
    ) -> tuple[NDArray[np.float64], list[str]]:
        """By (deal, agent) the chips of the pot that each won, later bets counted; and the hands as text if wanted."""
        table = self.table(deals, seed)
        play_out(table, agents)
        net = table.settle()
        half = self.spot.pot // 2
        values = net + np.array([half + self.spot.pot % 2, half]) - self._rake(table, net)
        names = [agent.name for agent in agents]
        lines = (
            table_lines(self.game, table.state, table.history, table.cards, net, table.seating, deals.start, names)
            if log
            else []
        )
        return values.astype(np.float64), lines

    def _rake(self, table: Table, net: Ints) -> Floats:
        """By (hand, player) what the house took: each pays the share of the pot that he won."""
        spent = table.state[:, c.SPENT : c.SPENT + 2].min(axis=1)
        pots = self.spot.pot + 2 * (spent - self.spot.pot // 2)
        won = net + spent[:, None] + np.array([self.spot.pot % 2, 0])
        taken = np.array([self.spot.rake_of(pot) / pot for pot in pots])
        return np.asarray(won * taken[:, None])
