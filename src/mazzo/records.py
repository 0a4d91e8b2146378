"""Records of what was played, as logs and tables keep them: what is read here may come from anybody."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from mazzo.errors import MazzoError, UnreadableError

__all__ = ["read_records", "read_rounds", "round_of"]

_MOST_LINE = 100_000
_MOST_ROUND = 4000
_Round = TypeVar("_Round")


def read_records(path: Path, game: str) -> Iterator[dict[str, Any]]:
    """The records of one game in a file of JSON lines, as a table in the browser gives them away."""
    try:
        with path.open("rb") as file:
            if file.read(1) != b"{":
                return
            file.seek(0)
            while line := file.readline(_MOST_LINE):
                record = json.loads(line)
                if isinstance(record, dict) and record.get("of") == game:
                    yield record
    except OSError as error:
        raise UnreadableError(f"cannot read {path.name}: {error.strerror}") from None
    except ValueError:
        return


def read_rounds(
    path: Path, game: str, is_round: Callable[[str], bool], names: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """The records of one game in a file, or the rounds of a log that has a round's text on every line.

    Args:
        path: The file; it gives nothing if it is neither.
        game: The game.
        is_round: Whether a line is the text of a round.
        names: Who sat where, which a log does not say.
    """
    yield from read_records(path, game)
    try:
        with path.open("rb") as file:
            while line := file.readline(_MOST_ROUND):
                text = line.decode(errors="replace").strip()
                if is_round(text):
                    yield {"round": text, "names": list(names)}
                elif text and not text.startswith("#"):
                    return
    except OSError as error:
        raise UnreadableError(f"cannot read {path.name}: {error.strerror}") from None


def round_of(
    record: Mapping[str, Any], game: str, seats: int, parse: Callable[[str], _Round]
) -> tuple[_Round, list[str]]:
    """The round that a record of `read_rounds` holds, and who played it."""
    try:
        names = [str(name)[:60] for name in record["names"]]
        found = parse(str(record["round"])[:_MOST_ROUND])
    except MazzoError:
        raise
    except (KeyError, TypeError) as error:
        raise UnreadableError(f"not a record of a round of {game}: {error} is missing") from None
    if len(names) != seats:
        raise UnreadableError(f"not a record of a round of {game}: it must name {seats} seats, got {len(names)}")
    return found, names
