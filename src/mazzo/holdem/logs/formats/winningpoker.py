"""Winning Poker (ACR, BlackChip, True Poker): an older layout that begins `Game started at`, a newer like others'."""

from __future__ import annotations

import re

from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.lines import LineHand, LineRoom
from mazzo.holdem.logs.rooms.reading import line_format
from mazzo.holdem.logs.rooms.text import AMOUNT, cards, sure_cents
from mazzo.holdem.logs.rooms.top import read_top
from mazzo.holdem.logs.rooms.words import ENGLISH

__all__ = ["FORMAT", "OLD"]

_PLAYER = re.compile(r"^\*?Player (?=\S)", re.M)
_RAKE = re.compile(r"^((?:Main|Side) pot[^|\n]*)\|[^\n]*", re.M)


def _old_result(hand: LineHand, found: re.Match[str]) -> None:
    name = found["name"]
    if name not in hand.draft.seats:
        return
    hand.draft.collect(name, sure_cents(found["won"]))
    shown = re.search(r"\[([^\]]*)\]", found["shown"])
    if shown:
        hand.draft.show(name, cards(shown[1]))


def _dealt(hand: LineHand, found: re.Match[str]) -> None:
    """One card a line."""
    name = found["name"]
    held = hand.draft.hole.pop(name, ()) if len(hand.draft.hole.get(name, ())) == 1 else ()
    hand.draft.hole[name] = (*held, *cards(found["cards"]))
    hand.draft.hero = name
    if len(hand.draft.hole[name]) > 2:
        hand.draft.show(name, hand.draft.hole.pop(name))


def _finish(draft: Draft) -> None:
    if "(JP)" in draft.table:  # what goes to the jackpot is not told
        draft.rake = None
    draft.hole = {name: held for name, held in draft.hole.items() if len(held) == 2}


def _old_top(draft: Draft, top: str) -> None:
    read_top(draft, top)
    draft.tournament = re.search(r"Tourney|Tournament|Level", top) is not None
    draft.limit = draft.limit if draft.limit == "FL" else "NL"
    number = re.search(r"Game ID: (\d+)", top)
    draft.number = number[1] if number else ""
    draft.table = top.partition("Game ID:")[2].partition("\n")[0].strip()


OLD = line_format(
    LineRoom(
        "winningpoker-old",
        re.compile(r"Game started at:"),
        separators=(" ",),
        words=ENGLISH
        | {
            "has small": "post",
            "has big": "post",
            "straddle": "post",
            "has straddle": "post",
            "posts": "post",
            "mucks": "ignore",
        },
        readings=(Reading(raise_to=False), Reading()),
        ends=re.compile(r"Game ended at"),
        prepare=lambda text: _PLAYER.sub("", text),
        finish=_finish,
        read_top=_old_top,
        summary=re.compile(r"-+ Summary"),
        special=(
            (
                re.compile(
                    r"(?P<name>.+?) (?P<shown>(?:does not show|shows|mucks|didn't show)\b.*?)Bets: "
                    + AMOUNT
                    + r"\. Collects: (?P<won>"
                    + AMOUNT
                    + r")\b"
                ),
                _old_result,
            ),
            (re.compile(r"(?P<name>.+?) received card: \[(?P<cards>[^\]]*)\]"), _dealt),
        ),
    )
)


def _top(draft: Draft, top: str) -> None:
    first = top.partition("\n")[0]
    game = re.search(
        r"(?:^|- )([^-\n]*\((?:No|Pot|Fixed)[ -]?Limit\)|[^-\n]*(?:Holdem|Hold'em|Omaha|Stud|Razz)[^-\n]*)", first
    )
    read_top(draft, first, game[1] if game else first)


def _finish_new(draft: Draft) -> None:
    """The rake stands on every street; the last counts."""
    draft.rake = None


FORMAT = line_format(
    LineRoom(
        "winningpoker",
        re.compile(r"^(?:Game )?Hand #(?P<number>\d+) - (?=[^\n]*(?:Limit|Holdem|Omaha|Stud|Razz|Tournament))", re.M),
        separators=(" ",),
        readings=(Reading(),),
        top=2,
        prepare=lambda text: _RAKE.sub(r"\1", text),
        finish=_finish_new,
        read_top=_top,
    )
)
