"""Who thinks when: a few threads for all tables' moves, a process for all advice. Tables take turns.

Moves of agents take any free thread. Advice is given by one process that gives way to all others
(`mazzo.web.adviser`), one question at a time with a rest after it, begun only while no move waits: however many ask
their coach, agents play on. A question that is cancelled while it waits is never begun; one that is being answered has
a few seconds more, then the process is ended and another one started. Too many questions are refused. The interpreter
changes between threads oftener than it usually does: a move passes through several of them, and would wait for its turn
at each.
"""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from mazzo.seated import Advice, Question
from mazzo.web.adviser import AdviserProcess, Advises
from mazzo.web.limits import RefusedError
from mazzo.words.texts import text

__all__ = ["Scheduler"]

_T = TypeVar("_T")
_THREADS = 3
_WRITERS = 4
"""Threads that wait for the disk."""
_PATIENCE = 15.0
"""Seconds that a question may still take when nobody waits for it any more: to start a process anew takes some too."""
_MOST_WAITING = 200
"""Questions of all tables together that wait; more are refused."""
_REST, _LONGEST_REST = 1.0, 1.0
"""After advice the next question waits as long as that one took (so many times, so many seconds at most): however many
ask, advisers take half of a core at most, and less the busier the machine is."""
_SWITCH = 0.0005
"""Seconds that a thread may keep the interpreter while others want it."""


class _Job:
    """What a table waits for."""

    def __init__(self, table: str, function: Callable[[], Any], answer: asyncio.Future[Any]) -> None:
        self.table, self.function, self.answer = table, function, answer
        self.began = 0.0


class _Turns:
    """What waits, by table; the table that was served last comes last. However much waits, nothing takes longer."""

    def __init__(self) -> None:
        self._by_table: OrderedDict[str, dict[_Job, None]] = OrderedDict()
        self._count = 0

    def add(self, job: _Job) -> None:
        self._by_table.setdefault(job.table, {})[job] = None
        self._count += 1

    def drop(self, job: _Job) -> None:
        """Forget what nobody waits for any more."""
        jobs = self._by_table.get(job.table, {})
        if job in jobs:
            del jobs[job]
            self._count -= 1
            if not jobs:
                del self._by_table[job.table]

    def take(self) -> _Job | None:
        """The next that nobody has cancelled."""
        while self._by_table:
            table, jobs = self._by_table.popitem(last=False)
            job = next(iter(jobs))
            del jobs[job]
            self._count -= 1
            if jobs:
                self._by_table[table] = jobs
            if not job.answer.done():
                return job
        return None

    def __len__(self) -> int:
        return self._count


class Scheduler:
    """The threads of a server's agents and the process of its advisers; to be used from its event loop only."""

    def __init__(self, threads: int = _THREADS, adviser: Advises | None = None, patience: float = _PATIENCE) -> None:
        self.adviser = adviser or AdviserProcess()
        self._patience = patience
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="agents")
        self._asking = ThreadPoolExecutor(1, thread_name_prefix="advice")  # waits for the process
        self._disk = ThreadPoolExecutor(_WRITERS, thread_name_prefix="disk")
        self._most = {self._pool: threads, self._asking: 1}
        self._running: dict[ThreadPoolExecutor, set[_Job]] = {self._pool: set(), self._asking: set()}
        self._moves, self._advice = _Turns(), _Turns()
        self._rest_until = 0.0
        sys.setswitchinterval(_SWITCH)

    async def move(self, table: str, function: Callable[[], _T]) -> _T:
        """What an agent of a table does, as soon as a thread is free."""
        return await self._wait(self._moves, table, function)

    async def advise(self, table: str, question: Question, adviser: str = "", played: str | None = None) -> Advice:
        """What an adviser says, when no move waits; cancel the task that awaits it, and it is not asked any more."""
        if len(self._advice) >= _MOST_WAITING:
            raise RefusedError(text("refused.advice"))
        try:
            return await self._wait(self._advice, table, partial(self.adviser.ask, question, adviser, played))
        except asyncio.CancelledError:
            for job in self._running[self._asking]:
                if job.answer.cancelled():
                    asyncio.get_running_loop().call_later(self._patience, self._give_up, job)
            raise

    def _give_up(self, job: _Job) -> None:
        """End the process if it is still at a question that was overtaken."""
        if job in self._running[self._asking]:
            self.adviser.drop()

    async def write(self, function: Callable[[], None]) -> None:
        """Wait for the disk while everything else goes on."""
        await asyncio.get_running_loop().run_in_executor(self._disk, function)

    @property
    def waiting(self) -> tuple[int, int]:
        """Moves and questions that are not begun."""
        return len(self._moves), len(self._advice)

    async def _wait(self, turns: _Turns, table: str, function: Callable[[], _T]) -> _T:
        job = _Job(table, function, asyncio.get_running_loop().create_future())
        turns.add(job)
        self._begin()
        try:
            answer: _T = await job.answer
        except asyncio.CancelledError:
            turns.drop(job)
            raise
        return answer

    def _begin(self) -> None:
        for pool, turns in ((self._pool, self._moves), (self._asking, self._advice)):
            while len(self._running[pool]) < self._most[pool]:
                if pool is self._asking and (len(self._moves) or self._resting()):
                    return
                job = turns.take()
                if job is None:
                    break
                self._running[pool].add(job)
                job.began = asyncio.get_running_loop().time()
                done = asyncio.get_running_loop().run_in_executor(pool, job.function)
                done.add_done_callback(lambda done, pool=pool, job=job: self._done(pool, job, done))  # type: ignore[misc]

    def _done(self, pool: ThreadPoolExecutor, job: _Job, done: asyncio.Future[Any]) -> None:
        self._running[pool].discard(job)
        if pool is self._asking:
            self._rest(job)
        error = None if done.cancelled() else done.exception()
        if job.answer.done():
            pass
        elif done.cancelled():
            job.answer.cancel()
        elif error is not None:
            job.answer.set_exception(error)
        else:
            job.answer.set_result(done.result())
        self._begin()

    def _rest(self, job: _Job) -> None:
        """Leave the processor to others for a while."""
        loop = asyncio.get_running_loop()
        rest = min(_LONGEST_REST, _REST * (loop.time() - job.began))
        self._rest_until = loop.time() + rest
        loop.call_later(rest, self._begin)

    def _resting(self) -> bool:
        return asyncio.get_running_loop().time() < self._rest_until

    def close(self) -> None:
        """Begin nothing any more."""
        self._moves, self._advice = _Turns(), _Turns()
        self.adviser.close()
        for pool in (*self._most, self._disk):
            pool.shutdown(wait=False, cancel_futures=True)
