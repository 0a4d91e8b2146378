"""Bovada, Bodog and Ignition: players are positions, the reader is marked, all hole cards are dealt face up."""

from __future__ import annotations

import re

from mazzo.holdem.logs.rooms.draft import ALL_IN, Draft, Reading
from mazzo.holdem.logs.rooms.lines import LineHand, LineRoom
from mazzo.holdem.logs.rooms.reading import line_format
from mazzo.holdem.logs.rooms.text import AMOUNT, cards, sure_cents
from mazzo.holdem.logs.rooms.top import read_top
from mazzo.holdem.logs.rooms.words import ENGLISH

__all__ = ["FORMAT"]

_ME = re.compile(r"\s*\[ME\]")
_SMALL = re.compile(r": Ante/Small blind", re.I)
_ORDER = {"Small Blind": 1, "Big Blind": 2, "UTG": 3, "Dealer": 99}


def _prepare(text: str) -> str:
    """Some hands have every line several times; and the reader is marked in his name."""
    lines = text.split("\n")
    text = "\n".join(line for line, before in zip(lines, ["", *lines], strict=False) if line != before or not line)
    return _SMALL.sub(": Small blind", _ME.sub("", text))


def _finish(draft: Draft) -> None:
    """The names say the order of the seats, which their numbers do not."""
    places = {name: _ORDER.get(name) or _behind(name) for name in draft.seats}
    if all(places.values()):
        draft.seats = {name: (places[name] or 0, chips) for name, (_, chips) in draft.seats.items()}
        draft.button = 99
        if "Dealer" not in draft.seats and len(draft.seats) == 2:
            draft.button = None


def _behind(name: str) -> int | None:
    found = re.fullmatch(r"UTG\+(\d{1,2})", name)
    return 3 + int(found[1]) if found else None


def _dealt(hand: LineHand, found: re.Match[str]) -> None:
    if found["name"] in hand.draft.seats:
        hand.draft.show(found["name"], cards(found["cards"]))


def _all_in_blind(hand: LineHand, found: re.Match[str]) -> None:
    """Before the cards all-in is a blind that is not whole."""
    name, amount = found["name"], sure_cents(found["amount"])
    if hand.draft.hole or hand.draft.steps:
        hand.draft.act(name, ALL_IN)
    else:
        hand.draft.post("big" if name == "Big Blind" else "small", name, amount)


def _board(hand: LineHand, found: re.Match[str]) -> None:
    """Older files tell the street by the cards alone."""
    board = (*hand.draft.board, *cards(found["cards"]))
    hand.draft.street = {3: 1, 4: 2, 5: 3}.get(len(board), hand.draft.street)
    hand.lay(board, 0)


def _top(draft: Draft, top: str) -> None:
    read_top(draft, top.partition("\n")[0])
    draft.currency = "" if draft.tournament else "USD"


FORMAT = line_format(
    LineRoom(
        "bovada",
        re.compile(r"(?:Bovada|Bodog|Ignition|Bodog\.eu|Bodog UK|Bodog Canada)[ \w.]{0,12} Hand #(?P<number>\d+)"),
        separators=(" : ",),
        words=ENGLISH
        | {
            "showdown": "ignore",
            "show": "ignore",
            "shows": "ignore",
            "does": "ignore",
            "table": "ignore",
            "seat": "ignore",
            "enter": "ignore",
            "sitout": "ignore",
            "draw": "ignore",
            "leave": "ignore",
            "leave(auto)": "ignore",
            "prize": "ignore",
            "stand": "ignore",
            "card": "look",
            "ranking": "ignore",
            "raise": "raise",
            "big blind/bring": "post",
            "mucks": "ignore",
            "re-join": "ignore",
        },
        readings=(Reading(), Reading(raise_to=False)),
        ends=re.compile(r"\*\*\* SUMMARY"),
        prepare=_prepare,
        finish=_finish,
        read_top=_top,
        special=(
            (re.compile(r"(?P<name>[^:]{2,14}) : Card dealt to a spot \[(?P<cards>[^\]]*)\]"), _dealt),
            (
                re.compile(r"(?P<name>Small Blind|Big Blind|Dealer) : All-in [^\d\s]?(?P<amount>" + AMOUNT + r") ?$"),
                _all_in_blind,
            ),
            (re.compile(r"Card dealt to table \[(?P<cards>[^\]]*)\]"), _board),
        ),
    )
)
