"""The steps of the demo done: several at a time, each as soon as the files it reads are there, told in their order."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mazzo.demo.steps import Step
from mazzo.document import Run
from mazzo.errors import MazzoError
from mazzo.version import __version__
from mazzo.warm import warm

__all__ = ["run_demo"]

_LOOK = 0.5  # seconds between looks at what else can be begun

PREPARE = (
    "learn few.log -o few.mz --regressor boosted --trees 3 --iterations 2 --quiet",
    "match holdem-limit-2p few.mz random --hands 20 --quiet",
)
"""Compiles what the second step and the third need, while the first is done."""


def run_demo(
    folder: Path,
    todo: Sequence[Step],
    again: bool = False,
    workers: int = 1,
    is_complete: Callable[[], bool] = lambda: True,
) -> Iterator[tuple[Step, Run, float]]:
    """Do each step that is not done yet; yields it in order with its data and the seconds it took (0 if it was there).

    Args:
        folder: Where files and results go.
        todo: The steps in the order of the story.
        again: Do also what was done before.
        workers: How many steps may be done at the same time.
        is_complete: Whether all packages are installed, without which some steps are not begun; raises if they will
            never be.
    """
    folder.mkdir(parents=True, exist_ok=True)
    kept = _kept_before(folder, todo, again)
    doing = _Doing(folder, [step for step in todo if step.key not in kept], is_complete)
    for number in range(workers):
        threading.Thread(target=doing.work, args=(number > 0,), name=f"demo {number}", daemon=True).start()
    try:
        for step in todo:
            if step.key in kept:
                yield step, kept[step.key], 0.0
            else:
                yield step, *doing.result(step)
    finally:
        doing.stop()


def _kept_before(folder: Path, todo: Sequence[Step], again: bool) -> dict[str, Run]:
    """What earlier demos found, but for steps that read a file which has to be made anew."""
    kept: dict[str, Run] = {}
    remade: set[str] = set()
    for step in todo:
        stale = again or not remade.isdisjoint(step.arguments)
        run = None if stale else _kept(folder / f"{step.key}.json", step, folder)
        if run is None:
            remade.add(step.makes)
        else:
            kept[step.key] = run
    return kept


def _kept(path: Path, step: Step, folder: Path) -> Run | None:
    try:
        run = json.loads(path.read_text())
    except (OSError, ValueError):
        return None
    whole = isinstance(run, dict) and run.get("command") == step.command and run.get("version") == __version__
    return run if whole and (not step.makes or (folder / step.makes).exists()) else None


class _Doing:
    """Steps that wait, are done by several threads, and have been done."""

    def __init__(self, folder: Path, waiting: list[Step], is_complete: Callable[[], bool]) -> None:
        self._folder, self._waiting, self._is_complete = folder, waiting, is_complete
        self._to_make = {step.makes for step in waiting if step.makes}
        self._done: dict[str, tuple[Run, float]] = {}
        self._failed: BaseException | None = None
        self._stopped = False
        self._changed = threading.Condition()

    def work(self, prepares: bool) -> None:
        """Do steps until none is left; a thread that prepares first compiles for the second step."""
        try:
            if prepares and any(step.makes == "hero.mz" for step in self._waiting):
                warm([PREPARE], 1)
            while (step := self._take()) is not None:
                began = time.perf_counter()
                run = _do(step, self._folder, self._folder / f"{step.key}.json")
                self._finish(step, run, time.perf_counter() - began)
        except BaseException as error:  # said by `result`, in the caller's thread
            with self._changed:
                self._failed = self._failed or error
                self._changed.notify_all()

    def _take(self) -> Step | None:
        """The first step that can be begun; None when there is nothing more to begin."""
        with self._changed:
            while self._waiting and not self._stopped and self._failed is None:
                complete = self._is_complete()
                for step in self._waiting:
                    unmade = (self._to_make - {step.makes}) & {*step.arguments}
                    if not unmade and (complete or not step.more):
                        self._waiting.remove(step)
                        return step
                self._changed.wait(_LOOK)
            return None

    def _finish(self, step: Step, run: Run, seconds: float) -> None:
        with self._changed:
            self._done[step.key] = run, seconds
            self._to_make.discard(step.makes)
            self._changed.notify_all()

    def result(self, step: Step) -> tuple[Run, float]:
        """What came of a step, as soon as it is done; raises what made a step fail."""
        with self._changed:
            while step.key not in self._done:
                if self._failed is not None:
                    raise self._failed
                self._changed.wait(_LOOK)
            return self._done[step.key]

    def stop(self) -> None:
        """Begin no more."""
        with self._changed:
            self._stopped = True


def _do(step: Step, folder: Path, path: Path) -> Run:
    if step.makes:
        (folder / step.makes).unlink(missing_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", "mazzo", *step.arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise MazzoError(
            f"{' '.join(step.command)} failed (exit code {done.returncode}); it said: {done.stderr.strip()}"
        )
    path.write_text(done.stdout)
    run: Run = json.loads(done.stdout)
    return run
