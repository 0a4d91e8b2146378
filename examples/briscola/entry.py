"""Briscola as the parts that know no game see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mazzo.games import GameSummary
from mazzo.seated import Replays, Seating

from .agents import AGENTS
from .match import BriscolaMatch
from .observation import Observations
from .round import Round
from .rules import PRESETS, Rules
from .table import Table

__all__ = ["AGENTS", "NAME", "WORDS", "ZERO_SUM"]

NAME = "briscola"
ZERO_SUM = True

WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "game.briscola": "Briscola",
        "game.briscola.what": "Two players, forty Italian cards, a trump suit.",
        "field.hand": "Cards in hand",
        "briscola.dealt": "Deal {number}: {card} is turned up, {name} leads.",
        "briscola.plays": "{name} plays {card}.",
        "briscola.takes": "{name} takes the trick.",
        "briscola.scored": "The round is over: {points}.",
        "briscola.points": "Points",
        "briscola.stock": "To draw",
        "briscola.score": "In all",
    }
}
"""What a table says, by language; the file of words of the package has none of a game outside it."""


def games() -> Sequence[GameSummary]:
    """The usual game and its variant."""
    return [GameSummary(name, "2", f"{rules.hand} cards in hand, a trump suit") for name, rules in PRESETS.items()]


def rules(text: str) -> Rules | None:
    """The rules of a name; None if it is not one of this game's."""
    return PRESETS.get(text)


def deal(rules: Rules, seed: int = 0, number: int = 0) -> Round:
    """Round `number` of a seed."""
    return Round(rules, seed=seed, number=number)


def table(rules: Rules, deals: range, seed: int = 0) -> Table:
    """The rounds of these numbers at once."""
    return Table.deal(seed, deals, rules)


def knows(text: str) -> bool:
    """Whether a text looks like a round of briscola."""
    return any(part.split()[:1] == ["stock"] for part in text.split(";"))


def parse(text: str, rules: Rules | None = None) -> Round:
    """A round from its text."""
    return Round.parse(text, rules)


def observe(deal: Round) -> Observations:
    """What the seat to act sees."""
    return deal.observe()


def contest(name: str | Rules) -> BriscolaMatch | None:
    """A match between two agents."""
    found = rules(name) if isinstance(name, str) else name
    return BriscolaMatch(found) if isinstance(found, Rules) else None


def seating() -> Seating:
    """How briscola is played at a table."""
    from . import seated

    return Seating(seated.BriscolaTable, seated.FIELDS, seated.LEAST_SEATS, seated.MOST_SEATS, seated.ADVISERS)


def replays() -> Replays:
    """How rounds that were played are shown again."""
    from . import replay

    return Replays(replay.read, replay.replay)
