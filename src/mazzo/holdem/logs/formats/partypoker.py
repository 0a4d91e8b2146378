"""PartyPoker, in its older and its newer layout."""

from __future__ import annotations

import re

from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.lines import LineHand, LineRoom
from mazzo.holdem.logs.rooms.reading import line_format
from mazzo.holdem.logs.rooms.text import AMOUNT, sure_cents
from mazzo.holdem.logs.rooms.top import read_top
from mazzo.holdem.logs.rooms.words import ENGLISH

__all__ = ["FORMAT"]

_TWO_WINNERS = re.compile(r"(?<=[.])(?=\S{1,30} wins [^\d\s]{0,2}\d)")


def _balance(hand: LineHand, found: re.Match[str]) -> None:
    """The newer layout has the results with the balances."""
    if found["name"] in hand.draft.seats and found["won"]:
        hand.draft.collect(found["name"], sure_cents(found["won"]))


def _joined(hand: LineHand, found: re.Match[str]) -> None:
    """A player who sits down in mid-hand has no seat line; what he has is not told."""
    hand.draft.absent.add(found["name"])


def _top(draft: Draft, top: str) -> None:
    read_top(draft, top)
    draft.tournament = re.search(r"Tourney|Trny|Tournament", top) is not None
    blinds = re.search(r"Blinds(?:-Antes)? ?\((?P<a>" + AMOUNT + r") ?/ ?(?P<b>" + AMOUNT + r")", top)
    if blinds:
        draft.stakes = (sure_cents(blinds["a"]), sure_cents(blinds["b"]))
    draft.currency = "" if draft.tournament else draft.currency


def _finish(draft: Draft) -> None:
    """Tournament hands may name the blinds in the header alone."""
    if draft.tournament and len(draft.stakes) == 2 and not any(p.kind in ("small", "big") for p in draft.posts):
        part = {post.name for post in draft.posts} | {step[0] for step in draft.steps}
        order = sorted((name for name in part if name in draft.seats), key=lambda name: draft.seats[name][0])
        after = next((k for k, name in enumerate(order) if draft.seats[name][0] > (draft.button or 0)), 0)
        order = order[after:] + order[:after]
        if len(order) > 1:
            small, big = (order[1], order[0]) if len(order) == 2 else order[:2]
            paid = {p.name: p.amount for p in draft.posts}
            for kind, name, amount in (("small", small, draft.stakes[0]), ("big", big, draft.stakes[1])):
                draft.post(kind, name, min(amount, draft.seats[name][1] - paid.get(name, 0)))


FORMAT = line_format(
    LineRoom(
        "partypoker",
        re.compile(
            r"(?:Game #\d+ starts\.?\s{1,6})?(?:#Game No ?: ?\d+\s{1,4})?\*{5} Hand History [Ff]or Game (?P<number>\w+)"
        ),
        separators=(" ",),
        words=ENGLISH | {"is": "look", "is all-in": "allin", "unseated": "look", "balance": "ignore"},
        readings=(Reading(raise_to=False), Reading()),
        prepare=lambda text: _TWO_WINNERS.sub("\n", text),
        finish=_finish,
        read_top=_top,
        top=7,
        special=(
            (
                re.compile(
                    r"(?P<name>\S{1,40}) balance [^\d\s]{0,2}"
                    + AMOUNT
                    + r"[^,\n]{0,5},(?:[^,\n]{1,40},)? ?(?:collected [^\d\s]{0,2}(?P<won>"
                    + AMOUNT
                    + r")|lost|didn't|bet)"
                ),
                _balance,
            ),
        ),
        summary=re.compile(r"\*\* Summary", re.I),
    )
)
