"""Many tournaments, counted: who wins how often, how sure that is, and where learning has led."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.errors import UnreadableError
from mazzo.holdem.observation import Observations
from mazzo.holdem.tournament.fast import PlayedTournaments, Seated, play_fast
from mazzo.holdem.tournament.format import TournamentFormat
from mazzo.holdem.tournament.lockstep import play_lockstep
from mazzo.holdem.tournament.log import check_log, play_logged
from mazzo.holdem.tournament.vectors import check_vectors, play_vectors
from mazzo.names import distinct_names
from mazzo.statistics import wilson
from mazzo.workers import Workers, pieces, run

__all__ = ["TournamentResult", "play_tournaments", "run_tournaments"]

_CHUNK = 1000


@dataclass(frozen=True)
class TournamentResult:
    """What came of some tournaments."""

    names: tuple[str, ...]
    played: PlayedTournaments = field(repr=False)
    seed: int
    seconds: float
    final: tuple[dict[str, Any] | None, ...] = ()
    """What each agent has learned: thresholds and table of actions; None for one that does not learn."""

    @property
    def count(self) -> int:
        """How many tournaments were played."""
        return len(self.played.hands)

    @property
    def wins(self) -> NDArray[np.int64]:
        """Tournaments won, by seat."""
        return np.asarray((self.played.places == 1).sum(axis=0), np.int64)

    @property
    def places(self) -> NDArray[np.int64]:
        """How often each seat came in at each place: [seat, place - 1]."""
        seats = len(self.names)
        return np.array([np.bincount(self.played.places[:, s], minlength=seats + 1)[1:] for s in range(seats)])

    @property
    def _learners(self) -> list[int]:
        return [seat for seat, end in enumerate(self.final) if end and len(self.played.drift)]

    @property
    def drift(self) -> list[tuple[str, list[list[float]]]]:
        """Who learns, with the thresholds to raise and to fold after every tournament."""
        return [
            (self.names[seat], np.round(self.played.drift[:, seat].astype(float), 4).tolist())
            for seat in self._learners
        ]

    def as_dict(self) -> dict[str, Any]:
        """The result as plain data; keys are stable."""
        seats = []
        drift = dict(zip(self._learners, (track for _, track in self.drift), strict=True))
        for seat, name in enumerate(self.names):
            wins = int(self.wins[seat])
            seats.append(
                {
                    "name": name,
                    "wins": wins,
                    "share": wins / self.count,
                    "ci95": list(wilson(wins, self.count)),
                    "places": [int(k) for k in self.places[seat]],
                    "final": self.final[seat] if self.final else None,
                    "drift": drift.get(seat),
                }
            )
        return {
            "seats": seats,
            "tournaments": self.count,
            "hands": int(self.played.hands.sum()),
            "hand_limit_reached": int(self.played.limited.sum()),
            "seed": self.seed,
            "seconds": self.seconds,
        }


def play_tournaments(
    form: TournamentFormat, agents: Sequence[Agent[Observations]], tournaments: range, seed: int
) -> PlayedTournaments:
    """Play numbered tournaments the fastest way there is for these agents."""
    if all(agent.kernel == "utility" for agent in agents):
        return play_fast(form, cast("Sequence[Seated]", agents), tournaments, seed)
    return play_lockstep(form, agents, tournaments, seed)


def run_tournaments(
    form: TournamentFormat,
    agents: Sequence[Agent[Observations]],
    count: int,
    seed: int = 0,
    *,
    workers: Workers = 1,
    watch: Callable[[int], None] | None = None,
    log: Path | None = None,
    vectors: Path | None = None,
) -> TournamentResult:
    """Play tournaments and count.

    Args:
        form: chips, blinds, limits.
        agents: one a seat; those that learn go on learning from tournament to tournament.
        count: how many tournaments.
        seed: same seed, same cards and same random choices, on any number of workers.
        workers: processes to use, or the address of a Dask cluster; one if an agent learns.
        watch: told how many tournaments have been played since it was last told.
        log: a new file (.phhs or .parquet) for every hand; tournaments are then played one after the other.
        vectors: a new .parquet file for what utility agents weighed in every hand and what came of it; likewise.
    """
    if len(agents) != form.players:
        raise UnreadableError(f"this table seats {form.players} agents, {len(agents)} were given")
    if count < 1:
        raise UnreadableError(f"the number of tournaments must be at least 1, got {count}")
    for agent in agents:
        reason = agent.unsupported_reason(form.game(form.players))
        if reason:
            raise UnreadableError(f"agent {agent.name!r} cannot play here: {reason}")
    learning = any(agent.learns for agent in agents)
    size = max(1, min(_CHUNK, -(-count // pieces(workers))))
    chunks = [range(first, min(first + size, count)) for first in range(0, count, size)]
    if log is not None and vectors is not None:
        raise UnreadableError("hands and vectors are written one at a time: the same seed plays the same hands again")
    if log is not None:
        check_log(log, form)
    if vectors is not None:
        check_vectors(vectors, agents)
    play_tournaments(form, deepcopy(agents), range(1), seed)  # kernels are loaded before the clock starts
    started = time.perf_counter()
    parts: list[PlayedTournaments] = []
    if log is not None:
        parts = play_logged(form, agents, count, seed, log, watch)
    elif vectors is not None:
        parts = play_vectors(form, agents, count, seed, vectors, watch)
    else:
        for part in run(partial(_chunk, form, agents, seed), chunks, 1 if learning else workers):
            parts.append(part)
            if watch is not None:
                watch(len(part.hands))
    played = PlayedTournaments(
        *(np.concatenate([getattr(p, k) for p in parts]) for k in ("places", "hands", "limited", "drift", "trace"))
    )
    final = tuple(agent.learned() if agent.learns else None for agent in agents)
    names = tuple(distinct_names([agent.name for agent in agents]))
    return TournamentResult(names, played, seed, time.perf_counter() - started, final)


def _chunk(
    form: TournamentFormat, agents: Sequence[Agent[Observations]], seed: int, tournaments: range
) -> PlayedTournaments:
    return play_tournaments(form, agents, tournaments, seed)
