"""A solved spot: what each player does with every hand at every node, and what it is worth."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats
from mazzo.document import Grid, Section, Shown
from mazzo.holdem.solver.spot.boards import ORDER
from mazzo.holdem.solver.spot.engine import Engine, Plan
from mazzo.holdem.solver.spot.kernels import DOWN, UP, VALUE, Store, Task, WalkRoom, walk
from mazzo.holdem.solver.spot.layout import ACTIONS, SLOT
from mazzo.holdem.solver.spot.path import Path, follow
from mazzo.holdem.solver.spot.spot import PLAYERS
from mazzo.holdem.solver.spot.view import NodeView, equities_between
from mazzo.wide import EIGHT

__all__ = ["Mixes", "SpotSolution"]


class Mixes(Protocol):
    """Where a solution's strategies and values are: in memory, or in a file that is opened partly."""

    def mix(self, level: int, player: int, board: int) -> NDArray[Any]:
        """[slot, place]: the chances of a street on one board, in the order of the board."""

    def values(self, level: int, player: int, board: int) -> NDArray[Any]:
        """[node, hand]: what each node of a street before the river is worth, times the opponent's reach."""


class InMemory:
    """The strategies and values of an engine that has done its work."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._values: dict[int, list[NDArray[Any]]] = {}

    def mix(self, level: int, player: int, board: int) -> NDArray[Any]:
        """[slot, place]: the chances of a street on one board."""
        return normalised(self.engine, level, player, self.engine.mean(level, player)[board])

    def values(self, level: int, player: int, board: int) -> NDArray[Any]:
        """[node, hand]: what each node of a street before the river is worth, times the opponent's reach."""
        if player not in self._values:
            self.engine.walk(player, VALUE)
            rooms, stride = self.engine.rooms[:-1], self.engine.hands.stride
            self._values[player] = [room.values.reshape(len(room.values), -1, stride).copy() for room in rooms]
        return np.asarray(self._values[player][level][board])


def normalised(engine: Any, level: int, player: int, sums: NDArray[Any]) -> NDArray[Any]:
    """Sums as chances, decision by decision."""
    nodes = engine.plan.tables(level).nodes
    out = np.array(sums, np.float64)
    for n in np.flatnonzero(nodes[:, 0] == player):
        slot, actions = int(nodes[n, SLOT]), int(nodes[n, ACTIONS])
        part = out[slot : slot + actions]
        total = part.sum(axis=0)
        out[slot : slot + actions] = np.where(total > 0, part / np.where(total > 0, total, 1), 1 / actions)
    return out


@dataclass
class SpotSolution(Shown):
    """A solved spot."""

    plan: Plan
    mixes: Mixes
    ev: tuple[float, float]
    """What each player wins of the pot on average, in chips."""
    exploitability: float
    """What a best response gains, the mean over both players, in chips."""
    iterations: int
    seconds: float
    memory: int
    method: str = "dcfr"
    notes: list[str] = field(default_factory=list)
    """What must be known to read the figures: locks, policies, an interruption."""
    gain: dict[str, Any] | None = None
    """Of an answer to a fixed player: what it wins, and what the equilibrium would win against him."""
    _views: dict[str, NodeView] = field(default_factory=dict, repr=False)

    @property
    def spot(self) -> Any:
        """What was solved."""
        return self.plan.spot

    @property
    def exploitability_pct(self) -> float:
        """The same in per cent of the pot."""
        return 100 * self.exploitability / self.plan.spot.pot

    def reach(self, path: Path) -> list[Floats]:
        """By player the weight of each hand that gets to a node, in the plain order of hands."""
        hands, out = (
            self.plan.hands,
            [w[:n].copy() for w, n in zip(self.plan.hands.weights, self.plan.hands.size, strict=True)],
        )
        betting, board = self.plan.betting, list(path.cards)
        for p in range(2):
            out[p][np.isin(hands.cards[p], board).any(axis=1)] = 0
        for before, after in zip(path.nodes, path.nodes[1:], strict=False):
            node = betting.nodes[before]
            if node.kind in (0, 1):
                share = self.mix_at(self._upto(path, before), node.kind)
                out[node.kind] *= share[node.children.index(after)]
        return out

    def _upto(self, path: Path, node: int) -> Path:
        """The same way, ended at an earlier node."""
        street = self.plan.betting.nodes[node].street
        level = street - self.plan.spot.street
        cards = path.cards[: len(self.plan.spot.board) + level]
        board, renaming = self.plan.boards.find(level, cards)
        place = self.plan.streets[level].place[node]
        nodes = path.nodes[: path.nodes.index(node) + 1]
        return Path(node, nodes, level, place, None, (), cards, (board,), renaming)

    def mix_at(self, path: Path, player: int) -> Floats:
        """[action, hand]: what a player does at a decision, in the plain order of hands; 0 for hands not possible."""
        tables = self.plan.tables(path.level)
        slot, actions = int(tables.nodes[path.place, SLOT]), int(tables.nodes[path.place, ACTIONS])
        stored = self.mixes.mix(path.level, player, path.boards[0])[slot : slot + actions]
        return self._plain(stored, path, player)

    def _plain(self, stored: NDArray[Any], path: Path, player: int) -> Floats:
        """Vectors in the order of a board, as those of the board that was named in plain order."""
        size = self.plan.hands.size[player]
        order = self._order(path, player)
        out, there = np.zeros((len(stored), size)), order >= 0
        out[:, order[there]] = stored[:, : len(order)][:, there]
        renamed = self.plan.hands.renamed[player, path.renaming, :size].astype(np.int64)
        return out[:, renamed]

    def _order(self, path: Path, player: int) -> Any:
        tables = self.plan.boards.tables_of(path.level, path.boards)
        return tables.hands[player, 0, ORDER, : self.plan.hands.padded[player]].astype(np.int64)

    def values_at(self, path: Path, reach: list[Floats]) -> list[Floats]:
        """By player what each hand wins on average from a node on, in chips against half the pot; NaN: cannot be."""
        out = []
        for p in range(2):
            mass = self.plan.hands.mass(1 - p, reach[1 - p])
            if path.level == len(self.plan.streets) - 1:
                raw, factor = self._river(path, p), 1.0
            else:
                raw = self._plain(self.mixes.values(path.level, p, path.boards[0])[path.place][None, :], path, p)[0]
                factor = float(np.prod([1 / (52 - len(self.plan.spot.board) - k - 4) for k in range(path.level)]))
            blocked = np.isin(self.plan.hands.cards[p], path.cards).any(axis=1)
            with np.errstate(divide="ignore", invalid="ignore"):
                value = np.where((mass > 1e-12) & ~blocked, raw / (factor * mass), np.nan)
            out.append(value)
        return out

    def _river(self, path: Path, p: int) -> Floats:
        """Values at a node of the river, by walking its block on its one board."""
        plan, hands, k = self.plan, self.plan.hands, path.level
        tables = plan.tables(k)
        block = int(np.searchsorted(tables.blocks[:, 0], path.place, side="right")) - 1
        needs = np.ascontiguousarray(tables.needs[:, block : block + 1])
        one = tables._replace(blocks=tables.blocks[block : block + 2], needs=needs)
        boards = plan.boards.tables_of(k, path.boards)
        stride, q, kind = hands.stride, 1 - p, plan.dtype  # that of the solver: its kernel is compiled already
        begin = self._block_start(path)
        reach = self.reach(begin)
        ways = tables.ways[int(tables.blocks[block, 1]) : int(tables.blocks[block + 1, 1])]
        above = np.zeros((1, (int(ways[:, 2:].max()) + 1) * stride), kind)
        inverse = np.argsort(hands.renamed[q, path.renaming, : hands.size[q]])
        for way in ways:
            above[0, int(way[2 + q]) * stride :][: hands.size[q]] = reach[q][inverse]
        stored = [np.asarray(self.mixes.mix(k, r, path.boards[0]), kind) for r in range(2)]
        mean = np.concatenate([part.reshape(-1) for part in stored] + [np.zeros(EIGHT, kind)])
        store = Store(
            mean,
            mean,
            np.array([0, stored[0].size], np.int64),
            np.zeros(EIGHT, kind),
            0,
            np.zeros((2, 1), np.float32),
            False,
        )
        rows = -(-plan.streets[k].most_rows // EIGHT) * EIGHT
        nodes = int(tables.blocks[block + 1, 0] - tables.blocks[block, 0])
        lanes = (stride + EIGHT) * EIGHT + 2 * 54 * EIGHT + 2 * stride * EIGHT
        numbers = len(plan.streets[k - 1].chances) if k else 1
        reaches, values, out, work = (
            np.zeros((1, n), kind) for n in (rows * stride, nodes * stride, 3 * rows * stride, lanes)
        )
        room = WalkRoom(above, reaches, values, out, work, np.zeros(numbers * stride, kind), np.zeros(1, kind))
        sizes = np.array([*hands.padded, stride], np.int64)
        task = Task(sizes, 1.0, np.array([1.5, 0.5, 4.0, 0.0]), plan.spot.rake > 0, False)
        job = np.array([0, 1, p, p + 1, DOWN | UP, VALUE, 0, 1, 0, numbers], np.int64)
        walk(
            one,
            boards,
            (boards.children, boards.mates_at, boards.mates),
            hands.renamed,
            store,
            room,
            task,
            job,
            np.zeros(stride + 4),
        )
        found = room.values[0].reshape(nodes, stride)[path.place - int(tables.blocks[block, 0])]
        return np.asarray(self._plain(found[None, :], path, p)[0])

    def _block_start(self, path: Path) -> Path:
        """The node with which the betting of the path's street begins."""
        betting = self.plan.betting
        street = betting.nodes[path.node].street
        first = next(n for n in path.nodes if betting.nodes[n].street == street and betting.nodes[n].kind in (0, 1))
        nodes = path.nodes[: path.nodes.index(first) + 1]
        return Path(
            first,
            nodes,
            path.level,
            self.plan.streets[path.level].place[first],
            None,
            (),
            path.cards,
            path.boards,
            path.renaming,
        )

    def at(self, where: str = "") -> NodeView:
        """All that is known of a node: `"b100 c / Ks / k"`; an empty text is the start."""
        if where not in self._views:
            path = follow(self.plan, where)
            reach = self.reach(path)
            hands = self.plan.hands
            equity = equities_between(hands.cards, reach, path.cards)
            mix = self.mix_at(path, path.actor) if path.actor is not None else np.zeros((0, 0))
            self._views[where] = NodeView(
                where,
                self.plan,
                path,
                reach,
                self.values_at(path, reach),
                equity,
                mix,
            )
        return self._views[where]

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain data, with the mix at the start by hand."""
        root = self.at()
        data: dict[str, Any] = {
            "spot": self.spot.as_dict(),
            "oop_ev": self.ev[0],
            "ip_ev": self.ev[1],
            "exploitability_pct": self.exploitability_pct,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "memory_mb": self.memory / 1e6,
            "method": self.method,
            "nodes": len(self.plan.betting.nodes),
            "notes": list(self.notes),
            "oop_equity": root.equity_of(0),
            "ip_equity": root.equity_of(1),
            "root_mix": root.totals(),
            "mix": root.mix_by_hand(),
            "hands": {name: root.by_hand(p) for p, name in enumerate(PLAYERS)},
        }
        return data if self.gain is None else {**data, "answer": self.gain}

    def section(self) -> Section:
        """The figures, and the mix at the start by class of hand."""
        root = self.at()
        rows = [
            (name, f"{self.ev[p]:.4f}", f"{100 * self.ev[p] / self.spot.pot:.2f} %", f"{100 * root.equity_of(p):.2f} %")
            for p, name in enumerate(PLAYERS)
        ]
        words = [
            f"exploitability {self.exploitability_pct:.4f} % of the pot after {self.iterations:,} rounds of "
            f"{self.method}, {self.seconds:.2f} s, {self.memory / 1e6:,.1f} MB",
            *self.notes,
        ]
        tables = [Grid(("player", "EV, chips", "of the pot", "equity"), rows), *root.section().tables]
        return Section(f"spot {''.join(map(str, self.spot.board))}, solved", words, tables=tables)
