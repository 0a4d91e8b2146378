"""Everleaf and Partouche."""

from __future__ import annotations

import re

from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.lines import LineRoom
from mazzo.holdem.logs.rooms.reading import line_format
from mazzo.holdem.logs.rooms.top import read_top
from mazzo.holdem.logs.rooms.words import ENGLISH

__all__ = ["FORMAT"]

_FRENCH = {
    "passe": "fold", "parole": "check", "suit": "call", "mise": "bet", "relance": "raise", "gagne": "collect",
    "montre": "show", "pose": "post",
}  # fmt: skip


def _top(draft: Draft, top: str) -> None:
    read_top(draft, top)
    blinds = next((line for line in top.split("\n") if "linds" in line), "")
    draft.tournament = not any(sign in blinds for sign in ("$", "\u20ac", "USD", "EUR"))
    draft.stakes = draft.stakes[:2]


FORMAT = line_format(
    LineRoom(
        "everleaf",
        re.compile(
            r"(?:[A-Z][\w.]{2,20}(?: [A-Z]\w+)?) Game #(?P<number>\d+)\s{0,9}\n\*{5} Hand history"
            r"|Partouche Poker[^\n]{0,40}\n\*{3} Historique des Mains pour la partie (?P<other>\d+)"
        ),
        separators=(": ", " "),
        words=ENGLISH | _FRENCH,
        readings=(Reading(raise_to=False), Reading()),
        seat=re.compile(r"seat (?P<seat>\d+) ?: (?P<name>.+?) ?\( *(?P<chips>[^()]*?\d[^()]*)\)(?P<rest>.*)", re.I),
        top=4,
        read_top=_top,
    )
)
