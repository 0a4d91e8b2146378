from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mazzo import __version__
from mazzo.cli.app import COMMANDS


def mazzo(*args: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mazzo", *args], capture_output=True, text=True, check=False, **options
    )


def test_the_version_is_the_packages() -> None:
    assert __version__ in mazzo("--version").stdout


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_help_of_every_command_begins_with_examples(command: str) -> None:
    done = mazzo(command, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(("Examples:", "Usage:"))
    assert f"mazzo {command}" in done.stdout


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
    assert "the same command goes on from here" in done.stderr
    assert mazzo(*args).returncode == 0


def test_a_crash_prints_one_line_and_where_the_details_are(tmp_path: Path) -> None:
    code = "import mazzo.cli.app as a; a.mazzo.main = lambda **k: 1 / 0; a.main()"
    env = {"MAZZO_CACHE": str(tmp_path), "PATH": ""}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 1
    assert "should not have happened: ZeroDivisionError" in done.stderr
    assert "Traceback" not in done.stderr
    assert "ZeroDivisionError" in (tmp_path / "last-crash.txt").read_text()
