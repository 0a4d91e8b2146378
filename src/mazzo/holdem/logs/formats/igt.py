"""IGT: JSON with the names and card numbers of Boss Media."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mazzo.holdem.logs.formats import UnusableHandError
from mazzo.holdem.logs.formats.bossmedia import act_or_post, boss_card, game_named
from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.reading import Piece, room_format
from mazzo.holdem.logs.rooms.text import cents, sure_cents

__all__ = ["FORMAT"]

_STREETS = {3: 1, 4: 2, 5: 3}


def _split(text: str) -> Iterator[Piece]:
    try:
        told = json.JSONDecoder().raw_decode(text.lstrip())[0]["history"]
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        yield 1, lambda error=error: _refuse(error)  # type: ignore[misc]
        return
    for hand in told if isinstance(told, list) else [told]:
        yield 1, lambda hand=hand: _read(hand)  # type: ignore[misc]


def _refuse(error: Exception) -> Draft:
    raise UnusableHandError("damaged hand", f"this is not a whole JSON object: {error}")


def _read(hand: Any) -> Draft:
    try:
        return _draft(hand)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, IndexError) as error:
        raise UnusableHandError("damaged hand", f"a part of the hand is missing: {error!r}") from None


def _draft(hand: Any) -> Draft:
    game_named(str(hand.get("game", "")))
    draft = Draft(1, "igt", str(hand["id"]), str(hand.get("date", "")), str(hand.get("tableCurrency", "")))
    draft.readings = (Reading(call_to=True), Reading(), Reading(raise_to=False))
    draft.tournament = "TOURNAMENT" in str(hand.get("gameKind", ""))
    draft.limit = {"NL": "NL", "PL": "PL"}.get(str(hand.get("limit", "")), "FL")
    draft.stakes = tuple(cents(word) or 0 for word in str(hand.get("stakes", "")).split("/"))[-2:]
    draft.returns_inside = False
    for player in hand["player"]:
        draft.seats[str(player["name"])] = (int(player["seat"]), sure_cents(str(player["amount"])))
        if player.get("dealer") == "Y":
            draft.button = int(player["seat"])
    for action in hand["action"]:
        _action(draft, action)
    for result in hand["showDown"]["result"]:
        draft.collect(str(result["player"]), sure_cents(str(result["win"])))
        draft.show(str(result["player"]), tuple(boss_card(str(c["link"])) for c in result.get("card", [])))
    return draft


def _action(draft: Draft, action: Any) -> None:
    kind, name = str(action["type"]), str(action.get("player", ""))
    cards = tuple(boss_card(str(card["link"])) for card in action.get("card", []))
    if kind == "HAND_BOARD":
        draft.board, draft.street = cards, _STREETS.get(len(cards), draft.street)
    elif kind == "HAND_DEAL":
        draft.show(name, cards)
    elif kind != "ACTION_ADJUSTEMENT":  # sets the last bet down to what was called: the accounts do that
        act_or_post(draft, kind, name, str(action.get("kind", "")), str(action.get("value", "")))


FORMAT = room_format("igt", (".txt", ".json"), lambda head: '{"history":[' in head[:40], _split)
