"""`mazzo report`: runs as one page."""

from __future__ import annotations

from pathlib import Path

import click

from mazzo.cli.common import command, note

__all__ = ["report"]


@command(
    "mazzo report match.json study-aceituno-quick.jsonl -o report.html",
    "mazzo report *.json --title 'This week' -o report.md",
)
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("mazzo-report.html"),
    show_default=True,
    help="Page to write: .html, or .md with its charts in a folder.",
)
@click.option("--title", default="A report", show_default=True)
def report(runs: tuple[Path, ...], output: Path, title: str) -> None:
    """Write results as one HTML page that needs nothing else.

    RUNS are what commands print with --json, or files of studies.
    """
    from mazzo.document import Report
    from mazzo.reports.page import write_html, write_markdown
    from mazzo.reports.runs import section_of

    names = " ".join(str(path) for path in runs)
    made = Report(title, (), [section_of(path) for path in runs], [f"mazzo report {names} -o {output}"])
    (write_markdown if output.suffix == ".md" else write_html)(made, output)
    note(f"written to {output}")
