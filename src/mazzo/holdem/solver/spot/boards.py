"""The boards of a spot, street by street, and the hands of both players on each.

Boards that become one another by renaming suits, where that changes neither the board nor a range, are walked once:
what they are worth is added through the renaming of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.holdem import showdown
from mazzo.holdem.odds.build import holes, number_of_holes
from mazzo.holdem.odds.isomorphism import SUIT_PERMUTATIONS
from mazzo.holdem.solver.spot.spot import PLAYERS, Spot
from mazzo.wide import EIGHT

__all__ = ["A", "B", "HIGH", "LOW", "NO_CARD", "ORDER", "SAME", "Boards", "BoardTables", "Hands"]

# Columns of the tables of hands on a board.
ORDER, A, B, SAME, LOW, HIGH = range(6)
NO_CARD = 52
_CARDS = SUIT_PERMUTATIONS.astype(np.int64)
_ALIKE = 1e-6


def padded(size: int) -> int:
    """The next multiple of eight."""
    return -(-size // EIGHT) * EIGHT


class Hands:
    """The hands both players may hold, in a fixed order, with their weights."""

    def __init__(self, spot: Spot, symmetric: bool = True) -> None:
        weights = [spot.free(name) for name in PLAYERS]
        self.group = _group(spot, weights) if symmetric else [int(np.flatnonzero((_CARDS == np.arange(52)).all(1))[0])]
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

    def __init__(self, spot: Spot, hands: Hands) -> None:
        self.hands = hands
        root = tuple(int(card) for card in spot.board)
        level = _Level([root], [0], [[0]], [list(range(len(hands.group)))])
        levels = [level]
        while len(level.boards[0]) < 5:
            level = self._next(level)
            levels.append(level)
        self.levels = levels
        self.tables = [self._tables(levels, k) for k in range(len(levels))]

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

    def _tables(self, levels: list[_Level], at: int) -> BoardTables:
        level, hands = levels[at], self.hands
        count = len(level.boards)
        out = np.zeros((2, count, 6, hands.stride), np.int16)
        live = np.zeros((2, count), np.int64)
        for b, board in enumerate(level.boards):
            for p, rows in enumerate(self._on(board)):
                live[p, b] = _fill(out[p, b], hands, p, rows, len(board) == 5)
            self._meet(out[:, b], live[:, b], board)
        below = levels[at + 1].parent if at + 1 < len(levels) else []
        children = np.searchsorted(below, np.arange(count + 1)) if below else np.zeros(count + 1, np.int64)
        sizes = [len(m) for m in level.mates]
        return BoardTables(
            out, live, np.array(level.parent, np.int64), np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            np.array([g for mates in level.mates for g in mates], np.int64), children.astype(np.int64),
        )  # fmt: skip

    def _on(self, board: tuple[int, ...]) -> list[tuple[NDArray[np.bool_], Ints]]:
        """By player which hands the board leaves, and how strong each is on the river."""
        out = []
        for cards in self.hands.cards:
            free = ~np.isin(cards, board).any(axis=1)
            strength = np.zeros(len(cards), np.int64)
            if len(board) == 5:
                whole = np.concatenate([cards, np.tile(board, (len(cards), 1))], axis=1)
                strength[free] = showdown.evaluate(whole[free].astype(np.uint8))
            out.append((free, strength))
        return out

    def _meet(self, out: NDArray[np.int16], live: Ints, board: tuple[int, ...]) -> None:
        """Fill in where each hand stands among the opponent's: the same holding, and on the river those it beats."""
        hands = self.hands
        number = [_numbers(out[p]) for p in range(2)]
        for p in range(2):
            place = np.full(len(holes()) + 1, hands.stride, np.int64)
            there = number[1 - p] < len(holes())
            place[number[1 - p][there]] = np.flatnonzero(there)
            out[p, SAME] = place[number[p]]
        if len(board) == 5:
            strength = [out[p, LOW].view(np.uint16).astype(np.int64) for p in range(2)]
            for p in range(2):
                theirs = strength[1 - p][: live[1 - p]]
                out[p, LOW] = np.searchsorted(theirs, strength[p], "left")
                out[p, HIGH] = np.searchsorted(theirs, strength[p], "right")


def _numbers(rows: NDArray[np.int16]) -> Ints:
    """The number of the holding at each place; 1,326 where there is none."""
    a, b = rows[A].astype(np.int64), rows[B].astype(np.int64)
    return np.where(a == NO_CARD, len(holes()), b * (b - 1) // 2 + a)


def _fill(out: NDArray[np.int16], hands: Hands, p: int, rows: Any, river: bool) -> int:
    """Write the hands of a player on a board: where each comes from, and its cards. Gives how many there are."""
    free, strength = rows
    size = hands.size[p]
    order = np.argsort(np.where(free, strength, 1 << 20), kind="stable") if river else np.arange(size)
    there = free[order]
    out[ORDER] = -1
    out[ORDER, :size] = np.where(there, order, -1)
    out[A], out[B] = NO_CARD, NO_CARD
    low, high = hands.cards[p][order].min(axis=1), hands.cards[p][order].max(axis=1)
    out[A, :size], out[B, :size] = np.where(there, low, NO_CARD), np.where(there, high, NO_CARD)
    out[LOW, :size] = strength[order].astype(np.uint16).view(np.int16)  # for now, until the players are compared
    return int(there.sum()) if river else hands.padded[p]
