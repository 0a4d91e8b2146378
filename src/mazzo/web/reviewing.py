"""A person's hands at a table, to be sorted by what they cost: the page asks the coach about each decision itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fastapi import Request
from fastapi.responses import HTMLResponse

from mazzo.errors import MazzoError
from mazzo.games import find_entry
from mazzo.review import decisions_of
from mazzo.web import replays
from mazzo.web.limits import RefusedError
from mazzo.words.sentences import with_texts
from mazzo.words.texts import text

if TYPE_CHECKING:
    from mazzo.web.app import Pages

__all__ = ["add_pages", "hands_to_price"]

_MOST = 100
"""Hands of one review, the last ones: each decision takes a second or more."""


def hands_to_price(records: Sequence[Mapping[str, Any]], player: str) -> list[dict[str, Any]]:
    """The last hands of a person: what each is told apart by, its link, and the steps at which he decided."""
    out: list[dict[str, Any]] = []
    first = max(0, len(records) - _MOST)
    for number, record in enumerate(records[first:], first + 1):
        shown = find_entry(record["of"]).replays()
        try:
            steps = [step for step, _ in decisions_of(record, player)]
            detail = with_texts(shown.detail(record))
        except MazzoError:  # a hand that cannot be shown again hides no other
            continue
        place = list(record.get("names", ())).index(player) if player in record.get("names", ()) else -1
        net = record.get("net") or ()
        won = net[place] if 0 <= place < len(net) else None
        out.append({"number": number, "what": detail, "link": replays.packed(record), "steps": steps, "won": won})
    return out


def add_pages(pages: Pages) -> None:
    """The page of a seat's review."""

    @pages.app.get("/table/{table_id}/{token}/review")
    async def review(request: Request, table_id: str, token: str) -> HTMLResponse:
        table = await pages.hub().find(table_id)
        seat = table.seat_of(token)
        records = list(table.sitting.records.get(seat, ()))
        if not records:
            raise RefusedError(text("refused.no_hand_yet"))
        hands = await pages.work(hands_to_price, records, table.game.names[seat])
        data = json.dumps({"hands": hands}).replace("<", "\\u003c")
        back = f"/table/{table_id}/{token}"
        return pages.page(request, "review", hands=data, advisers=replays.advisers_of(table.sitting.name), back=back)
