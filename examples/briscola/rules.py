"""What can be set at briscola."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mazzo.errors import UnreadableError

__all__ = ["PRESETS", "Rules"]


@dataclass(frozen=True)
class Rules:
    """The rules of a game of briscola for two."""

    hand: int = 3
    """The cards held; players draw up to them as long as there is a stock."""

    def __post_init__(self) -> None:
        if not 1 <= self.hand <= 10:
            raise UnreadableError(f"players of briscola hold 1 to 10 cards, not {self.hand}")


PRESETS: Mapping[str, Rules] = {"briscola": Rules(), "briscola-5": Rules(hand=5)}
"""The usual game, and one with five cards in hand."""
