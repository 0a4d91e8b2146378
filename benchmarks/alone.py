"""Long matches and the evaluator alone, without starting and compiling, against another revision.

`python -m benchmarks.alone BASE` runs the source of BASE and the source as it stands in turns, as `against_revision`
does, and prints the ratio of processor times with its 95 % interval. A match alone is a long one less a short one.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.against_revision import KEPT, ROOT, Revision, checked_out, interval
from benchmarks.work import Work

_SHORT = 2_000
_MATCHES = {
    "six at no-limit": ("holdem-nolimit-6p utility rich chart random call patient", 13_200, 121_200),
    "a clone v random, heads-up limit": ("holdem-limit-2p clone.mz random", 52_000, 202_000),
    "random v random, heads-up limit": ("holdem-limit-2p random random", 1_002_000, 4_002_000),
}
"""What is played, and how many hands at the base and now."""
_CLONE = (
    "generate holdem-limit-2p rich random --hands 5000 --seed 1 -o two.log --quiet",
    "clone two.log --hero rich -o clone.mz --folds 0 --seed 1 --quiet",
)
_SEVENS = """
import time
import numpy as np
from mazzo.holdem.showdown import evaluate
cards = np.argsort(np.random.default_rng(1).random((400_000, 52)), axis=1)[:, :7].astype(np.uint8)
evaluate(cards)
took = []
for _ in range(60):
    began = time.process_time()
    evaluate(cards)
    took.append(time.process_time() - began)
print(min(took))
"""


def _seconds(revision: Revision, line: str) -> float:
    ran = revision.run(Work(line))
    if ran.code:
        raise SystemExit(f"{revision.name}: mazzo {line}\n{ran.err}")
    return ran.seconds


def _per_hand(revision: Revision, what: str, hands: int) -> float:
    line = f"match {what} --seed 1 --quiet --hands"
    return (_seconds(revision, f"{line} {hands}") - _seconds(revision, f"{line} {_SHORT}")) / (hands - _SHORT)


def _sevens(revision: Revision) -> float:
    environment = {**os.environ, "PYTHONPATH": str(revision.source)}
    if revision.cache is not None:
        environment["MAZZO_CACHE"] = str(revision.cache)
    call = [sys.executable, "-c", _SEVENS]
    return float(subprocess.run(call, env=environment, capture_output=True, text=True, check=True).stdout)


def _compare(what: str, then: Callable[[], float], now: Callable[[], float], repeats: int) -> None:
    ratios = []
    for turn in range(repeats):
        if turn % 2:
            after, before = now(), then()
        else:
            before, after = then(), now()
        ratios.append(after / before)
    mean, low, high = interval(ratios)
    print(f"{what} | {mean:.3f} | {low:.3f}-{high:.3f} | {1 / mean:.2f} times as fast", flush=True)


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.alone", description=__doc__)
    parser.add_argument("base", help="a revision of this repository: a commit, a tag, a branch")
    parser.add_argument("--repeats", type=int, default=4, help="turns, 2 or more (4)")
    given = parser.parse_args()
    name, source = checked_out(given.base)
    with tempfile.TemporaryDirectory(prefix="mazzo-bench-") as folder:
        base = Revision(name, source, Path(folder) / "base", KEPT / f"{name}-cache")
        here = Revision("now", ROOT / "src", Path(folder) / "now")
        for revision in (base, here):
            revision.folder.mkdir()
            for line in _CLONE:
                _seconds(revision, line)
            for players, *_ in _MATCHES.values():
                _seconds(revision, f"match {players} --seed 1 --quiet --hands {_SHORT}")  # compiles
        print("what | now/base | 95 % interval | speed")
        _compare("seven cards valued", lambda: _sevens(base), lambda: _sevens(here), given.repeats)
        for what, (players, then, now) in _MATCHES.items():
            _compare(
                what,
                lambda players=players, hands=then: _per_hand(base, players, hands),  # type: ignore[misc]
                lambda players=players, hands=now: _per_hand(here, players, hands),  # type: ignore[misc]
                given.repeats,
            )


if __name__ == "__main__":
    main()
