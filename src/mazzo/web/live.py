"""One table in the browser, whatever is played at it: who may sit where, who looks on, agents that move, the coach."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from mazzo.errors import IllegalError, MazzoError, UnreadableError
from mazzo.games import Entry, find_entry
from mazzo.journal import UnwritableError
from mazzo.names import is_person
from mazzo.seated import NEXT, Advice, MakeAgent, Say, SeatedGame
from mazzo.sitting import JOINED, Coach, Sitting
from mazzo.web.advice import coach_total, explanation_shown, undealt, view_shown
from mazzo.web.coaching import Coaching, decision_of
from mazzo.web.company import Company, Manners, Watcher
from mazzo.web.limits import Limits, RefusedError
from mazzo.web.scheduler import Scheduler
from mazzo.words.sentences import log_line
from mazzo.words.texts import speaking, text

__all__ = ["BY_HAND", "SPEEDS", "LiveTable", "new_token"]

BY_HAND = "step"
"""The speed of a table of agents that moves when somebody says so, with all cards open and each move explained."""

SPEEDS: Mapping[str, float] = {"slow": 1.6, "normal": 0.8, "fast": 0.25, "instant": 0.0, BY_HAND: 0.0}
"""Seconds an agent takes."""

_SHOWN_LINES = 60
_KEPT_LINES = 2 * _SHOWN_LINES
"""Of the log, in memory; the table's file has all that was done."""


def new_token() -> str:
    """A secret nobody guesses: 192 random bits."""
    return secrets.token_urlsafe(24)


@dataclass
class LiveTable:
    """A table with the people who sit and look at it."""

    id: str
    sitting: Sitting
    speed: str
    limits: Limits
    workers: Scheduler
    tokens: dict[int, str] = field(default_factory=dict)
    """The secret of each person's seat that is taken."""
    invites: dict[int, str] = field(default_factory=dict)
    """What the free seats are taken with, once."""
    made: float = field(default_factory=time.time)
    manners: Manners = field(default_factory=Manners)
    watchers: set[Watcher] = field(default_factory=set)
    next: str | None = None
    """The table that these people went on to."""
    trouble: str = ""
    ready: bool = False
    used: float = field(default_factory=time.monotonic)
    _task: asyncio.Task[None] | None = None
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _acting: asyncio.Lock = field(default_factory=asyncio.Lock)
    _flushing: bool = False
    _steps: int = 0
    """Moves that somebody has asked for, at a table that moves by hand."""
    _why: dict[str, Any] | None = None
    """How the agent that moved last explains it, where all cards are open."""

    def __post_init__(self) -> None:
        self.company = Company(lambda: self.game, self.sitting.people, self.manners, self.limits.grace_seconds)
        self.company.begin(self.sitting.actions)
        self._coaching = Coaching(self.id, self.sitting, self.workers, self.watchers)
        self._held: list[Say] = []
        if not self.company.started:  # the first hand is told of when it is dealt
            log = self.game.log
            self._held = [line for line in log if line[0] != JOINED]
            log[:] = [line for line in log if line[0] == JOINED]

    @property
    def name(self) -> str:
        """Of the game."""
        return self.sitting.name

    @property
    def game(self) -> SeatedGame:
        """What is played."""
        return self.sitting.game

    @property
    def coaches(self) -> dict[int, Coach]:
        """How each person is advised."""
        return self.sitting.coaches

    # ---- on disk

    @classmethod
    def open(
        cls,
        folder: Path,
        name: str,
        seats: list[str],
        options: Mapping[str, Any],
        speed: str,
        chance: int | bytes,
        limits: Limits,
        workers: Scheduler,
        make: MakeAgent | None = None,
        manners: Manners | None = None,
        known: bool = False,
    ) -> LiveTable:
        """A new table; the first person's seat is taken, the others' wait for whoever has the invitation.

        `chance` is a seed, or at a table of several people a secret: nobody there may choose the deals.
        """
        if speed not in SPEEDS:
            raise UnreadableError(f"speed must be one of {', '.join(SPEEDS)}, got {speed[:40]!r}")
        people = [seat for seat, who in enumerate(seats) if is_person(who)]
        if len(people) > 1 and isinstance(chance, int):
            raise UnreadableError(text("refused.seed_shared"))
        if people and speed == BY_HAND:
            raise UnreadableError(text("refused.step"))
        taken = len(people) if known else 1  # who has played together before needs no invitation
        tokens, invites = {s: new_token() for s in people[:taken]}, {s: new_token() for s in people[taken:]}
        manners = manners or Manners()
        table_id, made = secrets.token_hex(8), time.time()
        about = {"id": table_id, "speed": speed, "tokens": tokens, "invites": invites, "made": made}
        about["company"] = manners.as_dict()
        chosen = find_entry(name).seating().usual(options)
        sitting = Sitting.start(folder / f"{table_id}.jsonl", name, seats, chosen, chance, make, **about)
        return cls(table_id, sitting, speed, limits, workers, tokens, invites, made, manners)

    @classmethod
    def restore(
        cls, path: Path, limits: Limits, workers: Scheduler, maker: Callable[[Entry], MakeAgent] | None = None
    ) -> LiveTable:
        """A table as it was, from its file: everything that was done is done again."""
        sitting = Sitting.resume(path, maker=maker)
        head = sitting.header
        try:
            if str(head["speed"]) not in SPEEDS or (str(head["speed"]) == BY_HAND and sitting.people):
                raise ValueError(f"speed {str(head['speed'])[:40]}")
            tokens = {int(s): str(t) for s, t in head["tokens"].items()} | sitting.tokens
            invites = {int(s): str(t) for s, t in head["invites"].items() if int(s) not in sitting.tokens}
            if not set(tokens) | set(invites) <= set(sitting.people):
                raise ValueError("a secret for a seat that is no person's")
            manners, made = Manners.of(dict(head.get("company", {})), sitting.people), float(head["made"])
            return cls(str(head["id"]), sitting, str(head["speed"]), limits, workers, tokens, invites, made, manners)
        except (UnreadableError, KeyError, TypeError, ValueError, AttributeError) as error:
            sitting.close()
            raise UnreadableError(f"{path.name} is not a table of the browser: {error!r}") from None

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
                self.sitting.claim(seat, token, called)
                self.tokens[seat] = token
                del self.invites[seat]
                self.tell_all()
                return token
        raise RefusedError(text("refused.invite"))

    @property
    def host(self) -> int | None:
        """Who opened the table and may invite."""
        return next(iter(self.sitting.people), None)

    # ---- what happens

    async def act(self, seat: int | None, action: str, at: int) -> None:
        """A person's action. It is on disk before anybody hears of it; other tables go on meanwhile."""
        if seat is None:
            raise IllegalError(text("refused.watcher"))
        async with self._acting:
            self._may(seat, action, at)
            question = decision_of(self.game) if action != NEXT else None
            self.company.acted(seat)
            self._carry_out(action)
            await self._flush()
        self.tell_all()
        if question is not None and self._coaching.judges(seat):
            self._coaching.judge(seat, question, action, at)
        self.wake()

    def _may(self, seat: int, action: str, at: int) -> None:
        if at != self.sitting.actions:
            raise IllegalError(text("refused.stale"))
        if self.sitting.actions >= self.limits.actions:
            raise RefusedError(text("refused.full"))
        if len(action) > 40:
            raise UnreadableError(text("refused.long"))
        if not self.company.started:  # nothing is dealt: not even whose turn it would be is told
            raise IllegalError(text("refused.not_ready"))
        self.game.may(seat, action)

    async def _flush(self) -> None:
        """Wait for the disk. Until it has the action nobody is told of it and no agent moves."""
        self._flushing = True
        try:
            await self.workers.write(self.sitting.sync)
        except UnwritableError as error:
            self.sitting.forget_last()
            self._flushing = False
            self._not_written(error)
        finally:
            self._flushing = False

    def _carry_out(self, action: str) -> None:
        """An action, written down; where it cannot be written it was not taken, and everybody hears why."""
        try:
            self.sitting.act(action, safe=False)
        except UnwritableError as error:
            self._not_written(error)
        self.trouble = ""

    def _not_written(self, error: UnwritableError) -> NoReturn:
        self.trouble = text("refused.disk", {"reason": error.reason})
        self.tell_all()
        raise RefusedError(self.trouble) from None

    def wake(self) -> None:
        """Let agents move, and advise whoever wants to know before."""
        self.used, self.trouble = time.monotonic(), ""  # what failed is tried again
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name=f"table {self.id}")
        self._wake.set()
        self._advise_before()

    @property
    def _agents_turn(self) -> bool:
        if not self.watchers or self.trouble or self._flushing or self.sitting.actions >= self.limits.actions:
            return False
        if self.speed == BY_HAND and not self._steps:
            return False
        self.company.note(self.sitting.actions)
        return self.company.moves(self.sitting.agents_turn)

    async def _run(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), self.company.wait() if self.watchers else None)
            self._wake.clear()
            try:
                if not self.ready:
                    await self.workers.move(self.id, self.game.prepare)
                    self.ready = True
                    self.tell_all()
                while self._agents_turn:
                    await asyncio.sleep(SPEEDS[self.speed] * (2 if self.game.seat is None else 1))
                    if not self._agents_turn:
                        break
                    done, asked = self.sitting.actions, time.time()
                    deal = self.game.seat is None
                    action = NEXT if deal else await self._move()
                    why = None if deal else await self._explained()
                    if done != self.sitting.actions:
                        continue
                    self._carry_out(action)
                    self._why, self._steps = why, 0
                    self.tell_all(acted=asked)
                    await asyncio.sleep(0)
                self._advise_before()
            except MazzoError as error:
                self.trouble = str(error)
                self.tell_all()
            except Exception as error:
                self.trouble = text("table.agent_failed", {"what": type(error).__name__})
                self.tell_all()

    async def _explained(self) -> dict[str, Any] | None:
        """How the agent to act explains its move, at a table that moves by hand: it may tell of its cards."""
        seat, explained = self.game.seat, None
        if self.speed == BY_HAND and self.manners.watch == "open" and seat is not None:
            with suppress(Exception):  # an agent that cannot explain itself plays all the same
                explained = await self.workers.move(self.id, self.game.reason)
        return None if explained is None or seat is None else explanation_shown(self.game, seat, explained)

    def step(self, speed: str | None = None) -> None:
        """One move more at a table of agents that moves by hand; with a speed, it moves by itself from now on."""
        if self.sitting.people:
            raise IllegalError(text("refused.step"))
        if speed is not None:
            if speed not in SPEEDS or self.manners.watch != "open":
                raise UnreadableError(text("refused.step"))
            self.speed = speed
        self._steps = 1 if speed is None else 0
        self.changed()

    async def _move(self) -> str:
        """What the seat to act does: an agent, or whoever stands in for a person who is not there."""
        if self.sitting.agents_turn:
            return await self.workers.move(self.id, self.game.agent_action)
        given_up, question = self.company.stand_in(), decision_of(self.game)
        if given_up is not None or question is None:
            return given_up or self.game.give_up()
        try:
            advice: Advice = await self.workers.move(self.id, partial(question, self.sitting.absent))
        except MazzoError:
            return self.game.give_up()
        return advice.explanation.action

    def set_coach(self, seat: int | None, mode: str, adviser: str) -> None:
        """How a person wants to be advised, and by whom."""
        self._coaching.choose(seat, mode, adviser)
        self._advise_before()

    def _advise_before(self) -> None:
        """Advise whoever wants to know before; nobody is advised about cards that are not dealt yet."""
        if self.company.started:
            self._coaching.advise_before()

    def came_or_left(self) -> None:
        """Somebody connected or went away: everybody sees it, and the table may have to act."""
        self.company.meet({w.seat for w in self.watchers if w.seat is not None})
        self.tell_all()
        self.wake()

    def changed(self) -> None:
        """Somebody is ready, sits out or comes back; when all are ready, the first hand is dealt."""
        if self.company.started and self._held:
            self.game.log += self._held
            self._held = []
        self.tell_all()
        self.wake()

    async def close(self) -> None:
        """Stop moving, and let others have the file."""
        tasks = [task for task in (self._task, *self._coaching.tasks) if task is not None]
        for task in tasks:
            task.cancel()
        self.sitting.close()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ---- what is shown

    def message(self, seat: int | None, seen: int) -> dict[str, Any]:
        """How the table stands for a seat, with the lines of the log that are new to it."""
        game = self.game
        first = max(seen, game.lines - _SHOWN_LINES) - game.forgotten
        watch = self.manners.watch
        all_open = seat is None and (watch == "open" or (watch == "after" and game.seat is None))
        view = view_shown(game, self.name, seat, all_open)
        if not self.company.started:
            view = undealt(view)
        for place in self.company.shown(seat)["people"]:
            if place["away"]:
                view["seats"][place["seat"]]["away"] = place["away"]
        if seat is not None and game.seat is None and not game.over and self.company.started:
            view["choices"] = [{"action": NEXT, "label": text("do.next"), "key": "n"}, *view["choices"]]
        message = {
            "type": "state",
            "at": self.sitting.actions,
            "number": game.number,
            "view": view,
            "said": [log_line(line, game.deck) for line in game.log[max(first, 0) :]],
            "waiting": list(self.invites),
            "trouble": self.trouble,
            "ready": self.ready,
            "company": self.company.shown(seat),
            "hands": len(self.sitting.records.get(seat, ())) if seat is not None else 0,
        }
        if not self.sitting.people and watch == "open":
            message |= {"by_hand": self.speed == BY_HAND, "why": self._why}
        if game.decks is not None:
            message["deal"] = self.deal(seat)
        if seat is not None and seat == self.host:
            message["invites"] = {game.names[s]: f"/join/{self.id}/{invite}" for s, invite in self.invites.items()}
        if seat is not None and seat in self.coaches:
            message["total"] = coach_total(self.coaches[seat])
        return message

    def deal(self, seat: int | None) -> dict[str, Any]:
        """The seals of the deck in play and of the next one, and the number of the last deck that can be checked."""
        decks, number = self.game.decks, self.game.deck_number
        assert decks is not None  # else nobody asks
        seals = {"seal": decks.deck(number).seal, "next": decks.deck(number + 1).seal}
        checked = max(self.sitting.opened.get(seat, {}), default=None)
        proof = None if checked is None else self.proof(seat, checked)
        key = {"key": proof["key"]} if proof is not None and "key" in proof else {}
        return {"number": number, **seals, "checked": checked, **key}

    def proof(self, seat: int | None, number: int) -> dict[str, Any] | None:
        """What a seat checks a deck with: its key once all its cards are open to spectators, else the cards seen."""
        return self.sitting.proof(seat, number, whole=self.manners.watch == "after")

    def tell(self, watcher: Watcher, **more: Any) -> None:
        """Send a watcher what it has not seen; while the disk is waited for, that comes when it has the action."""
        if self._flushing:
            return
        with speaking(watcher.language):
            watcher.send({**self.message(watcher.seat, watcher.seen), **more})
        watcher.seen = self.game.lines

    def tell_all(self, **more: Any) -> None:
        """Send everybody what is new; `acted` is when an agent was asked, for who measures."""
        for watcher in list(self.watchers):
            self.tell(watcher, **more)
        self.game.forget_lines(_KEPT_LINES)
