"""The `mazzo` command: finds the subcommands, turns errors into one sentence and an exit code.

Exit codes: 0 done, 1 failed, 2 wrong usage, 70 a fault in Mazzo itself, 130 interrupted.
"""

from __future__ import annotations

import os
import shlex
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from mazzo.cli.common import Group
from mazzo.errors import MazzoError, did_you_mean
from mazzo.extras import MissingPartError, said_how_to_install
from mazzo.version import __version__

__all__ = ["COMMANDS", "GROUPS", "SUMMARIES", "Lazy", "main", "mazzo"]

COMMANDS: dict[str, str] = {
    "agents": "mazzo.cli.agents:agents",
    "attributes": "mazzo.cli.holdem.attributes:attributes",
    "blackjack": "mazzo.cli.blackjack.group:blackjack",
    "clone": "mazzo.cli.holdem.clone:clone",
    "compare": "mazzo.cli.holdem.compare:compare",
    "completion": "mazzo.cli.completion:completion",
    "connect": "mazzo.cli.holdem.connect:connect",
    "dealer": "mazzo.cli.holdem.dealer:dealer",
    "demo": "mazzo.cli.demo:demo",
    "describe": "mazzo.cli.holdem.describe:describe",
    "equity": "mazzo.cli.holdem.equity:equity",
    "explain": "mazzo.cli.explain:explain",
    "exploit": "mazzo.cli.holdem.exploit:exploit",
    "games": "mazzo.cli.games:games",
    "generate": "mazzo.cli.holdem.generate:generate",
    "hands": "mazzo.cli.holdem.hands:hands",
    "icm": "mazzo.cli.holdem.icm:icm",
    "improve": "mazzo.cli.holdem.improve:improve",
    "league": "mazzo.cli.league:league",
    "learn": "mazzo.cli.holdem.learn:learn",
    "match": "mazzo.cli.match:match",
    "play": "mazzo.cli.play:play",
    "rank": "mazzo.cli.holdem.rank:rank",
    "read": "mazzo.cli.holdem.read:read",
    "report": "mazzo.cli.report:report",
    "review": "mazzo.cli.review:review",
    "search": "mazzo.cli.holdem.search:search",
    "serve": "mazzo.cli.serve:serve",
    "solve": "mazzo.cli.holdem.solve:solve",
    "study": "mazzo.cli.study:study",
    "tournament": "mazzo.cli.holdem.tournament:tournament",
    "tressette": "mazzo.cli.tressette.group:tressette",
    "verify-deal": "mazzo.cli.verify_deal:verify_deal",
    "warm": "mazzo.cli.warm:warm",
}
"""Every command and where it is. A command's module is imported only when that command is asked for."""

SUMMARIES: dict[str, str] = {
    "agents": "List the agents with their parameters and defaults.",
    "attributes": "List the attributes that describe a decision.",
    "blackjack": "Exact values, charts, counting, bets and practice.",
    "clone": "Learn from LOGS to play like one of their players.",
    "compare": "Compare how ORIGINAL and CLONE play.",
    "completion": "Print the script for tab completion in SHELL.",
    "connect": "Play an agent on the dealer at HOST and PORT.",
    "dealer": "Run a match of GAME for programs that connect.",
    "demo": "Run the main job of all three games and write one page.",
    "describe": "Write a player's decisions in LOGS as tables of attributes.",
    "equity": "Print the equity of HAND: the share of the pot it wins.",
    "explain": "Say what AGENT plays in HAND, and why.",
    "exploit": "Say how much the best response wins from AGENTS.",
    "games": "List the games, or print the definition of one.",
    "generate": "Let AGENTS play GAME and write the hands to a log.",
    "hands": "Read hand histories, verify them, and show statistics.",
    "icm": "Print the prize equity of each stack of CHIPS.",
    "improve": "Let HERO play, learn and play again; keep what is better.",
    "league": "Play all AGENTS against each other at GAME and rate them.",
    "learn": "Learn from LOGS of Hold'em to beat their players.",
    "match": "Play AGENTS against each other at GAME: who wins how much?",
    "play": "Play a game in the terminal, against agents or people.",
    "rank": "Rank attributes by how much they tell about a player.",
    "read": "Print the tree or rules of MODEL, with its thresholds.",
    "report": "Write results as one HTML page that needs nothing else.",
    "review": "Price every decision of a player: what did mistakes cost?",
    "search": "Search the parameters of utility+ by tournaments.",
    "serve": "Play, replay and study in the browser.",
    "solve": "Find the equilibrium of a small game or of a spot.",
    "study": "List, run and print the studies of the five documents.",
    "tournament": "Play tournaments of no-limit Hold'em and count the wins.",
    "tressette": "Reason about hidden cards, get advice, solve open hands.",
    "verify-deal": "Check that a deal of the browser's table was not changed.",
    "warm": "Compile ahead what the usual commands need.",
}
"""How each command's help begins, here so that `mazzo --help` imports none of them."""

GROUPS: dict[str, tuple[str, ...]] = {
    "Play": ("play", "serve", "review", "explain", "tournament", "verify-deal"),
    "Measure": ("equity", "match", "league", "exploit", "icm"),
    "Learn and clone": ("learn", "improve", "clone", "read", "compare", "describe", "attributes", "rank", "search"),
    "Solve": ("solve",),
    "Hands and logs": ("hands", "generate", "dealer", "connect"),
    "Games": ("games", "agents", "blackjack", "tressette"),
    "Results": ("demo", "study", "report"),
    "Set-up": ("warm", "completion"),
}
"""The commands as `mazzo --help` lists them: what one wants to do, and the commands for it."""


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

    def __init__(
        self,
        *args: Any,
        commands_at: dict[str, str],
        summaries: dict[str, str] | None = None,
        groups: dict[str, tuple[str, ...]] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._commands_at = commands_at
        self._summaries = summaries or {}
        self._groups = groups or {"Commands": tuple(sorted(commands_at))}

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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in the help: from their summaries where they are given, so that none is imported."""
        if not self._summaries:
            super().format_commands(ctx, formatter)
            return
        width = max(map(len, self._summaries))
        for title, names in self._groups.items():
            with formatter.section(title):
                # Padded, so that all sections have their second column at one place.
                formatter.write_dl([(name.ljust(width), self._summaries[name]) for name in names])

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
    summaries=SUMMARIES,
    groups=GROUPS,
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
        with said_how_to_install():
            code = mazzo.main(prog_name="mazzo", standalone_mode=False)
    except click.exceptions.Exit as done:
        code = done.exit_code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        code = 130
    except MissingPartError as error:
        click.echo(f"mazzo: {error}", err=True)
        code = 1
    except MazzoError as error:
        click.echo(f"mazzo: {error}", err=True)
        code = 2
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone (`mazzo ... | head`): nothing to say
        code = 1
    except Exception as crash:
        import traceback

        details = traceback.format_exc() if os.environ.get(DEBUG) else ""
        click.echo(f"{details}mazzo: this should not have happened: {crash!r}\n{_keep_details()}", err=True)
        code = FAULT
    sys.exit(code if isinstance(code, int) else 0)


def _keep_details() -> str:
    from mazzo.folders import cache_directory

    try:
        path: Path = cache_directory() / "last-crash.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_details())
    except OSError as error:
        return f"the details could not be kept ({error}); to see them: mazzo --debug ..."
    return f"details are in {path}; please report them (to see them here: mazzo --debug ...)"


def _details() -> str:
    """All that a report of a fault needs, and nothing of the files that were worked on."""
    import platform
    import traceback
    from importlib.metadata import version

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
