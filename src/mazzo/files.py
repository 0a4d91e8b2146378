"""Files written whole, files of the user's that are programs, and numbers that stand for texts."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import tomllib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, TextIO

from mazzo.errors import UnreadableError, did_you_mean

__all__ = ["folder_of", "new_log", "new_whole", "number_of", "preset_in", "run_file", "write_whole"]


def folder_of(path: Path) -> Path:
    """The folder a file is to be written to, which must be there: a misspelt folder is not made for the user."""
    if not path.parent.is_dir():
        raise UnreadableError(f"cannot write {path}: there is no folder {path.parent}; make it first or name another")
    return path.parent


@contextmanager
def new_whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write to that takes its place when it is done: a reader sees the old one or the new one, never a part.

    Where writing fails, or anything else does meanwhile, the old one stays.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    except OSError as error:
        raise UnreadableError(f"cannot write {path}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~_umask())  # mkstemp makes files for their owner alone
        Path(name).replace(path)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise UnreadableError(f"cannot write {path}: {error.strerror}") from None
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_whole(path: Path, content: bytes | str) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part of it."""
    with new_whole(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def preset_in(path: Path, presets: Collection[str], usual: str) -> tuple[str, dict[str, Any]]:
    """The preset that a TOML file of rules begins from (`preset = "..."`, else the usual one), and what it sets."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableError(f"cannot read the rules in {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UnreadableError(f"{path} is not TOML: {error}") from None
    preset = data.pop("preset", usual)
    if not isinstance(preset, str) or preset not in presets:
        raise UnreadableError(f"preset in {path} is {preset!r}; {did_you_mean(str(preset), presets)}")
    return preset, data


@contextmanager
def new_log(path: Path, game: str, hands: int, seed: int) -> Iterator[TextIO]:
    """A new log file with its header; never over another file, and none is left that could not be written whole."""
    try:
        file = path.open("x")
    except FileExistsError:
        raise UnreadableError(
            f"{path} exists already; hands are never written over others: name another file"
        ) from None
    except OSError as error:
        raise UnreadableError(f"cannot write {path}: {error}") from None
    try:
        with file:
            file.write(f"# name/game/hands/seed {path.stem} {game} {hands} {seed}\n")
            yield file
    except OSError as error:
        if error.filename not in (None, str(path)):
            raise  # another file's trouble
        path.unlink(missing_ok=True)
        raise UnreadableError(f"cannot write {path}: {error.strerror}; no part of it was kept") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def run_file(path: Path, what: str) -> ModuleType:
    """A Python file as a module, by running it: only ever one that the user has named, never one that data names.

    Args:
        path: The file.
        what: What should be in it, for errors: `"agent"`.
    """
    import cloudpickle

    if not path.is_file():
        raise UnreadableError(f"there is no file {str(path)!r} with an {what} in it")
    name = f"mazzo_{what}_{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UnreadableError(f"{str(path)!r} is not a Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise UnreadableError(f"{path} does not run: {type(error).__name__}: {error}") from error
    cloudpickle.register_pickle_by_value(module)  # workers have never heard of this module
    return module


def number_of(text: str) -> int:
    """A 64-bit number that stands for a text: equal texts, equal numbers."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
