"""The walk through a street of a spot, for one player, over all its boards and blocks: one kernel for every street.

It goes down with the opponent's reach, judges the ends eight rows at a time, and comes up with what each hand is worth.
On the river all three happen at once; on earlier streets it is called once on the way down and once on the way up.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.holdem.solver.spot.boards import ORDER, SAME, BoardTables
from mazzo.holdem.solver.spot.lanes import SUMS, beside, showdown8, sum_up
from mazzo.holdem.solver.spot.layout import ACTIONS, CHILD, KIND, LOCK, NUMBER, ROW, SLOT, StreetTables
from mazzo.jit import tight, tight_helper
from mazzo.wide import EIGHT, largest8, load8, positive8, ratio8, splat8, store8, turn8, where_positive8

__all__ = ["ANSWER", "BEST", "DOWN", "IMPROVE", "RATES", "UP", "VALUE", "Store", "Task", "WalkRoom", "walk"]

# What a walk does at the player's own decisions.
IMPROVE, VALUE, BEST, ANSWER = range(4)
# Which ways it goes.
DOWN, UP = 1, 2
RATES = 5
"""Numbers of a round that a walk keeps at the end of its sums."""
_FOLDED, _SHOWDOWN, _CHANCE = 2, 3, 4
_LARGEST = 32766.0  # of 16 bits, one less than fits: rounding may go up
_GOLDEN, _SPREAD = 0.6180339887498949, 0.7548776662466927  # multiples of these, without whole parts, are spread evenly


class Store(NamedTuple):
    """What is kept of a street between walks: by player, board, slot and hand."""

    regret: NDArray[Any]
    mean: NDArray[Any]
    begin: NDArray[np.int64]
    """[player]: where the entries of each begin."""
    held: NDArray[Any]
    """[board, lock, hand]: 1 where the mix is fixed."""
    locks: int
    scales: NDArray[np.float32]
    """[regrets or sums, board, node]: of numbers of 16 bits, what one stands for."""
    packed: bool


class WalkRoom(NamedTuple):
    """Room to work in, and what passes between streets."""

    above: NDArray[Any]
    """[board above, rows]: reach on the street above."""
    rows: NDArray[Any]
    """[place, rows]."""
    values: NDArray[Any]
    """[place, nodes]."""
    out: NDArray[Any]
    """[place, three kinds of results by row]."""
    lanes: NDArray[Any]
    """[place, ...]: eight rows side by side, results of them, sums by card."""
    up: NDArray[Any]
    """[board, number above, hand]: what comes of this street."""
    below: NDArray[Any]
    """The same of the street below."""


class Task(NamedTuple):
    """What is to be done."""

    sizes: NDArray[np.int64]
    """Hands of both players, padded; the stride of vectors."""
    factor: float
    """The chance of one card of this street."""
    rates: NDArray[np.float64]
    """Powers and factors of the update: alpha, beta, gamma, whether regrets stop at zero."""
    raked: bool
    keeps: bool
    """Whether every board has a place of its own."""


@tight_helper
def _down(street: StreetTables, block: int, source: Any, begin: int, size: int, stride: int, q: int, rows: Any) -> None:
    """The opponent's reach at every node of a block."""
    base = street.blocks[block, 2 + q] * stride
    for n in range(street.blocks[block, 0], street.blocks[block + 1, 0]):
        if street.nodes[n, KIND] != q:
            continue
        actions, child = street.nodes[n, ACTIONS], street.nodes[n, CHILD]
        at, own = begin + street.nodes[n, SLOT] * size, base + street.nodes[n, ROW + q] * stride
        for i in range(0, size, EIGHT):
            total = splat8(0.0, source)
            for a in range(actions):
                total = total + positive8(load8(source, at + a * size + i))
            reach, even = load8(rows, own + i), splat8(1.0 / actions, source)
            for a in range(actions):
                share = ratio8(positive8(load8(source, at + a * size + i)), total, even)
                to = base + street.nodes[street.children[child + a], ROW + q] * stride
                store8(rows, to + i, reach * share)


@tight_helper
def _judge(
    street: StreetTables,
    block: int,
    mine: Any,
    theirs: Any,
    live: Any,
    task: Task,
    p: int,
    rows: Any,
    out: Any,
    lanes: Any,
) -> None:
    """Results of all rows of a block: by row and hand the opponent's reach, won less lost, won or lost."""
    q, stride = 1 - p, task.sizes[2]
    plain = (stride + EIGHT) * EIGHT
    at = plain + 2 * SUMS
    base = street.blocks[block, 2 + q] * stride
    for g in range(street.needs.shape[2]):
        need, first = street.needs[q, block, g], g * EIGHT * stride
        if need == 0:
            continue
        for i in range(0, task.sizes[q], EIGHT):
            turn8(lanes, i * EIGHT, EIGHT, rows, base + first + i, stride)
        zero = splat8(0.0, lanes)
        store8(lanes, stride * EIGHT, zero)
        sum_up(lanes, plain, theirs, live[q], lanes, 0)
        if need & 1 or task.raked:
            for i in range(task.sizes[p]):
                store8(lanes, at + i * EIGHT, beside(lanes, plain, mine, i) + load8(lanes, mine[SAME, i] * EIGHT))
            for i in range(0, task.sizes[p], EIGHT):
                turn8(out, first + i, stride, lanes, at + i * EIGHT, EIGHT)
        if need & 2:
            third = len(out) // 3
            for kind in range(2):
                for i in range(live[p], task.sizes[p]):
                    store8(lanes, at + (kind * stride + i) * EIGHT, zero)
            showdown8(mine, theirs, live[p], lanes, 0, lanes, plain, at, task.raked)
            for kind in range(1 + task.raked):
                for i in range(0, task.sizes[p], EIGHT):
                    turn8(out, (1 + kind) * third + first + i, stride, lanes, at + (kind * stride + i) * EIGHT, EIGHT)


@tight_helper
def _end(street: StreetTables, n: int, to: int, task: Task, p: int, out: Any, values: Any) -> None:
    """What an end is worth to every hand."""
    stride, third = task.sizes[2], len(out) // 3
    row = street.nodes[n, ROW + 1 - p] * stride
    folded = street.nodes[n, KIND] == _FOLDED
    first = splat8(street.coefficients[p, n, 0], values)
    second, last = splat8(street.coefficients[p, n, 1], values), splat8(street.coefficients[p, n, 2], values)
    for i in range(0, task.sizes[p], EIGHT):
        if folded:
            store8(values, to + i, first * load8(out, row + i))
        else:
            value = second * load8(out, third + row + i)
            if task.raked:
                value = value + first * load8(out, row + i) + last * load8(out, 2 * third + row + i)
            store8(values, to + i, value)


@tight_helper
def _chance(
    boards: Any, below: Any, renamed: Any, b: int, k: int, count: int, task: Task, to: int, values: Any, sums: Any
) -> None:
    """Add up what the boards of the next street are worth, each as often as it stands for one, in float64."""
    stride = task.sizes[2]
    for i in range(stride):
        sums[i] = 0.0
    for child in range(boards[0][b], boards[0][b + 1]):
        at = (child * count + k) * stride
        for m in range(boards[1][child], boards[1][child + 1]):
            g = boards[2][m]
            if g == 0:
                for i in range(stride):
                    sums[i] += below[at + i]
            else:
                for i in range(stride):
                    sums[i] += below[at + renamed[g, i]]
    for i in range(stride):
        values[to + i] = sums[i]


@tight_helper
def _other(street: StreetTables, n: int, shift: int, size: int, stride: int, values: Any) -> None:
    """At the opponent's decision: the sum, as the opponent's mix is in the reach already."""
    actions, child = street.nodes[n, ACTIONS], street.nodes[n, CHILD]
    for i in range(0, size, EIGHT):
        total = splat8(0.0, values)
        for a in range(actions):
            total = total + load8(values, (shift + street.children[child + a]) * stride + i)
        store8(values, (shift + n) * stride + i, total)


@tight_helper
def _own(
    street: StreetTables,
    n: int,
    shape: Any,
    values: Any,
    store: Store,
    at: int,
    held: int,
    mode: int,
    rates: Any,
    scale: int,
    spare: Any,
) -> None:
    """At the player's own decision: mix, value or best action; and what is learned from it.

    `rates` are alpha, beta, gamma, whether regrets stop at zero, and where rounding begins, as numbers of this round.
    Numbers of 16 bits are worked out in `spare` first: they are kept as shares of the largest of their node and board.
    """
    shift, size, stride = shape
    packed, most, sums = store.packed, 0.0, 0.0
    unit = splat8(store.scales[0, scale] if packed else 1.0, values)
    counts = splat8(store.scales[1, scale] if packed else 1.0, values)
    actions, child = street.nodes[n, ACTIONS], street.nodes[n, CHILD]
    regret, mean = store.regret, store.mean
    alpha, beta, gamma = splat8(rates[0], regret), splat8(rates[1], regret), splat8(rates[2], regret)
    even, one, zero = splat8(1.0 / actions, regret), splat8(1.0, regret), splat8(0.0, regret)
    for i in range(0, size, EIGHT):
        fixed = load8(store.held, held + i) if held >= 0 else zero
        total, value = zero, zero
        for a in range(actions):
            total = total + positive8(load8(regret if mode == IMPROVE else mean, at + a * size + i))
        best = load8(values, (shift + street.children[child]) * stride + i)
        for a in range(actions):
            v = load8(values, (shift + street.children[child + a]) * stride + i)
            entry = at + a * size + i
            share = ratio8(positive8(load8(regret if mode == IMPROVE else mean, entry)), total, even)
            value = value + share * v
            best = where_positive8(v - best, v, best)
            if mode == IMPROVE:
                old = load8(mean, entry)
                new = old * counts * gamma + share
                if packed:
                    store8(spare, (actions + a) * size + i, new)
                    sums = max(sums, largest8(new))
                else:
                    store8(mean, entry, where_positive8(fixed, old, new))
        if mode >= BEST:
            value = where_positive8(fixed, value, best)
        store8(values, (shift + n) * stride + i, value)
        if mode == IMPROVE:
            for a in range(actions):
                v = load8(values, (shift + street.children[child + a]) * stride + i)
                entry = at + a * size + i
                old = load8(regret, entry)
                new = where_positive8(old, alpha, beta) * old * unit + v - value
                if rates[3] > 0:
                    new = positive8(new)
                if packed:
                    store8(spare, a * size + i, new)
                    most = max(most, largest8(new))
                else:
                    store8(regret, entry, where_positive8(fixed, old, new))
        elif mode == ANSWER:
            taken = zero
            for a in range(actions):
                v = load8(values, (shift + street.children[child + a]) * stride + i)
                entry = at + a * size + i
                now = where_positive8(best - v, zero, one - taken)
                taken = taken + now
                store8(mean, entry, where_positive8(fixed, load8(mean, entry), now))
    if packed and mode == IMPROVE:
        store.scales[0, scale], store.scales[1, scale] = most / _LARGEST, sums / _LARGEST
        to_regret, to_mean = _LARGEST / most if most > 0 else 0.0, _LARGEST / sums if sums > 0 else 0.0
        _pack(regret, at, actions, size, spare, 0, to_regret, rates[4], store.held, held)
        _pack(mean, at, actions, size, spare, actions, to_mean, rates[4], store.held, held)


@tight_helper
def _pack(
    to: Any,
    at: int,
    actions: int,
    size: int,
    spare: Any,
    first: int,
    factor: float,
    begin: float,
    fixed: Any,
    held: int,
) -> None:
    """Store numbers of a node and board in 16 bits; what is fixed stays as it is.

    They are rounded up or down by turns, as often as makes the mean over rounds right. Rounded to the nearest, a small
    number that shrinks by less than half a step each round would never get smaller, and the work would stall.
    """
    times, zero = splat8(factor, spare), splat8(0.0, spare)
    for i in range(0, size, EIGHT):
        stays = load8(fixed, held + i) if held >= 0 else zero
        for a in range(actions):
            entry = at + a * size + i
            turn = begin + entry * _SPREAD
            new = load8(spare, (first + a) * size + i) * times + splat8(turn - math.floor(turn) - 0.5, spare)
            store8(to, entry, where_positive8(stays, load8(to, entry), new))


@tight_helper
def _up(
    street: StreetTables,
    block: int,
    next_boards: Any,
    renamed: Any,
    b: int,
    store: Store,
    room: Any,
    task: Task,
    p: int,
    mode: int,
    rates: Any,
    numbers: int,
) -> None:
    """What every node of a block is worth to every hand, from its ends to its way in."""
    values, out, sums, below, spare = room
    first, last = street.blocks[block, 0], street.blocks[block + 1, 0]
    shift, size, stride = street.blocks[block, 4] - first, task.sizes[p], task.sizes[2]
    begin = store.begin[p] + b * street.slots[p] * size
    for n in range(last - 1, first - 1, -1):
        kind, to = street.nodes[n, KIND], (shift + n) * stride
        if kind == p:
            lock = street.nodes[n, LOCK]
            held = (b * store.locks + lock) * stride if lock >= 0 else -1
            _own(
                street,
                n,
                (shift, size, stride),
                values,
                store,
                begin + street.nodes[n, SLOT] * size,
                held,
                mode,
                rates,
                b * len(street.nodes) + n,
                spare,
            )
        elif kind == 1 - p:
            _other(street, n, shift, size, stride, values)
        elif kind == _CHANCE:
            _chance(next_boards, below, renamed, b, street.nodes[n, NUMBER], numbers, task, to, values, sums)
        else:
            _end(street, n, to, task, p, out, values)


@tight_helper
def _way_in(street: StreetTables, block: int, mine: Any, b: int, above: Any, task: Task, q: int, rows: Any) -> None:
    """Take over the opponent's reach from the street above, in this board's order, without hands that it rules out."""
    stride = task.sizes[2]
    base = street.blocks[block, 2 + q]
    for w in range(street.blocks[block, 1], street.blocks[block + 1, 1]):
        source = street.ways[w, 2 + q] * stride
        to = (base + street.nodes[street.ways[w, 0], ROW + q]) * stride
        for i in range(task.sizes[q]):
            place = mine[ORDER, i]
            rows[to + i] = above[source + place] * task.factor if place >= 0 else 0.0


@tight_helper
def _way_out(
    street: StreetTables, block: int, mine: Any, b: int, values: Any, task: Task, p: int, up: Any, numbers: int
) -> None:
    """Hand what the ways into a block are worth to the street above, in its order."""
    stride, shift = task.sizes[2], street.blocks[block, 4] - street.blocks[block, 0]
    for w in range(street.blocks[block, 1], street.blocks[block + 1, 1]):
        source = (shift + street.ways[w, 0]) * stride
        to = (b * numbers + street.ways[w, 1]) * stride
        for i in range(stride):
            up[to + i] = 0.0
        for i in range(task.sizes[p]):
            place = mine[ORDER, i]
            if place >= 0:
                up[to + place] = values[source + i]


@tight
def walk(
    street: StreetTables,
    boards: BoardTables,
    next_boards: Any,
    renamed: Any,
    store: Store,
    room: WalkRoom,
    task: Task,
    job: NDArray[np.int64],
    sums: NDArray[np.float64],
) -> None:
    """Walk a street.

    Args:
        street: Its nodes and blocks.
        boards: Its boards.
        next_boards: Of the street below: where the boards below each board begin, where their renamings begin, those.
        renamed: [player, renaming, hand]: the place of the hand that becomes it.
        store: What is kept of it.
        room: Where to work.
        task: Sizes and rates.
        job: First and last board, first and last player, ways to go, mode, rounds done, rounds to do, place to work in.
        sums: WalkRoom for sums over boards, and for the rates of a round.
    """
    ways, mode, numbers, chances = job[4], job[5], job[9], 0
    for n in range(len(street.nodes)):
        chances += street.nodes[n, KIND] == _CHANCE
    rates = sums[len(sums) - RATES :]
    for t in range(job[6], job[6] + job[7]):
        power = float(t) ** task.rates[0]
        rates[0] = power / (power + 1.0) if task.rates[0] > 0 else 1.0
        rates[1], rates[2], rates[3] = task.rates[1], (t / (t + 1.0)) ** task.rates[2], task.rates[3]
        rates[4] = t * _GOLDEN
        for p in range(job[2], job[3]):
            q = 1 - p
            for b in range(job[0], job[1]):
                place = b if task.keeps else job[8]
                mine, theirs, live = boards.hands[p, b], boards.hands[q, b], boards.live[:, b]
                rows, values, out = room.rows[place], room.values[place], room.out[job[8]]
                lanes, above = room.lanes[job[8]], room.above[boards.parent[b]]
                source = store.regret if mode == IMPROVE else store.mean
                for block in range(len(street.blocks) - 1):
                    if ways & DOWN:
                        begin = store.begin[q] + b * street.slots[q] * task.sizes[q]
                        _way_in(street, block, theirs, b, above, task, q, rows)
                        _down(street, block, source, begin, task.sizes[q], task.sizes[2], q, rows)
                    if ways & UP:
                        _judge(street, block, mine, theirs, live, task, p, rows, out, lanes)
                        _up(
                            street,
                            block,
                            next_boards,
                            renamed[p],
                            b,
                            store,
                            (values, out, sums, room.below, lanes),
                            task,
                            p,
                            mode,
                            rates,
                            chances,
                        )
                        _way_out(street, block, mine, b, values, task, p, room.up, numbers)
