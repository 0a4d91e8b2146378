"""What the actions of one decision are worth to a hand, if both play the blueprint from there on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.observation import Observations
from mazzo.holdem.solver.blueprint.kernels import Learned
from mazzo.holdem.solver.blueprint.strategy import Blueprint
from mazzo.holdem.solver.blueprint.walking import BoardWalker, board_hands
from mazzo.holdem.solver.spot.boards import A, B
from mazzo.rng import forks
from mazzo.wide import EIGHT

__all__ = ["ActionWorths"]

_BOARDS = 24
"""Boards that are drawn where two cards or more are to come."""


@dataclass(frozen=True, eq=False)
class ActionWorths:
    """Works out worths under one blueprint."""

    blueprint: Blueprint

    @cached_property
    def _walker(self) -> BoardWalker:
        return BoardWalker(self.blueprint.layout)

    @cached_property
    def _played(self) -> Learned:
        chances = self.blueprint.chances.astype(np.float32)
        return Learned(chances, chances)

    def __call__(self, o: Observations, node: int) -> tuple[Floats, Floats]:
        """By action of a decision its worth in big blinds from here on, a fold being worth 0; and its standard error.

        The error is 0 from the turn on, where every board that may come is walked. Not a number stands where the other
        player never plays to this decision.
        """
        street, *_ = _find(self.blueprint, node)
        actions = int(self.blueprint.layout.tree.actions[node])
        found = [self._on_board(o, board, node) for board in _boards(o)]
        total, mass = np.array([won for won, _ in found]), np.array([met for _, met in found])[:, None]
        if not mass.sum():
            return np.full(actions, np.nan), np.full(actions, np.nan)
        mean = total.sum(axis=0) / mass.sum()
        error = np.zeros(actions)
        if street < 2:
            error = ((total - mean * mass) / mass.mean()).std(axis=0, ddof=1) / len(total) ** 0.5
        spent = o.state[0, c.SPENT + int(o.position[0])] / self.blueprint.rules.big_blind
        return np.round(mean + spent, 6), error  # beyond are the errors of 32 bits

    def _on_board(self, o: Observations, board: Ints, node: int) -> tuple[Floats, float]:
        """By action what it wins on a whole board, summed over the other's reach; and that reach, summed."""
        blueprint, walker, player = self.blueprint, self._walker, int(o.position[0])
        street, tile, place, way = _find(blueprint, node)
        only = None if street < 2 else [_third(blueprint, street, tile)]
        hands = board_hands(blueprint.rules, blueprint.buckets, board)
        look = (street, tile, place)
        space = walker.walk(hands, self._played, player, np.zeros(3), np.uint64(0), look, only)
        stride, cards = walker.hands * EIGHT, hands.table[[A, B]]
        shared = np.isin(cards, o.hole[0].astype(np.int64))
        at = int(np.flatnonzero(shared.all(axis=0))[0])
        begins = np.arange(blueprint.layout.tree.actions[node]) * stride
        reach = space.seen[3 * stride :].reshape(-1, EIGHT)[:, way]
        met = float(reach[~shared.any(axis=0)].sum(dtype=np.float64))
        return space.seen[begins + at * EIGHT + way].astype(np.float64), met


def _find(blueprint: Blueprint, node: int) -> tuple[int, int, int, int]:
    """Street, tile, place and way of a node."""
    layout = blueprint.layout
    street = int(layout.tree.street[node])
    ((block, place),) = np.argwhere(layout.streets[street].nodes == node)
    way, tile = divmod(int(block), layout.tiles(street)) if street else (0, 0)
    return street, tile, int(place), way


def _boards(o: Observations) -> list[NDArray[np.int64]]:
    """Whole boards that the open one may become: all where one card is to come, some that are drawn before."""
    known = [int(card) for card in o.board[0] if card >= 0]
    left = [card for card in range(52) if card not in known and card not in o.hole[0]]
    if len(known) == 5:
        return [np.array(known)]
    if len(known) == 4:
        return [np.array([*known, card]) for card in left]
    draw = np.random.default_rng(int(forks(o.rng_key[:1], np.arange(1))[0]))
    return [np.array([*known, *draw.choice(left, 5 - len(known), replace=False)]) for _ in range(_BOARDS)]


def _third(blueprint: Blueprint, street: int, tile: int) -> int:
    """The tile of the third street that a tile of it, or of a later one, lies below."""
    return tile // (blueprint.layout.tiles(street) // blueprint.layout.tiles(2))
