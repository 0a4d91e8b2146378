"""The people at one table: who is here, who is ready, who sits out, how long each may think, who stands in for whom."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mazzo.errors import IllegalError, UnreadableError
from mazzo.seated import SeatedGame
from mazzo.words.texts import text

__all__ = ["PAUSES", "THINKING", "WATCHING", "Company", "Manners", "Watcher"]

PAUSES = (0, 4, 8)
"""Seconds after which the next hand is dealt by itself; 0 waits for somebody to deal it."""
THINKING = (0, 15, 30, 60)
"""Seconds for a decision; 0 is as long as one likes."""
WATCHING = ("table", "after", "open")
"""What somebody without a seat sees: what lies open, all cards once a hand is over, or all cards always."""
BANK = 60.0
"""Seconds more, over the whole game, for decisions that take longer."""


class Watcher(Protocol):
    """Somebody who looks at a table: a connection."""

    seat: int | None
    seen: int
    """Lines of the log sent to it."""
    language: str

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message."""


@dataclass(frozen=True)
class Manners:
    """How a table is kept, chosen when it is opened."""

    wait: bool = False
    """The first hand waits until everybody is ready."""
    think: int = 0
    watch: str = "table"
    played: int = 0
    """Games these players have finished together before this one."""
    won: Mapping[str, int] = field(default_factory=dict)
    """How many of them each seat has won."""

    @classmethod
    def of(cls, given: Mapping[str, Any], people: Sequence[int]) -> Manners:
        """From a form or a table's file; anything else than what can be chosen is refused."""
        try:
            think, watch = int(given.get("think", 0)), str(given.get("watch", "table"))
            played = int(given.get("played", 0))
            won = {str(int(k)): int(v) for k, v in dict(given.get("won", {})).items()}
        except (TypeError, ValueError):
            raise UnreadableError(text("refused.manners")) from None
        if think not in THINKING or watch not in WATCHING or (watch == "open" and people):
            raise UnreadableError(text("refused.manners"))
        return cls(given.get("wait") in (True, "on", "true"), think, watch, played, won)

    def as_dict(self) -> dict[str, Any]:
        """As it is kept in the table's file."""
        return {
            "wait": self.wait,
            "think": self.think,
            "watch": self.watch,
            "played": self.played,
            "won": dict(self.won),
        }


@dataclass
class Company:
    """Who sits at a table, and what the table does by itself because of it."""

    game: Callable[[], SeatedGame]
    people: Sequence[int]
    manners: Manners = field(default_factory=Manners)
    grace: float = 45.0
    """Seconds without a connection after which somebody has left."""
    clock: Callable[[], float] = time.monotonic
    pause: int = 0
    here: set[int] = field(default_factory=set)
    ready: set[int] = field(default_factory=set)
    out: set[int] = field(default_factory=set)
    started: bool = True
    _gone: dict[int, float] = field(default_factory=dict)
    _left_in: dict[int, int] = field(default_factory=dict)
    _bank: dict[int, float] = field(default_factory=dict)
    _at: int = -1
    _since: float = 0.0

    def begin(self, actions: int) -> None:
        """A table that was played already waits for nobody."""
        self.started = not (self.manners.wait and len(self.people) > 1) or actions > 0

    # ---- who is here

    def meet(self, seats: set[int]) -> None:
        """These seats are connected now."""
        now = self.clock()
        for seat in self.here - seats:
            self._gone[seat] = now
            self._left_in[seat] = self.game().number
        for seat in seats:
            self._gone.pop(seat, None)
        self.here = seats

    def has_left(self, seat: int) -> bool:
        """Whether somebody was here and has not come back in time."""
        return seat in self._gone and self.clock() >= self._gone[seat] + self.grace

    def get_ready(self, seat: int) -> None:
        """Somebody is ready for the first hand."""
        self.ready.add(seat)
        self.started = self.started or self.ready >= set(self.people)

    def start_anyway(self, seat: int) -> None:
        """Whoever opened the table does not wait any longer; a bot plays for those who are not here."""
        if not self.people or seat != self.people[0]:
            raise IllegalError(text("refused.host_only"))
        self.started = True
        for absent in set(self.people) - self.here:
            self._gone[absent], self._left_in[absent] = -self.grace, -1

    def sit_out(self, seat: int, out: bool) -> None:
        """Somebody lets hands pass, or comes back."""
        (self.out.add if out else self.out.discard)(seat)

    def set_pause(self, seconds: int) -> None:
        """After how long the next hand is dealt by itself."""
        if seconds not in PAUSES:
            raise UnreadableError(text("refused.manners"))
        self.pause = seconds
        self._since = self.clock()

    # ---- time

    def note(self, actions: int) -> None:
        """The table stands at this many actions: whoever acted has used up what went over the time for a decision."""
        if actions != self._at:
            self._at, self._since = actions, self.clock()

    def acted(self, seat: int) -> None:
        """Somebody acted in person: what it took beyond the time for a decision comes from the bank."""
        self.out.discard(seat)
        if self.manners.think:
            self._bank[seat] = min(self.bank(seat), max(0.0, self.bank(seat) - self._over()))

    def _over(self) -> float:
        return max(0.0, self.clock() - self._since - self.manners.think)

    def bank(self, seat: int) -> float:
        """Seconds left to somebody beyond the time for a decision."""
        return self._bank.get(seat, BANK)

    def _time_is_up(self, seat: int) -> bool:
        return bool(self.manners.think) and self._over() >= self.bank(seat)

    def wait(self) -> float | None:
        """Seconds until the table may have to do something by itself; None if it need not."""
        game, now, due = self.game(), self.clock(), list[float]()
        if game.seat is None:
            due += [self._since + self.pause] if self.pause and not game.over else []
        elif game.seat in self.people:
            due += [self._gone[game.seat] + self.grace] if game.seat in self._gone else []
            due += [self._since + self.manners.think + self.bank(game.seat)] if self.manners.think else []
        return max(0.01, min(due) - now) if due else None

    def moves(self, agents_turn: bool) -> bool:
        """Whether the table acts by itself now: an agent's turn, a hand to deal, somebody who is not there."""
        game = self.game()
        if not self.started:
            return False
        if game.seat is None:
            due = bool(self.pause) and self.clock() >= self._since + self.pause
            return not game.over and (due or all(map(game.is_out, self.people)))  # who is out need not deal
        if agents_turn:
            return True
        return game.seat in self.out or self.has_left(game.seat) or self._time_is_up(game.seat)

    def stand_in(self) -> str | None:
        """What is done for the person whose turn it is; None where a bot decides."""
        game = self.game()
        seat = game.seat
        assert seat is not None  # else nobody is asked
        if self.has_left(seat) and seat not in self.out and game.number > self._left_in[seat]:
            return None
        if not self.has_left(seat):
            self.out.add(seat)  # the table does not wait again until somebody is back
            self._bank[seat] = 0.0 if self._time_is_up(seat) else self.bank(seat)
        return game.give_up()

    # ---- what is shown

    def shown(self, seat: int | None) -> dict[str, Any]:
        """How the company stands, for the pages."""
        game, now = self.game(), self.clock()
        people = [
            {"seat": p, "here": p in self.here, "ready": p in self.ready, "away": self._away(p)} for p in self.people
        ]
        out: dict[str, Any] = {"people": people, "started": self.started, "pause": self.pause, "out": seat in self.out}
        out["host"] = bool(self.people) and seat == self.people[0]
        if self.pause and game.seat is None and not game.over:
            out["deal_in"] = round(max(0.0, self._since + self.pause - now), 1)
        if self.manners.think and game.seat is not None and game.seat in self.people and self.started:
            left = max(0.0, self._since + self.manners.think - now)
            out["clock"] = {"seat": game.seat, "think": self.manners.think, "left": round(left, 1)}
            out["clock"]["bank"] = round(max(0.0, self.bank(game.seat) - self._over()), 1)
        if self.manners.played or (game.over and game.winners()):
            out["score"] = self.score()
        return out

    def _away(self, seat: int) -> str:
        return "out" if seat in self.out else "left" if self.has_left(seat) else ""

    def score(self) -> dict[str, Any]:
        """Games finished together, this one included once it is over, and how many each seat has won."""
        game, won = self.game(), dict(self.manners.won)
        finished = game.over and bool(game.winners())
        for seat in game.winners() if finished else ():
            won[str(seat)] = won.get(str(seat), 0) + 1
        return {"played": self.manners.played + finished, "won": won}
