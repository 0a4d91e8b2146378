"""What a study gives: figures of a text beside ours."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Row"]


@dataclass(frozen=True)
class Row:
    """One figure of the text beside ours."""

    what: str
    text: str
    ours: str
    interval: str
    """95 %, where ours is sampled."""
    verdict: str
    why: str
