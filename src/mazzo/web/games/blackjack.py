"""Blackjack's part of the lab: the chart of any rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse

from mazzo.errors import UnreadableError

if TYPE_CHECKING:
    from mazzo.web.app import Pages

__all__ = ["add_pages", "blackjack_chart", "example_hand"]


def add_pages(pages: Pages) -> None:
    """The chart page and what it asks for."""

    @pages.app.get("/lab/blackjack")
    async def chart_page(request: Request) -> HTMLResponse:
        from mazzo.blackjack.seated import RULE_FIELDS

        return pages.page(request, "chart", fields=RULE_FIELDS)

    @pages.app.post("/api/blackjack")
    async def chart(request: Request) -> JSONResponse:
        return JSONResponse(await pages.work(blackjack_chart, await pages.json(request)))


def blackjack_chart(given: Mapping[str, str]) -> dict[str, Any]:
    """The chart of any rules, with what every play of every cell is worth."""
    from mazzo.blackjack.exact.analysis import analyse
    from mazzo.blackjack.exact.total import chart
    from mazzo.blackjack.rules import INFINITE
    from mazzo.blackjack.seated import RULE_FIELDS, rules_of
    from mazzo.blackjack.shoe import RANKS
    from mazzo.blackjack.strategy import CODES, LETTERS, ROWS, UPCARDS, charted_rows
    from mazzo.seated import read_fields

    rules = rules_of(read_fields(RULE_FIELDS, given))
    if rules.decks == INFINITE:
        raise UnreadableError("charts are of real decks here: give decks = 1 to 8")
    best, exact = chart(rules), analyse(rules)
    sections = []
    for title, rows in charted_rows():
        lines = []
        for row in rows:
            letters = best.table.letters[ROWS.index(row)]
            hand = example_hand(row)
            cells = []
            for up in UPCARDS:
                values = {k: round(v, 5) for k, v in exact.plays(hand, up).items()}
                letter = letters[up]
                cells.append({"code": CODES[letter], "play": LETTERS[letter], "up": RANKS[up], "values": values})
            lines.append({"row": row, "hand": ",".join(RANKS[r] for r in hand), "cells": cells})
        sections.append({"title": title, "rows": lines})
    heads = [RANKS[up] for up in UPCARDS]
    return {"sections": sections, "heads": heads, "ev": best.ev, "ev_exact": exact.ev, "rules": rules.as_dict()}


def example_hand(row: str) -> tuple[int, ...]:
    """Two cards that stand for a row: 16 is T,6; 13 is T,3; 7 is 5,2; A,6 and 8-8 are themselves."""
    from mazzo.blackjack.shoe import parse_cards

    if not row.isdigit():
        cards = parse_cards(re.sub(r"[-+]", ",", row))
        return cards if len(cards) == 2 else cards * 2
    high = min(10, int(row) - 2)
    return high - 1, int(row) - high - 1
