"""A report as one HTML page that needs nothing else, and as Markdown with its charts in files beside it."""

from __future__ import annotations

import base64
import re
from functools import cache
from pathlib import Path
from typing import Any

from mazzo.confidence import LEVEL
from mazzo.document import Chart, Grid, Report, Section
from mazzo.files import write_whole
from mazzo.reports.cards import card_svg
from mazzo.reports.draw import ON_ANY_GROUND, PALETTE, bar_svg, svg
from mazzo.version import __version__

__all__ = ["fragment", "html", "markdown", "write_html", "write_markdown"]


@cache
def _environment() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("mazzo.reports", "."), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.globals.update(
        svg=svg,
        bar_svg=bar_svg,
        anchor=_anchor,
        numeric_columns=_numeric_columns,
        card_image=_card_image,
        palette=PALETTE,
        on_any_ground=ON_ANY_GROUND,
        version=__version__,
        level=LEVEL,
    )
    return environment


def html(report: Report) -> str:
    """The whole page; what it says is escaped, only our own charts go in as they are."""
    page: str = _environment().get_template("page.html").render(report=report)
    return page


def fragment(section: Section) -> str:
    """One section as a piece of HTML that brings its own look: what a notebook shows of a result."""
    piece: str = _environment().get_template("fragment.html").render(section=section)
    return piece


def _card_image(deck: str, card: str | None) -> str:
    """A card's picture as an address that needs no server; None is the back."""
    picture = card_svg(deck, card or "back")
    return f"data:image/svg+xml;base64,{base64.b64encode(picture.encode()).decode()}"


def write_html(report: Report, path: Path) -> None:
    """Write the page; a page half written never takes the place of a whole one."""
    write_whole(path, html(report))


def write_markdown(report: Report, path: Path) -> None:
    """Write the report as Markdown, its charts as SVG files in a folder of the same name."""
    folder = path.with_suffix("")
    charts = [chart for section in report.sections for chart in section.charts]
    if charts:
        folder.mkdir(parents=True, exist_ok=True)
    for chart in charts:
        write_whole(folder / f"{_anchor(chart.title)}.svg", svg(chart, standalone=True))
    write_whole(path, markdown(report, folder.name))


def markdown(report: Report, charts_in: str) -> str:
    """The report as Markdown; charts are looked for in folder `charts_in`."""
    parts = [f"# {report.title}", *report.words]
    for section in report.sections:
        parts += _section(section, charts_in)
    parts += [f"- {words}: `{command}`" for words, command in report.next_steps]
    if report.commands:
        parts.append("Made by " + ", ".join(f"`{command}`" for command in report.commands) + ".")
    return "\n\n".join(parts) + "\n"


def _section(section: Section, charts_in: str) -> list[str]:
    parts = [f"## {section.title}", *section.words]
    parts += [f"**{f.value}** {f.what}{f' ({f.detail})' if f.detail else ''}" for f in section.figures]
    for chart in section.charts:
        parts += [f"![{chart.title}]({charts_in}/{_anchor(chart.title)}.svg)", _under(chart)]
    for table in section.tables:
        parts += [_table(table), *([f"*{table.caption}*"] if table.caption else [])]
    parts += [f"```text\n{quote.rstrip()}\n```" for quote in section.quotes]
    if section.commands:
        parts.append("\n".join(f"    {command}" for command in section.commands))
    return parts


def _under(chart: Chart) -> str:
    return f"*{chart.title}. {chart.caption}*".replace(". *", ".*")


def _table(table: Grid) -> str:
    def line(cells: Any) -> str:
        return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

    rule = "|" + "|".join("--:" if right else "---" for right in _numeric_columns(table)) + "|"
    return "\n".join([line(table.head), rule, *(line(row) for row in table.rows)])


def _numeric_columns(table: Grid) -> list[bool]:
    return [all(_is_number(row[k]) for row in table.rows) for k in range(len(table.head))]


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _is_number(cell: object) -> bool:
    return bool(re.match(r"[+\-\u2212]?[\d.,]+( ?%)?$", str(cell).strip()))
