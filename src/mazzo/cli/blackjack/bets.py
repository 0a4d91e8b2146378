"""`mazzo blackjack shoes` and `bet`: what a shoe is worth, and what to bet."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mazzo.cli.blackjack.counter import (
    best_as_dict,
    count_name,
    play_name,
    run_counter,
    settled_silently,
    show_best,
    show_earnings,
)
from mazzo.cli.blackjack.group import changes, control, interval_text, network_file, read_setting, rules_name
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
from mazzo.confidence import LEVEL
from mazzo.errors import UnreadableError

if TYPE_CHECKING:
    from mazzo.blackjack.bets.estimate import Figures
    from mazzo.blackjack.bets.intervals import Ranged
    from mazzo.blackjack.bets.performance import Performance
    from mazzo.blackjack.rules import Rules

__all__ = ["bet", "shoes"]


def _stakes() -> Iterable[str]:
    from mazzo.blackjack.bets.staking import STAKES

    return STAKES


def _show_figures(figures: Figures) -> None:
    rows = [
        ("E_pos", f"{figures.positive.mean:+.6f}", interval_text(figures.positive)),
        ("E_neg", f"{figures.negative.mean:+.6f}", interval_text(figures.negative)),
        ("favourable rounds", f"{figures.favourable.mean:.4f}", interval_text(figures.favourable, 4)),
        ("break-even ratio of bets", *figures.break_even_interval.text(4)),
    ]
    if figures.held:
        rows += [
            ("held favourable by --control: worth", f"{figures.held[0].mean:+.6f}", interval_text(figures.held[0])),
            ("the others: worth", f"{figures.held[1].mean:+.6f}", interval_text(figures.held[1])),
        ]
    if figures.won:
        rows += [
            ("held favourable: won", f"{figures.won[0].mean:+.6f}", interval_text(figures.won[0])),
            ("the others: won", f"{figures.won[1].mean:+.6f}", interval_text(figures.won[1])),
        ]
    print_table(("a round", "value", LEVEL), rows)
    print_table(
        ("cards gone", "rounds", "E_pos", "E_neg", "favourable"),
        [
            (
                f"{d['cards_gone_from']:.0f}-{d['cards_gone_to']:.0f}",
                f"{d['rounds']:.0f}",
                f"{d['positive']:+.5f}",
                f"{d['negative']:+.5f}",
                f"{d['favourable']:.3f}",
            )
            for d in figures.by_depth
        ],
    )
    click.echo(
        f"{figures.rounds} rounds, {figures.exact} of them counted exactly; the fast values alone would be off "
        f"by {figures.guess_bias[0]:+.6f} and {figures.guess_bias[1]:+.6f}"
    )


@command(
    "mazzo blackjack shoes --rules hungarian --shoes 20000 --workers 2",
    "mazzo blackjack shoes --rules hungarian --set insurance=false --depth 250 --rounds 1000000 --exact 600",
    "mazzo blackjack shoes --rules hungarian --control network --network values.mz",
    "mazzo blackjack shoes --set penetration=0.85 --seats 5 --checkpoint shoes.jsonl --json",
)
@rules_name
@changes
@click.option("--shoes", "amount", type=click.IntRange(min=40), default=4000, show_default=True, help="Shoes to play.")
@click.option("--seats", type=click.IntRange(1, 7), default=1, show_default=True, help="Players at the table.")
@click.option(
    "--depth",
    type=click.IntRange(min=0),
    help="Instead of whole shoes: rounds after 0 to this many cards, equally likely.",
)
@click.option("--rounds", type=click.IntRange(min=40), default=400_000, show_default=True, help="Rounds for --depth.")
@control
@network_file
@click.option("--exact", type=click.IntRange(min=40), default=400, show_default=True, help="Rounds evaluated exactly.")
@click.option(
    "--checkpoint",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save progress in this file; the same command resumes from it.",
)
@seed
@workers
@as_json
@quiet
def shoes(
    rules_name: str,
    changes: tuple[str, ...],
    amount: int,
    seats: int,
    depth: int | None,
    rounds: int,
    control: str,
    network: Path | None,
    exact: int,
    checkpoint: Path | None,
    seed: int,
    workers: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the EV of favourable and unfavourable rounds.

    Over whole shoes, every hand played at its best.
    """
    from mazzo.blackjack.bets.estimate import depth_figures, shoe_figures

    if depth is None:
        has_effect_only("with --depth", "rounds")
    else:
        has_effect_only("without --depth", "amount", "seats")
    rules, _ = read_setting(rules_name, changes, None)
    blocks = 40
    with progress("blocks", blocks, quiet) as advance:
        options: dict[str, Any] = {
            "control": control,
            "network": network,
            "blocks": blocks,
            "workers": workers,
            "checkpoint": checkpoint,
            "advance": advance,
        }
        if depth is None:
            figures = shoe_figures(rules, amount, exact, seed, seats=seats, **options)
        else:
            figures = depth_figures(rules, depth, rounds, exact, seed, **options)
    if as_json:
        print_json(
            {
                **figures.as_dict(),
                "seed": seed,
                "seats": seats,
                "depth": depth,
                "control": control,
                "rules": rules.as_dict(),
            }
        )
        return
    _show_figures(figures)


def _performance(found: Performance) -> dict[str, Any]:
    ranged = found.ranged()
    return {
        "won_a_round": found.mean.mean,
        "ci95": list(found.mean.ci95),
        "deviation": found.deviation,
        "average_bet": found.average_bet,
        "hourly": found.hourly,
        "n0": found.n0,
        "score": found.score,
        "risk_of_ruin": found.ruin,
        "growth_a_round": found.growth,
        "hours_to_double": found.hours_to_double,
        "simulated_a_round": found.simulated.mean,
        "rounds": found.rounds,
        **{f"{name}_ci95": list(figure.ci95) for name, figure in ranged.items()},
    }


@command(
    "mazzo blackjack bet --bankroll 10000 --min 10 --max 200",
    "mazzo blackjack bet --staking kelly --fraction 0.5 --bankroll 20000 --min 10 --max 500 --set penetration=0.85",
    "mazzo blackjack bet --staking ramp --ramp 0:10,1:20,2:50,3:100 --count hi-lo --play i18 --json",
    "mazzo blackjack bet --spread 1-8 --min 10 --ruin 0.05",
)
@rules_name
@changes
@click.option(
    "--staking",
    default="minmax",
    show_default=True,
    metavar="NAME",
    cls=Listed,
    names=lambda: _stakes(),
    help="{names}.",
)
@click.option("--bankroll", type=Number(min=0, min_open=True), default=10_000.0, show_default=True)
@click.option(
    "--min", "low", type=Number(min=0, min_open=True), default=10.0, show_default=True, help="Minimum bet of the table."
)
@click.option(
    "--max",
    "high",
    type=Number(min=0, min_open=True),
    default=200.0,
    show_default=True,
    help="Maximum bet of the table.",
)
@click.option(
    "--fraction", type=Number(min=0, min_open=True), default=1.0, show_default=True, help="Fraction of full Kelly."
)
@click.option("--ramp", metavar="STEPS", help="Bet ramp: TRUE COUNT:BET separated by commas.")
@click.option("--spread", metavar="1-8", help="Bet spread: find the best ramp from --min to 8 times --min.")
@count_name
@play_name
@click.option(
    "--shoes",
    "amount",
    type=click.IntRange(min=20),
    default=2000,
    show_default=True,
    help="Shoes to play (minmax, kelly).",
)
@click.option("--rounds", type=click.IntRange(min=1), default=10_000_000, show_default=True, help="Rounds (ramp).")
@click.option("--seats", type=click.IntRange(1, 7), default=1, show_default=True, help="Players at the table.")
@click.option("--per-hour", type=Number(min=1), default=80.0, show_default=True, help="Rounds per hour.")
@click.option(
    "--hours",
    type=Number(min=1),
    default=1000.0,
    show_default=True,
    help="Hours of play, for the risk of ruin within them.",
)
@click.option(
    "--ruin",
    type=Number(0, 1, min_open=True, max_open=True),
    help="Also print the bankroll that these bets need for this risk of ruin.",
)
@seed
@as_json
@quiet
def bet(
    rules_name: str,
    changes: tuple[str, ...],
    staking: str,
    ramp: str | None,
    spread: str | None,
    seed: int,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Print what a betting system earns and risks.

    minmax and kelly by exact values, a ramp by what a counter sees.
    """
    _refuse_unused(staking, spread)
    rules, _ = read_setting(rules_name, changes, None)
    note(settled_silently(rules), quiet or as_json)
    if staking == "ramp" or spread is not None:
        if ramp is None and spread is None:
            raise UnreadableError("a ramp needs its steps: --ramp 0:10,1:20,2:50 (true count:bet), or --spread 1-8")
        _bet_by_count(rules, ramp, spread, seed, as_json, quiet, options)
    else:
        _bet_by_value(rules, staking, seed, as_json, quiet, options)


def _refuse_unused(staking: str, spread: str | None) -> None:
    """Refuse what this way of betting does not look at."""
    from mazzo.blackjack.bets.staking import own_settings

    if spread is not None and staking != "ramp":
        has_effect_only("without --spread", "staking")
    if staking == "ramp" or spread is not None:
        has_effect_only("with --staking minmax or kelly", "high", "fraction", "amount")
    else:
        has_effect_only("with --staking ramp", "ramp", "rounds", "play")
        unused = {"low", "high", "fraction"} - set(own_settings(staking))
        has_effect_only("with a way of staking that has it", *unused)
    if staking == "ramp" and spread is None:
        has_effect_only("with --spread", "low")


def _bet_by_count(
    rules: Rules, ramp: str | None, spread: str | None, seed: int, as_json: bool, quiet: bool, given: dict[str, Any]
) -> None:
    """What `counter` gives for one box."""
    seat = {"bankroll": given["bankroll"], "per_hour": given["per_hour"], "others": given["seats"] - 1, "seed": seed}
    silent = quiet or as_json
    found, best = run_counter(
        rules, given["count_name"], given["play"], ramp, spread, given["low"], seat, given["rounds"], silent
    )
    hours, needed = given["hours"], None if given["ruin"] is None else found.bankroll_for(given["ruin"])
    if as_json:
        trip = {"hours": hours, **found.trip(hours).as_dict()}
        print_json(
            {
                **found.as_dict(),
                "won_a_round": found.ev_per_round.value,
                "ci95": list(found.ev_per_round.ci95),
                "ruin_trip": trip,
                **_needed_as_dict(given["ruin"], needed),
                **best_as_dict(best),
                "rules": rules.as_dict(),
            }
        )
        return
    show_best(best)
    show_earnings(found, hours, found.bankroll)
    _show_needed(given["ruin"], needed)


def _needed_as_dict(risk: float | None, needed: Ranged | None) -> dict[str, Any]:
    return {} if needed is None else {"bankroll_needed": {"risk_of_ruin": risk, **needed.as_dict()}}


def _show_needed(risk: float | None, needed: Ranged | None) -> None:
    if risk is not None and needed is not None:
        value, interval = needed.text(0)
        click.echo(f"for a risk of ruin of {100 * risk:g} % these bets need a bankroll of {value}, {LEVEL} {interval}")


def _bet_by_value(rules: Rules, staking: str, seed: int, as_json: bool, quiet: bool, given: dict[str, Any]) -> None:
    """Perfect play and perfect knowledge of the round's value."""
    from mazzo.blackjack.bets.intervals import Ranged
    from mazzo.blackjack.bets.performance import measure, simulated_ruin
    from mazzo.blackjack.bets.shoes import play_shoes
    from mazzo.blackjack.bets.staking import stakes
    from mazzo.blackjack.counting.systems import read_count

    bankroll, per_hour, hours, amount = given["bankroll"], given["per_hour"], given["hours"], given["amount"]
    limits = {name: given[name] for name in ("low", "high", "fraction")}
    ways = stakes(staking, bankroll=bankroll, ramp="", **limits)
    note(f"playing {amount} shoes, every hand at its best for the cards that are left", quiet or as_json)
    played = play_shoes(rules, range(amount), seed, given["seats"])
    tags = read_count(given["count_name"])
    found, totals, lowest, expected = measure(rules, played, ways, tags, bankroll, per_hour)
    enough = max(1, round(hours * per_hour * amount / found.rounds))
    needed = None if given["ruin"] is None else found.bankroll_for(given["ruin"])
    share, (least, most) = simulated_ruin(totals, lowest, bankroll, enough, 2000, seed, expected)
    if as_json:
        print_json(
            {
                **_performance(found),
                **_needed_as_dict(given["ruin"], needed),
                "simulated_ruin": share,
                "simulated_ruin_ci95": [least, most],
                "hours": hours,
                "bankroll": bankroll,
                "seed": seed,
                "rules": rules.as_dict(),
            }
        )
        return
    ranged = found.ranged()
    print_table(
        ("what", "value", LEVEL),
        [
            ("won a round", f"{found.mean.mean:+.4f}", interval_text(found.mean, 4)),
            ("standard deviation of a round", *ranged["deviation"].text(2)),
            ("average bet", f"{found.average_bet:.2f}", ""),
            ("won an hour", *ranged["hourly"].text(2, "+")),
            ("N0, rounds", *ranged["n0"].text(0)),
            ("SCORE", *ranged["score"].text(2)),
            ("risk of ruin, %, formula, for ever", *ranged["risk_of_ruin"].times(100).text(2)),
            (f"risk of ruin, %, simulated, {hours:g} hours", *Ranged(share, (least, most)).times(100).text(2)),
            ("growth a round, bets in proportion", f"{found.growth:+.3e}", ""),
            ("hours to double at the mean", f"{found.hours_to_double:.0f}", ""),
        ],
    )
    _show_needed(given["ruin"], needed)
