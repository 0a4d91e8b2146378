"""What each command imports: nobody waits for a package that a command does not use."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from mazzo.cli.app import COMMANDS, GROUPS, SUMMARIES, mazzo

HEAVY = {
    *("clingo", "cloudpickle", "distributed", "fastapi", "gymnasium", "jinja2", "joblib", "matplotlib", "optuna"),
    *("pandas", "pokerkit", "polars", "pyagrum", "scipy.linalg", "sklearn", "uvicorn", "websockets"),
}
_LIST_IMPORTS = """
import atexit, runpy, sys
listed = lambda: print("IMPORTED", *sorted(sys.modules), file=sys.stderr)
atexit.register(listed)
runpy.run_module("mazzo", run_name="__main__", alter_sys=True)
"""
LOG = "STATE:0:crc/cc/cc/cc:AsKd|7h7c/8h2c3d/4s/5d:-4|4:first|second\n"


def imported_by(arguments: list[str], folder: Path) -> set[str]:
    command = [sys.executable, "-c", _LIST_IMPORTS, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.rpartition("IMPORTED")[2].split())


@pytest.mark.parametrize("line", ["--help", "--version"])
def test_help_imports_no_numbers_and_no_command(line: str, tmp_path: Path) -> None:
    assert imported_by([line], tmp_path) & {*HEAVY, "numpy", "numba", "rich"} == set()


@pytest.mark.parametrize(
    "line",
    [
        "games",
        "agents",
        "equity AsKd --board 7h8h2c",
        "blackjack ev --method infinite",
        "blackjack hand 8,8 v 10",
        "match holdem-limit-2p rich random --hands 200",
        "match tressette decision greedy --deals 2",
        "hands hands.log",
        "explain chart STATE:0:r:AsKd|7h7c --game holdem-limit-2p",
    ],
)
def test_a_common_command_imports_no_heavy_package(line: str, tmp_path: Path) -> None:
    (tmp_path / "hands.log").write_text(LOG)
    assert imported_by(line.split(), tmp_path) & HEAVY == set()


def test_a_match_imports_no_other_game(tmp_path: Path) -> None:
    code = """
import sys
from collections.abc import Iterator
from mazzo.games import find_contest
find_contest(sys.argv[1])
print(*sorted({name for name in sys.modules if name.endswith(".entry")}))
"""
    for game, entry in (("tressette", "tressette"), ("holdem-limit-2p", "holdem"), ("blackjack-h17", "blackjack")):
        done = subprocess.run([sys.executable, "-c", code, game], capture_output=True, text=True, check=True)
        assert done.stdout.split() == [f"mazzo.{entry}.entry"]


def test_the_list_of_commands_says_what_each_command_says_of_itself() -> None:
    context = click.Context(mazzo)
    assert SUMMARIES.keys() == COMMANDS.keys()
    for name, summary in SUMMARIES.items():
        command = mazzo.get_command(context, name)
        assert command is not None
        assert command.get_short_help_str(1000) == summary


def test_every_command_stands_in_one_group_of_the_help() -> None:
    listed = [name for names in GROUPS.values() for name in names]
    assert sorted(listed) == sorted(COMMANDS)


def _subcommands(
    group: click.Group, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command, int]]:
    context = click.Context(group)
    names = group.list_commands(context)
    for name in names:
        command = group.get_command(context, name)
        assert command is not None
        yield (*path, name), command, 80 - 6 - max(map(len, names))
        if isinstance(command, click.Group):
            yield from _subcommands(command, (*path, name))


def test_the_first_sentence_of_every_help_fits_eighty_columns() -> None:
    cut = [path for path, command, room in _subcommands(mazzo) if command.get_short_help_str(room).endswith("...")]
    assert not cut


def test_the_help_fits_eighty_columns() -> None:
    shown = CliRunner().invoke(mazzo, ["--help"], terminal_width=80).output
    assert max(map(len, shown.splitlines())) <= 80
    assert "..." not in shown.partition("Options:")[2]
