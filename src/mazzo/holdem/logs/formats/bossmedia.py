"""Boss Media: XML, a HISTORY a hand, cards as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mazzo.holdem.logs.formats import UnusableHandError
from mazzo.holdem.logs.rooms import draft as d
from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.markup import Tag, tags_of
from mazzo.holdem.logs.rooms.reading import Piece, room_format
from mazzo.holdem.logs.rooms.text import cents, sure_cents

__all__ = ["FORMAT", "act_or_post", "boss_card", "game_named"]

_BEGIN = re.compile(r"<HISTORY\s")
_ACTIONS = {
    "ACTION_FOLD": d.FOLD, "ACTION_CHECK": d.CHECK, "ACTION_CALL": d.CALL, "ACTION_BET": d.BET, "ACTION_RAISE": d.RAISE,
    "ACTION_ALLIN": d.ALL_IN, "ACTION_ALL_IN": d.ALL_IN,
}  # fmt: skip
_POSTS = {
    "HAND_SB": "small",
    "HAND_BB": "big",
    "HAND_DSB": "dead",
    "HAND_ANTE": "ante",
    "HAND_SBBB": "both",
    "HAND_DBB": "both",
}
_STREETS = {"BOARD_FLOP": 1, "BOARD_TURN": 2, "BOARD_RIVER": 3}
_READINGS = (Reading(call_to=True), Reading(), Reading(raise_to=False), Reading(raise_to=False, call_to=True))


def boss_card(link: str) -> int:
    """A card by its number: 0 to 12 are twos to aces of the first suit."""
    if not link.isdigit() or int(link[:3]) > 51:
        return 255
    number = int(link)
    return 4 * ((number % 13 + 12) % 13) + (0, 1, 2, 3)[number // 13]


def _split(text: str) -> Iterator[Piece]:
    starts = list(_BEGIN.finditer(text))
    line, at = 1, 0
    for found, following in zip(starts, [*starts[1:], None][: len(starts)], strict=True):
        line += text.count("\n", at, found.start())
        at = found.start()
        piece = text[at : following.start() if following else None]
        yield line, lambda piece=piece, line=line: _read(piece, line)  # type: ignore[misc]


def game_named(game: str) -> None:
    """Refuse another game than Hold'em."""
    if game and game != "GAME_THM":
        names = {"GAME_OMA": "Omaha", "GAME_OMAHL": "Omaha Hi/Lo", "GAME_FCD": "Five card draw", "GAME_5CD": "Draw"}
        raise d.other_game(names.get(game, game.removeprefix("GAME_")))


def _top(draft: Draft, tag: Tag) -> None:
    game_named(tag.get("game"))
    draft.number, draft.when, draft.table = tag.get("id"), tag.get("date"), tag.get("table")
    draft.currency, draft.tournament = tag.get("tablecurrency"), tag.get("gamekind") == "GAMEKIND_TOURNAMENT"
    draft.antes_unsaid = draft.tournament
    draft.limit = {"NL": "NL", "PL": "PL"}.get(tag.get("limit"), "FL")
    draft.stakes = tuple(cents(word) or 0 for word in tag.get("stakes").split("/"))[-2:]


def _read(piece: str, line: int) -> Draft:
    draft = Draft(line, "bossmedia", readings=_READINGS, returns_inside=False)
    cards: list[int] = []
    holder = ""
    for tag in tags_of(piece):
        if tag.name == "history":
            if tag.closes:
                return draft
            _top(draft, tag)
        elif tag.name == "player" and tag.get("name").upper() not in ("", "UNKNOWN"):
            seat = tag.get("seat")
            draft.seats[tag.get("name")] = (
                int(seat[:4]) if seat.isdigit() else 0,
                sure_cents(tag.get("amount") or "0"),
            )
            if tag.get("dealer").lower() in ("y", "yes", "true", "1"):
                draft.button = draft.seats[tag.get("name")][0]
        elif tag.name in ("action", "result"):
            if tag.closes:
                _dealt(draft, holder, cards)
                holder, cards = "", []
            else:
                holder = _open(draft, tag) or holder
                cards = []
        elif tag.name == "card" and not tag.closes:
            cards.append(boss_card(tag.get("link")))
    draft.ended = False
    return draft


def act_or_post(draft: Draft, kind: str, name: str, what: str, value: str) -> None:
    """What a player did, or put in before the cards."""
    if kind in _ACTIONS:
        amount = cents(value) if value else None
        draft.act(name, _ACTIONS[kind], d.UNSAID if amount is None else amount)
    elif kind in ("HAND_BLINDS", "HAND_ANTE"):
        draft.post(_POSTS.get(what or kind, "live"), name, sure_cents(value or "0"))
    elif kind.startswith("ACTION_"):
        raise UnusableHandError("line not understood", f"{name} does {kind}")


def _open(draft: Draft, tag: Tag) -> str:
    """What an action says; gives whose cards follow."""
    kind, name = tag.get("type"), tag.get("player")
    if tag.name == "result":
        if name in draft.seats:
            draft.collect(name, sure_cents(tag.get("win") or tag.get("amount") or "0"))
        return f"hole {name}"
    if kind == "HAND_BOARD":
        draft.street = _STREETS.get(tag.get("value"), draft.street)
        return "board"
    elif kind == "HAND_DEAL":
        return f"hole {name}"
    act_or_post(draft, kind, name, tag.get("kind"), tag.get("value"))
    return ""


def _dealt(draft: Draft, holder: str, cards: list[int]) -> None:
    if holder == "board" and 255 not in cards:
        draft.board = tuple(cards) if len(cards) >= len(draft.board) else draft.board
    elif holder.startswith("hole ") and cards:
        draft.show(holder[5:], tuple(cards))


FORMAT = room_format("bossmedia", (".xml", ".txt"), lambda head: _BEGIN.search(head) is not None, _split)
