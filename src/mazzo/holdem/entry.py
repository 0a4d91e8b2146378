"""Hold'em as the parts that know no game see it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mazzo.document import Run, Section
from mazzo.errors import AmbiguousError, UnreadableError
from mazzo.games import GameSummary, Playable
from mazzo.holdem.agents import AGENTS
from mazzo.holdem.coach import ODDS
from mazzo.holdem.hand import Hand
from mazzo.holdem.match import HoldemMatch
from mazzo.holdem.notation import is_line
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import PRESETS, Rules, is_file_name
from mazzo.holdem.rules import rules as read_rules
from mazzo.holdem.table import Table, deal_cards
from mazzo.registry import Registry
from mazzo.rng import stream
from mazzo.seated import Replays, Seating

_SPOT = "spot:"  # a match in the spot of a file

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
    "old_table",
    "parse",
    "replays",
    "rules",
    "seating",
    "table",
]

NAME = "holdem"
ZERO_SUM = True

SECTIONS: Registry[Callable[[Run], Section]] = Registry(
    "kind of run",
    {
        "learn": "mazzo.holdem.sections:learn",
        "tournament": "mazzo.holdem.sections:tournament",
        "clone": "mazzo.holdem.sections:clone",
        "read": "mazzo.holdem.sections:read",
    },
)
"""What reports say of this game's runs, by the words of the command."""


def _what(game: Rules) -> str:
    blinds = "/".join(str(b) for b in sorted(b for b in game.blinds if b))
    stack = "" if max(game.stacks) > 10**9 else f", {max(game.stacks)} chips"
    return f"{'limit' if game.limit else 'no-limit'}, blinds {blinds}{stack}"


def games() -> Sequence[GameSummary]:
    """The presets."""
    return [GameSummary(game.name, str(game.players), _what(game)) for game in PRESETS.values()]


def contest(name: str | Rules) -> Playable | None:
    """A match at a preset, at the game of a `.game` file, by rules, or in a spot: `spot:turn.toml`."""
    if isinstance(name, str) and name.startswith(_SPOT):
        from mazzo.holdem.solver.spot.spot import read_spot
        from mazzo.holdem.spot_match import SpotMatch

        return SpotMatch(read_spot(name.removeprefix(_SPOT)))
    found = rules(name) if isinstance(name, str) else name
    return HoldemMatch(found) if isinstance(found, Rules) else None


def rules(text: str) -> Rules | None:
    """A preset or the game of a `.game` file."""
    return read_rules(text) if text in PRESETS or is_file_name(text) else None


def knows(text: str) -> bool:
    """Whether a text looks like a hand of Hold'em."""
    words = {part.split(maxsplit=1)[0] for part in text.split(";") if part.strip()}
    return is_line(text) or bool(words & {"game", "stacks", "cards"})


def parse(text: str, rules: Rules | None = None) -> Hand:
    """A hand from its text; a line of the competition is of the preset that its players and raises point to."""
    return Hand.parse(text, rules or (_rules_of(text) if is_line(text) else None))


def deal(rules: Rules, seed: int = 0, number: int = 0) -> Hand:
    """Hand `number` of a seed."""
    return Hand(rules, seed=seed, number=number)


def table(rules: Rules, deals: range, seed: int = 0) -> Table:
    """The hands of these numbers at once."""
    chance = np.full(len(deals), stream(seed, "luck"))
    return Table(rules, deal_cards(rules, stream(seed, "deal"), deals), rng_key=chance)


def observe(deal: Hand) -> Observations:
    """What the player to act sees: own cards and the open board must be known."""
    actor = deal.turn or 0
    if not deal.hole(actor):
        raise UnreadableError(f"the text does not show the cards of position {actor}, who is to act")
    if len(deal.board) != deal.rules.board_seen(deal.street):
        raise UnreadableError("the text does not show the board cards that lie open in this round")
    return deal.observe()


def range_held(agent: Any, seen: Observations) -> Any:
    """What a player who plays like this agent may hold, given all it did before the decision."""
    from mazzo.holdem.beliefs import range_seen

    return range_seen(agent, seen, int(seen.position[0]))


def _rules_of(text: str) -> Rules:
    """The preset a line must have been played at: limit lines raise by `r`, no-limit lines to an amount, `r300`."""
    fields = text.strip().split(":")
    at = 3 if fields[0] == "MATCHSTATE" else 2
    if len(fields) < at + 2:
        return PRESETS["holdem-limit-2p"]  # whose reader says how a line is written
    betting, players = fields[at], fields[at + 1].partition("/")[0].count("|") + 1
    kinds = [kind for kind, sign in (("nolimit", r"r\d"), ("limit", r"r(?!\d)")) if re.search(sign, betting)]
    names = [f"holdem-{kind}-{players}p" for kind in kinds or ("limit", "nolimit")]
    if len(names) > 1 or names[0] not in PRESETS:
        raise AmbiguousError(
            f"{text!r} does not say which game it is of: name it, such as --game {' or --game '.join(names)}"
            if len(names) > 1 and all(name in PRESETS for name in names)
            else f"no preset is for {players} players: name the game of {text!r} with --game (mazzo games lists them)"
        )
    return PRESETS[names[0]]


def seating() -> Seating:
    """How Hold'em is played at a table."""
    from mazzo.holdem.advising.asked import ADVISERS
    from mazzo.holdem.seated import LEAST_SEATS, MOST_SEATS, HoldemTable
    from mazzo.holdem.tournament.options import FIELDS, rules_at, usual_options

    table, seats = HoldemTable, (LEAST_SEATS, MOST_SEATS)
    return Seating(table, FIELDS, *seats, ADVISERS, usual_options, rules_at, table, ODDS)


def old_table(lines: Sequence[Any], where: str) -> list[Any] | None:
    """A session as the terminal of 0.1 wrote it, in the form of `mazzo.sitting`; None for another file."""
    from mazzo.holdem.tournament import session

    return session.old_table(lines, where)


def replays() -> Replays:
    """How hands that were played are shown again."""
    from mazzo.holdem import replay

    return Replays(replay.read, replay.replay, replay.detail, replay.dealt, replay.with_figures)
