"""A game as a table of people and agents plays it, whatever shows the table.

A `SeatedGame` is made from its setting (plain data) and then only changes by `act`; the same setting and the same
actions give the same game. So a table is kept as its setting and its actions, and is played through again to go on.
What it shows is plain data too: `view(seat)` holds what that seat may know and nothing else, and what is said to the
table (`log`) is for everybody. Sentences are (key, values); whoever shows them has the words.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from mazzo.agent import Agent, Explanation
from mazzo.arena.match import distinct_names
from mazzo.errors import IllegalError, UnreadableError

__all__ = [
    "NEXT",
    "Advice",
    "Field",
    "Frame",
    "Question",
    "Replays",
    "Say",
    "SeatedGame",
    "Seating",
    "person_name",
    "read_fields",
]

NEXT = "next"
"""The action that deals the next hand when one is over; any person at the table may take it."""

Say = tuple[str, dict[str, Any]]
"""A sentence: the key of its words, and what is put into them."""

View = dict[str, Any]


@dataclass(frozen=True)
class Field:
    """One thing to choose before a table is opened."""

    name: str
    default: Any
    """Its type says what kind of field it is."""
    choices: tuple[str, ...] = ()
    low: float = 0
    high: float = 0
    advanced: bool = False
    """Folded away at first."""


def read_fields(fields: Sequence[Field], given: Mapping[str, Any]) -> dict[str, Any]:
    """What was chosen, checked; what was not is as usual. Texts are read as forms send them."""
    known = {f.name for f in fields}
    strange = sorted(set(given) - known)
    if strange:
        raise UnreadableError(f"there is nothing called {strange[0]!r} to choose here; known: {', '.join(known)}")
    return {f.name: _read(f, given[f.name]) if f.name in given else f.default for f in fields}


def _read(f: Field, value: Any) -> Any:
    if f.choices:
        if str(value) not in f.choices:
            raise UnreadableError(f"{f.name} is one of {', '.join(f.choices)}, not {str(value)[:40]!r}")
        return type(f.default)(value)
    if isinstance(f.default, bool):
        if value in (True, False, "true", "false", "on"):
            return value in (True, "true", "on")
        raise UnreadableError(f"{f.name} is true or false, not {str(value)[:40]!r}")
    if isinstance(f.default, int | float):
        try:
            number = type(f.default)(value)
        except (TypeError, ValueError):
            raise UnreadableError(f"{f.name} is a number, not {str(value)[:40]!r}") from None
        if not f.low <= number <= f.high:
            raise UnreadableError(f"{f.name} is {f.low:g} to {f.high:g}, not {str(value)[:40]}")
        return number
    text = str(value)
    if len(text) > f.high:
        raise UnreadableError(f"{f.name} is at most {f.high:g} characters long")
    return text


def person_name(seat: str) -> str | None:
    """The name of the person a seat is kept for (`me:Anna`); None where an agent sits."""
    who, _, name = seat.partition(":")
    return (name or "me") if who == "me" else None


@dataclass(frozen=True)
class Advice:
    """What an adviser thinks of a decision, and what each play is worth to it."""

    explanation: Explanation
    worth: Mapping[str, float]
    """By action; empty where the adviser does not weigh plays in one unit."""
    unit: str
    """The key of the words for the unit."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """By action, as the table writes them, where that is not the action itself."""
    standard_error: float = 0.0

    def cost(self, action: str) -> float | None:
        """What an action gives away against the best; None where that cannot be said."""
        return float(max(self.worth.values()) - self.worth[action]) if action in self.worth else None


class Question(Protocol):
    """A decision that an adviser can be asked about, also when the game has gone on."""

    def __call__(self, adviser: str, played: str | None = None) -> Advice:
        """What the adviser of this name thinks; `played` is weighed too, where plays are without number."""


class SeatedGame(ABC):
    """One table of one game. Seats count from 0; `me` or `me:NAME` is a person, anything else an agent's name."""

    deck: str = "french"
    advisers: tuple[str, ...] = ()
    """Agents worth asking, the usual one first."""

    def __init__(self, seats: Sequence[str]) -> None:
        self.seats = tuple(seats)
        self.log: list[Say] = []
        self.names = distinct_names([person_name(seat) or seat for seat in self.seats])
        """What the seats are called at the table: people by their names, agents by theirs."""
        self.playing: list[Agent[Any]] = []
        """The agents at the table."""

    def prepare(self) -> None:
        """Make or load what would make the agents' first decisions slow."""
        for agent in self.playing:
            agent.prepare(lambda share: None)

    def rename(self, seat: int, name: str) -> None:
        """Call a person by another name from now on."""
        given = [*self.names[:seat], name, *self.names[seat + 1 :]]
        self.names = distinct_names(given)

    @property
    @abstractmethod
    def number(self) -> int:
        """Hands dealt so far."""

    @property
    @abstractmethod
    def seat(self) -> int | None:
        """Who is to act; None when the hand is over."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether there is no next hand."""

    @abstractmethod
    def view(self, viewer: int | None) -> View:
        """What a seat knows (None: somebody who only looks on)."""

    @abstractmethod
    def act(self, action: str) -> None:
        """Carry out an action of the seat to act, or `NEXT`; raises IllegalError with the reason."""

    @abstractmethod
    def agent_action(self) -> str:
        """What the agent to act does. Nothing changes yet."""

    @abstractmethod
    def question(self) -> Question:
        """The decision of the seat to act."""

    @abstractmethod
    def record(self, viewer: int | None) -> dict[str, Any] | None:
        """The hand that is over, as one seat knows it, for a replay; None while it is played."""

    def may(self, seat: int, action: str) -> None:
        """Raise IllegalError unless it is this seat's turn (or the next hand may be dealt)."""
        if action == NEXT:
            if self.seat is not None or self.over:
                raise IllegalError("there is no next hand yet" if not self.over else "the game is over")
            return
        if self.seat is None:
            raise IllegalError("the hand is over: deal the next one")
        if seat != self.seat:
            raise IllegalError(f"it is not your turn: {self.names[self.seat]} is to act")

    def say(self, key: str, **values: Any) -> None:
        """Tell the table something that everybody may know."""
        self.log.append((key, values))


@dataclass(frozen=True)
class Frame:
    """One moment of a replay: how the table stands, what was just said, and the decision that follows if any."""

    view: View
    said: Sequence[Say]
    action: str | None = None
    """What is done next."""
    question: Question | None = None
    """None where the cards of who is to act are not known."""


class Maker(Protocol):
    """Opens a table."""

    def __call__(self, seats: Sequence[str], options: Mapping[str, Any], seed: int) -> SeatedGame:
        """The table of these seats."""


@dataclass(frozen=True)
class Seating:
    """How a game is played at a table: its table, and what can be chosen."""

    table: Maker
    fields: Sequence[Field]
    least: int
    most: int
    advisers: Sequence[str]
    """Who can be asked at the table, the usual one first."""


@dataclass(frozen=True)
class Replays:
    """How what was played is shown again."""

    read: Callable[[Path], Iterator[dict[str, Any]]]
    """The records of a file, or none if the file is not one of this game's."""
    show: Callable[[Mapping[str, Any]], Sequence[Frame]]
    """A record, moment by moment; raises UnreadableError for what is no record."""


_MOST_LINE = 100_000


def read_records(path: Path, game: str) -> Iterator[dict[str, Any]]:
    """The records of one game in a file of JSON lines, as a table in the browser gives them away."""
    try:
        with path.open("rb") as file:
            if file.read(1) != b"{":
                return
            file.seek(0)
            while line := file.readline(_MOST_LINE):
                record = json.loads(line)
                if isinstance(record, dict) and record.get("of") == game:
                    yield record
    except OSError as wrong:
        raise UnreadableError(f"cannot read {path.name}: {wrong.strerror}") from None
    except ValueError:
        return
