"""Compiling ahead: every part's commands run, and interrupting leaves no process behind."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from mazzo.cli.app import COMMANDS
from mazzo.errors import UnreadableError
from mazzo.warm import PARTS, commands_of, mark_warm, sit_down, start_in_background, stop_background, warm


@pytest.mark.parametrize("game", ["holdem", "blackjack", "tressette"])
def test_a_hand_is_played_at_a_table_of_every_game(game: str) -> None:
    sit_down(game)


def test_every_line_is_a_command_that_exists() -> None:
    lines = [line for part in PARTS.values() for row in part for line in row]
    assert {line.split()[0] for line in lines} <= {*COMMANDS, "sit"}


def test_an_unknown_part_is_refused_by_name() -> None:
    with pytest.raises(UnreadableError, match=r"no part 'holden' to warm; did you mean 'holdem'\?"):
        commands_of(["blackjack", "holden"])


def test_rows_go_on_beside_one_that_fails_and_it_is_said_which() -> None:
    done: list[float] = []
    found = warm([("games", "agents --nothing"), ("games",)], 2, done.append)
    assert (found.done, len(done)) == (2, 2)
    (failed,) = found.failed
    assert failed.startswith("mazzo agents --nothing: ")


def test_a_part_that_is_not_installed_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    refuse = "raise ModuleNotFoundError('no sklearn', name='sklearn')\n"
    (tmp_path / "sklearn").mkdir()
    (tmp_path / "sklearn" / "__init__.py").write_text(refuse)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    found = warm([("learn few.log -o few.mz",)], 1)
    assert found.failed == []
    assert found.missing == ["mazzo: this needs sklearn, which is not installed: pip install 'mazzo[learn]'"]


def test_interrupted_it_ends_what_it_began_and_begins_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[str]] = []
    begun = threading.Event()
    original = subprocess.Popen

    def long_process(command: list[str], **given: object) -> subprocess.Popen[str]:
        process = original([sys.executable, "-c", "import time; time.sleep(120)"], **given)  # type: ignore[call-overload]
        started.append(process)
        begun.set()
        return process  # type: ignore[no-any-return]

    monkeypatch.setattr("mazzo.warm.ahead.subprocess.Popen", long_process)

    def interrupt(*given: object) -> object:
        assert begun.wait(60)
        raise KeyboardInterrupt

    monkeypatch.setattr("mazzo.warm.ahead.as_completed", interrupt)
    with pytest.raises(KeyboardInterrupt):
        warm([("games",), ("agents",), ("games",)], 1)
    assert [process.wait(60) != 0 for process in started] == [True]


def test_what_was_warmed_with_this_source_is_not_warmed_again_in_the_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAZZO_CACHE", str(tmp_path))
    began: list[list[str]] = []

    def begin(command: list[str], **given: object) -> subprocess.Popen[bytes]:
        began.append(command)
        return subprocess.run  # type: ignore[return-value]  # anything but None

    monkeypatch.setattr("mazzo.warm.ahead.subprocess.Popen", begin)
    assert start_in_background(["web"]) is not None
    mark_warm(["web"])
    assert start_in_background(["web"]) is None
    assert start_in_background(["web", "holdem"]) is not None
    assert [command[-1] for command in began] == ["web", "holdem"]


def test_a_background_warming_that_is_stopped_leaves_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAZZO_CACHE", str(tmp_path))
    warming = start_in_background(["blackjack"])
    assert warming is not None
    stop_background(warming)
    assert warming.wait(60) != 0
    with pytest.raises(ProcessLookupError):
        os.killpg(warming.pid, 0)
    stop_background(None)
