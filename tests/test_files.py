"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TextIO

import pytest

from mazzo.errors import UnreadableError
from mazzo.files import new_log


def _cut_short(file: TextIO) -> None:
    file.write("STATE:0:f:AsKd|7h7c\n")
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_log_that_a_full_disk_cuts_short_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="No space left"), new_log(tmp_path / "m.log", "leduc", 5, 1) as file:
        _cut_short(file)
    assert list(tmp_path.iterdir()) == []


def test_trouble_with_another_file_is_not_said_of_the_log(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    with pytest.raises(FileNotFoundError), new_log(path, "holdem-limit-2p", 5, 1):
        Path(tmp_path / "nothing").read_bytes()
    assert path.exists()


def test_a_log_is_never_written_over_another_file(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    path.write_text("mine")
    with pytest.raises(UnreadableError, match="exists already"), new_log(path, "holdem-limit-2p", 5, 1):
        pass
    assert path.read_text() == "mine"
