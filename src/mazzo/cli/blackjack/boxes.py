"""`mazzo blackjack boxes`: how much two boxes at one table win and lose together."""

from __future__ import annotations

import click

from mazzo.cli.blackjack.group import changes, read_setting, rules_name
from mazzo.cli.common import as_json, command, print_json, progress, quiet, seed, workers
from mazzo.workers import Workers

__all__ = ["boxes"]


@command("mazzo blackjack boxes", "mazzo blackjack boxes --rules h17 --rounds 50000000 --json")
@rules_name
@changes
@click.option(
    "--rounds",
    type=click.IntRange(min=1000),
    default=10_000_000,
    show_default=True,
    help="Rounds with one box, and as many with two.",
)
@seed
@workers
@as_json
@quiet
def boxes(
    rules_name: str, changes: tuple[str, ...], rounds: int, seed: int, workers: Workers, as_json: bool, quiet: bool
) -> None:
    """Print the variance of a box and the covariance of two.

    Every box is played by basic strategy.
    """
    from mazzo.blackjack.bets.boxes import two_boxes
    from mazzo.blackjack.bets.counter_seat import GROUPS

    rules, _ = read_setting(rules_name, changes, None)
    with progress("rounds", 2 * GROUPS, quiet) as advance:
        found = two_boxes(rules, rounds, seed, workers=workers, advance=advance)
    if as_json:
        print_json({**found.as_dict(), "rounds": rounds, "seed": seed, "rules": rules.as_dict()})
    else:
        click.echo(str(found))
