"""`mazzo play GAME`: a table in the terminal."""

from __future__ import annotations

import click

from mazzo.cli.app import Lazy
from mazzo.errors import did_you_mean

__all__ = ["COMMANDS", "play"]

COMMANDS = {
    "blackjack": "mazzo.cli.play_blackjack:blackjack",
    "holdem": "mazzo.cli.play_holdem:holdem",
    "tressette": "mazzo.cli.play_tressette:tressette",
}
"""The games one can play, each with where its command is. The name of a Hold'em game stands for `holdem NAME`."""


class _Games(Lazy):
    """The commands, and every Hold'em game by its own name or file."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """`holdem-nolimit-6p ...` and `my.game ...` are `holdem` with that argument."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from mazzo.holdem.game import PRESETS

            if args[0] in PRESETS or args[0].endswith(".game"):
                return super().resolve_command(ctx, ["holdem", *args])
            ctx.fail(f"there is no game {args[0]!r} to play; {did_you_mean(args[0], [*COMMANDS, *PRESETS])}")
        return super().resolve_command(ctx, args)


@click.group(cls=_Games, commands_at=COMMANDS)
def play() -> None:
    """Play a game in the terminal, against agents or people."""
