"""Replays: hands of files, one hand moment by moment, and links that hold a whole hand."""

from __future__ import annotations

import base64
import binascii
import json
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from mazzo.errors import MazzoError, UnreadableError
from mazzo.games import entries, find_entry
from mazzo.seated import Advice, Frame
from mazzo.web.advice import advice_shown, judged_shown, play_name
from mazzo.words.sentences import log_line, with_texts
from mazzo.words.texts import text

__all__ = [
    "advised",
    "advisers_of",
    "decision_at",
    "files_here",
    "frames_of",
    "hands_of_file",
    "hands_of_text",
    "packed",
    "unpacked",
]

_SUFFIXES = (".log", ".phh", ".phhs", ".parquet", ".gz", ".zst", ".txt", ".jsonl", ".xz", ".bz2")
_MOST = 20_000
_PAGE = 50


def packed(record: Mapping[str, Any]) -> str:
    """A record as text for a link: the hand itself, so that the link needs no file."""
    raw = json.dumps(record, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(zlib.compress(raw, 9)).decode().rstrip("=")


def unpacked(link: str) -> dict[str, Any]:
    """The record in a link; nothing in it is trusted."""
    try:
        if len(link) > _MOST:
            raise ValueError
        data = base64.urlsafe_b64decode(link + "=" * (-len(link) % 4))
        raw = zlib.decompressobj().decompress(data, _MOST)
        record = json.loads(raw)
        if not isinstance(record, dict) or not isinstance(record.get("of"), str):
            raise ValueError
    except (ValueError, binascii.Error, zlib.error, RecursionError):
        raise UnreadableError(text("refused.link")) from None
    return record


def files_here() -> list[str]:
    """Files in the working directory that may hold hands."""
    names = [p.name for p in sorted(Path.cwd().iterdir()) if p.is_file() and p.suffix.lower() in _SUFFIXES]
    return [name for name in names if not name.startswith("study-")][:200]


def _records(path: Path) -> Iterator[dict[str, Any]]:
    """The records of a file of any game."""
    for entry in reversed(entries()):
        first = True
        for record in entry.replays().read(path):
            first = False
            yield {"of": entry.NAME, **record}
        if not first:
            return


def hands_of_file(name: str, start: int) -> dict[str, Any]:
    """A page of the hands of a file in the working directory."""
    if name not in files_here():
        raise UnreadableError(f"there is no file {name[:60]!r} in the working directory")
    return _page(Path(name), name, start)


def hands_of_text(content: bytes, start: int) -> dict[str, Any]:
    """A page of the hands of a text somebody gives."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "given.log"
        path.write_bytes(content)
        return _page(path, text("replay.given"), start)


def _page(path: Path, name: str, start: int) -> dict[str, Any]:
    found = list(islice(_records(path), start, start + _PAGE + 1))
    if not found and not start:
        raise UnreadableError(text("refused.no_hands", {"name": name}))
    hands = [{"number": start + k + 1, **_what(r), "link": packed(r)} for k, r in enumerate(found[:_PAGE])]
    return {"file": name, "hands": hands, "start": start, "more": len(found) > _PAGE}


def _what(record: Mapping[str, Any]) -> dict[str, str]:
    """Who played, and what the hand is told apart by."""
    players = ", ".join(str(name) for name in record.get("names", ()))
    try:
        detail = with_texts(find_entry(record["of"]).replays().detail(record))
    except MazzoError as error:  # one hand that cannot be read does not hide the others
        detail = str(error)
    return {"players": players, "what": detail}


def _show(record: Mapping[str, Any]) -> list[Frame]:
    try:
        return list(find_entry(record["of"]).replays().show(record))
    except MazzoError:
        raise
    except Exception as error:  # a made-up record may break anything below; the reader only needs to know it is one
        raise UnreadableError(text("refused.link")) from error


def frames_of(link: str) -> dict[str, Any]:
    """A hand moment by moment."""
    record = unpacked(link)
    frames = _show(record)
    deck = frames[0].view["deck"]
    out = [
        {
            "view": with_texts(frame.view),
            "said": [log_line(line, deck) for line in frame.said],
            "action": frame.action,
            "coach": frame.question is not None,
        }
        for frame in frames
    ]
    return {"of": record["of"], "frames": out, "advisers": advisers_of(record["of"])}


def advisers_of(game: str) -> list[str]:
    """Who can be asked about what was played: the advisers of the table, and those who see all cards."""
    entry = find_entry(game)
    return [*entry.seating().advisers, *entry.replays().advisers]


def decision_at(link: str, step: int, adviser: str) -> Frame:
    """A moment of a hand that this adviser can be asked about."""
    record = unpacked(link)
    advisers = advisers_of(record["of"])
    if adviser not in advisers:
        raise UnreadableError(f"the adviser must be one of {', '.join(advisers)}, got {adviser[:40]!r}")
    frames = _show(record)
    if not 0 <= step < len(frames) or frames[step].question is None:
        raise UnreadableError(text("refused.no_decision"))
    return frames[step]


def advised(frame: Frame, advice: Advice, adviser: str) -> dict[str, Any]:
    """What an adviser thinks of a decision in a hand, and what the play made cost."""
    deck, action = frame.view["deck"], frame.action or ""
    return {
        **advice_shown(advice, deck),
        "adviser": adviser,
        "played": play_name(action, advice, deck),
        **judged_shown(advice, action),
    }
