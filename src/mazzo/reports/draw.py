"""Charts drawn as SVG that follows its page: colours are CSS variables, text stays text, light and dark both read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any

from mazzo.reports.chart import Chart, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PALETTE", "svg"]

PALETTE = {
    "ink": ("#22262b", "#e8e4da"),
    "faint": ("#8a8f96", "#8d939b"),
    "series1": ("#1f6f8b", "#5bb5d0"),
    "series2": ("#c2462e", "#f0836a"),
    "series3": ("#5b7a1f", "#a3c65c"),
    "series4": ("#7a4b9a", "#c295e0"),
    "series5": ("#a8731a", "#e0b05a"),
    "series6": ("#3d4a5c", "#a9b8cc"),
}
"""Name to (light, dark): told apart by people who see colours differently, and dark enough for their ground."""

_NAMES = list(PALETTE)
_LINES = [name for name in _NAMES if name.startswith("series")]
_MARKERS = "osD^vP"
_FONT = "system-ui, sans-serif"


def _stand_in(name: str) -> str:
    """What matplotlib is told; replaced by the CSS variable afterwards."""
    return f"#0a0b{_NAMES.index(name):02x}"


def _ink(series: Series, number: int) -> str:
    return _stand_in(_LINES[(number if series.ink is None else series.ink) % len(_LINES)])


def svg(chart: Chart, *, width: float = 7.2, height: float = 3.6, standalone: bool = False) -> str:
    """The chart as an SVG element: to stand in an HTML page, or alone (with its colours inside)."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    ink, faint = _stand_in("ink"), _stand_in("faint")
    style: dict[Any, Any] = {
        "svg.fonttype": "none", "svg.hashsalt": "mazzo", "font.size": 10, "text.color": ink, "axes.labelcolor": ink,
        "xtick.color": ink, "ytick.color": ink, "axes.edgecolor": faint, "axes.spines.top": False,
        "axes.spines.right": False, "grid.color": faint, "grid.alpha": 0.25, "legend.frameon": False,
    }  # fmt: skip
    with rc_context(style):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.subplots()
        axes.grid(axis="y")
        axes.set_axisbelow(True)
        draw = {"line": _lines, "points": _points, "bars": _bars}[chart.kind]
        draw(axes, chart)
        _references(axes, chart)
        axes.set_xlabel(chart.x_label)
        axes.set_ylabel(chart.y_label)
        if chart.log_x:
            axes.set_xscale("log")
        if len(chart.series) > 1 or chart.references:
            axes.legend(fontsize=9, loc="best")
        out = StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _for_a_page(out.getvalue(), chart, standalone)


def _positions(axes: Axes, series: Series, shift: float = 0.0) -> list[float]:
    if all(isinstance(k, int | float) for k in series.x):
        return [float(k) + shift for k in series.x]
    axes.set_xticks(range(len(series.x)), [str(k) for k in series.x])
    if max(len(str(k)) for k in series.x) * len(series.x) > 70:
        axes.tick_params(axis="x", labelrotation=35)
        for label in axes.get_xticklabels():
            label.set_horizontalalignment("right")
    return [k + shift for k in range(len(series.x))]


def _lines(axes: Axes, chart: Chart) -> None:
    for k, series in enumerate(chart.series):
        colour, x = _ink(series, k), _positions(axes, series)
        axes.plot(
            x, list(series.y), color=colour, label=series.label or None, linewidth=1.8, markersize=4.5,
            linestyle="--" if series.dashed else "-", marker=_MARKERS[k % len(_MARKERS)] if len(x) <= 25 else None,
        )  # fmt: skip
        if series.low is not None and series.high is not None:
            axes.fill_between(x, list(series.low), list(series.high), color=colour, alpha=0.18, linewidth=0)


def _points(axes: Axes, chart: Chart) -> None:
    for k, series in enumerate(chart.series):
        shift = (k - (len(chart.series) - 1) / 2) * 0.15 if series.x and isinstance(series.x[0], str) else 0.0
        x = _positions(axes, series, shift)
        axes.errorbar(
            x, list(series.y), yerr=_errors(series), color=_ink(series, k), label=series.label,
            linestyle="none", marker=_MARKERS[k % len(_MARKERS)], markersize=5, capsize=3, elinewidth=1.3,
        )  # fmt: skip


def _bars(axes: Axes, chart: Chart) -> None:
    width = 0.8 / max(1, len(chart.series))
    for k, series in enumerate(chart.series):
        named = Series(series.label, [_tick(v) for v in series.x], series.y, series.low, series.high)
        x = _positions(axes, named, (k - (len(chart.series) - 1) / 2) * width)
        axes.bar(
            x, list(series.y), width=width * 0.92, color=_ink(series, k), label=series.label,
            yerr=_errors(series), ecolor=_stand_in("ink"), capsize=2.5, error_kw={"elinewidth": 1.1},
        )  # fmt: skip
    axes.axhline(0, color=_stand_in("faint"), linewidth=0.8)


def _tick(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _errors(series: Series) -> list[list[float]] | None:
    if series.low is None or series.high is None:
        return None
    below = [max(0.0, y - low) for y, low in zip(series.y, series.low, strict=True)]
    above = [max(0.0, high - y) for y, high in zip(series.y, series.high, strict=True)]
    return [below, above]


def _references(axes: Axes, chart: Chart) -> None:
    for k, (label, height) in enumerate(chart.references):
        axes.axhline(height, color=_stand_in("faint"), linewidth=1.2, linestyle=("--", ":", "-.")[k % 3], label=label)


def _for_a_page(raw: str, chart: Chart, standalone: bool) -> str:
    text = raw[raw.index("<svg") :]
    for name in _NAMES:
        text = text.replace(_stand_in(name), f"var(--{name})")
    text = re.sub(r"font: ([0-9.]+px) [^;\"]*", rf"font: \1 {_FONT}", text)
    # Several charts share a page: the ids of one must not be those of another.
    mark = blake2b(repr(chart).encode(), digest_size=4).hexdigest()
    text = re.sub(r'\bid="', f'id="c{mark}-', text)
    text = re.sub(r'(href="#|url\(#)', rf"\1c{mark}-", text)
    text = re.sub(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"', r"<svg \1", text, count=1)  # as wide as its place
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    head = f'<svg role="img" aria-label="{escape(_spoken(chart))}" '
    text = text.replace("<svg ", head, 1)
    return text.replace(">", f"><style>{_colours()}</style>", 1) if standalone else text


def _colours() -> str:
    def rule(which: int) -> str:
        return "svg{" + "".join(f"--{name}:{pair[which]};" for name, pair in PALETTE.items()) + "}"

    return rule(0) + f"@media (prefers-color-scheme: dark){{{rule(1)}}}"


def _spoken(chart: Chart) -> str:
    """What somebody hears who cannot see the chart: each series by its ends."""
    parts = [f"{chart.title}."]
    parts += [f"{s.label}: {_ends(s.x, s.y)}." for s in chart.series if len(s.y)]
    return " ".join(parts)


def _ends(x: Sequence[Any], y: Sequence[float]) -> str:
    first = f"{y[0]:.4g} at {_tick(x[0])}"
    return first if len(y) == 1 else f"{first} to {y[-1]:.4g} at {_tick(x[-1])}"
