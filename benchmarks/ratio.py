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
    most: float | None = None
    """What it may take where there is no peer to compare with."""
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
        fast_enough = self.most is None or self.ours <= self.most
        return fast_enough and (self.bar is None or (self.ratio is not None and self.ratio >= self.bar))

    def cells(self) -> tuple[str, ...]:
        peer = "" if self.peer is None else f"{self.peer:,.4g} {self.unit} ({self.peer_name})"
        ratio = "" if self.ratio is None else f"{self.ratio:,.1f}"
        bars = [f"{self.bar:g}"] if self.bar is not None else []
        bars += [f"at most {self.most:g} {self.unit}"] if self.most is not None else []
        bar = " ".join([*bars, "reached" if self.reached else "MISSED"]) if bars else ""
        return self.what, f"{self.ours:,.4g} {self.unit}", peer, ratio, bar


def seconds(job: Callable[[], object], repeats: int = 5, at_least: float = 0.5) -> float:
    """The best time of several: what the job takes when nothing else disturbs it. The first call only warms up.

    It is repeated at least so often and for so many seconds. Processor time is taken, ours and the peer's alike: every
    job here runs on one thread, and on a busy machine the clock on the wall would measure the neighbours.
    """
    job()
    best, spent, done = float("inf"), 0.0, 0
    while done < repeats or spent < at_least:
        start = time.process_time()
        job()
        took = time.process_time() - start
        best, spent, done = min(best, took), spent + took, done + 1
    return best
