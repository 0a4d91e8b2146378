"""`mazzo play GAME`: a table in the terminal."""

from __future__ import annotations

import click

from mazzo.cli.app import Lazy

__all__ = ["COMMANDS", "play"]

COMMANDS = {
    "blackjack": "mazzo.cli.play_blackjack:blackjack",
    "tressette": "mazzo.cli.play_tressette:tressette",
}
"""The games one can play, each with where its command is."""


@click.group(cls=Lazy, commands_at=COMMANDS)
def play() -> None:
    """Play a game in the terminal, against agents or people."""
