"""How kernels are compiled: with numba, once, and kept between runs.

Numba keeps a compiled kernel beside its source and trusts it as long as *that* file is unchanged, although the kernel
has frozen constants and pasted in helpers of other files. So compiled kernels are kept in the user's cache directory,
those of each module in a folder named after the text of its file and of all files of ours that it imports, directly
or not. A change there can never run stale code, and a change elsewhere compiles nothing again.

Of several processes that need a kernel at the same time one compiles it and the others wait for it.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar, cast

import numba
from numba import types
from numba.core.compiler_lock import global_compiler_lock

from mazzo.folders import cache_directory
from mazzo.inside_numba import IntoCallers, Part, uncollected

__all__ = ["Sources", "being_prepared", "helper", "inlined", "kernel", "summing", "tight", "tight_helper"]

_F = TypeVar("_F", bound=Callable[..., Any])

# Only unindented imports: what a function imports when it runs, or a type checker alone, no kernel can have frozen.
# (By a pattern: to parse the files would take a third of a second at each start, this takes a hundredth of that.)
_IMPORT = re.compile(
    r"^(?:from[ \t]+(?P<dots>\.*)(?P<module>[\w.]*)[ \t]+import\b(?P<names>[ \t]*\((?:[^)#]|#.*)*\)|(?:\\\r?\n|.)*)"
    r"|import[ \t](?P<modules>(?:\\\r?\n|.)*))",
    re.MULTILINE,
)
_NAME = re.compile(r"([\w.]+)(?:\s+as\s+\w+)?")
_COMMENT = re.compile(r"#.*")

_KEPT_FOLDERS = 3  # of each module, so that one can go back to an earlier version, or work on several
_IN_USE = 3600.0  # seconds: a folder used this recently may belong to a process that is still compiling into it
_FORGOTTEN = 90 * 86400.0  # seconds: after this even the last folders go, as their module may no longer exist
_OLD_LAYOUT = re.compile(r"[0-9a-f]{20}")  # once there was one folder for the kernels of all modules


class _Source(NamedTuple):
    stamp: bytes
    imports: frozenset[Path]


class Sources:
    """What the files of a package import of each other. Each is read once, as text; nothing is imported to find out."""

    def __init__(self, package: Path) -> None:
        self._package = package
        self._read: dict[Path, _Source] = {}

    def closure(self, file: Path) -> set[Path]:
        """The file and all files of the package that it imports, directly or through others, and this one."""
        found: set[Path] = set()
        waiting = [file, Path(__file__)]
        while waiting:
            path = waiting.pop()
            if path not in found:
                found.add(path)
                waiting += self._source(path).imports
        return found

    def fingerprint(self, file: Path) -> str:
        """A name for the text of all that a kernel of this file may have frozen, and for what compiles it."""
        digest = hashlib.blake2b(f"{numba.__version__} {sys.implementation.cache_tag}".encode(), digest_size=10)
        for stamp in sorted(self._source(path).stamp for path in self.closure(file)):
            digest.update(stamp)
        return digest.hexdigest()

    def _name(self, path: Path) -> str:
        """Not the whole path: copies of the same version share their folder, where numba tells them apart."""
        return path.relative_to(self._package).as_posix() if path.is_relative_to(self._package) else path.name

    def _source(self, path: Path) -> _Source:
        if path not in self._read:
            text = path.read_bytes()
            imports = frozenset(filter(None, self._imports(path, text.decode(errors="replace"))))
            stamp = hashlib.blake2b(self._name(path).encode() + b"\0" + text).digest()
            self._read[path] = _Source(stamp, imports)
        return self._read[path]

    def _imports(self, path: Path, text: str) -> Iterator[Path | None]:
        for found in _IMPORT.finditer(text):
            if found["modules"] is None:
                where = self._place(path, found["dots"], found["module"])
                yield from _giving(where, _names(found["names"])) if where else ()
            else:
                for module in _names(found["modules"]):
                    yield from self._along(module)

    def _place(self, path: Path, dots: str, module: str) -> Path | None:
        """Where a module would be that a file imports from, without its ending; none if it is not of the package."""
        parts = module.split(".")
        if dots:
            return list(path.parents)[: len(dots)][-1].joinpath(*parts)
        return self._package.parent.joinpath(*parts) if parts[0] == self._package.name else None

    def _along(self, module: str) -> Iterator[Path | None]:
        """`import a.b.c` gives the name `a`: through it code can reach into `a.b` as well."""
        parts = module.split(".")
        if parts[0] == self._package.name:
            for end in range(1, len(parts) + 1):
                yield _file_of(self._package.parent.joinpath(*parts[:end]))


def _names(listed: str) -> list[str]:
    return _NAME.findall(_COMMENT.sub("", listed))


def _giving(where: Path, names: list[str]) -> Iterator[Path | None]:
    """The files that `from where import names` takes the names from."""
    file = _file_of(where)
    if file and file.name != "__init__.py":
        yield file
        return
    text = file.read_text(errors="replace") if file else ""
    for name in names or ["*"]:
        inner = _file_of(where / name)
        yield inner
        # A package's own file runs whenever a module of it is imported, but gives that module nothing: to follow it
        # always would tie nearly every kernel of a game to nearly every file of the game.
        if inner is None or re.search(rf"\b{name}\b", text):
            yield file


@functools.cache  # most files import the same few
def _file_of(module: Path) -> Path | None:
    """The file of a module or package given without its ending."""
    candidates = (module / "__init__.py", Path(f"{module}.py"))
    return next((file for file in candidates if file.is_file()), None)


_sources = Sources(Path(__file__).parent)


@functools.cache
def _folder(file: str, module: str) -> str | None:
    """Where the kernels of a module are kept; none leaves the choice to numba."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return None
    kernels = cache_directory() / "kernels"
    try:
        folder = kernels / re.sub(r"[^\w.]+", "_", module) / _sources.fingerprint(Path(file).absolute())
        is_new = not folder.is_dir()
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:
        return None  # no writable cache, or no source: numba falls back on its own choice, and everything still works
    if is_new:
        with suppress(OSError):
            _tidy(kernels)
    return str(folder)


@functools.cache  # once in a process is enough
def _tidy(kernels: Path) -> None:
    """Remove what earlier versions left. Other processes may do the same: what has gone meanwhile is no fault."""
    now = time.time()
    for folder in kernels.iterdir():
        if _OLD_LAYOUT.fullmatch(folder.name):
            _remove(folder, now - _IN_USE)
        elif folder.is_dir():
            versions = sorted(folder.iterdir(), key=_last_use, reverse=True)
            for place, version in enumerate(versions):
                _remove(version, now - (_FORGOTTEN if place < _KEPT_FOLDERS else _IN_USE))


def _remove(folder: Path, unless_used_since: float) -> None:
    if _last_use(folder) < unless_used_since:
        shutil.rmtree(folder, ignore_errors=True)


def _last_use(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:
        return time.time()  # another process has just removed it: no need to


_PATIENCE = 300.0  # seconds to wait for another process that compiles the same kernel, before compiling it here
_LOOK = 0.05  # seconds between two looks whether it is done

_prepared: list[str] = []  # innermost last; numba compiles in one thread at a time


def being_prepared() -> tuple[str, ...]:
    """The kernels that this process is compiling now, or waiting for, by name; the last is needed by the others."""
    return tuple(_prepared)


def _only_here(file: IO[bytes]) -> bool:
    """Lock an open file, waiting for whoever has it; whether it could be had. The lock ends with its process."""
    try:
        import fcntl
    except ImportError:  # Windows: each process compiles for itself
        return False
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                return False
            time.sleep(_LOOK)
        except OSError:
            return False  # a file system without locks
        else:
            return True


class _Shared:
    """Numba's cache of one kernel, which locks the kernel where it is not there yet, until it is compiled."""

    def __init__(self, cache: Any, function: Callable[..., Any]) -> None:
        self._cache = cache
        self._name = function.__qualname__
        self._file = re.sub(r"[^\w.]+", "_", self._name) + f"-{function.__code__.co_firstlineno}.lock"
        self._lock: IO[bytes] | None = None
        self._depth = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """What is kept of the kernel for these types; None where it must be compiled, which is then ours to do."""
        found = self._cache.load_overload(signature, context)
        if found is None and self._lock is None:
            _prepared.append(self._name)
            with suppress(OSError):  # no folder to write to: nothing is shared
                folder = Path(self._cache.cache_path)
                folder.mkdir(parents=True, exist_ok=True)
                self._lock = (folder / self._file).open("ab")
                _only_here(self._lock)
            found = self._cache.load_overload(signature, context)
        return found

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep it. Where that cannot be done it is compiled again by the next process, and all else is as usual."""
        with suppress(OSError):
            self._cache.save_overload(signature, compiled)

    def compile_with(self, compile_it: Callable[[Any], Any], signature: Any) -> Any:
        """Numba's compiling (or loading), after which the kernel is free again."""
        with global_compiler_lock, uncollected():  # the lock is numba's own, which it takes first of all
            prepared = len(_prepared)
            self._depth += 1
            try:
                return compile_it(signature)
            finally:
                self._depth -= 1
                del _prepared[prepared:]
                if not self._depth and self._lock is not None:
                    self._lock.close()
                    self._lock = None


def _share(dispatcher: Any) -> None:
    """Let one process compile a kernel for all that need it."""
    dispatcher._cache = _Shared(dispatcher._cache, dispatcher.py_func)
    dispatcher.compile = functools.partial(dispatcher._cache.compile_with, dispatcher.compile)


_compiling = threading.Lock()


def _kept(function: _F, **options: Any) -> _F:
    """Compile on first call and keep the result. Numba asks where to keep it now, of one setting for everybody."""
    with _compiling:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = _folder(function.__code__.co_filename, function.__module__) or before
        try:
            compiled = numba.njit(cache=True, nogil=True, no_cfunc_wrapper=True, **options)(function)
        finally:
            numba.config.CACHE_DIR = before
    _share(compiled)
    return cast(_F, compiled)


def kernel(function: _F) -> _F:
    """Compile with numba on first call and keep the result for later runs. Releases the interpreter lock."""
    return _kept(function)


def tight(function: _F) -> _F:
    """Compile like `kernel` a function that allocates nothing.

    Numba counts references to every array that is handed to a helper, even to an inlined one; in a loop of a few dozen
    nanoseconds that is half the time. Without its run-time (`_nrt`) there is nothing to count: arrays are borrowed.
    """
    return _kept(function, _nrt=False)


def summing(function: _F) -> _F:
    """Compile like `tight` a loop that sums or compares numbers, none of them NaN, in whatever order is fastest.

    A processor adds several at a time. Where the order must not matter, sum numbers whose sums are exact.
    """
    return _kept(function, _nrt=False, fastmath={"reassoc", "nnan", "nsz"})


class _Helper(Part):
    """A function for kernels with no machine code of its own; called from Python, it gets some."""

    compiler = IntoCallers

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Numba asks for code for these types, and for the numbers themselves where they are written in the call."""
        args = tuple(map(types.unliteral, args))  # one for all: LLVM sees the numbers later
        return super().get_call_template(args, {name: types.unliteral(kind) for name, kind in kws.items()})

    def __call__(self, *args: Any) -> Any:
        return self._alone(*args)

    @functools.cached_property
    def _alone(self) -> Any:
        return _kept(self.py_func)


def _help(function: _F, **options: Any) -> _F:
    # All else as for kernels: what numba compiles of its own, as `max`, is used again where all options are the same.
    return cast(
        _F, _Helper(function, targetoptions={"nopython": True, "nogil": True, "no_cfunc_wrapper": True, **options})
    )


def helper(function: _F) -> _F:
    """A function that only kernels call: compiled into each of them, where it is optimised with the rest.

    A kernel that kernels call would be optimised and made machine code by itself first, for nobody.
    """
    return _help(function, _nrt=True)


def tight_helper(function: _F) -> _F:
    """A `helper` that allocates nothing and gives numbers, not arrays; see `tight`."""
    return _help(function, _nrt=False)


def inlined(function: _F) -> _F:
    """A `tight_helper` without a call: for what is small, or is called in one place of a loop that must be fast.

    Pasted in by LLVM, once typed and lowered; numba's own `inline="always"` does both again at every place.
    """
    return _help(function, _nrt=False, forceinline=True)
