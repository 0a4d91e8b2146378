"""Fifty tables of bots with a watcher each, and a person who plays meanwhile: how long an action takes.

    python -m benchmarks.web [--tables 50] [--seconds 20] [--speed fast]

An action of a bot takes from the moment the agent is asked until its watcher has the bytes; a person's from the moment
it is sent until the answer is back. The server and the watchers share this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

import numpy as np
from websockets.asyncio.client import connect
from websockets.typing import Origin


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *given: object) -> None:
        return None


def open_table(address: str, game: str, seats: list[str], speed: str, seed: int) -> str:
    form = {"seats": str(len(seats)), "speed": speed, "seed": str(seed)}
    for k, who in enumerate(seats):
        form |= {f"seat{k}": who, f"name{k}": f"P{k}"}
    try:
        build_opener(_Stay).open(Request(f"{address}/new/{game}", urlencode(form).encode()))
    except Exception as moved:
        return str(moved.headers["location"])  # type: ignore[attr-defined]  # HTTPError of a redirect
    raise AssertionError("no table was opened")


async def watch(address: str, path: str, until: float, gaps: list[float]) -> int:
    """Follow a table; note how late each action comes after the one before, less the pause between actions."""
    parts = path.split("/")
    states = 0
    async with connect(f"ws{address[4:]}/ws", origin=Origin(address), max_size=None) as socket:
        await socket.send(json.dumps({"do": "sit", "table": parts[2], "token": ""}))
        while time.monotonic() < until:
            try:
                message = json.loads(await asyncio.wait_for(socket.recv(), 1))
            except TimeoutError:
                continue
            if message["type"] == "state":
                states += 1
                if "acted" in message:
                    gaps.append(time.time() - message["acted"])
    return states


async def person(address: str, path: str, until: float, times: list[float]) -> None:
    """Play hand after hand at once, and note how long each answer takes."""
    _, _, table, token = path.split("/")
    async with connect(f"ws{address[4:]}/ws", origin=Origin(address), max_size=None) as socket:
        await socket.send(json.dumps({"do": "sit", "table": table, "token": token}))
        sent, at = 0.0, -1
        while time.monotonic() < until:
            message = json.loads(await socket.recv())
            if message["type"] != "state":
                continue
            if sent and message["at"] > at:
                times.append(time.perf_counter() - sent)
                sent = 0.0
            choices = message["view"]["choices"]
            if choices and not sent:
                await asyncio.sleep(0.05)  # below the rate a person is allowed
                action = next((c["action"] for c in choices if c["action"] in ("c", "next")), choices[0]["action"])
                at, sent = message["at"], time.perf_counter()
                await socket.send(json.dumps({"do": "act", "action": action, "at": at}))


async def measure(address: str, tables: int, seconds: float, speed: str) -> dict[str, object]:
    bots = [open_table(address, "holdem", ["utility", "chart", "call", "random"], speed, k) for k in range(tables)]
    mine = open_table(address, "holdem", ["me", "call"], "instant", 1)
    gaps: list[float] = []
    times: list[float] = []
    warm = time.monotonic() + 15
    await asyncio.gather(*(watch(address, path, warm, []) for path in bots), person(address, mine, warm, []))
    until = time.monotonic() + seconds
    watchers = [watch(address, path, until, gaps) for path in bots]
    counts = await asyncio.gather(*watchers, person(address, mine, until, times))
    states = sum(c for c in counts if c is not None)
    p95 = [float(np.percentile(v, 95) * 1000) for v in (gaps, times)]
    return {
        "tables": tables,
        "speed": speed,
        "actions": states,
        "actions_per_second": round(states / seconds, 1),
        "bot_p95_ms": round(p95[0], 1),
        "bot_median_ms": round(float(np.median(gaps) * 1000), 1),
        "person_p95_ms": round(p95[1], 1),
        "person_actions": len(times),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--speed", default="normal")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "mazzo", "serve", "--no-browser", "--port", "0", "--data", folder]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert server.stderr is not None
        address = server.stderr.readline().split()[3].rstrip("/")
        time.sleep(3)
        try:
            print(json.dumps(asyncio.run(measure(address, given.tables, given.seconds, given.speed)), indent=2))
        finally:
            server.terminate()
            server.communicate(timeout=20)


if __name__ == "__main__":
    main()
