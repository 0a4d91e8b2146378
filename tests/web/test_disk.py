"""Two servers on one folder, a folder that cannot be written, and a disk that is full while people play."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.web.playing import open_table, seated, some_action

SERVE = [sys.executable, "-m", "mazzo", "serve", "--no-browser", "--port", "0", "--data"]
SECONDS = 120


def test_a_second_server_on_one_folder_is_told_who_has_it_and_the_first_goes_on(tmp_path: Path) -> None:
    first = subprocess.Popen([*SERVE, str(tmp_path)], stderr=subprocess.PIPE, text=True)
    try:
        assert first.stderr is not None
        assert "Mazzo is at" in first.stderr.readline()
        second = subprocess.run([*SERVE, str(tmp_path)], capture_output=True, text=True, timeout=SECONDS, check=False)
        assert second.returncode == 2
        assert f"is served by process {first.pid} on" in second.stderr
        assert "Mazzo is at" not in second.stderr
        assert first.poll() is None
    finally:
        first.terminate()
        first.communicate(timeout=SECONDS)


@pytest.mark.parametrize("place", ["/proc/mazzo", "{tmp}/file/tables"])
def test_a_folder_that_cannot_be_written_is_told_before_serving(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    words = [*SERVE, place.format(tmp=tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 2
    assert "cannot write" in done.stderr
    assert "Mazzo is at" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_disk_that_is_full_is_told_to_the_players_and_nothing_written_is_lost(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with seated(client, open_table(client, "blackjack", ["me"])) as seat:
        state = seat.state()
        file = next((tmp_path / "data" / "tables").glob("*.jsonl"))
        before = file.read_bytes()

        def full(handle: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            seat.do(state, some_action(state))
            told = seat.until(lambda m: m["type"] == "state" and m["trouble"])
            refused = seat.until(lambda m: m["type"] == "refused")
            for words in (told["trouble"], refused["reason"]):
                assert "could not be saved to disk (No space left on device)" in words
                assert str(tmp_path) not in words
            assert told["at"] == state["at"]
            assert file.read_bytes() == before
        seat.do(state, some_action(state))
        after = seat.until(lambda m: m["type"] == "state" and m["at"] > state["at"])
        assert not after["trouble"]
        assert file.read_bytes().startswith(before)
