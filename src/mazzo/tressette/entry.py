"""Tressette as the parts that know no game see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mazzo.errors import UnreadableError
from mazzo.games import GameSummary
from mazzo.seated import Replays, Seating
from mazzo.tressette.agents import AGENTS
from mazzo.tressette.match import TressetteMatch, WholeMatches
from mazzo.tressette.observation import Observations
from mazzo.tressette.round import SEATS, Round
from mazzo.tressette.rules import PRESETS, Rules
from mazzo.tressette.rules import rules as find_rules
from mazzo.tressette.table import Table
from mazzo.tressette.view import View

__all__ = [
    "AGENTS",
    "MATCH",
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
MATCH = "tressette-match"
"""Whole matches in the arena; rules are changed as in `tressette-match:target=21`."""
ZERO_SUM = True


_WHAT = {
    "tressette": "ten cards each, declarations, no talking",
    "tressette-talk": "the same with signals: busso, striscio, volo",
    "tressette-after": "declared after the first trick, with the suit named",
    "tressette-coda": "the same; cards that continue a napoli score too",
    "tressette-none": "nothing is declared",
    "tressette-stakes": "to 21, ending within a round; cappotto and stramazzo",
    "tressette-a-perdere": "points are lost: the first side to 31 loses",
}


def games() -> Sequence[GameSummary]:
    """The usual game, and rules as they are played elsewhere."""
    return [GameSummary(name, "4 in pairs", _WHAT[name]) for name in PRESETS]


def contest(name: str | Rules) -> TressetteMatch | WholeMatches | None:
    """Deals or whole matches (`tressette-match`) between two agents, each holding a pair of seats."""
    if not isinstance(name, str):
        return TressetteMatch(name) if isinstance(name, Rules) else None
    whole = name.partition(":")[0] == MATCH
    found = rules(name.replace(MATCH, NAME, 1) if whole else name)
    return None if found is None else WholeMatches(found) if whole else TressetteMatch(found)


def rules(text: str) -> Rules | None:
    """A preset by its name, also with rules changed: `tressette:declarations=none`."""
    return find_rules(text) if text.partition(":")[0] in PRESETS else None


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
    return Seating(
        table, seated.FIELDS, *seats, seated.ADVISERS, rules=_chosen, sealed=table, absent="decision-improved"
    )


def _chosen(options: Mapping[str, Any], seats: int) -> Rules:
    """The rules that the fields of a new table say."""
    from mazzo.tressette.seated import rules_of

    return rules_of(options)


def replays() -> Replays:
    """How rounds that were played are shown again."""
    from mazzo.tressette import replay
    from mazzo.tressette.seated import OPEN

    return Replays(replay.read, replay.replay, dealt=replay.dealt, advisers=(OPEN,))
