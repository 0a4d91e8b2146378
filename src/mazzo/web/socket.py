"""The one websocket: who sits down, acts, asks the coach, or watches a match of the lab."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from mazzo.errors import IllegalError, MazzoError, UnreadableError
from mazzo.web.advice import bot_shown
from mazzo.web.hub import Hub
from mazzo.web.lab import live_match
from mazzo.web.limits import Bucket, RefusedError
from mazzo.web.live import LiveTable
from mazzo.words.texts import spoken_language, text

__all__ = ["serve_socket"]

_QUEUE = 500
_PATIENCE = 200
"""Messages refused in a row before the connection is closed."""
_FAREWELL = 5.0
"""Seconds in which a browser may still take the reason why it is let go."""


class BrowserConnection:
    """One browser's connection."""

    def __init__(self, socket: WebSocket, hub: Hub) -> None:
        self.socket, self.hub = socket, hub
        self.table: LiveTable | None = None
        self.seat: int | None = None
        self.seen = 0
        self.language = spoken_language()
        self.bucket = Bucket(hub.limits.messages_per_second, hub.limits.burst)
        self.let_go = asyncio.Event()
        self._reason = ""
        self._out: asyncio.Queue[str | None] = asyncio.Queue(_QUEUE)
        self._match: asyncio.Task[None] | None = None

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message; who does not read for long is let go."""
        try:
            self._out.put_nowait(json.dumps(message))
        except asyncio.QueueFull:
            self.close(text("refused.slow"))

    def close(self, reason: str) -> None:
        """Let the browser go: what still waits for it is dropped, and the writer ends with the reason."""
        self._reason = reason
        self.leave()
        while not self._out.empty():
            self._out.get_nowait()
        self._out.put_nowait(None)
        self.let_go.set()

    def leave(self) -> None:
        """Get up from the table and stop a match."""
        if self.table is not None:
            table, self.table = self.table, None
            table.watchers.discard(self)
            if self.seat is not None:
                table.came_or_left()
        if self._match is not None:
            self._match.cancel()

    async def write(self) -> None:
        """Send what is queued."""
        while (line := await self._out.get()) is not None:
            await self.socket.send_text(line)
        await self.socket.close(1013, self._reason)

    async def read(self) -> None:
        """Answer messages until the browser goes."""
        refused = 0
        while True:
            data = await self.socket.receive()
            if data["type"] == "websocket.disconnect":
                return
            try:
                if not self.bucket.take():
                    raise RefusedError(text("refused.fast"))
                await self._answer(_parse(data, self.hub.limits.message_bytes))
                refused = 0
            except MazzoError as error:
                refused += 1
                self.send({"type": "refused", "reason": str(error)[:500]})
                if refused > _PATIENCE:
                    self.close(text("refused.fast"))
                    return

    async def _answer(self, message: Mapping[str, Any]) -> None:
        do = message.get("do")
        if do == "sit":
            await self._sit(_text(message, "table"), _text(message, "token", ""))
        elif do == "match":
            self._start_match(message)
        elif do == "stop":
            if self._match is not None:
                self._match.cancel()
        elif do == "ping":
            self.send({"type": "pong"})
        elif self.table is None:
            raise UnreadableError(text("refused.sit_first"))
        elif do == "act":
            at = message.get("at")
            if not isinstance(at, int) or isinstance(at, bool):
                raise UnreadableError(text("refused.at"))
            acting = self.table.act(self.seat, _text(message, "action"), at)
            await asyncio.shield(acting)  # what was begun is carried out, also if the browser goes meanwhile
        elif do == "coach":
            self.table.set_coach(self.seat, _text(message, "mode"), _text(message, "adviser"))
        elif do == "bot":
            self._tell_of_bot(message.get("seat"))
        elif do in ("step", "speed"):
            self.table.step(_text(message, "value") if do == "speed" else None)
        elif do == "rematch":
            await self._rematch()
        else:
            self._in_company(do, message)

    def _in_company(self, do: Any, message: Mapping[str, Any]) -> None:
        """Ready, start, sit out, pause: what people at a table agree on."""
        table, seat, value = self.table, self.seat, message.get("value")
        if do not in ("ready", "start", "sit_out", "pause") or table is None:
            raise UnreadableError(text("refused.do"))
        if seat is None:
            raise IllegalError(text("refused.watcher"))
        if do == "ready":
            table.company.get_ready(seat)
        elif do == "start":
            table.company.start_anyway(seat)
        elif do == "sit_out":
            table.company.sit_out(seat, value is True)
        else:
            table.company.set_pause(value if isinstance(value, int) else -1)
        table.changed()

    def _tell_of_bot(self, seat: Any) -> None:
        """What an agent says of itself: its parameters and what it has learned at this table."""
        assert self.table is not None  # asked before
        game = self.table.game
        known = isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < len(game.seats)
        agent = game.agent(seat) if known else None
        if agent is None:
            raise UnreadableError(text("refused.bot"))
        self.send({"type": "bot", "seat": seat, **bot_shown(game, seat, agent)})

    async def _rematch(self) -> None:
        """The same people at a new table; everybody who looks on is told where it is."""
        if self.table is None or self.seat is None:
            raise IllegalError(text("refused.watcher"))
        old = self.table
        new = await self.hub.rematch(old)
        for watcher in list(old.watchers):
            token = new.tokens.get(watcher.seat, "") if watcher.seat is not None else ""
            watcher.send({"type": "moved", "path": f"/table/{new.id}/{token}".rstrip("/")})

    async def _sit(self, table_id: str, token: str) -> None:
        table = await self.hub.find(table_id)
        seat = table.seat_of(token) if token else None
        self.leave()
        if len(table.watchers) >= self.hub.limits.watchers:
            raise RefusedError(text("refused.watchers", {"most": self.hub.limits.watchers}))
        self.table, self.seat, self.seen = table, seat, 0
        table.watchers.add(self)
        table.tell(self)
        table.came_or_left() if seat is not None else table.wake()

    def _start_match(self, message: Mapping[str, Any]) -> None:
        if self._match is not None and not self._match.done():
            raise RefusedError(text("refused.match_runs"))
        agents = message.get("agents")
        if not isinstance(agents, list) or not all(isinstance(a, str) for a in agents):
            raise UnreadableError(text("refused.agents"))
        hands, seed = message.get("hands"), message.get("seed", 0)
        if not isinstance(hands, int) or not isinstance(seed, int) or not 0 <= seed < 2**62:
            raise UnreadableError(text("refused.hands"))
        work = live_match(self.hub, _text(message, "game"), agents, hands, seed, self.send)
        self._match = asyncio.create_task(work)


def _text(message: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = message.get(name, default)
    if value is None and default is not None:
        return default
    if not isinstance(value, str) or len(value) > 200:
        raise UnreadableError(text("refused.field", {"name": name}))
    return value


def _parse(data: Mapping[str, Any], most: int) -> dict[str, Any]:
    raw = data.get("text")
    if raw is None:
        raise UnreadableError(text("refused.binary"))
    if len(raw) > most:
        raise RefusedError(text("refused.huge", {"size": len(raw), "most": most}))
    try:
        message = json.loads(raw)
    except (ValueError, RecursionError):
        raise UnreadableError(text("refused.json")) from None
    if not isinstance(message, dict):
        raise UnreadableError(text("refused.json"))
    return message


async def serve_socket(socket: WebSocket, hub: Hub) -> None:
    """Talk with one browser."""
    await socket.accept()
    if hub.connections >= hub.limits.connections:
        await socket.close(1013, text("refused.connections"))
        return
    hub.connections += 1
    connection = BrowserConnection(socket, hub)
    writing = asyncio.create_task(connection.write())
    try:
        reading, going = asyncio.create_task(connection.read()), asyncio.create_task(connection.let_go.wait())
        await asyncio.wait({reading, writing, going}, return_when=asyncio.FIRST_COMPLETED)
        if connection.let_go.is_set():
            await asyncio.wait({writing}, timeout=_FAREWELL)  # a reader who is stuck cannot take even the close
        for task in (reading, going):
            task.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await task
    finally:
        hub.connections -= 1
        connection.leave()
        writing.cancel()
        with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await writing
