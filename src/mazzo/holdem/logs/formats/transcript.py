"""Transcripts of protocol messages between a dealer and its players: known, so that they can be named, but not read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from mazzo.holdem.logs.formats import Batch, LogFormat, first_line
from mazzo.holdem.logs.hands import Skipped
from mazzo.holdem.rules import Rules

__all__ = ["FORMAT", "NOT_HANDS"]

NOT_HANDS = (
    "this is {what}; logs of the competition (old and STATE:), PHH, Parquet and hands of known poker rooms are read"
)


def _knows(head: bytes) -> bool:
    return re.match(r"(TO \d+|FROM \d+|STARTED) at \d", first_line(head)) is not None


def _read(file: BinaryIO, path: Path, game: Rules | None) -> Iterator[Batch]:
    reason = NOT_HANDS.format(what="a transcript of protocol messages")
    yield None, [Skipped(str(path), 1, "not a file of hands", reason)]


FORMAT = LogFormat("transcript", (".txt",), _knows, _read)
