"""Moves come before advice, tables take turns, and what is overtaken is dropped. Every wait has an end."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mazzo.web.adviser import AdviserError
from mazzo.web.limits import Limits, RefusedError
from mazzo.web.live import LiveTable
from mazzo.web.scheduler import Scheduler

SECONDS = 120.0


class Here:
    """An adviser in this process, whose questions are anything that can be called."""

    def __init__(self) -> None:
        self.dropped = threading.Event()

    def ask(self, question: Any, adviser: str, played: str | None) -> Any:
        return question(adviser, played) if adviser else question()

    def drop(self) -> None:
        self.dropped.set()

    def close(self) -> None:
        pass


def story(act: Callable[[Any], Awaitable[None]], threads: int = 3, **more: Any) -> None:
    with closing(Scheduler(threads, **{"adviser": Here(), **more})) as scheduler:

        async def told() -> None:
            await asyncio.wait_for(act(scheduler), SECONDS)

        asyncio.run(told())


class Gate:
    """Work that lasts until it is let through, and says when it began."""

    def __init__(self) -> None:
        self.began, self.through = threading.Event(), threading.Event()

    def __call__(self) -> str:
        self.began.set()
        assert self.through.wait(SECONDS)
        return "done"

    async def begun(self) -> None:
        assert await asyncio.to_thread(self.began.wait, SECONDS)


def test_a_move_does_not_wait_for_any_number_of_questions() -> None:
    async def act(scheduler: Any) -> None:
        gate, later = Gate(), Gate()
        questions = [asyncio.create_task(scheduler.advise("loud", gate if k == 0 else later)) for k in range(20)]
        await gate.begun()
        assert [await scheduler.move(f"table {k}", lambda: 7) for k in range(10)] == [7] * 10
        assert scheduler.waiting == (0, 19)
        assert not later.began.is_set()
        gate.through.set()
        later.through.set()
        assert await asyncio.gather(*questions) == ["done"] * 20

    story(act)


def test_no_question_is_begun_while_a_move_waits() -> None:
    async def act(scheduler: Any) -> None:
        gate, order = Gate(), list[str]()
        first = asyncio.create_task(scheduler.move("a", gate))
        await gate.begun()
        move = asyncio.create_task(scheduler.move("b", lambda: order.append("move")))
        question = asyncio.create_task(scheduler.advise("c", lambda: order.append("advice")))
        await asyncio.sleep(0)
        assert scheduler.waiting == (1, 1)
        assert not order
        gate.through.set()
        await asyncio.gather(first, move, question)
        assert sorted(order) == ["advice", "move"]

    story(act, threads=1)


def test_tables_take_turns_however_much_one_of_them_asks() -> None:
    async def act(scheduler: Any) -> None:
        gate, order = Gate(), list[str]()
        first = asyncio.create_task(scheduler.advise("loud", gate))
        await gate.begun()

        def asks(table: str) -> asyncio.Task[None]:
            return asyncio.create_task(scheduler.advise(table, lambda: order.append(table)))

        tasks = [*(asks("loud") for _ in range(10)), asks("quiet")]
        await asyncio.sleep(0)
        gate.through.set()
        await asyncio.gather(first, *tasks)
        assert order.index("quiet") <= 1

    story(act)


def test_a_question_that_is_overtaken_is_never_begun() -> None:
    async def act(scheduler: Any) -> None:
        gate, overtaken = Gate(), Gate()
        first = asyncio.create_task(scheduler.advise("a", gate))
        await gate.begun()
        second = asyncio.create_task(scheduler.advise("a", overtaken))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.sleep(0)
        assert scheduler.waiting == (0, 0)
        gate.through.set()
        assert await first == "done"
        assert await scheduler.advise("a", lambda: 1) == 1
        assert not overtaken.began.is_set()

    story(act)


def test_one_that_is_cancelled_while_it_runs_and_one_that_fails_leave_the_threads_free() -> None:
    async def act(scheduler: Any) -> None:
        gate = Gate()
        running = asyncio.create_task(scheduler.advise("a", gate))
        await gate.begun()
        running.cancel()
        gate.through.set()
        assert await scheduler.advise("b", lambda: 2) == 2
        for wanted in (scheduler.move, scheduler.advise):
            try:
                await wanted("c", lambda: 1 // 0)
            except ZeroDivisionError:
                continue
            raise AssertionError("a fault was not passed on")
        assert await scheduler.move("c", lambda: 3) == 3

    story(act)


def test_a_question_that_is_overtaken_while_it_is_answered_is_ended_when_patience_is() -> None:
    here = Here()

    class Stubborn(Gate):
        def __call__(self) -> str:
            self.began.set()
            assert here.dropped.wait(SECONDS)
            raise AdviserError("ended")

    async def act(scheduler: Any) -> None:
        gate = Stubborn()
        running = asyncio.create_task(scheduler.advise("a", gate))
        await gate.begun()
        assert not here.dropped.is_set()
        running.cancel()
        assert await scheduler.advise("b", lambda: 2) == 2
        assert here.dropped.is_set()

    story(act, adviser=here, patience=0.0)


def test_more_questions_than_can_wait_are_refused() -> None:
    async def act(scheduler: Any) -> None:
        gate = Gate()
        tasks = [asyncio.create_task(scheduler.advise(f"table {k}", gate)) for k in range(201)]
        await gate.begun()
        with pytest.raises(RefusedError, match="Too many questions"):
            await scheduler.advise("one more", gate)
        gate.through.set()
        assert await asyncio.gather(*tasks) == ["done"] * 201
        assert await scheduler.advise("one more", gate) == "done"

    story(act)


class Reader:
    def __init__(self, seat: int | None) -> None:
        self.seat, self.seen, self.language = seat, 0, "en"
        self.sent: list[dict[str, Any]] = []

    def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    async def hears(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        for _ in range(int(SECONDS * 100)):
            found = [message for message in self.sent if wanted(message)]
            if found:
                return found[-1]
            await asyncio.sleep(0.01)
        raise AssertionError(f"not heard among {[m['type'] for m in self.sent]}")


def test_only_the_decision_to_come_is_asked_about_and_verdicts_say_to_which_they_belong(tmp_path: Path) -> None:
    async def act(scheduler: Any) -> None:
        table = LiveTable.open(tmp_path, "blackjack", ["me:Anna"], {}, "instant", 5, Limits(), scheduler)
        reader, gate = Reader(0), Gate()
        table.watchers.add(reader)
        blocked = asyncio.create_task(scheduler.advise("other", gate))
        await gate.begun()
        asked = table.game.forced or table.game.seat is None
        while asked:
            await table.act(
                0,
                "next" if table.game.seat is None else table.game.view(0)["choices"][0]["action"],
                table.sitting.actions,
            )
            asked = table.game.forced or table.game.seat is None
        for _ in range(30):  # the same question again and again is one question
            table.set_coach(0, "before", "count")
        await asyncio.sleep(0)
        assert scheduler.waiting == (0, 1)
        at = table.sitting.actions
        await table.act(0, "leave" if table.game.view(0)["choices"][0]["action"] == "take" else "stand", at)
        gate.through.set()
        assert await blocked == "done"
        verdict = await reader.hears(lambda m: m["type"] == "coach" and m["when"] == "after")
        assert verdict["at"] == at
        assert not [m for m in reader.sent if m["type"] == "coach" and m["when"] == "before" and m["at"] == at]
        await table.close()

    story(act)


def test_the_log_in_memory_is_bounded_and_watchers_miss_no_line(tmp_path: Path) -> None:
    async def act(scheduler: Any) -> None:
        table = LiveTable.open(tmp_path, "blackjack", ["me:Anna"], {}, "instant", 5, Limits(), scheduler)
        reader, said = Reader(0), 0
        table.watchers.add(reader)
        for _ in range(900):
            seat = table.game.seat
            table.sitting.act("next" if seat is None else table.game.view(0)["choices"][0]["action"], safe=False)
            table.tell_all()
            said += len(reader.sent[-1]["said"])
            assert len(table.game.log) <= 260
            reader.sent.clear()
        assert said == table.game.lines > 900
        late = table.message(None, 0)
        assert len(late["said"]) == 60
        await table.close()

    story(act)
