"""The coach of one table: who is advised before a play, which plays are judged, and what is dropped when overtaken."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mazzo.errors import IllegalError, MazzoError, UnreadableError
from mazzo.journal import UnwritableError
from mazzo.seated import Advice, Question, SeatedGame
from mazzo.sitting import Coach, Sitting
from mazzo.web.advice import advice_shown, coach_total, judged_shown, play_name
from mazzo.web.adviser import AdviserError
from mazzo.web.company import Watcher
from mazzo.web.scheduler import Scheduler
from mazzo.words.texts import speaking, text

__all__ = ["COACH_MODES", "Coaching", "decision_of"]

COACH_MODES = ("hidden", "after", "before")

_MOST_JUDGING = 40
"""Plays of one seat that wait for the coach's word; older ones are not judged."""


def decision_of(game: SeatedGame) -> Question | None:
    """The decision to come, to ask advisers about; None where there is nothing to decide."""
    try:
        return None if game.forced else game.question()
    except MazzoError:
        return None


@dataclass
class Coaching:
    """Questions of the people at one table, answered when the server has time for them."""

    table: str
    sitting: Sitting
    workers: Scheduler
    watchers: set[Watcher]
    _advising: dict[int, tuple[tuple[int, str], asyncio.Task[None]]] = field(default_factory=dict)
    """By seat the question about the decision to come: at which state, who is asked, and who waits for it."""
    _judging: dict[int, list[asyncio.Task[None]]] = field(default_factory=dict)

    @property
    def coaches(self) -> dict[int, Coach]:
        """How each person is advised."""
        return self.sitting.coaches

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """All that wait for an answer."""
        asked = [task for _, task in self._advising.values()]
        return asked + [task for tasks in self._judging.values() for task in tasks]

    def choose(self, seat: int | None, mode: str, adviser: str) -> None:
        """How a person wants to be advised, and by whom."""
        if seat is None:
            raise IllegalError(text("refused.watcher"))
        if mode not in COACH_MODES:
            raise UnreadableError(f"the coach must be one of {', '.join(COACH_MODES)}, got {mode[:40]!r}")
        advisers = self.sitting.advisers
        if adviser not in advisers:
            raise UnreadableError(f"the adviser must be one of {', '.join(advisers)}, got {adviser[:40]!r}")
        coach = self.coaches.setdefault(seat, Coach())
        coach.mode, coach.adviser = mode, adviser

    def judges(self, seat: int) -> bool:
        """Whether a person's plays are judged."""
        return self.coaches.setdefault(seat, Coach()).mode != "hidden"

    def advise_before(self) -> None:
        """Ask about the decision to come, once; questions about decisions that have been made are dropped."""
        at, turn = self.sitting.actions, self.sitting.game.seat
        for seat, ((asked_at, _), task) in list(self._advising.items()):
            if asked_at != at or seat != turn:
                task.cancel()
                del self._advising[seat]
        if turn is None or turn not in self.coaches or self.coaches[turn].mode != "before":
            return
        what = at, self.coaches[turn].adviser
        if turn in self._advising:
            before, task = self._advising[turn]
            if before == what and not task.done():
                return
            task.cancel()
        question = decision_of(self.sitting.game)
        if question is not None:
            self._advising[turn] = what, asyncio.create_task(self._advise(turn, question))

    def judge(self, seat: int, question: Question, action: str, at: int) -> None:
        """Say what a play gave away, once there is time."""
        waiting = [task for task in self._judging.get(seat, ()) if not task.done()]
        for task in waiting[: len(waiting) + 1 - _MOST_JUDGING]:
            task.cancel()
        judging = asyncio.create_task(self._judge(seat, question, action, at))
        self._judging[seat] = [*waiting[-_MOST_JUDGING + 1 :], judging]

    async def _ask(self, seat: int, question: Question, played: str | None) -> Advice | None:
        adviser = self.coaches[seat].adviser or self.sitting.advisers[0]
        try:
            return await self.workers.advise(self.table, question, adviser, played)
        except MazzoError as error:
            reason = str(error)
            self._to_seat(seat, lambda: {"type": "coach", "when": "failed", "reason": reason})
        except AdviserError as error:  # an adviser's fault is not the table's
            what = {"what": str(error)}
            self._to_seat(seat, lambda: {"type": "coach", "when": "failed", "reason": text("coach.failed", what)})
        return None

    async def _advise(self, seat: int, question: Question) -> None:
        at = self.sitting.actions
        advice = await self._ask(seat, question, None)
        if advice is not None and at == self.sitting.actions:
            about, deck = {"type": "coach", "when": "before", "at": at}, self.sitting.game.deck
            self._to_seat(seat, lambda: {**about, **advice_shown(advice, deck, self.coaches[seat])})

    async def _judge(self, seat: int, question: Question, action: str, at: int) -> None:
        advice = await self._ask(seat, question, action)
        if advice is None:
            return
        coach, deck = self.coaches[seat], self.sitting.game.deck
        try:
            self.sitting.judge(seat, advice, action)
        except UnwritableError:  # counted, but not kept; whoever plays on hears of it
            return
        about = {"type": "coach", "when": "after", "at": at}
        self._to_seat(
            seat,
            lambda: {
                **advice_shown(advice, deck, coach),
                **judged_shown(advice, action),
                **about,
                "played": play_name(action, advice, deck),
                "total": coach_total(coach),
            },
        )

    def _to_seat(self, seat: int, message: Callable[[], dict[str, Any]]) -> None:
        """Send somebody a message, made in the language of each of its connections."""
        for watcher in list(self.watchers):
            if watcher.seat == seat:
                with speaking(watcher.language):
                    watcher.send(message())
