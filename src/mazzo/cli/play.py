"""`mazzo play GAME`: a table in the terminal."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import click

from mazzo.cli.common import Group, command, seed
from mazzo.cli.table import kept, run
from mazzo.errors import MazzoError
from mazzo.games import Entry, entries, find_entry, find_rules
from mazzo.names import parse_seats
from mazzo.seated import Field

__all__ = ["play"]


class _Games(Group):
    """One command a game: its own (`mazzo.cli.GAME.play`) where it has one, else one made of what can be chosen."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All games by name."""
        return sorted(entry.NAME for entry in entries())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a game."""
        if cmd_name not in self.list_commands(ctx):
            return None
        where = f"mazzo.cli.{cmd_name}"
        if find_spec(where) is None or find_spec(f"{where}.play") is None:
            return _command_of(find_entry(cmd_name))
        found: click.Command = getattr(import_module(f"{where}.play"), cmd_name)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A variant's name or file (`holdem-nolimit-6p`, `my.game`) is its game with that argument."""
        if args and args[0] not in self.list_commands(ctx) and not args[0].startswith("-"):
            try:
                entry, _ = find_rules(args[0])
            except MazzoError as error:
                ctx.fail(str(error))
            inner = self.get_command(ctx, entry.NAME)
            if inner is None or not any(isinstance(p, click.Argument) for p in inner.params):
                ctx.fail(f"{args[0]!r} is played by options of its game: see mazzo play {entry.NAME} --help")
            return super().resolve_command(ctx, [entry.NAME, *args])
        return super().resolve_command(ctx, args)


def _command_of(entry: Entry) -> click.Command:
    """The command of a game that has none of its own: an option for everything that can be chosen."""
    seating = entry.seating()

    def play_it(seats: str, seed: int, **given: Any) -> None:
        at = {name: given.pop(name) for name in ("file", "resume", "replay")}
        options = {name: value for name, value in given.items() if value is not None}
        run(entry.NAME, lambda: (parse_seats(seats), options, seed), words=entry.NAME, seats=seats, **at)

    play_it.__doc__ = f"Play {entry.NAME}."
    usual = ",".join(["me", *[next(iter(entry.AGENTS))] * (seating.least - 1)])
    made: Any = kept(seed(play_it))
    for f in reversed(seating.fields):
        made = _option(f)(made)
    made = click.option("--seats", default=usual, show_default=True, help="me (me:Anna) or agents.")(made)
    return command(f"mazzo play {entry.NAME} --seats {usual}", name=entry.NAME)(made)


def _option(f: Field) -> Any:
    name = "--" + f.name.replace("_", "-")
    if isinstance(f.default, bool) and not f.choices:
        return click.option(f"{name}/--no-{f.name.replace('_', '-')}", f.name, default=f.default, show_default=True)
    kind = click.Choice(f.choices) if f.choices else type(f.default)
    return click.option(name, f.name, type=kind, help=f"[default: {f.default}]")


@click.group(cls=_Games)
def play() -> None:
    """Play a game in the terminal, against agents or people."""
