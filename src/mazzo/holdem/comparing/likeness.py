"""How alike two agents play: the same cards, every seat, street by street; and on the first one's own decisions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, Explanation
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.logs.formats.acpc import read_acpc
from mazzo.holdem.match import HoldemMatch
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.holdem.statistics.figures import STREETS, compare
from mazzo.holdem.statistics.tally import PlayerTally, Tally
from mazzo.names import distinct_names
from mazzo.statistics import Z95, Estimate, Moments, wilson

__all__ = ["Agreement", "Likeness", "Listening", "agreement", "likeness", "read_lines"]

_CHUNK = 1024


@dataclass
class Agreement:
    """How often two agents would do the same in the first one's situations: by street, fold, call and raise."""

    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros((c.MAX_ROUNDS, 3, 3), np.int64))
    """Per street: rows what the original did (fold, call, raise), columns what the other would do."""

    def note(self, street: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]) -> None:
        """Count some decisions by the kinds of action that both chose."""
        np.add.at(self.counts, (street, one, other), 1)

    def of(self, street: int | None = None) -> tuple[float, tuple[float, float], int]:
        """Share of decisions that agree, its interval, and how many there are; of all streets, or one."""
        table = self.counts.sum(axis=0) if street is None else self.counts[street]
        n, same = int(table.sum()), int(np.trace(table))
        return (same / n, wilson(same, n), n) if n else (math.nan, (math.nan, math.nan), 0)


class Listening(Agent[Observations]):
    """Plays as an agent does, and asks another what it would have done."""

    def __init__(self, agent: Agent[Observations], other: Agent[Observations]) -> None:
        self.agent, self.other, self.name = agent, other, agent.name
        self.folds_free = agent.folds_free
        self.learns = agent.learns or other.learns  # type: ignore[misc]  # it depends on the two
        self.agreement = Agreement()

    def decide(self, observations: Observations) -> NDArray[np.int64]:
        """What the agent plays."""
        actions = np.asarray(self.agent.decide(observations), np.int64)
        other = np.asarray(self.other.decide(observations), np.int64)
        self.agreement.note(observations.street, c.kinds(actions), c.kinds(other))
        return actions

    def explain(self, observation: Observations) -> Explanation:
        """Why the agent plays it."""
        return self.agent.explain(observation)

    def on_hands_finished(self, hands: Any) -> None:
        """Both learn from the hands."""
        for each in (self.agent, self.other):
            if each.learns:
                each.on_hands_finished(hands)


@dataclass(frozen=True)
class Likeness:
    """What comparing an original with its clone found."""

    agreement: Agreement
    original: PlayerTally
    clone: PlayerTally
    difference: Estimate
    """What the clone won more than the original, in big blinds a hand, on the same cards."""

    def rows(self) -> list[dict[str, Any]]:
        """The text's tables 14-16: figures of both street by street, the difference, and its interval."""
        found = compare(self.original, self.clone)
        for row in found:
            row["ci95"] = None if row["figure"] == "net_bb" else _interval(row)
        return found

    def showdowns(self) -> list[dict[str, Any]]:
        """Showdowns played and won (table 16)."""
        return [
            {"player": p.name, "played": s["hands"], "won": s["wins"], "share": s["wins"] / max(s["hands"], 1)}
            for p in (self.original, self.clone)
            for s in [_streets(p)[-1]]
        ]

    def as_dict(self) -> dict[str, Any]:
        """The findings as plain data."""
        share, interval, n = self.agreement.of()
        by_street = [self.agreement.of(k) for k in range(c.MAX_ROUNDS)]
        return {
            "agreement": {"share": share, "ci95": list(interval), "decisions": n},
            "by_street": [
                {"street": street, "share": s, "ci95": list(i), "decisions": count}
                for street, (s, i, count) in zip(STREETS, by_street, strict=False)
                if count
            ],
            "counts": self.agreement.counts.tolist(),
            "difference_bb_per_hand": {
                "mean": self.difference.mean,
                "ci95": list(self.difference.ci95),
                "deals": self.difference.n,
            },
            "rows": self.rows(),
            "showdowns": self.showdowns(),
        }


def _streets(player: PlayerTally) -> list[dict[str, Any]]:
    from mazzo.holdem.statistics.figures import streets_of

    return streets_of(player)


def _interval(row: dict[str, Any]) -> list[float] | None:
    """Of the difference of two shares, as if they were of different hands: on the same cards it is narrower."""
    first, second = row["shares"]
    if first is None or second is None or not first or not second:
        return None
    wholes = [count / share for count, share in zip(row["counts"], row["shares"], strict=True)]
    error = math.sqrt(sum(s * abs(1 - s) / n for s, n in zip((first, second), wholes, strict=True)))
    return [row["difference"] - Z95 * error, row["difference"] + Z95 * error]


def read_lines(game: Rules, lines: Sequence[str]) -> list[Any]:
    """Hands from the lines of a log."""
    file = BytesIO(("\n".join(lines) + "\n").encode())
    return [hands for hands, _ in read_acpc(file, "played", game) if hands is not None]


def _play(
    game: Rules, hero: Agent[Observations], against: Sequence[Agent[Observations]], hands: int, seed: int
) -> tuple[PlayerTally, list[Any]]:
    """Let an agent play every seat on numbered deals: what it did, and its results by deal."""
    contest = HoldemMatch(game)
    agents = [hero, *against]
    for agent, name in zip(agents, ["hero", *distinct_names([f"vs {a.name}" for a in against])], strict=True):
        agent.name = name
    deals = -(-hands // contest.plays_per_deal)
    tally, values = Tally(curves=True), []
    for first in range(0, deals, _CHUNK):
        played, lines = contest.play(agents, range(first, min(first + _CHUNK, deals)), seed, log=True)
        values.append(played[:, 0])
        for batch in read_lines(game, lines):
            tally.add(batch)
    return tally.players["hero"], values


def likeness(
    game: Rules,
    original: Agent[Observations],
    clone: Agent[Observations],
    against: Sequence[Agent[Observations]],
    hands: int,
    seed: int = 0,
) -> Likeness:
    """Compare two agents on the same cards against the same opponents, every seat in turn.

    First the original plays, and the clone is asked what it would do in each of its situations; then the clone plays.
    Agents that learn begin both times with what they know now, and are left as they are.
    """
    if len(against) != game.players - 1:
        raise UnreadableError(f"{game.name} needs {game.players - 1} opponents, {len(against)} were given")
    for agent in (original, clone, *against):
        reason = agent.unsupported_reason(game)
        if reason:
            raise UnreadableError(f"agent {agent.name!r} cannot play here: {reason}")
    listening = Listening(deepcopy(original), deepcopy(clone))
    one, first = _play(game, listening, deepcopy(list(against)), hands, seed)
    other, second = _play(game, deepcopy(clone), deepcopy(list(against)), hands, seed)
    one.name, other.name = original.name, clone.name
    moments = Moments.of(np.concatenate(second) - np.concatenate(first))
    return Likeness(listening.agreement, one, other, moments.estimate())


def agreement(
    game: Rules,
    original: Agent[Observations],
    clone: Agent[Observations],
    against: Sequence[Agent[Observations]],
    hands: int,
    seed: int = 0,
) -> Agreement:
    """How often the clone would do the same in the original's situations."""
    listening = Listening(original, clone)
    _play(game, listening, against, hands, seed)
    return listening.agreement
