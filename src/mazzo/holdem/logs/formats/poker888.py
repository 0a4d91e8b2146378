"""888poker (Cassava): chips added, no line for bets that come back nor for the rake; amounts as a country has them."""

from __future__ import annotations

import re

from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.lines import LineRoom
from mazzo.holdem.logs.rooms.reading import line_format
from mazzo.holdem.logs.rooms.top import read_top

__all__ = ["FORMAT"]

_SUITS = {"pik": "s", "herz": "h", "karo": "d", "kreuz": "c", "pique": "s", "coeur": "h", "carreau": "d", "trefle": "c"}
_WORDY = re.compile(r"\b(10|[2-9TJQKABDVHE]|Kn)(pik|herz|karo|kreuz|pique|coeur|carreau|trefle)\b", re.I)
_DUTCH = re.compile(r"\b[BHV][cdhs]\b")
_SWEDISH = re.compile(r"\b(?:Kn|E|D)[cdhs]\b")
_LISTS = re.compile(r"\[[^\]\n]{0,80}\]")


def _prepare(text: str) -> str:
    """Cards in English."""
    text = _WORDY.sub(lambda found: found[1] + _SUITS[found[2].lower()], text)
    lists = "".join(_LISTS.findall(text))
    if _SWEDISH.search(lists):
        names = {"Kn": "J", "E": "A", "D": "Q"}
        text = _LISTS.sub(lambda found: re.sub(r"\b(Kn|E|D)(?=[cdhs]\b)", lambda c: names[c[1]], found[0]), text)
    elif _DUTCH.search(lists):
        dutch = {"B": "J", "V": "Q", "H": "K"}
        text = _LISTS.sub(lambda found: re.sub(r"\b([BVH])(?=[cdhs]\b)", lambda c: dutch[c[1]], found[0]), text)
    return text


def _top(draft: Draft, top: str) -> None:
    read_top(draft, top)
    draft.tournament = "Tournament #" in top or "Turnier" in top
    draft.currency = "" if draft.tournament else draft.currency


FORMAT = line_format(
    LineRoom(
        "888poker",
        re.compile(
            r"\*{3,5} ?(?:888poker|Cassava|888\.\w+|888poker\.[\w-]+|888[\w.-]*) Hand History for Game (?P<number>\d+)"
        ),
        separators=(" ",),
        readings=(Reading(raise_to=False),),
        prepare=_prepare,
        read_top=_top,
        summary=re.compile(r"$^"),
    )
)
