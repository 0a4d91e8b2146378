"""The `mazzo` command: finds the subcommands, turns errors into one sentence and an exit code.

Exit codes: 0 done, 1 failed, 2 wrong usage, 70 a fault in Mazzo itself, 130 interrupted.
"""

from __future__ import annotations

import os
import platform
import shlex
import sys
import traceback
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from mazzo import __version__
from mazzo.cli.common import Group
from mazzo.errors import MazzoError, did_you_mean

__all__ = ["COMMANDS", "Lazy", "main", "mazzo"]

COMMANDS: dict[str, str] = {
    "agents": "mazzo.cli.agents:agents",
    "attributes": "mazzo.cli.attributes:attributes",
    "blackjack": "mazzo.cli.blackjack:blackjack",
    "clone": "mazzo.cli.clone:clone",
    "compare": "mazzo.cli.compare:compare",
    "completion": "mazzo.cli.completion:completion",
    "connect": "mazzo.cli.connect:connect",
    "dealer": "mazzo.cli.dealer:dealer",
    "demo": "mazzo.cli.demo:demo",
    "describe": "mazzo.cli.describe:describe",
    "equity": "mazzo.cli.equity:equity",
    "explain": "mazzo.cli.explain:explain",
    "games": "mazzo.cli.games:games",
    "generate": "mazzo.cli.generate:generate",
    "hands": "mazzo.cli.hands:hands",
    "learn": "mazzo.cli.learn:learn",
    "match": "mazzo.cli.match:match",
    "play": "mazzo.cli.play:play",
    "read": "mazzo.cli.read:read",
    "report": "mazzo.cli.report:report",
    "search": "mazzo.cli.search:search",
    "serve": "mazzo.cli.serve:serve",
    "study": "mazzo.cli.study:study",
    "tournament": "mazzo.cli.tournament:tournament",
    "tressette": "mazzo.cli.tressette:tressette",
}
"""Every command and where it is. A command's module is imported only when that command is asked for."""


EXAMPLES = (
    "mazzo equity AsKd --board 7h8h2c",
    "mazzo match holdem-limit-2p chart random --hands 20000",
    "mazzo play holdem-nolimit-6p",
    "mazzo blackjack hand 8,8 v 10",
    "mazzo learn hands.log -o hero.mz",
)

DEBUG = "MAZZO_DEBUG"
"""The environment variable that shows where a fault happened at once, as `mazzo --debug` does."""

FAULT = 70
"""The exit code of a fault in Mazzo itself (EX_SOFTWARE of sysexits.h)."""


class Lazy(Group):
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


def _set_debug(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted:
        os.environ[DEBUG] = "1"


@click.command(
    cls=Lazy,
    commands_at=COMMANDS,
    examples=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="mazzo")
@click.option(
    "--debug", is_flag=True, expose_value=False, callback=_set_debug, help=f"Show where a fault happened ({DEBUG}=1)."
)
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
        details = traceback.format_exc() if os.environ.get(DEBUG) else ""
        click.echo(f"{details}mazzo: this should not have happened: {crash!r}\n{_keep_details()}", err=True)
        code = FAULT
    sys.exit(code if isinstance(code, int) else 0)


def _keep_details() -> str:
    from mazzo.jit import cache_directory

    try:
        path: Path = cache_directory() / "last-crash.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_details())
    except OSError as wrong:
        return f"the details could not be kept ({wrong}); to see them: mazzo --debug ..."
    return f"details are in {path}; please report them (to see them here: mazzo --debug ...)"


def _details() -> str:
    """All that a report of a fault needs, and nothing of the files that were worked on."""
    return "\n".join(
        [
            f"mazzo {__version__}",
            f"command: {shlex.join(['mazzo', *sys.argv[1:]])}",
            f"python {platform.python_version()} on {platform.platform()}",
            f"numba {version('numba')}, numpy {version('numpy')}",
            "",
            traceback.format_exc(),
        ]
    )
