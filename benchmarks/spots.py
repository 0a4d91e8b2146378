"""Time to solve the reference spots, beside what postflop-solver took: figures stored with the spots.

postflop-solver (Rust, release build, one thread) ran on a machine like the one these figures were measured on, an AMD
EPYC at two cores; it cannot be installed from here, so its own curve of time and exploitability stands in.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.ratio import Ratio
from mazzo.holdem.solver.spot.solving import Run
from mazzo.holdem.solver.spot.solving import run as solve
from mazzo.holdem.solver.spot.spot import parse_spot

__all__ = ["run"]

_SPOTS = Path(__file__).parent.parent / "tests" / "data" / "spots.json"
_TARGETS = {"river-two-sizes": 0.005, "river-limit": 0.005, "turn-two-sizes": 0.3, "flop-monotone-small": 0.3}
_SIZES = {f"{street}_{kind}": sizes for street in ("flop", "turn", "river")
          for kind, sizes in (("bet", "50%,100%"), ("raise", "3x"))}  # fmt: skip


def _solved(data: dict[str, Any], to: float) -> tuple[float, Run]:
    """Processor seconds without compiling, and the run."""
    spot = parse_spot(data)
    solve(spot, to=100.0, rounds=1)
    started = time.process_time()
    found = solve(spot, to=to)
    return time.process_time() - started, found


def _theirs(reference: dict[str, Any], to: float) -> float:
    """Processor seconds until the peer was there, by its own curve."""
    curve = reference["curve_iterations_cpu_exploitability_pct"]
    return float(next(seconds for _, seconds, percent in curve if percent <= to))


def run() -> Iterator[Ratio]:
    """The reference spots, then a flop with two sizes a street."""
    for name, given in json.loads(_SPOTS.read_text())["spots"].items():
        to, pot = _TARGETS[name], given["spot"]["pot"]
        turns = [_solved(given["spot"], to) for _ in range(3)]
        seconds, found = min(turns, key=lambda turn: turn[0])
        off = abs(found.engine.worth(0) + pot / 2 - given["reference"]["oop_ev"])
        if off > max(0.001, to / 100) * pot:
            raise AssertionError(f"{name}: the value is off by {off} chips")
        peer = _theirs(given["reference"], to)
        yield Ratio(f"{name} to {to} %", seconds, "s", "postflop-solver, stored", peer, bar=1.0)
    data = {
        **json.loads(_SPOTS.read_text())["spots"]["turn-two-sizes"]["spot"],
        "board": "Td9d6h",
        "stack": 400,
        **_SIZES,
    }
    seconds, found = _solved(data, 0.3)
    yield Ratio("flop, two sizes a street, to 0.3 %", seconds, "s")
    yield Ratio("flop, two sizes a street, memory", found.engine.plan.bytes(1, False) / 1e6, "MB")
