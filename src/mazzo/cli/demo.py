"""`mazzo demo`: the main job, from logged hands to a report."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mazzo.cli.common import command
from mazzo.errors import MazzoError

if TYPE_CHECKING:
    from mazzo.demo import Step
    from mazzo.document import Run

__all__ = ["demo"]

_INSTALLING = 1200.0  # seconds that the rest of an installation may take
_PAGES = ("jinja2", "matplotlib")


@command("mazzo demo", "mazzo demo --quick", "mazzo demo --again -o everything.html")
@click.option("--quick", is_flag=True, help="Play a fifth of the hands.")
@click.option("--again", is_flag=True, help="Start over, ignoring what an earlier demo has done.")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("mazzo-demo"),
    show_default=True,
    help="Folder for the log, models and results.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("mazzo-report.html"),
    show_default=True,
    help="Page to write; it grows while the demo runs.",
)
@click.option("--open/--no-open", "show", default=True, help="Open the page, where there is a screen.  [default: open]")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=min(os.cpu_count() or 1, 4),
    show_default="one per processor, at most 4",
    help="Steps to run at the same time.",
)
@click.option("--after", type=click.Path(path_type=Path), hidden=True)  # made when all packages are there (Makefile)
def demo(quick: bool, again: bool, folder: Path, output: Path, show: bool, workers: int, after: Path | None) -> None:
    """Run the main job of all three games and write one page.

    Learns a hero, measures it, clones a player, solves a shoe, plays tressette and tournaments.
    """
    from mazzo.demo import run_demo, steps
    from mazzo.extras import require

    require("sklearn", *(() if after else ("polars", *_PAGES)))
    is_complete = _arrives(after) if after else lambda: True
    todo = steps(quick)
    place = folder / ("quick" if quick else "full")
    page = _Page(output, quick, show and _has_screen(), is_complete)
    doing = run_demo(place, todo, again, max(workers, 2), is_complete)
    for number, step in enumerate(todo, 1):
        click.echo(f"{click.style(f'[{number}/{len(todo)}]', bold=True)} {step.what}")
        click.secho(f"        $ {shlex.join(step.command)}", dim=True)
        _, run, seconds = next(doing)
        _draw(step)
        took = f"{seconds:.1f} s" if seconds else "done before"
        click.echo(f"        {click.style(step.told(run), fg='green')}  ({took})")
        page.add(step, run)
    page.finish()
    click.echo(f"\nThe report is in {output}: open it in a browser. Logs, models and runs are in {place}.")
    click.echo(_what_next(place))


def _draw(step: Step) -> None:
    from mazzo.cli.drawn import cards_drawn

    for row in step.cards:
        click.echo(f"        {row.label}:")
        for line in cards_drawn(row.cards, row.deck).rstrip().splitlines():
            click.echo(f"          {line}")


def _what_next(place: Path) -> str:
    mazzo = _own_path()
    return "\n".join(
        [
            "What to type next:",
            f"  {mazzo} serve                          # sit down yourself, with a coach (or: make serve)"
            if mazzo != "mazzo"
            else "  mazzo serve                          # sit down yourself, with a coach",
            f"  {mazzo} play holdem-nolimit-6p         # the same in this terminal",
            f"  {mazzo} explain {place / 'hero.mz'} 'MATCHSTATE:0:0:rc/:KsKh|/Ad7c2h'",
            f"  {mazzo} --help",
        ]
    )


def _own_path() -> str:
    """What to type for `mazzo` here: where it is, unless it is on the PATH."""
    from shutil import which

    beside = Path(sys.executable).with_name("mazzo")
    found = which("mazzo")
    if not beside.exists() or (found and Path(found).resolve() == beside.resolve()):
        return "mazzo"
    try:
        return str(beside.relative_to(Path.cwd()))
    except ValueError:
        return str(beside)


def _has_screen() -> bool:
    """Whether a page can be shown to somebody."""
    if os.environ.get("CI") or not sys.stdout.isatty():
        return False
    return sys.platform in ("darwin", "win32") or any(os.environ.get(k) for k in ("DISPLAY", "WAYLAND_DISPLAY"))


def _arrives(file: Path) -> Callable[[], bool]:
    """Whether a file that says that all is installed is there; an error once it is plain that it never will be."""
    until = time.monotonic() + _INSTALLING
    file = file.absolute()
    failed = file.with_name(f"{file.name}-failed")

    def is_there() -> bool:
        if file.exists():
            return True
        if failed.exists() or time.monotonic() > until:
            raise MazzoError("the rest of Mazzo could not be installed; to see why: make setup")
        return False

    return is_there


class _Page:
    """The report, written again whenever a section is added to it, and opened once."""

    def __init__(self, path: Path, quick: bool, show: bool, can_draw: Callable[[], bool]) -> None:
        self._path, self._quick, self._show, self._can_draw = path, quick, show, can_draw
        self._runs: dict[str, Run] = {}
        self._written = 0

    def add(self, step: Step, run: Run) -> None:
        """One more run; the page is written if that completes a section and what draws it is there."""
        self._runs[step.key] = run
        if self._can_draw():
            self._write()

    def finish(self) -> None:
        """The whole page."""
        while not self._can_draw():
            time.sleep(0.2)
        self._write()

    def _write(self) -> None:
        from mazzo.demo import report_of
        from mazzo.reports.page import write_html

        report = report_of(self._runs, self._quick)
        if len(report.sections) == self._written:
            return
        write_html(report, self._path)
        self._written = len(report.sections)
        if self._show:
            import webbrowser

            self._show = False
            webbrowser.open(self._path.absolute().as_uri())
            click.echo(f"        the report has begun: {self._path} (load it again to read on)")
