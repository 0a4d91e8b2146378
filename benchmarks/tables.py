"""Many tables of bots while people ask their coaches all the time: how long a bot's move takes, and the memory.

    python -m benchmarks.tables [--tables 50] [--coaches 10] [--minutes 10] [--nice 0]

Plays against a real server on 127.0.0.1. A bot's move takes from the moment the agent is asked until its watcher has
the bytes. Stretches without and with coaches alternate (`--stretch` seconds each), so that other work on the machine
falls on both alike. A coach is a person at a table of blackjack or Hold'em who has the coach before every play, asks
another adviser again and again, and plays; these people are a process of their own, so that whoever watches and
measures has the same work in both stretches. `--nice -10` (as root) puts server and watchers before other work on the
machine, as if its cores were free. The server's memory and processor time are printed every minute.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import numpy as np
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from benchmarks.web import open_table

ASKED = {"holdem": ("odds", "rich", "utility+"), "blackjack": ("count", "chart")}
BOTS = ["utility", "chart", "call", "random"]
WARM = 20.0
MOST_COLD = 240
"""Seconds that first moves may take."""


class Measured:
    """Moves of bots by whether coaches were asked meanwhile."""

    def __init__(self, asking: Event) -> None:
        self.asking = asking
        self.moves: dict[bool, list[float]] = {False: [], True: []}
        self.heard = 0
        self.warm = False

    def p95(self, asking: bool) -> float:
        return float(np.percentile(self.moves[asking], 95) * 1000) if self.moves[asking] else float("nan")


@asynccontextmanager
async def _sitting(address: str, table: str, token: str) -> AsyncIterator[ClientConnection]:
    async with connect(f"ws{address[4:]}/ws", origin=Origin(address), max_size=None) as socket:
        await socket.send(json.dumps({"do": "sit", "table": table, "token": token}))
        yield socket


async def watch(address: str, path: str, measured: Measured) -> None:
    """Follow a table of bots and note how late each move comes."""
    async with _sitting(address, path.split("/")[2], "") as socket:
        async for raw in socket:
            message = json.loads(raw)
            if "acted" in message:
                measured.heard += 1
            if "acted" in message and measured.warm:
                measured.moves[measured.asking.is_set()].append(time.time() - message["acted"])


def ask_all(address: str, seats: list[tuple[str, str]], asking: Event, answers: Any) -> None:
    """All people who ask, in a process of their own; each asks while others do, until the process is ended."""

    async def together() -> None:
        await asyncio.gather(*(ask(address, game, path, asking, answers) for game, path in seats))

    asyncio.run(together())


async def ask(address: str, game: str, path: str, asking: Event, answers: Any) -> None:
    """Sit down, ask one adviser after another, and play."""
    _, _, table, token = path.split("/")
    state: dict[str, Any] = {}
    async with _sitting(address, table, token) as socket:
        hearing = asyncio.create_task(_hear(socket, state, answers))
        try:
            with suppress(ConnectionClosed):
                await _ask_on(socket, game, state, asking, hearing)
        finally:
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)


async def _hear(socket: ClientConnection, state: dict[str, Any], answers: Any) -> None:
    async for raw in socket:
        message = json.loads(raw)
        if message["type"] == "state":
            state.update(message)
        answers.value += message["type"] == "coach"


async def _ask_on(
    socket: ClientConnection, game: str, state: dict[str, Any], asking: Event, hearing: asyncio.Task[None]
) -> None:
    advisers = itertools.cycle(ASKED[game])
    while not hearing.done():
        if not asking.is_set():
            await asyncio.sleep(0.1)
            continue
        await socket.send(json.dumps({"do": "coach", "mode": "before", "adviser": next(advisers)}))
        await asyncio.sleep(0.1)
        choices = state.get("view", {}).get("choices", [])
        if choices:
            calm = [c["action"] for c in choices if c["action"] in ("c", "stand", "leave", "next")]
            action = (calm or [choices[0]["action"]])[0]
            await socket.send(json.dumps({"do": "act", "action": action, "at": state["at"]}))
        await asyncio.sleep(0.1)


def memory_of(process: int) -> float:
    """Resident memory in MB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def seconds_of(process: int) -> float:
    """Processor seconds used so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(address: str, given: argparse.Namespace, server: int) -> dict[str, Any]:
    bots = [open_table(address, "holdem", BOTS, given.speed, k) for k in range(given.tables)]
    games = list(itertools.islice(itertools.cycle(ASKED), given.coaches))
    seats = [open_table(address, g, ["me", *["call"] * (g == "holdem")], "instant", k) for k, g in enumerate(games)]
    spawn = multiprocessing.get_context("spawn")
    answers, measured = spawn.Value("q", 0), Measured(spawn.Event())
    asked = address, list(zip(games, seats, strict=True)), measured.asking, answers
    people = spawn.Process(target=ask_all, args=asked, daemon=True)
    people.start()
    tasks = [asyncio.create_task(watch(address, path, measured)) for path in bots]
    measured.asking.set()
    for _ in range(MOST_COLD):  # a first move may wait for a compiler
        await asyncio.sleep(1)
        if measured.heard >= given.tables and answers.value >= given.coaches:
            break
    await asyncio.sleep(given.warm)
    measured.warm = True
    memory = [memory_of(server)]
    began = shown = time.monotonic()
    while time.monotonic() - began < given.minutes * 60:
        if measured.asking.is_set():
            measured.asking.clear()
        else:
            measured.asking.set()
        await asyncio.sleep(min(given.stretch, given.minutes * 30))
        if time.monotonic() - shown >= 60:
            shown += 60
            memory.append(memory_of(server))
            about = f"{memory[-1]:.1f} MB, {seconds_of(server):.1f} processor seconds, load {os.getloadavg()[0]:.1f}"
            print(f"minute {len(memory) - 1}: {about}", file=sys.stderr, flush=True)
    memory.append(memory_of(server))
    people.kill()
    people.join()
    failed = [task for task in tasks if task.done() and not task.cancelled() and task.exception() is not None]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return _result(given, measured, answers.value, memory, len(failed))


def _result(
    given: argparse.Namespace, measured: Measured, answers: int, memory: list[float], failed: int
) -> dict[str, Any]:
    without, along = measured.p95(False), measured.p95(True)
    return {
        "tables": given.tables,
        "coaches": given.coaches,
        "minutes": given.minutes,
        "moves_without_coaches": len(measured.moves[False]),
        "moves_with_coaches": len(measured.moves[True]),
        "answers_of_coaches": answers,
        "p95_ms_without_coaches": round(without, 1),
        "p95_ms_with_coaches": round(along, 1),
        "ratio": round(along / without, 2),
        "memory_mb": [round(value, 1) for value in memory],
        "connections_lost": failed,
        "nice": given.nice,
        "load": round(os.getloadavg()[1], 1),
    }


def run(words: list[str] | None = None) -> dict[str, Any]:
    """Start a server, measure, end it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--coaches", type=int, default=10)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--stretch", type=float, default=15)
    parser.add_argument("--warm", type=float, default=WARM)
    parser.add_argument("--speed", default="normal")
    parser.add_argument("--nice", type=int, default=0)
    given = parser.parse_args(words)
    os.nice(given.nice)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "mazzo", "serve", "--no-browser", "--port", "0", "--data", folder]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder)
        assert server.stderr is not None
        address = server.stderr.readline().split()[3].rstrip("/")
        try:
            longest = given.minutes * 60 + given.warm + MOST_COLD + 60
            return asyncio.run(asyncio.wait_for(measure(address, given, server.pid), longest))
        finally:
            server.terminate()
            server.communicate(timeout=20)


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
