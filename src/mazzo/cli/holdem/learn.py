"""`mazzo learn`: a hero from logged hands."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import as_json, command, note, print_json, print_table, progress, quiet, seed, workers
from mazzo.cli.holdem.selection import words
from mazzo.confidence import LEVEL
from mazzo.errors import UnreadableError

__all__ = ["learn"]


@command(
    "mazzo learn random.log -o hero.mz",
    "mazzo learn random.log -o hero.mz --regressor boosted",
    "mazzo learn logs/ -o hero.mz --against chart --trees 50 --leaf 300 --evaluate",
    "mazzo learn random.log -o hero.mz --attributes stage,turn,pv,pot --leaf 800",
    "mazzo learn data4FQI.txt -o hero.mz --leaf 20",
    "mazzo learn random.log -o hero.mz --pv-samples 1000",
    "mazzo learn --regressor list",
    "mazzo learn random.log -o hero.mz --attributes learning,examples/pot_odds.py:pot_odds",
)
@click.argument("logs", nargs=-1, required=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The model file.")
@click.option("--against", metavar="NAME", help="Learn from those who faced NAME.")
@click.option("--player", metavar="NAME", help="Learn from the decisions of NAME.")
@click.option(
    "--regressor",
    default="extra",
    show_default=True,
    is_eager=True,
    callback=lambda context, option, name: _list_regressors(context) if name == "list" else name,
    help="extra, boosted, adaptive, forest, linear, neighbours or net; list: what they are.",
)
@click.option("--trees", type=click.IntRange(min=1), help="Trees in the forest (100; boosted: 150).")
@click.option("--cuts", type=click.IntRange(min=1), help="Random cuts tried at a node (all inputs).")
@click.option("--leaf", type=click.IntRange(min=2), help="A node of fewer rows is a leaf (30; boosted: 100).")
@click.option("--leaves", type=click.IntRange(min=2), help="Boosted: leaves of a tree (8).")
@click.option("--rate", type=click.FloatRange(0, 1, min_open=True), help="Boosted: how far a tree corrects (0.05).")
@click.option("--iterations", type=click.IntRange(min=1), default=12, show_default=True, help="Times Q is fitted.")
@click.option(
    "--attributes",
    help="Names or lists (learning, continuous, derived, elementary) with commas; yours as FILE.py:NAME.",
)
@click.option("--reward", default="auto", show_default=True, help="auto, chips, equity, final or document.")
@click.option(
    "--pv-samples",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Sample PV from so many deals; 0: exact.",
)
@click.option("--game", help="What was played, where the log does not say.")
@click.option("--evaluate", is_flag=True, help="Estimate what the hero earns from the log alone.")
@click.option("--export", type=click.Path(dir_okay=False, path_type=Path), help="Also write the decisions as numbers.")
@seed
@workers
@as_json
@quiet
def learn(logs: tuple[str, ...], output: Path, as_json: bool, quiet: bool, **options: Any) -> None:
    """Learn from LOGS the strategy that earns most against the players in them (heads-up limit Hold'em)."""
    from mazzo.holdem.attributes import attribute_names, load_named
    from mazzo.holdem.learning import LEARNING, write_export
    from mazzo.holdem.learning.hero import Settings, estimate_from_log, learn_hero, make_regressor
    from mazzo.learn.evaluation import GROWTHS

    names = ("regressor", "trees", "cuts", "leaf", "leaves", "rate", "iterations", "reward", "pv_samples", "seed")
    looked_at = attribute_names(load_named(words(options["attributes"])))
    settings = Settings(attributes=looked_at, **{k: options[k] for k in names})
    make_regressor(settings)  # what cannot be made is said before anything is read
    silent = quiet or as_json
    exported = _exported(logs, looked_at, options)
    decisions = (
        exported
        if exported is not None
        else _read(logs, options, (*looked_at, *(LEARNING if options["export"] else ())), silent)
    )
    if options["export"]:
        write_export(decisions, options["export"])
    if decisions.p_value is not None:
        note(_about_showdowns(decisions.rewarded, decisions.p_value), silent)
    note(f"{len(decisions)} decisions; learning in {settings.iterations} iterations", silent)
    with progress("learning", settings.iterations, quiet) as advance:
        strategy = learn_hero(
            decisions, settings, workers=options["workers"], progress=lambda number, residual: advance(1)
        )
    strategy.save(output)
    data: dict[str, Any] = {"model": str(output), **strategy.settings, "attributes": list(strategy.attributes)}
    if options["evaluate"]:
        with progress("evaluating", GROWTHS, silent) as advance:
            found = estimate_from_log(decisions, strategy, settings, workers=options["workers"], progress=advance)
        data["estimate"] = _as_data(found)
    if as_json:
        print_json(data)
        return
    click.echo(f"{output}: learned from {len(decisions)} decisions of {strategy.settings['hands']} hands")
    if options["evaluate"]:
        e = data["estimate"]
        click.echo(
            f"estimated from the log: {e['bb_per_hand']:+.3f} bb/hand, "
            f"{LEVEL} {e['ci95'][0]:+.3f} .. {e['ci95'][1]:+.3f}"
        )
        note("an estimate from a log can be far off; a match decides", quiet)
    opponent = options["against"] or "random"
    note(f"let it play: mazzo match holdem-limit-2p {output} {opponent.split('#')[0]} --hands 100000", quiet)
    note("(always raising earns 2.245 bb/hand against random; the most that can be won is 2.4384)", quiet)


def _list_regressors(context: click.Context) -> None:
    """Name every regressor and what it is, and end."""
    from mazzo.learn.regressors import REGRESSORS
    from mazzo.registry import parameters

    rows = []
    for name in sorted(REGRESSORS):
        make = REGRESSORS[name]
        taken = [key for key in parameters(make) if key not in ("seed", "workers")]
        rows.append((name, ", ".join(f"--{key}" for key in taken), (make.__doc__ or "").split("\n")[0]))
    print_table(("regressor", "options", "what"), rows)
    context.exit()


def _exported(logs: tuple[str, ...], attributes: tuple[str, ...], options: dict[str, Any]) -> Any:
    """The decisions of a file of numbers (`--export` writes such), or None where LOGS are logs."""
    from mazzo.holdem.learning import LEARNING, is_export, read_export

    if len(logs) != 1 or not is_export(Path(logs[0])):
        return None
    if options["player"] or options["against"] or options["pv_samples"] or options["reward"] not in ("auto", "chips"):
        raise UnreadableError(
            f"{logs[0]} holds decisions as numbers: its players, PV and rewards are what they are; leave out --player, "
            "--against, --pv-samples and --reward"
        )
    missing = [name for name in attributes if name not in LEARNING]
    if missing:
        raise UnreadableError(f"{logs[0]} has the attributes {', '.join(LEARNING)}; it does not have {missing[0]}")
    return read_export(Path(logs[0]))


def _read(logs: tuple[str, ...], options: dict[str, Any], attributes: tuple[str, ...], silent: bool) -> Any:
    from mazzo.holdem.learning import decisions_of
    from mazzo.holdem.learning.hero import in_the_same_chips
    from mazzo.holdem.logs import read_hands
    from mazzo.holdem.rules import rules

    game = rules(options["game"]) if options["game"] else None
    asked = {key: options[key] for key in ("player", "against", "reward", "pv_samples", "seed")}
    reader = read_hands(logs, game=game)
    with progress("reading", reader.size, silent) as advance:
        reader = read_hands(logs, game=game, progress=advance)
        batches = in_the_same_chips(reader)
        first = next(batches, None)  # the others are not kept: their decisions take a tenth of their room
        if first is None:
            raise UnreadableError(f"there are no hands to learn from in {', '.join(logs)}: {reader.report}")
        made = decisions_of(chain([first], batches), attributes=tuple(dict.fromkeys(attributes)), **asked)
    note(str(reader.report), silent)
    return made


def _about_showdowns(rewarded: str, p_value: float) -> str:
    if rewarded == "equity":
        return f"the others' betting says nothing of their cards (p = {p_value:.2g}): showdowns count by their equity"
    return f"the others' betting may tell of their cards (p = {p_value:.2g}): showdowns count by what they brought"


def _as_data(estimate: Any) -> dict[str, Any]:
    return {"bb_per_hand": estimate.mean, "standard_error": estimate.standard_error, "ci95": list(estimate.ci95)}
