"""Rounds of tressette shown again: from logs of matches, or from a record that fits in a link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mazzo.errors import MazzoError, UnreadableError
from mazzo.seated import Frame, Say, read_records
from mazzo.tressette.round import SEATS, Round
from mazzo.tressette.seated import asked, declared_words, round_seats

__all__ = ["dealt", "read", "replay"]

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
    except OSError as error:
        raise UnreadableError(f"cannot read {path.name}: {error.strerror}") from None


def dealt(record: Mapping[str, Any]) -> dict[int, set[str]]:
    """Ten places of the deck for each seat, south first, and the ten cards that lay there."""
    done = Round.parse(str(record.get("round", ""))[:_MOST_LINE])
    start = done.undo(len(done.plays))
    return {10 * seat + k: set(map(str, start.hand(seat))) for seat in range(len(SEATS)) for k in range(10)}


def replay(record: Mapping[str, Any]) -> Sequence[Frame]:
    """A record, card by card, with all four hands open."""
    try:
        text, names = str(record["round"])[:_MOST_LINE], [str(name)[:60] for name in record["names"]]
        done = Round.parse(text)
    except MazzoError:
        raise
    except (KeyError, TypeError) as error:
        raise UnreadableError(f"this is no record of a round of tressette: {error} is missing") from None
    if len(names) != len(SEATS):
        raise UnreadableError("this is no record of a round of tressette: it names four seats")
    table = Round.parse(text).undo(len(done.plays))
    said: list[Say] = [("tressette.replay", {"name": names[done.leader]})]
    said += [
        ("tressette.declares", {"name": names[seat], "what": declared_words(table, seat)})
        for seat in range(4)
        if table.declarations(seat)
    ]
    frames = []
    for number, (seat, card) in zip(done.history, done.plays, strict=True):
        action = table.action_text(number)
        frames.append(Frame(_view(table, names), said, action, asked(table.observe())))
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
