"""Full Tilt Poker."""

from __future__ import annotations

import re

from mazzo.holdem.logs.rooms.draft import Draft
from mazzo.holdem.logs.rooms.lines import LineHand, LineRoom
from mazzo.holdem.logs.rooms.reading import line_format
from mazzo.holdem.logs.rooms.text import cents
from mazzo.holdem.logs.rooms.top import read_top

__all__ = ["FORMAT"]


def _top(draft: Draft, top: str) -> None:
    first = top.partition("\n")[0]
    game = re.search(r" - ((?:[^-\n]*)(?:hold'?em|omaha|stud|razz|badugi|draw|courchevel)[^-\n]*)", first, re.I)
    read_top(draft, first, game[1] if game else first)
    draft.tournament = draft.tournament or re.search(r"Sit & Go|\(\d{6,}\), Table", first) is not None
    if draft.tournament:
        draft.currency = ""


def _blinds(hand: LineHand, found: re.Match[str]) -> None:
    small, big = cents(found["a"]), cents(found["b"])
    if small and big:
        hand.draft.stakes = (small, big)


FORMAT = line_format(
    LineRoom(
        "fulltilt",
        re.compile(r"Full\s?Tilt\s?Poker\.?\w{0,3} Game #(?P<number>\d+)"),
        separators=(" ",),
        top=1,
        ends=re.compile(r"[* ]*SUMMARY"),
        read_top=_top,
    )
)
