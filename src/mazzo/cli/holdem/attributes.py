"""`mazzo attributes`: what can be said of a decision."""

from __future__ import annotations

from typing import Any

import click

from mazzo.cli.common import as_json, command, note, print_json, print_table, quiet
from mazzo.cli.holdem.selection import make_selection, selecting

__all__ = ["attributes"]


@command(
    "mazzo attributes",
    "mazzo attributes --categories ODDS_AND_OUTS,RIVER",
    "mazzo attributes --prefix HISTORY --players 6",
    "mazzo attributes --no-redundant --json",
    "mazzo attributes --attributes examples/pot_odds.py:pot_odds",
)
@selecting
@click.option("--players", type=click.IntRange(2, 10), default=3, show_default=True, help="Players at the table.")
@as_json
@quiet
def attributes(players: int, as_json: bool, quiet: bool, **options: Any) -> None:
    """List the attributes that describe a decision.

    Kischka's 113 (at a table of three), Vilella's 70, and your own.
    """
    from mazzo.holdem.attributes import REGISTRY, schema_names

    chosen = [REGISTRY[name] for name in make_selection(options).of(schema_names(players, own=True))]
    if as_json:
        keys = ("name", "type", "prefix", "category", "streets", "values", "fact", "redundant", "section", "doc")
        print_json({"attributes": [{key: getattr(a, key) for key in keys} for a in chosen]})
        return
    rows = []
    for a in chosen:
        values = "numeric" if a.type == "numeric" else f"{len(a.values)} values" if a.values else "betting"
        streets = "".join(street[0] for street in a.streets)
        rows.append((a.name, values, a.prefix, a.category, streets, "redundant" if a.redundant else "", a.doc))
    print_table(("attribute", "values", "prefix", "category", "streets", "", "what"), rows)
    note(f"{len(chosen)} attributes ({sum(a.listed for a in chosen)} of Kischka's list)", quiet)
