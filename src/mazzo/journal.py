"""A file of JSON lines that survives a crash: a line counts when it is whole, and a line cut short is dropped."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from mazzo.errors import UnreadableError

__all__ = ["Journal"]

_MOST_BYTES = 256 * 1024 * 1024


class Journal:
    """The file of a session: first what it is, then what was done, in order."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def start(cls, path: Path, header: dict[str, Any]) -> Journal:
        """A new file, readable by its owner only; one that exists is never written over."""
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            path.touch(mode=0o600, exist_ok=False)
        except FileExistsError:
            raise UnreadableError(f"{path} exists already; resume it or name another") from None
        journal = cls(path)
        journal.write(header)
        return journal

    @classmethod
    def read(cls, path: Path) -> tuple[list[Any], int]:
        """The whole lines of a file, and how many bytes they are."""
        try:
            if path.stat().st_size > _MOST_BYTES:
                raise UnreadableError(f"{path} is too long for a session")
            whole = path.read_bytes().rpartition(b"\n")[0]
            lines = [json.loads(line) for line in whole.splitlines()]
        except OSError as wrong:
            raise UnreadableError(f"cannot read the session {str(path)!r}: {wrong}") from None
        except ValueError:
            raise UnreadableError(f"{path} is not a session of Mazzo") from None
        if not lines:
            raise UnreadableError(f"{path} is not a session of Mazzo: it is empty")
        return lines, len(whole) + 1

    def cut(self, size: int) -> None:
        """Drop what follows the last whole line."""
        os.truncate(self.path, size)

    def write(self, data: dict[str, Any], safe: bool = True) -> None:
        """Add a line. It is on disk when this returns; with `safe` off it may still be with the operating system."""
        with self.path.open("ab") as file:
            file.write(json.dumps(data).encode() + b"\n")
            file.flush()
            if safe:
                os.fsync(file.fileno())
