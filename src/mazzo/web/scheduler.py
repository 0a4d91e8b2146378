"""Who thinks when: a few threads for all tables. Moves come before advice, and tables take turns.

Moves of agents take any free thread. Advice takes one thread at most, and begins only while no move waits: however
many ask their coach, agents play on. What is cancelled while it waits is never begun; what has begun runs to its end,
but holds nothing but the one thread of advice. The interpreter changes between threads oftener than it usually does:
a move passes through several of them, and would wait for its turn at each.
"""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

__all__ = ["Scheduler"]

_T = TypeVar("_T")
_THREADS = 3
_ADVICE = 1
_SWITCH = 0.0005
"""Seconds that a thread may keep the interpreter while others want it."""


class _Turns:
    """What waits, by table; the table that was served last comes last."""

    def __init__(self) -> None:
        self._by_table: OrderedDict[str, deque[_Job]] = OrderedDict()

    def add(self, job: _Job) -> None:
        self._by_table.setdefault(job.table, deque()).append(job)

    def take(self) -> _Job | None:
        """The next that nobody has cancelled."""
        while self._by_table:
            table, jobs = self._by_table.popitem(last=False)
            while jobs:
                job = jobs.popleft()
                if not job.answer.done():
                    if jobs:
                        self._by_table[table] = jobs
                    return job
        return None

    def __len__(self) -> int:
        return sum(not job.answer.done() for jobs in self._by_table.values() for job in jobs)


class _Job:
    def __init__(self, table: str, function: Callable[[], Any], answer: asyncio.Future[Any]) -> None:
        self.table, self.function, self.answer = table, function, answer


class Scheduler:
    """The threads of a server's agents and advisers; to be used from its event loop only."""

    def __init__(self, threads: int = _THREADS, advice: int = _ADVICE) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="agents")
        self._advisers = ThreadPoolExecutor(advice, thread_name_prefix="advisers")
        self._most = {self._pool: threads, self._advisers: advice}
        self._running = dict.fromkeys(self._most, 0)
        self._moves, self._advice = _Turns(), _Turns()
        sys.setswitchinterval(_SWITCH)

    async def move(self, table: str, function: Callable[[], _T]) -> _T:
        """What an agent of a table does, as soon as a thread is free."""
        return await self._wait(self._moves, table, function)

    async def advise(self, table: str, function: Callable[[], _T]) -> _T:
        """What an adviser says, when no move waits; cancel the task that awaits it, and it is not asked any more."""
        return await self._wait(self._advice, table, function)

    @property
    def waiting(self) -> tuple[int, int]:
        """Moves and questions that are not begun."""
        return len(self._moves), len(self._advice)

    async def _wait(self, turns: _Turns, table: str, function: Callable[[], _T]) -> _T:
        job = _Job(table, function, asyncio.get_running_loop().create_future())
        turns.add(job)
        self._begin()
        answer: _T = await job.answer
        return answer

    def _begin(self) -> None:
        for pool, turns in ((self._pool, self._moves), (self._advisers, self._advice)):
            while self._running[pool] < self._most[pool]:
                if pool is self._advisers and len(self._moves):
                    return
                job = turns.take()
                if job is None:
                    break
                self._running[pool] += 1
                done = asyncio.get_running_loop().run_in_executor(pool, job.function)
                done.add_done_callback(lambda done, pool=pool, job=job: self._done(pool, job, done))  # type: ignore[misc]

    def _done(self, pool: ThreadPoolExecutor, job: _Job, done: asyncio.Future[Any]) -> None:
        self._running[pool] -= 1
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

    def close(self) -> None:
        """Begin nothing any more."""
        self._moves, self._advice = _Turns(), _Turns()
        for pool in self._most:
            pool.shutdown(wait=False, cancel_futures=True)
