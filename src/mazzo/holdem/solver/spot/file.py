"""A solved spot as a file: mixes in 16 bits, board by board, so that a part of it can be opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.block_file import BlockFile, write_blocks
from mazzo.errors import UnreadableError
from mazzo.holdem.solver.spot.engine import METHODS, Engine, Plan
from mazzo.holdem.solver.spot.kernels import Store
from mazzo.holdem.solver.spot.locks import LARGEST, Lock
from mazzo.holdem.solver.spot.solution import InMemory, SpotSolution, normalised
from mazzo.holdem.solver.spot.solving import Run, check_fits, keeps_best, memory_limit
from mazzo.holdem.solver.spot.spot import Spot, parse_spot

__all__ = ["go_on", "load", "save"]

_AT_ONCE = 1 << 21  # numbers in a block
_FULL = 65535


def save(path: str | Path, solution: SpotSolution, run: Run | None = None) -> None:
    """Write a solution; with `run` also what is needed to go on from it."""
    found = solution.mixes
    if not isinstance(found, InMemory):
        raise UnreadableError("this solution was read from a file; it is there")
    settings: dict[str, Any] = {
        "kind": "spot",
        "agent": "spot",
        "spot": solution.spot.as_dict(),
        "ev": list(solution.ev),
        "exploitability": solution.exploitability,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "memory": solution.memory,
        "method": solution.method,
        "notes": solution.notes,
        "gain": solution.gain,
        "symmetric": len(solution.plan.hands.group) > 1,
        "precise": solution.plan.dtype == np.float64,
        "packed": solution.plan.packed,
        "rounds": run.rounds if run else 0,
        "locked": bool(run and run.locks),
        "locks": [[lock.at, {hands: dict(mix) for hands, mix in lock.mix.items()}] for lock in run.locks or ()]
        if run
        else [],
    }
    write_blocks(Path(path), settings, _blocks(found.engine, found, run))


def _runs(boards: int, numbers: int) -> Iterator[tuple[int, int]]:
    step = max(1, _AT_ONCE // max(numbers, 1))
    for first in range(0, boards, step):
        yield first, min(first + step, boards)


def _blocks(engine: Engine, found: InMemory, run: Run | None) -> Iterator[tuple[str, NDArray[Any]]]:
    yield "weights", np.array([w[: engine.hands.stride] for w in engine.hands.weights])
    for k in range(engine.levels):
        for p in range(2):
            mean = engine.mean(k, p)
            for first, last in _runs(len(mean), mean.shape[1] * mean.shape[2]):
                mixes = np.array([normalised(engine, k, p, mean[b]) for b in range(first, last)])
                yield f"mix/{k}/{p}/{first}", np.round(mixes * _FULL).astype(np.uint16)
            if k < engine.levels - 1:
                boards = len(engine.plan.boards.levels[k].boards)
                numbers = found.values(k, p, 0).size
                for first, last in _runs(boards, numbers):
                    values = np.array([found.values(k, p, b) for b in range(first, last)])
                    yield f"value/{k}/{p}/{first}", values.astype(np.float32)
    if run is not None:
        yield from _state(engine, run)


def _state(engine: Engine, run: Run) -> Iterator[tuple[str, NDArray[Any]]]:
    """Regrets and sums as they were after the last round."""
    for k in range(engine.levels):
        sums = engine.stores[k].mean if run.last is None else run.last[k]
        for name, array in _kept(engine.stores[k]._replace(mean=sums)):
            for first in range(0, len(array), _AT_ONCE):
                yield f"{name}/{k}/{first}", array[first : first + _AT_ONCE]


def _kept(store: Store) -> Iterator[tuple[str, NDArray[Any]]]:
    """The arrays of a street that work goes on from, by name; 16 bits of any kind are kept as whole numbers."""
    for name, array in (("regret", store.regret), ("sum", store.mean)):
        yield name, array.view(np.uint16) if store.packed else array
    if store.packed:
        yield "scale", store.scales.reshape(-1)


class _InFile:
    """The strategies and values of a file, read as they are needed."""

    def __init__(self, file: BlockFile, plan: Plan) -> None:
        self.file, self.plan = file, plan
        self._kept: dict[str, NDArray[Any]] = {}

    def _board(self, name: str, k: int, p: int, board: int, shape: tuple[int, int]) -> NDArray[Any]:
        boards = len(self.plan.boards.levels[k].boards)
        first = next(a for a, b in _runs(boards, shape[0] * shape[1]) if a <= board < b)
        key = f"{name}/{k}/{p}/{first}"
        if key not in self._kept:
            if len(self._kept) > 8:
                self._kept.clear()
            self._kept[key] = self.file.read(key)
        part = self._kept[key]
        if part.ndim != 3 or part.shape[1:] != shape or board - first >= len(part):
            raise UnreadableError(f"{self.file.path}: its part {key!r} is not that of its spot")
        return np.asarray(part[board - first])

    def mix(self, level: int, player: int, board: int) -> NDArray[Any]:
        """[slot, place]: the chances of a street on one board."""
        shape = (int(self.plan.tables(level).slots[player]), self.plan.hands.padded[player])
        stored = self._board("mix", level, player, board, shape)
        return normalised(self, level, player, stored)

    def values(self, level: int, player: int, board: int) -> NDArray[Any]:
        """[node, hand]: what each node of a street before the river is worth, times the opponent's reach."""
        shape = (int(self.plan.tables(level).blocks[-1, 4]), self.plan.hands.stride)
        found = self._board("value", level, player, board, shape)
        if not np.isfinite(found).all():
            raise UnreadableError(f"{self.file.path}: a value in it is not a number")
        return found


def load(path: str | Path) -> SpotSolution:
    """Open a solution; its parts are read when they are asked for."""
    file = BlockFile(path)
    try:
        s = file.settings
        if s["kind"] != "spot":
            raise ValueError(f"it is of the kind {str(s['kind'])[:20]!r}")
        spot = _spot(s, file)
        dtype, packed = np.float64 if s["precise"] else np.float32, bool(s.get("packed"))
        plan = Plan(spot, symmetric=bool(s["symmetric"]), dtype=dtype, packed=packed)
        oop, ip = (float(x) for x in s["ev"])
        numbers = np.array([oop, ip, float(s["exploitability"]), float(s["seconds"])])
        if not np.isfinite(numbers).all() or str(s["method"]) not in METHODS:
            raise ValueError("its figures are not those of a solution")
        gain = s["gain"] if isinstance(s["gain"], dict) else None
        return SpotSolution(
            plan,
            _InFile(file, plan),
            (oop, ip),
            float(s["exploitability"]),
            int(s["iterations"]),
            float(s["seconds"]),
            int(s["memory"]),
            str(s["method"]),
            [str(n)[:500] for n in s["notes"]][:20],
            gain,
        )
    except (KeyError, ValueError, TypeError, OverflowError) as error:
        raise UnreadableError(f"{path} is not a solved spot: {error}") from None


def _spot(settings: dict[str, Any], file: BlockFile) -> Spot:
    if not isinstance(settings["spot"], dict):
        raise ValueError("its spot is not a table of names and values")
    return parse_spot(settings["spot"], str(file.path))


def go_on(path: str | Path, workers: int = 1, memory: int | None = None) -> Run:
    """Where the work on a spot stood when it was written; refused where it needs more memory than this."""
    file, found = BlockFile(path), load(path)
    rounds = int(file.settings.get("rounds") or 0)
    if rounds < 1 or "sum/0/0" not in file:
        raise UnreadableError(f"{path} holds a finished solution without what is needed to go on from it")
    check_fits(found.plan, memory_limit() if memory is None else memory, workers)
    engine = Engine(found.plan, workers)
    for k in range(engine.levels):
        for name, array in _kept(engine.stores[k]):
            for first in range(0, len(array), _AT_ONCE):
                part = file.read(f"{name}/{k}/{first}")
                if part.shape != array[first : first + _AT_ONCE].shape or not np.isfinite(part).all():
                    raise UnreadableError(f"{path}: its part {name}/{k} is not that of its spot")
                array[first : first + _AT_ONCE] = part
    best = _best(engine, found) if found.iterations != rounds and keeps_best(engine.plan) else None
    at = found.iterations if best is not None else rounds
    return Run(engine, found.method, rounds, found.seconds, at=at, locks=_locks(file), best=best)


def _best(engine: Engine, found: SpotSolution) -> list[NDArray[Any]]:
    """The mixes of a file as an engine keeps them: they are the best strategies, where the last are others."""
    out = [np.zeros_like(store.mean) for store in engine.stores]
    for k, array in enumerate(out):
        for p in range(2):
            part = engine.view(array, k, p)
            for b in range(len(part)):
                mix = found.mixes.mix(k, p, b)
                part[b] = np.round(mix * LARGEST) if engine.plan.packed else mix
    return out


def _locks(file: BlockFile) -> tuple[Lock, ...] | None:
    """The locks that work was begun with; None: there were some, but they were not kept."""
    kept = file.settings.get("locks")
    if not kept:
        return None if file.settings.get("locked") else ()
    try:
        return tuple(
            Lock(
                str(at),
                {str(hands): {str(name): float(share) for name, share in mix.items()} for hands, mix in mixes.items()},
            )
            for at, mixes in kept
        )
    except (TypeError, ValueError, AttributeError) as error:
        raise UnreadableError(f"{file.path}: its locks cannot be read: {error}") from None
