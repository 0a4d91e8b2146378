"""`mazzo blackjack simulate`: a strategy played, beside its exact value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mazzo.cli.blackjack.group import changes, read_setting, rules_name, shoe_text
from mazzo.cli.common import as_json, command, note, print_json, progress, quiet, seed, workers
from mazzo.confidence import LEVEL
from mazzo.workers import Workers

if TYPE_CHECKING:
    from mazzo.blackjack.rules import Rules
    from mazzo.blackjack.shoe import Shoe
    from mazzo.blackjack.strategy import Strategy

__all__ = ["simulate"]


def _read_table(path: str | None, rules: Rules, shoe: Shoe | None) -> Strategy:
    from mazzo.blackjack.exact.total import best_table
    from mazzo.blackjack.strategy import Strategy
    from mazzo.studies.bodon import printed_table

    if path is None:
        return best_table(rules, shoe).table
    if path == "bodon":
        return printed_table()
    return Strategy.read(path)


def _other_rules(rules: Rules) -> str:
    """Where rules differ from those of Bodon's chart in what its plays hang on: "peek is true, not false"."""
    from mazzo.blackjack.rules import PRESETS

    free = ("max_hands", "surrender_after_split", "insurance", "even_money", "penetration", "cut_sigma")
    mine, his = rules.as_dict(), PRESETS["hungarian"].as_dict()
    told = [(name, mine[name], his[name]) for name in mine if name not in free and mine[name] != his[name]]
    return ", ".join(f"{name} is {_plain(value)}, not {_plain(other)}" for name, value, other in told)


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@command(
    "mazzo blackjack simulate --rules hungarian --rounds 100000000",
    "mazzo blackjack simulate --strategy bodon --rules hungarian --through",
    "mazzo blackjack simulate --strategy climbed.txt --rules thesis",
)
@rules_name
@changes
@shoe_text
@click.option(
    "--strategy",
    metavar="FILE",
    help="A table of letters (chart --format letters, climb or learn --table), or bodon; else the best.",
)
@click.option("--rounds", type=click.IntRange(min=1), default=10_000_000, show_default=True)
@click.option("--through", is_flag=True, help="Play shoes to the cut card instead of reshuffling every round.")
@click.option("--insurance", type=click.Choice(["never", "always", "counted"]), default="counted", show_default=True)
@seed
@workers
@as_json
@quiet
def simulate(
    rules_name: str,
    changes: tuple[str, ...],
    shoe_text: str | None,
    strategy: str | None,
    rounds: int,
    through: bool,
    insurance: str,
    seed: int,
    workers: Workers,
    as_json: bool,
    quiet: bool,
) -> None:
    """Play a strategy and say what it earned, with its error."""
    from mazzo.blackjack.exact.analysis import analyse
    from mazzo.blackjack.simulation import simulate as play
    from mazzo.blackjack.strategy import policy_of

    rules, shoe = read_setting(rules_name, changes, shoe_text)
    table = _read_table(strategy, rules, shoe)
    other = _other_rules(rules) if strategy == "bodon" else ""
    if other:
        note(f"warning: bodon's strategy was made for other rules; here {other}", quiet)
    with progress("rounds", rounds, quiet) as advance:
        result = play(rules, table, rounds, seed, shoe, through, insurance, workers, advance)
    exact = analyse(rules, shoe, policy_of(table, rules)).ev if not through else None
    low, high = result.estimate.ci95
    if as_json:
        print_json(
            {
                "ev": result.estimate.mean,
                "standard_error": result.estimate.standard_error,
                "ci95": [low, high],
                "rounds": result.rounds,
                "seconds": result.seconds,
                "exact": exact,
                "seed": seed,
                "method": "simulation",
                "rules": rules.as_dict(),
            }
        )
        return
    click.echo(f"{result.estimate.mean:+.6f} of the bet a round, {LEVEL} between {low:+.6f} and {high:+.6f}")
    click.echo(f"{result.rounds} rounds, {result.rounds / result.seconds / 1e6:.1f} million a second, seed {seed}")
    if exact is not None:
        errors = (result.estimate.mean - exact) / result.estimate.standard_error
        click.echo(f"exact: {exact:+.9f}, {errors:+.2f} standard errors away")
