"""Play that is fixed: a mix at one decision, by hand or class, or a whole player by a policy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem.observation import Observations
from mazzo.holdem.solver.spot.boards import ORDER
from mazzo.holdem.solver.spot.engine import Engine
from mazzo.holdem.solver.spot.layout import ACTIONS, LOCK, SLOT
from mazzo.holdem.solver.spot.path import Path, follow
from mazzo.holdem.solver.spot.spot import PLAYERS, weights_of
from mazzo.policy import ActionChances

__all__ = ["LARGEST", "Lock", "apply_locks", "play_by_policy", "rows_of_policy"]

_AT_ONCE = 200_000
LARGEST = 32767  # of 16 bits


@dataclass(frozen=True)
class Lock:
    """A mix that is fixed at one decision, for some hands; the others stay free."""

    at: str
    """Where, as typed: `b100 c / Ks / k`; `b100 c / * / k` is the same on every card."""
    mix: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """By range of hands (`AA,KQs`, or `all`) the share of each action, by name: `{"all": {"k": 1}}`."""


def apply_locks(engine: Engine, locks: tuple[Lock, ...]) -> None:
    """Fix mixes in an engine that has not been used yet."""
    if not locks:
        return
    found = [(lock, follow(engine.plan, lock.at, any_card=True)) for lock in locks]
    for k in range(engine.levels):
        here = [(lock, path) for lock, path in found if path.level == k]
        if here:
            _lock_street(engine, k, here)


def _lock_street(engine: Engine, k: int, here: list[tuple[Lock, Path]]) -> None:
    tables, stride = engine.plan.tables(k), engine.hands.stride
    places = sorted({path.place for _, path in here})
    for number, place in enumerate(places):
        tables.nodes[place, LOCK] = number
    boards = len(engine.plan.boards.levels[k].boards)
    held = np.zeros((boards, len(places), stride), engine.plan.dtype)
    for lock, path in here:
        player = path.actor
        if player is None:
            raise UnreadableError(f"nobody decides at {lock.at!r}: there is nothing to lock")
        shares, fixed = _shares(engine, lock, path, player)
        for b in path.boards:
            order = engine.plan.boards.tables[k].hands[player, b, ORDER, : engine.hands.padded[player]].astype(np.int64)
            there = order >= 0
            fix = np.zeros(len(order), bool)
            fix[there] = fixed[order[there]]
            held[b, places.index(path.place), : len(order)][fix] = 1
            slot, actions = int(tables.nodes[path.place, SLOT]), int(tables.nodes[path.place, ACTIONS])
            for view in (engine.regret(k, player), engine.mean(k, player)):
                rows = view[b, slot : slot + actions]
                rows[:, fix] = shares[:, order[fix]] * (LARGEST if engine.plan.packed else 1)
    engine.stores[k] = engine.stores[k]._replace(held=held.reshape(-1), locks=len(places))


def _shares(engine: Engine, lock: Lock, path: Path, player: int) -> tuple[Floats, NDArrayFlags]:
    """By action and hand the share, and by hand whether it is fixed."""
    names = path.actions
    shares, fixed = np.zeros((len(names), engine.hands.size[player])), np.zeros(engine.hands.size[player], bool)
    for hands, mix in lock.mix.items():
        chosen = weights_of("random" if hands == "all" else hands, "a lock")[engine.hands.numbers[player]] > 0
        if not chosen.any():
            raise UnreadableError(f"no hand of {hands!r} is in the range of {PLAYERS[player]}: nothing would be locked")
        row = np.zeros(len(names))
        for name, share in mix.items():
            if name not in names:
                raise UnreadableError(f"{name!r} is not an action at {lock.at!r}; there are {', '.join(names)}")
            if not 0 <= share < 1e9:
                raise UnreadableError(f"a share must be 0 or more, got {share} for {name!r} at {lock.at!r}")
            row[names.index(name)] = share
        if row.sum() <= 0:
            raise UnreadableError(f"the shares at {lock.at!r} for {hands!r} add up to nothing")
        shares[:, chosen], fixed[chosen] = (row / row.sum())[:, None], True
    return shares, fixed


NDArrayFlags = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


def rows_of_policy(engine: Engine, player: int) -> int:
    """How many decisions a policy must be asked for to play a whole player of a spot."""
    total = 0
    for k in range(engine.levels):
        decisions = int((engine.plan.tables(k).nodes[:, 0] == player).sum())
        total += decisions * len(engine.plan.boards.levels[k].boards) * engine.hands.size[player]
    return total


def play_by_policy(
    engine: Engine,
    player: int,
    policy: Callable[[Observations], ActionChances],
    progress: Callable[[float], None] = lambda share: None,
) -> tuple[bool, float]:
    """Let a policy play a whole player: its chances become the mean strategy of all his decisions.

    An amount that the tree does not have goes to its neighbours (Ganzfried and Sandholm 2013). Gives whether the
    policy is exact, and the share of its raises that had to be moved so.
    """
    from mazzo.holdem.solver.spot.asking import observations_at, onto_tree

    exact, moved, raised, done, total = True, 0.0, 0.0, 0, max(rows_of_policy(engine, player), 1)
    for k in range(engine.levels):
        street, tables = engine.plan.streets[k], engine.plan.tables(k)
        places = [n for n in range(len(street.nodes)) if tables.nodes[n, 0] == player]
        size, view = engine.hands.size[player], engine.mean(k, player)
        for place in places:
            slot, actions = int(tables.nodes[place, SLOT]), int(tables.nodes[place, ACTIONS])
            at_once = max(1, _AT_ONCE // size)
            for first in range(0, len(engine.plan.boards.levels[k].boards), at_once):
                boards = list(range(first, min(first + at_once, len(engine.plan.boards.levels[k].boards))))
                seen, where = observations_at(engine, k, place, boards, player)
                chances = policy(seen)
                exact &= chances.exact
                shares, off, amount = onto_tree(engine, k, place, seen, chances)
                moved, raised = moved + off, raised + amount
                _write(view, where, slot, actions, shares)
                done += len(seen)
                progress(done / total)
        engine.regret(k, player)[:] = view
    return exact, moved / raised if raised else 0.0


def _write(view: Floats, where: tuple[Ints, Ints], slot: int, actions: int, shares: Floats) -> None:
    boards, places = where
    for a in range(actions):
        view[boards, slot + a, places] = shares[:, a]
