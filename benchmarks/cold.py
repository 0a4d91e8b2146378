"""What one waits for: commands, a hand at a table and the first page, with nothing compiled yet and once all is.

`python -m benchmarks cold`; another source than the installed one: `PYTHONPATH=src python -m benchmarks cold`.
"""

from __future__ import annotations

import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import mazzo
from benchmarks.ratio import Ratio

__all__ = ["LONG", "WAITS", "Wait", "run"]

_ROUND = "me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; lead avv1; play 8d 2s 9d 3d"
_REPEATS = 3
_FIRST_PAGE = 2.0  # seconds on the clock
_LONGEST = 600.0  # seconds that a server may take to answer at all


@dataclass(frozen=True)
class Wait:
    """Something a person waits for, and the processor seconds it may take."""

    what: str
    line: str
    """The command, or `sit GAME` for a hand at a table as the browser has it."""
    cold: float = 6.0
    """With nothing compiled."""
    warm: float = 0.9
    """Once all is."""

    @property
    def words(self) -> list[str]:
        """The arguments of Python that run it."""
        first, *rest = shlex.split(self.line)
        if first == "import":
            return ["-c", self.line]
        if first == "sit":
            return ["-c", f"from mazzo.warm import sit_down; sit_down({rest[0]!r})"]
        return ["-m", "mazzo", first, *rest]


NUMBA = Wait("import numba", "import numba")
"""How fast the machine is just now: budgets are for one that takes 0.43 s; a busy one takes longer for everything."""
HELP = Wait("mazzo --help", "--help", warm=0.15)
WAITS = (
    Wait("equity", "equity AsKd --board 7h8h2c"),
    Wait("blackjack ev", "blackjack ev"),
    Wait("match, rich v random", "match holdem-limit-2p rich random --hands 10000 --quiet"),
    Wait("match, tressette", "match tressette decision greedy --deals 200 --quiet"),
    Wait("hands FILE", "hands hands.log"),
    Wait("equity, three ranges", "equity QQ+ --against AKs --against JJ --board 7h8h2c"),
    Wait("generate, 500 hands", "generate holdem-limit-2p chart random --hands 500 --seed 1 -o new.log --quiet"),
    Wait("solve game", "solve game leduc-2p --until 0.01 -o leduc.mz --quiet"),
    Wait("exploit", "exploit random --game leduc-2p"),
    Wait("exploit, a lower bound", "exploit chart --game holdem-limit-2p --hands 200", warm=2),
    Wait("league", "league holdem-limit-2p chart random call --hands 2000"),
    Wait("match --aivat", "match holdem-limit-2p chart rich --hands 2000 --aivat --quiet", cold=9),
    Wait("clone, 500 hands", "clone hands.log --hero chart -o small.mz --folds 0 --quiet", cold=10, warm=2),
    Wait("learn, 5,000 hands", "learn random.log -o hero.mz --regressor boosted --quiet", cold=25, warm=15),
    Wait(
        "solve a river spot",
        "solve spot --board Td9d6hQc3s --oop 66+,A8s+,KQo --ip QQ-22,AQs-A2s --pot 200 --stack 400 "
        "--bets 50%,100% --raises 3x --quiet",
        cold=15,
        warm=3,
    ),
    Wait("a sampler's move", f"explain sampler '{_ROUND}'", cold=8, warm=2),
    *(Wait(f"first hand at a table, {game}", f"sit {game}", 8, 2) for game in ("holdem", "blackjack", "tressette")),
)
LONG = Wait("clone of 100,000 hands", "clone many.log --hero rich -o rich.mz --folds 0 --quiet", warm=60)
"""Measured once, compiled."""

_LOGS = (
    "generate holdem-limit-2p chart random --hands 500 --seed 1 -o hands.log --quiet",
    "generate holdem-limit-2p random random --hands 5000 --seed 1 -o random.log --quiet",
    "generate holdem-limit-3p rich call random --hands 100000 --seed 1 -o many.log --quiet",
    "clone hands.log --hero chart -o chart.mz --folds 0 --quiet",  # compiles what the long one needs
)


def run() -> Iterator[Ratio]:
    """Each on an empty cache, then several times with what that left."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # a server may still be compiling into it
        here = Path(folder)
        for line in _LOGS:
            _seconds(Wait("", line), here, here / "cache-of-logs")
        yield Ratio("import numba", min(_seconds(NUMBA, here, here) for _ in range(_REPEATS)), "s")
        yield Ratio(HELP.what, min(_seconds(HELP, here, here) for _ in range(_REPEATS)), "s", most=HELP.warm)
        for number, wait in enumerate(WAITS):
            cache = here / f"cache-{number}"
            yield Ratio(f"{wait.what}, nothing compiled", _seconds(wait, here, cache), "s", most=wait.cold)
            warm = min(_seconds(wait, here, cache) for _ in range(_REPEATS))
            yield Ratio(f"{wait.what}, all compiled", warm, "s", most=wait.warm)
        yield Ratio(LONG.what, _seconds(LONG, here, here / "cache-of-logs"), "s", most=LONG.warm)
        first = min(_first_page(here, here / f"cache-of-page-{k}") for k in range(_REPEATS))
        yield Ratio("first page in the browser, on the clock", first, "s", most=_FIRST_PAGE)


def _environment(here: Path, cache: Path) -> dict[str, str]:
    environment = {**os.environ, "MAZZO_CACHE": str(cache), "MAZZO_DATA": str(here / "data")}
    environment.pop("NUMBA_CACHE_DIR", None)
    environment["PYTHONPATH"] = str(Path(mazzo.__file__).parents[1])  # the source that is measured, from any folder
    return environment


def _seconds(wait: Wait, here: Path, cache: Path) -> float:
    """What it takes of all processors, its own processes included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, *wait.words]
    done = subprocess.run(command, cwd=here, env=_environment(here, cache), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{wait.line} failed: {done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _first_page(here: Path, cache: Path) -> float:
    """From typing `mazzo serve` to the first page, on the clock, with nothing compiled."""
    command = [sys.executable, "-m", "mazzo", "serve", "--no-browser", "--port", "0", "--data", str(here / "web")]
    began = time.perf_counter()
    with subprocess.Popen(
        command, cwd=here, env=_environment(here, cache), stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stderr is not None
            address = next(word for word in server.stderr.readline().split() if word.startswith("http"))
            while time.perf_counter() - began < _LONGEST:
                try:
                    with urlopen(address, timeout=_LONGEST) as page:
                        page.read()
                    break
                except URLError:
                    time.sleep(0.02)
            return time.perf_counter() - began
        finally:
            server.terminate()
            server.wait(20)


if __name__ == "__main__":
    for one in run():
        print(" | ".join(one.cells()), flush=True)
