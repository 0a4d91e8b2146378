"""Tressette as the parts that know no game see it."""

from __future__ import annotations

from collections.abc import Sequence

from mazzo.errors import UnreadableError
from mazzo.games import GameSummary
from mazzo.seated import Replays, Seating
from mazzo.tressette.agents import AGENTS
from mazzo.tressette.match import TressetteMatch
from mazzo.tressette.observation import Observations
from mazzo.tressette.round import SEATS, Round
from mazzo.tressette.rules import PRESETS, Rules
from mazzo.tressette.table import Table
from mazzo.tressette.view import View

__all__ = [
    "AGENTS",
    "NAME",
    "ZERO_SUM",
    "contest",
    "deal",
    "games",
    "knows",
    "observe",
    "parse",
    "replays",
    "rules",
    "seating",
    "table",
]

NAME = "tressette"
ZERO_SUM = True


def games() -> Sequence[GameSummary]:
    """One game, and its variant with signals."""
    return [
        GameSummary("tressette", "4 in pairs", "ten cards each, declarations, no talking"),
        GameSummary("tressette-talk", "4 in pairs", "the same with signals: busso, striscio, volo"),
    ]


def contest(name: str | Rules) -> TressetteMatch | None:
    """A match between two agents, each holding a pair of seats."""
    found = rules(name) if isinstance(name, str) else name
    return TressetteMatch(found) if isinstance(found, Rules) else None


def rules(text: str) -> Rules | None:
    """The game or its variant with signals, by name."""
    return PRESETS.get(text)


def knows(text: str) -> bool:
    """Whether a text looks like a round of tressette."""
    words = {part.split(maxsplit=1)[0].lower() for part in text.split(";") if part.strip()}
    return bool(words & {*SEATS, "me"})


def parse(text: str, rules: Rules | None = None) -> Round:
    """A round (`south ...; east ...`) or what one seat knows of it (`me ...; lead avv1; play ...`) from its text."""
    return Round.parse(text, rules)


def deal(rules: Rules, seed: int = 0, number: int = 0) -> Round:
    """Round `number` of a seed."""
    return Round(rules, seed=seed, number=number)


def table(rules: Rules, deals: range, seed: int = 0) -> Table:
    """The rounds of these numbers at once."""
    return Table.deal(seed, deals, rules=rules)


def observe(deal: Round) -> Observations:
    """What the seat to play sees."""
    if isinstance(deal, View) and deal.turn:
        raise UnreadableError(f"{deal.names[deal.turn]} is to play: the text does not show what that seat holds")
    return deal.observe()


def seating() -> Seating:
    """How tressette is played at a table."""
    from mazzo.tressette import seated

    table, seats = seated.TressetteTable, (seated.LEAST_SEATS, seated.MOST_SEATS)
    return Seating(table, seated.FIELDS, *seats, seated.ADVISERS, sealed=table)


def replays() -> Replays:
    """How rounds that were played are shown again."""
    from mazzo.tressette import replay

    return Replays(replay.read, replay.replay, dealt=replay.dealt)
