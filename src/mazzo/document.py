"""What is shown, as data: sections of words, figures, grids and charts. `mazzo.reports` draws it."""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

__all__ = [
    "Branch",
    "CardRow",
    "Chart",
    "Figure",
    "Grid",
    "InWords",
    "Report",
    "Run",
    "Section",
    "Series",
    "ShareBar",
    "Shown",
    "between",
    "command_of",
    "drawn",
    "plain",
    "render_with",
    "settings",
    "signed",
]


@dataclass(frozen=True)
class Series:
    """One line, cloud of points or row of bars; `low` and `high` are its interval where it has one."""

    label: str
    """Its name in the legend; empty for none."""
    x: Sequence[float] | Sequence[str]
    """Numbers, or names (bars, or a line over categories)."""
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    dashed: bool = False
    ink: int | None = None
    """Colour by number, where two series belong together; else each has the next one."""


@dataclass(frozen=True)
class Chart:
    """A figure: series over common axes, with reference lines (a bound, the text's figure) across it."""

    title: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    kind: Literal["line", "points", "bars"] = "line"
    references: Sequence[tuple[str, float]] = field(default=())
    """Horizontal lines: what each is, and its height."""
    log_x: bool = False
    caption: str = ""
    """n, seed and what the interval is, in a sentence."""


@dataclass(frozen=True)
class Branch:
    """A line of a tree: what holds there; at an end what is answered; the branches below it."""

    text: str
    answer: str = ""
    """Empty but at an end: `CALL (42/3)`."""
    ink: str = "ink"
    """The colour of an answer, one of the names that `mazzo.reports.draw.PALETTE` has."""
    below: Sequence[Branch] = ()

    def __str__(self) -> str:
        return ": ".join(part for part in (self.text, self.answer) if part)


@dataclass(frozen=True)
class Figure:
    """A number worth a place of its own, with what bounds it."""

    value: str
    what: str
    detail: str = ""
    """Its interval, n and seed, or that it is exact."""


@dataclass(frozen=True)
class Grid:
    """Rows under a head; cells that are numbers stand to the right."""

    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    caption: str = ""
    inks: Sequence[Sequence[str]] = ()
    """The colour behind each cell (`#f4d35e`, empty for none), by row; empty for a grid without colours."""


@dataclass(frozen=True)
class CardRow:
    """Cards side by side: a player's, or the board."""

    label: str
    deck: str
    """`french` or `italian`."""
    cards: Sequence[str | None]
    """None is a card that is not shown."""
    note: str = ""


@dataclass(frozen=True)
class ShareBar:
    """Shares of a whole as one bar: what each part is, and how much of 1."""

    title: str
    parts: Sequence[tuple[str, float]]


@dataclass(frozen=True)
class Section:
    """One thing that was done and what came of it, in the order a person reads it."""

    title: str
    words: Sequence[str] = ()
    figures: Sequence[Figure] = ()
    charts: Sequence[Chart] = ()
    tables: Sequence[Grid] = ()
    quotes: Sequence[str] = ()
    """Text kept as it was printed: a decision explained, a tree."""
    commands: Sequence[str] = ()
    """What makes this section's figures again."""
    cards: Sequence[CardRow] = ()
    bars: Sequence[ShareBar] = ()


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


_renderer: str = ""


def render_with(where: str) -> None:
    """Say what turns a section into HTML, `"package.module:function"`: this module is below whatever draws."""
    global _renderer
    _renderer = where


def drawn(section: Section) -> str | None:
    """A section as a piece of HTML; None where nothing that draws was named."""
    if not _renderer:
        return None
    module, _, name = _renderer.partition(":")
    render: Callable[[Section], str] = getattr(import_module(module), name)
    return render(section)


class Shown(ABC):
    """A result that prints readably and is drawn in a notebook: it only says what is to be shown."""

    @abstractmethod
    def section(self) -> Section:
        """What is to be shown of it."""

    def __str__(self) -> str:
        return plain(self.section())

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.section().title}>"

    def _repr_html_(self) -> str | None:
        return drawn(self.section())  # None: the notebook shows the text


class InWords(Shown):
    """A batch that prints in words where it is of one decision, and else says how many there are."""

    @abstractmethod
    def __len__(self) -> int:
        """How many decisions there are."""

    @abstractmethod
    def words(self) -> Sequence[str]:
        """What is seen at the one decision of a batch of one, in a few parts."""

    def card_rows(self) -> Sequence[CardRow]:
        """The cards seen at the one decision of a batch of one, where they can be drawn."""
        return ()

    def section(self) -> Section:
        """One decision in words and cards; of several only how many there are."""
        if len(self) != 1:
            return Section(str(self))
        return Section("What the player to act sees", self.words(), cards=self.card_rows())

    def __str__(self) -> str:
        return "; ".join(self.words()) if len(self) == 1 else f"{len(self)} decisions"

    def __repr__(self) -> str:
        return f"<{self}>"


def settings(title: str, values: Mapping[str, object], words: Sequence[str] = ()) -> Section:
    """Settings by name as a section: rules, an agent's parameters."""
    rows = [(name, _setting(value)) for name, value in values.items()]
    return Section(title, words, tables=[Grid(("setting", "value"), rows)] if rows else [])


def _setting(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def plain(section: Section) -> str:
    """A section as text for a terminal: its title, words, figures and grids. Charts are left out."""
    parts = [section.title] if section.title else []
    parts += section.words
    parts += [
        f"{row.label}: {' '.join(card or '??' for card in row.cards)}{f'  {row.note}' if row.note else ''}"
        for row in section.cards
    ]
    parts += [
        f"{figure.value}  {figure.what}{f' ({figure.detail})' if figure.detail else ''}" for figure in section.figures
    ]
    parts += [_plain_grid(grid) for grid in section.tables]
    parts += section.quotes
    return "\n".join(parts)


def _plain_grid(grid: Grid) -> str:
    rows = [[str(cell) for cell in row] for row in (grid.head, *grid.rows) if row]
    widths = [max(len(row[k]) for row in rows if k < len(row)) for k in range(max(map(len, rows), default=0))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in rows]
    return "\n".join([*lines, *([grid.caption] if grid.caption else [])])


Run = Mapping[str, Any]
"""What a command printed with `--json`: its data, `kind`, `version` and `command`."""


def command_of(run: Run) -> list[str]:
    """The command line that made a run."""
    return [shlex.join(run["command"])]


def signed(value: float, digits: int = 4) -> str:
    """A number with its sign."""
    return f"{value:+.{digits}f}"


def between(ends: Any, digits: int = 4) -> str:
    """An interval."""
    return f"{signed(ends[0], digits)} to {signed(ends[1], digits)}"
