"""The walk through the betting on a whole board, with all hands on it at once, on one thread or several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.holdem import showdown
from mazzo.holdem.rules import Rules
from mazzo.holdem.solver.blueprint.kernels import BEGIN, BELOW, FINISH, BoardHands, Learned, WalkSpace, walk
from mazzo.holdem.solver.blueprint.layout import ROW, VALUE, BlueprintLayout
from mazzo.holdem.solver.spot.boards import HIGH, LOW, A, B
from mazzo.holdem.solver.spot.lanes import SUMS
from mazzo.wide import EIGHT

__all__ = ["BoardWalker", "CardBuckets", "board_hands", "hands_on"]

_NOWHERE = (-1, -1, -1)


class CardBuckets(Protocol):
    """Which hands are played alike."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """By street how many buckets there are."""

    def on_hands(self, board: Ints, hole: Ints, table: NDArray[np.int16]) -> NDArray[np.int32]:
        """By street and hand its bucket, on a whole board; hands and table as `hands_on` gives them."""


def hands_on(rules: Rules, board: Ints) -> tuple[Ints, NDArray[np.int16]]:
    """The hands that a whole board leaves, by strength, and their table for showdowns."""
    deck = np.setdiff1d([int(card) for card in rules.deck], board)
    low, high = np.triu_indices(len(deck), 1)
    cards = np.stack([deck[low], deck[high]], axis=1)
    whole = np.concatenate([cards, np.broadcast_to(board, (len(cards), len(board)))], axis=1).astype(np.uint8)
    strength = showdown.evaluate(whole)
    order = np.argsort(strength, kind="stable")
    cards, strength = cards[order], strength[order]
    table = np.zeros((6, len(cards)), np.int16)
    table[A], table[B] = cards.T
    table[LOW] = np.searchsorted(strength, strength, side="left")
    table[HIGH] = np.searchsorted(strength, strength, side="right")
    return cards, table


def board_hands(rules: Rules, buckets: CardBuckets, board: Ints) -> BoardHands:
    """The hands of a whole board as the walk reads them."""
    cards, table = hands_on(rules, board)
    found = buckets.on_hands(board, cards, table)
    present, counts = np.zeros_like(found), np.zeros(len(found), np.int64)
    for street, row in enumerate(found):
        own, found[street] = np.unique(row, return_inverse=True)
        present[street, : len(own)], counts[street] = own, len(own)
    return BoardHands(table, found, present, counts)


class BoardWalker:
    """Walks the betting on boards, on one thread or several: the result is the same."""

    def __init__(self, layout: BlueprintLayout, threads: int = 1) -> None:
        self.layout, self.threads = layout, threads
        deck, board = len(layout.rules.deck), sum(layout.rules.board_cards)
        self.hands = (deck - board) * (deck - board - 1) // 2
        self.spaces = [self._space() for _ in range(threads)]
        self._stacks = [np.zeros((len(layout.sizes), 2), np.int64) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def _space(self) -> WalkSpace:
        layout, stride = self.layout, self.hands * EIGHT
        places, streets = layout.tables.places, len(layout.sizes)
        rows = (places[:, :, ROW : ROW + 2].max() + 1) * stride
        decisions = places[:, :, VALUE].max() + 1
        ends = decisions + max(len(s.entries) for s in layout.streets)
        begins = np.array([decisions, ends, ends + 3], np.int64)

        def room(*shape: int) -> NDArray[np.float32]:
            return np.zeros(shape, np.float32)

        return WalkSpace(
            room(streets, rows),
            room(streets, begins[2] * stride + 2 * SUMS),
            begins,
            room(6 * stride),
            room(4 * stride),
        )

    def walk(
        self,
        board: BoardHands,
        learned: Learned,
        player: int,
        weights: Floats,
        key: np.uint64,
        look: tuple[int, int, int] = _NOWHERE,
        only: Sequence[int] | None = None,
    ) -> WalkSpace:
        """One walk for one player; what it leaves in the room of the first thread is given back.

        Args:
            board: The hands.
            learned: What is played and learned.
            player: Whose regrets.
            weights: As of the kernel.
            key: To draw visits by.
            look: Street, tile and place of a decision: what its actions are worth is kept in `seen`.
            only: The tiles of the third street that are walked, if not all.
        """
        tables, main = self.layout.tables, self.spaces[0]

        def part(which: int, thread: int = 0, tile: int = 0) -> None:
            job = np.array([which, player, tile, *look], np.int64)
            walk(tables, board, learned, self.spaces[thread], job, weights, key, self._stacks[thread])

        main.seen[:] = 0
        part(BEGIN)
        if len(self.layout.sizes) > 2:
            tiles = range(self.layout.tiles(2)) if only is None else only
            if self._pool is None:
                for tile in tiles:
                    part(BELOW, 0, tile)
            else:
                self._shared(part, tiles, main)
        part(FINISH)
        return main

    def _shared(self, part: Callable[..., None], tiles: Sequence[int], main: WalkSpace) -> None:
        """Walk tiles of the third street on several threads: they have no entry in common."""
        stride = self.hands * EIGHT
        for space in self.spaces[1:]:
            space.rows[1] = main.rows[1]
        waiting = list(tiles)

        def work(thread: int) -> None:
            while waiting:
                try:
                    tile = waiting.pop()
                except IndexError:
                    return
                part(BELOW, thread, tile)
                if thread:
                    begin = (main.begins[0] + tile) * stride
                    where = slice(begin, begin + stride)
                    main.values[1, where] = self.spaces[thread].values[1, where]

        if self._pool is not None:
            list(self._pool.map(work, range(self.threads)))
