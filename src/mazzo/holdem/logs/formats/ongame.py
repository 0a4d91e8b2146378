"""Ongame and its skins."""

from __future__ import annotations

import re

from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.lines import LineHand, LineRoom
from mazzo.holdem.logs.rooms.reading import line_format
from mazzo.holdem.logs.rooms.text import AMOUNT, cards, sure_cents
from mazzo.holdem.logs.rooms.top import read_top

__all__ = ["FORMAT"]

_WINNER = re.compile(r"(?:by |, )(?P<name>.{1,40}?) \([^\d\s)]{0,4} ?(?P<amount>" + AMOUNT + r")[^)]{0,6}\)")


def _won(hand: LineHand, found: re.Match[str]) -> None:
    for winner in _WINNER.finditer(found["rest"]):
        hand.draft.collect(winner["name"], sure_cents(winner["amount"]))


def _shown(hand: LineHand, found: re.Match[str]) -> None:
    if hand.in_summary and found["name"] in hand.draft.seats:
        hand.draft.show(found["name"], cards(found["cards"]))


def _top(draft: Draft, top: str) -> None:
    table = next((line for line in top.split("\n") if line.startswith("Table:")), top)
    read_top(draft, top, table[table.rfind("(") :] if "(" in table else table)
    draft.tournament = "TOURNAMENT" in top or ", TC)" in top
    stakes = re.search(r"\((?P<game>[^()]*)\)[^()]*$", table)
    if stakes:
        inner = Draft(0)
        read_top(inner, stakes["game"].replace("_", " "))
        draft.stakes, draft.limit = inner.stakes, inner.limit


FORMAT = line_format(
    LineRoom(
        "ongame",
        re.compile(r"\*{5} History for hand (?P<number>[\w-]+)"),
        separators=(" ",),
        top=4,
        readings=(Reading(), Reading(raise_to=False)),
        ends=re.compile(r"\*{5} End of hand"),
        read_top=_top,
        special=(
            (re.compile(r"(?:Main|Side) pot ?\d*:(?P<rest>.*)"), _won),
            (re.compile(r"Seat \d+: (?P<name>.+?) \([^()]*\), net: [^\[]{1,30}\[(?P<cards>[^\]]*)\]"), _shown),
        ),
    )
)
