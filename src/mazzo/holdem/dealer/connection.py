"""One client at the dealer's table: its lines in, our lines out, and nothing it does can hold up the others."""

from __future__ import annotations

import asyncio
import contextlib

__all__ = ["DealerConnection"]

LONGEST_LINE = 1 << 16
_MOST_UNREAD = 1 << 20
_WAITING_LINES = 64


class DealerConnection:
    """A client's connection. `lines` gives its lines in order, then None when it is gone; `gone` says why."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        # Bounded: a client that sends without end is not read from until its lines have been looked at.
        self.lines: asyncio.Queue[str | None] = asyncio.Queue(_WAITING_LINES)
        self.gone = ""
        self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        rest = b""
        try:
            while chunk := await self._reader.read(1 << 14):
                *whole, rest = (rest + chunk).split(b"\n")
                for line in whole:
                    await self.lines.put(line.decode("utf-8", "replace").rstrip("\r"))
                if len(rest) > LONGEST_LINE:
                    self.gone = f"it sent more than {LONGEST_LINE} bytes without a newline"
                    break
            self.gone = self.gone or "it closed the connection"
        except (OSError, asyncio.IncompleteReadError) as error:
            self.gone = f"the connection broke ({error.__class__.__name__})"
        with contextlib.suppress(asyncio.CancelledError):
            await self.lines.put(None)

    def send(self, line: str) -> None:
        """Send a line without waiting for anyone to read it; a client that never reads is cut off."""
        if self._writer.is_closing():
            return
        self._writer.write(f"{line}\r\n".encode())
        if self._writer.transport.get_write_buffer_size() > _MOST_UNREAD:
            self.gone = "it does not read what it is sent"
            self._writer.transport.abort()

    async def close(self) -> None:
        """Hang up, after what was sent has gone out or a second has passed."""
        self._task.cancel()
        with contextlib.suppress(OSError, asyncio.TimeoutError, TimeoutError):
            if not self._writer.is_closing():
                await asyncio.wait_for(self._writer.drain(), 1)
        self._writer.close()
        with contextlib.suppress(OSError, asyncio.TimeoutError, TimeoutError):
            await asyncio.wait_for(self._writer.wait_closed(), 1)
