"""Blackjack as the parts that know no game see it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from mazzo.blackjack.agents import AGENTS
from mazzo.blackjack.observation import Observations
from mazzo.blackjack.round import Round
from mazzo.blackjack.rules import PRESETS, Rules, named_rules
from mazzo.blackjack.shoe import RANKS, parse_situation, text_of
from mazzo.blackjack.table import Table, round_keys
from mazzo.document import Run, Section
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.games import GameSummary, Playable
from mazzo.registry import Registry
from mazzo.seated import Replays, Seating

__all__ = [
    "AGENTS",
    "NAME",
    "SECTIONS",
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

NAME = "blackjack"
ZERO_SUM = False  # the house wins and loses what is lost and won

SECTIONS: Registry[Callable[[Run], Section]] = Registry(
    "kind of run",
    {
        "blackjack ev": "mazzo.blackjack.sections:value",
        "blackjack chart": "mazzo.blackjack.sections:chart",
        "blackjack hand": "mazzo.blackjack.sections:hand",
    },
)
"""What reports say of this game's runs, by the words of the command."""


def games() -> Sequence[GameSummary]:
    """The game, whose rules are options of its commands, and by a name of its own with the rules of each preset."""
    named = [GameSummary(f"{NAME}-{preset}", "1", f"the same by the rules {preset}") for preset in PRESETS]
    return [GameSummary(NAME, "1", "any casino's rules: mazzo blackjack, mazzo play blackjack"), *named]


def contest(name: str | Rules) -> Playable | None:
    """Agents side by side against the house: `blackjack`, `blackjack-` and a preset (`blackjack-hungarian`), rules."""
    found = _named(name) if isinstance(name, str) else name
    if not isinstance(found, Rules):
        return None
    from mazzo.blackjack.match import BlackjackMatch

    return BlackjackMatch(found)


def _named(name: str) -> Rules | None:
    """The usual rules for the name of the game, those of a preset for `blackjack-` and its name."""
    if name != NAME and not name.startswith(f"{NAME}-"):
        return None
    preset = name.removeprefix(NAME).removeprefix("-") or "strip"
    if preset not in PRESETS:
        raise UnreadableError(f"there are no rules {preset!r}; {did_you_mean(preset, PRESETS)}")
    return PRESETS[preset]


def rules(text: str) -> Rules | None:
    """The usual rules for the name of the game, those of a preset (`hungarian`, `blackjack-hungarian`), of a file."""
    return named_rules(text) if text in PRESETS or text.endswith(".toml") else _named(text)


def deal(rules: Rules, seed: int = 0, number: int = 0) -> Round:
    """Round `number` of a seed: one box and a fresh shoe."""
    return Round(rules, seed=seed, number=number)


def table(rules: Rules, deals: range, seed: int = 0) -> Table:
    """The rounds of these numbers at once."""
    return Table(rules, round_keys(seed, deals))


def knows(text: str) -> bool:
    """Whether a text looks like a round of blackjack (`deal 8,8 v 10; ...`) or a hand against an upcard: `8,8 v 10`."""
    return _is_round(text) or (bool(re.search(r"\bv(s|ersus)?\b", text.lower())) and ";" not in text)


def _is_round(text: str) -> bool:
    return any(part.split(maxsplit=1)[:1] == ["deal"] for part in text.split(";"))


def parse(text: str, rules: Rules | None = None) -> Round:
    """A round from its text, or from a hand against the dealer's card: `8,8 v 10`; further cards were drawn by hits.

    The usual rules hold unless others are given. Nothing is known of the dealer's hole card.
    """
    if not _is_round(text):
        cards, upcard = parse_situation(text)
        drawn = cards[2:]
        text = f"deal {text_of(cards[:2])} v {RANKS[upcard]}; plays {'hit ' * len(drawn)}; drawn {text_of(drawn)}"
    return Round.parse(text, rules)


def observe(deal: Round) -> Observations:
    """What the box to act sees."""
    return deal.observe()


def seating() -> Seating:
    """How blackjack is played at a table."""
    from mazzo.blackjack import seated

    table, seats = seated.BlackjackTable, (seated.LEAST_SEATS, seated.MOST_SEATS)
    return Seating(table, seated.FIELDS, *seats, seated.ADVISERS, sealed=table)


def replays() -> Replays:
    """How rounds that were played are shown again."""
    from mazzo.blackjack import replay

    return Replays(replay.read, replay.replay, dealt=replay.dealt)
