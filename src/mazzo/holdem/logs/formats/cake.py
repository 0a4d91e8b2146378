"""Cake."""

from __future__ import annotations

import re

from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.lines import LineHand, LineRoom
from mazzo.holdem.logs.rooms.reading import line_format
from mazzo.holdem.logs.rooms.text import AMOUNT, cents
from mazzo.holdem.logs.rooms.top import read_top

__all__ = ["FORMAT"]


def _top(draft: Draft, top: str) -> None:
    first = top.partition("\n")[0]
    parts = first.split(" -- ")
    read_top(draft, first, " ".join(parts[1:]) if len(parts) > 2 else first)
    draft.tournament = re.search(r"\bT\d+|Tournament|Level|Buy-?in", first) is not None
    stakes = re.search(AMOUNT + r"[^\d\s]?(?:/[^\d\s]?" + AMOUNT + r")+", parts[1] if len(parts) > 1 else first)
    if stakes:
        amounts = [cents(word) or 0 for word in stakes[0].split("/")]
        draft.stakes = tuple(amounts[-2:])
        draft.tournament |= not re.search(r"[$\u20ac]", parts[1] if len(parts) > 1 else first)


def _dealer(hand: LineHand, found: re.Match[str]) -> None:
    hand.draft.button_name = found["name"].strip()


FORMAT = line_format(
    LineRoom(
        "cake",
        re.compile(r"^Hand ?#(?P<number>[\w-]+) - (?=[^\n]* -- )", re.M),
        separators=(": ", ":", " "),
        readings=(Reading(),),
        top=1,
        read_top=_top,
        special=((re.compile(r"Dealer: (?P<name>.+)"), _dealer),),
    )
)
