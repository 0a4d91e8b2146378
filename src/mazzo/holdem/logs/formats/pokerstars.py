"""PokerStars, and what is written like it: Full Tilt of 2016, clubs' apps, exports of trackers."""

from __future__ import annotations

import re

from mazzo.holdem.logs.rooms.draft import Draft
from mazzo.holdem.logs.rooms.lines import LineHand, LineRoom
from mazzo.holdem.logs.rooms.reading import line_format
from mazzo.holdem.logs.rooms.text import AMOUNT, sure_cents
from mazzo.holdem.logs.rooms.top import read_top
from mazzo.holdem.logs.rooms.words import PORTUGUESE

__all__ = ["FORMAT", "GGPOKER", "read_stars_top"]

_PORTUGUESE = (
    ("Lugar ", "Seat "), ("em fichas", "in chips"), ("\u00e9 o bot\u00e3o", "is the button"), ("paga o ", "posts "),
    ("SUM\u00c1RIO", "SUMMARY"), ("Total pote", "Total pot"), ("comiss\u00e3o", "Rake"), ("Mesa [", "Board ["),
    ("CARTAS DA M\u00c3O", "HOLE CARDS"), ("coloca ", "posts "), ("Distribu\u00eddas para ", "Dealt to "),
    (" para ", " to "),    ("Torneio #", "Tournament #"), ("N\u00edvel", "Level"),
)  # fmt: skip
_RETURNED = re.compile(r"^Aposta n\u00e3o-igualada \(([^()\n]*)\) voltou (?:para|to) ", re.M)


def _bonus(hand: LineHand, found: re.Match[str]) -> None:
    """What the house puts into the pot."""
    hand.draft.extra += sure_cents(found["amount"])


SUMMARY = re.compile(r"[* ]*SUM", re.I)
"""Begins the last part of a whole hand."""


def _in_english(text: str) -> str:
    """The fixed phrases of another language in English; what players do is in its table of words."""
    if not text.startswith("M\u00e3o PokerStars"):
        return text
    for theirs, ours in _PORTUGUESE:
        text = text.replace(theirs, ours)
    return _RETURNED.sub(r"Uncalled bet (\1) returned to ", text)


def read_stars_top(draft: Draft, top: str) -> None:
    """The game stands behind the tournament's number and before the stakes; names of tournaments may hold others."""
    first = top.partition("\n")[0]
    game: str | None = None
    tournament = re.search(r"(?:Tournament|Torneio) #", first)
    if tournament:
        found = re.search(
            r"(?:hold'?em|omaha|stud|razz|badugi|draw|courchevel)[^\n(]{0,20}(?:no limit|pot limit|limit)?",
            first[tournament.end() :],
            re.I,
        )
        named = list(
            re.finditer(
                r"(?:short deck |6\+ ?|5 card |6 card |7 card )?(?:hold'?em|omaha|stud|razz|badugi|draw|courchevel)",
                first,
                re.I,
            )
        )
        game = named[-1][0] if named and found else first
    read_top(draft, top, game)


FORMAT = line_format(
    LineRoom(
        "pokerstars",
        re.compile(
            r"(?:POKERSTARS|PokerStars|PokerMaster|PPPoker|SupremaPoker|UPoker|Full Tilt(?= Hand))\s(?:[A-Za-z]+ ){0,2}"
            r"(?:Game|Hand|GAME|HAND|M\u00e3o|Mano|Main)(?: )?#(?P<number>[A-Z]{0,3}\d+)"
            r"|M\u00e3o PokerStars #(?P<portuguese>\d+)"
        ),
        separators=(": ", " "),
        words=PORTUGUESE,
        ends=SUMMARY,
        prepare=_in_english,
        read_top=read_stars_top,
    )
)

GGPOKER = line_format(
    LineRoom(
        "ggpoker",
        re.compile(r"(?<!Once )Poker Hand #(?P<number>[A-Z]*\d+)"),
        ends=SUMMARY,
        read_top=read_stars_top,
        special=((re.compile(r"Cash Drop to Pot ?: ?(?:total )?[^\d\s]{0,3} ?(?P<amount>" + AMOUNT + ")"), _bonus),),
    )
)
