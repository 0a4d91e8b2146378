"""`mazzo tressette assist`: advice and knowledge at a real table."""

from __future__ import annotations

import click

from mazzo.cli.common import command, note
from mazzo.cli.table import ask

__all__ = ["assist"]


@command(
    "mazzo tressette assist",
    'mazzo tressette assist --round "me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s; lead avv1; play 8d 2s 9d 3d"',
)
@click.option("--round", "text", help="Continue from a round's text (what `t` prints).")
@click.option("--advisor", default="decision-improved", show_default=True, help="The agent that advises.")
@click.option("--named", is_flag=True, help="A declared napoli names its suit.")
@click.option("--talk", is_flag=True, help="Leaders may signal: busso, striscio, volo (8d:busso).")
def assist(text: str | None, advisor: str, named: bool, talk: bool) -> None:
    """Follow a round at a real table and get advice.

    Type what was played, ask what is known, take back mistakes.
    """
    from mazzo.seated import Leave
    from mazzo.tressette.assistant import Assistant

    try:
        Assistant(ask, click.echo, advisor, named, talk).run(text)
    except Leave:
        note("You left. Continue later with --round and the text that t prints.")
