"""Rounds of briscola shown again: from logs of matches, or from a record that fits in a link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mazzo.errors import MazzoError, UnreadableError
from mazzo.seated import Frame, Say, read_records

from .round import SEATS, Round
from .seated import asked, said_of, shown

__all__ = ["read", "replay"]

_MOST_LINE = 4000


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The rounds of a log as `mazzo match briscola ... --log` writes it; none if it is no such file."""
    yield from read_records(path, "briscola")
    try:
        with path.open("rb") as file:
            while line := file.readline(_MOST_LINE):
                text = line.decode(errors="replace").strip()
                if "; stock " in text and not text.startswith("{"):
                    yield {"round": text, "names": list(SEATS)}
                elif text and not text.startswith("#"):
                    return
    except OSError as error:
        raise UnreadableError(f"cannot read {path.name}: {error.strerror}") from None


def replay(record: Mapping[str, Any]) -> Sequence[Frame]:
    """A record, card by card, with the cards that it shows."""
    try:
        text, names = str(record["round"])[:_MOST_LINE], [str(name)[:60] for name in record["names"]]
        table = Round.parse(text)
    except MazzoError:
        raise
    except (KeyError, TypeError) as error:
        raise UnreadableError(f"this is no record of a round of briscola: {error} is missing") from None
    if len(names) != len(SEATS):
        raise UnreadableError("this is no record of a round of briscola: it names two seats")
    done = table.history
    table.undo(len(done))
    said: list[Say] = [("briscola.dealt", {"number": 1, "card": str(table.trump), "name": names[table.turn or 0]})]
    frames = []
    for card in done:
        known = None not in table.hand(table.turn or 0)
        question = asked(table.observe()) if known else None
        frames.append(Frame(shown(table, names, {0, 1}), said, table.action_text(card), question))
        said = said_of(table.act(card), names)
    return [*frames, Frame(shown(table, names, {0, 1}), said)]
