"""`mazzo clone`: a player who plays like one in the logs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import Listed, as_json, command, note, print_json, print_table, progress, quiet, seed
from mazzo.cli.holdem.clone_tests import auto_in, choose_plans, judge_tests, show_sizes, show_tests, write_reliability
from mazzo.cli.holdem.describe import open_logs, warn_of_future
from mazzo.cli.holdem.learning_curve import show_curve, steps_of, write_curve
from mazzo.cli.holdem.selection import make_selection, selecting
from mazzo.cli.holdem.street_models import StreetPlan, plans_of, shares_of, street_options
from mazzo.confidence import INTERVAL

__all__ = ["clone", "read_decisions"]


@command(
    "mazzo clone match.log --hero rich#1 -o rich.mz",
    "mazzo clone pluribus.phhs --hero Pluribus -o pluribus.mz --test later.phhs",
    "mazzo clone pluribus.phhs --hero Pluribus -o boosted.mz --model boosting --baselines",
    "mazzo clone match.log --hero rich#1 -o simple.mz --model rules --list simplified",
    "mazzo clone match.log --hero rich#1 -o mixed.mz --flop boosting:trees=50 --river tree:list=simplified",
    "mazzo clone match.log --hero rich#1 -o chips.mz --class CLASS_TO_INVEST",
    "mazzo clone match.log --hero rich#1 -o third.mz --share .66,.36,.41,.52 --curve .01,.1,1 --chart curve.svg",
    "mazzo clone rows/ -o recorded.mz",
)
@click.argument("logs", nargs=-1, required=True)
@click.option("--hero", help="Whom to clone; a folder of a recorder holds one player's decisions.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The model file.")
@click.option(
    "--model",
    "kind",
    default="auto",
    show_default=True,
    cls=Listed,
    names=lambda: ["auto", *_models()],
    help="{names}; auto chooses by log-loss and calibrates.",
)
@click.option(
    "--class",
    "predicted",
    default="CLASS_HERO_ACTION_TAKEN",
    show_default=True,
    help="What is predicted: the action, CLASS_TO_INVEST (the chips put in) or CLASS_WINNINGS (what each action wins).",
)
@street_options
@click.option("--share", default="1", show_default=True, help="Learn from this share of the card sets; one per street.")
@click.option("--folds", type=click.IntRange(min=0), default=7, show_default=True, help="Cross-validate; 0: do not.")
@click.option("--baselines", is_flag=True, help="Also the commonest action, the best single attribute, the ceiling.")
@click.option("--curve", help="Learning curve: cross-validate on these shares of the data too, as .01,.1,1.")
@click.option("--chart", type=click.Path(dir_okay=False, path_type=Path), help="Draw the learning curve, as SVG.")
@click.option(
    "--test", "tests", multiple=True, help="Judge the clone on these logs too: a file or folder, again for more."
)
@click.option(
    "--reliability",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw how often what was given a chance happened, as SVG.",
)
@click.option("--game", help="What was played, where the log does not say.")
@click.option("--chips", help="Count in chips of these blinds, as 5/10.")
@selecting
@seed
@as_json
@quiet
def clone(
    logs: tuple[str, ...],
    hero: str | None,
    output: Path,
    kind: str,
    predicted: str,
    share: str,
    folds: int,
    baselines: bool,
    curve: str | None,
    chart: Path | None,
    tests: tuple[str, ...],
    reliability: Path | None,
    seed: int,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Learn from LOGS to play like one of their players.

    One model per street, judged on held-out deals.
    """
    from mazzo.holdem.attributes import STREETS
    from mazzo.holdem.cloning.clone import learn_clone

    silent = quiet or as_json
    selection = make_selection(options)
    warn_of_future(selection, silent)
    plans = plans_of(kind, predicted, selection, options)  # what there is not is named before anything is read
    steps, parts = steps_of(curve, chart), shares_of(share)
    data, found = read_decisions(logs, hero, [plan.selection for plan in plans], options, silent, auto_in(plans))
    data, plans, chosen = choose_plans(logs, data, plans, found, options, folds, seed, silent)
    judged = [
        _judge(rows, plan, folds, baselines, seed, choice)
        for rows, plan, choice in zip(data, plans, chosen, strict=True)
    ]
    if steps:
        for rows, plan, one in zip(data, plans, judged, strict=True):
            one["curve"] = _curve(rows, plan, steps, folds, seed)
    kinds = [plan.kind for plan in plans]
    kept = {"hero": found["hero"], "hands": found["hands"], "model": kind, "models": kinds, "validation": judged}
    with progress("learning", len(STREETS), silent) as advance:
        made = learn_clone(
            data,
            kinds,
            big_blind=found["big_blind"],
            seed=seed,
            share=parts,
            progress=advance,
            settings=kept,
            by_street=[plan.settings for plan in plans],
            learned_hands=found["keys"],
        )
    made.save(output)
    tested = judge_tests(made, tests, found["hero"], options, silent) if tests else {}
    if reliability:
        write_reliability(reliability, tested or {s: j["validation"] for s, j in zip(STREETS, judged, strict=True)})
    if chart:
        write_curve(chart, judged)
    if as_json:
        told = {"model": str(output), "hero": found["hero"], "streets": dict(zip(STREETS, judged, strict=True))}
        print_json(told | ({"test": tested} if tests else {}))
        return
    _show(data, judged, plans)
    show_sizes(made)
    if tested:
        show_tests(tested)
    if steps:
        show_curve(judged)
    _say_what_next(data, plans, found, output, quiet)


def _models() -> list[str]:
    """Those that predict the action; the others are chosen by --class."""
    from mazzo.holdem.cloning.models import MODELS

    return [name for name in MODELS if MODELS[name].predicts == MODELS["tree"].predicts]


def _say_what_next(data: Any, plans: list[StreetPlan], found: dict[str, Any], output: Path, quiet: bool) -> None:
    from mazzo.holdem.cloning.models import MODELS
    from mazzo.holdem.rules import PRESETS

    for kind in dict.fromkeys(plan.kind for plan in plans):
        cap = MODELS[kind].cap
        if any(len(rows) > cap for rows, plan in zip(data, plans, strict=True) if plan.kind == kind):
            note(f"a model of kind {kind} learns from {cap} decisions a street at most", quiet)
    game = found["game"]
    if game is not None and game.name in PRESETS:
        note(f"let it play: mazzo match {game.name} {output} {' '.join(['rich'] * (game.players - 1))}", quiet)
    note(f"read it: mazzo read {output}", quiet)


def read_decisions(
    logs: tuple[str, ...],
    hero: str | None,
    selections: list[Any],
    options: dict[str, Any],
    silent: bool,
    by_card_set: bool = False,
) -> tuple[list[Any], dict[str, Any]]:
    """The decisions of a hero in logs, or of a folder of data sets, and what is known of where they come from."""
    import numpy as np

    from mazzo.errors import UnreadableError
    from mazzo.holdem.cloning.data import rows_of
    from mazzo.holdem.cloning.judging import MOST_KEYS
    from mazzo.holdem.cloning.stored import find_dataset, stored_rows

    if len(logs) == 1 and Path(logs[0]).is_dir() and find_dataset(Path(logs[0])):
        data = stored_rows(Path(logs[0]), selections, by_card_set)
        hands = len({int(k) for k in data[0].hand})
        chips = options.get("chips")
        big_blind = int(chips.split("/")[-1]) if chips else 10
        known = {"hero": hero or Path(logs[0]).name, "hands": hands, "big_blind": big_blind, "game": None}
        return data, known | {"keys": None, "read": False}
    if hero is None:
        raise UnreadableError("whom to clone? name a player of the logs with --hero")
    reader = open_logs(logs, options)
    games: list[Any] = []
    keys: list[Any] = []
    with progress("reading", reader.size, silent) as advance:
        reader.progress = advance
        data = rows_of(_noting_games(reader, games, keys), hero, selections, by_card_set=by_card_set)
    note(str(reader.report), silent)
    known = {"hero": hero, "hands": reader.report.used, "big_blind": games[0].big_blind, "game": games[0]}
    return data, known | {"keys": np.unique(np.concatenate(keys))[:MOST_KEYS], "read": True}


def _noting_games(reader: Any, games: list[Any], keys: list[Any]) -> Any:
    from mazzo.holdem.cloning.judging import hand_keys

    for hands in reader:
        games.append(hands.games[0])
        keys.append(hand_keys(hands))
        yield hands


def _judge(rows: Any, plan: StreetPlan, folds: int, baselines: bool, seed: int, choice: Any = None) -> dict[str, Any]:
    from mazzo.holdem.cloning.validate import best_single, ceiling, cross_validate, majority

    found: dict[str, Any] = {"decisions": len(rows), "majority": majority(rows)}
    if choice is not None:
        found |= {"validation": choice.judged.as_dict(), "choice": choice.described()}
    elif folds:
        found["validation"] = cross_validate(rows, plan.kind, folds=folds, seed=seed, **plan.settings).as_dict()
    if baselines and folds:
        name, accuracy = best_single(rows, seed=seed)
        found["best_single"] = {"attribute": name, "accuracy": accuracy}
        found["ceiling"] = ceiling(rows, seed)
    return found


def _curve(rows: Any, plan: StreetPlan, steps: list[float], folds: int, seed: int) -> list[dict[str, Any]]:
    from mazzo.holdem.cloning.validate import FOLDS, cross_validate

    found = []
    for share in steps:
        judged = cross_validate(rows, plan.kind, folds=folds or FOLDS, seed=seed, share=share, **plan.settings)
        keys = ("accuracy", "ci95", "trained_on", "size", "leaves")
        found.append({"share": share, **{key: judged.as_dict()[key] for key in keys}})
    return found


def _show(data: Any, judged: list[dict[str, Any]], plans: list[StreetPlan]) -> None:
    from mazzo.holdem.attributes import STREETS

    head = ["street", "model", "decisions", "attributes", "commonest"]
    baselines = any("best_single" in found for found in judged)
    validated = all("validation" in found for found in judged)
    if baselines:
        head += ["best attribute alone", "%", "1-NN", "ceiling"]
    if validated:
        head += ["accuracy %", INTERVAL, "log-loss", "Brier", "macro F1", "size", "leaves", "fit s"]
    table = []
    for street, rows, plan, found in zip(STREETS, data, plans, judged, strict=True):
        line = [street, plan.kind, len(rows), len(rows.columns), f"{100 * found['majority']:.2f}"]
        if baselines:
            line += [found["best_single"]["attribute"], f"{100 * found['best_single']['accuracy']:.2f}"]
            line += [f"{100 * found['ceiling'][k]:.2f}" for k in ("low", "high")]
        if validated:
            v = found["validation"]
            low, high = (100 * k for k in v["ci95"])
            line += [
                f"{100 * v['accuracy']:.2f}",
                f"{low:.2f} .. {high:.2f}",
                f"{v['log_loss']:.4f}",
                f"{v['brier']:.4f}",
            ]
            line += [f"{v['macro_f1']:.4f}", f"{v['size']:.0f}", f"{v['leaves']:.0f}", f"{v['fit_seconds']:.2f}"]
        table.append(line)
    print_table(head, table)
    for street, found in zip(STREETS, judged, strict=True):
        if found.get("choice", {}).get("borrows"):
            click.echo(f"{street}: few decisions; learned as a correction to the other players of the log")
    if validated:
        _show_confusion(judged)


def _show_confusion(judged: list[dict[str, Any]]) -> None:
    """What the player did in rows, what the model says in columns, with precision and recall by action."""
    from mazzo.holdem.attributes import STREETS
    from mazzo.holdem.cloning.data import CLASSES

    table = []
    for street, found in zip(STREETS, judged, strict=True):
        v = found["validation"]
        for k, name in enumerate(CLASSES):
            precision, recall = (f"{100 * v[key][name]:.2f}" for key in ("precision", "recall"))
            table.append([street if k == 0 else "", name, *v["confusion"][k], precision, recall])
    click.echo("\nConfusion: what was done in rows, what the model says in columns")
    print_table(["street", "done", *CLASSES, "precision %", "recall %"], table)
