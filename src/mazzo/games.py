"""The games Mazzo knows. A new game is a new folder with an `entry` module, and one line here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from mazzo.agent import Catalogue
from mazzo.arena.match import Playable
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.seated import Replays, Seating

__all__ = ["ENTRIES", "Entry", "GameSummary", "entries", "find_contest"]

ENTRIES = ("mazzo.holdem.entry", "mazzo.blackjack.entry", "mazzo.tressette.entry")
"""Where each game's entry is."""


@dataclass(frozen=True)
class GameSummary:
    """A game in a list."""

    name: str
    players: str
    what: str


class Entry(Protocol):
    """What a game's `entry` module offers to the parts that know no game."""

    NAME: str
    AGENTS: Catalogue

    def games(self) -> Sequence[GameSummary]:
        """What can be played."""

    def contest(self, name: str) -> Playable | None:
        """How the arena plays a game of this name; None if it is not one of this entry's.

        Raises UnreadableError for a game that agents do not play against each other.
        """

    def seating(self) -> Seating:
        """How people and agents play it at a table."""

    def replays(self) -> Replays:
        """How what was played is read from files and shown again."""


def entries() -> list[Entry]:
    """All games' entries."""
    return [cast(Entry, import_module(where)) for where in ENTRIES]


def find_contest(name: str, allow_cheats: bool = False) -> tuple[Playable, Catalogue]:
    """How the arena plays the game of this name, and who can play it: those that see all cards only if allowed."""
    for entry in entries():
        found = entry.contest(name)
        if found is not None:
            cheats: Catalogue = getattr(entry, "CHEATS", {}) if allow_cheats else {}
            return found, {**entry.AGENTS, **cheats}
    known = [game.name for entry in entries() for game in entry.games()]
    raise UnreadableError(f"there is no game {name!r}; {did_you_mean(name, known)} (or give the path of a .game file)")
