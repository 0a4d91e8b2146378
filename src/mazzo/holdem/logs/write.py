"""Hands into files: the format follows the name of the file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mazzo.holdem.logs.files import suffix_of
from mazzo.holdem.logs.formats import FORMATS
from mazzo.holdem.logs.hands import Hands

__all__ = ["write_hands"]


def write_hands(batches: Iterable[Hands], path: Path, old: bool = False) -> int:
    """Write hands to a new file and say how many.

    The name says the format: `.phh` and `.phhs` are PHH, `.parquet` is Parquet, anything else a competition log (in the
    old form if wanted); `.gz` and `.zst` behind pack it.
    """
    suffix = suffix_of(path)
    writers = (form.write for form in FORMATS.values() if form.write is not None and suffix in form.suffixes)
    write = next(writers, FORMATS["acpc"].write)
    assert write is not None  # the competition's format can be written
    return write(batches, path, old)
