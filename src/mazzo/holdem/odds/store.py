"""Where the equity tables are kept: one file that comes with Mazzo, with its version and checksum.

Where that file is missing, cut short or changed, the tables are built and kept in the user's cache directory in the
same form. Two processes that do so at once write to files of their own, and the last one to finish puts its file in
place of the other's: both are right.

A file holds a title, a checksum and, compressed, the tables. Neighbours in the flop table are alike: each number is
given as what it is more than the one before, first the lowest bytes of all, then the next. That takes 6 MB, not 10, and
a few hundredths of a second to undo.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import UnreadableError
from mazzo.folders import cache_directory
from mazzo.holdem.odds.build import EquityTables, Progress, build
from mazzo.holdem.odds.exact import COUNTS
from mazzo.holdem.odds.isomorphism import HOLE, HOLE_AND_FLOP
from mazzo.holdem.packed import read_packed, write_packed

__all__ = ["SHIPPED", "prepare", "read_tables", "table_path", "tables_ready", "write_tables"]

SHIPPED = Path(__file__).with_name("equity.bin")
"""The tables that come with Mazzo; `write_tables(SHIPPED, build(), level=19)` makes the file."""

_TITLE = b"mazzo hold'em equity tables, version 2\n"
_PREFLOP_BYTES, _FLOP_BYTES = HOLE.size * COUNTS * 8, HOLE_AND_FLOP.size * 2 * 4
_lock = threading.Lock()
_kept: dict[Path, EquityTables] = {}


def table_path() -> Path:
    """Where tables are kept that had to be built."""
    return cache_directory() / "tables" / "holdem-equity-2.bin"


def read_tables(path: Path) -> EquityTables | None:
    """The tables in a file, or nothing if the file is missing or not what was written."""
    numbers = read_packed(path, _TITLE, _PREFLOP_BYTES + _FLOP_BYTES)
    if numbers is None:
        return None
    preflop = np.frombuffer(numbers[:_PREFLOP_BYTES], dtype="<i8").astype(np.int64).reshape(HOLE.size, COUNTS)
    flop = [_summed(column) for column in np.frombuffer(numbers[_PREFLOP_BYTES:], np.uint8).reshape(2, 4, -1)]
    return EquityTables(preflop, np.stack(flop, axis=1))


def _summed(planes: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Numbers from their differences, given byte by byte."""
    differences = np.zeros(planes.shape[1], dtype=np.uint32)
    for at, plane in enumerate(planes):
        differences |= plane.astype(np.uint32) << np.uint32(8 * at)
    return np.cumsum(differences, dtype=np.uint32)


def _planes(column: NDArray[np.uint32]) -> bytes:
    """The undoing of `_summed`; differences below zero go round."""
    differences = np.diff(column, prepend=np.uint32(0)).astype("<u4")
    return differences.view(np.uint8).reshape(-1, 4).T.tobytes()


def write_tables(path: Path, tables: EquityTables, level: int = 3) -> None:
    """Write the tables, compressed so hard, so that a reader sees the old file or the new one, never a part of it."""
    numbers = tables.preflop.astype("<i8").tobytes() + b"".join(map(_planes, tables.flop.T))
    write_packed(path, _TITLE, numbers, level)


def tables_ready() -> bool:
    """Whether the tables need not be built (a file found damaged later is still built again)."""
    return table_path() in _kept or SHIPPED.exists() or table_path().exists()


def prepare(progress: Progress = lambda amount: None) -> EquityTables:
    """The tables: from memory, from a file, or built where no file is whole, which takes less than a minute, once.

    `progress` is told how much more of the building is done; the amounts add up to one, or to nothing if the tables
    were there.
    """
    path = table_path()
    with _lock:
        tables = _kept.get(path) or read_tables(SHIPPED) or read_tables(path)
        if tables is None:
            tables = build(progress)
            with suppress(
                UnreadableError
            ):  # no place to keep them: they serve this process, and the next builds its own
                write_tables(path, tables)
        _kept[path] = tables
        return tables
