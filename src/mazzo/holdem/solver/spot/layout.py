"""The betting tree of a spot as the kernel reads it: streets, blocks of nodes, and rows of reach.

A *block* is the betting of one street from one way in; the same block serves for every board. What the opponent's
reach is changes only at his own decisions: each such vector is a *row*, and ends refer to rows. Eight rows are judged
at a time, so rows that end in showdowns come first. Chips that go in on an earlier street are shown down on the river:
all of them together are one block with several ways in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.holdem.solver.spot.betting import CHANCE, FOLDED, RUN_OUT, SHOWDOWN, Betting
from mazzo.holdem.solver.spot.spot import Spot
from mazzo.wide import EIGHT

__all__ = ["ACTIONS", "CHILD", "KIND", "LOCK", "NUMBER", "ROW", "SLOT", "Street", "StreetTables", "lay_out"]

# Columns of the table of nodes.
KIND, ACTIONS, CHILD, SLOT, ROW, NUMBER, LOCK = 0, 1, 2, 3, 4, 6, 7  # ROW and the next: by whose reach it is
# Columns of the table of blocks, and of ways in.
_NODES, _WAYS, _ROWS, _VALUES = 0, 1, 2, 4
_RIVER = 3


class StreetTables(NamedTuple):
    """One street as the kernel reads it."""

    nodes: NDArray[np.int64]
    children: NDArray[np.int64]
    coefficients: NDArray[np.float64]
    """[player, node, 3]: what an end pays for each opponent's hand, by won less lost, and by won or lost."""
    blocks: NDArray[np.int64]
    """[block + 1, 5]: first node, first way in, first row of each player's reach, first value."""
    ways: NDArray[np.int64]
    """[way, 4]: node, number above, row above of each player's reach."""
    needs: NDArray[np.int64]
    """[player, block, group of rows]: 1 folds, 2 showdowns."""
    slots: NDArray[np.int64]
    """[player]: entries a hand and board."""


@dataclass
class Street:
    """One street: its nodes by their numbers in the betting tree, and the tables of the kernel."""

    street: int
    nodes: list[int] = field(default_factory=list)
    """The number of each in the betting tree; -1 for what was added for chips that went in before."""
    blocks: list[list[int]] = field(default_factory=list)
    """Places in `nodes`."""
    ways: list[list[tuple[int, int]]] = field(default_factory=list)
    """By block: place of the node, and its number among the chance nodes above."""
    chances: list[int] = field(default_factory=list)
    """Places of chance nodes, in the order of their numbers."""
    children: dict[int, list[int]] = field(default_factory=dict)
    kinds: dict[int, int] = field(default_factory=dict)
    origin: dict[int, int] = field(default_factory=dict)
    """Of what was added: the node of the betting tree where the chips went in."""
    all_in: set[int] = field(default_factory=set)
    """Places of chance nodes after which nobody has chips left."""
    tables: StreetTables | None = None
    place: dict[int, int] = field(default_factory=dict)
    """Where a node of the betting tree stands here."""
    most_rows: int = 0

    def run_out(self, place: int) -> bool:
        """Whether all chips are in at a chance node: no block of betting follows."""
        return place in self.all_in


def _gather(betting: Betting) -> list[Street]:
    """Divide the nodes into streets and blocks."""
    first = betting.spot.street
    streets = [Street(s) for s in range(first, _RIVER + 1)]
    waiting: list[tuple[int, int]] = [(0, 0)]  # nodes that begin a block, with their numbers above
    for at, street in enumerate(streets):
        begins, waiting = waiting, []
        for node, number in begins:
            block: list[int] = []
            _walk(betting, street, node, block)
            street.blocks.append(block)
            street.ways.append([(street.place[node], number)])
        if at:
            _add_run_outs(street, streets[at - 1])
        for place in [k for block in street.blocks for k in block]:
            if street.kinds[place] == CHANCE:
                number = len(street.chances)
                street.chances.append(place)
                if place not in street.all_in:
                    waiting.append((betting.nodes[street.nodes[place]].children[0], number))
    return streets


def _walk(betting: Betting, street: Street, node: int, block: list[int]) -> int:
    place = len(street.nodes)
    street.nodes.append(node)
    street.place[node] = place
    block.append(place)
    found = betting.nodes[node]
    street.kinds[place] = CHANCE if found.kind == RUN_OUT else found.kind
    if found.kind == RUN_OUT:
        street.all_in.add(place)
    street.origin[place] = node
    street.children[place] = [] if found.kind == CHANCE else [_walk(betting, street, k, block) for k in found.children]
    return place


def _add_run_outs(street: Street, above: Street) -> None:
    """One block for all chips that went in on a street above."""
    ways, block = [], []
    for number, place in enumerate(above.chances):
        if above.run_out(place):
            own = len(street.nodes)
            street.nodes.append(-1)
            street.kinds[own] = SHOWDOWN if street.street == _RIVER else CHANCE
            street.all_in.add(own)
            street.origin[own] = above.origin[place]
            street.children[own] = []
            block.append(own)
            ways.append((own, number))
    if block:
        street.blocks.append(block)
        street.ways.append(ways)


def lay_out(betting: Betting) -> list[Street]:
    """The streets of a tree with the tables that the kernel reads."""
    streets = _gather(betting)
    above: dict[int, tuple[int, int]] = {0: (0, 1)}  # at the start the rows are the ranges themselves
    for street in streets:
        above = _tabulate(street, betting, above)
    return streets


def _rows(street: Street, block: list[int], ways: list[tuple[int, int]], q: int) -> tuple[dict[int, int], list[int]]:
    """By node the row of player q's reach there, and by row what it is judged for: 1 folds, 2 showdowns."""
    row, count = {}, 0
    for place, _ in ways:
        row[place] = count
        count += 1
    for place in block:
        for child in street.children[place]:
            if street.kinds[place] == q:
                row[child] = count
                count += 1
            else:
                row[child] = row[place]
    needs = [0] * count
    for place in block:
        kind = street.kinds[place]
        needs[row[place]] |= 1 if kind == FOLDED else 2 if kind == SHOWDOWN else 0
    order = sorted(range(count), key=lambda r: (not needs[r] & 2, not needs[r] & 1, r))
    label = {r: k for k, r in enumerate(order)}
    return {place: label[r] for place, r in row.items()}, [needs[r] for r in order]


def _tabulate(street: Street, betting: Betting, above: dict[int, tuple[int, int]]) -> dict[int, tuple[int, int]]:
    """Fill in the tables of a street; gives by chance node the rows that the next street begins with."""
    spot, river = betting.spot, street.street == _RIVER
    nodes = np.zeros((len(street.nodes), 8), np.int64)
    nodes[:, LOCK] = -1
    children: list[int] = []
    coefficients = np.zeros((2, len(street.nodes), 3))
    blocks = np.zeros((len(street.blocks) + 1, 5), np.int64)
    ways: list[tuple[int, int, int, int]] = []
    slots, needs = [0, 0], []
    rows_at, values_at, number, below = [0, 0], 0, 0, {}
    for k, block in enumerate(street.blocks):
        found = [_rows(street, block, street.ways[k], q) for q in range(2)]
        blocks[k] = block[0], len(ways), *rows_at, values_at
        ways += [(place, source, *above[source]) for place, source in street.ways[k]]
        for place in block:
            kind, below_it = street.kinds[place], street.children[place]
            rows = [found[q][0][place] for q in range(2)]
            nodes[place, [KIND, ACTIONS, CHILD]] = kind, len(below_it), len(children)
            nodes[place, ROW : ROW + 2] = rows
            children += below_it
            if kind in (0, 1):
                nodes[place, SLOT] = slots[kind]
                slots[kind] += len(below_it)
            elif kind == CHANCE:
                nodes[place, NUMBER] = number
                below[number] = (rows_at[0] + rows[0], rows_at[1] + rows[1])
                number += 1
            else:
                coefficients[:, place] = _pays(spot, betting, street.origin[place], kind)
        needs.append([found[q][1] for q in range(2)])
        street.most_rows = max(street.most_rows, *(len(found[q][1]) for q in range(2)))
        if not river:  # what is on the way there must still be known when the river has been walked
            rows_at = [rows_at[q] + -(-len(found[q][1]) // EIGHT) * EIGHT for q in range(2)]
            values_at += len(block)
    blocks[-1] = len(nodes), len(ways), *rows_at, values_at
    groups = -(-street.most_rows // EIGHT)
    table = np.zeros((2, len(street.blocks), groups), np.int64)
    for k, both in enumerate(needs):
        for q in range(2):
            for r, need in enumerate(both[q]):
                table[q, k, r // EIGHT] |= need
    street.tables = StreetTables(
        nodes,
        np.array(children or [0], np.int64),
        coefficients,
        blocks,
        np.array(ways, np.int64),
        table,
        np.array(slots, np.int64),
    )
    return below


def _pays(spot: Spot, betting: Betting, node: int, kind: int) -> NDArray[np.float64]:
    """What an end pays each player against half the pot: three coefficients."""
    put = betting.nodes[node].put
    half = spot.pot / 2 + min(put)
    rake = spot.rake_of(2 * half)
    if kind == FOLDED:
        # who has put in less gave up; where both put in the same, the one to act did (a fold where nothing is owed)
        folder = 0 if put[0] < put[1] else 1
        out = np.zeros((2, 3))
        out[folder, 0], out[1 - folder, 0] = -half, half - rake
        return out
    won, lost, tied = half - rake, -half, -rake / 2
    return np.tile([tied, (won - lost) / 2, (won + lost) / 2 - tied], (2, 1))
