"""Winamax: what nobody called stays in what the winner collects."""

from __future__ import annotations

import re

from mazzo.holdem.logs.rooms.draft import Draft
from mazzo.holdem.logs.rooms.lines import LineHand, LineRoom
from mazzo.holdem.logs.rooms.reading import line_format
from mazzo.holdem.logs.rooms.text import AMOUNT, cents, sure_cents
from mazzo.holdem.logs.rooms.top import read_top

__all__ = ["FORMAT"]


def _top(draft: Draft, top: str) -> None:
    first = top.partition("\n")[0]
    game = re.search(r"HandId: #(?P<id>[\w-]+) - (?P<game>[^\n]*)", first)
    read_top(draft, game["game"] if game else first)
    draft.tournament = re.search(r"Poker - Tournament", first) is not None
    draft.number = game["id"] if game else draft.number
    stakes = re.search(r"\(([^()]*/[^()]*)\)", game["game"] if game else "")
    if stakes:
        amounts = tuple(cents(word) or 0 for word in stakes[1].split("/"))
        draft.stakes = amounts[-2:]


def _bonus(hand: LineHand, found: re.Match[str]) -> None:
    hand.draft.extra += sure_cents(found["amount"])


FORMAT = line_format(
    LineRoom(
        "winamax",
        re.compile(r"Winamax Poker - (?=[^\n]{0,300}HandId)"),
        separators=(" ",),
        top=2,
        ends=re.compile(r"[* ]*SUMMARY"),
        read_top=_top,
        special=((re.compile(r"Hold-up to Pot: total (?P<amount>" + AMOUNT + ")"), _bonus),),
    )
)
