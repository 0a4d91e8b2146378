"""What every request passes: the host and origin it names, its size, and the headers of every answer."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mazzo.web.texts import text

__all__ = ["Guard", "host_allowed", "origin_allowed"]

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
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
    name = urlsplit(f"//{host}").hostname or ""
    if name == "localhost" or name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def origin_allowed(origin: str, host: str) -> bool:
    """Whether a page of this origin may talk to this host: only our own pages."""
    return urlsplit(origin).netloc == host != ""


def _header(scope: Scope, name: bytes) -> str:
    headers: Mapping[bytes, bytes] = dict(scope["headers"])
    return headers.get(name, b"").decode("latin-1")


class Guard:
    """Refuses strange hosts, foreign origins and bodies that are too long; sets the headers of every answer."""

    def __init__(self, app: ASGIApp, names: Iterable[str], body_bytes: int) -> None:
        self.app, self.names, self.body_bytes = app, frozenset(names), body_bytes

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
        length = _header(scope, b"content-length")
        if not reason and length.isdigit() and int(length) > self.body_bytes:
            reason = text("refused.body", {"most": self.body_bytes})
        answer = self._with_headers(send)
        if reason:
            await answer({"type": "http.response.start", "status": 403, "headers": [(b"content-type", b"text/plain")]})
            await answer({"type": "http.response.body", "body": reason.encode()})
            return
        await self.app(scope, self._counted(receive), answer)

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
            return {"type": "http.disconnect"} if total > self.body_bytes else message

        return counted

    def _with_headers(self, send: Send) -> Send:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                more = [(name, value) for name, value in _HEADERS.items() if name not in given]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        return answer
