"""What a study found, as a report: every figure of the text beside ours, and the charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mazzo.confidence import LEVEL
from mazzo.document import Grid, Report, Run, Section
from mazzo.studies import STUDIES
from mazzo.studies.row import Row, Verdict

__all__ = ["HEAD", "cells", "section_of_run", "study_report", "study_section"]

HEAD = ("what", "the text", "ours", LEVEL, "verdict", "why")


def cells(row: Row) -> tuple[str, ...]:
    """A row under `HEAD`."""
    return row.what, row.text, row.ours, row.interval, row.verdict, row.why


def study_section(name: str, full: bool, results: Sequence[dict[str, Any]]) -> Section:
    """The study's table and charts, from whatever of it is done."""
    study = STUDIES[name]
    rows = study.rows(results)
    words = [
        f"{study.DOCUMENT}. {study.SUMMARY[:1].upper()}{study.SUMMARY[1:]}.",
        _counted(rows),
    ]
    if not full:
        words.append("This is the quick form, made to be run often: its intervals are wide.")
    return Section(
        f"Study {name}",
        words,
        charts=study.charts(results),
        tables=[Grid(HEAD, [cells(row) for row in rows])],
        commands=[f"mazzo study run {name}{' --full' if full else ''}"],
    )


def section_of_run(run: Run) -> Section:
    """The section of what `mazzo study run --json` printed."""
    return study_section(run["study"], run["full"], run["results"])


def _counted(rows: Sequence[Row]) -> str:
    counts = Counter(row.verdict for row in rows)
    words: dict[Verdict, str] = {
        "agrees": "agree with the text",
        "differs": "differ",
        "undecided": "are undecided",
        "added": "are added",
        "not done": "are not done",
    }
    told = [f"{counts[name]} {text}" for name, text in words.items() if counts[name]]
    return f"{len(rows)} rows: {', '.join(told)}."


def study_report(name: str, full: bool, results: Sequence[dict[str, Any]]) -> Report:
    """A report of one study."""
    section = study_section(name, full, results)
    shown = replace(section, title="The text's figures beside ours", words=())
    return Report(section.title, section.words, [shown], [f"mazzo study report {name}{' --full' if full else ''}"])
