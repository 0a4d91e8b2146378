"""The lines of a table's file: read from anybody, checked, and as they would be written today."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mazzo.errors import UnreadableError
from mazzo.games import entries
from mazzo.sealed import SECRET_BYTES
from mazzo.seated import EDITION

__all__ = ["MOST_TEXT", "SEALED_VERSION", "VERSION", "as_today", "chance_of", "checked", "kept_lines", "without"]

VERSION, SEALED_VERSION = 2, 3
_READABLE = (1, VERSION, SEALED_VERSION)
MOST_TEXT = 1000
"""Characters of a text that a file holds, at most."""
_SECRET = re.compile(f"[0-9a-f]{{{2 * SECRET_BYTES}}}")


def without(lines: Sequence[dict[str, Any]], back: int) -> list[dict[str, Any]]:
    """What was done, but for the last so many actions."""
    kept: list[dict[str, Any]] = []
    for line in reversed(lines):
        if back and "a" in line:
            back -= 1
        else:
            kept.append(line)
    return kept[::-1]


def kept_lines(lines: Sequence[Any], where: str) -> list[tuple[int, dict[str, Any]]]:
    """What a file says was done, with the numbers of its lines; what was taken back later is left out."""
    kept: list[tuple[int, dict[str, Any]]] = []
    acted: list[int] = []
    gone: set[int] = set()
    for at, line in enumerate(lines[1:], 2):
        if not isinstance(line, dict):
            raise UnreadableError(f"{where}, line {at}: this action cannot have been taken: {str(line)[:80]}")
        if "undo" in line:
            back = line["undo"]
            if not isinstance(back, int) or not 0 < back <= len(acted):
                raise UnreadableError(f"{where}, line {at}: {str(back)[:20]} actions cannot have been taken back")
            gone |= set(acted[-back:])
            del acted[-back:]
            continue
        if "a" in line:
            acted.append(len(kept))
        number = line.get("line")
        kept.append((number if isinstance(number, int) else at, line))
    return [line for k, line in enumerate(kept) if k not in gone]


def as_today(lines: list[Any], where: str) -> list[Any]:
    """The lines of a file that an earlier version wrote in a form of its own, as they would be written today."""
    for entry in entries():
        old: Callable[[list[Any], str], list[Any] | None] | None = getattr(entry, "old_table", None)
        found = old(lines, where) if old is not None else None
        if found is not None:
            return found
    return lines


def checked(head: Any, where: str) -> dict[str, Any]:
    """The first line of a file, each part of which is what it should be."""
    if not isinstance(head, dict) or "table" not in head:
        raise UnreadableError(f"{where} is not a session of Mazzo: its first line does not describe the game")
    if head["table"] not in _READABLE:
        raise UnreadableError(f"{where} was written by another version of Mazzo")
    seats, seed = head.get("seats"), head.get("seed", 0)
    sealed = head["table"] == SEALED_VERSION
    right = (
        isinstance(head.get("game"), str)
        and isinstance(head.get("options"), dict)
        and head["options"].get("edition", 1) in range(1, EDITION + 1)
        and isinstance(seats, list)
        and all(isinstance(seat, str) and len(seat) <= MOST_TEXT for seat in seats)
        and isinstance(seed, int)
        and not isinstance(seed, bool)
        and (bool(_SECRET.fullmatch(str(head.get("secret")))) if sealed else "seed" in head)
    )
    if not right:
        raise UnreadableError(f"{where} is not a session of Mazzo: its first line does not describe the game")
    return head


def chance_of(head: Mapping[str, Any]) -> int | bytes:
    """The seed or the secret of a file's first line."""
    return bytes.fromhex(head["secret"]) if head["table"] == SEALED_VERSION else int(head["seed"])
