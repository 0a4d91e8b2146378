"""Where the equity tables are kept: one file in the user's cache directory, with its version and checksum.

A file that is missing, cut short or changed is made again. Two processes that make it at once write to files of their
own, and the last one to finish puts its file in place of the other's: both are right.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

import numpy as np

from mazzo.holdem.equity.build import EquityTables, Progress, build
from mazzo.holdem.equity.exact import COUNTS
from mazzo.holdem.equity.isomorphism import HOLE, HOLE_AND_FLOP
from mazzo.jit import cache_directory

__all__ = ["prepare", "read_tables", "table_path", "tables_ready", "write_tables"]

_TITLE = b"mazzo hold'em equity tables, version 1\n"
_DIGEST = 32
_lock = threading.Lock()
_kept: dict[Path, EquityTables] = {}


def table_path() -> Path:
    """The file of the tables."""
    return cache_directory() / "tables" / "holdem-equity-1.bin"


def _digest(payload: bytes | memoryview) -> bytes:
    return hashlib.blake2b(payload, digest_size=_DIGEST).digest()


def read_tables(path: Path) -> EquityTables | None:
    """The tables in a file, or nothing if the file is missing or not what was written."""
    try:
        text = memoryview(path.read_bytes())
    except OSError:
        return None
    payload = text[len(_TITLE) + _DIGEST :]
    preflop_bytes, flop_bytes = HOLE.size * COUNTS * 8, HOLE_AND_FLOP.size * 2 * 4
    if len(payload) != preflop_bytes + flop_bytes or text[: len(_TITLE)] != _TITLE:
        return None
    if text[len(_TITLE) : len(_TITLE) + _DIGEST] != _digest(payload):
        return None
    preflop = np.frombuffer(payload[:preflop_bytes], dtype="<i8").astype(np.int64).reshape(HOLE.size, COUNTS)
    flop = np.frombuffer(payload[preflop_bytes:], dtype="<u4").astype(np.uint32).reshape(HOLE_AND_FLOP.size, 2)
    return EquityTables(preflop, flop)


def write_tables(path: Path, tables: EquityTables) -> None:
    """Write the tables so that a reader sees the old file or the new one, never a part of it."""
    payload = tables.preflop.astype("<i8").tobytes() + tables.flop.astype("<u4").tobytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_TITLE + _digest(payload) + payload)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def tables_ready() -> bool:
    """Whether the tables need not be built (a file found damaged later is still built again)."""
    return table_path() in _kept or table_path().exists()


def prepare(progress: Progress = lambda amount: None) -> EquityTables:
    """The tables: from memory, from their file, or built, which takes less than a minute, once.

    `progress` is told how much more of the building is done; the amounts add up to one, or to nothing if the tables
    were there.
    """
    path = table_path()
    with _lock:
        tables = _kept.get(path) or read_tables(path)
        if tables is None:
            tables = build(progress)
            with suppress(OSError):  # no place to keep them: they serve this process, and the next builds its own
                write_tables(path, tables)
        _kept[path] = tables
        return tables
