"""The dealer on the network: one port a seat, the competition's protocol and time limits, our agents in any seat."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from mazzo.agent import Agent
from mazzo.errors import UnreadableError
from mazzo.holdem.dealer.connection import DealerConnection
from mazzo.holdem.dealer.limits import DealerLimits
from mazzo.holdem.dealer.match import DealerMatch
from mazzo.holdem.observation import Finished, Observations

__all__ = ["DealerSeat", "Outcome", "serve"]

_MOST_WAITING = 8  # connections to a seat that nobody has taken yet
_VERSION = re.compile(r"VERSION:2\.\d+\.\d+")


@dataclass
class DealerSeat:
    """Who sits where: a program that connects to `port` (0: any free one), or one of our agents."""

    name: str
    port: int | None = None
    agent: Agent[Observations] | None = None
    connection: DealerConnection | None = None
    failed: str = ""
    """Why this seat no longer answers."""
    used: float = 0.0
    """Seconds thought in the match so far."""
    ignored: int = 0
    """Lines that were no answer to the state at hand."""


@dataclass
class Outcome:
    """How a match went."""

    score: str
    hands: int
    totals: dict[str, float]
    replaced: dict[str, int] = field(default_factory=dict)
    ignored: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The outcome as plain data."""
        return {
            "hands": self.hands,
            "score": self.totals,
            "replaced": self.replaced,
            "ignored": self.ignored,
            "failed": self.failed,
        }


class _MatchEndedError(Exception):
    """A seat failed, and failures end the match."""


class _Dealer:
    def __init__(
        self,
        match: DealerMatch,
        seats: Sequence[DealerSeat],
        limits: DealerLimits,
        log: Callable[[str], None],
        ends: bool,
    ) -> None:
        self.match, self.seats, self.limits, self.log, self.ends = match, seats, limits, log, ends
        self.taken: set[int] = set()  # seats, by identity, for which nobody else is let in

    async def seat_everyone(self, host: str, waiting: Callable[[DealerSeat], None]) -> list[asyncio.Server]:
        """Open the ports and wait until every seat is taken, or its time is over."""
        servers, taken = [], []
        for seat in self.seats:
            if seat.agent is None:
                server, arrived = await self._open(seat, host)
                servers.append(server)
                taken.append((seat, arrived))
                waiting(seat)
        deadline = time.monotonic() + self.limits.start
        for seat, arrived in taken:
            await self._welcome(seat, arrived, deadline)
        return servers

    async def _open(self, seat: DealerSeat, host: str) -> tuple[asyncio.Server, asyncio.Queue[DealerConnection]]:
        arrived: asyncio.Queue[DealerConnection] = asyncio.Queue(_MOST_WAITING)

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if id(seat) in self.taken or arrived.full():
                writer.close()  # the seat is taken
            else:
                arrived.put_nowait(DealerConnection(reader, writer))

        try:
            server = await asyncio.start_server(connected, host, seat.port)
        except OSError as error:
            raise UnreadableError(f"cannot listen on {host} port {seat.port} for {seat.name}: {error}") from None
        seat.port = server.sockets[0].getsockname()[1]
        return server, arrived

    async def _welcome(self, seat: DealerSeat, arrived: asyncio.Queue[DealerConnection], deadline: float) -> None:
        """Seat the first client that says something; one that opens a connection and closes it takes no seat."""
        line: str | None = None
        try:
            while line is None:
                seat.connection = None
                connection = await asyncio.wait_for(arrived.get(), max(0.001, deadline - time.monotonic()))
                seat.connection = connection
                line = await asyncio.wait_for(connection.lines.get(), max(0.001, deadline - time.monotonic()))
                if line is None:
                    await connection.close()
        except TimeoutError:
            what = "said no version" if seat.connection else "did not connect"
            self.taken.add(id(seat))
            self.fail(seat, f"it {what} within {self.limits.start:g} s")
            return
        self.taken.add(id(seat))
        while not arrived.empty():
            await arrived.get_nowait().close()
        if not _VERSION.fullmatch(line.strip()):
            self.fail(seat, f"it began with {line[:40]!r}, not VERSION:2.0.0")

    def fail(self, seat: DealerSeat, why: str) -> None:
        """A seat does not answer any more."""
        seat.failed = why
        then = "the match ends" if self.ends else "from here on it checks where it can and folds otherwise"
        hand = f"hand {self.match.number}: " if self.match.number >= 0 else ""
        self.log(f"# {hand}{seat.name}: {why}; {then}")
        if self.ends:
            raise _MatchEndedError

    def tell(self) -> None:
        for number, seat in enumerate(self.seats):
            if seat.connection is not None and not seat.failed:
                seat.connection.send(self.match.message(number))

    async def play(self) -> None:
        while self.match.next_hand():
            thought = [0.0] * len(self.seats)
            self.tell()
            while (turn := self.match.turn) is not None:
                await self._act(turn, thought)
                self.tell()
            self.log(self.match.finish_hand())
            self._hand_over()

    async def _act(self, turn: int, thought: list[float]) -> None:
        seat, match = self.seats[turn], self.match
        if seat.agent is not None:
            match.act(int(seat.agent.decide(match.observe())[0]))
            return
        if not seat.failed:
            began = time.monotonic()
            try:
                answered = await self._answer(seat, self._patience(seat, thought[turn]))
            finally:
                spent = time.monotonic() - began
                thought[turn] += spent
                seat.used += spent
            if answered:
                return
        match.give_up()

    def _patience(self, seat: DealerSeat, thought: float) -> tuple[float, str]:
        """How long a seat may think now, and which limit says so."""
        limits, hands = self.limits, self.match.hands
        return min(
            (limits.response, f"no answer within {limits.response:g} s"),
            (limits.hand - thought, f"more than {limits.hand:g} s for one hand"),
            (limits.per_hand * hands - seat.used, f"more than {limits.per_hand:g} s a hand over the match"),
        )

    async def _answer(self, seat: DealerSeat, patience: tuple[float, str]) -> bool:
        """Wait for an answer and carry it out; False if the seat failed."""
        assert seat.connection is not None
        deadline = time.monotonic() + patience[0]
        replaced = len(self.match.replaced)
        while True:
            left = deadline - time.monotonic()
            try:
                line = await asyncio.wait_for(seat.connection.lines.get(), left) if left > 0 else None
            except TimeoutError:
                left = 0
            if left <= 0:
                self.fail(seat, patience[1])
                return False
            if line is None:
                self.fail(seat, seat.connection.gone or "it is gone")
                return False
            if self.match.answer(line):
                for note in self.match.replaced[replaced:]:
                    self.log(
                        f"# {seat.name}, hand {note.hand}: {note.answer[:80]!r} became {note.played!r}: {note.why}"
                    )
                return True
            seat.ignored += not line.startswith(("#", ";"))

    def _hand_over(self) -> None:
        table = self.match.table
        for number, seat in enumerate(self.seats):
            if seat.agent is not None and seat.agent.learns:
                seat.agent.on_hands_finished(Finished.of(table, number, table.settle()))

    def outcome(self) -> Outcome:
        match, seats = self.match, self.seats
        return Outcome(
            match.score,
            min(match.number, match.hands),
            {seat.name: float(total) for seat, total in zip(seats, match.totals, strict=True)},
            {seats[number].name: count for number, count in match.counts.items()},
            {seat.name: seat.ignored for seat in seats if seat.ignored},
            {seat.name: seat.failed for seat in seats if seat.failed},
        )


async def serve(
    match: DealerMatch,
    seats: Sequence[DealerSeat],
    *,
    limits: DealerLimits | None = None,
    log: Callable[[str], None] = lambda line: None,
    host: str = "127.0.0.1",
    waiting: Callable[[DealerSeat], None] = lambda seat: None,
    ends_on_failure: bool = False,
) -> Outcome:
    """Run a match to its end.

    Args:
        match: what is played.
        seats: who plays it.
        limits: how long players may think.
        log: takes every line of the log: hands, and comments on what went wrong.
        host: the address to listen on.
        waiting: is told of every seat that waits for its program, with the port.
        ends_on_failure: a timeout or disconnection ends the match; else that seat checks or folds to the end.
    """
    if len(seats) != match.game.players:
        raise UnreadableError(f"{match.game.name} seats {match.game.players} players, {len(seats)} were given")
    dealer = _Dealer(match, seats, limits or DealerLimits(), log, ends_on_failure)
    servers: list[asyncio.Server] = []
    try:
        servers = await dealer.seat_everyone(host, waiting)
        await dealer.play()
    except _MatchEndedError:
        pass
    finally:
        for server in servers:
            server.close()
        for seat in seats:
            if seat.connection is not None:
                await seat.connection.close()
    outcome = dealer.outcome()
    for name, count in outcome.replaced.items():
        log(f"# {name}: {count} answers replaced")
    for name, count in outcome.ignored.items():
        log(f"# {name}: {count} lines ignored")
    log(outcome.score)
    return outcome
