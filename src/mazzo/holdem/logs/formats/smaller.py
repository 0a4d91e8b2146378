"""Smaller rooms that write hands line by line: Absolute Poker, Betfair, Unibet, Run It Once and others."""

from __future__ import annotations

import re

from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.lines import LineHand, LineRoom
from mazzo.holdem.logs.rooms.reading import line_format
from mazzo.holdem.logs.rooms.text import AMOUNT, sure_cents
from mazzo.holdem.logs.rooms.top import read_top
from mazzo.holdem.logs.rooms.words import ENGLISH

__all__ = ["ABSOLUTE", "BETFAIR", "ENTRACTION", "KINGS", "RUN_IT_ONCE", "SEALS", "UNIBET"]


def _button_name(hand: LineHand, found: re.Match[str]) -> None:
    hand.draft.button_name = found["name"].strip()


def _absolute_top(draft: Draft, top: str) -> None:
    read_top(draft, top)
    draft.limit = "FL" if " Normal " in top else draft.limit or "NL"


ABSOLUTE = line_format(
    LineRoom(
        "absolutepoker",
        re.compile(r"Stage #(?P<number>\w+)"),
        separators=(" - ", " "),
        seat=re.compile(r"seat (?P<seat>\d+) - (?P<name>.+?) \((?P<chips>[^()]*)\)(?P<rest>.*)", re.I),
        readings=(Reading(), Reading(raise_to=False)),
        dealt=re.compile(r"(?P<name>.+?) - Pocket \[(?P<cards>[^\]]*)\]", re.I),
        top=2,
        read_top=_absolute_top,
        words=ENGLISH | {"all-in": "allin", "returned": "return", "collects": "collect"},
        special=(
            (
                re.compile(r"(?P<name>.+?) - returned \((?P<amount>[^)]*)\)"),
                lambda hand, found: hand.draft.give_back(found["name"], sure_cents(found["amount"])),
            ),
        ),
    )
)

RUN_IT_ONCE = line_format(
    LineRoom(
        "runitonce",
        re.compile(r"Run It Once Poker Hand #(?P<number>\w+)"),
        separators=(": ", " "),
        top=2,
        special=(
            (
                re.compile(r"(?:STP|Splash)[^\d\n]{0,30}(?P<amount>" + AMOUNT + r")"),
                lambda hand, found: setattr(hand.draft, "extra", hand.draft.extra + sure_cents(found["amount"])),
            ),
        ),
    )
)


def _seals_top(draft: Draft, top: str) -> None:
    read_top(draft, top)
    stakes = re.search(r"Stakes (?P<a>" + AMOUNT + r")/(?P<b>" + AMOUNT + ")", top)
    if stakes:
        draft.stakes = (sure_cents(stakes["a"]), sure_cents(stakes["b"]))


SEALS = line_format(
    LineRoom(
        "sealswithclubs",
        re.compile(r"^Hand #(?P<number>[\d-]+) - (?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n)", re.M),
        separators=(" ",),
        top=4,
        read_top=_seals_top,
        words=ENGLISH | {"refunded": "return"},
        special=((re.compile(r"(?P<name>.+?) has the dealer button"), _button_name),),
    )
)

KINGS = line_format(
    LineRoom(
        "kingsclub",
        re.compile(r"^#(?P<number>\d{5,}): (?=[^\n]*\d/)", re.M),
        separators=(": ", " "),
        readings=(Reading(call_to=True),),
        summary=re.compile(r"$^"),
    )
)


def _columns(text: str) -> str:
    """Padded columns as sentences."""
    text = re.sub(
        r"^(Small Blind|Big Blind|Blind out of turn|Dead Blind|Ante): +(\S.*?) *\(", r"\2 posts \1 (", text, flags=re.M
    )
    text = re.sub(r"^(.+?) was dealt: +(.*)$", r"Dealt to \1 [\2]", text, flags=re.M)
    text = re.sub(r"^(.+?) (shows|mucks): +((?:\w\w - )+\w\w)", r"\1 \2 [\3]", text, flags=re.M)
    text = re.sub(r"^(Flop|Turn|River) +((?:\w\w - )+\w\w)", r"\1 [\2]", text, flags=re.M)
    text = re.sub(r"^(\S.*?) +\((?:([A-Z]{3}) )?([\d.,]+) in seat (\d+)\)", r"Seat \4: \1 (\3)", text, flags=re.M)
    return re.sub(r"^(.+?) wins: +[A-Z]{0,3} ?", r"\1 wins ", text, flags=re.M)


def _entraction_top(draft: Draft, top: str) -> None:
    first = top.partition("\n")[0]
    read_top(draft, first, first.partition(" - Table")[0])
    draft.tournament = re.search(r"Limit (?:[A-Z]{3}) ", first) is None


ENTRACTION = line_format(
    LineRoom(
        "entraction",
        re.compile(r"Game # ?(?P<number>\d+) - "),
        separators=(" ",),
        readings=(Reading(raise_to=False), Reading()),
        prepare=_columns,
        read_top=_entraction_top,
        top=1,
        words=ENGLISH | {"payback": "return"},
        special=((re.compile(r"Dealer: +(?P<name>.+)"), _button_name),),
        summary=re.compile(r"$^"),
    )
)


BETFAIR = line_format(
    LineRoom(
        "betfair",
        re.compile(r"\*{5} Betfair Poker Hand History for Game (?P<number>\d+)"),
        separators=(" ",),
        summary=re.compile(r"$^"),
    )
)

UNIBET = line_format(
    LineRoom(
        "unibet",
        re.compile(r"Game #(?P<number>\d+): Table (?=[^\n]* - [^\n]*\n\*\*\* Seated)"),
        separators=(" ",),
        top=1,
        special=((re.compile(r"(?P<name>.+?) has the button"), _button_name),),
    )
)
