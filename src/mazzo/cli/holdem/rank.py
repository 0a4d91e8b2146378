"""`mazzo rank`: which attributes tell most about a player's decisions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import as_json, command, print_json, print_table, quiet
from mazzo.cli.holdem.clone import read_decisions
from mazzo.cli.holdem.selection import make_selection, selecting

__all__ = ["rank"]


@command(
    "mazzo rank match.log --hero rich#1",
    "mazzo rank match.log --hero rich#1 --list all --top 15 --subsets --chart gain.svg",
    "mazzo rank rows/ --json",
)
@click.argument("logs", nargs=-1, required=True)
@click.option("--hero", help="Player whose decisions are ranked; not needed for a recorder's folder.")
@click.option("--top", type=click.IntRange(min=1), default=10, show_default=True, help="Attributes shown per street.")
@click.option("--subsets", is_flag=True, help="Also the correlation-based subsets (Hall 1999): best first and greedy.")
@click.option("--chart", type=click.Path(dir_okay=False, path_type=Path), help="Draw the information gains, as SVG.")
@click.option("--game", help="Game of the log, where the log does not say.")
@click.option("--chips", help="Rescale amounts to these blinds, such as 5/10.")
@selecting
@as_json
@quiet
def rank(
    logs: tuple[str, ...],
    hero: str | None,
    top: int,
    subsets: bool,
    chart: Path | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Rank attributes by how much they tell about a player.

    By information gain and symmetrical uncertainty, for the actions of one player in LOGS.
    """
    from mazzo.holdem.attributes import STREETS
    from mazzo.holdem.cloning.select import best_first, greedy, information_gain, symmetrical_uncertainty

    selection = make_selection(options)
    data, _ = read_decisions(logs, hero, [selection] * len(STREETS), options, quiet or as_json)
    found: dict[str, dict[str, Any]] = {}
    for street, rows in zip(STREETS, data, strict=True):
        found[street] = {
            "decisions": len(rows),
            "information_gain": information_gain(rows),
            "symmetrical_uncertainty": symmetrical_uncertainty(rows),
        }
        if subsets:
            found[street] |= {"best_first": list(best_first(rows)), "greedy": list(greedy(rows))}
    if chart:
        _draw(chart, found, top)
    if as_json:
        print_json({"streets": found})
        return
    for street, one in found.items():
        click.echo(f"\n{street}, {one['decisions']} decisions")
        pairs = zip(one["information_gain"][:top], one["symmetrical_uncertainty"][:top], strict=True)
        head = ["information gain", "bits", "symmetrical uncertainty", "share"]
        print_table(head, [[a, f"{bits:.4f}", b, f"{share:.4f}"] for (a, bits), (b, share) in pairs])
        if subsets:
            click.echo(f"best first: {', '.join(one['best_first'])}\ngreedy: {', '.join(one['greedy'])}")


def _draw(path: Path, found: dict[str, dict[str, Any]], top: int) -> None:
    from mazzo.document import Chart, Series
    from mazzo.reports.draw import svg

    names = list(dict.fromkeys(name for one in found.values() for name, _ in one["information_gain"][:top]))
    series = []
    for street, one in found.items():
        gains = dict(one["information_gain"])
        series.append(Series(street, names, [gains.get(name, 0.0) for name in names]))
    chart = Chart("Information gain about the action", "attribute", "bits", series, kind="bars")
    path.write_text(svg(chart, standalone=True), encoding="utf-8")
