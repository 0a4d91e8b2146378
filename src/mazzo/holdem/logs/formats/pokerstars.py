"""PokerStars, and what is written like it: Full Tilt of 2016, clubs' apps, exports of trackers."""

from __future__ import annotations

import re

from mazzo.holdem.logs.rooms.draft import Draft
from mazzo.holdem.logs.rooms.lines import LineRoom, read_top
from mazzo.holdem.logs.rooms.reading import line_format
from mazzo.holdem.logs.rooms.words import PORTUGUESE

__all__ = ["FORMAT", "GGPOKER", "read_stars_top"]

_GAME = re.compile(r"#[A-Za-z]*\d+:?(?P<game>[^\n]*?)(?:\(|Level|$)", re.M)


def read_stars_top(draft: Draft, top: str) -> None:
    """The game stands behind the tournament's number and before the stakes; names of tournaments may hold others."""
    first = top.partition("\n")[0]
    game = first
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
            r"(?:Game|Hand|GAME|HAND|M\u00e3o|Mano|Main)(?: )?#(?P<number>[A-Z]{0,3}\d+)",
        ),
        separators=(": ", " "),
        words=PORTUGUESE,
        read_top=read_stars_top,
    )
)

GGPOKER = line_format(LineRoom("ggpoker", re.compile(r"Poker Hand #(?P<number>[A-Z]*\d+)"), read_top=read_stars_top))
