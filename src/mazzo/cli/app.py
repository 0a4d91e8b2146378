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

__all__ = ["COMMANDS", "SUMMARIES", "Lazy", "main", "mazzo"]

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
    "league": "mazzo.cli.league:league",
    "learn": "mazzo.cli.holdem.learn:learn",
    "match": "mazzo.cli.match:match",
    "play": "mazzo.cli.play:play",
    "rank": "mazzo.cli.holdem.rank:rank",
    "read": "mazzo.cli.holdem.read:read",
    "report": "mazzo.cli.report:report",
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
    "attributes": "List the attributes by which decisions are described: "
    "Kischka's 113 at a table of three, Vilella's 70, yours.",
    "blackjack": "Blackjack from the rules alone: exact values, charts, advice, simulation, learning.",
    "clone": "Learn from LOGS how a hero decides, one model per street; judged by card sets it has not seen.",
    "compare": "Let ORIGINAL and CLONE play the same cards in every seat against the same opponents, and compare them.",
    "completion": "Print the script that makes SHELL complete mazzo's commands and options.",
    "connect": "Play an agent on the dealer at HOST and PORT until the match is over.",
    "dealer": "Run a match of GAME: one port for every program that plays, our agents in any other seat.",
    "demo": "Learn a hero, measure it, solve a shoe, play tressette and tournaments, and write it all as one page.",
    "describe": "Describe every decision of a hero in LOGS by attributes: one file a street, groups kept.",
    "equity": "What share of the pot HAND, or with --against a range in its place, wins on average.",
    "explain": "Say what AGENT plays in HAND and why: "
    "a hand or round of any game as text, as the player to act sees it.",
    "exploit": "Work out what the best response wins from AGENTS: one that plays in every seat, or one for each seat.",
    "games": "List the games, or print the definition of one (a name, or the path of a file such as my.game).",
    "generate": "Let AGENTS play GAME, every deal once, and write the hands to a log.",
    "hands": "Read the hands of FILES (files, folders, patterns), replay each, and say what is in them.",
    "icm": "Say what each of CHIPS is worth in prizes, exactly by the independent chip model.",
    "league": "Let every one of AGENTS play every other at GAME: ratings, all intervals, who beats whom in a circle.",
    "learn": "Learn from LOGS the strategy that earns most against the players in them (heads-up limit Hold'em).",
    "match": "Play AGENTS against each other at GAME: every deal in every seat; big blinds a hand, or points a deal.",
    "play": "Play a game in the terminal, against agents or people.",
    "rank": "Rank attributes by what they tell about a hero's actions in LOGS: "
    "information gain, symmetrical uncertainty.",
    "read": "Read MODEL back: its tree or rules, with thresholds and how many decisions each leaf stands on.",
    "report": "Write RUNS (what commands print with --json, files of studies) as one page that needs nothing else.",
    "search": "Search the parameters of utility+ by tournaments, with Optuna.",
    "serve": "Play, replay and study in the browser. Logs, models and reports are those of the working directory.",
    "solve": "Find an equilibrium: of a small game as a whole, or of a spot after the flop.",
    "study": "List the studies, run one, print or write what it found.",
    "tournament": "Play tournaments of no-limit Hold'em until one player has all the chips, and count who wins.",
    "tressette": "Tressette: reason about hidden cards, get advice, solve open hands.",
    "verify-deal": "Check that the cards of a deal at a table of several people are those that were sealed before it.",
    "warm": "Compile ahead what the usual commands need, so that none of them has to the first time.",
}
"""How each command's help begins, here so that `mazzo --help` imports none of them."""


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
        self, *args: Any, commands_at: dict[str, str], summaries: dict[str, str] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._commands_at = commands_at
        self._summaries = summaries or {}

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
        room = formatter.width - 6 - max(map(len, self._summaries))  # as click leaves
        rows = [
            (name, click.Command(name, help=self._summaries[name]).get_short_help_str(room))
            for name in self.list_commands(ctx)
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

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
