"""`mazzo learn`: a hero from logged hands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import as_json, command, note, print_json, progress, quiet, seed, workers
from mazzo.errors import UnreadableError

__all__ = ["learn"]


@command(
    "mazzo learn random.log -o hero.mz",
    "mazzo learn random.log -o hero.mz --regressor boosted",
    "mazzo learn logs/ -o hero.mz --against chart --trees 50 --leaf 300 --evaluate",
    "mazzo learn random.log -o hero.mz --attributes stage,turn,pv,pot --leaf 800",
)
@click.argument("logs", nargs=-1, required=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The model file.")
@click.option("--against", metavar="NAME", help="Learn from those who faced NAME.")
@click.option("--player", metavar="NAME", help="Learn from the decisions of NAME.")
@click.option("--regressor", default="extra", show_default=True, help="extra, boosted or adaptive.")
@click.option("--trees", type=click.IntRange(min=1), help="Trees in the forest (100; boosted: 150).")
@click.option("--cuts", type=click.IntRange(min=1), help="Random cuts tried at a node (all inputs).")
@click.option("--leaf", type=click.IntRange(min=2), help="A node of fewer rows is a leaf (30; boosted: 100).")
@click.option("--leaves", type=click.IntRange(min=2), help="Boosted: leaves of a tree (8).")
@click.option("--rate", type=click.FloatRange(0, 1, min_open=True), help="Boosted: how far a tree corrects (0.05).")
@click.option("--iterations", type=click.IntRange(min=1), default=12, show_default=True, help="Times Q is fitted.")
@click.option("--attributes", help="Names with commas, or learning, continuous, derived, elementary.")
@click.option("--reward", default="auto", show_default=True, help="auto, chips, equity, final or document.")
@click.option("--game", help="What was played, where the log does not say.")
@click.option("--evaluate", is_flag=True, help="Estimate what the hero earns from the log alone.")
@click.option("--export", type=click.Path(dir_okay=False, path_type=Path), help="Also write the decisions as numbers.")
@seed
@workers
@as_json
@quiet
def learn(logs: tuple[str, ...], output: Path, as_json: bool, quiet: bool, **options: Any) -> None:
    """Learn from LOGS the strategy that earns most against the players in them (heads-up limit Hold'em)."""
    from mazzo.holdem.decisions import attribute_names, write_export
    from mazzo.holdem.learning import Settings, estimate_from_log, learn_hero, make_regressor

    names = ("regressor", "trees", "cuts", "leaf", "leaves", "rate", "iterations", "reward", "seed")
    settings = Settings(attributes=attribute_names(options["attributes"]), **{k: options[k] for k in names})
    make_regressor(settings)  # what cannot be made is said before anything is read
    silent = quiet or as_json
    decisions = _read(logs, options, silent)
    if options["export"]:
        write_export(decisions, options["export"])
    if decisions.blindness is not None:
        note(_about_showdowns(decisions.rewarded, decisions.blindness), silent)
    note(f"{len(decisions)} decisions; learning in {settings.iterations} iterations", silent)
    with progress("learning", settings.iterations, quiet) as advance:
        strategy = learn_hero(
            decisions, settings, workers=options["workers"], progress=lambda number, residual: advance(1)
        )
    strategy.save(output)
    data: dict[str, Any] = {"model": str(output), **strategy.settings, "attributes": list(strategy.attributes)}
    if options["evaluate"]:
        with progress("evaluating", 11, silent) as advance:
            data["estimate"] = _as_data(estimate_from_log(decisions, strategy, settings, progress=advance))
    if as_json:
        print_json(data)
        return
    click.echo(f"{output}: learned from {len(decisions)} decisions of {strategy.settings['hands']} hands")
    if options["evaluate"]:
        e = data["estimate"]
        click.echo(
            f"estimated from the log: {e['bb_per_hand']:+.3f} bb/hand, 95 % {e['ci95'][0]:+.3f} .. {e['ci95'][1]:+.3f}"
        )
        note("an estimate from a log can be far off; a match decides", quiet)
    opponent = options["against"] or "random"
    note(f"let it play: mazzo match holdem-limit-2p {output} {opponent.split('#')[0]} --hands 100000", quiet)
    note("(always raising earns 2.245 bb/hand against random; the most that can be won is 2.4384)", quiet)


def _read(logs: tuple[str, ...], options: dict[str, Any], silent: bool) -> Any:
    from mazzo.holdem.decisions import decisions_of
    from mazzo.holdem.decisions.attributes import BIG_BLIND
    from mazzo.holdem.game import find_game
    from mazzo.holdem.logs import read_hands

    game = find_game(options["game"]) if options["game"] else None
    reader = read_hands(logs, game=game)
    with progress("reading", reader.size, silent) as advance:
        reader = read_hands(logs, game=game, progress=advance)
        batches = list(reader)
    if not batches:
        raise UnreadableError(f"there are no hands to learn from in {', '.join(logs)}: {reader.report}")
    note(str(reader.report), silent)
    if {g.big_blind for hands in batches for g in hands.games} != {BIG_BLIND}:
        batches = _in_the_same_chips(batches)
    return decisions_of(
        batches, player=options["player"], against=options["against"], reward=options["reward"], seed=options["seed"]
    )


def _about_showdowns(rewarded: str, blindness: float) -> str:
    if rewarded == "equity":
        return f"the others' betting says nothing of their cards (p = {blindness:.2g}): showdowns count by their equity"
    return f"the others' betting may tell of their cards (p = {blindness:.2g}): showdowns count by what they brought"


def _in_the_same_chips(batches: list[Any]) -> list[Any]:
    from mazzo.holdem.decisions import refuse_other_than_heads_up_limit
    from mazzo.holdem.logs import rescaled

    for hands in batches:
        for game in hands.games:
            reason = refuse_other_than_heads_up_limit(game)
            if reason:
                raise UnreadableError(
                    f"{hands.source} has hands of {game.name}, which cannot be learned from: {reason}"
                )
    return [rescaled(hands, (5, 10)) for hands in batches]


def _as_data(estimate: Any) -> dict[str, Any]:
    return {"bb_per_hand": estimate.mean, "standard_error": estimate.standard_error, "ci95": list(estimate.ci95)}
