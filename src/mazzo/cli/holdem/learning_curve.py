"""Learning curves of `mazzo clone`: as a table and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import print_table
from mazzo.cli.holdem.selection import words
from mazzo.confidence import INTERVAL

__all__ = ["show_curve", "steps_of", "write_curve"]


def steps_of(text: str | None, chart: Path | None) -> list[float]:
    """The shares of `--curve`; a chart asks for the document's three."""
    from mazzo.errors import UnreadableError

    if text is None:
        return [0.01, 0.1, 1.0] if chart else []
    try:
        found = [float(word) for word in words(text)]
    except ValueError:
        found = []
    if not found or not all(0 < share <= 1 for share in found):
        raise UnreadableError(f"--curve takes shares above 0 and at most 1 with commas, as .01,.1,1; got {text!r}")
    return found


def show_curve(judged: list[dict[str, Any]]) -> None:
    """Accuracy and size by how much was learned from."""
    from mazzo.holdem.attributes import STREETS

    table = []
    for street, found in zip(STREETS, judged, strict=True):
        for step in found["curve"]:
            low, high = (100 * k for k in step["ci95"])
            line = [street, f"{step['share']:g}", step["trained_on"], f"{100 * step['accuracy']:.2f}"]
            table.append([*line, f"{low:.2f} .. {high:.2f}", f"{step['size']:.0f}", f"{step['leaves']:.0f}"])
    click.echo("\nLearning curve")
    print_table(["street", "share", "decisions", "accuracy %", INTERVAL, "size", "leaves"], table)


def write_curve(path: Path, judged: list[dict[str, Any]]) -> None:
    """The accuracy of each street by decisions learned from, as SVG."""
    from mazzo.document import Chart, Series
    from mazzo.holdem.attributes import STREETS
    from mazzo.reports.draw import svg

    series = []
    for street, found in zip(STREETS, judged, strict=True):
        steps = found["curve"]
        low, high = ([step["ci95"][k] for step in steps] for k in (0, 1))
        x, y = [float(step["trained_on"]) for step in steps], [step["accuracy"] for step in steps]
        series.append(Series(street, x, y, low, high))
    caption = f"Cross-validated by card set; {INTERVAL}s (Wilson)."
    chart = Chart("Learning curve", "decisions learned from", "accuracy", series, log_x=True, caption=caption)
    path.write_text(svg(chart, standalone=True), encoding="utf-8")
