"""`mazzo blackjack counter`: what somebody who counts wins, simulated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mazzo.cli.blackjack.group import changes, read_setting, rules_name
from mazzo.cli.common import (
    Listed,
    Number,
    as_json,
    command,
    has_effect_only,
    note,
    print_json,
    print_table,
    progress,
    quiet,
    seed,
    workers,
)
from mazzo.errors import UnreadableError

if TYPE_CHECKING:
    from mazzo.blackjack.bets.earnings import Earnings
    from mazzo.blackjack.bets.ramps import BestRamp
    from mazzo.blackjack.counting.systems import Count
    from mazzo.blackjack.rules import Rules
    from mazzo.workers import Workers

__all__ = ["count_name", "counter", "play_name", "run_counter", "settled_silently", "show_earnings"]


def _counts() -> list[Count]:
    from mazzo.blackjack.counting.systems import counts

    return counts()


count_name = click.option(
    "--count",
    "count_name",
    default="hi-lo",
    show_default=True,
    metavar="NAME|TAGS",
    cls=Listed,
    names=lambda: [count.name for count in _counts()],
    help="{names}, or ten tags of A,2,..,9,T.",
)
play_name = click.option(
    "--play", default="i18", show_default=True, metavar="PLAY", help="basic, i18 (the 18 + 4), generated, or a file."
)
_positive = Number(min=0, min_open=True)


def settled_silently(rules: Rules) -> str:
    """What the rules settle and nobody is asked for, where it matters."""
    peek = "peeks" if rules.peek else "takes no hole card"
    even = {"none": "not offered", "ace": "offered against an ace", "ace-ten": "offered against an ace or a ten"}
    return (
        f"{rules.decks} decks, the dealer {peek} and {'hits' if rules.hit_soft_17 else 'stands on'} soft 17, blackjack "
        f"pays {rules.blackjack_pays:g}, even money {even[rules.even_money]}, surrender {rules.surrender}, "
        f"{'resplit aces' if rules.resplit_aces else 'aces split once'}, {100 * rules.penetration:g} % dealt"
    )


def _conventions(options: dict[str, Any], count: str, play: str) -> str:
    aces = ", side count of aces for bets" if options.get("side_aces") else ""
    return (
        f"{count} by {options.get('divisor', 'exact')} decks, {options.get('rounding', 'floor')}{aces}; plays {play}; "
        f"{options.get('boxes', 1)} of your boxes, {options.get('others', 0)} others, who act first; below the first "
        "step of the ramp its bet; even money where insurance would be taken"
    )


def run_counter(
    rules: Rules,
    count: str,
    play: str,
    ramp: str | None,
    spread: str | None,
    low: float,
    options: dict[str, Any],
    rounds: int,
    quiet: bool,
) -> tuple[Earnings, BestRamp | None]:
    """Play the ramp; or, for a spread, find the best ramp on other shoes first."""
    from mazzo.blackjack.bets.counter_seat import counter as simulated
    from mazzo.blackjack.bets.ramps import best_ramp, read_spread

    if (ramp is None) == (spread is None):
        raise UnreadableError("bets are given by --ramp 0:10,1:20,2:50 or by --spread 1-8: one of them")
    best = None
    if spread is not None:
        wanted = read_spread(spread)
        own = {k: options.pop(k, None) for k in ("goal", "fraction", "risk", "chip")}
        flat = {**options, "seed": options.get("seed", 0) + 1_000_003, "checkpoint": None}
        with progress("groups of shoes, to find the ramp", 256, quiet) as advance:
            table = simulated(rules, count, f"-99:{low:g}", play, rounds, advance=advance, **flat)
        best = best_ramp(
            table.by_count(),
            low,
            wanted,
            goal=own["goal"] or "score",
            boxes=options.get("boxes", 1),
            bankroll=options["bankroll"],
            fraction=own["fraction"] or 1.0,
            risk=own["risk"],
            chip=own["chip"] or 0.0,
        )
        steps: Any = best.ramp
    else:
        for key in ("goal", "fraction", "risk", "chip"):
            options.pop(key, None)
        steps = ramp
    with progress("groups of shoes", 256, quiet) as advance:
        return simulated(rules, count, steps, play, rounds, advance=advance, **options), best


def show_earnings(found: Earnings, hours: float, goal: float) -> None:
    """Figures and the table by count."""
    section = found.section()
    click.echo(section.words[0] + f", {found.rounds / max(found.seconds, 1e-9) / 1e6:.1f} million a second")
    first, second = section.tables
    more = [
        (f"risk of ruin, %, {hours:g} hours", *found.trip(hours).times(100).text(2)),
        (f"risk of ruin, %, before winning {goal:g}", *found.before_goal(goal).times(100).text(2)),
    ]
    print_table(first.head, [*first.rows, *more])
    print_table(second.head, second.rows)


def best_as_dict(best: BestRamp | None) -> dict[str, Any]:
    """The ramp found, as plain data."""
    if best is None:
        return {}
    return {
        "best_ramp": {
            "ramp": [list(step) for step in best.ramp.steps],
            "expected_score": best.score,
            "unrounded_score": best.unrounded_score,
            "rounding_cost": best.rounding_cost,
        }
    }


def show_best(best: BestRamp | None) -> None:
    """The ramp found, as --ramp takes it."""
    if best is not None:
        steps = ",".join(f"{count:g}:{bet:g}" for count, bet in best.ramp.steps)
        click.echo(f"ramp found: {steps}; whole chips cost {100 * best.rounding_cost:.2f} % of SCORE")


@command(
    "mazzo blackjack counter --set surrender=late --ramp=-1:10,1:20,2:40,3:60,4:80 --play i18 --rounds 100000000",
    "mazzo blackjack counter --count ko --spread 1-8 --min 10 --chip 5 --rounds 20000000",
    "mazzo blackjack counter --ramp 0:10,2:50 --enter 1 --leave 0 --watch --others 3 --json",
    "mazzo blackjack counter --count hi-opt-2 --side-aces --ramp 0:10,2:50,4:100 --boxes 2 --svg advantage.svg",
)
@rules_name
@changes
@count_name
@play_name
@click.option("--ramp", metavar="STEPS", help="Bet ramp: COUNT:BET separated by commas; a bet of 0 sits the round out.")
@click.option("--spread", metavar="1-8", help="Bet spread: find the best ramp from --min to 8 times --min.")
@click.option("--min", "low", type=_positive, default=10.0, show_default=True, help="Minimum bet, for --spread.")
@click.option("--best-for", type=click.Choice(["score", "growth"]), default="score", show_default=True)
@click.option(
    "--risk", type=Number(0, 1, min_open=True, max_open=True), help="Scale the bets of --spread to this risk of ruin."
)
@click.option(
    "--kelly", type=_positive, default=1.0, show_default=True, help="Fraction of full Kelly, for --best-for growth."
)
@click.option("--chip", type=Number(min=0), default=0.0, help="Round the bets of --spread to multiples of this.")
@click.option("--rounds", type=click.IntRange(min=1), default=10_000_000, show_default=True, help="Rounds to play.")
@click.option(
    "--true",
    "divisor",
    type=click.Choice(["exact", "half", "deck", "running"]),
    help="Divide the running count by decks left: exact, half, deck; or not at all: running.",
)
@click.option(
    "--rounding",
    type=click.Choice(["floor", "truncate", "round", "none"]),
    default="floor",
    show_default=True,
    help="How the true count is rounded.",
)
@click.option(
    "--side-aces",
    is_flag=True,
    cls=Listed,
    names=lambda: [count.name for count in _counts() if count.aces],
    help="Side count of aces for bets ({names}).",
)
@click.option("--boxes", type=click.IntRange(1, 7), default=1, show_default=True, help="Hands (boxes) you play.")
@click.option("--others", type=click.IntRange(0, 6), default=0, show_default=True, help="Other players at the table.")
@click.option("--enter", type=Number(), help="Join a shoe from this count on (back-counting).")
@click.option("--leave", type=Number(), help="Leave a shoe below this count.")
@click.option(
    "--watch", is_flag=True, help="Keep counting a shoe after leaving it, and come back; else it is left for good."
)
@click.option("--rise", type=Number(min=1), help="A bet is at most this many times the last one (camouflage).")
@click.option(
    "--depth",
    type=Number(0, 1, min_open=True, max_open=True),
    help="Penetration: share of the shoe dealt before the cut card.",
)
@click.option("--bankroll", type=_positive, default=10_000.0, show_default=True)
@click.option("--per-hour", type=_positive, default=80.0, show_default=True, help="Rounds per hour.")
@click.option("--tips", type=Number(min=0), default=0.0, show_default=True, help="Tips per hour.")
@click.option(
    "--hours", type=_positive, default=100.0, show_default=True, help="Length of a trip in hours, for its risk of ruin."
)
@click.option("--goal", type=_positive, help="Amount to win before ruin.  [default: the bankroll]")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw the advantage by count.")
@click.option(
    "--checkpoint",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save progress in this file; the same command resumes from it.",
)
@seed
@workers
@as_json
@quiet
def counter(
    rules_name: str,
    changes: tuple[str, ...],
    count_name: str,
    play: str,
    ramp: str | None,
    spread: str | None,
    low: float,
    rounds: int,
    hours: float,
    goal: float | None,
    svg: Path | None,
    depth: float | None,
    seed: int,
    workers: Workers,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Simulate a card counter: EV, SCORE, N0 and risk of ruin.

    By count and in all, each figure with its interval.
    """
    if spread is None:
        has_effect_only("with --spread", "low", "best_for", "risk", "kelly", "chip")
    elif options["best_for"] != "growth":
        has_effect_only("with --best-for growth", "kelly")
    rules, _ = read_setting(rules_name, changes, None)
    rules = rules if depth is None else rules.changed(penetration=depth)
    if svg is not None:
        from mazzo.files import folder_of

        folder_of(svg)
    given = seat_options(options)
    given.update(seed=seed, workers=workers, goal=options["best_for"], fraction=options["kelly"])
    note(settled_silently(rules), quiet or as_json)
    note(_conventions(given, count_name, play), quiet or as_json)
    found, best = run_counter(rules, count_name, play, ramp, spread, low, given, rounds, quiet or as_json)
    goal = found.bankroll if goal is None else goal
    if svg is not None:
        from mazzo.files import write_whole
        from mazzo.reports.draw import svg as drawn

        write_whole(svg, drawn(found.chart(), standalone=True))
        note(f"picture written to {svg}", quiet)
    if as_json:
        print_json(
            {
                **found.as_dict(),
                "ruin_trip": {"hours": hours, **found.trip(hours).as_dict()},
                "ruin_before_goal": {"goal": goal, **found.before_goal(goal).as_dict()},
                **best_as_dict(best),
                "conventions": _conventions(given, count_name, play),
                "rules": rules.as_dict(),
            }
        )
        return
    show_best(best)
    show_earnings(found, hours, goal)


def seat_options(options: dict[str, Any]) -> dict[str, Any]:
    """What was given of the seat and the money, without what was left out."""
    names = (
        "divisor",
        "rounding",
        "side_aces",
        "boxes",
        "others",
        "enter",
        "leave",
        "watch",
        "rise",
        "bankroll",
        "per_hour",
        "tips",
        "checkpoint",
        "risk",
        "chip",
    )
    return {name: options[name] for name in names if options.get(name) is not None}
