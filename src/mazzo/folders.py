"""Where Mazzo keeps things on this machine."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

__all__ = ["cache_directory", "data_directory"]


def cache_directory() -> Path:
    """Where Mazzo keeps what it can rebuild: compiled kernels and tables. `MAZZO_CACHE` moves it."""
    given = os.environ.get("MAZZO_CACHE")
    if given:
        return Path(given).expanduser()
    return _usual_cache(os.environ.get("XDG_CACHE_HOME"), os.environ.get("HOME"))


@cache  # it is asked for at every equity, and to work it out takes as long as to look one up
def _usual_cache(*environment: str | None) -> Path:
    return user_cache_path("mazzo", appauthor=False)


def data_directory() -> Path:
    """Where sessions, tables and scores are kept. `MAZZO_DATA` moves it."""
    given = os.environ.get("MAZZO_DATA")
    return Path(given).expanduser() if given else user_data_path("mazzo", appauthor=False)
