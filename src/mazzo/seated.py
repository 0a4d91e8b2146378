"""A game as a table of people and agents plays it, whatever shows the table.

A `SeatedGame` is made from its setting (plain data) and then only changes by `act`; the same setting and the same
actions give the same game. So a table is kept as its setting and its actions, and is played through again to go on.
What it shows is plain data too: `view(seat)` holds what that seat may know and nothing else, and what is said to the
table (`log`) is for everybody. Sentences are (key, values); whoever shows them has the words.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self

from mazzo.agent import Agent, Explanation
from mazzo.errors import IllegalError, UnreadableError
from mazzo.names import is_person, person_name, table_names
from mazzo.sealed import SealedDecks, seed_of

__all__ = [
    "EDITION",
    "NEXT",
    "Advice",
    "Field",
    "Frame",
    "Leave",
    "MakeAgent",
    "Question",
    "Replays",
    "Say",
    "SeatedGame",
    "Seating",
    "Wishes",
    "read_fields",
]

NEXT = "next"
"""The action that deals the next hand when one is over; any person at the table may take it."""

Say = tuple[str, dict[str, Any]]
"""A sentence: the key of its words, and what is put into them."""

View = dict[str, Any]

Wishes = Mapping[str, tuple[str, Callable[[int], Sequence[Say]]]]
"""By what is typed: the key of the words for it, and what a seat is told."""

MakeAgent = Callable[[str], Agent[Any]]
"""Makes an agent of its name, or refuses it."""


class Leave(Exception):  # noqa: N818  # leaving a table is no error
    """A person leaves the table."""


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


EDITION = 2
"""Of the games' rules. A table's file says under `edition` by which it was begun; one that does not is of the first."""


def read_fields(fields: Sequence[Field], given: Mapping[str, Any]) -> dict[str, Any]:
    """What was chosen, checked; what was not is as usual. Texts are read as forms send them."""
    known = {f.name for f in fields}
    unknown = sorted(set(given) - known - {"edition"})
    if unknown:
        raise UnreadableError(f"there is nothing called {unknown[0]!r} to choose here; known: {', '.join(known)}")
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
        except (TypeError, ValueError, OverflowError):
            raise UnreadableError(f"{f.name} is a number, not {str(value)[:40]!r}") from None
        if not f.low <= number <= f.high:
            raise UnreadableError(f"{f.name} is {_plain(f.low)} to {_plain(f.high)}, not {str(value)[:40]}")
        return number
    text = str(value)
    if len(text) > f.high:
        raise UnreadableError(f"{f.name} is at most {_plain(f.high)} characters long")
    return text


def _plain(number: float) -> str:
    """A bound as people write it: 10,000,000, not 1e+07."""
    return f"{int(number):,}" if number == int(number) else f"{number:g}"


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
    """The largest of the plays'."""
    errors: Mapping[str, float] = field(default_factory=dict)
    """By action the standard error of its worth, where it is known."""
    difference_errors: Mapping[str, float] = field(default_factory=dict)
    """By action the standard error of what it gives away."""
    mistakes: Mapping[str, str] | None = None
    """By action what an adviser that weighs its errors calls it, `small`, `clear` or `grave`; what is not named is no
    mistake. None: the adviser is exact, and whatever gives something away is one."""

    def mistake(self, action: str) -> str:
        """What the adviser calls an action: empty where it is no mistake, `plain` for one that has no size."""
        if self.mistakes is not None:
            return self.mistakes.get(action, "")
        cost = self.cost(action)
        return "plain" if (cost > 1e-9 if cost is not None else action != self.explanation.action) else ""

    def cost(self, action: str) -> float | None:
        """What an action gives away against the best; None where that cannot be said."""
        return float(max(self.worth.values()) - self.worth[action]) if action in self.worth else None


class Question(Protocol):
    """A decision that an adviser can be asked about, also when the game has gone on.

    It holds what the seat to act sees and nothing else, and can be pickled: advisers think in a process of their own.
    """

    def __call__(self, adviser: str, played: str | None = None) -> Advice:
        """What the adviser of this name thinks; `played` is weighed too, where plays are without number."""


class SeatedGame(ABC):
    """One table of one game. Seats count from 0; `me` or `me:NAME` is a person, anything else an agent's name."""

    deck: str = "french"
    advisers: tuple[str, ...] = ()
    """Agents worth asking, the usual one first."""
    typing: str = "play.typing"
    """The key of the words that say what can be typed."""
    past: str = "hand"
    """What is typed to see a past hand again."""

    def __init__(self, seats: Sequence[str]) -> None:
        self.seats = tuple(seats)
        self.log: list[Say] = []
        """What was said to the table, the first `forgotten` lines left out."""
        self.forgotten = 0
        self.names = table_names(self.seats)
        """What the seats are called at the table: people by their names, agents by first names of their own."""
        self.did: dict[int, Say] = {}
        """What each seat did last, as far as it still matters, without its name."""
        self.playing: list[Agent[Any]] = []
        """The agents at the table."""
        self.decks: SealedDecks | None = None
        """Where the cards come from at a table of several people."""

    def make_agents(self, make: MakeAgent) -> dict[int, Agent[Any]]:
        """The agents by seat; `make` says who may sit down."""
        return {seat: make(name) for seat, name in enumerate(self.seats) if person_name(name) is None}

    def prepare(self) -> None:
        """Make or load what would make the agents' first decisions slow."""
        for agent in self.playing:
            agent.prepare(lambda share: None)

    @property
    def deck_number(self) -> int:
        """Which of the sealed decks is being dealt from."""
        return self.number - 1

    def opened(self, viewer: int | None) -> tuple[int, Sequence[int] | None] | None:
        """The last sealed deck that may be told of: its number, and the places a seat has seen (None: all of it)."""
        return None if self.decks is None or self.seat is not None else (self.deck_number, None)

    def rename(self, seat: int, name: str) -> None:
        """Call a person by another name from now on."""
        called = [f"me:{self.names[k]}" if is_person(who) else who for k, who in enumerate(self.seats)]
        self.names = table_names([*called[:seat], f"me:{name}", *called[seat + 1 :]])

    def identity(self, seat: int, viewer: int | None) -> dict[str, Any]:
        """Who sits there, for a view: the name, the kind, an agent's own name, and what the seat did last."""
        who = self.seats[seat]
        shown: dict[str, Any] = {"name": self.names[seat], "kind": "you" if seat == viewer else "person"}
        if person_name(who) is None:
            shown |= {"kind": "agent", "agent": who}
        return {**shown, "did": self.did[seat]} if seat in self.did else shown

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

    def open_view(self) -> View:
        """The table with all cards open, for whoever may see them."""
        return self.view(None)

    def winners(self) -> Sequence[int]:
        """The seats that have won a game that is over; none where nobody wins as a whole."""
        return ()

    def agent(self, seat: int) -> Agent[Any] | None:
        """The agent of a seat; None where a person sits."""
        agents: Mapping[int, Agent[Any]] = getattr(self, "agents", {})
        return agents.get(seat)

    def observed(self) -> Any:
        """What the seat to act sees, as its agent is asked; None where no agent is asked."""
        return None

    def reason(self) -> Explanation | None:
        """Why the agent to act plays what it plays; None where it is not asked."""
        agent = None if self.seat is None else self.agent(self.seat)
        seen = None if agent is None else self.observed()
        return None if agent is None or seen is None else agent.explain(seen)

    def give_up(self) -> str:
        """What is done for a person who does not act: the first choice offered, which costs least."""
        return str(self.view(self.seat)["choices"][0]["action"])

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

    def read(self, line: str, seat: int) -> str:
        """The action that a person typed: a choice by its key, its number or its word; legal or not is for `act`."""
        typed = line.strip().lower()
        choices = self.view(seat)["choices"]
        for choice in choices:
            if typed in (choice.get("key"), str(choice["action"]).lower()):
                return str(choice["action"])
        if typed.isascii() and typed.isdigit() and 1 <= int(typed[:6]) <= len(choices):
            return str(choices[int(typed[:6]) - 1]["action"])
        raise UnreadableError(f"{line[:40]!r} is nothing that can be done now")

    def is_out(self, seat: int) -> bool:
        """Whether a seat plays no more, as in a tournament it has lost."""
        return False

    @property
    def forced(self) -> bool:
        """Whether who is to act has nothing to decide: only one thing can be done."""
        choices = [] if self.seat is None else self.view(self.seat)["choices"]
        return len(choices) == 1 and not choices[0].get("amount") and not choices[0].get("signals")

    def wishes(self) -> Wishes:
        """What a person may ask to see that only this game has."""
        return {}

    def why_differ(self, first: tuple[str, Advice], other: tuple[str, Advice]) -> str:
        """Why two advisers, each with its name, would do different things; empty where this game cannot say."""
        return ""

    def redealt(self, viewer: int, seed: int) -> Self:
        """A copy whose hand is dealt anew as far as a seat may not know it: that seat sees no difference."""
        raise NotImplementedError(f"{type(self).__name__} cannot deal hidden cards anew: it needs `redealt`")

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

    @property
    def lines(self) -> int:
        """How many lines were said so far."""
        return self.forgotten + len(self.log)

    def forget_lines(self, keep: int) -> None:
        """Leave out old lines when twice as many are there as are to be kept: a long game takes no more memory."""
        if len(self.log) > 2 * keep:
            self.forgotten += len(self.log) - keep
            del self.log[:-keep]

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

    def __call__(
        self, seats: Sequence[str], options: Mapping[str, Any], seed: int, make: MakeAgent | None = None
    ) -> SeatedGame:
        """The table of these seats; `make` makes its agents (by default any that the game knows)."""


class SealedMaker(Protocol):
    """Opens a table whose cards come from sealed decks (`mazzo.sealed`)."""

    def __call__(
        self, seats: Sequence[str], options: Mapping[str, Any], seed: int, make: MakeAgent | None, secret: bytes
    ) -> SeatedGame:
        """The table of these seats; the decks come from its secret, all other chance from the seed."""


@dataclass(frozen=True)
class Seating:
    """How a game is played at a table: its table, and what can be chosen."""

    table: Maker
    fields: Sequence[Field]
    least: int
    most: int
    advisers: Sequence[str]
    """Who can be asked at the table, the usual one first."""
    usual: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict
    """What a new table in the browser is opened with, from what was chosen: what is usual may follow from it."""
    rules: Callable[[Mapping[str, Any], int], Any] | None = None
    """What agents are asked whether they can play (`Agent.unsupported_reason`), from what was chosen and how many sit
    down; without it they can play whatever is chosen."""
    sealed: SealedMaker | None = None
    """How a table of several people is opened; without it their deals come from a seed and cannot be checked."""
    absent: str = ""
    """The adviser that plays for a person who has left, where that is not the usual one: it must not think long."""

    def open(
        self, seats: Sequence[str], options: Mapping[str, Any], chance: int | bytes, make: MakeAgent | None = None
    ) -> SeatedGame:
        """A table by a seed, or by a secret of its own."""
        if isinstance(chance, int):
            return self.table(seats, options, chance, make)
        if self.sealed is None:
            return self.table(seats, options, seed_of(chance), make)
        return self.sealed(seats, options, seed_of(chance), make, chance)


@dataclass(frozen=True)
class Replays:
    """How what was played is shown again."""

    read: Callable[[Path], Iterator[dict[str, Any]]]
    """The records of a file, or none if the file is not one of this game's."""
    show: Callable[[Mapping[str, Any]], Sequence[Frame]]
    """A record, moment by moment; raises UnreadableError for what is no record."""
    detail: Callable[[Mapping[str, Any]], Say] = lambda record: ("text", {"text": ""})
    """What a record is told apart by in a list, besides its players."""
    dealt: Callable[[Mapping[str, Any]], Mapping[int, Collection[str]]] | None = None
    """By place in the sealed deck that a record was dealt from: the cards of which one lay there."""
    known: Callable[[Sequence[Mapping[str, Any]]], Sequence[Mapping[str, Any]]] | None = None
    """Adds to records what all of them together say of their players, for advisers that make use of it."""
    advisers: Sequence[str] = ()
    """Who can be asked about what was played, beside those of the table: here all cards may be known."""
