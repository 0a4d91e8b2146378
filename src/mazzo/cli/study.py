"""`mazzo study`: the experiments of the documents, run again."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import as_json, command, note, print_json, print_table, progress, quiet, workers
from mazzo.errors import UnreadableError, did_you_mean

__all__ = ["study"]


@click.group()
def study() -> None:
    """List the studies, run one, print what it found."""


def _module(name: str) -> Any:
    from mazzo.studies import STUDIES

    if name not in STUDIES:
        raise UnreadableError(f"there is no study {name!r}; {did_you_mean(name, STUDIES)}")
    return import_module(STUDIES[name])


@study.command(name="list")
def list_() -> None:
    """What can be run."""
    from mazzo.studies import STUDIES

    print_table(("study", "what"), [(name, _module(name).SUMMARY) for name in sorted(STUDIES)])


def _results_file(name: str, full: bool, output: Path | None) -> Path:
    return output or Path(f"study-{name}-{'full' if full else 'quick'}.jsonl")


_output = click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file of results.")
_full = click.option("--full", is_flag=True, help="All seeds and all hands (an hour and more).")
_figures = click.option("--figures", help="Only these, with commas: 5.1,5.4")


def _chosen(module: Any, full: bool, figures: str | None) -> list[Any]:
    tasks: list[Any] = module.tasks(full)
    if figures is None:
        return tasks
    wanted = [figure.strip() for figure in figures.split(",")]
    known = {task["figure"] for task in tasks}
    for figure in wanted:
        if figure not in known:
            raise UnreadableError(f"there is no figure {figure!r} in this study; {did_you_mean(figure, known)}")
    return [task for task in tasks if task["figure"] in wanted]


@command("mazzo study run vilella", "mazzo study run vilella --full --figures 5.1,5.2 --workers 2 -o vilella.jsonl")
@click.argument("name")
@_full
@_figures
@_output
@workers
@as_json
@quiet
def run(
    name: str, full: bool, figures: str | None, output: Path | None, workers: int, as_json: bool, quiet: bool
) -> None:
    """Run study NAME; results are kept as they come, and the same command goes on where it stopped."""
    from mazzo.arena.workers import Checkpoint

    module = _module(name)
    tasks = _chosen(module, full, figures)
    path = _results_file(name, full, output)
    checkpoint = Checkpoint(path, {"study": name, "full": full, "figures": figures, "tasks": len(tasks)})
    note(f"{len(tasks)} parts, {len(checkpoint.results)} of them done; results go to {path}", quiet or as_json)
    results = []
    with progress(name, len(tasks), quiet or as_json) as advance:
        for result in checkpoint.run(module.run, tasks, workers):
            results.append(result)
            advance(1)
    _show(module, results, as_json)


@command("mazzo study report vilella", "mazzo study report vilella --full --json")
@click.argument("name")
@_full
@_output
@as_json
def report(name: str, full: bool, output: Path | None, as_json: bool) -> None:
    """Print what a study has found so far."""
    import json

    path = _results_file(name, full, output)
    module = _module(name)
    try:
        results = [json.loads(line) for line in path.read_text().splitlines()[1:]]
        rows = [result for result in results if isinstance(result, dict) and "figure" in result]
    except (OSError, ValueError) as wrong:
        raise UnreadableError(f"cannot read {path}: {wrong}; run the study first") from None
    _show(module, rows, as_json)


def _show(module: Any, results: list[Any], as_json: bool) -> None:
    if as_json:
        print_json({"results": results})
        return
    head = ("figure", "text", "ours", "95 %", "verdict", "why")
    print_table(head, [(r.what, r.text, r.ours, r.interval, r.verdict, r.why) for r in module.rows(results)])


study.add_command(run, "run")
study.add_command(report, "report")
