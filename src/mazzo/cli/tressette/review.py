"""`mazzo tressette review`: what each card of a finished round cost."""

from __future__ import annotations

import click

from mazzo.cli.common import as_json, command, print_json, progress, quiet
from mazzo.cli.tressette.options import adviser, adviser_name, seat_number

__all__ = ["review"]


@command(
    "mazzo tressette review --seed 7",
    'mazzo tressette review "$(tail -1 rounds.txt)" --seat east --seconds 0.5',
)
@click.argument("text", required=False)
@click.option("--seed", type=click.IntRange(min=0), help="Review a random deal that `policy` plays.")
@click.option("--seat", default="south", show_default=True, help="Whose cards.")
@adviser
@as_json
@quiet
def review(
    text: str | None,
    seed: int | None,
    seat: str,
    advisor: str,
    seconds: float | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Review a finished round: what did each card cost?

    TEXT is a round with all four hands and all cards played, as logs of matches hold it. Each card is set against what
    the advisor would have played knowing what the seat knew, and against perfect play with open hands. Rounds of a
    session are reviewed by `mazzo review`.
    """
    from mazzo.document import plain
    from mazzo.errors import UnreadableError
    from mazzo.tressette.agents import agent
    from mazzo.tressette.review import review_round
    from mazzo.tressette.round import Round

    if (text is None) == (seed is None):
        raise UnreadableError("give either the text of a finished round or --seed for a random one")
    table = Round(seed=seed) if text is None else Round.parse(text)
    if text is None:
        player = agent("policy")
        while not table.over:
            table.act(player)
    with progress("reviewing", 10, quiet or as_json) as advance:
        found = review_round(table, seat_number(table, seat), adviser_name(advisor, seconds), advance)
    if as_json:
        print_json({"round": table.text(), **found.as_dict()})
    else:
        click.echo(plain(found.section()))
