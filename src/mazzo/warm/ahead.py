"""Compile ahead: the kernels of the usual commands, by running each once with little to do.

Whatever is compiled is kept, so warming goes on where it stopped, and a command that needs a kernel meanwhile waits for
it instead of compiling it as well (`mazzo.jit`).
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from mazzo.errors import UnreadableError, did_you_mean
from mazzo.folders import cache_directory

__all__ = [
    "PARTS",
    "Warmed",
    "commands_of",
    "mark_warm",
    "sit_down",
    "start_in_background",
    "stop_background",
    "warm",
]

_LEARN = "learn few.log -o few.mz --regressor boosted --trees 3 --iterations 2 --quiet"
_CLONE = "clone three.log --hero rich -o rich.mz --folds 2 --quiet"

PARTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "holdem": (
        ("match holdem-limit-2p rich random --hands 20 --quiet",),
        ("equity AsKd --board 7h8h2c", "equity AhKh --against QQ+,AKs"),
        ("match holdem-nolimit-6p utility rich chart random call patient --hands 12 --quiet",),
        ("generate holdem-limit-2p chart random --hands 20 -o new.log --quiet",),
        ("hands few.log --stats",),
        ("solve spot --board Td9d6hQc3s --oop AA,KQs --ip QQ,JTs --pot 20 --stack 40 --bets 50% --to 10 --quiet",),
    ),
    "blackjack": (("blackjack ev",), ("blackjack hand 8,8 v 10", "blackjack chart")),
    "tressette": (
        ("match tressette decision greedy --deals 2 --quiet",),
        ("match tressette sampler:samples=2 greedy --deals 1 --quiet", "tressette solve --seed 7"),
        (
            "match tressette search:walks=20 policy --deals 1 --quiet",
            'tressette advise "me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; score 0 0; lead me"',
        ),
    ),
    "learn": (
        (
            _LEARN,
            "match holdem-limit-2p few.mz random --hands 20 --quiet",
        ),
        ("match holdem-limit-3p rich call random --hands 120 --log three.log --quiet", _CLONE, "read rich.mz"),
    ),
    "web": (("sit holdem",), ("sit blackjack",), ("sit tressette",)),
}
"""By part of Mazzo, commands; those of one row need what the ones before them wrote. Each row has a `few.log`."""

_FEW_HANDS = Path(__file__).with_name("few.log")  # 60 hands of two random players, to read and to learn from

# who sits at the tables that the browser offers first
_SEATS = {
    "holdem": ["utility", "chart", "patient"],
    "blackjack": ["chart", "count"],
    "tressette": ["decision-improved", "belief-improved", "decision-improved", "belief-improved"],
}
_MOST_ACTIONS = 200  # of a hand at a table, so that nothing can go on for ever
_LONGEST = 900.0  # seconds a command may take: they take seconds


@dataclass
class Warmed:
    """What came of it."""

    done: int = 0
    missing: list[str] = field(default_factory=list)
    """Lines that install the parts that were left out."""
    failed: list[str] = field(default_factory=list)
    """Commands that failed, with what they said."""


def commands_of(parts: Sequence[str]) -> list[tuple[str, ...]]:
    """The rows of commands of these parts, or of all."""
    for part in parts:
        if part not in PARTS:
            raise UnreadableError(f"there is no part {part!r} to warm; {did_you_mean(part, PARTS)}")
    return [row for part in parts or PARTS for row in PARTS[part]]


def warm(rows: Sequence[tuple[str, ...]], workers: int, advance: Callable[[float], None] = lambda done: None) -> Warmed:
    """Run the rows, several at a time. Interrupted, it ends what it began; what was compiled stays."""
    found, running = Warmed(), _Running()
    with tempfile.TemporaryDirectory(prefix="mazzo-warm-") as folder, ThreadPoolExecutor(workers) as pool:
        begun = [pool.submit(_row, row, Path(folder) / str(k), running) for k, row in enumerate(rows)]
        try:
            for future in as_completed(begun):
                done, problem = future.result()
                found.done += done
                if problem and "pip install" in problem:
                    found.missing.append(problem)
                elif problem:
                    found.failed.append(problem)
                advance(1)
        except BaseException:
            running.end()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return found


class _Running:
    """The processes under way, so that they can be ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._processes: set[subprocess.Popen[str]] = set()
        self._ended = False

    def run(self, command: list[str], folder: Path) -> tuple[int, str]:
        """A process's exit code and what it said last."""
        with self._lock:
            if self._ended:
                return 130, "interrupted"
            process = subprocess.Popen(
                command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=_environment()
            )
            self._processes.add(process)
        try:
            _, said = process.communicate(timeout=_LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            _, said = process.communicate()
        finally:
            with self._lock:
                self._processes.discard(process)
        return process.returncode, (said.strip().splitlines() or [""])[-1]

    def end(self) -> None:
        """End all, and begin no more."""
        with self._lock:
            self._ended = True
            for process in self._processes:
                process.terminate()


def _environment() -> dict[str, str]:
    return {**os.environ, "MAZZO_DATA": tempfile.gettempdir()}


def _row(row: tuple[str, ...], folder: Path, running: _Running) -> tuple[int, str]:
    """How many commands of a row were done, and what the one that failed said."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(_FEW_HANDS, folder)
    for done, line in enumerate(row):
        code, said = running.run(_as_process(line), folder)
        if code:
            return done, said if "pip install" in said else f"mazzo {line}: {said}"
    return len(row), ""


def _as_process(line: str) -> list[str]:
    first, *rest = shlex.split(line)
    if first == "sit":
        return [sys.executable, "-c", f"from mazzo.warm import sit_down; sit_down({rest[0]!r})"]
    return [sys.executable, "-m", "mazzo", first, *rest]


def sit_down(game: str) -> None:
    """Play a hand at a table of agents, as the browser's tables play it."""
    from mazzo.sitting import Sitting

    with tempfile.TemporaryDirectory() as folder:
        sitting = Sitting.start(Path(folder) / "table.jsonl", game, _SEATS[game], {}, 1)
        sitting.game.prepare()
        for _ in range(_MOST_ACTIONS):
            if not sitting.agents_turn:
                break
            sitting.let_agent_act()
        sitting.close()


def start_in_background(parts: Sequence[str]) -> subprocess.Popen[bytes] | None:
    """Warm in processes of their own that give way to others; None if that was done before with this source."""
    if all(_stamp(part).exists() for part in parts):
        return None
    command = [sys.executable, "-m", "mazzo", "warm", "--gently", "--quiet", *parts]
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )


def stop_background(warming: subprocess.Popen[bytes] | None) -> None:
    """End a warming that may be under way, with all its processes; what it compiled stays."""
    if warming is None or warming.poll() is not None:
        return
    with suppress(OSError):  # it has just ended
        if hasattr(os, "killpg"):
            os.killpg(warming.pid, signal.SIGTERM)
        else:
            warming.terminate()
    with suppress(subprocess.TimeoutExpired):
        warming.wait(10)


def mark_warm(parts: Sequence[str]) -> None:
    """Note that parts have been warmed."""
    for part in parts or PARTS:
        with suppress(OSError):
            _stamp(part).parent.mkdir(parents=True, exist_ok=True)
            _stamp(part).touch()


def _stamp(part: str) -> Path:
    """The file that says that a part was warmed with the source as it is: a change anywhere asks for it again."""
    return cache_directory() / "warmed" / f"{part}-{_source()}"


@cache
def _source() -> str:
    digest = hashlib.blake2b(digest_size=10)
    for file in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()
