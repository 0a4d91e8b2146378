"""What one server takes on: sizes, rates, sessions. Beyond it, whoever asks is refused with the reason."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from mazzo.errors import MazzoError

__all__ = ["Bucket", "Limits", "RefusedError"]


class RefusedError(MazzoError):
    """What was asked is more than this server does."""


@dataclass(frozen=True)
class Limits:
    """The bounds of a server."""

    message_bytes: int = 8 * 1024
    """A message over the websocket."""
    body_bytes: int = 512 * 1024
    """What a page may send: a log to look at is the largest."""
    messages_per_second: float = 20
    burst: int = 40
    tables: int = 200
    """Open at a time."""
    kept_tables: int = 5000
    """On disk."""
    new_tables_per_minute: float = 120
    connections: int = 600
    watchers: int = 50
    """Connections to one table."""
    grace_seconds: float = 45
    """Without a connection, after which somebody at a table has left it."""
    actions: int = 200_000
    """Of one table; then another must be opened."""
    matches: int = 2
    """Of the lab, at a time."""
    match_hands: int = 2_000_000


@dataclass
class Bucket:
    """Lets so many through a second, and a burst now and then."""

    rate: float
    burst: float
    clock: Callable[[], float] = time.monotonic
    _left: float = field(init=False)
    _at: float = field(init=False)

    def __post_init__(self) -> None:
        self._left, self._at = self.burst, self.clock()

    def take(self) -> bool:
        """Whether one more may pass."""
        now = self.clock()
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
