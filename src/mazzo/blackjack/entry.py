"""Blackjack as the parts that know no game see it."""

from __future__ import annotations

from collections.abc import Sequence

from mazzo.blackjack.agents import AGENTS
from mazzo.errors import UnreadableError
from mazzo.games import GameSummary
from mazzo.seated import Replays, Seating

__all__ = ["AGENTS", "NAME", "contest", "games", "replays", "seating"]

NAME = "blackjack"


def games() -> Sequence[GameSummary]:
    """One game; its rules are options of its commands."""
    return [GameSummary("blackjack", "1", "any casino's rules: mazzo blackjack, mazzo play blackjack")]


def contest(name: str) -> None:
    """Nobody plays blackjack against another agent, only against the house."""
    if name == "blackjack":
        raise UnreadableError(
            "blackjack is played against the house, not against agents: see mazzo blackjack simulate --help"
        )


def seating() -> Seating:
    """How blackjack is played at a table."""
    from mazzo.blackjack import seated

    return Seating(seated.BlackjackTable, seated.FIELDS, seated.LEAST_SEATS, seated.MOST_SEATS, seated.ADVISERS)


def replays() -> Replays:
    """How rounds that were played are shown again."""
    from mazzo.blackjack import replay

    return Replays(replay.read, replay.replay)
