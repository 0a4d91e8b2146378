"""Solution files (`.mz`): like model files data only, but in blocks that are packed and checked one by one.

So a file of many hundred megabytes can be opened for a few of its blocks. A first line says what the file is and its
version; then come the digest of the header, the header (JSON: settings, and of each block its name, type, shape, place,
length and digest) and the blocks. Nothing in a file is trusted: places and lengths are compared with what is there, and
types are taken from a short list.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import tempfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import UnreadableError
from mazzo.files import new_whole
from mazzo.version import __version__

__all__ = ["VERSION", "BlockFile", "is_block_file", "write_blocks"]

VERSION = 1
_TITLE = "mazzo solution, version "
_DIGEST = 32
_TYPES = ("<f4", "<f8", "|u1", "<u2")
_MOST_HEADER, _MOST_BLOCK, _MOST_BLOCKS = 1 << 26, 1 << 28, 1 << 20


def is_block_file(path: Path) -> bool:
    """Whether a file begins as one of these."""
    try:
        with path.open("rb") as file:
            return file.read(len(_TITLE)) == _TITLE.encode()
    except OSError:
        return False


def write_blocks(path: Path, settings: dict[str, Any], blocks: Iterable[tuple[str, NDArray[Any]]]) -> None:
    """Write blocks one after the other, so that a reader sees the old file or the new one, never a part of it."""
    with new_whole(path) as file, tempfile.TemporaryFile(dir=path.parent) as body:
        entries, at = [], 0
        for key, array in blocks:
            little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
            if little.dtype.str not in _TYPES:
                raise UnreadableError(f"arrays of {array.dtype} cannot be kept in a solution file")
            packed = zlib.compress(little.tobytes(), 1)
            digest = hashlib.blake2b(packed, digest_size=_DIGEST).hexdigest()
            entries.append([key, little.dtype.str, list(array.shape), at, len(packed), digest])
            at += len(packed)
            body.write(packed)
        header = json.dumps({"made_by": __version__, "settings": settings, "blocks": entries}).encode()
        file.write(f"{_TITLE}{VERSION}\n".encode())
        file.write(hashlib.blake2b(header, digest_size=_DIGEST).digest() + len(header).to_bytes(8, "little") + header)
        body.seek(0)
        while part := body.read(1 << 20):
            file.write(part)


class BlockFile:
    """A solution file, opened; its blocks are read when they are asked for."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            with self.path.open("rb") as file:
                self._begin, header = self._header(file)
            self._size = self.path.stat().st_size
        except OSError as error:
            raise UnreadableError(f"cannot read the solution {path}: {error.strerror or error}") from None
        try:
            self.settings: dict[str, Any] = dict(header["settings"])
            self.made_by = str(header["made_by"])
            self._blocks = {str(b[0]): _entry(b, self._size - self._begin) for b in header["blocks"][:_MOST_BLOCKS]}
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise UnreadableError(f"{path} cannot be read as a solution: {error}") from None

    def _header(self, file: Any) -> tuple[int, dict[str, Any]]:
        first = file.readline(64)
        match = re.fullmatch(re.escape(_TITLE) + r"(\d{1,6})\n", first.decode(errors="replace"))
        if not match:
            raise UnreadableError(f"{self.path} is not a solved spot; one is made by `mazzo solve spot FILE -o out.mz`")
        if int(match[1]) != VERSION:
            raise UnreadableError(
                f"{self.path} is a solution of version {match[1]}, this Mazzo ({__version__}) reads version {VERSION}"
            )
        digest, length = file.read(_DIGEST), int.from_bytes(file.read(8), "little")
        text = file.read(length) if length <= _MOST_HEADER else b""
        if len(text) != length or hashlib.blake2b(text, digest_size=_DIGEST).digest() != digest:
            raise UnreadableError(f"{self.path} is damaged or cut short: its header does not match its checksum")
        found = json.loads(text)
        if not isinstance(found, dict):
            raise UnreadableError(f"{self.path} cannot be read as a solution: its header is not a table")
        return len(first) + _DIGEST + 8 + length, found

    def __contains__(self, name: str) -> bool:
        return name in self._blocks

    def read(self, name: str) -> NDArray[Any]:
        """One block."""
        if name not in self._blocks:
            raise UnreadableError(f"{self.path} has no part {name!r}")
        kind, shape, at, length, digest = self._blocks[name]
        with self.path.open("rb") as file:
            file.seek(self._begin + at)
            packed = file.read(length)
        if hashlib.blake2b(packed, digest_size=_DIGEST).hexdigest() != digest:
            raise UnreadableError(f"{self.path} is damaged or cut short: its part {name!r} does not match its checksum")
        size = math.prod(shape) * np.dtype(kind).itemsize
        try:
            data = zlib.decompressobj().decompress(packed, size + 1)
        except zlib.error as error:
            raise UnreadableError(f"{self.path} cannot be read as a solution: {error}") from None
        if len(data) != size:
            raise UnreadableError(f"{self.path}: its part {name!r} is not as long as its header says")
        return np.frombuffer(data, np.dtype(kind)).reshape(shape).astype(np.dtype(kind).newbyteorder("="))


def _entry(given: list[Any], room: int) -> tuple[str, tuple[int, ...], int, int, str]:
    _, kind, shape, at, length, digest = given
    sizes = tuple(int(n) for n in shape)
    if kind not in _TYPES or min(sizes, default=0) < 0 or len(sizes) > 4:
        raise ValueError("it has a part of a kind that solutions do not have")
    if math.prod(sizes) * np.dtype(kind).itemsize > _MOST_BLOCK:
        raise ValueError("it has a part that is larger than any solution's")
    if not 0 <= int(at) <= room or not 0 <= int(length) <= room - int(at):
        raise ValueError("it is cut short")
    return str(kind), sizes, int(at), int(length), str(digest)
