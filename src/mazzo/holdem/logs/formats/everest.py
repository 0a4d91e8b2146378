"""Everest: loose XML, amounts in cents, players by position."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mazzo.holdem.logs.formats import UnusableHandError
from mazzo.holdem.logs.rooms import draft as d
from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.markup import Tag, tags_of
from mazzo.holdem.logs.rooms.reading import Piece, room_format
from mazzo.holdem.logs.rooms.text import cards, cents

__all__ = ["FORMAT"]

_HAND = re.compile(r"<HAND\s")
_SESSION = re.compile(r"<SESSION\s[^<>]{0,600}>")


def _split(text: str) -> Iterator[Piece]:
    found = _SESSION.search(text)
    session = next(iter(tags_of(found[0])), None) if found else None
    starts = list(_HAND.finditer(text))
    line, at = 1, 0
    for begin, following in zip(starts, [*starts[1:], None][: len(starts)], strict=True):
        line += text.count("\n", at, begin.start())
        at = begin.start()
        piece = text[at : following.start() if following else None]
        yield line, lambda piece=piece, line=line: _read(session, piece, line)  # type: ignore[misc]


def _number(text: str) -> int:
    if not text.isdigit() or len(text) > 12:
        raise UnusableHandError("unreadable amount", f"{text!r} is not an amount in cents")
    return int(text)


def _top(session: Tag | None, tag: Tag, line: int) -> Draft:
    draft = Draft(line, "everest", tag.get("id"), tag.get("time"), readings=(Reading(raise_to=False), Reading()))
    draft.ended = False
    if session is not None:
        if session.get("game") not in ("", "hold-em"):
            raise d.other_game(session.get("game"))
        draft.limit = {"no-limit": "NL", "pot-limit": "PL"}.get(session.get("gametype"), "FL")
        draft.tournament = session.get("type") not in ("ring", "")
        draft.currency = {"\u20ac": "EUR", "$": "USD"}.get(session.get("money"), session.get("money"))
        draft.hero, draft.table = session.get("screenname"), session.get("tablename")
    draft.stakes = tuple(cents(word) or 0 for word in tag.get("blinds").split("/"))[-2:]
    return draft


def _read(session: Tag | None, piece: str, line: int) -> Draft:
    draft, names = Draft(line), dict[str, str]()
    held: dict[str, list[int]] = {}
    for tag in tags_of(piece):
        if tag.name == "hand":
            if tag.closes:
                draft.ended = True
                break
            draft = _top(session, tag, line)
        elif not tag.closes:
            _tag(draft, names, held, tag)
    for name, two in held.items():
        draft.show(name, tuple(two))
    return draft


def _tag(draft: Draft, names: dict[str, str], held: dict[str, list[int]], tag: Tag) -> None:
    name = names.get(tag.get("position"), "")
    amount = tag.get("amount")
    if tag.name == "seat" and tag.get("name"):
        names[tag.get("position")] = tag.get("name")
        draft.seats[tag.get("name")] = (_number(tag.get("position")), _number(tag.get("balance") or "0"))
    elif tag.name == "dealer":
        draft.button = _number(tag.get("position"))
    elif tag.name == "blind":
        kinds = [post.kind for post in draft.posts]
        draft.post("small" if "small" not in kinds else "big", name, _number(amount))
        if tag.get("penalty") not in ("", "0"):
            draft.post("dead", name, _number(tag.get("penalty")))
    elif tag.name == "ante":
        draft.post("ante", name, _number(amount))
    elif tag.name == "hole" and "-" not in tag.text:
        held.setdefault(name, []).extend(cards(tag.text))
    elif tag.name == "show" and tag.text:
        draft.show(name, cards(tag.text))
    elif tag.name == "community":
        draft.board = (*draft.board, *cards(tag.text))
        draft.street = {3: 1, 4: 2, 5: 3}.get(len(draft.board), draft.street)
    elif tag.name == "bet":
        _bet(draft, name, _number(amount))
    elif tag.name == "fold":
        draft.act(name, d.FOLD)
    elif tag.name == "push":
        draft.give_back(name, _number(amount))
    elif tag.name == "win":
        draft.collect(name, _number(amount))


def _bet(draft: Draft, name: str, amount: int) -> None:
    """A check, a call, a bet and a raise are all the chips added."""
    put: dict[str, int] = {}
    if draft.street == 0:
        for post in draft.posts:
            put[post.name] = put.get(post.name, 0) + (post.amount if post.kind in ("small", "big") else 0)
    for who, what, added, street in draft.steps:
        if street == draft.street and what != d.FOLD and added > 0:
            put[who] = put.get(who, 0) + added
    most = max(put.values(), default=0)
    if amount == 0:
        draft.act(name, d.CHECK)
    elif put.get(name, 0) + amount <= most:
        draft.act(name, d.CALL, amount)
    else:
        draft.act(name, d.RAISE_ADDED, amount)


FORMAT = room_format("everest", (".xml", ".txt"), lambda head: _HAND.search(head) is not None, _split)
