"""Rounds of briscola shown again: from logs of matches, or from a record that fits in a link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mazzo.records import read_rounds, round_of
from mazzo.seated import Frame, Say

from .round import SEATS, Round
from .seated import asked, said_of, shown

__all__ = ["read", "replay"]


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The rounds of a log as `mazzo match briscola ... --log` writes it; none if it is no such file."""
    return read_rounds(path, "briscola", lambda text: "; stock " in text and not text.startswith("{"), SEATS)


def replay(record: Mapping[str, Any]) -> Sequence[Frame]:
    """A record, card by card, with the cards that it shows."""
    table, names = round_of(record, "briscola", len(SEATS), Round.parse)
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
