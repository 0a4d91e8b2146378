"""Which files hold hands, and how to open and make them: plain, gzip and zstd."""

from __future__ import annotations

import gzip
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from mazzo.errors import UnreadableError

__all__ = ["expand", "new_file", "open_bytes", "suffix_of", "unpacking_errors"]

_PACKED = {".gz", ".zst"}


def expand(paths: Iterable[str | Path], suffixes: Collection[str]) -> list[Path]:
    """The files that are meant: files as they are, folders with all their hand files, patterns such as `logs/*.log`.

    Hand files in folders are those whose names end in one of `suffixes`, packed or not.
    """
    found: dict[Path, None] = {}
    for given in paths:
        path = Path(given)
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file() and suffix_of(p) in suffixes)
            found.update(dict.fromkeys(inside))
        elif path.is_file():
            found[path] = None
        else:
            matching = _matching(path)
            if not matching:
                raise UnreadableError(f"there is no file {str(given)!r}")
            found.update(dict.fromkeys(matching))
    if not found:
        raise UnreadableError(f"no hand files there; their names end in {', '.join(sorted(suffixes))}")
    return list(found)


def suffix_of(path: Path) -> str:
    """How a file's name ends, but for what says that it is packed: `.log` of `match.log.gz`."""
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
    except ValueError as error:
        raise UnreadableError(f"{str(path)!r} is not a pattern of file names: {error}") from None


@contextmanager
def open_bytes(path: Path) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """The contents of a file, unpacked, and the file itself, whose position says how far one has come."""
    try:
        raw = path.open("rb")
    except OSError as error:
        raise UnreadableError(f"cannot read {path}: {error}") from None
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


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """A new file for bytes, packed if its name says so. Hands are never written over others."""
    try:
        raw = path.open("xb")
    except FileExistsError:
        raise UnreadableError(f"{path} exists already; nothing is written over it: name another file") from None
    except OSError as error:
        raise UnreadableError(f"cannot write {path}: {error}") from None
    with raw:
        if path.suffix == ".gz":
            with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as packed:
                yield cast(BinaryIO, packed)
        elif path.suffix == ".zst":
            import zstandard

            with zstandard.ZstdCompressor().stream_writer(raw) as stream:
                yield cast(BinaryIO, stream)
        else:
            yield raw


def unpacking_errors() -> tuple[type[Exception], ...]:
    """What opening a damaged packed file may raise."""
    import zlib

    import zstandard

    return (OSError, EOFError, zlib.error, zstandard.ZstdError)
