"""Charts and trees as SVG that follows its page: colours are CSS variables, text stays text, in light and dark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from html import escape
from io import StringIO
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from mazzo.document import Branch, Chart, Section, Series, ShareBar

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ON_ANY_GROUND", "PALETTE", "bar_svg", "svg", "tree_svg"]

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

ON_ANY_GROUND = {
    "ink": "currentColor",
    "faint": "#8a8f96",
    "series1": "#2b86aa",
    "series2": "#cf523a",
    "series3": "#668f1d",
    "series4": "#9866bb",
    "series5": "#ad7a1e",
    "series6": "#6d7f98",
}
"""The same colours where nobody knows whether the ground is light or dark, as in a notebook: text is as around it."""

_NAMES = list(PALETTE)
_LINES = [name for name in _NAMES if name.startswith("series")]
_SHARES = ("series1", "faint", "series2")
"""Of a bar of shares: what is won, what is shared, what is lost."""
_MARKERS = "osD^vP"
_DASHES = ("-", ":", "-.")
"""Of the lines that share a colour, where there are more lines than colours."""
_FONT = "system-ui, sans-serif"


def _stand_in(name: str) -> str:
    """What matplotlib is told; replaced by the CSS variable afterwards."""
    return f"#0a0b{_NAMES.index(name):02x}"


def _ink(series: Series, number: int) -> str:
    return _stand_in(_LINES[(number if series.ink is None else series.ink) % len(_LINES)])


def _label(series: Series) -> str | None:
    """As the legend shows it: matplotlib leaves out names that begin with an underscore, which a player's may."""
    return f"\u200b{series.label}" if series.label.startswith("_") else series.label or None


def svg(chart: Chart, *, width: float = 7.2, height: float = 3.6, standalone: bool = False) -> str:
    """The chart as an SVG element: to stand in an HTML page, or alone (with its colours inside)."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    ink, faint = _stand_in("ink"), _stand_in("faint")
    style: dict[Any, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": "mazzo",
        "font.size": 10,
        "text.color": ink,
        "axes.labelcolor": ink,
        "xtick.color": ink,
        "ytick.color": ink,
        "axes.edgecolor": faint,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "grid.color": faint,
        "grid.alpha": 0.25,
        "legend.frameon": False,
        "text.parse_math": False,
    }
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
        if standalone:
            axes.set_title(chart.title)
        if len(chart.series) > 1 or chart.references or (standalone and chart.series[0].label):
            axes.legend(fontsize=9, loc="best")
        out = StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _for_a_page(out.getvalue(), chart, standalone)


def bar_svg(bar: ShareBar) -> str:
    """Shares of a whole as one bar; the name and figure of a part stand on it where there is room."""
    parts, left = [], 0.0
    for number, (what, share) in enumerate(bar.parts):
        width, words = 600 * share, f"{what} {share:.1%}"
        colour = _SHARES[number % len(_SHARES)]
        box = f'x="{left:.2f}" y="0" width="{width:.2f}" height="34" fill="var(--{colour})"'
        parts.append(f"<rect {box}><title>{escape(words)}</title></rect>")
        if width > _LETTER * len(words):
            parts.append(_svg_text(left + width / 2, 22, words, more=' fill="#fff" font-weight="600"'))
        left += width
    spoken = escape(f"{bar.title}: " + ", ".join(f"{what} {share:.1%}" for what, share in bar.parts), quote=True)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 34" role="img" aria-label="{spoken}" '
    return "".join([head, f'font-family="{_FONT}" font-size="14" style="max-width:600px">', *parts, "</svg>"])


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
            x,
            list(series.y),
            color=colour,
            label=_label(series),
            linewidth=1.8,
            markersize=4.5,
            linestyle="--" if series.dashed else _DASHES[k // len(_LINES) % 3 if series.ink is None else 0],
            marker=_MARKERS[k % len(_MARKERS)] if len(x) <= 25 else None,
        )
        if series.low is not None and series.high is not None:
            axes.fill_between(x, list(series.low), list(series.high), color=colour, alpha=0.18, linewidth=0)


def _points(axes: Axes, chart: Chart) -> None:
    for k, series in enumerate(chart.series):
        shift = (k - (len(chart.series) - 1) / 2) * 0.15 if series.x and isinstance(series.x[0], str) else 0.0
        x = _positions(axes, series, shift)
        axes.errorbar(
            x,
            list(series.y),
            yerr=_errors(series),
            color=_ink(series, k),
            label=_label(series),
            linestyle="none",
            marker=_MARKERS[k % len(_MARKERS)],
            markersize=5,
            capsize=3,
            elinewidth=1.3,
        )


def _bars(axes: Axes, chart: Chart) -> None:
    width = 0.8 / max(1, len(chart.series))
    for k, series in enumerate(chart.series):
        named = Series(series.label, [_tick(v) for v in series.x], series.y, series.low, series.high)
        x = _positions(axes, named, (k - (len(chart.series) - 1) / 2) * width)
        axes.bar(
            x,
            list(series.y),
            width=width * 0.92,
            color=_ink(series, k),
            label=_label(series),
            yerr=_errors(series),
            ecolor=_stand_in("ink"),
            capsize=2.5,
            error_kw={"elinewidth": 1.1},
        )
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


_TITLE_FONT = ' font-size="15" font-weight="600"'


def grids_svg(section: Section) -> str:
    """The coloured grids of a section as one picture, one below the other, under its title."""
    cell, line = 34, 24
    widest = max((len(str(grid.head[0])) for grid in section.tables), default=0)
    left = max(78, 8 * widest + 20)  # a bold letter is at most 8 wide on average
    columns = max((len(grid.head) for grid in section.tables), default=1) - 1
    width = left + columns * cell + 16
    titles = wrap(section.title, (width - 16) // 9) or [""]
    parts = [_svg_text(8, 20 + 20 * k, words, "start", _TITLE_FONT) for k, words in enumerate(titles)]
    y = 24.0 + 20 * len(titles)
    for grid in section.tables:
        parts.append(_svg_text(8, y, grid.head[0], "start", ' font-weight="600"'))
        parts += [_svg_text(left + (k + 0.5) * cell, y, head) for k, head in enumerate(grid.head[1:])]
        y += 8
        for row, inks in zip(grid.rows, grid.inks, strict=True):
            parts.append(_svg_text(left - 8, y + 16, row[0], "end"))
            for k, (text, ink) in enumerate(zip(row[1:], inks[1:], strict=True)):
                box = f'x="{left + k * cell}" y="{y:g}" width="{cell}" height="{line}"'
                parts.append(f'<rect {box} fill="{escape(ink or "none", quote=True)}" stroke="#999"/>')
                parts.append(_svg_text(left + (k + 0.5) * cell, y + 16, text))
            y += line
        y += 1.1 * line
    lines = [words for text in section.words for words in wrap(text, (width - 16) // 6)]
    parts += [_svg_text(8, y + 14 * k, words, "start", ' font-size="10"') for k, words in enumerate(lines)]
    height = y + 14 * len(lines)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" width="{width}" height="{height:g}" '
        f'font-family="system-ui, sans-serif" font-size="13" role="img" '
        f'aria-label="{escape(section.title, quote=True)}">'
    )
    ground = f'<rect width="{width}" height="{height:g}" fill="#ffffff"/>'
    return "\n".join([head, ground, *parts, "</svg>"])


def _svg_text(x: float, y: float, text: object, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{more}>{escape(str(text))}</text>'


_LINE, _INDENT, _LETTER = 26, 40, 8


def tree_svg(tree: Branch) -> str:
    """A tree as a picture of its own: every branch a line, indented by depth, joined to the one above it."""
    rows: list[tuple[int, int, Branch]] = []  # depth, row of the branch above, branch

    def place(branch: Branch, depth: int, above: int) -> None:
        rows.append((depth, above, branch))
        row = len(rows) - 1
        for each in branch.below:
            place(each, depth + 1, row)

    place(tree, 0, -1)
    width = max(_INDENT * depth + _LETTER * len(str(branch)) + 40 for depth, _, branch in rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_LINE * len(rows) + 30}" '
        f'font-family="monospace" font-size="13" role="img"><title>{escape(tree.text)}</title>'
        f"<style>{_colours()}</style>"
    ]
    for number, (depth, above, branch) in enumerate(rows):
        x, y = 20 + _INDENT * depth, 24 + _LINE * number
        if above >= 0:
            path = f"M{x - 28} {32 + _LINE * above}V{y - 4}H{x - 6}"
            parts.append(f'<path d="{path}" fill="none" stroke="var(--faint)"/>')
        parts.append(f'<text x="{x}" y="{y}" fill="var(--{branch.ink})">{escape(str(branch))}</text>')
    return "\n".join([*parts, "</svg>", ""])
