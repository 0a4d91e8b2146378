"""In which language a browser is spoken to: the one chosen by hand (a cookie), else the first it accepts."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie

from starlette.types import ASGIApp, Receive, Scope, Send

from mazzo.words.texts import LANGUAGES, preferred, speaking

__all__ = ["LANGUAGE_COOKIE", "Interpreter", "language_of"]

LANGUAGE_COOKIE = "mazzo-language"


def language_of(scope: Scope) -> str:
    """The language of a request or a websocket, from its headers."""
    headers = {name: value.decode("latin-1") for name, value in scope.get("headers", ())}
    try:
        chosen = SimpleCookie(headers.get(b"cookie", "")).get(LANGUAGE_COOKIE)
    except CookieError:
        chosen = None
    if chosen is not None and chosen.value in LANGUAGES:
        return chosen.value
    return preferred(headers.get(b"accept-language", ""))


class Interpreter:
    """Answers every request in the language of its browser."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        with speaking(language_of(scope)):
            await self.app(scope, receive, send)
