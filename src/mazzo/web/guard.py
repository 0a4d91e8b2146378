"""What every request passes: the host and origin it names, its size, and the headers of every answer."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mazzo.words.texts import text

__all__ = ["Guard", "host_allowed", "origin_allowed"]

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[\w.-]+)(?::([0-9]{1,5}))?", re.ASCII)
_HEADERS = {
    b"content-security-policy": _POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), microphone=(), geolocation=()",
}


def host_allowed(host: str, names: Iterable[str]) -> bool:
    """Whether a request may name this host: an address, localhost, or a name that was given.

    Any other name may be one that somebody points at this machine to read it through a visitor's browser.
    """
    name = (host_name(host) or "").rstrip(".")
    if name == "localhost" or name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def host_name(host: str) -> str | None:
    """The name or address in a Host header, in lower case; None where it is not well written (`[::1`)."""
    found = _HOST.fullmatch(host)
    return found[1].strip("[]").lower() if found and int(found[2] or 0) < 2**16 else None


def origin_allowed(origin: str, host: str) -> bool:
    """Whether a page of this origin may talk to this host: only our own pages."""
    try:
        return urlsplit(origin).netloc == host != ""
    except ValueError:
        return False


class _TooLongError(Exception):
    """A body without a length became longer than any may be."""


def _header(scope: Scope, name: bytes) -> str:
    headers: Mapping[bytes, bytes] = dict(scope["headers"])
    return headers.get(name, b"").decode("latin-1")


async def _refuse(send: Send, status: int, reason: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": reason.encode()})


class Guard:
    """Refuses strange hosts, foreign origins and bodies that are too long; sets the headers of every answer."""

    def __init__(self, app: ASGIApp, names: Iterable[str], body_bytes: int) -> None:
        self.app, self.names, self.body_bytes = app, frozenset(name.lower() for name in names), body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        reason = self._refusal(scope)
        if scope["type"] == "websocket":
            if reason:
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": reason})
            else:
                await self.app(scope, receive, send)
            return
        answer, length = self._with_headers(send), _header(scope, b"content-length")
        if reason:
            status = 400 if host_name(_header(scope, b"host")) is None else 403
            await _refuse(answer, status, reason)
        elif length.isdigit() and (len(length) > 18 or int(length) > self.body_bytes):
            await _refuse(answer, 413, self._too_long)
        else:
            await self._pass(scope, receive, answer)

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer; a body that turns out too long is refused as one that says so is."""
        started = False

        async def answer(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, self._counted(receive), answer)
        except _TooLongError:
            if not started:
                await _refuse(send, 413, self._too_long)
        except ClientDisconnect:  # who went away while sending needs no answer
            pass

    @property
    def _too_long(self) -> str:
        return text("refused.body", {"most": self.body_bytes})

    def _refusal(self, scope: Scope) -> str:
        host, origin = _header(scope, b"host"), _header(scope, b"origin")
        if not host_allowed(host, self.names):
            return text("refused.host")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if scope["type"] == "websocket" and not origin:
            return text("refused.origin")
        if changes and origin and not origin_allowed(origin, host):
            return text("refused.origin")
        return ""

    def _counted(self, receive: Receive) -> Receive:
        """A body without a length is cut off where it becomes too long."""
        total = 0

        async def counted() -> Message:
            nonlocal total
            message = await receive()
            total += len(message.get("body", b""))
            if total > self.body_bytes:
                raise _TooLongError
            return message

        return counted

    def _with_headers(self, send: Send) -> Send:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                more = [(name, value) for name, value in _HEADERS.items() if name not in given]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        return answer
