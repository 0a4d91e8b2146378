"""`mazzo demo`: the main job, from logged hands to a report."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from mazzo.cli.common import command

__all__ = ["demo"]


@command("mazzo demo", "mazzo demo --quick", "mazzo demo --again -o everything.html")
@click.option("--quick", is_flag=True, help="A fifth of the hands.")
@click.option("--again", is_flag=True, help="Do everything anew, also what an earlier demo has done.")
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), default=Path("mazzo-demo"), show_default=True,
    help="Where its log, models and runs go.",
)  # fmt: skip
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), default=Path("mazzo-report.html"),
    show_default=True, help="The page to write.",
)  # fmt: skip
def demo(quick: bool, again: bool, folder: Path, output: Path) -> None:
    """Learn a hero, measure it, solve a shoe, play tressette and tournaments, and write it all as one page."""
    from mazzo.demo import report_of, run_demo, steps
    from mazzo.reports.page import write_html

    todo = steps(quick)
    place = folder / ("quick" if quick else "full")
    runs = {}
    doing = run_demo(place, todo, again)
    for number, step in enumerate(todo, 1):
        click.echo(f"[{number}/{len(todo)}] {step.what}\n        $ {shlex.join(step.command)}")
        _, runs[step.key], seconds = next(doing)
        took = f"{seconds:.1f} s" if seconds else "done before"
        click.echo(f"        {step.told(runs[step.key])}  ({took})")
    write_html(report_of(runs, quick), output)
    click.echo(f"\nThe report is in {output}: open it in a browser. Logs, models and runs are in {place}.")
