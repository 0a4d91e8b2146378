"""`mazzo play blackjack`: a shoe against the dealer, with a coach who knows what every play is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mazzo.cli.blackjack.group import changes, read_setting, rules_name
from mazzo.cli.common import command, note, seed
from mazzo.cli.table import kept, run

__all__ = ["blackjack"]


@command("mazzo play blackjack", "mazzo play blackjack --rules hungarian --seed 7 --no-coach")
@rules_name
@changes
@seed
@click.option("--coach/--no-coach", default=True, show_default=True, help="Say what each play cost.")
@click.option("--rounds", type=click.IntRange(min=1), help="Number of rounds to play.")
@kept
def blackjack(
    rules_name: str, changes: tuple[str, ...], seed: int, coach: bool, rounds: int | None, **kept: Path | int | None
) -> None:
    """Blackjack against the dealer. Keys: s stand, h hit, d double, p split, r surrender, q leave."""

    def setting() -> tuple[list[str], dict[str, Any], int]:
        from mazzo.blackjack.seated import options_of

        rules, _ = read_setting(rules_name, changes, None)
        return ["me"], {"bet": 1, **options_of(rules)}, seed

    table = run(
        "blackjack",
        setting,
        words="blackjack",
        hands=rounds,
        coach=coach,
        **kept,  # type: ignore[arg-type]  # click gives each of them its type
    )
    if kept["resume"] is None:
        note(f"{table.finished} rounds; the same seed deals the same cards again: --seed {seed}")
