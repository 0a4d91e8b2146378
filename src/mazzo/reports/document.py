"""A report as data: sections of words, figures, tables and charts; the page and the Markdown are made from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mazzo.reports.chart import Chart

__all__ = ["Figure", "Report", "Section", "Table"]


@dataclass(frozen=True)
class Figure:
    """A number worth a place of its own, with what bounds it."""

    value: str
    what: str
    detail: str = ""
    """Its interval, n and seed, or that it is exact."""


@dataclass(frozen=True)
class Table:
    """Rows under a head; cells that are numbers stand to the right."""

    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    caption: str = ""


@dataclass(frozen=True)
class Section:
    """One thing that was done and what came of it, in the order a person reads it."""

    title: str
    words: Sequence[str] = ()
    figures: Sequence[Figure] = ()
    charts: Sequence[Chart] = ()
    tables: Sequence[Table] = ()
    quotes: Sequence[str] = ()
    """Text kept as it was printed: a decision explained, a tree."""
    commands: Sequence[str] = ()
    """What makes this section's figures again."""


@dataclass(frozen=True)
class Report:
    """A title, some words, and sections."""

    title: str
    words: Sequence[str]
    sections: Sequence[Section]
    commands: Sequence[str] = ()
    """At the foot: what made the report."""
    next_steps: Sequence[tuple[str, str]] = field(default=())
    """What to try next: words and a command."""
