"""A trained blueprint: with what chance each bucket takes each action, and its file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.aivat.showdowns import HOLDINGS
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules, parse_game
from mazzo.holdem.solver.blueprint.buckets import HoldemBuckets
from mazzo.holdem.solver.blueprint.layout import BlueprintLayout
from mazzo.model_file import Model, read_model, write_model
from mazzo.wide import EIGHT

__all__ = ["LEVELS", "SHIPPED", "Blueprint", "chances_of"]

LEVELS = 32
"""Chances are kept in so many parts of one."""
_LEAST = 0.02  # chances below are noise of training: never
SHIPPED = Path(__file__).with_name("balanced.mz")
"""The blueprint that comes with Mazzo; docs/solve.md says how it was made."""


def _places(layout: BlueprintLayout) -> Iterator[tuple[int, slice, int, int]]:
    """The decisions that tiles of a street have in common: street, where in a tile, how many actions and ways."""
    for s, shape in enumerate(layout.streets):
        for place, slot in layout.slots[s].items():
            actions, size = len(shape.children[place]), layout.sizes[s] * EIGHT
            yield s, slice(slot * size, (slot + actions) * size), actions, layout.ways if s else 1


def _view(array: NDArray[Any], layout: BlueprintLayout, s: int, where: slice, actions: int) -> NDArray[Any]:
    """The numbers of a decision: by tile, bucket, action and way; a part of the array itself."""
    street = array[layout.begins[s] : layout.begins[s + 1]].reshape(layout.tiles(s), layout.tile_entries[s])
    return street[:, where].reshape(layout.tiles(s), layout.sizes[s], actions, EIGHT)


def chances_of(layout: BlueprintLayout, mean: NDArray[np.float32], regret: NDArray[np.float32]) -> NDArray[np.uint8]:
    """What is played, in `LEVELS`: the mean; where the mean says nothing, what the regrets say."""
    out = np.zeros(layout.entries, np.uint8)
    for s, where, actions, _ in _places(layout):
        shares = _shares(_view(mean, layout, s, where, actions))
        last = _shares(np.maximum(_view(regret, layout, s, where, actions), 0))
        shares = np.where(np.isnan(shares), last, shares)
        shares = np.where(np.isnan(shares), 1 / actions, shares)
        shares[shares < _LEAST] = 0
        steps = np.rint(LEVELS * (shares / shares.sum(axis=2, keepdims=True)).cumsum(axis=2)).astype(np.int64)
        street = out[layout.begins[s] : layout.begins[s + 1]].reshape(layout.tiles(s), -1)
        street[:, where] = np.diff(steps, axis=2, prepend=0).reshape(layout.tiles(s), -1)
    return out


def _shares(numbers: NDArray[Any]) -> Floats:
    """By action its share; not a number where there is nothing."""
    whole = numbers.sum(axis=2, keepdims=True, dtype=np.float64)
    return np.asarray(np.divide(numbers, whole, out=np.full(numbers.shape, np.nan), where=whole > 0))


@dataclass(frozen=True)
class Blueprint:
    """A strategy of a whole heads-up limit game."""

    layout: BlueprintLayout
    buckets: HoldemBuckets
    chances: NDArray[np.uint8]
    """By entry of the layout the chance of an action, in `LEVELS`."""
    facts: dict[str, Any] = field(default_factory=dict)
    """How it was trained; plain data."""

    @property
    def rules(self) -> Rules:
        """The game."""
        return self.layout.rules

    @cached_property
    def _onward(self) -> Ints:
        """By node and kind of action the node that it leads to; -1 where there is none."""
        tree = self.layout.tree
        out = np.full((len(tree.actor), 3), -1, np.int64)
        for node in np.flatnonzero(tree.actor >= 0):
            children = tree.first[node] + np.arange(tree.actions[node])
            out[node, c.kinds(tree.action[children])] = children
        return out

    def nodes(self, o: Observations) -> Ints:
        """By row the node of the betting tree; -1 where it has no such betting."""
        node, taken = np.zeros(len(o), np.int64), o.actions
        for k in range(int(o.state[:, c.COUNT].max(initial=0))):
            going = taken[:, k] != c.NO_ACTION
            step = np.where(node < 0, -1, self._onward[node, np.where(going, c.kinds(taken[:, k]), 0)])
            node = np.where(going, step, node)
        return np.where(np.append(self.layout.tree.actor, -1)[node] < 0, -1, node)

    def entries(self, o: Observations) -> tuple[Ints, Ints]:
        """By row the node, and where the chances of its bucket begin; those of its actions stand `EIGHT` apart."""
        nodes = self.nodes(o)
        if (nodes < 0).any():
            raise UnreadableError(f"this blueprint is of {self.rules.name}, which has no such betting")
        begin, step = self.layout.first_entry
        out = begin[nodes]
        for street in np.unique(o.street):
            rows = np.flatnonzero(o.street == street)
            out[rows] += self.buckets.find(int(street), o.hole[rows], o.board[rows]) * step[nodes[rows]]
        return nodes, out

    def on_board(self, nodes: Ints, board: Sequence[int]) -> Floats:
        """By action, node and holding the chance, on an open board; the nodes are alike in their actions.

        What is said of holdings that the board rules out means nothing.
        """
        free = np.flatnonzero(~np.isin(HOLDINGS, board).any(axis=1))
        cards = np.broadcast_to(np.array(board, np.int64), (len(free), len(board)))
        street, bucket = (0, 0, 0, 1, 2, 3)[len(board)], np.zeros(len(HOLDINGS), np.int64)
        bucket[free] = self.buckets.find(street, HOLDINGS[free], cards)
        begin, step = self.layout.first_entry
        places = begin[nodes][:, None] + bucket * step[nodes][:, None]
        actions = range(int(self.layout.tree.actions[nodes[0]]))
        return np.stack([self.chances[places + a * EIGHT] / LEVELS for a in actions])

    def save(self, path: Path) -> None:
        """Write it to a model file, whose name then is an agent."""
        parts = []
        for s, where, actions, ways in _places(self.layout):
            view = _view(self.chances, self.layout, s, where, actions)[:, :, : actions - 1, :ways]
            parts.append(view.transpose(0, 3, 2, 1).reshape(-1))  # neighbours are hands of like strength
        arrays = {"chances": np.concatenate(parts), **self.buckets.arrays()}
        settings = {"game": str(self.rules), "name": self.rules.name, "levels": LEVELS, "facts": self.facts}
        write_model(path, Model("balanced", settings, arrays), level=9)

    @classmethod
    def load(cls, path: Path) -> Blueprint:
        """Read a blueprint from its file, of which nothing is believed."""
        model = read_model(path)
        try:
            if model.agent != "balanced" or model.settings["levels"] != LEVELS:
                raise ValueError(f"it is played by {model.agent[:40]!r}")
            s, a = model.settings, model.arrays
            rules = parse_game(str(s["game"]), str(s["name"])[:80], str(path))
            if a["chances"].dtype != np.uint8:
                raise ValueError("its chances are not those of a blueprint")
            buckets = HoldemBuckets.of_arrays(a)
            layout = BlueprintLayout(rules, buckets.sizes)
            facts = s["facts"] if isinstance(s["facts"], dict) else {}
            return cls(layout, buckets, _unpacked(layout, a["chances"]), facts)
        except (KeyError, ValueError, TypeError, OverflowError, IndexError) as error:
            raise UnreadableError(f"{path} is not a blueprint: {error}") from None


def _unpacked(layout: BlueprintLayout, packed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    out, at = np.zeros(layout.entries, np.uint8), 0
    for s, where, actions, ways in _places(layout):
        shape = (layout.tiles(s), ways, actions - 1, layout.sizes[s])
        size = int(np.prod(shape))
        if at + size > len(packed):
            raise ValueError("its chances are not as many as its game needs")
        given = packed[at : at + size].reshape(shape).transpose(0, 3, 2, 1)
        at += size
        rest = LEVELS - given.sum(axis=2, keepdims=True, dtype=np.int64)
        if rest.min() < 0:
            raise ValueError("its chances add up to more than one")
        whole = np.zeros((layout.tiles(s), layout.sizes[s], actions, EIGHT), np.uint8)
        whole[..., :ways] = np.concatenate([given, rest.astype(np.uint8)], axis=2)
        street = out[layout.begins[s] : layout.begins[s + 1]].reshape(layout.tiles(s), -1)
        street[:, where] = whole.reshape(layout.tiles(s), -1)
    if at != len(packed):
        raise ValueError("its chances are not as many as its game needs")
    return out
