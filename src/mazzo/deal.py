"""One hand or round that a person holds: see what is legal, act, take back, print, read again, compare.

Every game's `Hand` or `Round` is a `Deal`. It is a view of one row of the game's `Table`, which knows the rules; here
is what all games share. Its text has one shape: parts separated by `;`, each begun by a word.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence, Sized
from operator import index
from typing import Any, ClassVar, Self

from mazzo.agent import Agent
from mazzo.cards import Card
from mazzo.document import Section, Shown
from mazzo.errors import IllegalError, UnreadableError, did_you_mean

__all__ = ["MOST_KEY", "Choices", "Deal", "Legal", "read_key", "read_parts", "whole_number"]

MOST_KEY = 2**64 - 1
"""The largest random key."""


class Legal(Shown, Sized, Iterable[int], Container[Any]):
    """The legal actions of the seat to act: iterates over their numbers, is sized, answers `in`, prints in words."""

    @abstractmethod
    def number(self, text: str) -> int | None:
        """The number of a legal action from its text; None if the text is not one of them."""

    @abstractmethod
    def __str__(self) -> str:
        """All of them in words; empty when there are none."""

    def section(self) -> Section:
        """All of them in words."""
        return Section("Legal", [str(self) or "nothing: nobody is to act"])

    def __repr__(self) -> str:
        return f"<legal: {self}>"


class Choices(Legal):
    """Legal actions that can be listed: each a word and a number."""

    def __init__(self, by_text: Mapping[str, int]) -> None:
        self.by_text = dict(by_text)

    def __iter__(self) -> Iterator[int]:
        return iter(self.by_text.values())

    def __len__(self) -> int:
        return len(self.by_text)

    def __contains__(self, action: object) -> bool:
        return action in self.by_text if isinstance(action, str) else action in self.by_text.values()

    def number(self, text: str) -> int | None:
        """The number of a choice."""
        return self.by_text.get(text.strip().lower(), self.by_text.get(text.strip()))

    def __str__(self) -> str:
        return ", ".join(self.by_text)


class Deal(Shown, ABC):
    """A hand or round of one game. Seats count from 0."""

    rules: Any
    """The game's `Rules`."""
    names: Sequence[str]
    """The players by seat."""
    number: int = 0
    """Which deal of its seed or match it is."""
    what: ClassVar[str] = "hand"
    """What a deal of this game is called."""

    # ---- what each game says

    @property
    @abstractmethod
    def turn(self) -> int | None:
        """The seat to act; None when it is over."""

    @property
    @abstractmethod
    def history(self) -> tuple[int, ...]:
        """The actions so far, by number."""

    @property
    @abstractmethod
    def legal(self) -> Legal:
        """What the seat to act may do; nothing when it is over."""

    @property
    @abstractmethod
    def payoffs(self) -> tuple[float, ...]:
        """What each seat won or lost; IllegalError with the reason while that is not decided."""

    @abstractmethod
    def observe(self, seat: int | None = None) -> Any:
        """What a seat sees, as agents take it: a batch of one. By default the seat to act."""

    @abstractmethod
    def seen(self, seat: int | None = None) -> Self:
        """The same deal without what a seat may not know; by default the seat to act, when it is over nobody's."""

    def redealt(self, seat: int, seed: int = 0) -> Self:
        """The same deal with all that a seat may not know dealt anew, so that what it has seen stays as it is."""
        raise NotImplementedError(f"{type(self).__name__} cannot deal hidden cards anew: it needs `redealt`")

    @abstractmethod
    def text(self) -> str:
        """All of it in one line, hidden cards included."""

    @classmethod
    @abstractmethod
    def parse(cls, text: str, rules: Any = None) -> Self:
        """A deal from its text (`text()` or `str`); cards that the text does not show stay unknown."""

    @abstractmethod
    def read_action(self, text: str) -> int:
        """The number of an action from its text, legal or not; UnreadableError if it is no action of this game."""

    @abstractmethod
    def action_text(self, action: int) -> str:
        """An action as it is written."""

    @abstractmethod
    def _why_not(self, action: int) -> str:
        """The reason alone why the seat to act may not do this; empty if it may. The deal is not over."""

    @abstractmethod
    def _carry_out(self, action: int) -> None:
        """Do what is legal."""

    @abstractmethod
    def _begin_again(self) -> None:
        """Go back to the moment after the deal, with the same cards."""

    @abstractmethod
    def _dealt(self) -> object:
        """What makes two deals of the same rules and actions different: the cards dealt to seats, the chips."""

    # ---- what follows from it

    @property
    def over(self) -> bool:
        """True when nobody is to act any more."""
        return self.turn is None

    def _number_of(self, action: int | str | Card) -> int:
        return self.read_action(str(action)) if isinstance(action, str | Card) else int(action)

    def why_not(self, action: int | str | Card) -> str:
        """Why an action is not legal here, in words that quote it and say where the game stands; empty if it is."""
        number = self._number_of(action)
        if self.over:
            return f"the {self.what} is over: {self}"
        reason = self._why_not(number)
        if not reason:
            return ""
        given = action if isinstance(action, str) else self.action_text(number)
        return f"{given} is not legal for {self.names[self.turn or 0]}: {reason} (legal: {self.legal}; {self})"

    def act(self, action: int | str | Card | Agent[Any]) -> Self:
        """Carry out an action, by number or text, or the one that an agent chooses. Returns this deal."""
        if isinstance(action, Agent):
            if self.over:
                raise IllegalError(f"the {self.what} is over: {self}")
            seen = self.observe()
            action.check_observes(seen)
            return self.act(int(action.decide(seen)[0]))
        number = self._number_of(action)
        reason = self.why_not(number if not isinstance(action, str) else action)
        if reason:
            raise IllegalError(reason)
        self._carry_out(number)
        return self

    def undo(self, actions: int = 1) -> Self:
        """Take back the last action, or the last few. Returns this deal."""
        done = self.history
        if not 0 <= actions <= len(done):
            raise IllegalError(f"cannot take back {actions} actions: {len(done)} have been taken in {self}")
        self._begin_again()
        for action in done[: len(done) - actions]:
            self._carry_out(action)
        return self

    def __str__(self) -> str:
        return self.seen().text()

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Deal) or type(self) is not type(other):
            return NotImplemented
        return bool(self.rules == other.rules and self.history == other.history and self._dealt() == other._dealt())

    __hash__ = None  # type: ignore[assignment]  # a deal changes as it is played


def read_parts(text: str, words: Collection[str]) -> dict[str, str]:
    """`"south As 2d; lead east"` as `{"south": "As 2d", "lead": "east"}`; each part begins with one of `words`."""
    parts: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        word, _, rest = part.partition(" ")
        word = word.lower().rstrip(":")
        if word not in words:
            raise UnreadableError(
                f"cannot read {part!r}: parts are separated by ; and begin with a word; {did_you_mean(word, words)}"
            )
        if word in parts:
            raise UnreadableError(f"duplicate part {word!r} in {text!r}")
        parts[word] = rest.strip()
    return parts


def whole_number(given: Any, what: str, least: int | None = 0, most: int | None = None) -> int:
    """A whole number within its bounds, from whatever was given; `what` names it in the error."""
    try:
        number = index(given)
    except TypeError:
        number = None
    low, high = least is None or (number or 0) >= least, most is None or (number or 0) <= most
    if number is None or isinstance(given, bool) or not (low and high):
        ends = f" from {least}" * (least is not None) + f" to {most}" * (most is not None)
        raise UnreadableError(f"{what} must be a whole number{ends}, got {given!r}")
    return number


def read_key(word: str, text: str) -> int:
    """A random key as texts write it: at most 16 hexadecimal digits."""
    if not word or len(word) > 16 or word.strip("0123456789abcdef"):
        raise UnreadableError(f"cannot read {text!r}: {word[:40]!r} is not the key of 16 hexadecimal digits")
    return int(word, 16)
