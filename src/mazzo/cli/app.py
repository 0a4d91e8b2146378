"""The `mazzo` command: finds the subcommands, turns errors into one sentence and an exit code.

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import sys
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from mazzo import __version__
from mazzo.errors import MazzoError, did_you_mean

__all__ = ["COMMANDS", "Lazy", "main", "mazzo"]

COMMANDS: dict[str, str] = {
    "agents": "mazzo.cli.agents:agents",
    "blackjack": "mazzo.cli.blackjack:blackjack",
    "connect": "mazzo.cli.connect:connect",
    "dealer": "mazzo.cli.dealer:dealer",
    "equity": "mazzo.cli.equity:equity",
    "explain": "mazzo.cli.explain:explain",
    "games": "mazzo.cli.games:games",
    "generate": "mazzo.cli.generate:generate",
    "hands": "mazzo.cli.hands:hands",
    "learn": "mazzo.cli.learn:learn",
    "match": "mazzo.cli.match:match",
    "play": "mazzo.cli.play:play",
    "search": "mazzo.cli.search:search",
    "serve": "mazzo.cli.serve:serve",
    "study": "mazzo.cli.study:study",
    "tournament": "mazzo.cli.tournament:tournament",
    "tournament-study": "mazzo.cli.tournament_study:tournament_study",
    "tressette": "mazzo.cli.tressette:tressette",
}
"""Every command and where it is. A command's module is imported only when that command is asked for."""


class Lazy(click.Group):
    """A group whose commands are named in a dictionary and imported on use, so that `mazzo` starts fast."""

    def __init__(self, *args: Any, commands_at: dict[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._commands_at = commands_at

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands by name."""
        return sorted(self._commands_at)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        where = self._commands_at.get(cmd_name)
        if where is None:
            return None
        module, _, name = where.partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command where the one given does not exist."""
        if args and not args[0].startswith("-") and args[0] not in self._commands_at:
            ctx.fail(f"there is no command {args[0]!r}; {did_you_mean(args[0], self._commands_at)}")
        return super().resolve_command(ctx, args)


@click.command(
    cls=Lazy, commands_at=COMMANDS, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(__version__, prog_name="mazzo")
def mazzo() -> None:
    """Find, learn, measure, explain and play strategies for card games."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        code = mazzo.main(prog_name="mazzo", standalone_mode=False)
    except click.exceptions.Exit as done:
        code = done.exit_code
    except click.ClickException as wrong:
        wrong.show()
        code = wrong.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        code = 130
    except MazzoError as wrong:
        click.echo(f"mazzo: {wrong}", err=True)
        code = 2
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone (`mazzo ... | head`): nothing to say
        code = 1
    except Exception as crash:
        click.echo(f"mazzo: this should not have happened: {crash!r}\n{_keep_details()}", err=True)
        code = 1
    sys.exit(code if isinstance(code, int) else 0)


def _keep_details() -> str:
    from mazzo.jit import cache_directory

    try:
        path: Path = cache_directory() / "last-crash.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"mazzo {__version__}: {sys.argv}\n\n{traceback.format_exc()}")
    except OSError:
        return traceback.format_exc()
    return f"details are in {path}; please report them"
