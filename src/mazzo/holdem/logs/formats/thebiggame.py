"""The Big Game, a television game: one JavaScript call a hand; blinds and antes are no actions."""

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

_CALL = re.compile(r"LoadHand\(")
_KEY = re.compile(r"([{,]\s{0,9})([A-Za-z]{1,20})\s{0,9}:")
_NAME = "the big game"


def _split(text: str) -> Iterator[Piece]:
    starts = list(_CALL.finditer(text))
    line, at = 1, 0
    for begin, following in zip(starts, [*starts[1:], None][: len(starts)], strict=True):
        line += text.count("\n", at, begin.start())
        at = begin.start()
        piece = text[begin.end() : following.start() if following else None]
        where = re.findall(r"URL: *(\S{1,200})", text[max(0, at - 300) : at])
        yield line, lambda piece=piece, line=line, where=where: _read(piece, line, where[-1] if where else "")  # type: ignore[misc]


def _value(text: str) -> Any:
    try:
        return json.JSONDecoder().raw_decode(_KEY.sub(r'\1"\2":', text))[0]
    except (ValueError, RecursionError) as error:
        raise UnusableHandError("damaged hand", f"this is not the call that a hand is: {error}") from None


def _cards(given: Any) -> tuple[int, ...]:
    found = tuple(card(str(c)) for c in given) if isinstance(given, list) else ()
    return tuple(255 if c is None else c for c in found)


def _read(piece: str, line: int, where: str) -> Draft:
    told = _value(piece)
    try:
        return _draft(told["Hand"], told["Plays"], line, where)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, IndexError) as error:
        raise UnusableHandError("damaged hand", f"a part of the hand is missing: {error!r}") from None


def _draft(hand: Any, plays: Any, line: int, where: str) -> Draft:
    draft = Draft(line, "thebiggame", str(hand.get("Title", "")), where, "USD", readings=(Reading(),))
    names: dict[int, str] = {}
    for player in hand["Players"]:
        if not player["Name"]:
            continue
        names[int(player["Seat"])] = name = str(player["Name"])
        draft.seats[name] = (int(player["Seat"]), sure_cents(str(player["Stack"])))
        draft.show(name, _cards(player.get("Cards")))
    draft.limit, draft.button = "NL", int(hand["Dealer"])
    small, big = sure_cents(str(hand["SmallBlind"])), sure_cents(str(hand["BigBlind"]))
    draft.stakes = (small, big)
    order = sorted(names, key=lambda seat: (seat <= draft.button, seat))  # type: ignore[operator]
    if len(order) == 2:
        order = order[::-1]
    _post_blinds(draft, [names[s] for s in order], small, big, sure_cents(str(hand.get("Ante", 0))))
    for play in plays:
        _play(draft, names, play)
    return draft


def _post_blinds(draft: Draft, order: list[str], small: int, big: int, ante: int) -> None:
    if ante:  # the whole table's, put in by the button
        button = next((n for n, (seat, _) in draft.seats.items() if seat == draft.button), order[-1])
        draft.post("ante", button, ante)
    draft.post("small", order[0], min(small, draft.seats[order[0]][1]))
    draft.post("big", order[1], min(big, draft.seats[order[1]][1]))


def _play(draft: Draft, names: dict[int, str], play: Any) -> None:
    what, value = str(play["Action"]), play.get("value")
    if what == "Deal":
        if draft.collected:  # what would have come
            return
        dealt = _cards(value)
        if len(draft.board) == 5:  # dealt again
            draft.more_boards.append((*draft.board[: 5 - len(dealt)], *dealt))
            return
        draft.board = (*draft.board, *dealt)
        draft.street = {3: 1, 4: 2, 5: 3}.get(len(draft.board), draft.street)
        return
    name = names[int(play["Seat"])]
    amount = sure_cents(str(value)) if value is not None else d.UNSAID
    if what == "Straddles":
        draft.post("straddle", name, amount)
    elif what == "Wins":
        draft.collect(name, amount)
    elif what == "Takes Back":
        draft.give_back(name, amount)
    elif what in ("Folds", "Checks", "Calls", "Bets", "Raises To", "All-In"):
        kinds = {"Folds": d.FOLD, "Checks": d.CHECK, "Calls": d.CALL, "Bets": d.BET, "Raises To": d.RAISE_TO}
        draft.act(name, kinds.get(what, d.ALL_IN), amount)
    else:
        raise UnusableHandError("line not understood", f"{name} does {what!r}")


FORMAT = room_format("thebiggame", (".txt", ".js"), lambda head: _CALL.search(head) is not None, _split)
