"""Which files hold hands, in which form, and how to open them: plain, gzip and zstd."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from mazzo.errors import UnreadableError

__all__ = ["KINDS", "expand", "kind_of", "open_bytes", "site_of", "unpacking_errors"]

KINDS = ("acpc", "phh", "parquet", "site", "transcript", "unknown")

_SUFFIXES = {".log", ".txt", ".phh", ".phhs", ".parquet"}
_PACKED = {".gz", ".zst"}
_LOOK = 1 << 16

_SITES = {
    "pokerstars": re.compile(r"^PokerStars .*#", re.MULTILINE),
    "full_tilt_poker": re.compile(r"^Full Tilt Poker Game #", re.MULTILINE),
    "absolute_poker": re.compile(r"^Stage #", re.MULTILINE),
    "partypoker": re.compile(r"^Game #\d+ starts", re.MULTILINE),
    "ongame_network": re.compile(r"^\*{5} History for hand ", re.MULTILINE),
    "ipoker_network": re.compile(r'^\s*<game gamecode="', re.MULTILINE),
}


def expand(paths: Iterable[str | Path]) -> list[Path]:
    """The files that are meant: files as they are, folders with all their hand files, patterns such as `logs/*.log`."""
    found: dict[Path, None] = {}
    for given in paths:
        path = Path(given)
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file() and _suffix(p) in _SUFFIXES)
            found.update(dict.fromkeys(inside))
        elif path.is_file():
            found[path] = None
        else:
            matching = _matching(path)
            if not matching:
                raise UnreadableError(f"there is no file {str(given)!r}")
            found.update(dict.fromkeys(matching))
    if not found:
        raise UnreadableError(f"no hand files there; their names end in {', '.join(sorted(_SUFFIXES))}")
    return list(found)


def _suffix(path: Path) -> str:
    suffixes = path.suffixes
    return suffixes[-2] if len(suffixes) > 1 and suffixes[-1] in _PACKED else path.suffix


def _matching(path: Path) -> list[Path]:
    parts = path.parts
    first = next((n for n, part in enumerate(parts) if re.search(r"[*?\[]", part)), None)
    if first is None:
        return []
    root = Path(*parts[:first]) if first else Path()
    try:
        return sorted(p for p in root.glob(str(Path(*parts[first:]))) if p.is_file())
    except ValueError as wrong:
        raise UnreadableError(f"{str(path)!r} is not a pattern of file names: {wrong}") from None


@contextmanager
def open_bytes(path: Path) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """The contents of a file, unpacked, and the file itself, whose position says how far one has come."""
    try:
        raw = path.open("rb")
    except OSError as wrong:
        raise UnreadableError(f"cannot read {path}: {wrong}") from None
    with raw:
        magic = raw.read(4)
        raw.seek(0)
        if magic[:2] == b"\x1f\x8b":
            with gzip.open(raw) as unpacked:
                yield cast(BinaryIO, unpacked), raw
        elif magic == b"\x28\xb5\x2f\xfd":
            import zstandard

            with zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True) as stream:
                yield cast(BinaryIO, stream), raw
        else:
            yield raw, raw


def unpacking_errors() -> tuple[type[Exception], ...]:
    """What opening a damaged packed file may raise."""
    import zlib

    import zstandard

    return (OSError, EOFError, zlib.error, zstandard.ZstdError)


def site_of(text: str) -> str | None:
    """The poker room whose text histories look like this, of those that pokerkit can read."""
    found = {name: match.start() for name, sign in _SITES.items() if (match := sign.search(text))}
    return min(found, key=lambda name: found[name]) if found else None


def kind_of(beginning: bytes) -> str:
    """The form of a file, one of `KINDS`, from how it begins."""
    if beginning[:4] == b"PAR1":
        return "parquet"
    text = beginning[:_LOOK].decode(errors="replace").lstrip("\ufeff")
    for line in text.splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if re.match(r"(TO \d+|FROM \d+|STARTED) at \d", line):
            return "transcript"
        if re.match(r"(STATE|SCORE):", line) or re.match(r"[^:]*\|[^:]*:\d+:[fcr\d/]*:[^:]*:", line):
            return "acpc"
        if re.match(r"\[\s*['\"]?[\w.-]+['\"]?\s*\]$", line) or re.match(r"[A-Za-z_]+\s*=", line):
            return "phh" if re.search(r"^\s*variant\s*=", text, re.MULTILINE) else "unknown"
        break
    if site_of(text):
        return "site"
    return "acpc" if re.search(r"^(STATE:|#\s*name/game/hands/seed\s)", text, re.MULTILINE) else "unknown"
