"""The games Mazzo knows. A new game is a new folder with an `entry` module, and one line here.

A game outside the package is found without a line here: an installed package names its entry module under the entry
point group `mazzo.games`, and the environment variable `MAZZO_GAMES` names folders that hold an `entry.py`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Catalogue
from mazzo.deal import Deal
from mazzo.document import Run, Section
from mazzo.errors import AmbiguousError, IllegalError, UnreadableError, did_you_mean
from mazzo.registry import Registry
from mazzo.seated import Replays, Seating

if TYPE_CHECKING:
    from mazzo.lockstep import Lockstep

__all__ = [
    "ENTRIES",
    "Entry",
    "GameSummary",
    "LuckFree",
    "Playable",
    "entries",
    "find_contest",
    "find_decision",
    "find_entry",
    "find_rules",
    "situation",
]

ENTRIES = ("mazzo.holdem.entry", "mazzo.blackjack.entry", "mazzo.tressette.entry")
"""Where each game's entry is."""
FOLDERS = "MAZZO_GAMES"
"""The environment variable with the folders of games outside the package."""


@dataclass(frozen=True)
class GameSummary:
    """A game in a list."""

    name: str
    players: str
    what: str


class Playable(Protocol):
    """A game as the arena sees it."""

    @property
    def unit(self) -> str:
        """What results are counted in, as a JSON key: `bb_per_hand`."""

    @property
    def seats(self) -> int:
        """How many agents play."""

    @property
    def plays_per_deal(self) -> int:
        """How often each deal is played with the seats exchanged."""

    def play(
        self, agents: Sequence[Any], deals: range, seed: int, log: bool = False
    ) -> tuple[NDArray[np.float64], list[str]]:
        """Results by (deal, agent), each the mean over the deal's plays, and what was played as text if wanted."""


class LuckFree(Protocol):
    """A match whose luck is taken out as it is played: what `without_luck` of a game gives, where it has that."""

    @property
    def kinds(self) -> Sequence[str]:
        """The estimates by name; the first is what was paid."""

    @property
    def known(self) -> Sequence[bool]:
        """By agent whether its policy is known exactly."""

    @property
    def value(self) -> str:
        """What states are taken to be worth, by name."""

    @property
    def plays_at_once(self) -> int:
        """Plays that are one piece of work."""

    def play(
        self, agents: Sequence[Any], deals: range, seed: int, log: bool = False
    ) -> tuple[NDArray[np.float64], list[str], NDArray[np.float64]]:
        """As `Playable.play`, and what the first agent won by (deal, play, estimate)."""


class Entry(Protocol):
    """What a game's `entry` module offers to the parts that know no game."""

    NAME: str
    AGENTS: Catalogue

    def games(self) -> Sequence[GameSummary]:
        """What can be played."""

    WORDS: Mapping[str, Mapping[str, str]]
    """What a table says, by language and key, where that is not in the package's file of words; may be missing."""

    SECTIONS: Registry[Callable[[Run], Section]]
    """What reports say of the game's runs, by the words of their command; may be missing."""

    def contest(self, name: Any) -> Playable | None:
        """How the arena plays a game of this name, or by these rules; None if it is not one of this entry's.

        Raises UnreadableError for a game that agents do not play against each other.
        """

    def rules(self, text: str) -> Any | None:
        """The rules that a game's name or file stands for; None if it is not one of this entry's."""

    def knows(self, text: str) -> bool:
        """Whether a text looks like a hand or round of this game, well written or not."""

    def parse(self, text: str, rules: Any = None) -> Deal:
        """A hand or round from its text.

        Raises UnreadableError where it is none, AmbiguousError where the text leaves open what rules it is played by.
        """

    ZERO_SUM: bool
    """Whether what some win is what the others lose; may be missing: it is not."""

    def deal(self, rules: Any, seed: int = 0, number: int = 0) -> Deal:
        """Deal `number` of a seed."""

    def table(self, rules: Any, deals: range, seed: int = 0) -> Lockstep:
        """The deals of these numbers at once: row k plays `deal(rules, seed, deals[k])`, player s at seat s."""

    def observe(self, deal: Deal) -> Any:
        """What the seat to act sees; UnreadableError where the text of the deal did not show it."""

    def seating(self) -> Seating:
        """How people and agents play it at a table."""

    def replays(self) -> Replays:
        """How what was played is read from files and shown again."""


def entries() -> list[Entry]:
    """All games' entries: ours, those of installed packages, those of folders that the environment names."""
    return list(_entries())


def _entries(first: str = "") -> Iterator[Entry]:
    """The entries, each imported when it is asked for; the game of ours that a name begins with comes first."""
    folders = [_module_in(folder) for folder in os.environ.get(FOLDERS, "").split(os.pathsep) if folder]
    for where in sorted(ENTRIES, key=lambda where: not first.startswith(where.split(".")[-2])):
        yield cast(Entry, import_module(where))
    for where in (*_installed(), *folders):
        yield cast(Entry, import_module(where))


@cache  # to look through all that is installed takes longer than the rest of a start
def _installed() -> tuple[str, ...]:
    return tuple(sorted({point.value for point in entry_points(group="mazzo.games")}))


def _module_in(folder: str) -> str:
    """The entry module of a game's folder, which is made importable by its own name."""
    path = Path(folder).absolute()
    if not (path / "entry.py").is_file():
        raise UnreadableError(f"{FOLDERS} names {folder!r}, but there is no entry.py of a game in it")
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    return f"{path.name}.entry"


def find_entry(name: str) -> Entry:
    """A game's entry by the name of the game."""
    for entry in _entries(name):
        if name == entry.NAME:
            return entry
    shown = name[:40]
    raise UnreadableError(f"there is no game {shown!r}; {did_you_mean(shown, [e.NAME for e in entries()])}")


def find_rules(name: str) -> tuple[Entry, Any]:
    """The rules that a name (a game, a variant of one, a file) stands for, and whose they are."""
    for entry in _entries(name):
        found = entry.rules(name)
        if found is not None:
            return entry, found
    known = {game.name for entry in entries() for game in entry.games()} | {entry.NAME for entry in entries()}
    raise UnreadableError(f"there is no game {name!r}; {did_you_mean(name, known)} (or give the path of a .game file)")


def find_decision(text: str, game: str | None = None, number: int | None = None) -> tuple[Entry, Deal, Any]:
    """A decision in a hand or round given as text: whose game it is, the deal as it stood, and what was seen.

    Args:
        text: The hand or round.
        game: What is played; by default what the text looks like.
        number: Which decision of it, from 1; by default the one that is to be taken now.
    """
    if game is not None:
        entry, rules = find_rules(game)
    else:
        entry, rules = _entry_of_text(text), None
    return (entry, *_decision(entry, text, rules, number))


def situation(agent: Agent[Any], given: str | Deal) -> tuple[Deal, Any]:
    """A hand or round, or the text of one, as an agent is asked about it: the deal, and what is seen at the decision.

    Refused where the agent does not play that game, or not by its rules.
    """
    if isinstance(given, str):
        own = next((entry for entry in entries() if _plays(agent, entry)), None)
        known = own is not None and not any(entry.knows(given) for entry in entries() if entry is not own)
        deal, seen = _decision(own if own is not None and known else _entry_of_text(given), given, None, None)
    elif given.over:
        raise IllegalError(f"the {given.what} is over: {given}")
    else:
        deal, seen = given, given.observe()
    agent.check_observes(seen)
    if reason := agent.unsupported_reason(deal.rules):
        named = agent.name or type(agent).__name__
        raise UnreadableError(f"agent {named!r} cannot play {getattr(deal.rules, 'name', 'this game')}: {reason}")
    return deal, seen


def _plays(agent: Agent[Any], entry: Entry) -> bool:
    """Whether an agent's observations are those of an entry's game: their modules lie in one folder."""
    folder = getattr(entry, "__name__", "").rpartition(".")[0]
    return agent.observes is not None and bool(folder) and agent.observes.__module__.startswith(f"{folder}.")


def _decision(entry: Entry, text: str, rules: Any, number: int | None) -> tuple[Deal, Any]:
    deal = entry.parse(text, rules)
    done = len(deal.history)
    last = done if deal.over else done + 1
    if last == 0:
        raise UnreadableError(f"there is nothing to decide in {text!r}: the {deal.what} is over as dealt")
    if number is None and deal.over:
        raise UnreadableError(f"the {deal.what} is over in {text!r}: which decision of it? --decision 1 to {done}")
    number = last if number is None else number
    if not 1 <= number <= last:
        raise UnreadableError(f"there is no decision {number} in {text!r}: it has 1 to {last}")
    deal.undo(done - number + 1)
    return deal, entry.observe(deal)


def _entry_of_text(text: str) -> Entry:
    found = [entry for entry in entries() if entry.knows(text)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(entry.NAME for entry in found or entries())
    raise AmbiguousError(f"{text!r} does not say what game it is of: name it with --game ({names})")


def find_contest(given: str | Playable | Any) -> tuple[Playable, Catalogue]:
    """How the arena plays the game of this name or by these rules, and who can play it.

    What the arena plays already is given back as it is, without names of agents.
    """
    if not isinstance(given, str) and hasattr(given, "play"):
        return given, Catalogue("agent")
    name = given if isinstance(given, str) else type(given).__name__
    for entry in _entries(name):
        found = entry.contest(given)
        if found is not None:
            return found, entry.AGENTS
    known = [game.name for entry in entries() for game in entry.games()]
    raise UnreadableError(f"there is no game {name!r}; {did_you_mean(name, known)} (or give the path of a .game file)")
