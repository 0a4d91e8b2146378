"""Model files (`.mz`): data only, with their version, a checksum, the settings and what was learned from.

A first line says what the file is and its version; then come the digest of the rest, a JSON header and the arrays,
packed. Nothing in a file is trusted: lengths are compared with what is there, types are taken from a short list, and
who reads the arrays checks that they are what they should be.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import UnreadableError
from mazzo.files import write_whole
from mazzo.version import __version__

__all__ = ["VERSION", "Model", "read_model", "write_model"]

VERSION = 1
_TITLE = "mazzo model, version "
_DIGEST = 32
_MOST_BYTES = 1 << 31
_TYPES = ("<f4", "<f8", "<i4", "<i8", "|u1")


@dataclass(frozen=True)
class Model:
    """What a model file holds."""

    agent: str
    """The agent that plays it, by name."""
    settings: dict[str, Any]
    """How it was learned; plain data."""
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)
    made_by: str = __version__


def write_model(path: Path, model: Model, level: int = 3) -> None:
    """Write a model, packed so hard (1 to 9), so that a reader sees the old file or the new one, never a part of it."""
    entries, blocks = [], []
    for name, array in model.arrays.items():
        little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
        if little.dtype.str not in _TYPES:
            raise UnreadableError(f"arrays of {array.dtype} cannot be kept in a model file")
        entries.append({"name": name, "type": little.dtype.str, "shape": list(array.shape)})
        blocks.append(little.tobytes())
    header = {"agent": model.agent, "made_by": model.made_by, "settings": model.settings, "arrays": entries}
    text = json.dumps(header).encode()
    rest = len(text).to_bytes(8, "little") + text + zlib.compress(b"".join(blocks), level)
    digest = hashlib.blake2b(rest, digest_size=_DIGEST).digest()
    write_whole(path, f"{_TITLE}{VERSION}\n".encode() + digest + rest)


def read_model(path: Path) -> Model:
    """Read a model file, or say what is wrong with it."""
    try:
        size = path.stat().st_size
        raw = path.read_bytes() if size <= _MOST_BYTES else b""
    except OSError as error:
        raise UnreadableError(f"cannot read the model {path}: {error.strerror or error}") from None
    first, newline, rest = raw[:64].partition(b"\n")
    match = re.fullmatch(re.escape(_TITLE) + r"(\d{1,6})", first.decode(errors="replace"))
    if not match or not newline:
        raise UnreadableError(f"{path} is not a model of Mazzo; models are made by `mazzo learn LOGS -o hero.mz`")
    if int(match[1]) != VERSION:
        raise UnreadableError(
            f"{path} is a model of version {match[1]}, this Mazzo ({__version__}) reads version {VERSION}: "
            "upgrade Mazzo, or learn the model again"
        )
    rest = raw[len(first) + 1 :]
    digest, body = rest[:_DIGEST], rest[_DIGEST:]
    if hashlib.blake2b(body, digest_size=_DIGEST).digest() != digest:
        raise UnreadableError(f"{path} is damaged or cut short: its contents do not match its checksum; learn it again")
    try:
        return _parse(body)
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise UnreadableError(f"{path} cannot be read as a model: {error}") from None


def _parse(body: bytes) -> Model:
    length = int.from_bytes(body[:8], "little")
    if length > len(body) - 8:
        raise ValueError("its header is longer than the file")
    header = json.loads(body[8 : 8 + length])
    shapes = [(e["name"], e["type"], tuple(int(k) for k in e["shape"])) for e in header["arrays"]]
    if any(kind not in _TYPES or min(shape, default=0) < 0 for _, kind, shape in shapes):
        raise ValueError("it has an array of a kind that models do not have")
    sizes = [math.prod(shape) * np.dtype(kind).itemsize for _, kind, shape in shapes]
    if sum(sizes) > _MOST_BYTES:
        raise ValueError("its arrays are larger than any model's")
    unpacker = zlib.decompressobj()
    data = unpacker.decompress(body[8 + length :], sum(sizes) + 1)
    if len(data) != sum(sizes):
        raise ValueError("its arrays are not as long as its header says")
    arrays, at = {}, 0
    for (name, kind, shape), size in zip(shapes, sizes, strict=True):
        dtype = np.dtype(kind)
        arrays[str(name)] = (
            np.frombuffer(data, dtype, math.prod(shape), at).reshape(shape).astype(dtype.newbyteorder("="))
        )
        at += size
    if not isinstance(header["settings"], dict):
        raise ValueError("its settings are not a table of names and values")
    return Model(str(header["agent"]), header["settings"], arrays, str(header["made_by"]))
