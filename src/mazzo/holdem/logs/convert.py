"""Hands into files: the form follows the name of the file."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from mazzo.errors import UnreadableError
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.logs.phh_write import phh_text
from mazzo.holdem.logs.store import write_parquet
from mazzo.holdem.logs.write import acpc_text

__all__ = ["new_file", "write_hands"]


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """A new file for bytes, packed if its name says so. Hands are never written over others."""
    try:
        raw = path.open("xb")
    except FileExistsError:
        raise UnreadableError(f"{path} exists already; nothing is written over it: name another file") from None
    except OSError as wrong:
        raise UnreadableError(f"cannot write {path}: {wrong}") from None
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


def write_hands(batches: Iterable[Hands], path: Path, old: bool = False) -> int:
    """Write hands to a new file and say how many.

    `.phh` and `.phhs` are written as PHH, `.parquet` as Parquet, anything else as a competition log (in the old form
    if wanted); `.gz` and `.zst` behind pack it.
    """
    form = path.suffixes[-2] if len(path.suffixes) > 1 and path.suffix in (".gz", ".zst") else path.suffix
    if form == ".parquet":
        if path.exists():
            raise UnreadableError(f"{path} exists already; nothing is written over it: name another file")
        return write_parquet(batches, path)
    count, game = 0, ""
    with new_file(path) as file:
        for hands in batches:
            if form in (".phh", ".phhs"):
                file.write(phh_text(hands, count + 1).encode())
            else:
                names = {g.name for g in hands.games}
                if len(names) > 1:
                    raise UnreadableError("a competition log holds hands of one game: write these as PHH or Parquet")
                if game and names != {game}:
                    raise UnreadableError(
                        f"these are hands of {game} and {names.pop()}: a competition log holds one game"
                    )
                game = hands.games[0].name
                file.write(acpc_text(hands, old))
            count += len(hands)
    return count
