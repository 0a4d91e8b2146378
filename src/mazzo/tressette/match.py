"""Matches between two agents: the same deals twice, with the pairs exchanged.

Points a deal: the first agent's side minus the second's in whole points (each side's thirds rounded down), the mean of
the two plays of a deal with the pairs exchanged and the same leader. Declarations are made, so that agents know them,
but not scored; no deal is sent a monte.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, create
from mazzo.arena.statistics import Estimate, Moments
from mazzo.arena.workers import run
from mazzo.errors import IllegalError, UnreadableError
from mazzo.jit import kernel
from mazzo.luck import fork, stream
from mazzo.tressette.agents import AGENTS
from mazzo.tressette.observation import Observations, observe
from mazzo.tressette.rules import SUIT, Ints, Rounds, deal_hands

__all__ = ["MatchResult", "play_match", "play_rounds"]

_CHUNK = 1000


@dataclass(frozen=True)
class MatchResult:
    """How a match ended: points a deal of the first agent over the second, with its error."""

    names: tuple[str, str]
    points: Estimate
    deals: int
    seed: int
    points_per_round: tuple[float, float]
    """Mean whole points of each agent's side in a round (together eleven)."""
    decisions: tuple[int, int]
    seconds: tuple[float, float]
    """Time each agent took to decide."""

    def as_dict(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
        low, high = self.points.ci95
        signs = ((self.points.mean, [low, high]), (-self.points.mean, [-high, -low]))
        players = [
            {
                "name": name,
                "points_per_deal": mean,
                "ci95": interval,
                "points_per_round": self.points_per_round[k],
                "microseconds_per_decision": 1e6 * self.seconds[k] / max(self.decisions[k], 1),
            }
            for k, (name, (mean, interval)) in enumerate(zip(self.names, signs, strict=True))
        ]
        return {
            "game": "tressette",
            "players": players,
            "deals": self.deals,
            "seed": self.seed,
            "standard_error": self.points.standard_error,
        }


@dataclass(frozen=True)
class _Task:
    names: tuple[str, str]
    first: int
    deals: int
    seed: int
    named: bool
    talk: bool


def play_match(
    first: str,
    second: str,
    deals: int,
    seed: int = 0,
    workers: int = 1,
    named: bool = False,
    talk: bool = False,
    progress: Callable[[float], None] | None = None,
) -> MatchResult:
    """Play `deals` deals twice, `first` and `second` exchanging places.

    Args:
        first: The name of an agent, as `mazzo.agent.create` reads it.
        second: The name of the other.
        deals: How many deals; each is played twice.
        seed: Same seed, same deals and same luck; the result does not depend on `workers`.
        workers: Processes to use.
        named: Whether a declared napoli names its suit.
        talk: Whether leaders may signal (busso, striscio, volo); else the game is muto.
        progress: Called with the number of deals finished since the last call.

    Returns:
        Points a deal of `first` over `second`, with their error.
    """
    if deals < 1:
        raise UnreadableError(f"deals is a whole number from 1 up, not {deals}")
    for name in (first, second):
        create(name, AGENTS)  # a wrong name is told before any work is done
    tasks = [
        _Task((first, second), start, min(_CHUNK, deals - start), seed, named, talk)
        for start in range(0, deals, _CHUNK)
    ]
    moments, points, decisions, seconds = Moments(), np.zeros(2), np.zeros(2, np.int64), np.zeros(2)
    for chunk in run(_play_chunk, tasks, workers):
        moments = moments + Moments.of(chunk[0])
        points, decisions, seconds = points + chunk[1], decisions + chunk[2], seconds + chunk[3]
        if progress:
            progress(len(chunk[0]))
    return MatchResult(
        names=(first, second),
        points=moments.estimate(),
        deals=deals,
        seed=seed,
        points_per_round=(float(points[0]) / (2 * deals), float(points[1]) / (2 * deals)),
        decisions=(int(decisions[0]), int(decisions[1])),
        seconds=(float(seconds[0]), float(seconds[1])),
    )


def _play_chunk(task: _Task) -> tuple[NDArray[np.float64], NDArray[np.float64], Ints, NDArray[np.float64]]:
    """One stretch of deals: differences, points of the two agents, their decisions and time."""
    agents = [create(name, AGENTS) for name in task.names]
    hands = np.empty((task.deals, 4), np.int64)
    deal_hands(stream(task.seed, "deal"), task.first, hands)
    numbers = np.arange(task.first, task.first + task.deals)
    twice = Rounds.start(np.repeat(hands, 2, axis=0), np.repeat(numbers % 4, 2).astype(np.int8), task.named, task.talk)
    # Row 2k is deal k with the first agent at seats 0 and 2, row 2k + 1 the same with the pairs exchanged.
    exchanged = np.arange(2 * task.deals) % 2
    seated = np.stack([exchanged, 1 - exchanged, exchanged, 1 - exchanged], axis=1)
    keys = np.empty(2 * task.deals, np.uint64)
    _keys(stream(task.seed, "luck"), 2 * task.first, keys)
    decisions, seconds = play_rounds(twice, agents, seated, keys)
    points = twice.points()
    mine = np.where(exchanged == 0, points[:, 0], points[:, 1])
    theirs = points.sum(axis=1) - mine
    difference = (mine - theirs).reshape(-1, 2).mean(axis=1)
    return difference, np.array([float(mine.sum()), float(theirs.sum())]), decisions, seconds


def play_rounds(
    rounds: Rounds, agents: Sequence[Agent[Observations]], seated: Ints, keys: NDArray[np.uint64]
) -> tuple[Ints, NDArray[np.float64]]:
    """Play many rounds in lockstep to their end: agent `seated[i, s]` has seat s of round i.

    Args:
        rounds: Rounds at the same stage; advanced in place.
        agents: The players.
        seated: [n, 4] which of them sits where.
        keys: [n] a key of chance for each round; luck is drawn from it decision by decision.

    Returns:
        How many decisions each agent took, and in how many seconds.
    """
    decisions, seconds = np.zeros(len(agents), np.int64), np.zeros(len(agents))
    everyone = np.arange(len(rounds))
    cards, luck = np.empty(len(rounds), np.int64), np.empty(len(rounds), np.uint64)
    for step in range(int(rounds.count[0]), 40):
        _forks(keys, step, luck)
        acting = seated[everyone, rounds.turn]
        for k, agent in enumerate(agents):
            rows = np.flatnonzero(acting == k)
            if not len(rows):
                continue
            seen = observe(rounds, rows, rounds.turn[rows].astype(np.int64), luck[rows])
            start = perf_counter()
            chosen = agent.decide(seen)
            seconds[k] += perf_counter() - start
            decisions[k] += len(rows)
            _must_be_legal(agent, seen, chosen)
            cards[rows] = chosen
        rounds.play(cards)
    return decisions, seconds


def _must_be_legal(agent: Agent[Observations], seen: Observations, chosen: NDArray[np.int64]) -> None:
    if chosen.shape != seen.hand.shape:
        raise IllegalError(f"{agent.name} gave {chosen.shape} cards for {len(seen)} decisions: one each is right")
    cards, signal = chosen % 40, chosen // 40
    wrong = (chosen < 0) | (chosen >= 160) | ((seen.legal >> cards) & 1 == 0)
    more = seen.hand & ~(np.int64(1) << cards) & (np.int64(SUIT) << 10 * (cards // 10))
    may_say = (seen.signals[:, 0] >= 0) & (seen.count % 4 == 0) & ((more == 0) == (signal == 3))
    wrong |= (signal > 0) & ~may_say
    if wrong.any():
        from mazzo.cards import ITALIAN

        i = int(np.argmax(wrong))
        raise IllegalError(
            f"{agent.name} played {int(chosen[i])} in trick {int(seen.count[i]) // 4 + 1}, where it may play "
            f"{ITALIAN.text(ITALIAN.unmask(int(seen.legal[i])))}"
        )


@kernel
def _keys(key: np.uint64, first: int, keys: NDArray[np.uint64]) -> None:
    for i in range(len(keys)):
        keys[i] = fork(key, first + i)


@kernel
def _forks(keys: NDArray[np.uint64], counter: int, luck: NDArray[np.uint64]) -> None:
    for i in range(len(keys)):
        luck[i] = fork(keys[i], counter)
