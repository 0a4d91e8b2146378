"""What a study found, as a report: every figure of the text beside ours, and the charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mazzo.confidence import LEVEL
from mazzo.document import Grid, Report, Run, Section
from mazzo.studies import STUDIES
from mazzo.studies.parts import in_order, missing
from mazzo.studies.row import RULE, Row, Verdict

__all__ = ["HEAD", "cells", "counted", "section_of_run", "study_report", "study_section"]

HEAD = ("what", "the document", "where", "ours", LEVEL, "verdict", "why")
_KEYS = ("what", "text", "where", "ours", "interval", "verdict", "why")


def cells(row: Row) -> tuple[str, ...]:
    """A row under `HEAD`."""
    shown = row.as_dict()
    return tuple(shown[key] for key in _KEYS)


def study_section(name: str, full: bool, results: Sequence[dict[str, Any]]) -> Section:
    """The study's table and charts, from whatever of it is done."""
    study = STUDIES[name]
    results = in_order(name, full, results)
    rows = study.rows(results)
    words = [
        f"{study.DOCUMENT}. {study.SUMMARY[:1].upper()}{study.SUMMARY[1:]}.",
        counted([row.as_dict() for row in rows]),
        RULE,
        f"What did not reproduce, and why. {study.NOT_REPRODUCED}",
    ]
    undone = missing(study.tasks(full), results)
    left = len(undone)
    if left:
        words.append(f"{left} of {len(study.tasks(full))} parts are not done yet: {_by_figure(undone)}.")
    if not full:
        words.append("This is the quick form, made to be run often: its intervals are wide.")
    return Section(
        f"Study {name}",
        words,
        charts=study.charts(results),
        tables=[Grid(HEAD, [cells(row) for row in rows])],
        commands=[f"mazzo study run {name}{' --full' if full else ''}"],
    )


def _by_figure(undone: Sequence[dict[str, Any]]) -> str:
    """How many parts of each figure."""
    counts = Counter(str(task["figure"]) for task in undone)
    return ", ".join(f"{count} of {figure}" for figure, count in counts.items())


def section_of_run(run: Run) -> Section:
    """The section of what `mazzo study run --json` printed."""
    return study_section(run["study"], run["full"], run["results"])


_COUNTED: dict[Verdict, str] = {
    "agrees": "agree with the document",
    "differs": "differ",
    "undecided": "are undecided",
    "not comparable": "are not comparable",
    "added": "are added",
    "not done": "are not done",
}


def counted(rows: Sequence[dict[str, Any]]) -> str:
    """How many rows have which verdict."""
    counts = Counter(row["verdict"] for row in rows)
    told = [f"{counts[name]} {text}" for name, text in _COUNTED.items() if counts[name]]
    return f"{len(rows)} rows: {', '.join(told)}."


def study_report(name: str, full: bool, results: Sequence[dict[str, Any]]) -> Report:
    """A report of one study."""
    section = study_section(name, full, results)
    shown = replace(section, title="The document's figures beside ours", words=())
    return Report(section.title, section.words, [shown], [f"mazzo study report {name}{' --full' if full else ''}"])
