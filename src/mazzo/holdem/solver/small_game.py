"""A whole small game as arrays: its betting tree, its deals, and what every player sees of each.

The tree is grown by the rules' own kernels, level by level; all betting is public, so a situation of a player is a
node of the tree and what that player sees of the cards there (a *view*: own cards and open board). A deal is a row:
which view every player has in every round, and what every end of the tree pays.

With `symmetric` views that differ only by the names of suits are one (where hands are too small for flushes, suits do
not matter at all), and deals that give all players the same views become one deal of more weight: this loses nothing
to players who treat such views alike. To ask an agent that may look at suits, leave it off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem import kernels
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.holdem.showdown import tables
from mazzo.holdem.solver.betting_tree import grow_betting

__all__ = ["MOST_CELLS", "SmallGame", "Views", "too_large"]

MOST_CELLS = 40_000_000
"""Nodes of the tree times deals that are still worked with: some 300 MB an array."""

_MOST_DEALS = 4_000_000
_FLUSH = 5  # cards from which on suits can matter to the strength of a hand


@dataclass(frozen=True)
class Views:
    """What can be seen of the cards, round by round: sorted keys, whose place is the number of a view."""

    rules: Rules
    symmetric: bool
    keys: tuple[Ints, ...]

    def find(self, street: int, hole: NDArray[Any], board: NDArray[Any]) -> Ints:
        """The numbers of the views of these own cards and board cards of a round."""
        key = _view_keys(self.rules, hole, board, street, self.symmetric)
        at = np.searchsorted(self.keys[street], key)
        known = at < len(self.keys[street])
        if not known.all() or (self.keys[street][at] != key).any():
            raise UnreadableError("these are not cards of the game")
        return np.asarray(at)


def _view_keys(rules: Rules, hole: NDArray[Any], board: NDArray[Any], street: int, symmetric: bool) -> Ints:
    """A number for each row of own cards and board, the same for views that are one."""
    groups = [np.asarray(hole, np.int64)]
    ends = np.cumsum(rules.board_cards)
    groups += [np.asarray(board[:, ends[r] - n : ends[r]], np.int64) for r, n in enumerate(rules.board_cards) if n]
    shown = [groups[0], *groups[1 : 1 + sum(1 for n in rules.board_cards[: street + 1] if n)]]
    if not symmetric:
        return _packed(shown)
    if rules.hole_cards + sum(rules.board_cards) < _FLUSH:
        return _packed([group >> 2 for group in shown])
    renamed = ([group >> 2 << 2 | np.array(suits)[group & 3] for group in shown] for suits in permutations(range(4)))
    return np.asarray(np.min([_packed(groups) for groups in renamed], axis=0))


def _packed(groups: Sequence[Ints]) -> Ints:
    key = np.zeros(len(groups[0]), np.int64)
    for group in groups:
        for column in np.sort(group, axis=1).T:
            key = key << 6 | column
    return key


def too_large(rules: Rules) -> str:
    """Why a game cannot be worked with as a whole, in words; empty if nothing speaks against growing its tree."""
    deals, left = 1, len(rules.deck)
    for cards in (*(rules.hole_cards,) * rules.players, *rules.board_cards):
        deals, left = deals * comb(left, cards), left - cards
    if deals > _MOST_DEALS:
        return f"{rules.name} has {deals:,} deals; a game is solved whole up to {_MOST_DEALS:,}"
    return ""


def _all_deals(rules: Rules) -> NDArray[np.uint8]:
    """Every deal once: the order of cards within a hand, or within a round's board cards, does not matter."""
    sizes = (*(rules.hole_cards,) * rules.players, *(n for n in rules.board_cards if n))
    deck = [int(card) for card in rules.deck]

    def more(left: list[int], sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not sizes:
            yield ()
            return
        for cards in combinations(left, sizes[0]):
            rest = [card for card in left if card not in cards]
            for others in more(rest, sizes[1:]):
                yield (*cards, *others)

    return np.array(list(more(deck, sizes)), np.uint8)


class SmallGame:
    """A game that is small enough to be worked with as a whole."""

    def __init__(self, rules: Rules, *, symmetric: bool = True, free_folds: bool = False) -> None:
        """Grow the tree and list the deals.

        Args:
            rules: The game.
            symmetric: Whether views that differ only by the names of suits are one.
            free_folds: Whether folding where nothing is owed is an action too.
        """
        if reason := too_large(rules):
            raise UnreadableError(reason)
        self.rules, self.free_folds = rules, free_folds
        self.tree, self.state, self.history = grow_betting(rules, free_folds=free_folds)
        self._deal(symmetric)
        cells = len(self.tree.actor) * len(self.weight)
        if cells > MOST_CELLS:
            raise UnreadableError(
                f"{rules.name} has {len(self.tree.actor):,} nodes and {len(self.weight):,} deals that differ, "
                f"{cells:,} together; a game is solved whole up to {MOST_CELLS:,}"
            )

    @property
    def players(self) -> int:
        """How many play."""
        return self.rules.players

    @property
    def information_sets(self) -> int:
        """Situations that players can tell apart."""
        deciding = self.tree.actor >= 0
        return int(sum(len(self.views.keys[s]) for s in self.tree.street[deciding]))

    def views_at(self, node: int | np.integer[Any]) -> int:
        """How many views there are at a node."""
        return len(self.views.keys[self.tree.street[node]])

    def rows(self, entries: Floats, node: int | np.integer[Any]) -> Floats:
        """The entries of a node, a row a view and a column an action: a part of the array itself."""
        begin, count, size = self.tree.offset[node], self.tree.actions[node], self.views_at(node)
        return entries[begin : begin + size * count].reshape(size, count)

    def _deal(self, symmetric: bool) -> None:
        rules, cards = self.rules, _all_deals(self.rules)
        hole = [cards[:, p * rules.hole_cards : (p + 1) * rules.hole_cards] for p in range(rules.players)]
        board = cards[:, rules.players * rules.hole_cards :]
        raw = [[_view_keys(rules, h, board, street, symmetric) for h in hole] for street in range(rules.rounds)]
        keys = tuple(np.unique(np.concatenate(row)) for row in raw)
        views = np.array([[np.searchsorted(keys[s], k) for k in row] for s, row in enumerate(raw)])
        _, at, counts = np.unique(views.reshape(-1, len(cards)), axis=1, return_index=True, return_counts=True)
        self.views = Views(rules, symmetric, keys)
        self.cards: NDArray[np.uint8] = cards[at]
        self.weight: Floats = counts / counts.sum()
        self.seen: Ints = np.ascontiguousarray(views[:, :, at])
        self.shown = [_first_rows(self.seen[s], len(keys[s])) for s in range(rules.rounds)]
        self._place_entries()

    def _place_entries(self) -> None:
        sizes = np.array([len(keys) for keys in self.views.keys])[self.tree.street] * self.tree.actions
        self.tree.offset[:] = np.cumsum(sizes) - sizes
        self.entries = int(sizes.sum())

    @cached_property
    def payoffs(self) -> Floats:
        """What every player wins at every end in every deal: ends, players, deals."""
        ends = np.flatnonzero(self.tree.actor < 0)
        out = np.empty((len(ends), self.players, len(self.weight)))
        rules, rows = self.rules.row[None, :], np.arange(len(self.weight))
        for number, node in enumerate(ends):
            state = np.repeat(self.state[node : node + 1], len(rows), axis=0)
            out[number] = kernels.settle_rows(rules, state, self.cards, rows, tables()).T
        return out

    def observations(self, nodes: Ints, views: Ints) -> Observations:
        """What the players to act see, at these nodes with these views, a row each."""
        rules, street, actor = self.rules, self.tree.street[nodes], self.tree.actor[nodes]
        state, size = self.state[nodes], len(nodes)
        hole = np.empty((size, rules.hole_cards), np.uint8)
        board = np.full((size, sum(rules.board_cards)), -1, np.int8)
        deals = np.empty((size, 2), np.int64)
        for s in range(rules.rounds):
            deals[street == s] = self.shown[s][views[street == s]]
        for k in range(rules.hole_cards):
            hole[:, k] = self.cards[deals[:, 1], deals[:, 0] * rules.hole_cards + k]
        for s in range(rules.rounds):
            rows, seen = street == s, rules.board_seen(s)
            board[rows, :seen] = self.cards[deals[rows, 1]][:, rules.players * rules.hole_cards :][:, :seen]
        owed, low, high = kernels.legal_rows(rules.row[None, :], state, np.arange(size))
        seating = np.tile(np.arange(rules.players, dtype=np.int16), (size, 1))
        key = (nodes * 0x9E3779B1 + views * 0x85EBCA77 + actor).astype(np.uint64)
        return Observations(rules, state, self.history[nodes], hole, board, owed, low, high, key, seating)

    def find_nodes(self, observations: Observations) -> Ints:
        """The node of every row, by the betting so far; -1 where the tree has no such betting."""
        tree, node = self.tree, np.zeros(len(observations), np.int64)
        taken = observations.actions
        for k in range(taken.shape[1]):
            going = (taken[:, k] != c.NO_ACTION) & (node >= 0)
            node[going] = self.children(node[going], taken[going, k])
        return np.where(np.append(tree.actor, -1)[node] < 0, -1, node)

    def children(self, nodes: Ints, actions: Ints) -> Ints:
        """The nodes that these actions lead to; -1 where there is none. A limit raise is one, whatever its number."""
        tree, out = self.tree, np.full(len(nodes), -1, np.int64)
        for k in range(int(tree.actions[nodes].max(initial=0))):
            there = tree.first[nodes] + np.minimum(k, np.maximum(tree.actions[nodes] - 1, 0))
            own = tree.action[there]
            same = (own == actions) | ((own >= c.RAISE) & (actions >= c.RAISE) & self.rules.limit)
            out = np.where((k < tree.actions[nodes]) & same & (tree.actor[nodes] >= 0), there, out)
        return out


def _first_rows(seen: Ints, size: int) -> Ints:
    """For each view a player and a deal in which that player has it."""
    out = np.zeros((size, 2), np.int64)
    for p in range(len(seen) - 1, -1, -1):
        views, at = np.unique(seen[p], return_index=True)
        out[views, 0], out[views, 1] = p, at
    return out
