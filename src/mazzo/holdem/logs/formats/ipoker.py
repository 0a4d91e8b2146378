"""iPoker: XML, a session and its games; what was played is named in the session."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mazzo.holdem.logs.formats import UnusableHandError
from mazzo.holdem.logs.rooms import draft as d
from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.markup import Tag, tags_of
from mazzo.holdem.logs.rooms.reading import Piece, room_format
from mazzo.holdem.logs.rooms.text import cards, sure_cents

__all__ = ["FORMAT"]

_GAME = re.compile(r"<game\s[^<>]{0,200}gamecode=\"(?P<number>[^\"]{0,40})\"", re.I)
_ACTIONS = {"0": d.FOLD, "4": d.CHECK, "3": d.CALL, "5": d.BET, "23": d.RAISE, "6": d.RAISE, "7": d.ALL_IN}
_POSTS = {"1": "small", "2": "big", "15": "ante", "9": "live", "8": "both"}
_READINGS = (Reading(), Reading(raise_to=False), Reading(call_to=True), Reading(raise_to=False, call_to=True))
_OTHER = re.compile(r"omaha|stud|5 ?card|6\+|short|draw|^pl |telesina|razz", re.I)


def _session(text: str) -> Draft:
    """What the session says of all its games."""
    first = _GAME.search(text)
    said = {tag.name: tag.text for tag in tags_of(text[: first.start() if first else 5000]) if not tag.closes}
    draft = Draft(0, "ipoker", readings=_READINGS)
    kind = said.get("gametype", "")
    draft.hero, draft.table = said.get("nickname", ""), said.get("tablename", "")
    draft.currency = said.get("tablecurrency") or said.get("currency", "")
    draft.tournament = "tournamentname" in said or "tournamentcode" in said
    draft.limit = (
        "FL" if re.search(r"\bL\b|\bSL\b|\bLH\b|limit", kind) and not re.search(r"NL|no limit|PL", kind, re.I) else "NL"
    )
    if re.search(r"\bNL\b|\bSL\b", kind):
        draft.limit = "NL"
    if _OTHER.search(kind):
        draft.extra = -1  # another game: said by each of its hands
        draft.table = kind
    return draft


def _split(text: str) -> Iterator[Piece]:
    session = _session(text)
    starts = list(_GAME.finditer(text))
    line, at = 1, 0
    for found, following in zip(starts, [*starts[1:], None][: len(starts)], strict=True):
        line += text.count("\n", at, found.start())
        at = found.start()
        piece = text[at : following.start() if following else None]
        yield line, lambda piece=piece, line=line, number=found["number"]: _read(session, piece, line, number)  # type: ignore[misc]


def _read(session: Draft, piece: str, line: int, number: str) -> Draft:
    if session.extra:
        raise d.other_game(f"Omaha ({session.table})" if session.table.lower().startswith("pl ") else session.table)
    draft = Draft(
        line,
        "ipoker",
        number,
        currency=session.currency,
        tournament=session.tournament,
        limit=session.limit,
        table=session.table,
        hero=session.hero,
        readings=_READINGS,
    )
    actions: list[tuple[int, int, Tag]] = []
    street, closed = 0, False
    for tag in tags_of(piece):
        if tag.name == "startdate" and not tag.closes:
            draft.when = tag.text
        elif tag.name == "player" and tag.get("name"):
            _seat(draft, tag)
        elif tag.name == "round" and not tag.closes:
            street = max(0, int(tag.get("no") or 0) - 1) if tag.get("no").isdigit() else street
        elif tag.name == "action":
            number_ = tag.get("no")
            actions.append((int(number_) if number_.isdigit() and len(number_) < 9 else len(actions), street, tag))
        elif tag.name == "cards" and not tag.closes:
            _deal(draft, tag)
        closed |= tag.name == "game" and tag.closes
    draft.ended = closed or "</round>" in piece
    for _, street, tag in sorted(actions, key=lambda entry: entry[0]):
        draft.street = street
        _act(draft, tag)
    return draft


def _seat(draft: Draft, tag: Tag) -> None:
    name, seat = tag.get("name"), tag.get("seat")
    if not seat.isdigit():
        raise UnusableHandError("damaged hand", f"the seat of {name} is {seat!r}")
    draft.seats[name] = (int(seat[:6]), sure_cents(tag.get("chips") or "0"))
    if tag.get("dealer") == "1":
        draft.button = int(seat[:6])
    won = sure_cents(tag.get("win") or "0")
    draft.collected[name] = won
    if tag.get("rakeamount"):
        draft.rake = (draft.rake or 0) + sure_cents(tag.get("rakeamount"))


def _deal(draft: Draft, tag: Tag) -> None:
    kind = tag.get("type").lower()
    if kind in ("flop", "turn", "river"):
        draft.board = (*draft.board, *cards(tag.text))
    elif kind in ("pocket", "") and len(tag.text.split()) > 2:
        raise d.other_game("a game of more than two hole cards")
    elif tag.get("player") and "X" not in tag.text and tag.text:
        draft.show(tag.get("player"), cards(tag.text))


def _act(draft: Draft, tag: Tag) -> None:
    kind, name = tag.get("type"), tag.get("player")
    amount = sure_cents(tag.get("sum") or "0")
    if kind in _POSTS:
        if amount:
            draft.post(_POSTS[kind], name, amount)
    elif kind in _ACTIONS:
        what = _ACTIONS[kind]
        draft.act(name, what, amount if what in (d.CALL, d.BET, d.RAISE) else d.UNSAID)
    else:
        raise UnusableHandError("line not understood", f"{name} does something of type {kind!r}")


FORMAT = room_format(
    "ipoker", (".xml", ".txt"), lambda head: _GAME.search(head) is not None or "<session sessioncode" in head, _split
)
