"""PokerNow: a log as CSV, its newest row first."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from mazzo.holdem.logs.rooms import draft as d
from mazzo.holdem.logs.rooms.draft import Draft, Reading
from mazzo.holdem.logs.rooms.reading import Piece, room_format
from mazzo.holdem.logs.rooms.text import AMOUNT, LONGEST_LINE, cards, sure_cents

__all__ = ["FORMAT"]

_START = re.compile(r"-- starting hand #(?P<number>\d+)(?: \(id: (?P<id>\w+)\))? +\(?(?P<game>[^()]*)\)?(?P<rest>.*)")
_PLAYER = re.compile(r"\"(?P<name>[^\"]{1,80})\" (?P<what>.*)")
_STACK = re.compile(r"#(?P<seat>\d+) \"(?P<name>[^\"]{1,80})\" \((?P<chips>" + AMOUNT + r")\)")
_DEALER = re.compile(r"dealer: \"(?P<name>[^\"]{1,80})\"")
_BOARD = re.compile(r"(?P<street>Flop|Turn|River)(?P<second> \(second run\))?: +(?P<cards>.*)", re.I)
_UNCALLED = re.compile(r"Uncalled bet of (?P<amount>" + AMOUNT + r") returned to \"(?P<name>[^\"]{1,80})\"")
_AMOUNT = re.compile(AMOUNT)
_NEEDED = "entry,at,order"


def _rows(text: str) -> list[tuple[int, str, str]]:
    """Line, entry and time of each row, the oldest first."""
    rows: list[tuple[int, str, str]] = []
    try:
        reader = csv.reader(io.StringIO(text.replace("\0", "")))
        for row in reader:
            if len(row) >= 2:
                rows.append((reader.line_num, row[0][: 4 * LONGEST_LINE], row[1]))
    except csv.Error:
        pass  # what was read before stays
    times = [at for _, _, at in rows[1:]]
    return rows[:0:-1] if times[:1] >= times[-1:] else rows[1:]


def _split(text: str) -> Iterator[Piece]:
    piece: list[tuple[int, str, str]] = []
    for row in _rows(text):
        if row[1].startswith("-- starting hand"):
            if piece:
                yield piece[0][0], lambda piece=piece: _read(piece)  # type: ignore[misc]
            piece = []
        if piece or row[1].startswith("-- starting hand"):
            piece.append(row)
    if piece:
        yield piece[0][0], lambda piece=piece: _read(piece)  # type: ignore[misc]


def _read(rows: list[tuple[int, str, str]]) -> Draft:
    line, first, when = rows[0]
    draft = Draft(line, "pokernow", when=when, limit="NL", readings=(Reading(call_to=True), Reading()))
    draft.tournament = True
    found = _START.match(first)
    if found:
        draft.number = found["id"] or found["number"]
        game = found["game"] + found["rest"]
        if "omaha" in game.lower():
            raise d.other_game("Omaha")
        draft.limit = "PL" if "Pot Limit" in game else "NL" if "No Limit" in game or "Limit" not in game else "FL"
        dealer = _DEALER.search(first)
        draft.button_name = dealer["name"] if dealer else ""
    draft.ended = False
    for line, entry, _ in rows[1:]:
        _entry(draft, line, entry)
    if any(amount % 100 for _, amount in draft.seats.values()):
        draft.tournament = False
    return draft


def _entry(draft: Draft, line: int, entry: str) -> None:
    if entry.startswith("Player stacks:"):
        for stack in _STACK.finditer(entry):
            draft.seats[stack["name"]] = (int(stack["seat"]), sure_cents(stack["chips"]))
        return
    if entry.startswith("-- ending hand"):
        draft.ended = True
        return
    found = _UNCALLED.match(entry)
    if found:
        draft.give_back(found["name"], sure_cents(found["amount"]))
        return
    found = _BOARD.match(entry)
    if found:
        _deal(draft, found)
        return
    found = _PLAYER.match(entry)
    if found:
        _act(draft, line, found["name"], found["what"])


def _deal(draft: Draft, found: re.Match[str]) -> None:
    dealt = cards(found["cards"].strip())
    if found["second"]:
        base = draft.more_boards.pop() if draft.more_boards else draft.board[: 5 - len(dealt)]
        draft.more_boards.append((*base, *dealt[-1:]) if len(base) in (3, 4) and len(dealt) < 5 else dealt)
        return
    street = {"flop": 1, "turn": 2, "river": 3}[found["street"].lower()]
    draft.board = dealt if len(dealt) == street + 2 else (*draft.board, *dealt)
    draft.street = street


def _act(draft: Draft, line: int, name: str, what: str) -> None:
    amounts = [sure_cents(word) for word in _AMOUNT.findall(what)]
    verb = what.partition(" ")[0]
    if verb in ("folds", "checks"):
        draft.act(name, d.FOLD if verb == "folds" else d.CHECK)
    elif verb in ("calls", "bets", "raises") and amounts:
        draft.act(name, {"calls": d.CALL, "bets": d.BET, "raises": d.RAISE_TO}[verb], amounts[0])
    elif verb == "posts" and amounts:
        kind = "ante" if "ante" in what else "small" if "small" in what else "straddle" if "straddle" in what else "big"
        draft.post("dead" if "missing" in what or "missed" in what else kind, name, amounts[0])
    elif verb == "collected" and amounts:
        draft.collect(name, amounts[0])
    elif verb == "shows":
        draft.show(name, cards(what.removeprefix("shows a ").rstrip(".")))
    elif amounts:
        draft.not_understood.append((line, f"{name} {what}"))


FORMAT = room_format("pokernow", (".csv",), lambda head: head.lstrip().startswith(_NEEDED), _split)
