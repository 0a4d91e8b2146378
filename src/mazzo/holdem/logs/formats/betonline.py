"""BetOnline, ActionPoker and Gear Poker."""

from __future__ import annotations

import re

from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.lines import LineRoom
from mazzo.holdem.logs.rooms.reading import line_format
from mazzo.holdem.logs.rooms.top import read_top

__all__ = ["FORMAT"]

_SHOWN = re.compile(r"(shows?) ((?:10|[2-9TJQKA])[cdhsCDHS]) ((?:10|[2-9TJQKA])[cdhsCDHS])\b")


def _top(draft: Draft, top: str) -> None:
    read_top(draft, top)
    draft.stakes = () if draft.tournament else draft.stakes
    draft.limit = draft.limit or "NL"


def _finish(draft: Draft) -> None:
    """In some skins seats count against the clock: then the big blind sits before the small one."""
    part = {post.name for post in draft.posts} | {step[0] for step in draft.steps}
    seated = sorted((name for name in part if name in draft.seats), key=lambda name: draft.seats[name][0])
    small = next((post.name for post in draft.posts if post.kind == "small" and post.name in seated), None)
    big = next((post.name for post in draft.posts if post.kind == "big" and post.name in seated), None)
    if small and big and len(seated) > 2 and seated[seated.index(small) - 1] == big:
        draft.seats = {name: (-seat, chips) for name, (seat, chips) in draft.seats.items()}
        draft.button = None if draft.button is None else -draft.button


FORMAT = line_format(
    LineRoom(
        "betonline",
        re.compile(r"(?:BetOnline|Action ?Poker|Gear ?Poker|Lucky Ace Poker)[.\w ]{0,12} Game #(?P<number>\d+)"),
        separators=(": ", " "),
        readings=(Reading(raise_to=False), Reading()),
        prepare=lambda text: _SHOWN.sub(r"\1 [\2 \3]", text),
        finish=_finish,
        read_top=_top,
    )
)
