"""The errors a user can act on. Each says what was wrong, where, and what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["AmbiguousError", "IllegalError", "MazzoError", "UnreadableError", "did_you_mean"]


class MazzoError(ValueError):
    """What was asked cannot be done; the message says why and what would be right."""


class UnreadableError(MazzoError):
    """The text or file given is not what it should be."""


class IllegalError(MazzoError):
    """The text is readable, but the rules of the game do not allow it here."""


class AmbiguousError(MazzoError):
    """The text could mean more than one thing."""


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """A closing sentence: the nearest known name if there is one, else all of them."""
    names = sorted(known)
    near = get_close_matches(given, names, n=1, cutoff=0.6)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"known: {', '.join(names)}" if names else "none are known"
