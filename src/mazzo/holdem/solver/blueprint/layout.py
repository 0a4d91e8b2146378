"""The betting of a heads-up limit game as the walk reads it: one street after another, eight ways at a time.

After the first street all streets have the same betting, however they begin. The ways the first street can have gone
stand side by side, as the eight numbers of a vector; a *tile* is what happened on the streets between, and has the
decisions of one street for all of these ways. So whatever is done for one way is done for all of them at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem.aivat.replaying import Worth, worth
from mazzo.holdem.rules import UNLIMITED, Rules
from mazzo.holdem.solver.betting_tree import BettingOfStreet, BettingTree, betting_by_street, grow_betting
from mazzo.wide import EIGHT

__all__ = [
    "ACTIONS", "ACTOR", "CHILD", "COLUMNS", "DECISION", "ENTRY", "FOLDED", "KIND", "NUMBER", "ROW", "SHOWN", "SLOT",
    "VALUE", "BlueprintLayout", "WalkTables",
]  # fmt: skip

# What is known of a place: who acts, how many actions there are and where the first leads, what kind it is, the number
# of a way onward, where its entries begin, where what it is worth is kept, and by player the row of the other's reach.
ACTOR, ACTIONS, CHILD, KIND, NUMBER, SLOT, VALUE, ROW = range(8)
COLUMNS = ROW + 2
DECISION, FOLDED, SHOWN, ENTRY = range(4)


class WalkTables(NamedTuple):
    """The betting as the kernel reads it."""

    places: NDArray[np.int64]
    """[street, place, column]."""
    counts: NDArray[np.int64]
    """By street: places, ways onward, buckets, tiles, entries of a tile, where its entries begin, where its worths."""
    worths: NDArray[np.float32]
    """[street, tile, place, way]: what an end pays the first player, in big blinds, or is shown down for."""


@dataclass(frozen=True)
class BlueprintLayout:
    """Where everything of a blueprint stands."""

    rules: Rules
    sizes: tuple[int, ...]
    """By street how many buckets there are."""

    def __post_init__(self) -> None:
        rules = self.rules
        if not (rules.players == 2 and rules.limit and rules.hole_cards == 2) or rules.stacks != (UNLIMITED,) * 2:
            raise UnreadableError(
                f"a blueprint is of a heads-up limit game with two hole cards and no all-ins, not of {rules.name}"
            )
        if len(self.sizes) != rules.rounds or rules.rounds < 2 or min(self.sizes) < 1:
            raise UnreadableError(f"{rules.name} has {rules.rounds} streets: give a number of buckets for each")
        if self.ways > EIGHT:
            raise UnreadableError(f"the first street of {rules.name} can go {self.ways} ways, not {EIGHT} at most")

    @cached_property
    def _grown(self) -> tuple[BettingTree, Ints, Ints]:
        return grow_betting(self.rules)

    @property
    def tree(self) -> BettingTree:
        """The betting tree."""
        return self._grown[0]

    @cached_property
    def _held(self) -> Worth:
        return worth(self.rules, self._grown[1])

    @cached_property
    def streets(self) -> list[BettingOfStreet]:
        """The betting street by street."""
        return betting_by_street(self.tree, self.rules.rounds)

    @property
    def ways(self) -> int:
        """In how many ways the first street can go on to the second."""
        return len(self.streets[0].entries)

    def tiles(self, street: int) -> int:
        """How many tiles a street has."""
        return 1 if street == 0 else len(self.streets[street].nodes) // self.ways

    def node(self, street: int, tile: int, way: int, place: int) -> int:
        """The node of the betting tree; ways are counted on the second street and later."""
        return int(self.streets[street].nodes[way * self.tiles(street) + tile, place])

    @cached_property
    def slots(self) -> list[dict[int, int]]:
        """By street and deciding place how many actions stand before it."""
        found = []
        for shape in self.streets:
            total, own = 0, {}
            for place, children in enumerate(shape.children):
                if children:
                    own[place] = total
                    total += len(children)
            found.append(own)
        return found

    @cached_property
    def tile_entries(self) -> list[int]:
        """By street the entries of a tile."""
        return [sum(map(len, s.children)) * size * EIGHT for s, size in zip(self.streets, self.sizes, strict=True)]

    @cached_property
    def begins(self) -> list[int]:
        """By street where its entries begin; the last is the number of all."""
        sizes = [self.tiles(s) * entries for s, entries in enumerate(self.tile_entries)]
        return [0, *np.cumsum(sizes).tolist()]

    @property
    def entries(self) -> int:
        """How many numbers a strategy has, those between ways that do not exist included."""
        return self.begins[-1]

    @cached_property
    def situations(self) -> int:
        """Decisions times buckets: what a player tells apart."""
        return sum(
            sum(map(bool, shape.children)) * len(shape.nodes) * size
            for shape, size in zip(self.streets, self.sizes, strict=True)
        )

    @cached_property
    def first_entry(self) -> tuple[Ints, Ints]:
        """By node where its entries begin, and how far apart those of neighbouring buckets are; -1 where nobody acts.

        The actions of a bucket stand `EIGHT` apart.
        """
        begin, step = np.full(len(self.tree.actor), -1, np.int64), np.zeros(len(self.tree.actor), np.int64)
        for s, shape in enumerate(self.streets):
            blocks = np.arange(len(shape.nodes))
            way, tile = np.divmod(blocks, self.tiles(s)) if s else (blocks, blocks)
            for place, slot in self.slots[s].items():
                nodes = shape.nodes[:, place]
                begin[nodes] = self.begins[s] + tile * self.tile_entries[s] + slot * self.sizes[s] * EIGHT + way
                step[nodes] = len(shape.children[place]) * EIGHT
        return begin, step

    @cached_property
    def tables(self) -> WalkTables:
        """The betting as the kernel reads it."""
        width = max(len(shape.actor) for shape in self.streets)
        places = np.full((len(self.streets), width, COLUMNS), -1, np.int64)
        counts = np.zeros((len(self.streets), 7), np.int64)
        worths, at = [], 0
        for s, shape in enumerate(self.streets):
            _fill(places[s], shape, self.slots[s], self._held.chips[shape.nodes[0]])
            own = self._worths(s)
            counts[s] = len(shape.actor), len(shape.entries), self.sizes[s], self.tiles(s), *self._where(s), at
            worths.append(own.reshape(-1))
            at += own.size
        return WalkTables(places, counts, np.concatenate(worths).astype(np.float32))

    def _where(self, s: int) -> tuple[int, int]:
        return self.tile_entries[s], self.begins[s]

    def _worths(self, s: int) -> Floats:
        shape, tiles = self.streets[s], self.tiles(s)
        paid = (self._held.chips + self._held.fixed) / self.rules.big_blind  # one of them is 0
        out = np.zeros((tiles, len(shape.actor), EIGHT))
        ways = self.ways if s else 1
        out[:, :, :ways] = paid[shape.nodes].reshape(ways, tiles, -1).transpose(1, 2, 0)
        return out


def _fill(to: NDArray[np.int64], shape: BettingOfStreet, slots: dict[int, int], shown: Floats) -> None:
    """Write what is known of the places of a street."""
    rows = [1, 1]
    to[0, ROW : ROW + 2] = 0
    for place, children in enumerate(shape.children):
        to[place, ACTOR], to[place, ACTIONS] = shape.actor[place], len(children)
        if place in shape.entries:
            to[place, KIND], to[place, NUMBER] = ENTRY, shape.entries.index(place)
        elif not children:
            to[place, KIND] = SHOWN if shown[place] else FOLDED
        for child in children:
            to[child, ROW : ROW + 2] = to[place, ROW : ROW + 2]
            to[child, ROW + shape.actor[place]] = rows[shape.actor[place]]
            rows[shape.actor[place]] += 1
        if children:
            to[place, KIND], to[place, SLOT], to[place, CHILD] = DECISION, slots[place], children[0]
    for place in range(len(shape.children) - 1, -1, -1):
        _keep(to, shape, place)


def _keep(to: NDArray[np.int64], shape: BettingOfStreet, place: int) -> None:
    """Where what a decision is worth is kept: in the room of a later one that only it needs, or in new room."""
    if not shape.children[place]:
        return
    later = [int(to[child, VALUE]) for child in shape.children[place] if to[child, KIND] == DECISION]
    waiting = {
        int(to[child, VALUE])
        for other in range(place)
        for child in shape.children[other]
        if child > place and to[child, KIND] == DECISION
    }
    free = [k for k in range(len(shape.children)) if k not in waiting]
    to[place, VALUE] = min(later) if later else free[0]
