"""How kernels are compiled: with numba, once, and kept between runs.

Numba keeps a compiled kernel beside its source and trusts it as long as *that* file is unchanged, although the
kernel may have inlined helpers from other files. So that an upgrade can never run stale code, compiled kernels are
kept in the user's cache directory under a name made from the text of every file that holds a kernel.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from platformdirs import user_cache_path

__all__ = ["cache_directory", "inlined", "kernel", "tight"]

_F = TypeVar("_F", bound=Callable[..., Any])
_KEPT_CACHES = 16


def cache_directory() -> Path:
    """Where Mazzo keeps what it can rebuild: compiled kernels and tables. `MAZZO_CACHE` moves it."""
    given = os.environ.get("MAZZO_CACHE")
    return Path(given).expanduser() if given else user_cache_path("mazzo", appauthor=False)


def _fingerprint() -> str:
    digest = hashlib.blake2b(numba.__version__.encode(), digest_size=10)
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        text = path.read_bytes()
        if b"mazzo.jit import" in text:
            digest.update(text)
    return digest.hexdigest()


def _use_own_cache() -> None:
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    kernels = cache_directory() / "kernels"
    mine = kernels / _fingerprint()
    try:
        mine.mkdir(parents=True, exist_ok=True)
        os.utime(mine)
        others = sorted((p for p in kernels.iterdir() if p != mine), key=lambda p: p.stat().st_mtime)
        for stale in others[: -_KEPT_CACHES or None]:
            shutil.rmtree(stale, ignore_errors=True)
    except OSError:
        return  # no writable cache: numba falls back on its own choice, and everything still works
    numba.config.CACHE_DIR = str(mine)


_use_own_cache()


def kernel(function: _F) -> _F:
    """Compile with numba on first call and keep the result for later runs. Releases the interpreter lock."""
    return cast(_F, numba.njit(cache=True, nogil=True)(function))


def tight(function: _F) -> _F:
    """Compile like `kernel` a function that allocates nothing.

    Numba counts references to every array that is handed to a helper, even to an inlined one; in a loop of a few dozen
    nanoseconds that is half the time. Without its run-time (`_nrt`) there is nothing to count: arrays are borrowed.
    """
    return cast(_F, numba.njit(cache=True, nogil=True, _nrt=False)(function))


def inlined(function: _F) -> _F:
    """A helper pasted into the kernels that call it."""
    return cast(_F, numba.njit(inline="always")(function))
