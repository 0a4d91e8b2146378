"""`mazzo read`: what a clone has learned, in words and as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import as_json, command, note, print_json, print_table, quiet
from mazzo.cli.holdem.selection import words
from mazzo.files import write_whole

__all__ = ["read"]

_DRAWN = 6
"""How deep a tree is drawn: what is below would not be read in a picture."""


@command("mazzo read rich.mz", "mazzo read rich.mz --street flop --svg flop.svg", "mazzo read rich.mz --rules --json")
@click.argument("model", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--street", help="Only this street: preflop, flop, turn, river.")
@click.option("--rules", is_flag=True, help="As sentences, those that decide most first.")
@click.option(
    "--whole", is_flag=True, help="The playing tree or rules themselves, however large; else what can be read."
)
@click.option("--depth", type=click.IntRange(min=1), default=99, help="Print trees to this depth.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw the tree of --street.")
@click.option("--attributes", help="Attributes of yours that it looks at, as FILE.py:NAME with commas.")
@as_json
@quiet
def read(
    model: Path,
    street: str | None,
    rules: bool,
    whole: bool,
    depth: int,
    svg: Path | None,
    attributes: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the tree or rules of MODEL, with its thresholds.

    Each leaf says how many decisions it was learned from.
    """
    from mazzo.errors import UnreadableError, did_you_mean
    from mazzo.holdem.attributes import STREETS, load_named
    from mazzo.holdem.cloning.clone import Clone
    from mazzo.holdem.cloning.reading import plain_rules, thresholds, tree_outline, tree_text
    from mazzo.reports.draw import tree_svg

    load_named(words(attributes))
    clone = Clone.load(model)
    if street is not None and street.upper() not in STREETS:
        raise UnreadableError(f"there is no street {street!r}; {did_you_mean(street, [s.lower() for s in STREETS])}")
    if svg and street is None:
        raise UnreadableError("a picture shows one street: say which with --street")
    chosen = [k for k, name in enumerate(STREETS) if street is None or name == street.upper()]
    found: dict[str, Any] = {}
    for k in chosen:
        playing = clone.streets[k]
        beside = None if whole else clone.readings[k]
        part = beside or playing
        text = tree_text(part, depth) if part.kind == "tree" and not rules else ""
        found[STREETS[k]] = {
            "kind": playing.kind,
            "decisions": playing.settings.get("rows"),
            "actions": playing.settings.get("actions"),
            "fidelity": beside and beside.settings.get("fidelity"),
            "looks_at": [playing.columns[int(at)].name for at in playing.looks_at],
            "tree": text,
            "rules": plain_rules(part) if part.kind in ("tree", "rules") else [],
            "thresholds": thresholds(part),
        }
        if svg:
            write_whole(svg, tree_svg(tree_outline(part, f"{model.stem}: {STREETS[k].lower()}", _DRAWN)))
    if as_json:
        print_json({"model": str(model), "hero": clone.settings.get("hero"), "streets": found})
        return
    for name, part in found.items():
        click.echo(f"{name}: {part['kind']}, learned from {part['decisions']} decisions {part['actions']}")
        if part["fidelity"] is not None:
            click.echo(
                f"in short (a small tree that says what it says in {100 * part['fidelity']:.1f} % of held-out decisions"
                f"{'; all of it: --whole' if part['kind'] in ('tree', 'rules') else ''}):"
            )
        if part["tree"] or part["rules"]:
            click.echo(part["tree"] or "\n".join(part["rules"]))
        else:
            click.echo(
                f"this file has no small tree to read its model of kind {part['kind']} by (older files have none); "
                f"it looks at {', '.join(part['looks_at'][:12])}"
            )
        cuts = [(c["attribute"], f"{c['threshold']:.6g}", c["decisions"], c["near"]) for c in part["thresholds"][:12]]
        if cuts:
            click.echo()
            print_table(("threshold of", "at", "decisions", "near"), cuts)
        click.echo()
    if svg:
        note(f"picture written to {svg}", quiet)
