"""The formats hands are kept in. A new one, such as a poker room's, is a module with a `LogFormat` and a line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from mazzo.holdem.logs.hands import Hands, Skipped
from mazzo.holdem.rules import Rules
from mazzo.registry import Registry

__all__ = [
    "FORMATS",
    "LOOK",
    "UNSUPPORTED",
    "Batch",
    "LogFormat",
    "UnusableHandError",
    "first_line",
    "format_of",
    "text_of",
]

LOOK = 1 << 16
"""How many bytes of a file are looked at to tell its format."""

UNSUPPORTED = "unsupported variant"
"""The kind of a hand that is skipped because it is not Hold'em: never an error, however strict the reading."""

Batch = tuple[Hands | None, list[Skipped]]
"""Some hands of a file, and those that could not be used, each with the reason."""


class UnusableHandError(Exception):
    """A hand that a reader cannot use: the kind of reason, and the reason."""


@dataclass(frozen=True)
class LogFormat:
    """A way to keep hands in files."""

    name: str
    suffixes: tuple[str, ...]
    """How names of such files end; in a folder, files of these names are read."""
    knows: Callable[[bytes], bool]
    """Whether a file that begins with these bytes is of this format."""
    read: Callable[[BinaryIO, Path, Rules | None], Iterator[Batch]]
    """Reads an unpacked file: its bytes, where it lies, and the game if the user said which."""
    write: Callable[[Iterable[Hands], Path, bool], int] | None = None
    """Writes hands to a new file, packed if its name says so, in the old form if wanted; gives how many."""


_HERE = "mazzo.holdem.logs.formats"

FORMATS: Registry[LogFormat] = Registry(
    "format of hands",
    {
        "parquet": f"{_HERE}.parquet:FORMAT",
        "transcript": f"{_HERE}.transcript:FORMAT",
        "phh": f"{_HERE}.phh:FORMAT",
        "acpc": f"{_HERE}.acpc:FORMAT",
        "pokerstars": f"{_HERE}.pokerstars:FORMAT",
        "ggpoker": f"{_HERE}.pokerstars:GGPOKER",
        "fulltilt": f"{_HERE}.fulltilt:FORMAT",
        "bovada": f"{_HERE}.bovada:FORMAT",
        "888poker": f"{_HERE}.poker888:FORMAT",
        "ongame": f"{_HERE}.ongame:FORMAT",
        "everleaf": f"{_HERE}.everleaf:FORMAT",
        "pkr": f"{_HERE}.pkr:FORMAT",
        "winamax": f"{_HERE}.winamax:FORMAT",
        "partypoker": f"{_HERE}.partypoker:FORMAT",
        "unibet": f"{_HERE}.smaller:UNIBET",
        "pokertracker": f"{_HERE}.pokertracker:FORMAT",
        "pokertracker-microgaming": f"{_HERE}.pokertracker:MICROGAMING",
        "betonline": f"{_HERE}.betonline:FORMAT",
        "cake": f"{_HERE}.cake:FORMAT",
        "winningpoker": f"{_HERE}.winningpoker:FORMAT",
        "winningpoker-old": f"{_HERE}.winningpoker:OLD",
        "absolutepoker": f"{_HERE}.smaller:ABSOLUTE",
        "runitonce": f"{_HERE}.smaller:RUN_IT_ONCE",
        "sealswithclubs": f"{_HERE}.smaller:SEALS",
        "entraction": f"{_HERE}.smaller:ENTRACTION",
        "kingsclub": f"{_HERE}.smaller:KINGS",
        "betfair": f"{_HERE}.smaller:BETFAIR",
        "igt": f"{_HERE}.igt:FORMAT",
        "ipoker": f"{_HERE}.ipoker:FORMAT",
        "bossmedia": f"{_HERE}.bossmedia:FORMAT",
        "merge": f"{_HERE}.merge:FORMAT",
        "microgaming": f"{_HERE}.microgaming:FORMAT",
        "thebiggame": f"{_HERE}.thebiggame:FORMAT",
        "pokernow": f"{_HERE}.pokernow:FORMAT",
        "everest": f"{_HERE}.everest:FORMAT",
        "globalpoker": f"{_HERE}.globalpoker:FORMAT",
        "openhandhistory": f"{_HERE}.openhandhistory:FORMAT",
    },
)
"""By name; a file is read by the first that knows it."""


def format_of(head: bytes) -> LogFormat | None:
    """The format of a file that begins like this, if it is a known one."""
    head = head[:LOOK]
    return next((form for form in FORMATS.values() if form.knows(head)), None)


def text_of(head: bytes) -> str:
    """The beginning of a file as text."""
    return head.decode(errors="replace").lstrip("\ufeff")


def first_line(head: bytes) -> str:
    """The first line that is neither empty nor a comment."""
    lines = (line.strip() for line in text_of(head).splitlines())
    return next((line for line in lines if line and not line.startswith("#")), "")
