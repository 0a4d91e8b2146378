"""Merge: XML fragments, players by seat number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mazzo.holdem.logs.formats import UnusableHandError
from mazzo.holdem.logs.rooms import draft as d
from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.markup import Tag, tags_of
from mazzo.holdem.logs.rooms.reading import Piece, room_format
from mazzo.holdem.logs.rooms.text import cards, sure_cents
from mazzo.holdem.logs.rooms.top import read_top

__all__ = ["FORMAT"]

_GAME = re.compile(r"<game\s+[^<>]{0,800}?(?:starttime|numholecards)=", re.I)
_DESCRIPTION = re.compile(r"<description\s[^<>]{0,300}>", re.I)
_ACTIONS = {"FOLD": d.FOLD, "CHECK": d.CHECK, "CALL": d.CALL, "BET": d.BET, "RAISE": d.RAISE, "ALL_IN": d.RAISE}
_POSTS = {
    "SMALL_BLIND": "small", "BIG_BLIND": "big", "ANTE": "ante", "DEAD_BLIND": "dead", "RETURN_BLIND": "live",
    "INITIAL_BLIND": "live", "STRADDLE": "straddle", "SECOND_SMALL_BLIND": "dead", "DEAD_SMALL_BLIND": "dead",
}  # fmt: skip
_STREETS = {"PREFLOP": 0, "POSTFLOP": 1, "FLOP": 1, "POSTTURN": 2, "TURN": 2, "POSTRIVER": 3, "RIVER": 3}
_NOT_PLAY = {"MUCK", "SHOW", "CHAT", "DISCONNECTED", "RECONNECTED", "PLAYER_OUT", "RABBIT", "TIMEOUT", "SIT_OUT"}
_READINGS = (Reading(), Reading(raise_to=False))


def _split(text: str) -> Iterator[Piece]:
    starts = list(_GAME.finditer(text))
    found = _DESCRIPTION.search(text)
    description = next(iter(tags_of(found[0])), None) if found else None
    line, at = 1, 0
    for begin, following in zip(starts, [*starts[1:], None][: len(starts)], strict=True):
        line += text.count("\n", at, begin.start())
        at = begin.start()
        piece = text[at : following.start() if following else None]
        yield line, lambda piece=piece, line=line: _read(description, piece, line)  # type: ignore[misc]


def _top(description: Tag | None, tag: Tag, line: int) -> Draft:
    draft = Draft(line, "merge", tag.get("id"), tag.get("starttime"), readings=_READINGS)
    kind = description.get("type") if description else ""
    stakes = tag.get("stakes") or (description.get("stakes") if description else "")
    if tag.get("numholecards") and tag.get("numholecards") != "2":
        raise d.other_game(kind or f"a game of {tag.get('numholecards')} hole cards")
    top = Draft(0)
    read_top(top, f"{stakes}\n{kind}", "Hold'em" if kind == "HORSE" else kind)
    draft.limit, draft.stakes, draft.tournament, draft.currency = top.limit, top.stakes, top.tournament, top.currency
    draft.table = tag.get("data").split("|")[1] if tag.get("data").count("|") > 1 else ""
    return draft


def _read(description: Tag | None, piece: str, line: int) -> Draft:
    names: dict[str, str] = {}
    draft = Draft(line, "merge")
    draft.ended = False
    inside = ""
    for tag in tags_of(piece):
        if tag.name == "game":
            if tag.closes:
                draft.ended = True
                break
            draft = _top(description, tag, line)
            draft.ended = False
        elif tag.name == "players" and not tag.closes:
            draft.button = int(tag.get("dealer")) if tag.get("dealer").isdigit() else None
        elif tag.name == "player" and not tag.closes:
            _seat(draft, names, tag)
        elif tag.name == "round" and not tag.closes:
            inside = tag.get("id").upper()
            draft.street = _STREETS.get(inside, draft.street)
        elif tag.name == "event":
            _event(draft, names, tag)
        elif tag.name == "winner":
            name = _named(names, tag)
            (draft.give_back if tag.get("uncalled") == "true" else draft.collect)(name, sure_cents(tag.get("amount")))
        elif tag.name in ("cards", "community") and not tag.closes:
            _cards(draft, names, tag)
    return draft


def _named(names: dict[str, str], tag: Tag) -> str:
    if tag.get("player") not in names:
        raise UnusableHandError("unknown player", f"seat {tag.get('player')} takes part, but is not listed")
    return names[tag.get("player")]


def _seat(draft: Draft, names: dict[str, str], tag: Tag) -> None:
    seat, name = tag.get("seat"), tag.get("nickname")
    if not seat.isdigit():
        return
    name = name if name and name not in draft.seats else f"seat {seat}"
    names[seat] = name
    draft.seats[name] = (int(seat[:4]), sure_cents(tag.get("balance") or "0"))


def _event(draft: Draft, names: dict[str, str], tag: Tag) -> None:
    kind = tag.get("type")
    if kind in _NOT_PLAY:
        return
    name = _named(names, tag)
    amount = sure_cents(tag.get("amount")) if tag.get("amount") else d.UNSAID
    if kind in _POSTS:
        draft.post(_POSTS[kind], name, amount)
    elif kind in _ACTIONS:
        draft.act(name, d.ALL_IN if kind == "ALL_IN" else _ACTIONS[kind], amount)
    else:
        raise UnusableHandError("line not understood", f"{name} does {kind}")


def _cards(draft: Draft, names: dict[str, str], tag: Tag) -> None:
    dealt = tag.get("cards")
    kind = tag.get("type").upper()
    if not dealt:
        return
    if kind in ("COMMUNITY", "FLOP", "TURN", "RIVER"):
        board = cards(dealt)
        draft.board = board if len(board) > len(draft.board) and len(board) > 2 else (*draft.board, *board)[:6]
    elif tag.get("player") in names:
        draft.show(names[tag.get("player")], cards(dealt))


FORMAT = room_format("merge", (".xml", ".txt"), lambda head: _GAME.search(head) is not None, _split)
