"""Every word the browser shows, in one place: `texts/en.json`. Another language is another file beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["LANGUAGES", "catalogue", "text"]

_FOLDER = Path(__file__).parent / "texts"
LANGUAGES = tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


@cache
def catalogue(language: str = "en") -> Mapping[str, str]:
    """The sentences of a language by key, with places to fill in: `{name} folds`."""
    words: dict[str, str] = json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return words


def text(key: str, values: Mapping[str, Any] | None = None, language: str = "en") -> str:
    """A sentence; one without words in this language shows its key, so that the gap is seen."""
    words = catalogue(language).get(key, key)
    for name, value in (values or {}).items():
        words = words.replace(f"{{{name}}}", str(value))
    return words
