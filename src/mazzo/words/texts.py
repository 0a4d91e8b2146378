"""Every word that is shown at a table, in one place: `en.json`. Another language is another file beside it: `it.json`.

A game outside the package brings its own (`Entry.WORDS`); it cannot change ours.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mazzo.confidence import LEVEL
from mazzo.games import FOLDERS, entries

__all__ = ["LANGUAGES", "catalogue", "preferred", "speaking", "spoken_language", "text"]

_FOLDER = Path(__file__).parent
LANGUAGES = tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


_PLACE = re.compile(r"\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}")
"""`{name}`, or a word that depends on a number: `{hands:hand|hands}`."""


@cache
def _file(language: str) -> Mapping[str, str]:
    text = (_FOLDER / f"{language}.json").read_text(encoding="utf-8")
    words: dict[str, str] = json.loads(text.replace("{confidence}", LEVEL))  # everywhere the same, so it is filled in
    return words


def _of_games(language: str) -> Mapping[str, str]:
    """What games outside the package bring along."""
    return _brought(language, os.environ.get(FOLDERS, ""))


@cache  # every line at every table asks for them
def _brought(language: str, folders: str) -> Mapping[str, str]:
    words: dict[str, str] = {}
    for entry in entries():
        words |= getattr(entry, "WORDS", {}).get(language, {})
    return words


_spoken: ContextVar[str] = ContextVar("language", default="en")


def spoken_language() -> str:
    """The language that sentences are made in here and now: English, unless somebody else is spoken to."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Make sentences in a language, in this thread or task."""
    before = _spoken.set(language if language in LANGUAGES else "en")
    try:
        yield
    finally:
        _spoken.reset(before)


def preferred(accepted: str) -> str:
    """The language to speak to a browser that accepts these (`it-IT,it;q=0.9,en;q=0.5`); English if we know none."""
    wanted: list[tuple[float, str]] = []
    for part in accepted[:500].split(","):
        name, _, weight = part.strip().partition(";q=")
        try:
            wanted.append((-float(weight or 1), name.partition("-")[0].lower()))
        except ValueError:
            continue
    known = [name for weight, name in sorted(wanted, key=lambda w: w[0]) if weight < 0 and name in LANGUAGES]
    return known[0] if known else "en"


def catalogue(language: str | None = None) -> Mapping[str, str]:
    """The sentences of a language by key, with places to fill in: `{name} folds`, `{n} {n:hand|hands}`."""
    return _all_words(language or spoken_language(), os.environ.get(FOLDERS, ""))


@cache
def _all_words(language: str, folders: str) -> Mapping[str, str]:
    return MappingProxyType({**_of_games("en"), **_of_games(language), **_file(language)})


def text(key: str, values: Mapping[str, Any] | None = None, language: str | None = None) -> str:
    """A sentence; one that no language here has words for shows its key, so that the gap is seen.

    Every place is filled once, so that whatever a name holds is text: a player may be called `{amount}`.
    """
    given, chosen = values or {}, language or spoken_language()

    def filled(place: re.Match[str]) -> str:
        name, one, many = place.groups()
        if name not in given:
            return place[0]
        if one is None:
            return str(given[name])
        return one if str(given[name]) == "1" else many

    words = _file(chosen).get(key) or _of_games(chosen).get(key) or _of_games("en").get(key, key)
    return _PLACE.sub(filled, words)
