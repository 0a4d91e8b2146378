"""The betting of a game as a tree, grown by the rules' own kernels, level by level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mazzo.arrays import Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem import kernels
from mazzo.holdem.rules import Rules

__all__ = ["BettingOfStreet", "BettingTree", "betting_by_street", "grow_betting"]

_MOST_NODES = 1_000_000


class BettingTree(NamedTuple):
    """The betting tree, parents before children; the children of a node stand side by side, one an action."""

    actor: Ints
    """Who is to act; -1 at an end."""
    street: Ints
    actions: Ints
    """How many actions there are."""
    first: Ints
    """The node of the first action; the others follow."""
    action: Ints
    """The action that leads to a node."""
    offset: Ints
    """Where the entries of a node begin: view by view, action by action."""
    end: Ints
    """The number of an end, by which its payoffs are found."""


@dataclass(frozen=True)
class _Level:
    """Nodes of one depth, while the tree is grown."""

    state: Ints
    history: Ints
    number: Ints


def grow_betting(rules: Rules, *, free_folds: bool = False) -> tuple[BettingTree, Ints, Ints]:
    """All sequences of bets of a game: the tree, and by node its public state and the record that leads to it.

    Args:
        rules: The game.
        free_folds: Whether folding where nothing is owed is an action too.
    """
    row, state = rules.row[None, :], np.zeros((1, c.STATE_WIDTH), np.int64)
    state[:, c.ROOM : c.ROOM + rules.players] = rules.stacks
    kernels.begin_rows(row, state, np.arange(1))
    level = _Level(state, np.zeros((1, 1), np.int64), np.zeros(1, np.int64))
    levels, links, total = [level], [np.array([[0, 0]])], 1
    while len(level.number):
        parents, actions = _actions(rules, level, free_folds)
        state, history = level.state[parents], np.pad(level.history[parents], ((0, 0), (0, 1)))
        kernels.apply_rows(row, state, history, np.arange(len(parents)), actions)
        level = _Level(state, history, total + np.arange(len(parents)))
        links.append(np.column_stack([levels[-1].number[parents], actions]))
        levels.append(level)
        total += len(parents)
        if total > _MOST_NODES:
            raise UnreadableError(
                f"{rules.name} has over {_MOST_NODES:,} sequences of bets; it is too large to be solved whole"
            )
    return _numbered(levels, np.concatenate(links))


def _actions(rules: Rules, level: _Level, free_folds: bool) -> tuple[Ints, Ints]:
    """By row of a level (repeated) the actions allowed there: fold, call, then every raise."""
    going = np.flatnonzero(level.state[:, c.ACTOR] >= 0)
    owed, low, high = kernels.legal_rows(rules.row[None, :], level.state, going)
    top = low if rules.limit else high
    folds = (owed > 0) | free_folds
    raises = np.where(high > 0, top - low + 1, 0)
    if int(raises.sum()) > _MOST_NODES:
        raise UnreadableError(
            f"{rules.name} has over {_MOST_NODES:,} sequences of bets; it is too large to be solved whole"
        )
    parents, actions = [], []
    for k, row in enumerate(going):
        options = [c.FOLD] * bool(folds[k]) + [c.CALL] + list(range(low[k], low[k] + raises[k]))
        parents += [row] * len(options)
        actions += options
    return np.array(parents, np.int64), np.array(actions, np.int64)


def _numbered(levels: list[_Level], links: Ints) -> tuple[BettingTree, Ints, Ints]:
    width = max(level.history.shape[1] for level in levels)
    records = [np.pad(level.history, ((0, 0), (0, width - level.history.shape[1]))) for level in levels]
    state, history = np.concatenate([level.state for level in levels]), np.concatenate(records)
    actor, street = state[:, c.ACTOR].copy(), state[:, c.ROUND].copy()
    actions = np.bincount(links[1:, 0], minlength=len(actor))
    first = np.zeros(len(actor), np.int64)
    first[links[:0:-1, 0]] = np.arange(len(actor) - 1, 0, -1)  # the lowest child is written last
    end = np.where(actor < 0, np.cumsum(actor < 0) - 1, -1)
    tree = BettingTree(actor, street, actions, first, links[:, 1].copy(), np.zeros(len(actor), np.int64), end)
    return tree, state, history


@dataclass(frozen=True)
class BettingOfStreet:
    """One street: places that all its blocks have in common, parents before children."""

    nodes: Ints
    """By block and place the node of the tree."""
    actor: tuple[int, ...]
    """By place who is to act; -1 where the street is over."""
    children: tuple[tuple[int, ...], ...]
    """By place the places that its actions lead to."""
    entries: tuple[int, ...]
    """The places at which the next street begins."""
    ends: tuple[int, ...]
    """The places at which the hand is over."""


def _street(tree: BettingTree, roots: Ints, street: int) -> BettingOfStreet:
    columns, actor, children = [roots], [], []
    place = 0
    while place < len(columns):
        nodes = columns[place]
        columns_here = (tree.actor[nodes], tree.street[nodes] > street, tree.actions[nodes])
        here = set(zip(*(column.tolist() for column in columns_here), strict=True))
        if len(here) > 1:
            raise UnreadableError("this game's betting is not the same however a street begins")
        who, later, actions = here.pop()
        own = () if later or who < 0 else tuple(range(len(columns), len(columns) + actions))
        columns += [tree.first[nodes] + a for a in range(len(own))]
        actor.append(who if own else -1)
        children.append(own)
        place += 1
    leaves = [k for k, own in enumerate(children) if not own]
    ends = tuple(k for k in leaves if tree.actor[columns[k][0]] < 0)
    return BettingOfStreet(
        np.stack(columns, axis=1), tuple(actor), tuple(children), tuple(k for k in leaves if k not in ends), ends
    )


def betting_by_street(tree: BettingTree, rounds: int) -> list[BettingOfStreet]:
    """The streets of a game whose betting is the same however a street begins, in order.

    Block k of a street leads by its entry e to block k x entries + e of the next.
    """
    streets: list[BettingOfStreet] = []
    roots = np.zeros(1, np.int64)
    for street in range(rounds):
        streets.append(_street(tree, roots, street))
        roots = streets[-1].nodes[:, list(streets[-1].entries)].reshape(-1)
    return streets
