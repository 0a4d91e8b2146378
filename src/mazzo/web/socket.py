"""The one websocket: who sits down, acts, asks the coach, or watches a match of the lab."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from mazzo.errors import MazzoError, UnreadableError
from mazzo.web.hub import Hub
from mazzo.web.lab import live_match
from mazzo.web.limits import Bucket, RefusedError
from mazzo.web.table import Table
from mazzo.web.texts import text

__all__ = ["serve_socket"]

_QUEUE = 500
_PATIENCE = 200
"""Messages refused in a row before the connection is closed."""


class Connection:
    """One browser's connection."""

    def __init__(self, socket: WebSocket, hub: Hub) -> None:
        self.socket, self.hub = socket, hub
        self.table: Table | None = None
        self.seat: int | None = None
        self.seen = 0
        self.bucket = Bucket(hub.limits.messages_per_second, hub.limits.burst)
        self._out: asyncio.Queue[str | None] = asyncio.Queue(_QUEUE)
        self._match: asyncio.Task[None] | None = None

    def send(self, message: dict[str, Any]) -> None:
        """Queue a message; who does not read for long is let go."""
        try:
            self._out.put_nowait(json.dumps(message))
        except asyncio.QueueFull:
            self.leave()
            while not self._out.empty():
                self._out.get_nowait()
            self._out.put_nowait(None)

    def leave(self) -> None:
        """Get up from the table and stop a match."""
        if self.table is not None:
            self.table.watchers.discard(self)
            self.table = None
        if self._match is not None:
            self._match.cancel()

    async def write(self) -> None:
        """Send what is queued."""
        while (line := await self._out.get()) is not None:
            await self.socket.send_text(line)
        await self.socket.close(1013, text("refused.slow"))

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
            except MazzoError as wrong:
                refused += 1
                self.send({"type": "refused", "reason": str(wrong)[:500]})
                if refused > _PATIENCE:
                    self._out.put_nowait(None)
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
            self.table.act(self.seat, _text(message, "action"), at)
        elif do == "coach":
            self.table.set_coach(self.seat, _text(message, "mode"), _text(message, "adviser"))
        else:
            raise UnreadableError(text("refused.do"))

    async def _sit(self, table_id: str, token: str) -> None:
        table = await self.hub.find(table_id)
        seat = table.seat_of(token) if token else None
        self.leave()
        if len(table.watchers) >= self.hub.limits.watchers:
            raise RefusedError(text("refused.watchers", {"most": self.hub.limits.watchers}))
        self.table, self.seat, self.seen = table, seat, 0
        table.watchers.add(self)
        table.tell(self)
        table.wake()

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
    connection = Connection(socket, hub)
    writing = asyncio.create_task(connection.write())
    try:
        reading = asyncio.create_task(connection.read())
        await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
        reading.cancel()
        with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await reading
    finally:
        hub.connections -= 1
        connection.leave()
        writing.cancel()
        with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await writing
