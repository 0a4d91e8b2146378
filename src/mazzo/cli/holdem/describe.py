"""`mazzo describe`: a player's decisions as data sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import as_json, command, note, print_json, print_table, progress, quiet
from mazzo.cli.holdem.selection import make_selection, selecting

__all__ = ["describe", "open_logs"]


@command(
    "mazzo describe match.log --hero rich#1 --to arff -o data/",
    "mazzo describe logs/ --hero Pluribus --to parquet -o data/ --list simplified",
    "mazzo describe match.log --hero rich#1 --to arff -o data/ --folds 7",
    "mazzo describe old.log --hero akuma --chips 5/10 --to csv -o data/ --attributes CLASS_TO_INVEST --invert",
)
@click.argument("logs", nargs=-1, required=True)
@click.option("--hero", required=True, help="Player whose decisions are written.")
@click.option("--to", "kind", default="parquet", show_default=True, help="Format: arff, parquet or csv.")
@click.option(
    "-o", "--output", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder to write to."
)
@click.option(
    "--folds", type=click.IntRange(min=2), help="Also write a training and a test file for each of this many folds."
)
@click.option("--game", help="Game of the log, where the log does not say.")
@click.option("--chips", help="Rescale amounts to these blinds, such as 5/10.")
@selecting
@as_json
@quiet
def describe(
    logs: tuple[str, ...],
    hero: str,
    kind: str,
    output: Path,
    folds: int | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Write a player's decisions in LOGS as tables of attributes.

    One file per street; the groups for cross-validation are kept.
    """
    from mazzo.holdem.cloning.datasets import left_out, write_datasets
    from mazzo.holdem.cloning.stored import write_folds

    selection = make_selection(options)
    silent = quiet or as_json
    warn_of_future(selection, silent)
    dropped = left_out(selection)
    if dropped:
        note(f"left out, since they look ahead: {', '.join(dropped)}; name them with --attributes to have them", silent)
    reader = open_logs(logs, options)
    with progress("describing", reader.size, silent) as advance:
        reader.progress = advance
        written = write_datasets(reader, hero, output, kind, selection)
    note(str(reader.report), silent)
    divided = write_folds(output, folds) if folds else []
    if as_json:
        files = [{"street": w.street, "file": str(w.path), "rows": w.rows, "columns": list(w.columns)} for w in written]
        print_json(
            {"hero": hero, "files": files, "folds": [str(path) for path in divided], "hands": reader.report.as_dict()}
        )
        return
    print_table(
        ("street", "decisions", "attributes", "file"), [(w.street, w.rows, len(w.columns), w.path) for w in written]
    )
    if divided:
        note(f"{len(divided)} files of {folds} folds by card set: {divided[0].name}, {divided[1].name}, ...", quiet)


def warn_of_future(selection: Any, silent: bool) -> None:
    """Say so where attributes that look ahead are asked for by name."""
    from mazzo.holdem.attributes import REGISTRY
    from mazzo.holdem.cloning.data import FUTURE_WARNING

    for name in () if selection.invert else selection.attributes:
        if REGISTRY[name].looks_ahead and name != "CLASS_HERO_ACTION_TAKEN":
            note(f"warning: {name} {FUTURE_WARNING}", silent)


def open_logs(logs: tuple[str, ...], options: dict[str, Any]) -> Any:
    """A reader of logs as the options want them."""
    from mazzo.cli.holdem.hands import read_chips
    from mazzo.holdem.logs import read_hands
    from mazzo.holdem.rules import rules

    game = rules(options["game"]) if options.get("game") else None
    return read_hands(logs, game=game, chips=read_chips(options.get("chips")))
