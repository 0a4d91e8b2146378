"""Dealer and clients over loopback: the same match as in one process, whatever a client does."""

from __future__ import annotations

import asyncio
import contextlib
import runpy
import socket
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from mazzo.agent import create
from mazzo.errors import UnreadableError
from mazzo.holdem import PRESETS
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.dealer import DealerLimits, DealerMatch, DealerSeat, play_on, serve
from mazzo.holdem.dealer.server import Outcome
from mazzo.holdem.match import HoldemMatch

ROOT = Path(__file__).parents[3]
PATIENT = DealerLimits(response=60, hand=60, per_hand=60, start=60)


def run(
    match: DealerMatch, seats: list[DealerSeat], clients: dict[str, Callable[[int], object]], **options: object
) -> tuple[Outcome, list[str]]:
    """Run a match, starting each client in a thread of its own as soon as its port is open."""
    log: list[str] = []
    threads: list[threading.Thread] = []

    def start(seat: DealerSeat) -> None:
        if seat.name in clients:
            thread = threading.Thread(target=clients[seat.name], args=(seat.port,), daemon=True)
            threads.append(thread)
            thread.start()

    outcome = asyncio.run(serve(match, seats, log=log.append, waiting=start, **options))  # type: ignore[arg-type]
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()
    return outcome, log


def client(agent: str, game: str, seed: int) -> Callable[[int], object]:
    return lambda port: play_on("127.0.0.1", port, create(agent, AGENTS), PRESETS[game], seed)


@pytest.mark.parametrize(
    ("game", "agents", "deals"),
    [("holdem-limit-3p", ("random", "chart", "random"), 334), ("holdem-nolimit-2p", ("random", "chart"), 500)],
)
def test_a_match_over_loopback_is_the_match_in_one_process(game: str, agents: tuple[str, ...], deals: int) -> None:
    seed, players = 11, [create(name, AGENTS) for name in agents]
    for number, player in enumerate(players):
        player.name = f"p{number}"
    _, lines = HoldemMatch(PRESETS[game]).play(players, range(deals), seed, log=True)
    names = [f"p{number}" for number in range(len(agents))]
    match = DealerMatch(PRESETS[game], len(lines), seed, names, duplicate=True)
    clients = {name: client(agent, game, seed) for name, agent in zip(names, agents, strict=True)}
    outcome, log = run(match, [DealerSeat(name, 0) for name in names], clients)
    assert not outcome.replaced
    assert not outcome.ignored
    assert log[:-1] == lines
    assert log[-1].startswith("SCORE:")


def test_agents_in_the_dealer_s_own_seats_play_alike() -> None:
    game, seed = "holdem-limit-3p", 5
    players = [create("random", AGENTS) for _ in range(3)]
    for number, player in enumerate(players):
        player.name = f"p{number}"
    _, lines = HoldemMatch(PRESETS[game]).play(players, range(20), seed, log=True)
    match = DealerMatch(PRESETS[game], 60, seed, ["p0", "p1", "p2"], duplicate=True)
    seats = [DealerSeat("p0", agent=players[0]), DealerSeat("p1", 0), DealerSeat("p2", agent=players[2])]
    _, log = run(match, seats, {"p1": client("random", game, seed)})
    assert log[:-1] == lines


def test_a_connection_that_opens_and_closes_takes_no_seat() -> None:
    def knocks_first(port: int) -> object:
        for _ in range(3):
            socket.create_connection(("127.0.0.1", port)).close()
        return client("random", "holdem-limit-2p", 5)(port)

    match = DealerMatch(PRESETS["holdem-limit-2p"], 4, 5, ["p0", "p1"])
    seats = [DealerSeat("p0", agent=create("random", AGENTS)), DealerSeat("p1", 0)]
    outcome, log = run(match, seats, {"p1": knocks_first})
    assert outcome.failed == {}
    assert len(log) == 5


Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def hostile(talk: Talk) -> Callable[[int], object]:
    async def connect(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await talk(reader, writer)
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    return lambda port: asyncio.run(connect(port))


async def says_garbage(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"VERSION:2.0.0\r\n")
    while line := await reader.readline():
        writer.write(b"\xff\xfe lalala\r\nMATCHSTATE:x\r\n" + line.rstrip() + b":dance\r\n")


async def never_answers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"VERSION:2.0.0\r\n")
    while await reader.readline():
        pass


async def answers_twice(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"VERSION:2.0.0\n")
    while line := await reader.readline():
        writer.write(2 * (line.rstrip() + b":c\n"))


async def sends_a_megabyte(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"VERSION:2.0.0\r\n" + b"x" * 1_000_000)
    await writer.drain()
    while await reader.readline():
        pass


async def vanishes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"VERSION:2.0.0\r\n")
    await reader.readline()
    writer.transport.abort()


async def speaks_another_language(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"GET / HTTP/1.1\r\n\r\n")
    await reader.read()


@pytest.mark.parametrize(
    ("talk", "failed", "said"),
    [
        (says_garbage, "", "'dance' became 'c': it is not an action"),
        (answers_twice, "", "lines ignored"),
        (sends_a_megabyte, "without a newline", "without a newline"),
        (vanishes, "connection", "from here on it checks where it can and folds otherwise"),
        (speaks_another_language, "not VERSION:2.0.0", "GET / HTTP"),
    ],
)
def test_the_match_goes_on_whatever_one_client_does_and_the_log_says_it(talk: Talk, failed: str, said: str) -> None:
    game = "holdem-limit-3p"
    match = DealerMatch(PRESETS[game], 30, 4, ["good", "bad", "ours"])
    seats = [DealerSeat("good", 0), DealerSeat("bad", 0), DealerSeat("ours", agent=create("call", AGENTS))]
    clients = {"good": client("call", game, 4), "bad": hostile(talk)}
    outcome, log = run(match, seats, clients, limits=PATIENT)
    assert outcome.hands == 30
    assert sum(line.startswith("STATE:") for line in log) == 30
    assert failed in outcome.failed.get("bad", "")
    assert bool(outcome.failed) == bool(failed)
    assert any(line.startswith("#") and said in line for line in log)
    assert "good" not in outcome.failed


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (DealerLimits(response=0.1), "no answer within 0.1 s"),
        (DealerLimits(hand=0.1), "more than 0.1 s for one hand"),
        (DealerLimits(per_hand=0.01), "more than 0.01 s a hand over the match"),
    ],
)
def test_a_client_that_is_late_is_no_longer_waited_for(limits: DealerLimits, said: str) -> None:
    match = DealerMatch(PRESETS["holdem-limit-3p"], 30, 4, ["bad", "call#1", "call#2"])
    seats = [DealerSeat("bad", 0), *(DealerSeat(f"call#{k}", agent=create("call", AGENTS)) for k in (1, 2))]
    outcome, log = run(match, seats, {"bad": hostile(never_answers)}, limits=limits)
    assert outcome.failed == {"bad": said}
    assert outcome.hands == 30
    assert sum(line.startswith("# hand") for line in log) == 1


def test_a_failed_seat_checks_where_it_can_and_folds_otherwise() -> None:
    match = DealerMatch(PRESETS["holdem-limit-2p"], 4, 4, ["bad", "ours"])
    seats = [DealerSeat("bad", 0), DealerSeat("ours", agent=create("call", AGENTS))]
    _, log = run(match, seats, {"bad": hostile(speaks_another_language)}, limits=PATIENT)
    betting = [line.split(":")[2] for line in log if line.startswith("STATE:")]
    assert betting == ["cc/cc/cc/cc", "f", "cc/cc/cc/cc", "f"]


def test_a_failure_ends_the_match_if_asked_for() -> None:
    match = DealerMatch(PRESETS["holdem-limit-2p"], 1000, 4, ["bad", "ours"])
    seats = [DealerSeat("bad", 0), DealerSeat("ours", agent=create("call", AGENTS))]
    outcome, log = run(match, seats, {"bad": hostile(vanishes)}, limits=PATIENT, ends_on_failure=True)
    assert outcome.hands < 1000
    assert any("the match ends" in line for line in log)


def test_a_seat_that_nobody_takes_fails_at_the_start() -> None:
    match = DealerMatch(PRESETS["holdem-limit-2p"], 3, 4, ["nobody", "ours"])
    seats = [DealerSeat("nobody", 0), DealerSeat("ours", agent=create("call", AGENTS))]
    outcome, _ = run(match, seats, {}, limits=DealerLimits(start=0.05))
    assert outcome.failed == {"nobody": "it did not connect within 0.05 s"}
    assert outcome.hands == 3


def test_no_dealer_is_an_error_that_says_so() -> None:
    with pytest.raises(UnreadableError, match="no dealer answers"):
        play_on("127.0.0.1", 1, create("call", AGENTS), timeout=1)


def test_the_client_that_the_page_shows_plays_on_the_dealer() -> None:
    path = ROOT / "examples" / "clients" / "always_call.py"
    shown = path.read_text()
    assert shown[shown.index("import contextlib") :] in (ROOT / "docs" / "dealer.md").read_text()
    play = runpy.run_path(str(path))["play"]
    match = DealerMatch(PRESETS["holdem-limit-2p"], 20, 3, ["caller", "raise"])
    raiser = DealerSeat("raise", agent=create("raise", AGENTS))
    outcome, log = run(
        match, [DealerSeat("caller", 0), raiser], {"caller": lambda port: play("127.0.0.1", port)}, limits=PATIENT
    )
    assert not outcome.replaced
    assert sum(line.startswith("STATE:") for line in log) == 20
    assert not any("f" in line.split(":")[2] for line in log if line.startswith("STATE:"))
