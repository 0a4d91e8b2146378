"""The process that advisers think in: it gives way to everything else, and a question that is overtaken ends with it.

It is handed a question, which holds what one seat sees and nothing else, and the names of an adviser and a play. It is
started with the first question, and again when it has died or was ended.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Protocol

from mazzo.errors import IllegalError, MazzoError
from mazzo.seated import Advice, Question

__all__ = ["AdviserError", "AdviserProcess", "Advises"]

_NICE = 10
"""How much it gives way to bots' moves; more, and on a machine that is very busy advice would come late."""

_END = 5.0
"""Seconds that the system may take to end a process."""


class AdviserError(Exception):
    """An adviser failed, or its process ended; the message is what went wrong in a word."""


class Advises(Protocol):
    """Answers one question at a time."""

    def ask(self, question: Question, adviser: str, played: str | None) -> Advice:
        """What the adviser thinks; waits for it."""

    def drop(self) -> None:
        """End the question that is being answered; may be called from another thread."""

    def close(self) -> None:
        """Answer nothing any more."""


class AdviserProcess:
    """Advisers in a process of their own, asked from one thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._closed = False

    @property
    def process_id(self) -> int | None:
        """Of the process that is there now; None before the first question."""
        return None if self._process is None else self._process.pid

    def ask(self, question: Question, adviser: str, played: str | None = None) -> Advice:
        """What the adviser thinks; IllegalError where it cannot say, AdviserError where it failed."""
        asked = pickle.dumps((question, adviser, played))
        pipe = self._started()
        try:
            pipe.send_bytes(asked)
            kind, answer = pipe.recv()
        except (EOFError, OSError):
            with self._lock:
                self._forget()
            raise AdviserError("ended") from None
        if kind == "advice":
            return answer  # type: ignore[no-any-return]
        raise IllegalError(answer) if kind == "refused" else AdviserError(answer)

    def _started(self) -> Connection:
        """The way to the process, which is started where there is none."""
        with self._lock:
            if self._closed:
                raise AdviserError("closed")
            if self._process is not None and not self._process.is_alive():
                self._forget()
            if self._pipe is None:
                here, there = multiprocessing.Pipe()
                spawn = multiprocessing.get_context("spawn")
                self._process = spawn.Process(target=_advise, args=(there,), daemon=True, name="advisers")
                self._process.start()
                there.close()
                self._pipe = here
            return self._pipe

    def drop(self) -> None:
        """End the process, and with it what it is at; whoever waits for it hears an AdviserError."""
        with self._lock:
            if self._process is not None:
                self._process.kill()
                self._process.join(_END)

    def close(self) -> None:
        """End the process for good."""
        self._closed = True
        self.drop()

    def _forget(self) -> None:
        """Let go of a process that has ended; only the thread that asks does so, as it alone reads from the pipe."""
        process, pipe = self._process, self._pipe
        self._process = self._pipe = None
        if process is not None:
            process.kill()
            process.join(_END)
        if pipe is not None:
            pipe.close()


def _advise(pipe: Connection) -> None:
    """Answer questions until the server goes away."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this
    if hasattr(os, "nice"):
        os.nice(_NICE)
    with suppress(EOFError, OSError):
        while True:
            pipe.send(_answered(*pipe.recv()))


def _answered(question: Question, adviser: str, played: str | None) -> tuple[str, Any]:
    try:
        return "advice", question(adviser, played)
    except MazzoError as error:
        return "refused", str(error)
    except Exception as error:  # an adviser's fault is not the server's
        return "failed", type(error).__name__
