"""Global Poker: one JSON object a hand, players by id."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from mazzo.holdem.logs.formats import UnusableHandError
from mazzo.holdem.logs.rooms import draft as d
from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.reading import Piece, room_format
from mazzo.holdem.logs.rooms.text import sure_cents

__all__ = ["FORMAT"]

_BEGIN = re.compile(r"\"(?:tableIntegrationId|potTransitions|playerBalances)\"")
_RANKS = ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "JACK", "QUEEN", "KING", "ACE")
_SUITS = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES")
_ACTIONS = {"FOLD": d.FOLD, "CHECK": d.CHECK, "CALL": d.CALL, "BET": d.BET, "RAISE": d.RAISE, "ALL_IN": d.ALL_IN}
_POSTS = {
    "SMALL_BLIND": "small", "BIG_BLIND": "big", "DEAD_SMALL_BLIND": "dead", "ANTE": "ante", "STRADDLE": "straddle",
    "ENTRY_BET": "live", "DEAD_BIG_BLIND": "live", "POST_BIG_BLIND": "live",
}  # fmt: skip
_NOT_PLAY = {
    "TIME_BANK",
    "MUCK_CARDS",
    "SHOW_CARDS",
    "SIT_OUT",
    "SIT_IN",
    "DISCONNECTED",
    "RECONNECTED",
    "WAIT_FOR_BIG_BLIND",
    "AUTO_POST",
}


def _split(text: str) -> Iterator[Piece]:
    decoder, at, line = json.JSONDecoder(parse_float=str), 0, 1
    while True:
        begin = text.find("{", at)
        if begin < 0:
            return
        line += text.count("\n", at, begin)
        try:
            told, end = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError) as error:
            yield line, lambda error=error: _refuse(error)  # type: ignore[misc]
            return
        yield line, lambda told=told, line=line: _read(told, line)  # type: ignore[misc]
        line += text.count("\n", begin, end)
        at = end


def _refuse(error: Exception) -> Draft:
    raise UnusableHandError("damaged hand", f"this is not a whole JSON object: {error}")


def _read(told: Any, line: int) -> Draft:
    try:
        return _draft(told, line)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, IndexError) as error:
        raise UnusableHandError("damaged hand", f"a part of the hand is missing: {error!r}") from None


def _cards(given: Any) -> tuple[int, ...]:
    return tuple(
        4 * _RANKS.index(card["rank"]) + _SUITS.index(card["suit"]) if card.get("rank") in _RANKS else 255
        for card in given
    )


def _draft(told: Any, line: int) -> Draft:
    settings = told["settings"]
    if settings["variant"] != "TEXAS_HOLDEM":
        raise d.other_game(str(settings["variant"]))
    draft = Draft(line, "globalpoker", str(told["id"]), str(told.get("startTime", "")), str(settings["currencyCode"]))
    draft.readings = (Reading(), Reading(raise_to=False))
    draft.limit = {"NO_LIMIT": "NL", "POT_LIMIT": "PL"}.get(str(settings["betStrategyType"]), "FL")
    draft.stakes = tuple(sure_cents(str(settings[key])) for key in ("smallBlind", "bigBlind"))
    names: dict[Any, str] = {}
    for seat in told["seats"]:
        name = str(seat.get("name") or seat["playerId"])
        names[seat["playerId"]] = name
        draft.seats[name] = (int(seat["seatId"]), sure_cents(str(seat["initialBalance"])))
    for event in told["events"]:
        _event(draft, names, event)
    draft.rake = sure_cents(str(told["results"].get("totalRake", 0)))
    for transfer in told["results"]["transfers"]:
        draft.collect(names[transfer["playerId"]], sure_cents(str(transfer["amount"])))
    return draft


def _event(draft: Draft, names: dict[Any, str], event: Any) -> None:
    kind = event["type"]
    if kind == "TableCardsDealt":
        draft.board = (*draft.board, *_cards(event["cards"]))
        draft.street = {3: 1, 4: 2, 5: 3}.get(len(draft.board), draft.street)
    elif kind in ("PlayerCardsDealt", "PlayerCardsExposed"):
        draft.show(names[event["playerId"]], _cards(event["cards"]))
    elif kind == "PlayerAction":
        what, name = event["action"], names[event["playerId"]]
        amount = sure_cents(str((event.get("amount") or {}).get("amount", 0)))
        if what in _POSTS:
            draft.post(_POSTS[what], name, amount)
        elif what in _ACTIONS:
            draft.act(name, _ACTIONS[what], amount)
        elif what not in _NOT_PLAY:
            raise UnusableHandError("line not understood", f"{name} does {what!r}")
        if event.get("cards"):
            draft.show(name, _cards(event["cards"]))
    elif kind == "PotUpdate":
        for move in event.get("potTransitions", []):
            if move.get("fromChipStackToPlayer"):
                draft.give_back(names[move["playerId"]], sure_cents(str(move["amount"])))


FORMAT = room_format("globalpoker", (".json", ".txt"), lambda head: _BEGIN.search(head) is not None, _split)
