"""Files of numbers that are facts: a title with the version, a checksum, and the numbers compressed."""

from __future__ import annotations

import hashlib
from pathlib import Path

import zstandard

from mazzo.files import write_whole

__all__ = ["read_packed", "write_packed"]

_DIGEST = 32


def _digest(payload: bytes | memoryview) -> bytes:
    return hashlib.blake2b(payload, digest_size=_DIGEST).digest()


def read_packed(path: Path, title: bytes, size: int) -> bytes | None:
    """The `size` bytes that were written, or nothing if the file is missing or not what was written."""
    try:
        text = memoryview(path.read_bytes())
    except OSError:
        return None
    payload = text[len(title) + _DIGEST :]
    if text[: len(title)] != title or text[len(title) : len(title) + _DIGEST] != _digest(payload):
        return None
    try:
        numbers = zstandard.ZstdDecompressor().decompress(payload, max_output_size=size)
    except zstandard.ZstdError:
        return None
    return numbers if len(numbers) == size else None


def write_packed(path: Path, title: bytes, numbers: bytes, level: int = 3) -> None:
    """Write so that a reader sees the old file or the new one, never a part of it."""
    payload = zstandard.ZstdCompressor(level=level).compress(numbers)
    write_whole(path, title + _digest(payload) + payload)
