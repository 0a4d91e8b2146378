"""A room's format: its files split into hands, each read, replayed and checked; nothing that stands in them crashes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from mazzo.holdem.logs.formats import Batch, LogFormat, UnusableHandError
from mazzo.holdem.logs.hands import Skipped
from mazzo.holdem.logs.rooms.draft import Draft
from mazzo.holdem.logs.rooms.lines import LineRoom, pieces_of
from mazzo.holdem.logs.rooms.text import decoded
from mazzo.holdem.logs.rooms.verifying import verified_hands
from mazzo.holdem.rules import Rules

__all__ = ["Piece", "line_format", "room_format"]

_BATCH = 1024

Piece = tuple[int, Callable[[], Draft]]


def room_format(
    name: str, suffixes: tuple[str, ...], knows: Callable[[str], bool], split: Callable[[str], Iterable[Piece]]
) -> LogFormat:
    """A room.

    Args:
        name: how it is called in reports.
        suffixes: how names of its files end.
        knows: whether a file that begins with this text is one of the room's.
        split: the hands of a file: the line each begins on, and what reads it or raises `UnusableHandError`.
    """

    def read(file: BinaryIO, path: Path, game: Rules | None) -> Iterator[Batch]:
        drafts: list[Draft] = []
        skipped: list[Skipped] = []
        for line, load in split(decoded(file.read())):
            try:
                drafts.append(load())
            except UnusableHandError as error:
                skipped.append(Skipped(str(path), line, *error.args))
            except (
                LookupError,
                ValueError,
                ArithmeticError,
                TypeError,
                AttributeError,
            ) as error:  # spoils no other hand
                reason = f"the hand cannot be read ({type(error).__name__}: {error})"
                skipped.append(Skipped(str(path), line, "damaged hand", reason))
            if len(drafts) + len(skipped) >= _BATCH:
                yield _checked(drafts, skipped, str(path))
                drafts, skipped = [], []
        if drafts or skipped:
            yield _checked(drafts, skipped, str(path))

    return LogFormat(name, suffixes, lambda head: knows(decoded(head)), read)


def _checked(drafts: list[Draft], skipped: list[Skipped], source: str) -> Batch:
    hands, more = verified_hands(drafts, source)
    return hands, sorted([*skipped, *more], key=lambda skip: skip.line)


def line_format(room: LineRoom, suffixes: tuple[str, ...] = (".txt", ".log")) -> LogFormat:
    """A room that writes hands line by line."""

    def split(text: str) -> Iterator[Piece]:
        for line, piece in pieces_of(text, room.header):
            yield line, lambda piece=piece, line=line: room.parse(piece, line)  # type: ignore[misc]

    return room_format(room.name, suffixes, lambda head: room.header.search(head) is not None, split)
