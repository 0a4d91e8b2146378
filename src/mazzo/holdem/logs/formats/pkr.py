"""PKR: calls and raises count the player's total of the street."""

from __future__ import annotations

import re

from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.lines import LineHand, LineRoom
from mazzo.holdem.logs.rooms.reading import line_format
from mazzo.holdem.logs.rooms.text import AMOUNT, sure_cents
from mazzo.holdem.logs.rooms.top import read_top

__all__ = ["FORMAT"]

_APART = re.compile(r"\[(10|\w) (\w)\]")


def _top(draft: Draft, top: str) -> None:
    read_top(draft, "\n".join(line for line in top.split("\n") if not line.startswith("Last Hand")))
    draft.tournament = "Table Type: RING" not in top
    draft.currency = "" if draft.tournament else draft.currency
    limit = re.search(r"Limit Type: (.*)", top)
    draft.limit = {"NO LIMIT": "NL", "POT LIMIT": "PL"}.get(limit[1].strip(), "FL") if limit else ""


def _returned(hand: LineHand, found: re.Match[str]) -> None:
    hand.draft.give_back(found["name"], sure_cents(found["amount"]))


FORMAT = line_format(
    LineRoom(
        "pkr",
        re.compile(r"Starting Hand #(?P<number>\d+)"),
        separators=(" ",),
        seat=re.compile(
            r"seat (?P<seat>\d+) ?: (?P<name>.+?) - (?P<chips>[^\d\s]{0,3}" + AMOUNT + r")(?P<rest>.*)", re.I
        ),
        readings=(Reading(call_to=True), Reading(), Reading(raise_to=False, call_to=True)),
        ends=re.compile(r"End of Hand", re.I),
        top=8,
        prepare=lambda text: _APART.sub(r"[\1\2]", text),
        read_top=_top,
        special=(
            (
                re.compile(r"Returning [^\d\s]{0,3}(?P<amount>" + AMOUNT + r") to (?P<name>.+?)(?: uncalled.*|\.)?$"),
                _returned,
            ),
        ),
        summary=re.compile(r"$^"),
    )
)
