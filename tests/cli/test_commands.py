from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from mazzo import __version__
from mazzo.cli import app


def mazzo(*args: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mazzo", *args], capture_output=True, text=True, check=False, **options
    )


def test_the_version_is_the_packages() -> None:
    assert __version__ in mazzo("--version").stdout


def every_command(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of every command, groups included."""
    yield path
    context = click.Context(group)
    for name in group.list_commands(context):
        inner = group.get_command(context, name)
        if isinstance(inner, click.Group):
            yield from every_command(inner, (*path, name))
        else:
            yield (*path, name)


@pytest.mark.parametrize("words", [*every_command(app.mazzo)], ids=" ".join)
def test_help_of_every_command_begins_with_examples_of_it(words: tuple[str, ...]) -> None:
    done = CliRunner().invoke(app.mazzo, [*words, "--help"])
    assert done.exit_code == 0
    examples, usage, _ = done.stdout.partition("\nUsage:")
    first, *lines = examples.strip().splitlines()
    assert first == "Examples:"
    assert lines
    assert usage
    assert all(line.strip().startswith(" ".join(["mazzo", *words])) for line in lines)


def test_a_command_runs_from_the_shell_with_help() -> None:
    done = mazzo("match", "--help")
    assert done.returncode == 0
    assert done.stdout.startswith("Examples:")


def test_games_are_listed_and_printed() -> None:
    listed = json.loads(mazzo("games", "--json").stdout)["games"]
    assert {"holdem-limit-2p", "holdem-nolimit-10p", "leduc-2p"} <= {game["name"] for game in listed}
    assert {"blackjack", "tressette"} <= {game["name"] for game in listed}
    assert mazzo("games", "leduc-2p").stdout.startswith("GAMEDEF\nlimit\n")


def test_agents_are_listed_with_their_parameters() -> None:
    listed = {(a["game"], a["name"]): a for a in json.loads(mazzo("agents", "--json").stdout)["agents"]}
    assert listed["holdem", "random"]["parameters"]["raise"] == 0.4
    assert all(agent["summary"] for agent in listed.values())


def test_a_match_gives_json_with_its_command_and_version() -> None:
    args = ("match", "holdem-limit-2p", "chart", "random", "--hands", "2000", "--seed", "1", "--json")
    data = json.loads(mazzo(*args).stdout)
    assert [p["name"] for p in data["players"]] == ["chart", "random"]
    assert data["command"] == ["mazzo", *args]
    assert data["version"] == __version__
    assert data["hands"] == 2000


def test_a_match_for_people_prints_a_table_on_stdout_and_notes_on_stderr() -> None:
    done = mazzo("match", "holdem-limit-2p", "call", "random", "--hands", "1000")
    assert done.stdout.splitlines()[0].split() == ["agent", "bb/hand", "95", "%", "interval"]
    assert "1000 hands (500 deals" in done.stderr
    assert mazzo("match", "holdem-limit-2p", "call", "random", "--hands", "1000", "--quiet").stderr == ""


def test_hands_are_logged_and_never_written_over_others(tmp_path: Path) -> None:
    log = tmp_path / "hands.log"
    args = ("match", "leduc-2p", "call", "random", "--hands", "20", "--log", str(log))
    assert mazzo(*args).returncode == 0
    before = log.read_text()
    assert before.startswith("# name/game/hands/seed hands leduc-2p 20 0\nSTATE:0:")
    assert len(before.splitlines()) == 21
    again = mazzo(*args)
    assert again.returncode == 2
    assert "exists already" in again.stderr
    assert log.read_text() == before


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (("matc",), "did you mean 'match'"),
        (("match", "holdem-limit-2p", "rnadom", "call"), "did you mean 'random'"),
        (("match", "holdem-limt-2p", "random", "call"), "did you mean 'holdem-limit-2p'"),
        (("match", "holdem-limit-3p", "random", "call"), "seats 3 agents, 2 were given"),
        (("match", "missing.game", "random", "call"), "cannot read the game file"),
        (("match", "leduc-2p", "rich", "call"), "cannot play here"),
        (("match", "leduc-2p", "call", "call", "--hands", "0"), "hands"),
        (("match", "leduc-2p", "call", "call", "--log", "/nowhere/x.log"), "cannot write /nowhere/x.log"),
        (("match", "leduc-2p", "call", "call", "--log", "x", "--checkpoint", "y"), "do not go together"),
        (("games", "x.game"), "cannot read the game file"),
    ],
)
def test_wrong_usage_leaves_with_2_and_a_clear_sentence(args: tuple[str, ...], complaint: str) -> None:
    done = mazzo(*args)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_an_interrupted_match_shows_how_it_stood_and_leaves_with_130(tmp_path: Path) -> None:
    """The interrupt is raised inside, after the second chunk, as Ctrl-C would."""
    code = (
        "import mazzo.cli.app as app, mazzo.arena.match as m\n"
        "play, seen = m.Checkpoint.run, []\n"
        "def run(self, *args):\n"
        "    for k, result in enumerate(play(self, *args)):\n"
        "        if k == 2: raise KeyboardInterrupt\n"
        "        yield result\n"
        "m.Checkpoint.run = run\n"
        "app.main()\n"
    )
    args = ["match", "holdem-limit-2p", "call", "random", "--hands", "50000", "--checkpoint", str(tmp_path / "kept")]
    done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert done.stdout.startswith("agent")
    assert "8192 hands" in done.stderr
    assert "the same command resumes from here" in done.stderr
    assert mazzo(*args).returncode == 0


def crash(cache: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command that has a fault in it."""
    code = "import mazzo.cli.app as a, mazzo.cli.games as g\ng.games.callback = lambda **k: 1 / 0\na.main()\n"
    env = {"MAZZO_CACHE": str(cache), "PATH": "", **env}
    return subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, env=env, check=False)


def test_a_crash_prints_a_short_message_and_where_the_details_are(tmp_path: Path) -> None:
    done = crash(tmp_path, "games", "leduc 2p")
    kept = tmp_path / "last-crash.txt"
    assert done.returncode == 70
    assert "should not have happened: ZeroDivisionError" in done.stderr
    assert str(kept) in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 2


def test_the_details_of_a_crash_say_what_a_report_needs(tmp_path: Path) -> None:
    crash(tmp_path, "games", "leduc 2p")
    details = (tmp_path / "last-crash.txt").read_text()
    for what in (f"mazzo {__version__}", "command: mazzo games 'leduc 2p'", "python 3", "numba", "Traceback"):
        assert what in details


@pytest.mark.parametrize(("args", "env"), [(("--debug", "games"), {}), (("games",), {"MAZZO_DEBUG": "1"})])
def test_debug_shows_the_traceback_at_once(args: tuple[str, ...], env: dict[str, str], tmp_path: Path) -> None:
    done = crash(tmp_path, *args, **env)
    assert done.returncode == 70
    assert done.stderr.startswith("Traceback")


def test_a_crash_whose_details_cannot_be_kept_says_how_to_see_them(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = crash(tmp_path / "file", "games")
    assert done.returncode == 70
    assert "mazzo --debug" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("shell", "part"), [("bash", "complete -o"), ("zsh", "#compdef"), ("fish", "complete ")])
def test_completion_prints_the_script_on_stdout_and_how_to_install_it_on_stderr(shell: str, part: str) -> None:
    done = CliRunner().invoke(app.mazzo, ["completion", shell])
    assert done.exit_code == 0
    assert part in done.stdout
    assert "_MAZZO_COMPLETE" in done.stdout
    assert f"mazzo completion {shell} >" in done.stderr


@pytest.mark.parametrize(
    ("words", "expected"),
    [("mazzo mat", ["match"]), ("mazzo blackjack cha", ["chart"]), ("mazzo match --clu", ["--cluster"])],
)
def test_bash_completes_with_the_script(words: str, expected: list[str], tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash here")
    script = tmp_path / "mazzo.bash"
    script.write_text(CliRunner().invoke(app.mazzo, ["completion", "bash"]).stdout)
    program = tmp_path / "mazzo"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m mazzo "$@"\n')
    program.chmod(0o755)
    typed = words.split()
    ask = (
        f"source {script}; COMP_WORDS=({words}); COMP_CWORD={len(typed) - 1}; "
        f"_mazzo_completion {program}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    done = subprocess.run([bash, "-c", ask], capture_output=True, text=True, check=False)
    assert done.stdout.split() == expected
