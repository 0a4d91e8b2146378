"""Leagues: every agent against every other, one rating for all, and the circles in which they beat each other.

Each pairing is a match in duplicate on deals of its own, so that results of pairings are independent. The rating of an
agent is its mean result a hand against the whole field, itself counted as zero: of all ratings that add up to zero the
ones whose differences are nearest to the results of the pairings (least squares). Its error follows from theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

from mazzo.agent import Agent
from mazzo.arena.by_name import Preparing, agents_of, prepare_quietly
from mazzo.arena.match import UNITS, take_luck_out
from mazzo.confidence import INTERVAL
from mazzo.document import Grid, Run, Section, Shown, between, command_of, signed
from mazzo.errors import UnreadableError
from mazzo.games import LuckFree, Playable, find_contest
from mazzo.names import distinct_names
from mazzo.statistics import Estimate, Moments
from mazzo.workers import Checkpoint, Workers, run

__all__ = ["League", "Pairing", "league", "section_of_run", "stream_league"]

_WIN, _LOSS = (46, 125, 50), (198, 40, 40)


@dataclass(frozen=True)
class Pairing:
    """Two agents of a league, by number, and what the first of them wins a hand."""

    first: int
    second: int
    moments: Moments

    @property
    def estimate(self) -> Estimate:
        """The first one's mean result, with the error."""
        return self.moments.estimate()


@dataclass(frozen=True)
class League(Shown):
    """How a league stands; pairings of which fewer than two deals are played are left out."""

    game: str
    names: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    unit: str
    seed: int
    plays_per_deal: int

    @property
    def complete(self) -> bool:
        """Whether every two agents have played each other."""
        return len(self.pairings) == len(self.names) * (len(self.names) - 1) // 2

    def between(self, one: int, other: int) -> Estimate | None:
        """What one agent wins of another a hand; None if they have not played."""
        for pairing in self.pairings:
            if (pairing.first, pairing.second) == (one, other):
                return pairing.estimate
            if (pairing.first, pairing.second) == (other, one):
                found = pairing.estimate
                return Estimate(-found.mean, found.standard_error, found.n)
        return None

    def ratings(self) -> list[Estimate]:
        """By agent its rating; none before every two have played."""
        if not self.complete:
            return []
        size, out = len(self.names), []
        for one in range(size):
            found = [e for other in range(size) if other != one and (e := self.between(one, other)) is not None]
            error = sum(e.standard_error**2 for e in found) ** 0.5 / size
            out.append(Estimate(sum(e.mean for e in found) / size, error, sum(e.n for e in found)))
        return out

    def misfit(self) -> float:
        """How far a pairing is from the difference of the two ratings at most, in standard errors of the pairing.

        Far more than 3 says that who wins against whom is not a matter of one number an agent.
        """
        ratings, most = self.ratings(), 0.0
        for pairing in self.pairings if ratings else ():
            found = pairing.estimate
            off = abs(found.mean - ratings[pairing.first].mean + ratings[pairing.second].mean)
            most = max(most, off / found.standard_error if found.standard_error else 0.0)
        return most

    def beats(self, one: int, other: int) -> bool:
        """Whether the interval of what one wins of another lies above zero."""
        found = self.between(one, other)
        return found is not None and found.ci95[0] > 0

    def cycles(self) -> list[tuple[str, ...]]:
        """The shortest circles in which each agent beats the next, and the last the first, beyond their intervals."""
        numbers = range(len(self.names))
        for length in range(3, len(self.names) + 1):
            found = [
                (low, *rest)
                for low in numbers
                for rest in permutations(range(low + 1, len(self.names)), length - 1)
                if all(self.beats(a, b) for a, b in zip((low, *rest), (*rest, low), strict=True))
            ]
            if found:
                return [tuple(self.names[k] for k in cycle) for cycle in found]
            if length == 3 and not any(self.beats(a, b) is self.beats(b, a) for a, b in combinations(numbers, 2)):
                return []  # where all is settled, no circle of three means no circle at all
        return []

    def _order(self) -> list[int]:
        """The agents, best rating first."""
        ratings = self.ratings()
        return sorted(range(len(self.names)), key=lambda k: -ratings[k].mean if ratings else 0.0)

    def section(self) -> Section:
        """Ratings, the table of all pairings as a heat map, and the circles."""
        unit, order = UNITS.get(self.unit, self.unit), self._order()
        ratings = self.ratings()
        rows = [(self.names[k], signed(ratings[k].mean), between(ratings[k].ci95)) for k in order if ratings]
        tables = [Grid(("agent", f"rating, {unit}", INTERVAL), rows)] if rows else []
        hands = sum(p.moments.n for p in self.pairings) * self.plays_per_deal
        words = [f"{len(self.names)} agents, {len(self.pairings)} pairings, {hands:,} hands, seed {self.seed}."]
        words += [f"{' beats '.join((*cycle, cycle[0]))}." for cycle in self.cycles()]
        if self.complete:
            words.append(
                "A rating is the mean result against the whole field (least squares of the pairings); the pairing that "
                f"fits it least is {self.misfit():.1f} standard errors off."
            )
        return Section(f"League of {self.game}", words, tables=[*tables, self._heat_map(order, unit)])

    def _heat_map(self, order: Sequence[int], unit: str) -> Grid:
        found = [[self.between(one, other) for other in order] for one in order]
        most = max((abs(e.mean) for row in found for e in row if e is not None), default=0.0) or 1.0
        rows, inks = [], []
        for one, row in zip(order, found, strict=True):
            cells = ["" if e is None else f"{e.mean:+.3f} ± {e.ci95[1] - e.mean:.3f}" for e in row]
            rows.append((self.names[one], *cells))
            inks.append(("", *("" if e is None else _ink(e.mean / most) for e in row)))
        head = ("", *(self.names[k] for k in order))
        return Grid(head, rows, caption=f"What the agent of a row wins of that of a column, {unit}.", inks=inks)

    def as_dict(self) -> dict[str, Any]:
        """The league as plain data; keys are stable."""
        ratings = self.ratings()
        return {
            "game": self.game,
            "unit": self.unit,
            "seed": self.seed,
            "plays_per_deal": self.plays_per_deal,
            "agents": list(self.names),
            "pairings": [
                {
                    "agents": [self.names[p.first], self.names[p.second]],
                    self.unit: p.estimate.mean,
                    "ci95": list(p.estimate.ci95),
                    "standard_error": p.estimate.standard_error,
                    "deals": p.moments.n,
                }
                for p in self.pairings
            ],
            "ratings": [
                {"name": name, "rating": r.mean, "ci95": list(r.ci95), "standard_error": r.standard_error}
                for name, r in zip(self.names, ratings, strict=bool(ratings))
            ],
            "cycles": [list(cycle) for cycle in self.cycles()],
            "misfit": self.misfit() if ratings else None,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> League:
        """A league from its plain data."""
        names, unit, pairings = tuple(data["agents"]), data["unit"], []
        for p in data["pairings"]:
            first, second = (names.index(name) for name in p["agents"])
            n = int(p["deals"])
            pairings.append(Pairing(first, second, Moments(n, p[unit], p["standard_error"] ** 2 * n * (n - 1))))
        return cls(data["game"], names, tuple(pairings), unit, data["seed"], data["plays_per_deal"])


def _ink(share: float) -> str:
    """Green for what is won, red for what is lost, paler for less."""
    ink, depth = (_WIN if share > 0 else _LOSS), 0.75 * min(1.0, abs(share))
    return "#" + "".join(f"{round(255 + (k - 255) * depth):02x}" for k in ink)


def section_of_run(run: Run) -> Section:
    """What a report says of `mazzo league`."""
    shown = League.from_dict(run).section()
    return Section(shown.title, shown.words, tables=shown.tables, commands=command_of(run))


Task = tuple[int, int, int, int]
"""The numbers of two agents, and the first deal and the one after the last."""


def _play(
    game: Playable, agents: Sequence[Agent[Any]], freed: Mapping[tuple[int, int], LuckFree], seed: int, task: Task
) -> list[Any]:
    first, second, begin, end = task
    pair = [agents[first], agents[second]]
    if (first, second) in freed:
        values = freed[first, second].play(pair, range(begin, end), seed)[2][:, :, -1].mean(axis=1)
    else:
        values = game.play(pair, range(begin, end), seed)[0][:, 0]
    moments = Moments.of(values)
    return [first, second, moments.n, moments.mean, moments.squares]


def _tasks(game: Playable, agents: Sequence[Agent[Any]], plays: int, at_once: int) -> list[Task]:
    """The work in parts, going round the pairings, so that all of them have figures early."""
    deals = -(-plays // game.plays_per_deal)
    size = max(1, min(at_once, *(agent.plays_at_once for agent in agents)) // game.plays_per_deal)
    pairs = list(combinations(range(len(agents)), 2))
    return [
        (first, second, number * deals + begin, number * deals + min(begin + size, deals))
        for begin in range(0, deals, size)
        for number, (first, second) in enumerate(pairs)
    ]


def _entered(
    game: str | Playable, agents: Sequence[str | Agent[Any]], allow_cheats: bool, prepare: Preparing
) -> tuple[Playable, list[Agent[Any]]]:
    """The game and its players, who must be able to play it in parts."""
    contest, catalogue = find_contest(game)
    if hasattr(contest, "seating") or contest.seats != 2:
        raise UnreadableError(f"a league is for games that two agents play against each other, not for {game}")
    players = agents_of(agents, catalogue, allow_cheats)
    if len(players) < 2:
        raise UnreadableError(f"a league needs at least two agents, got {len(players)}")
    for agent, name in zip(players, distinct_names([a.name for a in players]), strict=True):
        agent.name = name
        if agent.learns:
            raise UnreadableError(f"agent {name!r} learns: what it becomes would hang on whom it meets first")
        if reason := agent.unsupported_reason(getattr(contest, "game", None)):
            raise UnreadableError(f"agent {name!r} cannot play here: {reason}")
        prepare(agent)
    return contest, players


def stream_league(
    game: str | Playable,
    agents: Sequence[str | Agent[Any]],
    *,
    hands: int,
    seed: int = 0,
    workers: Workers = 1,
    checkpoint: Path | None = None,
    aivat: bool | str = False,
    allow_cheats: bool = False,
    prepare: Preparing = prepare_quietly,
) -> Iterator[League]:
    """Play a league and give its standing again and again, the last one being the result.

    Args:
        game: The name of a game for two, or a game as the arena plays it.
        agents: Names or agents, two or more.
        hands: Hands of each pairing, rounded up to whole deals.
        seed: Same seed, same result, on any number of workers.
        workers: Processes to use, or the address of a Dask cluster.
        checkpoint: A file that keeps what was played, so that an interrupted league goes on where it stopped.
        aivat: Take luck out: `chance`, `actions` (also: True) or `ranges`, as `mazzo match --aivat` does.
        allow_cheats: Whether agents that see all cards may play.
        prepare: Is handed each agent before the league begins.
    """
    if hands < 1:
        raise UnreadableError(f"hands must be at least 1, got {hands}")
    contest, players = _entered(game, agents, allow_cheats, prepare)
    pairs = list(combinations(range(len(players)), 2))
    freed = {
        (a, b): take_luck_out(contest, [players[a], players[b]], aivat if isinstance(aivat, str) else "actions")
        for a, b in (pairs if aivat else [])
    }
    at_once = min((one.plays_at_once for one in freed.values()), default=4096)
    tasks = _tasks(contest, players, hands, at_once)
    names, play = tuple(agent.name for agent in players), partial(_play, contest, players, freed, seed)
    if checkpoint is None:
        results = run(play, tasks, workers)
    else:
        work = {"league": repr(contest), "agents": list(names), "hands": hands, "seed": seed, "aivat": aivat}
        results = Checkpoint(checkpoint, work).run(play, tasks, workers)
    totals = {pair: Moments() for pair in pairs}
    for first, second, *numbers in results:
        totals[first, second] += Moments(*numbers)
        played = tuple(Pairing(a, b, found) for (a, b), found in totals.items() if found.n > 1)
        shown = game if isinstance(game, str) else repr(game)
        yield League(shown, names, played, contest.unit, seed, contest.plays_per_deal)


def league(game: str | Playable, agents: Sequence[str | Agent[Any]], *, hands: int, **options: Any) -> League:
    """Let every agent play every other; arguments as for `stream_league`."""
    *_, result = stream_league(game, agents, hands=hands, **options)
    return result
