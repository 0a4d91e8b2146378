"""The boards of a spot, street by street, and the hands of both players on each.

Boards that become one another by renaming suits, where that changes neither the board nor a range, are walked once:
what they are worth is added through the renaming of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.cards import FRENCH
from mazzo.errors import UnreadableError
from mazzo.holdem import showdown
from mazzo.holdem.odds.build import holes, number_of_holes
from mazzo.holdem.odds.isomorphism import SUIT_PERMUTATIONS
from mazzo.holdem.solver.spot.spot import PLAYERS, Spot
from mazzo.wide import EIGHT

__all__ = ["HIGH", "LOW", "NO_CARD", "ORDER", "SAME", "A", "B", "BoardTables", "Boards", "RangeHands"]

# Columns of the tables of hands on a board.
ORDER, A, B, SAME, LOW, HIGH = range(6)
NO_CARD = 52
_CARDS = SUIT_PERMUTATIONS.astype(np.int64)
_ALIKE = 1e-6
_DEAD = 1 << 17  # above all strengths


def padded(size: int) -> int:
    """The next multiple of eight."""
    return -(-size // EIGHT) * EIGHT


class RangeHands:
    """The hands both players may hold, in a fixed order, with their weights."""

    def __init__(self, spot: Spot, symmetric: bool = True) -> None:
        weights = [spot.free(name) for name in PLAYERS]
        self.group = _group(spot, weights) if symmetric else [int(np.flatnonzero((np.arange(52) == _CARDS).all(1))[0])]
        images = number_of_holes(_CARDS[self.group][:, holes()])  # by renaming: where every holding goes
        weights = [w[images].mean(axis=0) for w in weights]
        self.numbers: list[Ints] = [np.flatnonzero(w > 0) for w in weights]
        self.cards: list[Ints] = [holes()[k].astype(np.int64) for k in self.numbers]
        self.size = [len(k) for k in self.numbers]
        self.padded = [padded(k) for k in self.size]
        self.stride = max(self.padded)
        self.weights: list[Floats] = [
            np.concatenate([w[k], np.zeros(self.stride - len(k))]) for w, k in zip(weights, self.numbers, strict=True)
        ]
        self.renamed = self._renamings(images)

    def _renamings(self, images: Ints) -> NDArray[np.int16]:
        """By player, renaming and hand, the place of the hand that becomes it."""
        out = np.zeros((2, len(self.group), self.stride), np.int16)
        out[:] = np.arange(self.stride)
        for p, numbers in enumerate(self.numbers):
            place = np.full(len(holes()), -1, np.int64)
            place[numbers] = np.arange(len(numbers))
            for g in range(len(self.group)):
                out[p, g, place[images[g][numbers]]] = np.arange(len(numbers))
        return out

    def disjoint(self) -> float:
        """The sum of the products of weights over all pairs of hands that share no card."""
        return float((self.mass(1, self.weights[1]) * self.weights[0][: self.size[0]]).sum())

    def mass(self, player: int, reach: Floats) -> Floats:
        """By hand of the *other* player: the reach of `player`'s hands that share no card with it."""
        by_card, own = np.zeros(52), np.asarray(reach[: self.size[player]], np.float64)
        for k in range(2):
            np.add.at(by_card, self.cards[player][:, k], own)
        by_number = np.zeros(len(holes()))
        by_number[self.numbers[player]] = own
        other = 1 - player
        taken = by_card[self.cards[other]].sum(axis=1)
        return np.asarray(own.sum() - taken + by_number[self.numbers[other]])


def _group(spot: Spot, weights: list[Floats]) -> list[int]:
    """The renamings of suits that change neither the board nor a weight, the one that changes nothing first."""
    board = {int(card) for card in spot.board}
    found = []
    for g, cards in enumerate(_CARDS):
        moved = number_of_holes(cards[holes()])
        same = all(np.abs(w[moved] - w).max() <= _ALIKE * w.max() for w in weights)
        if same and {int(cards[card]) for card in board} == board:
            found.append(g)
    return sorted(found, key=lambda g: not (_CARDS[g] == np.arange(52)).all())


class BoardTables(NamedTuple):
    """The boards of a street as the kernel reads them."""

    hands: NDArray[np.int16]
    """[player, board, column, place]: hands in the board's order."""
    live: NDArray[np.int64]
    """[player, board]: on the river how many hands the board leaves; else all."""
    parent: NDArray[np.int64]
    mates_at: NDArray[np.int64]
    """[board + 1]: where its renamings begin."""
    mates: NDArray[np.int64]
    """Renamings under which it stands for another board; the first is the one that changes nothing."""
    children: NDArray[np.int64]
    """[board + 1]: where the boards of the next street below it begin."""


@dataclass(frozen=True)
class _Level:
    boards: list[tuple[int, ...]]
    parent: list[int]
    mates: list[list[int]]
    stabiliser: list[list[int]]


class Boards:
    """All boards of a spot, from its own street to the river."""

    def __init__(self, spot: Spot, hands: RangeHands) -> None:
        self.hands = hands
        root = tuple(int(card) for card in spot.board)
        level = _Level([root], [0], [[0]], [list(range(len(hands.group)))])
        levels = [level]
        while len(level.boards[0]) < 5:
            level = self._next(level)
            levels.append(level)
        self.levels = levels

    @cached_property
    def tables(self) -> list[BoardTables]:
        """The boards of every street as the kernel reads them."""
        return [self.tables_of(k) for k in range(len(self.levels))]

    def _next(self, level: _Level) -> _Level:
        """The boards with one more card, one for each orbit of cards."""
        found = _Level([], [], [], [])
        group = _CARDS[self.hands.group]
        for at, board in enumerate(level.boards):
            seen = set(board)
            for card in range(52):
                if card in seen:
                    continue
                mates: dict[int, int] = {}
                for g in level.stabiliser[at]:
                    mates.setdefault(int(group[g][card]), g)
                seen |= set(mates)
                found.boards.append((*board, card))
                found.parent.append(at)
                found.mates.append([mates[card], *(g for c, g in mates.items() if c != card)])
                found.stabiliser.append([g for g in level.stabiliser[at] if group[g][card] == card])
        return found

    def find(self, k: int, cards: tuple[int, ...]) -> tuple[int, int]:
        """The board of a street that stands for some cards, and the renaming that makes it those cards."""
        at, renaming = 0, _CARDS[self.hands.group[0]]
        for level in range(1, k + 1):
            card = cards[len(self.levels[0].boards[0]) + level - 1]
            for b, board in enumerate(self.levels[level].boards):
                if self.levels[level].parent[b] != at:
                    continue
                for g in self.levels[level].mates[b]:
                    moved = _CARDS[self.hands.group[g]]
                    if renaming[moved[board[-1]]] == card:
                        at, renaming = b, renaming[moved]
                        break
                else:
                    continue
                break
            else:
                raise UnreadableError(f"{FRENCH.cards([card])[0]} cannot come here: it is on the board already")
        return at, self._number_of(renaming)

    def _number_of(self, renaming: Ints) -> int:
        group = _CARDS[self.hands.group]
        return int(np.flatnonzero((group == renaming).all(axis=1))[0])

    def tables_of(self, k: int, only: Sequence[int] | None = None) -> BoardTables:
        """The boards of a street as the kernel reads them; or some of them."""
        level, hands = self.levels[k], self.hands
        chosen = list(range(len(level.boards))) if only is None else list(only)
        boards = np.array([level.boards[b] for b in chosen], np.int64)
        out = np.zeros((2, len(boards), 6, hands.stride), np.int16)
        live = np.tile(np.array(hands.padded)[:, None], (1, len(boards)))
        river = boards.shape[1] == 5
        strength = [self._fill(out[p], p, boards, live[p]) for p in range(2)]
        self._meet(out)
        if river:
            _compare(out, strength, live)
        below = self.levels[k + 1].parent if k + 1 < len(self.levels) and only is None else []
        children = np.searchsorted(below, np.arange(len(boards) + 1)) if below else np.zeros(len(boards) + 1, np.int64)
        mates = [level.mates[b] for b in chosen]
        return BoardTables(
            out,
            live,
            np.array([level.parent[b] if only is None else 0 for b in chosen], np.int64),
            np.concatenate([[0], np.cumsum([len(m) for m in mates])]).astype(np.int64),
            np.array([g for some in mates for g in some], np.int64),
            children.astype(np.int64),
        )

    def _fill(self, out: NDArray[np.int16], p: int, boards: Ints, live: Ints) -> Ints:
        """Write the hands of a player on boards: where each comes from, and its cards. On the river by strength."""
        cards, size = self.hands.cards[p], self.hands.size[p]
        free = ~(cards[None, :, :, None] == boards[:, None, None, :]).any(axis=(2, 3))
        strength = np.full(free.shape, _DEAD, np.int64)
        order = np.tile(np.arange(size), (len(boards), 1))
        if boards.shape[1] == 5:
            which, hand = np.nonzero(free)
            whole = np.concatenate([cards[hand], boards[which]], axis=1).astype(np.uint8)
            strength[free] = showdown.evaluate(whole)
            order = np.argsort(strength, axis=1, kind="stable")
            live[:] = free.sum(axis=1)
        there = np.take_along_axis(free, order, axis=1)
        out[:, ORDER], out[:, A], out[:, B] = -1, NO_CARD, NO_CARD
        out[:, ORDER, :size] = np.where(there, order, -1)
        out[:, A, :size] = np.where(there, cards.min(axis=1)[order], NO_CARD)
        out[:, B, :size] = np.where(there, cards.max(axis=1)[order], NO_CARD)
        return np.asarray(np.take_along_axis(strength, order, axis=1))

    def _meet(self, out: NDArray[np.int16]) -> None:
        """Fill in where each hand stands among the opponent's: the place of the same holding."""
        a, b = out[:, :, A].astype(np.int64), out[:, :, B].astype(np.int64)
        number = np.where(a == NO_CARD, len(holes()), b * (b - 1) // 2 + a)
        boards = np.arange(out.shape[1])[:, None]
        for p in range(2):
            place = np.full((out.shape[1], len(holes()) + 1), self.hands.stride, np.int16)
            place[boards, number[1 - p]] = np.arange(self.hands.stride)
            place[:, -1] = self.hands.stride
            out[p, :, SAME] = place[boards, number[p]]


def _compare(out: NDArray[np.int16], strength: list[Ints], live: Ints) -> None:
    """Fill in which of the opponent's hands each beats, and which it ties with."""
    boards = np.arange(out.shape[1])[:, None]
    for p in range(2):
        mine, theirs = strength[p], strength[1 - p]
        flat = (theirs + boards * (2 * _DEAD)).reshape(-1)
        for column, side in ((LOW, "left"), (HIGH, "right")):
            found = np.searchsorted(flat, (mine + boards * (2 * _DEAD)).reshape(-1), side=side)  # type: ignore[call-overload]
            places = found.reshape(mine.shape) - boards * theirs.shape[1]
            out[p, :, column, : mine.shape[1]] = np.minimum(places, live[1 - p][:, None])
