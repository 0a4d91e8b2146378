"""The walk through the whole betting on one board, for one player: what every hand is worth, and what is learned.

All hands that the board leaves stand in order of strength, each with the eight ways of the first street side by side.
The other player's reach goes down, what the hands are worth comes up. Regrets and sums are of buckets: those of hands
in one bucket are added up. A tile that the other player hardly reaches is visited only at times, and then counts for as
much more: in the mean nothing is changed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.holdem.solver.blueprint.layout import (
    ACTIONS,
    ACTOR,
    CHILD,
    DECISION,
    ENTRY,
    FOLDED,
    KIND,
    NUMBER,
    ROW,
    SLOT,
    VALUE,
    WalkTables,
)
from mazzo.holdem.solver.spot.lanes import beside, showdown8, sum_up
from mazzo.jit import tight, tight_helper
from mazzo.rng import fork, uniform
from mazzo.wide import EIGHT, load8, positive8, ratio8, splat8, store8

__all__ = ["BEGIN", "BELOW", "FINISH", "BoardHands", "Learned", "WalkSpace", "walk"]

BEGIN, BELOW, FINISH = range(3)
"""Parts of a walk: down the first two streets; what comes below a tile of the third; up again."""

_MOST = 3  # actions: fold, call, raise


class BoardHands(NamedTuple):
    """The hands that a board leaves, by strength."""

    table: NDArray[np.int16]
    """As of a spot's boards: cards, and which hands each beats and ties with."""
    buckets: NDArray[np.int32]
    """[street, hand]: which of the buckets that this board has."""
    present: NDArray[np.int32]
    """[street, place]: the buckets that it has."""
    counts: NDArray[np.int64]
    """By street how many it has: the others are left alone."""


class Learned(NamedTuple):
    """What a walk reads and writes, by entry of the layout."""

    source: NDArray[np.float32]
    """What is played is in proportion to these, where they are positive: regrets, or the sums of the mean."""
    mean: NDArray[np.float32]


class WalkSpace(NamedTuple):
    """Room to work in, by street; streets above are shared by all who walk below."""

    rows: NDArray[np.float32]
    """[street, row]: the other player's reach."""
    values: NDArray[np.float32]
    """[street, vector]: what is worth how much: decisions, ways onward, the ends that an action leads to; then sums."""
    begins: NDArray[np.int64]
    """Where ways onward, ends and sums begin among these, in vectors."""
    mix: NDArray[np.float32]
    """[bucket, action], twice: chances, and sums of worths."""
    seen: NDArray[np.float32]
    """[action]: what the actions of the decision that is looked at are worth; then the other player's reach."""


@tight_helper
def _mixed(source: Any, at: int, present: Any, size: int, actions: int, mix: Any) -> None:
    """Regret matching at a decision, for all buckets of the board."""
    even = splat8(1.0 / actions, source)
    for b in range(size):
        total, begin = splat8(0.0, source), at + present[b] * actions * EIGHT
        for a in range(actions):
            total = total + positive8(load8(source, begin + a * EIGHT))
        for a in range(actions):
            share = ratio8(positive8(load8(source, begin + a * EIGHT)), total, even)
            store8(mix, (b * actions + a) * EIGHT, share)


@tight_helper
def _down(
    tables: WalkTables,
    s: int,
    tile: int,
    board: BoardHands,
    learned: Learned,
    q: int,
    weight: float,
    rows: Any,
    mix: Any,
) -> None:
    """The other player's reach at every place of a tile; and what he plays goes into his mean."""
    places, count, buckets, present = tables.places[s], tables.counts[s], board.buckets[s], board.present[s]
    hands, size, at = len(buckets), board.counts[s], count[5] + tile * count[4]
    stride = hands * EIGHT
    for n in range(count[0]):
        if places[n, KIND] != DECISION or places[n, ACTOR] != q:
            continue
        actions, child = places[n, ACTIONS], places[n, CHILD]
        own, begin = places[n, ROW + q] * stride, at + places[n, SLOT] * count[2] * EIGHT
        _mixed(learned.source, begin, present, size, actions, mix)
        sums = size * actions * EIGHT  # where reach is summed by bucket
        zero = splat8(0.0, mix)
        for b in range(size):
            store8(mix, sums + b * EIGHT, zero)
        for h in range(hands):
            reach, b = load8(rows, own + h * EIGHT), buckets[h]
            store8(mix, sums + b * EIGHT, load8(mix, sums + b * EIGHT) + reach)
            k, to = (
                b * actions * EIGHT,
                places[child, ROW + q] * stride + h * EIGHT,
            )  # the rows of actions are neighbours
            store8(rows, to, reach * load8(mix, k))
            store8(rows, to + stride, reach * load8(mix, k + EIGHT))
            if actions == _MOST:
                store8(rows, to + 2 * stride, reach * load8(mix, k + 2 * EIGHT))
        if weight > 0.0:
            much = splat8(weight, mix)
            for b in range(size):
                reach = load8(mix, sums + b * EIGHT) * much
                for a in range(actions):
                    k, entry = (b * actions + a) * EIGHT, begin + (present[b] * actions + a) * EIGHT
                    store8(learned.mean, entry, load8(learned.mean, entry) + reach * load8(mix, k))


@tight_helper
def _ended(
    table: Any, hands: int, folded: bool, rows: Any, first: int, paid: Any, values: Any, to: int, sums: int
) -> None:
    """What an end is worth to every hand against the reach of a row, whose sums are known, for all ways."""
    if folded:
        for i in range(hands):
            met = beside(values, sums, table, i) + load8(rows, first + i * EIGHT)
            store8(values, to + i * EIGHT, met * paid)
    else:
        showdown8(table, table, hands, rows, first, values, sums, to, False)
        for i in range(0, hands * EIGHT, EIGHT):
            store8(values, to + i, load8(values, to + i) * paid)


@tight_helper
def _ends(tables: WalkTables, s: int, n: int, worths: int, board: BoardHands, p: int, space: WalkSpace) -> None:
    """What the ends that a decision leads to are worth."""
    places, hands, rows, values = tables.places[s], board.buckets.shape[1], space.rows[s], space.values[s]
    child, stride, summed = places[n, CHILD], hands * EIGHT, -1
    sums = space.begins[2] * stride
    for a in range(places[n, ACTIONS]):
        kind, row = places[child + a, KIND], places[child + a, ROW + 1 - p]
        if kind in (DECISION, ENTRY):
            continue
        if row != summed:  # at an own decision fold and call meet the same hands
            sum_up(values, sums, board.table, hands, rows, row * stride)
            summed = row
        folded = kind == FOLDED
        sign = -1.0 if folded and p == 1 else 1.0
        paid = load8(tables.worths, worths + (child + a) * EIGHT) * splat8(sign, values)
        _ended(board.table, hands, folded, rows, row * stride, paid, values, (space.begins[1] + a) * stride, sums)


@tight_helper
def _where(places: Any, n: int, a: int, space: WalkSpace, stride: int) -> Any:
    """Where among values it stands what an action of a decision is worth."""
    child = places[n, CHILD] + a
    kind = places[child, KIND]
    if a >= places[n, ACTIONS]:
        return 0
    if kind == DECISION:
        return places[child, VALUE] * stride
    if kind == ENTRY:
        return (space.begins[0] + places[child, NUMBER]) * stride
    return (space.begins[1] + a) * stride


@tight_helper
def _own(
    begin: int, board: BoardHands, learned: Learned, weight: float, space: WalkSpace, s: int, places: Any, n: int
) -> None:
    """At the player's own decision: what each hand is worth by its mix, and the regret of every bucket."""
    buckets, present, size, mix = board.buckets[s], board.present[s], board.counts[s], space.mix
    values, actions, stride = space.values[s], places[n, ACTIONS], len(buckets) * EIGHT
    sums = size * actions * EIGHT
    _mixed(learned.source, begin, present, size, actions, mix)
    zero = splat8(0.0, mix)
    for k in range(0, sums, EIGHT):
        store8(mix, sums + k, zero)
    to, first = places[n, VALUE] * stride, _where(places, n, 0, space, stride)
    second, third = _where(places, n, 1, space, stride), _where(places, n, 2, space, stride)
    for h in range(len(buckets)):
        k, at = buckets[h] * actions * EIGHT, h * EIGHT
        v = load8(values, first + at)
        store8(mix, sums + k, load8(mix, sums + k) + v)
        value = load8(mix, k) * v
        k += EIGHT
        v = load8(values, second + at)
        store8(mix, sums + k, load8(mix, sums + k) + v)
        value = value + load8(mix, k) * v
        if actions == _MOST:
            k += EIGHT
            v = load8(values, third + at)
            store8(mix, sums + k, load8(mix, sums + k) + v)
            value = value + load8(mix, k) * v
        store8(values, to + at, value)
    if weight > 0.0:
        much = splat8(weight, mix)
        for b in range(size):
            base, value = b * actions * EIGHT, zero
            for a in range(actions):
                value = value + load8(mix, base + a * EIGHT) * load8(mix, sums + base + a * EIGHT)
            for a in range(actions):
                entry = begin + (present[b] * actions + a) * EIGHT
                gained = (load8(mix, sums + base + a * EIGHT) - value) * much
                store8(learned.source, entry, load8(learned.source, entry) + gained)


@tight_helper
def _others(places: Any, n: int, hands: int, space: WalkSpace, s: int) -> None:
    """At the other player's decision: the sum, as his mix is in the reach already."""
    stride, values = hands * EIGHT, space.values[s]
    to, first = places[n, VALUE] * stride, _where(places, n, 0, space, stride)
    second, third = _where(places, n, 1, space, stride), _where(places, n, 2, space, stride)
    three = places[n, ACTIONS] == _MOST
    for h in range(0, stride, EIGHT):
        total = load8(values, first + h) + load8(values, second + h)
        if three:
            total = total + load8(values, third + h)
        store8(values, to + h, total)


@tight_helper
def _up(
    tables: WalkTables,
    s: int,
    tile: int,
    board: BoardHands,
    learned: Learned,
    p: int,
    weight: float,
    space: WalkSpace,
    look: Any,
) -> None:
    """What every decision of a tile is worth, from the last to the first."""
    places, count, hands = tables.places[s], tables.counts[s], board.buckets.shape[1]
    at, worths = count[5] + tile * count[4], count[6] + tile * count[0] * EIGHT
    for n in range(count[0] - 1, -1, -1):
        if places[n, KIND] != DECISION:
            continue
        _ends(tables, s, n, worths, board, p, space)
        if places[n, ACTOR] == p:
            begin = at + places[n, SLOT] * count[2] * EIGHT
            if look[0] == s and look[1] == tile and look[2] == n:
                _kept(places, n, hands, p, space, s)
            _own(begin, board, learned, weight, space, s, places, n)
        else:
            _others(places, n, hands, space, s)


@tight_helper
def _kept(places: Any, n: int, hands: int, p: int, space: WalkSpace, s: int) -> None:
    """Keep what the actions of a decision are worth, and the reach they are worth it against."""
    stride = hands * EIGHT
    row = places[n, ROW + 1 - p] * stride
    for h in range(stride):
        space.seen[_MOST * stride + h] = space.rows[s, row + h]
    for a in range(places[n, ACTIONS]):
        at = _where(places, n, a, space, stride)
        for h in range(stride):
            space.seen[a * stride + h] = space.values[s, at + h]


@tight_helper
def _enter(rows: Any, source: Any, first: int, hands: int, threshold: float, chance: float) -> bool:
    """Take the reach over from the street above; False where there is none, or not this time."""
    total = splat8(0.0, rows)
    for h in range(0, hands * EIGHT, EIGHT):
        total = total + load8(source, first + h)
    store8(rows, 0, total)
    reach = 0.0
    for k in range(EIGHT):
        reach += rows[k]
    visited = min(1.0, reach / hands / threshold) if threshold > 0.0 else 1.0
    if reach <= 0.0 or chance >= visited:
        return False
    scale = splat8(1.0 / visited, rows)
    for h in range(0, hands * EIGHT, EIGHT):
        store8(rows, h, load8(source, first + h) * scale)
    return True


@tight_helper
def _put(values: Any, begin: int, to: Any, first: int, size: int, there: bool) -> None:
    """Copy what a tile is worth to the street above, or nothing."""
    factor = splat8(1.0 if there else 0.0, to)
    for k in range(0, size, EIGHT):
        store8(to, first + k, load8(values, begin + k) * factor)


@tight_helper
def _entry(places: Any, count: int, number: int) -> int:
    """The place of a way onward."""
    for n in range(count):
        if places[n, KIND] == ENTRY and places[n, NUMBER] == number:
            return n
    return 0


@tight_helper
def _below(
    tables: WalkTables,
    first: int,
    tile: int,
    board: BoardHands,
    learned: Learned,
    p: int,
    weights: Any,
    space: WalkSpace,
    key: Any,
    look: Any,
    stack: Any,
) -> None:
    """All of a tile and what comes below it; the street above holds the reach, and is told what it is worth."""
    hands, streets = board.buckets.shape[1], len(tables.counts)
    stride, s = hands * EIGHT, first - 1
    stack[s, 0], stack[s, 1] = tile // tables.counts[s, 1], tile % tables.counts[s, 1]
    last = stack[s, 1] + 1  # of the street above only this way onward
    while True:
        ways = last if s == first - 1 else tables.counts[s, 1]
        if s < streets - 1 and stack[s, 1] < ways:
            number = stack[s, 1]
            below = stack[s, 0] * tables.counts[s, 1] + number
            row = tables.places[s, _entry(tables.places[s], tables.counts[s, 0], number), ROW + 1 - p]
            chance = uniform(fork(fork(key, s), below))
            if _enter(space.rows[s + 1], space.rows[s], row * stride, hands, weights[2], chance):
                s += 1
                stack[s, 0], stack[s, 1] = below, 0
                _down(tables, s, below, board, learned, 1 - p, weights[1], space.rows[s], space.mix)
            else:
                _put(space.rows[s], 0, space.values[s], (space.begins[0] + number) * stride, stride, False)
                stack[s, 1] += 1
            continue
        if s < first:
            return
        _up(tables, s, stack[s, 0], board, learned, p, weights[0], space, look)
        s -= 1
        begin = tables.places[s + 1, 0, VALUE] * stride
        _put(space.values[s + 1], begin, space.values[s], (space.begins[0] + stack[s, 1]) * stride, stride, True)
        stack[s, 1] += 1


@tight
def walk(
    tables: WalkTables,
    board: BoardHands,
    learned: Learned,
    space: WalkSpace,
    job: NDArray[np.int64],
    weights: NDArray[np.float64],
    key: np.uint64,
    stack: NDArray[np.int64],
) -> None:
    """A part of a walk.

    Args:
        tables: The betting.
        board: The hands.
        learned: What is played and learned.
        space: Room; what passes between the parts is in it.
        job: Which part, the player, the tile of the third street; street, tile and place to look at (-1: none).
        weights: Of this round's regrets and of its share in the mean, 0 to learn nothing; the reach below which a tile
            is visited only at times.
        key: To draw by which.
        stack: Room: a row a street.
    """
    part, p = job[0], job[1]
    hands = board.buckets.shape[1]
    stride = hands * EIGHT
    look = job[3:]
    if part == BELOW:
        _below(tables, 2, job[2], board, learned, p, weights, space, key, look, stack)
    elif part == BEGIN:
        one = splat8(1.0, space.rows[0])
        for h in range(0, stride, EIGHT):
            store8(space.rows[0], h, one)
        _down(tables, 0, 0, board, learned, 1 - p, weights[1], space.rows[0], space.mix)
        for number in range(EIGHT):
            there = number < tables.counts[0, 1]
            place = _entry(tables.places[0], tables.counts[0, 0], number)
            row = tables.places[0, place, ROW + 1 - p] * stride
            for h in range(0, stride, EIGHT):
                space.rows[1, h + number] = space.rows[0, row + h] if there else 0.0
        _down(tables, 1, 0, board, learned, 1 - p, weights[1], space.rows[1], space.mix)
    else:
        _up(tables, 1, 0, board, learned, p, weights[0], space, look)
        begin = tables.places[1, 0, VALUE] * stride
        for number in range(tables.counts[0, 1]):
            to = (space.begins[0] + number) * stride
            for h in range(0, stride, EIGHT):
                space.values[0, to + h] = space.values[1, begin + h + number]
                for k in range(1, EIGHT):
                    space.values[0, to + h + k] = 0.0
        _up(tables, 0, 0, board, learned, p, weights[0], space, look)
