"""`mazzo study`: the experiments of the documents, run again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import Group, as_json, command, note, print_json, print_table, progress, quiet, workers
from mazzo.confidence import LEVEL
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.workers import Workers

__all__ = ["study"]


@click.group(cls=Group)
def study() -> None:
    """List, run and print the studies of the five documents."""


@command("mazzo study list", name="list")
def list_() -> None:
    """What can be run."""
    from mazzo.studies import STUDIES

    print_table(("study", "what"), [(name, study.SUMMARY) for name, study in sorted(STUDIES.items())])


def _results_file(name: str, full: bool, output: Path | None) -> Path:
    return output or Path(f"study-{name}-{'full' if full else 'quick'}.jsonl")


_output = click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File of results.  [default: study-NAME-quick.jsonl or -full.jsonl]",
)
_full = click.option(
    "--full/--quick", default=False, help="All seeds and all hands: minutes to hours; or few, to be run often."
)
_figures = click.option("--figures", help="Only these figures, separated by commas: 5.1,5.4")


def _chosen(tasks: list[dict[str, Any]], figures: str | None) -> list[dict[str, Any]]:
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
    name: str, full: bool, figures: str | None, output: Path | None, workers: Workers, as_json: bool, quiet: bool
) -> None:
    """Run study NAME, or resume it.

    Results are kept as they come; the same command resumes.
    Parts are found by name: figures may be added to a file of results in any order.
    """
    from mazzo.studies import STUDIES
    from mazzo.studies.parts import missing, open_results, run_parts

    found = STUDIES[name]
    tasks = _chosen(found.tasks(full), figures)
    path = _results_file(name, full, output)
    checkpoint = open_results(path, name, full)
    done = len(tasks) - len(missing(tasks, checkpoint.results))
    note(f"{len(tasks)} parts, {done} of them done; results go to {path}", quiet or as_json)
    results = []
    with progress(name, len(tasks), quiet or as_json) as advance:
        for result in run_parts(checkpoint, name, tasks, workers):
            results.append(result)
            advance(1)
    _show(name, full, results, as_json)


@command(
    "mazzo study report vilella",
    "mazzo study report vilella --full --html vilella.html",
    "mazzo study report aceituno -o aceituno.jsonl --markdown aceituno.md",
)
@click.argument("name")
@_full
@_output
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write a page with charts.")
@click.option(
    "--markdown", type=click.Path(dir_okay=False, path_type=Path), help="Write Markdown, with its charts in a folder."
)
@as_json
def report(name: str, full: bool, output: Path | None, html: Path | None, markdown: Path | None, as_json: bool) -> None:
    """Print what study NAME has found so far, or write it as a page."""
    from mazzo.reports.runs import read_study
    from mazzo.studies.report import study_report

    work, results = read_study(_results_file(name, full, output))
    if work["study"] != name:
        raise UnreadableError(f"these are results of study {work['study']!r}, not of {name!r}")
    made = study_report(name, work["full"], results)
    if html or markdown:
        from mazzo.reports.page import write_html, write_markdown

        if html:
            write_html(made, html)
        if markdown:
            write_markdown(made, markdown)
        note(f"written to {', '.join(str(path) for path in (html, markdown) if path)}")
        return
    _show(name, work["full"], results, as_json)


def _show(name: str, full: bool, results: list[dict[str, Any]], as_json: bool) -> None:
    from mazzo.studies import STUDIES
    from mazzo.studies.parts import in_order
    from mazzo.studies.report import counted
    from mazzo.studies.row import RULE

    results = in_order(name, full, results)
    rows = [row.as_dict() for row in STUDIES[name].rows(results)]
    if as_json:
        print_json({"study": name, "full": full, "rows": rows, "results": results})
        return
    for row in rows:
        click.echo(row["what"])
        printed = f"{row['text']} ({row['where']})" if row["text"] else ""
        for label, words in (("text", printed), ("ours", row["ours"]), (LEVEL, row["interval"])):
            if words:
                click.echo(f"  {label}   {words}")
        click.echo(f"  {row['verdict']}{': ' + row['why'] if row['why'] else ''}\n")
    click.echo(f"{counted(rows)} {RULE}")


study.add_command(list_, "list")
study.add_command(run, "run")
study.add_command(report, "report")
