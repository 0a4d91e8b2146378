"""Rounds of tressette shown again: from logs of matches, or from a record that fits in a link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mazzo.records import read_rounds, round_of
from mazzo.seated import Frame, Say
from mazzo.tressette.round import SEATS, Round
from mazzo.tressette.seated import asked, declared_words, round_seats

__all__ = ["dealt", "read", "replay"]


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The rounds of a log as `mazzo match tressette ... --log` writes it; none if it is no such file."""
    return read_rounds(path, "tressette", lambda text: text.startswith(f"{SEATS[0]} "), SEATS)


def dealt(record: Mapping[str, Any]) -> dict[int, set[str]]:
    """Ten places of the deck for each seat, south first, and the ten cards that lay there."""
    done, _ = round_of({"names": SEATS, **record}, "tressette", len(SEATS), Round.parse)
    start = done.undo(len(done.plays))
    return {10 * seat + k: set(map(str, start.hand(seat))) for seat in range(len(SEATS)) for k in range(10)}


def replay(record: Mapping[str, Any]) -> Sequence[Frame]:
    """A record, card by card, with all four hands open."""
    done, names = round_of(record, "tressette", len(SEATS), Round.parse)
    table = Round.parse(done.text()).undo(len(done.plays))
    said: list[Say] = [("tressette.replay", {"name": names[done.leader]})]
    said += [
        ("tressette.declares", {"name": names[seat], "what": declared_words(table, seat)})
        for seat in range(4)
        if table.declarations(seat)
    ]
    frames = []
    for number, (seat, card) in zip(done.history, done.plays, strict=True):
        action = table.action_text(number)
        frames.append(Frame(_view(table, names), said, action, asked(table.observe(), table.text())))
        table.act(action)
        signal = action.partition(":")[2]
        key = "tressette.plays_saying" if signal else "tressette.plays"
        said = [(key, {"name": names[seat], "card": str(card), "signal": signal})]
        if not table.table and table.taker is not None:
            said.append(("tressette.takes", {"name": names[table.taker]}))
    frames.append(Frame(_view(table, names), said))
    return frames


def _view(table: Round, names: Sequence[str]) -> dict[str, Any]:
    seats = round_seats(table, names, {0, 1, 2, 3})
    for shown in seats:
        shown["kind"] = "person"
    ours, theirs = (third / 3 for third in table.thirds)
    return {
        "deck": "italian",
        "seats": seats,
        "you": None,
        "turn": table.turn,
        "centre": {"cards": [], "places": 0},
        "facts": [("tressette.round", f"{ours:.1f}-{theirs:.1f}"), ("tressette.trick", table.trick)],
        "choices": [],
        "hand_over": table.over,
        "over": table.over,
    }
