"""Solving a spot: rounds of regret minimisation until a best response gains no more than was asked."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem.solver.spot.engine import METHODS, Engine, Plan
from mazzo.holdem.solver.spot.kernels import VALUE
from mazzo.holdem.solver.spot.locks import Lock, apply_locks
from mazzo.holdem.solver.spot.solution import InMemory, SpotSolution
from mazzo.holdem.solver.spot.spot import PLAYERS, Spot

__all__ = ["Run", "SpotCost", "check_fits", "estimate", "keeps_best", "memory_limit", "run", "solution_of"]

_ROUNDS = {1: 50, 2: 110, 3: 100}  # to 0.3 % of the pot, by streets left
_SECONDS_AN_ENTRY = 6e-9
_BEST_UP_TO = 1 << 29  # bytes: beyond it no copy of the best strategy is kept beside the last
_FIRST, _EVERY, _SELDOM = 20, 20, 0.05


@dataclass(frozen=True)
class SpotCost:
    """What solving a spot will take, before it is begun."""

    nodes: int
    boards: int
    entries: int
    bytes: int
    seconds: float
    """To 0.3 % of the pot, roughly."""

    def __str__(self) -> str:
        return (
            f"{self.nodes:,} nodes, {self.boards:,} boards, {self.entries:,} entries: {self.bytes / 1e6:,.1f} MB, "
            f"about {self.seconds:.1g} s to 0.3 % of the pot"
        )


def estimate(plan: Plan, workers: int = 1) -> SpotCost:
    """What solving a spot will take."""
    rounds = _ROUNDS[len(plan.streets)]
    return SpotCost(
        len(plan.betting.nodes),
        len(plan.boards.levels[-1].boards),
        plan.entries,
        _bytes(plan, workers),
        rounds * plan.entries * _SECONDS_AN_ENTRY / workers,
    )


def keeps_best(plan: Plan) -> bool:
    """Whether a copy of the best strategies is kept beside the last: where there is room for it."""
    return bool(plan.entries * plan.kept.itemsize <= _BEST_UP_TO)


def _bytes(plan: Plan, workers: int) -> int:
    return plan.bytes(workers, keeps_best(plan))


def memory_limit() -> int:
    """Three quarters of the memory that is free now, in bytes; where the system does not say, 4 GB."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 3 // 4
    except (ValueError, OSError, AttributeError):
        return 4 << 30


def check_fits(plan: Plan, limit: int, workers: int = 1) -> None:
    """Refuse a spot that takes more memory than this, with what would fit."""
    needed = _bytes(plan, workers)
    if needed <= limit:
        return
    spot = plan.spot
    first = {key: text.replace(",", " ").split()[0] for key, text in spot.sizes.items() if text.strip()}
    free = {key: value for key, value in spot.by_street.items() if not key.endswith("raise_cap")}
    others = {
        "raise_cap 2": spot.replaced(raise_cap=2, by_street=free),
        "raise_cap 1": spot.replaced(raise_cap=1, by_street=free),
        "the first size of each alone": spot.replaced(sizes=first),
        "the first size of each alone and raise_cap 2": spot.replaced(sizes=first, raise_cap=2, by_street=free),
    }
    fits = []
    if not plan.packed and (half := _bytes(Plan(spot, symmetric=plan.symmetric, packed=True), workers)) <= limit:
        fits.append(f"numbers packed in 16 bits ({_megabytes(half)})")
    for words, other in others.items():
        size = _bytes(Plan(other, symmetric=plan.symmetric, dtype=plan.dtype, packed=plan.packed), workers)
        if size <= limit:
            fits.append(f"{words} ({_megabytes(size)})")
    advice = "; these would fit: " + ", ".join(fits) if fits else "; give fewer sizes or narrower ranges"
    raise UnreadableError(
        f"this spot needs {_megabytes(needed)}, more than the {_megabytes(limit)} that may be used{advice}"
    )


def _megabytes(size: float) -> str:
    return f"{size / 1e6:,.0f} MB" if size >= 1e7 else f"{size / 1e6:.2g} MB"


@dataclass
class Run:
    """A spot under work, and how far it is."""

    engine: Engine
    method: str
    rounds: int = 0
    seconds: float = 0.0
    exploitability: float = float("inf")
    """Of the best strategies so far, in chips."""
    at: int = 0
    """After how many rounds those were found."""
    now: float = float("inf")
    """Of the last ones."""
    interrupted: bool = False
    locks: tuple[Lock, ...] | None = ()
    """Mixes that are fixed; None: some are, but an older file did not keep which."""
    best: list[NDArray[Any]] | None = None
    last: list[NDArray[Any]] | None = None
    """The sums of the last round, where the best are others; to go on from."""

    @property
    def percent(self) -> float:
        """Exploitability in per cent of the pot."""
        return 100 * self.exploitability / self.engine.spot.pot

    def improve(self, rounds: int) -> None:
        """Some rounds more, and how far from equilibrium that is."""
        began = time.perf_counter()
        self.engine.improve(self.rounds, rounds)
        self.rounds += rounds
        self._measure()
        self.seconds += time.perf_counter() - began

    def take_up(self) -> None:
        """Of work that was read from a file: how far its best strategies are from equilibrium, and its last ones."""
        if self.best is not None:
            last = self.engine.copy_mean()
            self.engine.set_mean(self.best)
            self.exploitability = max(self.engine.exploitability(), 0.0)
            self.engine.set_mean(last)
        self._measure()

    def _measure(self) -> None:
        self.now = max(self.engine.exploitability(), 0.0)
        if self.now <= self.exploitability:
            self.exploitability, self.at = self.now, self.rounds
            if keeps_best(self.engine.plan):
                self.best = self.engine.copy_mean()

    def settle(self) -> None:
        """Come back to the best strategies found; without a copy of them, the last are taken."""
        if self.at != self.rounds and self.best is not None:
            self.last = self.engine.copy_mean()
            self.engine.set_mean(self.best)
        elif self.at != self.rounds:
            self.exploitability, self.at = self.now, self.rounds


def run(
    spot: Spot,
    *,
    to: float = 0.3,
    rounds: int = 5000,
    method: str = "dcfr",
    precise: bool = False,
    packed: bool = False,
    workers: int = 1,
    memory: int | None = None,
    locks: tuple[Lock, ...] = (),
    start: Run | None = None,
    progress: Callable[[Run], None] = lambda found: None,
    told: Callable[[SpotCost], None] = lambda found: None,
) -> Run:
    """Solve a spot. Interrupted (Ctrl-C), it gives the best strategies so far.

    Args:
        spot: The spot.
        to: Stop when a best response gains no more than this on average, in per cent of the pot.
        rounds: Stop after so many rounds at most.
        method: `dcfr` or `cfr+`.
        precise: Whether numbers are of 64 bits instead of 32.
        packed: Whether they are kept in 16 bits, which takes half the memory.
        workers: Threads; the result is the same with any number.
        memory: Bytes that may be used; by default most of what is free.
        locks: Mixes that are fixed.
        start: Go on from this.
        progress: Is told the state after some rounds.
        told: Is told what it will take before it begins.
    """
    if method not in METHODS:
        raise UnreadableError(f"there is no method {method!r}; {did_you_mean(method, METHODS)}")
    if not to >= 0 or rounds < 1 or workers < 1:
        raise UnreadableError("to must be 0 or more, and rounds and workers at least 1")
    if precise and packed:
        raise UnreadableError("numbers are either precise (64 bits) or packed (16 bits)")
    if start is None:
        plan = Plan(spot, symmetric=not locks, dtype=np.float64 if precise else np.float32, packed=packed)
        told(estimate(plan, workers))
        check_fits(plan, memory_limit() if memory is None else memory, workers)
        engine = Engine(plan, workers)
        apply_locks(engine, locks)
        found = Run(engine, method, locks=locks)
    else:
        found = _went_on(start, spot, method, locks)
    found.engine.rates = METHODS[method].rates
    found.engine.prepare()  # compiled before the clock starts
    try:
        while found.percent > to and found.rounds < rounds:
            found.improve(min(_next(found), rounds - found.rounds))
            progress(found)
    except KeyboardInterrupt:
        found.interrupted = True
        if found.at == 0:
            raise
    found.settle()
    return found


def _went_on(found: Run, spot: Spot, method: str, locks: tuple[Lock, ...]) -> Run:
    """Work that goes on: of the same spot, by the same method, with the same locks."""
    had, wanted = found.engine.spot.as_dict(), spot.as_dict()
    same = [name for name in PLAYERS if np.allclose(found.engine.spot.free(name), spot.free(name), atol=1e-5)]
    if other := [key for key in {**had, **wanted} if key not in same and had.get(key) != wanted.get(key)]:
        raise UnreadableError(f"this is work on another spot: not the same {', '.join(other)}")
    if method != found.method:
        raise UnreadableError(f"this work was begun by {found.method} and goes on by it, not by {method}")
    if locks != found.locks if found.locks is not None else not locks:
        raise UnreadableError("work with locks goes on with the same locks, and work without them without any")
    if not found.engine.any_locks:
        apply_locks(found.engine, locks)
    found.interrupted, found.locks = False, locks
    if found.last is not None:
        found.engine.set_mean(found.last)
        found.last = None
    if found.now == float("inf"):
        found.take_up()
    return found


def _next(found: Run) -> int:
    """Rounds until the distance is measured again: it should cost about a twentieth of the work."""
    return _FIRST if not found.rounds else max(_EVERY if len(found.engine.plan.streets) > 1 else 2 * _EVERY, 1)


def solution_of(found: Run) -> SpotSolution:
    """What a run has found."""
    engine = found.engine
    half = engine.spot.pot / 2
    ev = (engine.worth(0, VALUE) + half, engine.worth(1, VALUE) + half)
    notes = []
    if found.interrupted:
        notes.append(f"interrupted after {found.rounds} rounds")
    if found.locks:
        notes.append("some play is fixed: this is the equilibrium of what is left free")
    memory = engine.plan.bytes(engine.workers, found.best is not None)
    return SpotSolution(
        engine.plan, InMemory(engine), ev, found.exploitability, found.at, found.seconds, memory, found.method, notes
    )
