"""Tournaments of five bots that learn and of five that do not, and a million hands in which no chip is made or lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.ratio import Ratio, seconds
from mazzo.agent import create
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.tournament import TournamentFormat
from mazzo.holdem.tournament.fast import play_fast
from mazzo.holdem.tournament.lockstep import play_lockstep
from mazzo.studies.aceituno import trial_agents

__all__ = ["run"]

_FORM = TournamentFormat(5)


def _made(names: Sequence[str]) -> list[Any]:
    return [create(name, AGENTS) for name in names]


def run() -> list[Ratio]:
    fixed = _made(trial_agents(3))
    learning = seconds(lambda: play_fast(_FORM, _made(trial_agents(1)), range(400), 2), 3)
    many = seconds(lambda: play_fast(_FORM, fixed, range(40_000), 1), 1)
    fast = seconds(lambda: play_fast(_FORM, fixed, range(2000), 1))
    general = seconds(lambda: play_lockstep(_FORM, fixed, range(2000), 1), 2)
    return [
        Ratio("400 tournaments that learn, trial 1", learning, "s", most=10),
        Ratio("40,000 tournaments, fixed thresholds", many, "s", most=120),
        Ratio("2,000 tournaments, fixed thresholds", fast, "s", "any agents in lockstep", general),
        Ratio("a million hands, chips counted in each", _million_hands(), "hands"),
    ]


def _million_hands() -> float:
    """Play a million hands; `play_fast` raises at the first in which the results do not come to nothing."""
    agents = _made(["utility+:bluff=.2,size=hidden", *["utility+:bluff=.1,size=pot"] * 5])
    hands = first = 0
    while hands < 1_000_000:
        hands += int(play_fast(TournamentFormat(6), agents, range(first, first + 5000), 3).hands.sum())
        first += 5000
    return float(hands)
