"""Rounds of tressette shown again: from logs of matches, or from a record that fits in a link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mazzo.errors import MazzoError, UnreadableError
from mazzo.seated import Frame, Say, read_records
from mazzo.tressette.round import SEATS, Round
from mazzo.tressette.seated import asked, round_seats

__all__ = ["read", "replay"]

_MOST_LINE = 4000


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The rounds of a log as `mazzo match tressette ... --log` writes it; none if it is no such file."""
    yield from read_records(path, "tressette")
    try:
        with path.open("rb") as file:
            while line := file.readline(_MOST_LINE):
                text = line.decode(errors="replace").strip()
                if text.startswith(f"{SEATS[0]} "):
                    yield {"round": text, "names": list(SEATS)}
                elif text and not text.startswith("#"):
                    return
    except OSError as wrong:
        raise UnreadableError(f"cannot read {path.name}: {wrong.strerror}") from None


def replay(record: Mapping[str, Any]) -> Sequence[Frame]:
    """A record, card by card, with all four hands open."""
    try:
        text, names = str(record["round"])[:_MOST_LINE], [str(name)[:60] for name in record["names"]]
        done = Round.parse(text)
    except MazzoError:
        raise
    except (KeyError, TypeError) as wrong:
        raise UnreadableError(f"this is no record of a round of tressette: {wrong} is missing") from None
    if len(names) != len(SEATS):
        raise UnreadableError("this is no record of a round of tressette: it names four seats")
    table = Round([_dealt(done, seat) for seat in range(4)], done.leader, done.rounds.named, done.talk)
    said: list[Say] = [("tressette.dealt", {"number": 1, "name": names[done.leader]})]
    said += [
        ("tressette.declares", {"name": names[seat], "what": table.declarations(seat)})
        for seat in range(4)
        if table.declarations(seat)
    ]
    frames = []
    for k, (seat, card) in enumerate(done.plays):
        signal = done.said(k // 4 + 1) if k % 4 == 0 else ""
        action = f"{card}:{signal}" if signal else str(card)
        frames.append(Frame(_view(table, names), said, action, asked(table.observe(seat))))
        table.act(action)
        key = "tressette.plays_saying" if signal else "tressette.plays"
        said = [(key, {"name": names[seat], "card": str(card), "signal": signal})]
        if not table.table:
            said.append(("tressette.takes", {"name": names[table.turn]}))
    frames.append(Frame(_view(table, names), said))
    return frames


def _dealt(done: Round, seat: int) -> list[int]:
    return [card for card in range(40) if int(done.rounds.dealt[0, seat]) >> card & 1]


def _view(table: Round, names: Sequence[str]) -> dict[str, Any]:
    seats = round_seats(table, names, {0, 1, 2, 3})
    for shown in seats:
        shown["kind"] = "person"
    ours, theirs = (third / 3 for third in table.thirds)
    return {
        "deck": "italian",
        "seats": seats,
        "you": None,
        "turn": None if table.finished else table.turn,
        "centre": {"cards": [], "places": 0},
        "facts": [("tressette.round", f"{ours:.1f}-{theirs:.1f}"), ("tressette.trick", table.trick)],
        "choices": [],
        "hand_over": table.finished,
        "over": table.finished,
    }
