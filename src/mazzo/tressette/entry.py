"""Tressette as the parts that know no game see it."""

from __future__ import annotations

from collections.abc import Sequence

from mazzo.games import GameSummary
from mazzo.seated import Replays, Seating
from mazzo.tressette.agents import AGENTS, CHEATS
from mazzo.tressette.match import TressetteMatch

__all__ = ["AGENTS", "CHEATS", "NAME", "contest", "games", "replays", "seating"]

NAME = "tressette"


def games() -> Sequence[GameSummary]:
    """One game, and its variant with signals."""
    return [
        GameSummary("tressette", "4 in pairs", "ten cards each, declarations, no talking"),
        GameSummary("tressette-talk", "4 in pairs", "the same with signals: busso, striscio, volo"),
    ]


def contest(name: str) -> TressetteMatch | None:
    """A match between two agents, each holding a pair of seats."""
    return TressetteMatch(talk=name == "tressette-talk") if name in ("tressette", "tressette-talk") else None


def seating() -> Seating:
    """How tressette is played at a table."""
    from mazzo.tressette import seated

    return Seating(seated.TressetteTable, seated.FIELDS, seated.LEAST_SEATS, seated.MOST_SEATS, seated.ADVISERS)


def replays() -> Replays:
    """How rounds that were played are shown again."""
    from mazzo.tressette import replay

    return Replays(replay.read, replay.replay)
