"""The hands that the study of Kischka learns from: heroes against copies of themselves, and real ones of Pluribus."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from mazzo.holdem.attributes import Selection

__all__ = ["GAME", "MISSING", "SHARES", "data_of", "match_of", "pluribus", "pluribus_hands"]

GAME = "holdem-limit-3p"
_PLURIBUS = ("../shared/data/phh/pluribus.phhs", "../../shared/data/phh/pluribus.phhs")
MISSING = "the hands of Pluribus are not there: ../shared/data/phh/pluribus.phhs"
SHARES = (0.66, 0.36, 0.41, 0.52)
"""Of the data, on which Kischka learned the models of TunedFixedRichieRich (section 6.5)."""


@lru_cache(maxsize=3)
def match_of(hero: str, hands: int, seed: int) -> tuple[list[str], list[Any]]:
    """A hero against two copies of itself, every deal in three seats: the log, and the players as they are then."""
    from mazzo.agent import create
    from mazzo.arena.match import stream_match
    from mazzo.holdem.agents import AGENTS
    from mazzo.holdem.match import HoldemMatch
    from mazzo.holdem.rules import rules

    players = [create(hero, AGENTS) for _ in range(3)]
    match = stream_match(HoldemMatch(rules(GAME)), players, hands, seed, log=True)
    return [line for step in match for line in step.lines], players


@lru_cache(maxsize=3)
def data_of(hero: str, hands: int, seed: int, named: str = "usual") -> list[Any]:
    """The hero's decisions in such a match."""
    from mazzo.holdem.cloning.data import rows_of
    from mazzo.holdem.comparing.likeness import read_lines
    from mazzo.holdem.rules import rules

    lines, players = match_of(hero, hands, seed)
    return rows_of(read_lines(rules(GAME), lines), players[0].name, Selection(named=named))


@lru_cache(maxsize=1)
def pluribus() -> list[Any] | None:
    """Pluribus's decisions, where its hands are there."""
    from mazzo.holdem.cloning.data import rows_of

    hands = pluribus_hands()
    return None if hands is None else rows_of(hands, "Pluribus")


def pluribus_hands() -> list[Any] | None:
    """Its hands, as they are in the PHH data set."""
    from mazzo.holdem.logs import read_hands

    path = next((Path(name) for name in _PLURIBUS if Path(name).is_file()), None)
    return None if path is None else list(read_hands(path))
