"""Matches in duplicate: any game that can play numbered deals, any agents, and a figure with its error.

Every deal is played as often as there are seats (or pairs) to exchange, so that each agent holds every hand on the
same cards. The mean over one deal's plays is one observation; deals are independent; the interval stands on them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.arena.statistics import Estimate, Moments
from mazzo.arena.workers import Checkpoint, Workers, run
from mazzo.errors import UnreadableError

__all__ = ["MatchResult", "Playable", "Standing", "distinct_names", "match", "stream_match"]


class Playable(Protocol):
    """A game as the arena sees it."""

    @property
    def unit(self) -> str:
        """What results are counted in, as a JSON key: `bb_per_hand`."""

    @property
    def seats(self) -> int:
        """How many agents play."""

    @property
    def plays_per_deal(self) -> int:
        """How often each deal is played with the seats exchanged."""

    def play(
        self, agents: Sequence[Any], deals: range, seed: int, log: bool = False
    ) -> tuple[NDArray[np.float64], list[str]]:
        """Results by (deal, agent), each the mean over the deal's plays, and what was played as text if wanted."""


@dataclass(frozen=True)
class Standing:
    """How one agent does."""

    name: str
    moments: Moments

    @property
    def estimate(self) -> Estimate:
        """Its mean result a play, with the error."""
        return self.moments.estimate()


@dataclass(frozen=True)
class MatchResult:
    """The state of a match after some deals."""

    standings: tuple[Standing, ...]
    deals: int
    plays: int
    seconds: float
    seed: int
    unit: str
    decided: bool = False
    """True when a sequential match stopped because what was asked is settled."""
    lines: list[str] = field(default_factory=list, repr=False)

    @property
    def first(self) -> Estimate:
        """The first agent's mean result, with the error."""
        return self.standings[0].estimate

    def as_dict(self) -> dict[str, Any]:
        """The result as plain data; keys are stable."""
        players = [
            {
                "name": s.name,
                self.unit: s.estimate.mean,
                "ci95": list(s.estimate.ci95),
                "standard_error": s.estimate.standard_error,
                "total": s.estimate.mean * self.plays,
            }
            for s in self.standings
        ]
        return {
            "players": players,
            "hands": self.plays,
            "deals": self.deals,
            "seed": self.seed,
            "hands_per_second": self.plays / self.seconds if self.seconds else None,
            "decided": self.decided,
        }


def distinct_names(names: Sequence[str]) -> list[str]:
    """Names by which equal agents can be told apart: `random#1`, `random#2`."""
    out = []
    for k, name in enumerate(names):
        number = names[: k + 1].count(name)
        out.append(f"{name}#{number}" if names.count(name) > 1 else name)
    return out


Chunk = tuple[list[tuple[int, float, float]], list[str]]
"""What a chunk of deals gives: the moments of each agent's results, and the hands as text if wanted."""


def _play_chunk(game: Playable, agents: Sequence[Agent[Any]], seed: int, log: bool, deals: range) -> Chunk:
    values, lines = game.play(agents, deals, seed, log)
    return [(m.n, m.mean, m.squares) for m in Moments.of_columns(values)], lines


def _chunks(
    game: Playable, agents: Sequence[Agent[Any]], plays: int, seed: int, log: bool, workers: Workers, kept: Path | None
) -> Iterator[Chunk]:
    """Play all deals chunk by chunk; where there is a checkpoint, what it has is not played again."""
    deals = -(-plays // game.plays_per_deal)
    size = max(1, min(agent.plays_at_once for agent in agents) // game.plays_per_deal)
    ranges = [range(first, min(first + size, deals)) for first in range(0, deals, size)]
    learning = any(agent.learns for agent in agents)
    play = partial(_play_chunk, game, agents, seed, log)
    if kept is None:
        return run(play, ranges, 1 if learning else workers)
    if learning:
        raise UnreadableError("a match of agents that learn cannot go on from a checkpoint: they would have forgotten")
    work = {"match": repr(game), "agents": [agent.name for agent in agents], "plays": plays, "seed": seed, "log": log}
    return Checkpoint(kept, work).run(play, ranges, workers)


def stream_match(
    game: Playable,
    agents: Sequence[Agent[Any]],
    plays: int,
    seed: int = 0,
    *,
    workers: Workers = 1,
    log: bool = False,
    checkpoint: Path | None = None,
    until_width: float | None = None,
    until_sign: bool = False,
) -> Iterator[MatchResult]:
    """Play a match and give its standing again and again as it goes, the last one being the result.

    Args:
        game: what is played.
        agents: as many as the game seats; equal names are told apart by number.
        plays: hands in all, rounded up to whole deals.
        seed: same seed, same cards and same luck, on any number of workers.
        workers: processes to use, or the address of a Dask cluster; one if an agent learns while it plays.
        log: keep what was played as text, in `MatchResult.lines` of each step.
        checkpoint: a file that keeps what was played, so that an interrupted match goes on where it stopped.
        until_width: stop as soon as the first agent's 95 % interval is no wider than this.
        until_sign: stop as soon as it is settled whether the first agent wins or loses.
    """
    if len(agents) != game.seats:
        raise UnreadableError(f"this game seats {game.seats} agents, {len(agents)} were given")
    if plays < 1:
        raise UnreadableError(f"a match has at least one hand, not {plays}")
    for agent in agents:
        reason = agent.refuses(getattr(game, "game", None))
        if reason:
            raise UnreadableError(f"agent {agent.name!r} cannot play here: {reason}")
    for agent, name in zip(agents, distinct_names([a.name for a in agents]), strict=True):
        agent.name = name
    if not any(agent.learns for agent in agents):
        game.play(agents, range(1), seed)  # kernels are loaded before the clock starts
    totals = [Moments() for _ in agents]
    started = time.perf_counter()
    for moments, lines in _chunks(game, agents, plays, seed, log, workers, checkpoint):
        totals = [total + Moments(*more) for total, more in zip(totals, moments, strict=True)]
        done = totals[0].n
        decided = _decided(totals[0], until_width, until_sign)
        standings = tuple(Standing(a.name, t) for a, t in zip(agents, totals, strict=True))
        elapsed = time.perf_counter() - started
        yield MatchResult(standings, done, done * game.plays_per_deal, elapsed, seed, game.unit, decided, lines)
        if decided:
            return


def _decided(first: Moments, until_width: float | None, until_sign: bool) -> bool:
    if until_width is not None:
        low, high = first.estimate().ci95
        if high - low <= until_width:
            return True
    if until_sign:
        low, high = first.confidence_sequence()
        return low > 0 or high < 0
    return False


def match(
    game: Playable,
    agents: Sequence[Agent[Any]],
    plays: int,
    seed: int = 0,
    *,
    watch: Callable[[MatchResult], None] | None = None,
    **options: Any,
) -> MatchResult:
    """Play a match to its end; `watch` is shown every standing on the way. Options as for `stream_match`."""
    result: MatchResult | None = None
    for result in stream_match(game, agents, plays, seed, **options):
        if watch is not None:
            watch(result)
    assert result is not None  # there is at least one deal
    return result
