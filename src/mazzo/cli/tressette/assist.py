"""`mazzo tressette assist`: advice and knowledge at a real table."""

from __future__ import annotations

import re

import click

from mazzo.cli.common import command, note
from mazzo.cli.table import ask
from mazzo.cli.tressette.options import adviser, adviser_name, rules
from mazzo.errors import UnreadableError

__all__ = ["assist"]


@command(
    "mazzo tressette assist --seconds 1",
    "mazzo tressette assist --rules tressette-after --score 12-8",
    'mazzo tressette assist --round "me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; lead avv1; play 8d 2s 9d 3d"',
)
@click.option("--round", "text", help="Continue from a round's text (what `t` prints).")
@click.option("--score", default="0-0", show_default=True, help="Points of your side and of the other before it.")
@click.option("--one", is_flag=True, help="Follow one round, not a match.")
@adviser
@rules
@click.option("--named", is_flag=True, help="A declared napoli names its suit.")
@click.option("--talk", is_flag=True, help="Leaders may signal: busso, striscio, volo (8d:busso).")
def assist(
    text: str | None,
    score: str,
    one: bool,
    advisor: str,
    seconds: float | None,
    game: str,
    named: bool,
    talk: bool,
) -> None:
    """Follow a match at a real table and get advice.

    Type what was played, ask what is known, take back mistakes. Table, hand, points and match score are always in
    view; a mistake in a line asks for that line again.
    """
    from mazzo.seated import Leave
    from mazzo.tressette.assistant import Assistant
    from mazzo.tressette.rules import rules as find_rules

    found = find_rules(game, **{name: True for name, on in (("named", named), ("talk", talk)) if on})
    read = re.fullmatch(r"(\d{1,3})[-: ](\d{1,3})", score)
    if read is None:
        raise UnreadableError(f"--score must be two numbers, your side's first, such as 12-8, got {score!r}")
    helper = Assistant(ask, click.echo, adviser_name(advisor, seconds), found, (int(read[1]), int(read[2])))
    try:
        if one:
            helper.run(text)
        else:
            helper.run_match(text)
    except Leave:
        note("You left. Continue later with --round and the text that t prints.")
