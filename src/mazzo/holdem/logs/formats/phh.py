"""Reading and writing PHH (the poker hand history format): files of one hand or of many."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from mazzo.holdem.logs.formats import Batch, LogFormat, first_line, text_of
from mazzo.holdem.logs.formats.phh_history import parse_history
from mazzo.holdem.logs.formats.phh_replay import read_histories
from mazzo.holdem.logs.formats.phh_write import write_phh
from mazzo.holdem.logs.hands import Skipped

__all__ = ["FORMAT", "read_phh"]

_TITLE = re.compile(r"^\[[ \t]*['\"]?[\w.-]+['\"]?[ \t]*\][ \t]*(?:#.*)?$", re.MULTILINE)


def _sections(text: str) -> Iterator[tuple[str, int]]:
    """The hands of a file, each with the line it begins on: a damaged one does not spoil the others."""
    titles = list(_TITLE.finditer(text))
    if not titles:
        yield text, 1
        return
    line, at = 1, 0
    for title, following in zip(titles, [*titles[1:], None], strict=True):
        line += text.count("\n", at, title.start())
        at = title.start()
        yield text[title.end() : following.start() if following else None], line


def read_phh(data: bytes, source: str) -> Iterator[Batch]:
    """Read a file of one hand (.phh) or many (.phhs), batch by batch."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        yield None, [Skipped(source, 1, "not PHH", f"PHH is written in UTF-8: {error}")]
        return
    pieces = ((line, partial(parse_history, piece)) for piece, line in _sections(text))
    yield from read_histories(pieces, source)


def _knows(head: bytes) -> bool:
    line = first_line(head)
    if not re.match(r"\[\s*['\"]?[\w.-]+['\"]?\s*\]$", line) and not re.match(r"[A-Za-z_]+\s*=", line):
        return False
    return re.search(r"^\s*variant\s*=", text_of(head), re.MULTILINE) is not None


FORMAT = LogFormat(
    "phh", (".phh", ".phhs"), _knows, lambda file, path, game: read_phh(file.read(), str(path)), write_phh
)
