"""`mazzo tressette solve`: what every card is worth when all hands lie open."""

from __future__ import annotations

import click

from mazzo.cli.common import as_json, command, print_json, print_table
from mazzo.errors import UnreadableError

__all__ = ["solve"]


@command(
    "mazzo tressette solve --seed 7",
    'mazzo tressette solve "south 3d 4c; east 2d 5c; north Ad 6c; west 10d 7c; lead south"',
    "mazzo tressette solve --seed 7 --number 3 --leader west --json",
)
@click.argument("text", required=False)
@click.option("--seed", type=click.IntRange(min=0), help="Solve a random deal; the same seed gives the same deal.")
@click.option("--number", type=click.IntRange(min=0), default=0, show_default=True, help="Which deal of the seed.")
@click.option(
    "--leader",
    type=click.Choice(["south", "east", "north", "west"]),
    default="south",
    show_default=True,
    help="Player who leads a random deal.",
)
@as_json
def solve(text: str | None, seed: int | None, number: int, leader: str, as_json: bool) -> None:
    """Print the double-dummy value of each legal card.

    TEXT describes the round: all four hands are known and perfectly played.
    TEXT holds parts separated by semicolons: south, east, north and west with their cards, `lead` and who leads, and
    (with ten cards each) `play` and the cards played so far. Values are in thirds of a point, of what is still to be
    had, the last trick's three included.
    """
    from mazzo.tressette.round import SEATS, Round
    from mazzo.tressette.solver.values import read_position
    from mazzo.tressette.solver.values import solve as solve_open

    if (text is None) == (seed is None):
        raise UnreadableError("give either the text of a position or --seed for a random deal")
    if text is not None:
        table = read_position(text)
        if not table.hands[0].any():
            raise UnreadableError(f"nothing is left to be played in {text!r}")
        solved = solve_open(table)
    else:
        solved = solve_open(Round(seed=seed or 0, number=number, leader=SEATS.index(leader)))
    if as_json:
        print_json(solved.as_dict())
        return
    for line in solved.words:
        click.echo(line)
    print_table(solved.grid.head, solved.grid.rows)
