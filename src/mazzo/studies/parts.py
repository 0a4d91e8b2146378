"""Parts of a study by name: what is done is found by it, wherever it stands in the file of results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mazzo.studies import STUDIES
from mazzo.workers import Checkpoint, Workers

__all__ = ["in_order", "missing", "open_results", "part_name", "run_parts"]


def part_name(task: dict[str, Any]) -> str:
    """A task's name: its figure, and all else that it says."""
    rest = [f"{key}={_plain(task[key])}" for key in sorted(task) if key != "figure"]
    return " ".join([f"{task['figure']}:", *rest])


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, separators=(",", ":"))


def open_results(path: Path, study: str, full: bool) -> Checkpoint:
    """The file of a study's results; parts of any figures may be added to it at any time."""
    return Checkpoint(path, {"study": study, "full": full})


def missing(tasks: Sequence[dict[str, Any]], results: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The tasks of which there is no result yet."""
    done = {result.get("part") for result in results}
    return [task for task in tasks if part_name(task) not in done]


class _Part:
    """Does one part of a study, and writes its name beside what was found."""

    def __init__(self, study: str) -> None:
        self.study = study

    def __call__(self, task: dict[str, Any]) -> dict[str, Any]:
        return {"part": part_name(task), **STUDIES[self.study].run(task)}


def run_parts(
    checkpoint: Checkpoint, study: str, tasks: Sequence[dict[str, Any]], workers: Workers = 1
) -> Iterator[dict[str, Any]]:
    """Do what is missing; every result of the file that belongs to these tasks, then new ones as they come."""
    names = {part_name(task) for task in tasks}
    yield from [result for result in checkpoint.results if result.get("part") in names]
    yield from checkpoint.add(_Part(study), missing(tasks, checkpoint.results), workers)


def in_order(study: str, full: bool, results: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Results in the order of the study's tasks; those of no task (of an older form of the study) come last."""
    order = {part_name(task): k for k, task in enumerate(STUDIES[study].tasks(full))}
    return sorted(results, key=lambda result: order.get(result.get("part", ""), len(order)))
