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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.confidence import INTERVAL
from mazzo.document import Grid, Section, Shown, between, signed
from mazzo.errors import UnreadableError
from mazzo.games import LuckFree, Playable
from mazzo.names import distinct_names
from mazzo.statistics import Estimate, Moments
from mazzo.workers import Checkpoint, Workers, run

__all__ = ["UNITS", "Luckless", "MatchResult", "Standing", "WithoutLuck", "match", "stream_match", "take_luck_out"]


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
class Luckless:
    """One estimate of the first agent's mean result."""

    kind: str
    by_play: tuple[Moments, ...]
    """By play of a deal (that is, by seat) the moments over deals."""
    by_deal: Moments
    """The moments of means over the plays of a deal."""

    @property
    def alone(self) -> Estimate:
        """As if every hand had been dealt by itself, as many in each seat."""
        parts = [moments.estimate() for moments in self.by_play]
        error = sum(part.standard_error**2 for part in parts) ** 0.5 / len(parts)
        return Estimate(sum(part.mean for part in parts) / len(parts), error, sum(part.n for part in parts))

    @property
    def duplicate(self) -> Estimate:
        """By deals, each played in every seat."""
        return self.by_deal.estimate()


@dataclass(frozen=True)
class WithoutLuck:
    """The first agent's result with luck taken out: every estimate with and without duplicate deals."""

    estimates: tuple[Luckless, ...]
    known: tuple[str, ...]
    """The agents whose policies are known."""

    @classmethod
    def of(cls, freed: LuckFree, agents: Sequence[Agent[Any]], moments: Sequence[Moments], plays: int) -> WithoutLuck:
        """From the moments of chunks, added up."""
        rows = [moments[k : k + plays + 1] for k in range(0, len(moments), plays + 1)]
        found = tuple(Luckless(kind, tuple(row[:-1]), row[-1]) for kind, row in zip(freed.kinds, rows, strict=True))
        return cls(found, tuple(agent.name for agent, known in zip(agents, freed.known, strict=True) if known))

    def grid(self, unit: str) -> Grid:
        """Estimates and their standard errors side by side."""
        names = {"plain": "as paid", **{k: f"AIVAT, {k}" for k in ("chance", "actions", "ranges")}}
        rows = [
            (
                names.get(e.kind, e.kind),
                signed(e.alone.mean),
                f"{e.alone.standard_error:.4f}",
                f"{e.duplicate.standard_error:.4f}",
                between(e.duplicate.ci95),
            )
            for e in self.estimates
        ]
        head = ("estimate", unit, "standard error alone", "with duplicate deals", f"{INTERVAL} (duplicate)")
        whose = f"policies known: {', '.join(self.known)}" if self.known else "no policy is known exactly"
        return Grid(head, rows, caption=whose)

    def as_dict(self, unit: str) -> dict[str, Any]:
        """As plain data."""
        return {
            "known": list(self.known),
            "estimates": [
                {
                    "kind": e.kind,
                    unit: e.alone.mean,
                    "standard_error": e.alone.standard_error,
                    "duplicate_standard_error": e.duplicate.standard_error,
                    "duplicate_ci95": list(e.duplicate.ci95),
                }
                for e in self.estimates
            ],
        }


UNITS = {
    "bb_per_hand": "big blinds per hand",
    "chips_per_hand": "chips of the pot per hand",
    "points_per_deal": "points per deal",
    "matches": "matches won less lost",
    "bets_per_round": "bets a round",
}
"""What results are counted in, in words, by the key of the JSON output."""


@dataclass(frozen=True)
class MatchResult(Shown):
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
    without_luck: WithoutLuck | None = None
    """The first agent's result with luck taken out, where that was asked for."""

    @property
    def first(self) -> Estimate:
        """The first agent's mean result, with the error."""
        return self.standings[0].estimate

    def section(self) -> Section:
        """Who won how much, with the interval."""
        unit = UNITS.get(self.unit, self.unit)
        rows = [(s.name, signed(s.estimate.mean), between(s.estimate.ci95)) for s in self.standings]
        first, others = self.standings[0].name, ", ".join(s.name for s in self.standings[1:])
        words = f"{self.plays:,} hands, {self.deals:,} deals, seed {self.seed}"
        title = f"{first} against {others}" if others else first
        tables = [Grid(("agent", unit, INTERVAL), rows)]
        if self.without_luck is not None:
            tables.append(self.without_luck.grid(unit))
        return Section(title, [words], tables=tables)

    __str__ = Shown.__str__

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
        data = {
            "players": players,
            "hands": self.plays,
            "deals": self.deals,
            "seed": self.seed,
            "hands_per_second": self.plays / self.seconds if self.seconds else None,
            "decided": self.decided,
        }
        return data if self.without_luck is None else {**data, "aivat": self.without_luck.as_dict(self.unit)}


Numbers = list[tuple[int, float, float]]
Chunk = tuple[Numbers, list[str], Numbers]
"""What a chunk of deals gives: the moments of each agent's results, the hands as text if wanted, and the moments of
what is left when luck is taken out: by estimate those of every play of a deal, then those of deals."""


def _numbers(values: NDArray[np.float64]) -> Numbers:
    return [(m.n, m.mean, m.squares) for m in Moments.of_columns(values)]


def _play_chunk(
    game: Playable, freed: LuckFree | None, agents: Sequence[Agent[Any]], seed: int, log: bool, deals: range
) -> Chunk:
    if freed is None:
        values, lines = game.play(agents, deals, seed, log)
        return _numbers(values), lines, []
    values, lines, found = freed.play(agents, deals, seed, log)
    by_kind = np.concatenate([found, found.mean(axis=1, keepdims=True)], axis=1).transpose(0, 2, 1)
    return _numbers(values), lines, _numbers(by_kind.reshape(len(found), -1))


def _chunks(
    game: Playable,
    freed: LuckFree | None,
    agents: Sequence[Agent[Any]],
    plays: int,
    seed: int,
    log: bool,
    workers: Workers,
    kept: Path | None,
) -> Iterator[Chunk]:
    """Play all deals chunk by chunk; where there is a checkpoint, what it has is not played again."""
    deals = -(-plays // game.plays_per_deal)
    at_once = [agent.plays_at_once for agent in agents] + ([freed.plays_at_once] if freed is not None else [])
    size = max(1, min(at_once) // game.plays_per_deal)
    ranges = [range(first, min(first + size, deals)) for first in range(0, deals, size)]
    learning = any(agent.learns for agent in agents)
    play = partial(_play_chunk, game, freed, agents, seed, log)
    if kept is None:
        return run(play, ranges, 1 if learning else workers)
    if learning:
        raise UnreadableError("agents that learn cannot resume from a checkpoint: what they learned is not saved in it")
    names = [agent.name for agent in agents]
    work: dict[str, Any] = {"match": repr(game), "agents": names, "plays": plays, "seed": seed, "log": log}
    if freed is not None:
        work["aivat"] = [*freed.kinds, *freed.known, freed.value]
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
    aivat: bool | str = False,
    aivat_value: str | None = None,
) -> Iterator[MatchResult]:
    """Play a match and give its standing again and again as it goes, the last one being the result.

    Args:
        game: what is played.
        agents: as many as the game seats; equal names are told apart by number.
        plays: hands in all, rounded up to whole deals.
        seed: same seed, same cards and same random choices, on any number of workers.
        workers: processes to use, or the address of a Dask cluster; one if an agent learns while it plays.
        log: keep what was played as text, in `MatchResult.lines` of each step.
        checkpoint: a file that keeps what was played, so that an interrupted match goes on where it stopped.
        until_width: stop as soon as the first agent's interval is no wider than this.
        until_sign: stop as soon as it is settled whether the first agent wins or loses.
        aivat: take luck out, in `MatchResult.without_luck`: `chance`, `actions` (also: True) or `ranges`. With it the
            last estimate decides when to stop.
        aivat_value: with `aivat`, what states are taken to be worth: `equity` (the default); at small games also
            `policies` or an agent's name.
    """
    _check(game, agents, plays)
    if aivat_value is not None and not aivat:
        raise UnreadableError(f"aivat_value={aivat_value!r} says how aivat works: give aivat too, or leave it out")
    for agent, name in zip(agents, distinct_names([a.name for a in agents]), strict=True):
        agent.name = name
    grade = "actions" if aivat is True else aivat
    freed = take_luck_out(game, agents, grade, aivat_value or "equity") if grade else None
    if not any(agent.learns for agent in agents):
        game.play(agents, range(1), seed)  # kernels are loaded before the clock starts
    totals = [Moments() for _ in agents]
    left: list[Moments] = []
    started = time.perf_counter()
    for moments, lines, *more in _chunks(game, freed, agents, plays, seed, log, workers, checkpoint):
        totals = [total + Moments(*other) for total, other in zip(totals, moments, strict=True)]
        left = (
            [a + Moments(*b) for a, b in zip(left or [Moments()] * len(more[0]), more[0], strict=True)] if more else []
        )
        done = totals[0].n
        decided = _decided(left[-1] if left else totals[0], until_width, until_sign)
        standings = tuple(Standing(a.name, t) for a, t in zip(agents, totals, strict=True))
        elapsed = time.perf_counter() - started
        luckless = None if freed is None else WithoutLuck.of(freed, agents, left, game.plays_per_deal)
        yield MatchResult(
            standings, done, done * game.plays_per_deal, elapsed, seed, game.unit, decided, lines, luckless
        )
        if decided:
            return


def _check(game: Playable, agents: Sequence[Agent[Any]], plays: int) -> None:
    """Refuse a match that cannot be played."""
    if len(agents) != game.seats:
        raise UnreadableError(f"this game seats {game.seats} agents, {len(agents)} were given")
    if plays < 1:
        raise UnreadableError(f"hands must be at least 1, got {plays}")
    for agent in agents:
        reason = agent.unsupported_reason(getattr(game, "game", None))
        if reason:
            raise UnreadableError(f"agent {agent.name!r} cannot play here: {reason}")


def take_luck_out(game: Playable, agents: Sequence[Agent[Any]], grade: str, value: str = "equity") -> LuckFree:
    """A match with its luck taken out, where the game has that."""
    make = getattr(game, "without_luck", None)
    if make is None:
        raise UnreadableError(
            "AIVAT takes luck out of games of the Hold'em family; elsewhere agents play the same cards, which takes "
            "the luck of the deal out"
        )
    freed: LuckFree = make(agents, grade, value)
    return freed


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
