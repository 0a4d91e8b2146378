"""Microgaming: XML, chips added."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mazzo.holdem.logs.formats import UnusableHandError
from mazzo.holdem.logs.rooms import draft as d
from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.markup import Tag, tags_of
from mazzo.holdem.logs.rooms.reading import Piece, room_format
from mazzo.holdem.logs.rooms.text import card, cents, sure_cents

__all__ = ["FORMAT"]

_GAME = re.compile(r"<Game\s[^<>]{0,1500}?(?:hhversion|unicodetablename|betlimit)=")
_ACTIONS = {"Fold": d.FOLD, "Check": d.CHECK, "Call": d.CALL, "Bet": d.BET, "Raise": d.RAISE, "AllIn": d.ALL_IN}
_POSTS = {"SmallBlind": "small", "BigBlind": "big", "PostedToPlay": "live", "Ante": "ante", "PostedDead": "dead",
          "DeadBlind": "dead", "SecondSmallBlind": "dead"}  # fmt: skip
_STREETS = {"DealFlop": 1, "DealTurn": 2, "DealRiver": 3}
_NOT_PLAY = {"DealCards", "ShowCards", "MuckCards", "Win", "Disconnect", "Reconnect", "BadBeatContribution", ""}


def _split(text: str) -> Iterator[Piece]:
    starts = list(_GAME.finditer(text))
    line, at = 1, 0
    for begin, following in zip(starts, [*starts[1:], None][: len(starts)], strict=True):
        line += text.count("\n", at, begin.start())
        at = begin.start()
        piece = text[at : following.start() if following else None]
        yield line, lambda piece=piece, line=line: _Game(line).read(piece)  # type: ignore[misc]


class _Game:
    def __init__(self, line: int) -> None:
        self.draft = Draft(line, "microgaming", readings=(Reading(raise_to=False), Reading(), Reading(call_to=True)))
        self.names: dict[str, str] = {}
        self.kind = self.seat = ""
        self.cards: list[int] = []

    def read(self, piece: str) -> Draft:
        self.draft.ended = False
        for tag in tags_of(piece):
            if tag.name == "game":
                if tag.closes:
                    self.draft.ended = True
                    break
                self.top(tag)
            elif tag.name == "seat" and not tag.closes:
                self.sit(tag)
            elif tag.name == "action":
                self.close() if tag.closes else self.act(tag)
            elif tag.name == "card":
                self.cards.append(card(tag.get("value") + tag.get("suit")) or 0 if tag.get("value") else 255)
        return self.draft

    def top(self, tag: Tag) -> None:
        draft, game = self.draft, tag.get("gametype")
        if game and "hold" not in game.lower():
            raise d.other_game(game)
        draft.number, draft.when, draft.table = tag.get("id"), tag.get("date"), tag.get("tablename")
        draft.limit = tag.get("betlimit") if tag.get("betlimit") in ("NL", "PL") else "FL"
        draft.stakes = tuple(cents(word) or 0 for word in tag.get("stakes").split("|"))[-2:]
        draft.tournament = tag.get("istournament") == "1" or tag.get("tabletype") in ("MTT", "STT")
        draft.currency = (
            "" if draft.tournament else {"rCA=": "EUR", "JAA=": "USD", "owA=": "GBP"}.get(tag.get("currencysymbol"), "")
        )

    def sit(self, tag: Tag) -> None:
        if self.kind == "Win":
            if tag.get("amount"):
                self.draft.collect(self.named(tag.get("num")), sure_cents(tag.get("amount")))
            return
        seat, name = tag.get("num"), tag.get("alias") or f"seat {tag.get('num')}"
        if not seat.isdigit():
            return
        self.names[seat] = name
        self.draft.seats[name] = (int(seat[:4]), sure_cents(tag.get("balance") or "0"))
        if tag.get("dealer") == "true":
            self.draft.button = int(seat[:4])

    def named(self, seat: str) -> str:
        if seat not in self.names:
            raise UnusableHandError("unknown player", f"seat {seat} takes part, but is not listed")
        return self.names[seat]

    def act(self, tag: Tag) -> None:
        self.kind, self.seat, self.cards = tag.get("type"), tag.get("seat"), []
        draft = self.draft
        amount = sure_cents(tag.get("value")) if tag.get("value") else d.UNSAID
        if self.kind in _ACTIONS:
            draft.act(self.named(self.seat), _ACTIONS[self.kind], amount)
        elif self.kind in _POSTS:
            draft.post(_POSTS[self.kind], self.named(self.seat), amount)
        elif self.kind in _STREETS:
            draft.street = _STREETS[self.kind]
        elif self.kind == "MoneyReturned":
            draft.give_back(self.named(self.seat), amount)
        elif self.kind not in _NOT_PLAY:
            draft.not_understood.append((draft.line, self.kind))

    def close(self) -> None:
        if self.kind in _STREETS:
            self.draft.board = (*self.draft.board, *self.cards)
        elif self.cards and self.seat in self.names:
            self.draft.show(self.names[self.seat], tuple(self.cards))
        self.cards, self.kind = [], ""


FORMAT = room_format("microgaming", (".xml", ".txt"), lambda head: _GAME.search(head) is not None, _split)
