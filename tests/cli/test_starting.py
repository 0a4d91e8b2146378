"""What each command imports: nobody waits for a package that a command does not use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from mazzo.cli.app import COMMANDS, SUMMARIES, mazzo

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
        for room in (45, 60, 98):
            assert click.Command(name, help=summary).get_short_help_str(room) == command.get_short_help_str(room)
