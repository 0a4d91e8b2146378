"""One table in the browser, whatever is played at it: seats, watchers, agents that move, the coach, the file."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from mazzo.errors import IllegalError, MazzoError, UnreadableError
from mazzo.games import entries
from mazzo.journal import Journal
from mazzo.seated import NEXT, Advice, Question, SeatedGame, Seating, person_name
from mazzo.web.limits import Limits, RefusedError
from mazzo.web.texts import text
from mazzo.web.words import card_name, is_card, said, worded

__all__ = [
    "COACH_MODES",
    "SPEEDS",
    "Coach",
    "Table",
    "Watcher",
    "advice_shown",
    "new_token",
    "play_name",
    "seating_of",
]

SPEEDS: Mapping[str, float] = {"slow": 1.6, "normal": 0.8, "fast": 0.25, "instant": 0.0}
"""Seconds an agent takes."""

COACH_MODES = ("hidden", "after", "before")

_VERSION = 1
_SHOWN_LINES = 60


def new_token() -> str:
    """A secret nobody guesses: 192 random bits."""
    return secrets.token_urlsafe(24)


def seating_of(game: str) -> Seating:
    """How a game is played at a table."""
    for entry in entries():
        if game == entry.NAME:
            return entry.seating()
    raise UnreadableError(f"there is no game {game[:40]!r}")


class Watcher(Protocol):
    """Somebody who looks at a table: a connection."""

    seat: int | None
    seen: int
    """Lines of the log sent to it."""

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message."""


@dataclass
class Coach:
    """How a person is advised, and what the mistakes came to."""

    mode: str = "hidden"
    adviser: str = ""
    decisions: int = 0
    mistakes: int = 0
    cost: float = 0.0
    unit: str = ""

    def note(self, cost: float | None, agrees: bool, unit: str) -> None:
        """Count a decision."""
        self.decisions += 1
        self.mistakes += int(cost > 1e-9 if cost is not None else not agrees)
        self.cost += cost or 0.0
        self.unit = unit

    def as_dict(self) -> dict[str, Any]:
        """The running total."""
        return {
            "decisions": self.decisions,
            "mistakes": self.mistakes,
            "cost": round(self.cost, 6),
            "unit": text(self.unit) if self.unit else "",
        }


@dataclass
class Table:
    """A game with the people who sit and look at it."""

    id: str
    name: str
    """Of the game."""
    game: SeatedGame
    journal: Journal
    speed: str
    limits: Limits
    workers: Executor
    tokens: dict[int, str] = field(default_factory=dict)
    """The secret of each person's seat that is taken."""
    invites: dict[int, str] = field(default_factory=dict)
    """What the free seats are taken with, once."""
    made: float = field(default_factory=time.time)
    actions: int = 0
    watchers: set[Watcher] = field(default_factory=set)
    coaches: dict[int, Coach] = field(default_factory=dict)
    records: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    """Finished hands as each person knows them."""
    trouble: str = ""
    ready: bool = False
    used: float = field(default_factory=time.monotonic)
    _task: asyncio.Task[None] | None = None
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _advising: set[asyncio.Task[None]] = field(default_factory=set)

    # ---- on disk

    @classmethod
    def open(cls, folder: Path, name: str, seats: list[str], options: Mapping[str, Any], speed: str, seed: int,
             limits: Limits, workers: Executor) -> Table:  # fmt: skip
        """A new table; the first person's seat is taken, the others' wait for whoever has the invitation."""
        seating = seating_of(name)
        if not seating.least <= len(seats) <= seating.most:
            raise UnreadableError(f"{name} seats {seating.least} to {seating.most}, not {len(seats)}")
        if speed not in SPEEDS:
            raise UnreadableError(f"speed is one of {', '.join(SPEEDS)}, not {speed[:40]!r}")
        game = seating.table(seats, options, seed)
        people = [seat for seat, who in enumerate(seats) if person_name(who) is not None]
        table_id = secrets.token_hex(8)
        tokens, invites = {s: new_token() for s in people[:1]}, {s: new_token() for s in people[1:]}
        header = {"table": _VERSION, "id": table_id, "game": name, "seats": seats, "options": dict(options),
                  "speed": speed, "seed": seed, "tokens": tokens, "invites": invites, "made": time.time()}  # fmt: skip
        journal = Journal.start(folder / f"{table_id}.jsonl", header)
        return cls(table_id, name, game, journal, speed, limits, workers, tokens, invites)

    @classmethod
    def restore(cls, path: Path, limits: Limits, workers: Executor) -> Table:
        """A table as it was, from its file: everything that was done is done again."""
        lines, size = Journal.read(path)
        head = lines[0]
        try:
            if head["table"] != _VERSION:
                raise UnreadableError(f"{path.name} was written by another version of Mazzo")
            game = seating_of(head["game"]).table(list(head["seats"]), head["options"], int(head["seed"]))
            table = cls(str(head["id"]), str(head["game"]), game, Journal(path), str(head["speed"]), limits, workers,
                        {int(s): str(t) for s, t in head["tokens"].items()},
                        {int(s): str(t) for s, t in head["invites"].items()}, float(head["made"]))  # fmt: skip
            for line in lines[1:]:
                table._redo(line)
        except MazzoError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError) as wrong:
            raise UnreadableError(f"{path.name} is not a table of Mazzo: {wrong!r}") from None
        table.journal.cut(size)
        return table

    def _redo(self, line: Mapping[str, Any]) -> None:
        if "a" in line:
            self._do(str(line["a"]))
        elif "claim" in line:
            self._seat_taken(int(line["claim"]), str(line["token"]), str(line["name"]))
        elif "coach" in line:
            cost = line["coach"]["cost"]
            coach = self.coaches.setdefault(int(line["seat"]), Coach())
            coach.note(None if cost is None else float(cost), bool(line["coach"]["agrees"]), str(line["coach"]["unit"]))

    # ---- who sits where

    def seat_of(self, token: str) -> int:
        """The seat a secret opens."""
        for seat, secret in self.tokens.items():
            if secrets.compare_digest(secret.encode(), token.encode()):
                return seat
        raise RefusedError(text("refused.token"))

    def claim(self, invite: str, name: str) -> str:
        """Take a free seat; the invitation is used up, and only its taker knows the new secret."""
        for seat, secret in self.invites.items():
            if secrets.compare_digest(secret.encode(), invite.encode()):
                token = new_token()
                called = name or self.game.names[seat]
                self.journal.write({"claim": seat, "token": token, "name": called})
                self._seat_taken(seat, token, called)
                self.tell_all()
                return token
        raise RefusedError(text("refused.invite"))

    def _seat_taken(self, seat: int, token: str, name: str) -> None:
        self.tokens[seat] = token
        self.invites.pop(seat, None)
        self.game.rename(seat, name)
        self.game.say("table.joined", name=self.game.names[seat])

    @property
    def host(self) -> int | None:
        """Who opened the table and may invite."""
        people = [seat for seat, who in enumerate(self.game.seats) if person_name(who) is not None]
        return people[0] if people else None

    # ---- what happens

    def _do(self, action: str) -> None:
        before = self.game.seat
        self.game.act(action)
        self.actions += 1
        if before is not None and self.game.seat is None:
            for seat in self.tokens:
                record = self.game.record(seat)
                if record is not None:
                    self.records.setdefault(seat, []).append({"of": self.name, **record})

    def act(self, seat: int | None, action: str, at: int) -> None:
        """A person's action. It is on disk before anybody hears of it."""
        if seat is None:
            raise IllegalError(text("refused.watcher"))
        if at != self.actions:
            raise IllegalError(text("refused.stale"))
        if self.actions >= self.limits.actions:
            raise RefusedError(text("refused.full"))
        if len(action) > 40:
            raise UnreadableError(text("refused.long"))
        self.game.may(seat, action)
        question = self._question() if action != NEXT else None
        self._do(action)
        self.journal.write({"a": action})
        self.tell_all()
        if question is not None and self.coaches.setdefault(seat, Coach()).mode != "hidden":
            self._start(self._judge(seat, question, action))
        self.wake()

    def _question(self) -> Question | None:
        try:
            return self.game.question()
        except MazzoError:
            return None

    def wake(self) -> None:
        """Let agents move, and advise whoever wants to know before."""
        self.used = time.monotonic()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name=f"table {self.id}")
        self._wake.set()
        self._advise_before()

    @property
    def _agents_turn(self) -> bool:
        if not self.watchers or self.trouble or self.actions >= self.limits.actions:
            return False
        seat = self.game.seat
        if seat is None:
            return self.host is None and not self.game.over
        return person_name(self.game.seats[seat]) is None

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                if not self.ready:
                    await loop.run_in_executor(self.workers, self.game.prepare)
                    self.ready = True
                    self.tell_all()
                while self._agents_turn:
                    await asyncio.sleep(SPEEDS[self.speed] * (2 if self.game.seat is None else 1))
                    if not self._agents_turn:
                        break
                    done, asked = self.actions, time.time()
                    deal = self.game.seat is None
                    action = NEXT if deal else await loop.run_in_executor(self.workers, self.game.agent_action)
                    if done != self.actions:
                        continue
                    self._do(action)
                    self.journal.write({"a": action}, safe=False)
                    self.tell_all(acted=asked)
                    await asyncio.sleep(0)
                self._advise_before()
            except MazzoError as wrong:
                self.trouble = str(wrong)
                self.tell_all()
            except Exception as wrong:
                self.trouble = text("table.agent_failed", {"what": type(wrong).__name__})
                self.tell_all()

    async def close(self) -> None:
        """Stop moving."""
        for task in (self._task, *self._advising):
            if task is not None:
                task.cancel()
        await asyncio.gather(*(t for t in (self._task, *self._advising) if t is not None), return_exceptions=True)

    # ---- what is shown

    def message(self, seat: int | None, seen: int) -> dict[str, Any]:
        """How the table stands for a seat, with the lines of the log that are new to it."""
        game = self.game
        first = max(seen, len(game.log) - _SHOWN_LINES)
        view = worded(game.view(seat))
        if seat is not None and game.seat is None and not game.over:
            view["choices"] = [{"action": NEXT, "label": text("do.next"), "key": "n"}]
        message = {
            "type": "state",
            "at": self.actions,
            "view": view,
            "said": [said(line, game.deck) for line in game.log[first:]],
            "waiting": list(self.invites),
            "trouble": self.trouble,
            "ready": self.ready,
            "hands": len(self.records.get(seat, ())) if seat is not None else 0,
        }
        if seat is not None and seat == self.host:
            message["invites"] = {game.names[s]: f"/join/{self.id}/{invite}" for s, invite in self.invites.items()}
        if seat is not None and seat in self.coaches:
            message["total"] = self.coaches[seat].as_dict()
        return message

    def tell(self, watcher: Watcher, **more: Any) -> None:
        """Send a watcher what it has not seen."""
        watcher.send({**self.message(watcher.seat, watcher.seen), **more})
        watcher.seen = len(self.game.log)

    def tell_all(self, **more: Any) -> None:
        """Send everybody what is new; `acted` is when an agent was asked, for who measures."""
        for watcher in list(self.watchers):
            self.tell(watcher, **more)

    # ---- the coach

    def set_coach(self, seat: int | None, mode: str, adviser: str) -> None:
        """How a person wants to be advised, and by whom."""
        if seat is None:
            raise IllegalError(text("refused.watcher"))
        if mode not in COACH_MODES:
            raise UnreadableError(f"the coach is {', '.join(COACH_MODES)}, not {mode[:40]!r}")
        advisers = seating_of(self.name).advisers
        if adviser not in advisers:
            raise UnreadableError(f"advisers here are {', '.join(advisers)}, not {adviser[:40]!r}")
        coach = self.coaches.setdefault(seat, Coach())
        coach.mode, coach.adviser = mode, adviser
        self._advise_before()

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._advising.add(task)
        task.add_done_callback(self._advising.discard)

    def _advise_before(self) -> None:
        seat = self.game.seat
        if seat is None or seat not in self.coaches or self.coaches[seat].mode != "before":
            return
        question = self._question()
        if question is not None:
            self._start(self._advise(seat, question))

    async def _ask(self, seat: int, question: Question, played: str | None) -> Advice | None:
        adviser = self.coaches[seat].adviser or seating_of(self.name).advisers[0]
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.workers, question, adviser, played)
        except MazzoError as wrong:
            self._to_seat(seat, {"type": "coach", "when": "failed", "reason": str(wrong)})
        except Exception as wrong:  # an adviser's fault is not the table's
            reason = text("coach.failed", {"what": type(wrong).__name__})
            self._to_seat(seat, {"type": "coach", "when": "failed", "reason": reason})
        return None

    async def _advise(self, seat: int, question: Question) -> None:
        at = self.actions
        advice = await self._ask(seat, question, None)
        if advice is not None and at == self.actions:
            self._to_seat(
                seat,
                {
                    "type": "coach",
                    "when": "before",
                    "at": at,
                    **advice_shown(advice, self.game.deck, self.coaches[seat]),
                },
            )

    async def _judge(self, seat: int, question: Question, action: str) -> None:
        advice = await self._ask(seat, question, action)
        if advice is None:
            return
        cost, agrees = advice.cost(action), action == advice.explanation.action
        coach = self.coaches[seat]
        coach.note(cost, agrees, advice.unit)
        self.journal.write({"seat": seat, "coach": {"cost": cost, "agrees": agrees, "unit": advice.unit}}, safe=False)
        shown = {**advice_shown(advice, self.game.deck, coach), "cost": cost}
        shown["played"] = play_name(action, advice, self.game.deck)
        self._to_seat(seat, {"type": "coach", "when": "after", "agrees": agrees, **shown, "total": coach.as_dict()})

    def _to_seat(self, seat: int, message: dict[str, Any]) -> None:
        for watcher in list(self.watchers):
            if watcher.seat == seat:
                watcher.send(message)


def play_name(action: str, advice: Advice, deck: str) -> str:
    """A play as people call it."""
    card, _, signal = action.partition(":")
    if deck == "italian" and is_card(card, deck):
        return f"{card_name(card, deck)}{f' ({signal})' if signal else ''}"
    return advice.labels.get(action, action)


def advice_shown(advice: Advice, deck: str, coach: Coach | None = None) -> dict[str, Any]:
    """Advice as plain data."""
    e = advice.explanation
    options = [
        {"action": action, "label": play_name(action, advice, deck), "value": float(value)}
        for action, value in sorted(advice.worth.items(), key=lambda item: -item[1])
    ]
    if not options:
        options = [
            {
                "action": o.action,
                "label": play_name(o.action, advice, deck),
                "value": o.value,
                "terms": {k: float(v) for k, v in o.terms.items()},
            }
            for o in e.options
        ]
    facts = [[name, value] for name, value in e.facts.items() if value is not None]
    return {
        "adviser": coach.adviser if coach else "",
        "advised": play_name(e.action, advice, deck),
        "reason": e.reason,
        "options": options,
        "weighed": bool(advice.worth),
        "unit": text(advice.unit),
        "facts": facts,
        "standard_error": advice.standard_error,
    }
