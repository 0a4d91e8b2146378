"""Hands of Hold'em shown again: from logs of every form, or from a record that fits in a link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mazzo.errors import MazzoError, UnreadableError
from mazzo.holdem.game import parse_game
from mazzo.holdem.hand import Hand, action_text
from mazzo.holdem.seated import acted, asked, ended, hand_view
from mazzo.seated import Frame, Say, read_records

__all__ = ["read", "record_of", "replay"]

_NAME = 60


def record_of(hand: Hand) -> dict[str, Any]:
    """A finished hand as plain data: the game, the stacks, the line, the players."""
    line = ":".join(hand.text().split(":")[:4])
    return {"game": str(hand.game), "stacks": list(hand.stacks), "line": line, "names": list(hand.names)}


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The hands of a log: of the competition, PHH, Parquet, poker rooms' texts; none if it is no such file."""
    from mazzo.holdem.logs import read_hands

    yield from read_records(path, "holdem")
    for batch in read_hands(path):
        for hand in batch:
            yield record_of(hand)


def replay(record: Mapping[str, Any]) -> Sequence[Frame]:
    """A record, moment by moment, with every card it has."""
    done, names = _read(record)
    table, row = done._table, done._row
    hand = Hand(done.game, [int(k) for k in table.cards[row]], stacks=done.stacks, number=done.number)
    said: list[Say] = [("holdem.replay", {"number": done.number})]
    frames = []
    for action in done.history:
        position, street, owed = hand.actor or 0, hand.street, hand.legal.owed
        known = bool(hand.hole(position))
        question = asked(hand.observe()) if known and hand.game.hole_cards == 2 else None
        frames.append(Frame(_view(hand, names), said, action_text(action, hand.game.limit), question))
        said = [acted(hand, names[position], action, owed)]
        hand.fold_anyway() if action == 0 else hand.act(action)
        for r in range(street + 1, hand.street + 1):
            cards = " ".join(map(str, hand.board[: hand.game.board_seen(r)]))
            said.append((f"holdem.{('preflop', 'flop', 'turn', 'river')[r]}", {"cards": cards, "pot": hand.pot}))
    frames.append(Frame(_view(hand, names), [*said, *ended(hand, names)]))
    return frames


def _read(record: Mapping[str, Any]) -> tuple[Hand, list[str]]:
    try:
        stacks = [int(k) for k in record["stacks"]]
        names = [str(name)[:_NAME] for name in record["names"]]
        game = parse_game(str(record["game"]), "the hand's game", "the record")
        hand = Hand.parse(str(record["line"]), game, stacks)
    except MazzoError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError) as wrong:
        raise UnreadableError(f"this is no record of a hand of Hold'em: {wrong}") from None
    if not hand.over or len(names) != game.players or game.rounds > 4:
        raise UnreadableError("this is no record of a finished hand of Hold'em")
    return hand, names


def _view(hand: Hand, names: Sequence[str]) -> dict[str, Any]:
    last = hand.game.players - 1
    seats = []
    for position, name in enumerate(names):
        badges = ["dealer"] if position == last else []
        seats.append({"name": name, "kind": "person", "badges": badges, **hand_view(hand, position, open_=True)})
    blinds = "/".join(str(b) for b in sorted(b for b in hand.game.blinds if b))
    return {
        "deck": "french",
        "seats": seats,
        "you": None,
        "turn": hand.actor,
        "centre": {"cards": [str(k) for k in hand.board], "places": sum(hand.game.board_cards)},
        "pot": hand.pot,
        "facts": [("holdem.blinds", blinds), ("holdem.hand", hand.number)],
        "choices": [],
        "hand_over": hand.over,
        "over": hand.over,
    }
