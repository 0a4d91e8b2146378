"""What a study gives: figures of a text beside ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Row", "Verdict", "verdict"]

Verdict = Literal["agrees", "differs", "undecided", "added", "not done"]
"""undecided: too few trials to say; added: the text has no such figure."""


@dataclass(frozen=True)
class Row:
    """One figure of the text beside ours."""

    what: str
    text: str
    ours: str
    interval: str
    """95 %, where ours is sampled."""
    verdict: Verdict
    why: str


def verdict(agrees: bool) -> Verdict:
    """Whether a figure of the text and ours agree."""
    return "agrees" if agrees else "differs"
