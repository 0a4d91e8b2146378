"""All heavy work goes through here: tasks on one core, several, or a cluster, in order, with progress, resumable.

Results do not depend on the number of workers because tasks carry all they need (seed included) and come back in the
order they were given. Where `workers` is asked for, a number is processes on this machine and a text the address of a
Dask scheduler (`tcp://10.0.0.5:8786`, or `local` for a cluster started here).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from mazzo.errors import UnreadableError

__all__ = ["Checkpoint", "Workers", "joblib_jobs", "pieces", "run"]

Workers = int | str
"""Processes on this machine, or the address of a Dask scheduler."""

_PIECES_FOR_A_CLUSTER = 64

Task = TypeVar("Task")
Result = TypeVar("Result")


def run(function: Callable[[Task], Result], tasks: Iterable[Task], workers: Workers = 1) -> Iterator[Result]:
    """Apply `function` to each task, yielding results in order as they come.

    With one worker everything happens in this process and lazily: stop asking, and no more work is done.
    """
    if isinstance(workers, str):
        from mazzo.cluster import run_on_cluster

        return run_on_cluster(function, tasks, workers)
    if workers < 1:
        raise UnreadableError(f"workers must be a whole number from 1 up, got {workers}")
    if workers == 1:
        return map(function, tasks)
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=workers, return_as="generator", pre_dispatch=2 * workers)
    results: Iterator[Result] = parallel(delayed(function)(task) for task in tasks)
    return results


def pieces(workers: Workers) -> int:
    """How many tasks work should at least be cut into, so that every worker has something to do."""
    if isinstance(workers, str):
        return _PIECES_FOR_A_CLUSTER
    return 4 * workers if workers > 1 else 1


@contextmanager
def joblib_jobs(workers: Workers) -> Iterator[int]:
    """What to give as `n_jobs` to those who use joblib themselves (scikit-learn does); inside, they use the cluster."""
    if not isinstance(workers, str):
        yield workers
        return
    from joblib import parallel_config

    from mazzo.cluster import connected

    with connected(workers) as client, parallel_config("dask", client=client):
        yield -1


class Checkpoint:
    """Results of finished tasks in a file of JSON lines, so that long work can go on where it stopped.

    The first line says which work the file belongs to; another work's file is refused, never overwritten. Every
    result is on disk before the next is asked for; a last line cut short by a crash is dropped.
    """

    def __init__(self, path: Path, work: dict[str, Any]) -> None:
        self.path = path
        self._header = {"work": work, "fingerprint": _fingerprint(work)}
        self.results: list[Any] = self._read()

    def _read(self) -> list[Any]:
        try:
            if not self.path.exists():
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self.path.write_text(json.dumps(self._header) + "\n")
                return []
            raw = self.path.read_bytes()
        except OSError as error:
            raise UnreadableError(f"cannot keep a checkpoint in {self.path}: {error.strerror}") from None
        whole, _, torn = raw.rpartition(b"\n")
        if torn:
            with self.path.open("r+b") as file:
                file.truncate(len(whole) + 1 if whole else 0)
        lines = whole.splitlines()
        try:
            header = json.loads(lines[0]) if lines else {}
            results = [json.loads(line) for line in lines[1:]]
        except ValueError:
            raise UnreadableError(f"{self.path} is not a checkpoint of Mazzo; move it away or name another") from None
        if not isinstance(header, dict) or header.get("fingerprint") != self._header["fingerprint"]:
            raise UnreadableError(f"{self.path} belongs to other work ({header}); move it away or name another")
        return results

    def run(self, function: Callable[[Task], Result], tasks: Sequence[Task], workers: Workers = 1) -> Iterator[Result]:
        """Like `run`, but tasks whose results are in the file are not done again. Results must be JSON data."""
        yield from self.results
        yield from self.add(function, tasks[len(self.results) :], workers)

    def add(self, function: Callable[[Task], Result], tasks: Sequence[Task], workers: Workers = 1) -> Iterator[Result]:
        """Do all of these tasks, and keep their results after those that are in the file."""
        with self.path.open("a") as file:
            for result in run(function, tasks, workers):
                file.write(json.dumps(result) + "\n")
                file.flush()
                os.fsync(file.fileno())
                self.results.append(result)
                yield result


def _fingerprint(work: dict[str, Any]) -> str:
    return hashlib.blake2b(json.dumps(work, sort_keys=True).encode(), digest_size=12).hexdigest()
