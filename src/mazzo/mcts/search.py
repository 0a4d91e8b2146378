"""A search with any game's `Deal`: slow and plain, for small games, new games and checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mazzo.agent import Agent
from mazzo.deal import Deal
from mazzo.errors import IllegalError
from mazzo.mcts.tree import SearchTree, grow, pick, record
from mazzo.rng import below, fork

__all__ = ["Searched", "search"]

_MOST_ACTIONS = 63


@dataclass(frozen=True)
class Searched:
    """What a search found for one action."""

    action: int
    visits: int
    worth: float
    """The mean of what its walks came to, for the seat that searched."""


class _Numbers:
    """Actions of a game as the small numbers that the tree keeps, in the order they are met."""

    def __init__(self) -> None:
        self.actions: list[int] = []
        self._of: dict[int, int] = {}

    def mask(self, actions: list[int]) -> int:
        return sum(1 << self.of(action) for action in actions)

    def of(self, action: int) -> int:
        if action not in self._of:
            if len(self.actions) == _MOST_ACTIONS:
                raise IllegalError(f"a search keeps {_MOST_ACTIONS} different actions, and this game has more")
            self._of[action] = len(self.actions)
            self.actions.append(action)
        return self._of[action]


def search(
    deal: Deal,
    walks: int,
    key: int,
    low: float,
    high: float,
    explore: float = 0.7,
    playout: Agent[Any] | None = None,
    world: Callable[[int], Deal] | None = None,
) -> list[Searched]:
    """What each legal action of the seat to act is worth, the most visited first.

    Args:
        deal: The deal; only what the seat to act may know of it is used.
        walks: Walks through the tree, each in a deal of its own that could be.
        key: A 64-bit number of a stream of chance; the same key finds the same.
        low: The least that a seat can win.
        high: The most.
        explore: How readily it tries what looks worse.
        playout: Who plays on from a new node; by default any legal action.
        world: Gives the deal of walk k; by default hidden cards are dealt anew.
    """
    seat = deal.turn
    if seat is None:
        raise IllegalError("the deal is over: there is nothing to search for")
    tree, numbers, own = SearchTree.of(walks), _Numbers(), np.uint64(key)
    for k in range(walks):
        here = np.uint64(fork(own, k))
        now = world(k) if world else deal.redealt(seat, int(here))
        _walk(tree, numbers, now, here, (low, high), explore, playout)
    found, child = [], int(tree.first[0])
    while child:
        mean = low + (high - low) * float(tree.worth[child] / tree.visits[child])
        found.append(Searched(numbers.actions[tree.action[child]], int(tree.visits[child]), mean))
        child = int(tree.sibling[child])
    return sorted(found, key=lambda one: (-one.visits, one.action))


def _walk(
    tree: SearchTree,
    numbers: _Numbers,
    now: Deal,
    key: np.uint64,
    bounds: tuple[float, float],
    explore: float,
    playout: Agent[Any] | None,
) -> None:
    node, path, growing, nth = 0, [], True, 0
    while now.turn is not None:
        legal = list(now.legal)
        draw = np.uint64(fork(key, nth))
        nth += 1
        if growing:
            child, untried = pick(tree, np.int64(node), np.int64(numbers.mask(legal)), explore)
            if untried:
                new = [action for action in legal if int(untried) >> numbers.of(action) & 1]
                action = new[int(below(draw, len(new)))]
                child, growing = grow(tree, np.int64(node), np.int64(numbers.of(action))), False
            node = int(child)
            path.append((node, now.turn))
            now.act(numbers.actions[tree.action[node]])
        elif playout is not None:
            now.act(playout)
        else:
            now.act(legal[int(below(draw, len(legal)))])
    low, high = bounds
    for node, seat in path:
        record(tree, np.int64(node), (now.payoffs[seat] - low) / (high - low))
