"""Rounds of blackjack shown again: rules, shoe, chance and plays give every card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mazzo.blackjack.round import Round
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.seated import Faces, asked, round_seats, side_bet
from mazzo.blackjack.shoe import Shoe
from mazzo.errors import MazzoError, UnreadableError
from mazzo.seated import Frame, Question, Say, read_records

__all__ = ["read", "replay"]


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The rounds a table gave away; none if it is no such file."""
    return read_records(path, "blackjack")


def replay(record: Mapping[str, Any]) -> Sequence[Frame]:
    """A record, play by play."""
    try:
        rules = Rules().changed(**record["rules"])
        boxes, each = int(record["boxes"]), int(record["each"])
        names, plays = [str(name)[:60] for name in record["names"]], [str(play) for play in record["plays"]]
        if not (1 <= boxes <= 15 and each >= 1 and len(names) * each == boxes and len(plays) <= 1000):
            raise UnreadableError("this is no record of a round of blackjack: boxes and players do not agree")
        key = np.uint64(int(record["key"]))
        game = Round(rules, Shoe(tuple(int(k) for k in record["shoe"])), key, boxes=boxes)
    except MazzoError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError) as wrong:
        raise UnreadableError(f"this is no record of a round of blackjack: {wrong}") from None
    faces = Faces(key, rules.decks)
    side = [box for box in range(boxes) if game.offers_even_money(box) or game.offers_insurance(box)]
    said: list[Say] = [("blackjack.replay", {})]
    frames = []
    for play in plays:
        box = side[0] if side else game.to_play.box if game.to_play else 0
        question: Question = side_bet(game, box) if side else asked(game.view())
        frames.append(Frame(_view(game, faces, names, each, box, bool(side)), said, play, question))
        said = [(f"blackjack.did.{play}", {"name": names[box // each]})]
        if side:
            side.pop(0)
            if play == "take":
                game.take_even_money(box) if game.offers_even_money(box) else game.insure(box)
        else:
            game.play(play)
    if side or game.to_play is not None:
        raise UnreadableError("this record ends before the round does")
    game.settle()
    for seat, name in enumerate(names):
        won = sum(game.won[seat * each : (seat + 1) * each])
        said.append(("blackjack.result", {"name": name, "amount": f"{won:+g}"}))
    frames.append(Frame(_view(game, faces, names, each, None, False), said))
    return frames


def _view(game: Round, faces: Faces, names: Sequence[str], each: int, box: int | None, side: bool) -> dict[str, Any]:
    seats = round_seats(game, faces.of(game), names, each, box if side else None)
    for seat, shown in enumerate(seats[1:]):
        shown["kind"] = "person"
        if game.finished:
            shown["result"] = sum(game.won[seat * each : (seat + 1) * each])
    return {
        "deck": "french",
        "seats": [*seats[1:], seats[0]],
        "you": None,
        "turn": None if box is None else box // each,
        "centre": {"cards": [], "places": 0},
        "facts": [("blackjack.left", game.before.cards)],
        "choices": [],
        "hand_over": game.finished,
        "over": game.finished,
    }
