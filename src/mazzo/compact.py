"""Long lists that take little memory: what was done at a table is never looked at again, unless something is undone."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

__all__ = ["LinesDone", "PackedRecords"]

_ACTION = {"a"}


class LinesDone:
    """The lines of a table's file in order, in the bytes that their texts need: an action takes two or three."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def append(self, line: Mapping[str, Any]) -> None:
        """Add a line."""
        action = line["a"] if line.keys() == _ACTION else None
        plain = isinstance(action, str) and action.isascii() and action.isprintable() and action[:1] != "{"
        self._bytes += (str(action) if plain else json.dumps(line)).encode() + b"\n"

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for line in bytes(self._bytes).decode().split("\n")[:-1]:
            yield json.loads(line) if line[:1] == "{" else {"a": line}


class PackedRecords(Sequence[dict[str, Any]]):
    """The last so many records, each as its text; it is read when somebody wants it."""

    def __init__(self, most: int) -> None:
        self._texts: deque[bytes] = deque(maxlen=most)

    def append(self, record: Mapping[str, Any]) -> None:
        """Add a record; the oldest one goes where there are too many."""
        self._texts.append(json.dumps(record, separators=(",", ":")).encode())

    def drop_last(self) -> None:
        """Take back the last one."""
        if self._texts:
            self._texts.pop()

    def __len__(self) -> int:
        return len(self._texts)

    @overload
    def __getitem__(self, at: int) -> dict[str, Any]: ...

    @overload
    def __getitem__(self, at: slice) -> list[dict[str, Any]]: ...

    def __getitem__(self, at: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(at, slice):
            return [json.loads(text) for text in list(self._texts)[at]]
        record: dict[str, Any] = json.loads(self._texts[at])
        return record
