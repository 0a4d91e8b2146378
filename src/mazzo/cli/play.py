"""`mazzo play`: sit down at a table."""

from __future__ import annotations

import click

from mazzo.cli.app import Lazy

__all__ = ["play"]


@click.command(
    cls=Lazy,
    commands_at={
        "tressette": "mazzo.cli.play_tressette:tressette",
    },
)
def play() -> None:
    """Play a game in the terminal, against agents or people."""
