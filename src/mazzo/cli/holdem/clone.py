"""`mazzo clone`: a player who plays like one in the logs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import as_json, command, note, print_json, print_table, progress, quiet, seed
from mazzo.cli.holdem.describe import open_logs, warn_of_future
from mazzo.cli.holdem.selection import make_selection, selecting
from mazzo.confidence import INTERVAL

__all__ = ["clone"]


@command(
    "mazzo clone match.log --hero rich#1 -o rich.mz",
    "mazzo clone pluribus.phhs --hero Pluribus -o pluribus.mz --model boosting --baselines",
    "mazzo clone match.log --hero rich#1 -o simple.mz --model rules --list simplified",
)
@click.argument("logs", nargs=-1, required=True)
@click.option("--hero", required=True, help="Whom to clone.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The model file.")
@click.option(
    "--model", "kind", default="tree", show_default=True, help="tree, rules, bayes, knn, kdtree, svm, boosting."
)
@click.option("--folds", type=click.IntRange(min=0), default=7, show_default=True, help="Cross-validate; 0: do not.")
@click.option("--baselines", is_flag=True, help="Also the commonest action, the best single attribute, the ceiling.")
@click.option("--game", help="What was played, where the log does not say.")
@click.option("--chips", help="Count in chips of these blinds, as 5/10.")
@selecting
@seed
@as_json
@quiet
def clone(
    logs: tuple[str, ...],
    hero: str,
    output: Path,
    kind: str,
    folds: int,
    baselines: bool,
    seed: int,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Learn from LOGS how a hero decides, one model a street; judged by card sets it has not seen."""
    from mazzo.holdem.attributes import STREETS
    from mazzo.holdem.cloning.clone import learn_clone
    from mazzo.holdem.cloning.data import rows_of
    from mazzo.holdem.cloning.models import MODELS
    from mazzo.holdem.rules import PRESETS

    selection = make_selection(options)
    silent = quiet or as_json
    warn_of_future(selection, silent)
    cap = MODELS[kind].cap  # a model that there is not is named before anything is read
    reader = open_logs(logs, options)
    games: list[Any] = []
    with progress("reading", reader.size, silent) as advance:
        reader.progress = advance
        data = rows_of(_noting_games(reader, games), hero, selection)
    note(str(reader.report), silent)
    judged = [_judge(rows, kind, folds, baselines, seed) for rows in data]
    with progress("learning", len(STREETS), silent) as advance:
        made = learn_clone(
            data,
            kind,
            big_blind=games[0].big_blind,
            seed=seed,
            progress=advance,
            settings={"hero": hero, "hands": reader.report.used, "model": kind, "validation": judged},
        )
    made.save(output)
    if as_json:
        print_json({"model": str(output), "hero": hero, "streets": dict(zip(STREETS, judged, strict=True))})
        return
    _show(data, judged, folds, baselines)
    if any(len(rows) > cap for rows in data):
        note(f"a model of kind {kind} learns from {cap} decisions a street at most", quiet)
    others = " ".join(["rich"] * (games[0].players - 1))
    note(f"let it play: mazzo match {games[0].name} {output} {others}", quiet or games[0].name not in PRESETS)
    note(f"read it: mazzo read {output}", quiet)


def _noting_games(reader: Any, games: list[Any]) -> Any:
    for hands in reader:
        games.append(hands.games[0])
        yield hands


def _judge(rows: Any, kind: str, folds: int, baselines: bool, seed: int) -> dict[str, Any]:
    from mazzo.holdem.cloning.validate import best_single, ceiling, cross_validate, majority

    found: dict[str, Any] = {"decisions": len(rows), "majority": majority(rows)}
    if folds:
        found["validation"] = cross_validate(rows, kind, folds=folds, seed=seed).as_dict()
    if baselines and folds:
        name, accuracy = best_single(rows, seed=seed)
        found["best_single"] = {"attribute": name, "accuracy": accuracy}
        found["ceiling"] = ceiling(rows, seed)
    return found


def _show(data: Any, judged: list[dict[str, Any]], folds: int, baselines: bool) -> None:
    from mazzo.holdem.attributes import STREETS

    head = ["street", "decisions", "attributes", "commonest"]
    if baselines and folds:
        head += ["best attribute alone", "%", "1-NN", "ceiling"]
    if folds:
        head += ["accuracy %", INTERVAL, "macro F1", "size", "leaves", "fit s"]
    table = []
    for street, rows, found in zip(STREETS, data, judged, strict=True):
        line = [street, len(rows), len(rows.columns), f"{100 * found['majority']:.2f}"]
        if "best_single" in found:
            line += [found["best_single"]["attribute"], f"{100 * found['best_single']['accuracy']:.2f}"]
            line += [f"{100 * found['ceiling'][k]:.2f}" for k in ("low", "high")]
        if folds:
            v = found["validation"]
            low, high = (100 * k for k in v["ci95"])
            line += [f"{100 * v['accuracy']:.2f}", f"{low:.2f} .. {high:.2f}", f"{v['macro_f1']:.4f}"]
            line += [f"{v['size']:.0f}", f"{v['leaves']:.0f}", f"{v['fit_seconds']:.2f}"]
        table.append(line)
    print_table(head, table)
