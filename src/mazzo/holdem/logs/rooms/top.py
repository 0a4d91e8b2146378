"""The first lines of a hand: which game, with which limit and stakes, for which money, when."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from mazzo.holdem.logs.rooms import draft as d
from mazzo.holdem.logs.rooms.draft import Draft
from mazzo.holdem.logs.rooms.text import AMOUNT, cents

__all__ = ["read_top"]

_LIMITS = (
    (re.compile(r"no[ _-]?limit|\bNL\b|NLHE|\bno lim", re.I), "NL"),
    (re.compile(r"pot[ _-]?limit|\bPL\b|PLO", re.I), "PL"),
    (re.compile(r"fixed[ _-]?limit|\blimit\b|\bFL\b|\bfixed\b", re.I), "FL"),
)
_HOLDEM = re.compile(r"hold\W{0,5}em|NLHE|\bnlh\b", re.I)
_OTHER = re.compile(
    r"[^\s,(]*(?:omaha|stud|razz|badugi|badacey|draw|courche?ve?a?l|lowball|7 ?card|5 ?card|four card|2-7|short ?deck"
    r"|short-deck|6\+|horse|double hold|pineapple|chinese)[^,(\n]{0,20}",
    re.I,
)
_STAKES = re.compile(
    r"(?P<a>"
    + AMOUNT
    + r")[^\d\s/]{0,3} ?/ ?[^\d\s/]{0,4} ?(?P<b>"
    + AMOUNT
    + r")(?P<c>[^\d\s/]{0,3} ?/ ?[^\d\s/]{0,3} ?"
    + AMOUNT
    + ")?"
)
_DAYS = "Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_WHEN = re.compile(
    r"\d{4}[/-]\d{1,2}[/-]\d{1,2}[T -]+\d{1,2}:\d{2}(?::\d{2})?(?: ?[A-Z]{2,4}\b)?"
    r"|\d{1,2}:\d{2}:\d{2}[^\[\n]{0,30}?\d{4}/\d{2}/\d{2}"
    r"|\d{1,2}[/. -]\d{1,2}[/. -]\d{4}[ -]+\d{1,2}:\d{2}:\d{2}"
    rf"|(?:{_DAYS})[a-z]{{0,6}}[^\n]{{0,12}} \d{{1,2}},?[^\n]{{0,10}}\d{{1,2}}:\d{{2}}:\d{{2}}[^\n]{{0,16}}\d{{4}}"
)
_CURRENCIES = (
    ("$", "USD"),
    ("\u20ac", "EUR"),
    ("\u00a3", "GBP"),
    ("\u20b9", "INR"),
    ("Rs.", "INR"),
    ("kr", "SEK"),
    ("\u00a5", "CNY"),
)
_TOURNAMENT = re.compile(r"tournament|tourney|torneo|torneio|tournoi|sit ?& ?go|\bMTT\b|\bSTT\b|\bTrny\b", re.I)


_UNIQUE = re.compile(r"#\w+|\d{4}[/-]\d{1,2}[/-]\d{1,2}|\d{1,2}/\d{1,2}/\d{4}|\d{1,2}:\d\d(?::\d\d)?|'[^'\n]*'")
"""What differs from hand to hand at a table: numbers, times, the table's name."""


class _Facts(NamedTuple):
    """What the first lines of a hand say."""

    other: str
    limit: str
    tournament: bool
    currency: str
    stakes: tuple[int, ...]


@lru_cache(1 << 12)
def _facts_in(top: str, game: str | None) -> _Facts:
    named = _game_in(top if game is None else game)
    limit = next((limit for pattern, limit in _LIMITS if pattern.search(top)), "")
    tournament = _TOURNAMENT.search(top) is not None
    found = _STAKES.search(top)
    stakes = (cents(found["a"]), cents(found["b"])) if found else (None, None)
    currency = "" if tournament else next((code for sign, code in _CURRENCIES if sign in top), "")
    both = tuple(amount for amount in stakes if amount)
    return _Facts("" if named == "unsaid" else named, limit, tournament, currency, both if len(both) == 2 else ())


def _game_in(text: str) -> str:
    """The game that a text names: empty for Hold'em."""
    other = _OTHER.search(text)
    if other is None:
        return "" if _HOLDEM.search(text) else "unsaid"
    return other[0]


def read_top(draft: Draft, top: str, game: str | None = None) -> None:
    """Game, limit, stakes, currency and time from the first lines; another game ends the reading."""
    when = _WHEN.search(top)
    draft.when = when[0].strip() if when else ""
    facts = _facts_in(_UNIQUE.sub("", top), game)
    if facts.other:
        raise d.other_game(facts.other)
    draft.limit, draft.tournament, draft.currency = facts.limit, facts.tournament, facts.currency
    draft.stakes = facts.stakes
    table = re.search(r"Table:? ['\"]?([^'\"\n]{1,60})", top)
    draft.table = table[1].strip() if table else ""
