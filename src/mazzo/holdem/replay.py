"""Hands of Hold'em shown again: from logs of every form, or from a record that fits in a link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from mazzo.cards import Card
from mazzo.errors import MazzoError, UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.advising.asked import asked
from mazzo.holdem.advising.models import SeenFigures, StandIn, TableCompany, figures_of, stand_in
from mazzo.holdem.beliefs import HoldingChances, range_of
from mazzo.holdem.hand import Hand
from mazzo.holdem.notation import STREETS, action_text
from mazzo.holdem.rules import parse_game
from mazzo.holdem.spoken import acted, did, followed, hand_view, net_of, pot_before, taken
from mazzo.records import read_records
from mazzo.seated import Frame, Say

__all__ = ["dealt", "detail", "hand_of", "held", "held_by_stand_in", "read", "record_of", "replay", "with_figures"]

_NAME = 60


def record_of(hand: Hand) -> dict[str, Any]:
    """A finished hand as plain data: the game, the stacks, the line, the players."""
    line = ":".join(hand.line().split(":")[:4])
    return {"game": str(hand.game), "stacks": list(hand.stacks), "line": line, "names": list(hand.names)}


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The hands of a log: of the competition, PHH, Parquet, poker rooms' texts; none if it is no such file."""
    from mazzo.holdem.logs import read_hands

    yield from read_records(path, "holdem")
    for batch in read_hands(path):
        for hand in batch:
            yield record_of(hand)


def dealt(record: Mapping[str, Any]) -> dict[int, set[str]]:
    """The cards that a record shows, by their places in the deck: hole cards by position, then the board."""
    hand = _read(record)[0]
    return {place: {str(Card(card))} for place, card in enumerate(hand._cards) if card != c.UNKNOWN}


def hand_of(record: Mapping[str, Any]) -> Hand:
    """The hand of a record."""
    return _read(record)[0]


def detail(record: Mapping[str, Any]) -> Say:
    """How far a hand went and who won it, by which hands are told apart in a list."""
    hand, names, _, net = _read(record)
    won = taken(hand, net) if net is not None else ()
    wins = [("wins", {"name": names[p], "amount": amount}) for p, amount in enumerate(won) if amount]
    where = "showdown" if hand.shown_down else STREETS[hand.street]
    return f"holdem.detail.{where}", {"wins": wins}


def with_figures(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Records with what all of them together show of each player; where one knows its figures, those stay."""
    seen: dict[str, SeenFigures] = {}
    for record in records:
        hand, names, _, _ = _read(record)
        for name, figures in zip(names, figures_of(hand), strict=True):
            seen[name] = seen.get(name, SeenFigures()) + figures
    out = []
    for record in records:
        known = [asdict(seen[str(name)[:_NAME]]) for name in record["names"]]
        out.append({"figures": known, **record})
    return out


def replay(record: Mapping[str, Any]) -> Sequence[Frame]:
    """A record, moment by moment, with every card it has."""
    done, names, mucked, net = _read(record)
    company = TableCompany.read(record, names)
    table, row = done._table, done._row
    hand = Hand(done.game, [int(k) for k in table.cards[row]], stacks=done.stacks, number=done.number)
    said: list[Say] = [("holdem.replay", {"number": done.number})]
    frames: list[Frame] = []
    last: dict[int, Say] = {}
    for action in done.history:
        position, street = hand.actor or 0, hand.street
        known = bool(hand.hole(position))
        question = asked(hand.observe(), company) if known and hand.game.hole_cards == 2 else None
        frames.append(Frame(_view(hand, names, last), said, action_text(action, hand.game.limit), question))
        said = [acted(hand, names[position], action)]
        hand.fold_anyway() if action == c.FOLD else hand.act(action)
        if hand.street != street:
            last = {p: what for p, what in last.items() if hand.folded[p]}
        last[position] = did(said[0])
        said += followed(hand, names, street, mucked, net)
    frames.append(Frame(_view(hand, names, last, mucked, net), said))
    return frames


def held(record: Mapping[str, Any], step: int, seat: int, agent: Any, doubt: float = 0.0) -> HoldingChances:
    """What the player in a seat may hold after so many actions of a record, if it plays like an agent.

    Args:
        record: A finished hand.
        step: How many of its actions count.
        seat: The player's position.
        agent: Whose policy stands for the player.
        doubt: How much of every decision is put down to chance.
    """
    # a stand-in bets other amounts than the player did
    return range_of(agent, _at(record, step), seat, doubt=doubt, any_raise=doubt > 0)


def held_by_stand_in(record: Mapping[str, Any], step: int, seat: int) -> tuple[StandIn, HoldingChances]:
    """The same by the best that is known of the player: its own policy, its clone, its statistics; and which it was."""
    hand = _at(record, step)
    seen = hand._table.observe(np.array([hand._row]), np.array([seat]))
    model = stand_in(TableCompany.read(record, _read(record)[1]), seat, seen)
    return model, model.chances(seen, seat)


def _at(record: Mapping[str, Any], step: int) -> Hand:
    """The hand of a record after so many of its actions."""
    done = _read(record)[0]
    if not 0 <= step <= len(done.history):
        raise UnreadableError(f"step must be 0 to {len(done.history)} in this hand, got {step}")
    table, row = done._table, done._row
    hand = Hand(done.game, [int(k) for k in table.cards[row]], stacks=done.stacks, number=done.number)
    for action in done.history[:step]:
        hand.fold_anyway() if action == c.FOLD else hand.act(action)
    return hand


_Net = tuple[int, ...] | None


def _read(record: Mapping[str, Any]) -> tuple[Hand, list[str], list[int], _Net]:
    """The hand of a record, its players, who mucked, and what each won (from the record where cards are missing)."""
    try:
        stacks = [int(k) for k in record["stacks"]]
        names = [str(name)[:_NAME] for name in record["names"]]
        game = parse_game(str(record["game"]), "the hand's game", "the record")
        hand = Hand.parse(str(record["line"]), game, stacks)
        mucked = [int(p) for p in record.get("mucked") or ()]
        given = [int(k) for k in record.get("net") or ()]
    except MazzoError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise UnreadableError(f"not a record of a hand of Hold'em: {error}") from None
    if not hand.over or len(names) != game.players or game.rounds > 4:
        raise UnreadableError("not a record of a finished hand of Hold'em")
    put_in = [stack - behind for stack, behind in zip(hand.stacks, hand.behind, strict=True)]
    right = (
        len(given) == game.players
        and not sum(given)
        and all(k + chips >= 0 for k, chips in zip(given, put_in, strict=True))
    )
    return hand, names, mucked, net_of(hand) or (tuple(given) if right else None)


def _view(
    hand: Hand, names: Sequence[str], did_last: Mapping[int, Say], mucked: Sequence[int] = (), net: _Net = None
) -> dict[str, Any]:
    last = hand.game.players - 1
    seats = []
    for position, name in enumerate(names):
        badges = ["dealer"] if position == last else []
        place = hand_view(hand, position, True, position in mucked, net)
        done = {"did": did_last[position]} if position in did_last else {}
        seats.append({"name": name, "kind": "person", "badges": badges, **place, **done})
    blinds = "/".join(str(b) for b in sorted(b for b in hand.game.blinds if b))
    return {
        "deck": "french",
        "seats": seats,
        "you": None,
        "turn": hand.actor,
        "centre": {"cards": [str(k) for k in hand.board], "places": sum(hand.game.board_cards)},
        "pot": pot_before(hand),
        "facts": [("holdem.blinds", blinds), ("holdem.hand", hand.number)],
        "choices": [],
        "hand_over": hand.over,
        "over": hand.over,
    }
