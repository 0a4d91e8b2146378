"""What a chart shows, as data: whoever measures makes one, `mazzo.reports` draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Chart", "Series"]


@dataclass(frozen=True)
class Series:
    """One line, cloud of points or row of bars; `low` and `high` are its 95 % interval where it has one."""

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
