"""What PokerTracker exports of hands of iPoker, Merge and Microgaming."""

from __future__ import annotations

import re

from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.lines import LineRoom
from mazzo.holdem.logs.rooms.reading import line_format
from mazzo.holdem.logs.rooms.text import AMOUNT
from mazzo.holdem.logs.rooms.top import read_top
from mazzo.holdem.logs.rooms.words import ENGLISH

__all__ = ["FORMAT", "MICROGAMING"]

_OF = re.compile(r"\b(10|[2-9TJQKA]) of ([cdhs])\b")


def _list_in_brackets(text: str) -> str:
    """`2 of d, 2 of h` as `[2d 2h]`."""
    text = _OF.sub(r"\1\2", text)
    return re.sub(
        r"^(\*\* Dealing [^:\n]*|[^\n:]{1,40} (?:shows|mucks)): ((?:10|\w)[cdhs](?:, (?:10|\w)[cdhs])*)",
        r"\1: [\2]",
        text,
        flags=re.M,
    )


def _top(draft: Draft, top: str) -> None:
    read_top(draft, top)
    draft.tournament = re.search(r"Tournament|MTT|STT|Multi Table|Sit ?& ?Go", top) is not None
    stakes = re.search(r"\((?P<a>" + AMOUNT + r")\|(?P<b>" + AMOUNT + r") (?P<limit>NL|PL|FL)", top)
    if stakes:
        one = Draft(0)
        read_top(one, f"Hold'em {stakes['a']}/{stakes['b']}")
        draft.stakes, draft.limit = one.stakes, stakes["limit"]


FORMAT = line_format(
    LineRoom(
        "pokertracker",
        re.compile(
            r"^(?:MERGE_|Merge )?GAME #(?P<number>[\w-]+):? (?=[^\n]*(?:Hold|Omaha|Stud|Razz|Draw|Badugi))", re.M | re.I
        ),
        separators=(": ",),
        readings=(Reading(raise_to=False), Reading()),
        words=ENGLISH | {"allin": "allin", "wins": "collect"},
        read_top=_top,
        special=(),
        summary=re.compile(r"$^"),
    )
)

MICROGAMING = line_format(
    LineRoom(
        "pokertracker-microgaming",
        re.compile(r"^\*\* (?:Game ID|Hand #) ?(?P<number>\d+)", re.M),
        separators=(" ",),
        seat=re.compile(
            r"(?:- )?(?P<name>.+?) sitting in seat (?P<seat>\d+) with [^\d\s]{0,3}(?P<chips>"
            + AMOUNT
            + r")(?P<rest>.*)",
            re.I,
        ),
        readings=(Reading(raise_to=False), Reading(), Reading(call_to=True), Reading(raise_to=False, call_to=True)),
        words=ENGLISH | {"went": "allin"},
        prepare=_list_in_brackets,
        ends=re.compile(r"End of game"),
        read_top=_top,
        summary=re.compile(r"$^"),
    )
)
