"""How long the dealer waits for a player; the command line takes its defaults from here."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DealerLimits"]


@dataclass(frozen=True)
class DealerLimits:
    """How long players may think, in seconds; the defaults are the competition's."""

    response: float = 600.0
    """For one answer."""
    hand: float = 600.0
    """For all answers of one hand."""
    per_hand: float = 7.0
    """On average, over the match."""
    start: float = 600.0
    """To connect and say the version."""
