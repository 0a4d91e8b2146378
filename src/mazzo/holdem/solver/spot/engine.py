"""A spot in memory: its streets, boards and stores, and walks through all of it on one core or several."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats
from mazzo.holdem.solver.spot.betting import Betting, grow
from mazzo.holdem.solver.spot.boards import NO_CARD, ORDER, Boards, BoardTables, RangeHands
from mazzo.holdem.solver.spot.kernels import BEST, DOWN, IMPROVE, RATES, UP, VALUE, Store, Task, WalkRoom, walk
from mazzo.holdem.solver.spot.layout import ACTIONS, Street, StreetTables, lay_out
from mazzo.holdem.solver.spot.spot import Spot
from mazzo.wide import EIGHT

__all__ = ["METHODS", "Engine", "Plan", "SpotMethod"]

_LANE_SUMS = 2 * (NO_CARD + 2) * EIGHT


class SpotMethod(NamedTuple):
    """A way to minimise regret: how fast what was found earlier fades."""

    summary: str
    rates: tuple[float, float, float, float]
    """Positive regrets times t^a / (t^a + 1) (0: kept), negative ones times b, sums times (t / (t + 1))^g; whether
    regrets stop at zero."""


METHODS = {
    "dcfr": SpotMethod("discounted regrets (Brown and Sandholm 2019)", (1.5, 0.5, 4.0, 0.0)),
    "cfr+": SpotMethod("regrets never below zero, sums weighted by the round (Tammelin 2014)", (0.0, 1.0, 2.0, 1.0)),
}


class Plan:
    """A spot laid out: what there is to store and to walk, before any memory is asked for."""

    def __init__(self, spot: Spot, *, symmetric: bool = True, dtype: Any = np.float32, packed: bool = False) -> None:
        self.spot, self.dtype, self.packed = spot, np.dtype(np.float32 if packed else dtype), packed
        self.symmetric = symmetric
        self.kept = np.dtype(np.int16) if packed else self.dtype
        self.betting: Betting = grow(spot)
        self.streets: list[Street] = lay_out(self.betting)
        self.hands = RangeHands(spot, symmetric)
        self.boards = Boards(spot, self.hands)

    @property
    def entries(self) -> int:
        """Chances that are stored, of all nodes, boards, actions and hands."""
        return sum(self.entries_of(k) for k in range(len(self.streets)))

    def entries_of(self, k: int) -> int:
        """The same of one street."""
        slots = self.tables(k).slots
        return len(self.boards.levels[k].boards) * sum(int(slots[p]) * self.hands.padded[p] for p in range(2))

    def tables(self, k: int) -> StreetTables:
        """The nodes of a street as the kernel reads them."""
        found = self.streets[k].tables
        assert found is not None
        return found

    def bytes(self, workers: int = 1, keeps_best: bool = True) -> int:
        """The memory that solving it takes."""
        size = int(self.dtype.itemsize)
        stored = self.entries * int(self.kept.itemsize) * (3 if keeps_best else 2)
        return stored + sum(sum(self.room_sizes(k, workers)) * size for k in range(len(self.streets)))

    def room_sizes(self, k: int, workers: int) -> tuple[int, int, int, int, int]:
        """Numbers of a street's room: rows, values, results, lanes, what goes up."""
        street, tables, stride = self.streets[k], self.tables(k), self.hands.stride
        boards, river = len(self.boards.levels[k].boards), k == len(self.streets) - 1
        padded_rows = -(-street.most_rows // EIGHT) * EIGHT
        rows = padded_rows if river else max(int(tables.blocks[-1, 2]), int(tables.blocks[-1, 3]))
        nodes = max(len(block) for block in street.blocks) if river else int(tables.blocks[-1, 4])
        places = workers if river else boards
        above = len(self.streets[k - 1].chances) if k else 1
        widest = 2 * int(tables.nodes[:, ACTIONS].max()) * stride  # room to work out what is then packed
        lanes = max((stride + EIGHT) * EIGHT + _LANE_SUMS + 2 * stride * EIGHT, widest)
        return (
            places * rows * stride,
            places * nodes * stride,
            workers * 3 * padded_rows * stride,
            workers * lanes,
            boards * above * stride,
        )


class Engine:
    """A spot under work."""

    def __init__(self, plan: Plan, workers: int = 1) -> None:
        self.plan, self.workers = plan, max(1, workers)
        self.spot, self.hands = plan.spot, plan.hands
        self.levels = len(plan.streets)
        kind, stride = plan.dtype, self.hands.stride
        self.stores = [self._store(k) for k in range(self.levels)]
        self.norm = self.hands.disjoint()
        self._weights = np.concatenate(self.hands.weights).astype(kind)[None, :]
        self._sizes = np.array([*self.hands.padded, stride], np.int64)
        self._sums = np.zeros((self.workers, stride + RATES))
        self.rooms = self._rooms()
        self._pool = ThreadPoolExecutor(self.workers) if self.workers > 1 and self.levels > 1 else None
        self.rates = METHODS["dcfr"].rates

    def _store(self, k: int) -> Store:
        plan = self.plan
        slots, count = plan.tables(k).slots, len(plan.boards.levels[k].boards)
        begin = np.array([0, count * int(slots[0]) * self.hands.padded[0]], np.int64)
        size = plan.entries_of(k)
        zeros = [np.zeros(max(size, EIGHT), plan.kept) for _ in range(2)]
        scales = np.zeros((2, count * len(plan.tables(k).nodes) if plan.packed else 1), np.float32)
        return Store(zeros[0], zeros[1], begin, np.zeros(EIGHT, plan.dtype), 0, scales, plan.packed)

    def _rooms(self) -> list[WalkRoom]:
        plan, kind, rooms = self.plan, self.plan.dtype, []
        above, sizes = self._weights, [plan.room_sizes(k, self.workers) for k in range(self.levels)]
        ups = [np.zeros(size[4], kind) for size in sizes]
        for k, (rows, values, out, lanes, _) in enumerate(sizes):
            river, boards = k == self.levels - 1, len(plan.boards.levels[k].boards)
            places = self.workers if river else boards
            own = np.zeros((places, rows // places), kind)
            rooms.append(
                WalkRoom(
                    above,
                    own,
                    np.zeros((places, values // places), kind),
                    np.zeros((self.workers, out // self.workers), kind),
                    np.zeros((self.workers, lanes // self.workers), kind),
                    ups[k],
                    ups[k + 1] if not river else np.zeros(1, kind),
                )
            )
            above = own
        return rooms

    def _call(self, k: int, ways: int, players: tuple[int, int], mode: int, done: int, rounds: int) -> None:
        """Walk one street, its boards divided among the workers."""
        plan, river = self.plan, k == self.levels - 1
        tables, boards = plan.tables(k), plan.boards.tables[k]
        below: BoardTables = boards if river else plan.boards.tables[k + 1]
        count, above = len(plan.boards.levels[k].boards), len(plan.streets[k - 1].chances) if k else 1
        cards = len(plan.boards.levels[k].boards[0])
        factor = 1.0 / (52 - (cards - 1) - 4) if k else 1.0
        task = Task(self._sizes, factor, np.array(self.rates), self.spot.rake > 0, not river)
        descent = (boards.children, below.mates_at, below.mates)

        def part(worker: int, first: int, last: int) -> None:
            job = np.array([first, last, *players, ways, mode, done, rounds, worker, above], np.int64)
            walk(
                tables,
                boards,
                descent,
                self.hands.renamed,
                self.stores[k],
                self.rooms[k],
                task,
                job,
                self._sums[worker],
            )

        if self._pool is None or count == 1:
            part(0, 0, count)
            return
        edges = [count * w // self.workers for w in range(self.workers + 1)]
        jobs = [self._pool.submit(part, w, edges[w], edges[w + 1]) for w in range(self.workers)]
        for job in jobs:
            job.result()

    def prepare(self) -> None:
        """Compile what walks need, or load it."""
        self._call(0, DOWN, (0, 1), VALUE, 0, 0)

    def walk(self, player: int, mode: int, done: int = 0) -> Floats:
        """One walk through the whole spot for a player; gives what each hand is worth at the start, times reach."""
        only = (player, player + 1)
        for k in range(self.levels - 1):
            self._call(k, DOWN, only, mode, done, 1)
        self._call(self.levels - 1, DOWN | UP, only, mode, done, 1)
        for k in range(self.levels - 2, -1, -1):
            self._call(k, UP, only, mode, done, 1)
        return self.rooms[0].up[: self.hands.size[player]].astype(np.float64)

    def improve(self, done: int, rounds: int) -> None:
        """So many rounds: each player in turn answers the other as he is by now."""
        if self.levels == 1:
            self._call(0, DOWN | UP, (0, 2), IMPROVE, done, rounds)
            return
        for t in range(done, done + rounds):
            for player in range(2):
                self.walk(player, IMPROVE, t)

    def worth(self, player: int, mode: int = VALUE) -> float:
        """What a player wins of the pot, in chips against half of it: by the mean strategies, or at best."""
        values = self.walk(player, mode)
        return float((values * self.hands.weights[player][: len(values)]).sum() / self.norm)

    def exploitability(self) -> float:
        """What a best response to the mean strategies gains, the mean over both players, in chips."""
        best = [self.worth(p, BEST) for p in range(2)]
        if self.spot.rake > 0 or self.any_locks:
            now = [self.worth(p, VALUE) for p in range(2)]
            return sum(b - n for b, n in zip(best, now, strict=True)) / 2
        return sum(best) / 2

    @property
    def any_locks(self) -> bool:
        """Whether a mix is fixed anywhere."""
        return any(store.locks for store in self.stores)

    def mean(self, k: int, player: int) -> NDArray[Any]:
        """The sums of a street: [board, slot, hand], a view."""
        return self.view(self.stores[k].mean, k, player)

    def regret(self, k: int, player: int) -> NDArray[Any]:
        """The regrets of a street: [board, slot, hand], a view."""
        return self.view(self.stores[k].regret, k, player)

    def view(self, array: NDArray[Any], k: int, player: int) -> NDArray[Any]:
        """A player's part of a street's store, of this engine or a copy: [board, slot, hand]."""
        slots, size = int(self.plan.tables(k).slots[player]), self.hands.padded[player]
        count, begin = len(self.plan.boards.levels[k].boards), int(self.stores[k].begin[player])
        return array[begin : begin + count * slots * size].reshape(count, slots, size)

    def copy_mean(self) -> list[NDArray[Any]]:
        """The sums of all streets, to come back to."""
        return [store.mean.copy() for store in self.stores]

    def set_mean(self, kept: list[NDArray[Any]]) -> None:
        """Come back to what `copy_mean` gave."""
        for store, mean in zip(self.stores, kept, strict=True):
            store.mean[:] = mean

    def regret_from_mean(self) -> None:
        """Let regrets stand for the mean strategies, so that both say the same."""
        for store in self.stores:
            store.regret[:] = store.mean

    def take_over(self, other: Engine, player: int) -> None:
        """Take a player's mean strategy from an engine of the same spot, which may have walked fewer boards."""
        for k in range(self.levels):
            own, theirs = self.mean(k, player), other.mean(k, player)
            for b, board in enumerate(self.plan.boards.levels[k].boards):
                at, renaming = other.plan.boards.find(k, board)
                own[b] = self._moved(other, k, player, (b, at, renaming), theirs[at])

    def _moved(
        self, other: Engine, k: int, player: int, where: tuple[int, int, int], stored: NDArray[Any]
    ) -> NDArray[Any]:
        """Vectors of another engine's board in the order of this one's."""
        b, at, renaming = where
        size, padded = self.hands.size[player], self.hands.padded[player]
        theirs = other.plan.boards.tables[k].hands[player, at, ORDER, :padded].astype(np.int64)
        mine = self.plan.boards.tables[k].hands[player, b, ORDER, :padded].astype(np.int64)
        plain = np.zeros((len(stored), size), stored.dtype)
        plain[:, theirs[theirs >= 0]] = stored[:, theirs >= 0]
        plain = plain[:, other.hands.renamed[player, renaming, :size].astype(np.int64)]
        out = np.zeros_like(stored)
        out[:, mine >= 0] = plain[:, mine[mine >= 0]]
        return out

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
