"""A file of JSON lines that survives a crash: a line counts when it is whole, and a line cut short is dropped."""

from __future__ import annotations

import json
import os
import socket
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import IO, Any

from mazzo.errors import UnreadableError

__all__ = ["Journal", "UnwritableError", "take_folder"]

_MOST_BYTES = 256 * 1024 * 1024
_LOCKED_BYTE = 2**30
"""Past the end of the lock file: where a lock keeps others from reading, who holds it can still be read."""


class UnwritableError(UnreadableError):
    """A file cannot be written; `reason` is the operating system's, without the path."""

    def __init__(self, path: Path, error: OSError) -> None:
        self.reason = error.strerror or "unknown error"
        super().__init__(f"cannot write {path}: {self.reason}")


def take_folder(folder: Path) -> IO[bytes]:
    """Take a folder of sessions for this process until the file given back is closed.

    Raises UnreadableError that says who holds it, and UnwritableError where nothing can be written there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise UnwritableError(folder, error) from None
    return _locked(folder / "server", f"{folder} is served by {{who}}: end that server first, or name another folder")


class Journal:
    """The file of a session: first what it is, then what was done, in order. One process at a time holds it."""

    _lock: IO[bytes] | None = None
    before: int = 0
    """How long the file was before its last line."""

    def __init__(self, path: Path) -> None:
        """Take the file; UnreadableError says who holds it where another process (or table) does."""
        self.path = path
        self._lock = _locked(path, f"{path} is being played by {{who}}: leave that table first")

    @classmethod
    def start(cls, path: Path, header: dict[str, Any]) -> Journal:
        """A new file, readable by its owner only; one that exists is never written over."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UnwritableError(path, error) from None
        journal = cls(path)
        try:
            path.touch(mode=0o600, exist_ok=False)
        except FileExistsError:
            journal.close()
            raise UnreadableError(f"{path} exists already; resume it or name another") from None
        except OSError as error:
            journal.close()
            raise UnwritableError(path, error) from None
        try:
            journal.write(header)
        except UnreadableError:
            path.unlink(missing_ok=True)
            journal.close()
            raise
        return journal

    @classmethod
    def read(cls, path: Path) -> tuple[list[Any], int]:
        """The whole lines of a file, and how many bytes they are."""
        try:
            if path.stat().st_size > _MOST_BYTES:
                raise UnreadableError(f"{path} is too long for a session")
            whole = path.read_bytes().rpartition(b"\n")[0]
            lines = [json.loads(line) for line in whole.splitlines()]
        except OSError as error:
            raise UnreadableError(f"cannot read the session {str(path)!r}: {error}") from None
        except (ValueError, RecursionError):
            raise UnreadableError(f"{path} is not a session of Mazzo") from None
        if not lines:
            raise UnreadableError(f"{path} is not a session of Mazzo: it is empty")
        return lines, len(whole) + 1

    def cut(self, size: int) -> None:
        """Drop what follows the last whole line."""
        try:
            os.truncate(self.path, size)
        except OSError as error:
            raise UnwritableError(self.path, error) from None

    def write(self, data: dict[str, Any], safe: bool = True) -> None:
        """Add a line. It is on disk when this returns; with `safe` off it may still be with the operating system.

        Raises UnreadableError where it cannot be written (a full disk, say); the file is then as it was.
        """
        try:
            with self.path.open("ab", buffering=0) as file:
                before = self.before = file.tell()
                try:
                    _write_all(file, json.dumps(data).encode() + b"\n")
                    if safe:
                        os.fsync(file.fileno())
                except OSError:
                    os.truncate(self.path, before)
                    raise
        except OSError as error:
            raise UnwritableError(self.path, error) from None

    def sync(self, before: int) -> None:
        """Wait until what was written without `safe` is on disk.

        Raises UnreadableError where it cannot be; the file is then as long as it was `before`.
        """
        try:
            with self.path.open("ab") as file:
                try:
                    os.fsync(file.fileno())
                except OSError:
                    os.truncate(self.path, before)
                    raise
        except OSError as error:
            raise UnwritableError(self.path, error) from None

    def close(self) -> None:
        """Let others have the file."""
        if self._lock is not None:
            with suppress(OSError):  # Windows removes no open file; the next table takes it over
                _lock_path(self.path).unlink()
            self._lock.close()
            self._lock = None

    def __del__(self) -> None:
        self.close()


def _write_all(file: FileIO, data: bytes) -> None:
    """Write without a buffer: one would be written again when the file is closed, after a full disk as well."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


def _lock_path(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _locked(path: Path, busy: str) -> FileIO:
    """The lock file beside a session, held until it is closed or the process ends, and saying who holds it."""
    beside = _lock_path(path)
    while True:
        try:
            file = beside.open("a+b", buffering=0)
        except OSError as error:
            raise UnwritableError(beside, error) from None
        if not _try_lock(file):
            file.seek(0)
            who = file.read(200).decode(errors="replace").strip() or "another program"
            file.close()
            raise UnreadableError(busy.replace("{who}", who))
        try:
            same = os.path.samestat(os.fstat(file.fileno()), beside.stat())
        except OSError:
            same = False
        if same:
            break
        file.close()  # whoever held it before removed it meanwhile: this file has no name any more
    try:
        file.truncate(0)
        _write_all(file, f"process {os.getpid()} on {socket.gethostname()}".encode())
    except OSError as error:
        beside.unlink(missing_ok=True)
        file.close()
        raise UnwritableError(beside, error) from None
    return file


def _try_lock(file: IO[bytes]) -> bool:
    """Lock an open file if nobody else has; the operating system lets go of it when the process ends."""
    try:
        import fcntl
    except ImportError:  # Windows
        return _try_lock_windows(file)
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _try_lock_windows(file: IO[bytes]) -> bool:
    import msvcrt

    file.seek(_LOCKED_BYTE)
    try:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]  # only on Windows
    except OSError:
        return False
    finally:
        file.seek(0)
    return True
