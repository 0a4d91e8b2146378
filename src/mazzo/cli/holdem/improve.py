"""`mazzo improve`: a hero that plays, learns from all it played, and is kept where it is better."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mazzo.cli.common import Number, as_json, command, note, print_json, quiet, seed, workers
from mazzo.cli.holdem.selection import words

if TYPE_CHECKING:
    from mazzo.arena.league import League
    from mazzo.holdem.improving import ImprovementPlan, Round

__all__ = ["improve"]


@command(
    "mazzo improve hero.mz --against chart --rounds 5",
    "mazzo improve hero.mz --against self,chart --rounds 8 --hands 50000 --explore 0.2",
    "mazzo improve six.mz --game holdem-nolimit-6p-100bb --first chart --against utility --hands 200000",
)
@click.argument("hero", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--against", required=True, metavar="A,B", help="Opponents, with commas; self: all heroes kept so far.")
@click.option("--game", default="holdem-limit-2p", show_default=True, help="The game, limit or no-limit Hold'em.")
@click.option("--first", default="random", show_default=True, help="Who plays the first round if HERO does not exist.")
@click.option("--rounds", type=click.IntRange(min=1), default=5, show_default=True, help="Rounds at most.")
@click.option(
    "--hands", type=click.IntRange(min=100), default=20_000, show_default=True, help="Hands logged per round."
)
@click.option(
    "--deals", type=click.IntRange(min=50), default=5_000, show_default=True, help="Deals to measure a hero on."
)
@click.option(
    "--explore",
    type=Number(0, 1, min_open=True),
    default=0.1,
    show_default=True,
    help="Share of the hero's logged decisions that are random.",
)
@click.option(
    "--patience", type=click.IntRange(min=1), default=2, show_default=True, help="Rounds without gain to end."
)
@click.option("--attributes", help="Names or lists as for `mazzo learn`: what a hero looks at.")
@click.option("--trees", type=click.IntRange(min=1), help="Boosted trees (150).")
@click.option("--leaves", type=click.IntRange(min=2), help="Leaves of a tree (8).")
@click.option(
    "--league", type=click.IntRange(min=0), default=2_000, show_default=True, help="Hands per pairing; 0: none."
)
@seed
@workers
@as_json
@quiet
def improve(hero: Path, against: str, rounds: int, as_json: bool, quiet: bool, **options: Any) -> None:
    """Let HERO play, learn and play again; keep what is better.

    HERO is a model file; if it does not exist, another agent plays the first round. At tables of more than two the
    opponents sit down in turn until all seats are taken.
    Every round logs hands of the best hero so far with some exploration, learns from the hands of all rounds, and
    measures the new hero beside the best one on the same deals. Rounds are kept in HERO.improve: the same command goes
    on where it was stopped. At the end all heroes kept and the opponents play a league.
    """
    from mazzo.holdem.attributes import attribute_names, load_named
    from mazzo.holdem.improving import ImprovementPlan, folder_of
    from mazzo.holdem.improving import improve as run

    names = ("hands", "deals", "explore", "trees", "leaves", "seed", "game", "first")
    looked_at = attribute_names(load_named(words(options["attributes"]))) if options["attributes"] else ()
    plan = ImprovementPlan(words(against), attributes=looked_at, **{k: options[k] for k in names})
    silent = quiet or as_json
    note(f"each round: {plan.hands:,} hands, {plan.explore:.0%} of the hero's decisions at random", silent)
    done: list[Round] = []
    interrupted = False
    try:
        for each in run(hero, plan, rounds, patience=options["patience"], workers=options["workers"]):
            done.append(each)
            note(str(each), silent)
    except KeyboardInterrupt:
        interrupted = True
    kept = [each for each in done if each.kept]
    table = None if interrupted or not options["league"] or not kept else _league(folder_of(hero), plan, kept, options)
    if as_json:
        rows = [{**each.__dict__, "earned": {k: list(v) for k, v in each.earned.items()}} for each in done]
        played = None if table is None else table.as_dict()
        print_json({"hero": str(hero), "rounds": rows, "league": played, "interrupted": interrupted})
        return
    if table is not None:
        click.echo(str(table))
    if interrupted:
        note("stopped; what was done is kept, and the same command goes on from here", quiet)
    elif len(done) < rounds:
        note(f"ended by itself: {options['patience']} rounds brought nothing better", quiet)
    if kept:
        click.echo(f"{hero}: the hero of round {kept[-1].number}")


def _league(folder: Path, plan: ImprovementPlan, kept: list[Round], options: dict[str, Any]) -> League | None:
    """The heroes that were kept and the opponents, everybody against everybody."""
    from mazzo.arena.league import league
    from mazzo.holdem.improving import SELF
    from mazzo.holdem.rules import rules

    players = [str(folder / each.model) for each in kept] + [name for name in plan.against if name != SELF]
    if len(players) < 2 or rules(plan.game).players > 2:
        return None
    return league(plan.game, players, hands=options["league"], seed=plan.seed, workers=options["workers"])
