"""`mazzo tressette advise`: which card to play in a situation, and why."""

from __future__ import annotations

import click

from mazzo.cli.common import as_json, command, print_json
from mazzo.cli.tressette.options import adviser, adviser_name
from mazzo.errors import UnreadableError

__all__ = ["advise"]


@command(
    'mazzo tressette advise "me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; lead avv1; play 8d 2s 9d"',
    'mazzo tressette advise "me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; score 25 28; lead me" --seconds 1 --also decision',
)
@click.argument("text")
@adviser
@click.option("--also", multiple=True, help="Another agent to ask, and why the two differ; may be given again.")
@as_json
def advise(text: str, advisor: str, seconds: float | None, also: tuple[str, ...], as_json: bool) -> None:
    """Say which card to play in a situation, by how much, and why.

    TEXT describes the round as for `mazzo tressette know`; `score 12 8` is the match before this round, your side's
    points first. Cards may be written 10d, Rd, Kd or "re di denari".
    """
    from mazzo.agent import create
    from mazzo.tressette.agents import AGENTS
    from mazzo.tressette.reasoning import reasons
    from mazzo.tressette.round import Round
    from mazzo.tressette.spoken import why_differ
    from mazzo.tressette.view import View

    with reasons():
        table = Round.parse(text)
    seen = table.seen() if table.turn is not None else table
    if table.turn is None:
        raise UnreadableError("the round is over: there is no card to advise")
    if isinstance(table, View) and table.turn != 0:
        raise UnreadableError(f"{table.names[table.turn]} is to play: the text does not show what that seat holds")
    name, found = adviser_name(advisor, seconds), {}
    for one in (name, *also):
        player = create(one, AGENTS)
        if reason := player.unsupported_reason(table.rules):
            raise UnreadableError(f"{one} cannot advise here: {reason}")
        found[one] = player.explain(seen.observe())
    differ = [why_differ(name, found[name], other, found[other]) for other in also]
    if as_json:
        advice = [{"advisor": one, **explanation.as_dict()} for one, explanation in found.items()]
        print_json({"round": str(seen), "advice": advice, "differ": differ})
        return
    for line in seen.observe().words():
        click.echo(line)
    for one, explanation in found.items():
        click.echo(f"\n{one} plays {explanation}")
    for line in differ:
        click.echo(f"\n{line}.")
