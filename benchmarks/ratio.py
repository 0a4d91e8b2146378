"""What a benchmark gives: our speed and a peer's, measured in the same process, and the ratio it must reach."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Ratio", "seconds"]


@dataclass(frozen=True)
class Ratio:
    """How many times faster we are than a peer; without a peer, only what we take."""

    what: str
    ours: float
    unit: str
    peer_name: str = ""
    peer: float | None = None
    bar: float | None = None
    more_is_better: bool = False
    """True where figures are speeds (hands a second), False where they are times (nanoseconds a hand)."""

    @property
    def ratio(self) -> float | None:
        """Ours over theirs, so that more is better for us."""
        if self.peer is None:
            return None
        return self.ours / self.peer if self.more_is_better else self.peer / self.ours

    @property
    def reached(self) -> bool:
        return self.bar is None or (self.ratio is not None and self.ratio >= self.bar)

    def cells(self) -> tuple[str, ...]:
        peer = "" if self.peer is None else f"{self.peer:,.4g} {self.unit} ({self.peer_name})"
        ratio = "" if self.ratio is None else f"{self.ratio:,.1f}"
        bar = "" if self.bar is None else f"{self.bar:g} {'reached' if self.reached else 'MISSED'}"
        return self.what, f"{self.ours:,.4g} {self.unit}", peer, ratio, bar


def seconds(job: Callable[[], object], repeats: int = 7) -> float:
    """The best time of several: what the job takes when nothing else disturbs it. The first call only warms up."""
    job()
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        job()
        best = min(best, time.perf_counter() - start)
    return best
