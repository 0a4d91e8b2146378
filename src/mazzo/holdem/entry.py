"""Hold'em as the parts that know no game see it."""

from __future__ import annotations

from collections.abc import Sequence

from mazzo.games import GameSummary
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.game import PRESETS, Game, find_game, is_file_name
from mazzo.holdem.play import HoldemMatch
from mazzo.seated import Replays, Seating

__all__ = ["AGENTS", "NAME", "contest", "games", "replays", "seating"]

NAME = "holdem"


def _what(game: Game) -> str:
    blinds = "/".join(str(b) for b in sorted(b for b in game.blinds if b))
    stack = "" if max(game.stacks) > 10**9 else f", {max(game.stacks)} chips"
    return f"{'limit' if game.limit else 'no-limit'}, blinds {blinds}{stack}"


def games() -> Sequence[GameSummary]:
    """The presets."""
    return [GameSummary(game.name, str(game.players), _what(game)) for game in PRESETS.values()]


def contest(name: str) -> HoldemMatch | None:
    """A match at a preset or at the game of a `.game` file."""
    return HoldemMatch(find_game(name)) if name in PRESETS or is_file_name(name) else None


def seating() -> Seating:
    """How Hold'em is played at a table."""
    from mazzo.holdem import seated

    return Seating(seated.HoldemTable, seated.FIELDS, seated.LEAST_SEATS, seated.MOST_SEATS, seated.ADVISERS)


def replays() -> Replays:
    """How hands that were played are shown again."""
    from mazzo.holdem import replay

    return Replays(replay.read, replay.replay)
