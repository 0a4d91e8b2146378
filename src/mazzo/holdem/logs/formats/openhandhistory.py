"""Open Hand History: JSON under `ohh`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from mazzo.holdem.logs.formats import UnusableHandError
from mazzo.holdem.logs.rooms import draft as d
from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.reading import Piece, room_format
from mazzo.holdem.logs.rooms.text import card, sure_cents

__all__ = ["FORMAT"]

_BEGIN = re.compile(r"\{\s{0,200}\"ohh\"\s{0,20}:")
_ACTIONS = {"Fold": d.FOLD, "Check": d.CHECK, "Call": d.CALL, "Bet": d.BET, "Raise": d.RAISE}
_POSTS = {"Post SB": "small", "Post BB": "big", "Post Ante": "ante", "Straddle": "straddle", "Post Dead": "dead",
          "Post Extra Blind": "live"}  # fmt: skip
_STREETS = {"Preflop": 0, "Flop": 1, "Turn": 2, "River": 3}
_NOT_PLAY = {
    "Dealt Cards",
    "Shows Cards",
    "Mucks Cards",
    "Payout",
    "Sits Down",
    "Stands Up",
    "Added Chips",
    "Added To Pot",
}


def _split(text: str) -> Iterator[Piece]:
    starts = list(_BEGIN.finditer(text))
    line, at = 1, 0
    for begin, following in zip(starts, [*starts[1:], None][: len(starts)], strict=True):
        line += text.count("\n", at, begin.start())
        at = begin.start()
        piece = text[at : following.start() if following else None]
        yield line, lambda piece=piece, line=line: _read(piece, line)  # type: ignore[misc]


def _read(piece: str, line: int) -> Draft:
    try:
        told = json.JSONDecoder(parse_float=str).raw_decode(piece)[0]["ohh"]
        return _draft(told, line)
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError, ArithmeticError, IndexError) as error:
        raise UnusableHandError("damaged hand", f"this is not a hand of Open Hand History: {error!r}") from None


def _cards(given: Any) -> tuple[int, ...]:
    found = tuple(card(str(c)) for c in given) if isinstance(given, list) else ()
    return tuple(255 if c is None else c for c in found)


def _draft(told: Any, line: int) -> Draft:
    game = str(told.get("game_type", ""))
    if game.lower().replace("'", "") != "holdem":
        raise d.other_game(game)
    draft = Draft(line, "openhandhistory", str(told.get("game_number", "")), str(told.get("start_date_utc", "")))
    draft.readings = (Reading(raise_to=False), Reading())
    draft.currency, draft.table = str(told.get("currency", "")), str(told.get("table_name", ""))
    draft.tournament = bool(told.get("tournament") or told.get("tournament_info"))
    draft.limit = str(told.get("bet_limit", {}).get("bet_type", "NL"))
    draft.stakes = tuple(sure_cents(str(told.get(f"{which}_blind_amount", 0))) for which in ("small", "big"))
    names = {}
    for player in told["players"]:
        names[player["id"]] = name = str(player["name"])
        draft.seats[name] = (int(player["seat"]), sure_cents(str(player["starting_stack"])))
    draft.hero, draft.button = names.get(told.get("hero_player_id"), ""), int(told["dealer_seat"])
    for round_ in told["rounds"]:
        draft.street = _STREETS.get(str(round_.get("street")), draft.street)
        draft.board = (*draft.board, *_cards(round_.get("cards")))
        for action in round_["actions"]:
            _act(draft, names[action["player_id"]], action)
    for pot in told.get("pots", []):
        draft.rake = (draft.rake or 0) + sure_cents(str(pot.get("rake", 0)))
        for win in pot["player_wins"]:
            draft.collect(names[win["player_id"]], sure_cents(str(win["win_amount"])))
    return draft


def _act(draft: Draft, name: str, action: Any) -> None:
    kind, amount = str(action["action"]), sure_cents(str(action.get("amount", 0)))
    if kind in _POSTS:
        draft.post(_POSTS[kind], name, amount)
    elif kind in _ACTIONS:
        draft.act(name, _ACTIONS[kind], amount)
    elif kind in _NOT_PLAY:
        draft.show(name, _cards(action.get("cards")))
    else:
        raise UnusableHandError("line not understood", f"{name} does {kind!r}")


FORMAT = room_format("openhandhistory", (".ohh", ".json"), lambda head: _BEGIN.search(head) is not None, _split)
