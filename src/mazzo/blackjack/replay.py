"""Rounds of blackjack shown again from their rules, shoe, cards and plays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mazzo.blackjack.faces import Faces, rank_of
from mazzo.blackjack.round import Round
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.seated import answer, asked, round_seats, side_bet
from mazzo.blackjack.shoe import RANKS, Shoe, shoe_of
from mazzo.cards import FRENCH
from mazzo.errors import MazzoError, UnreadableError
from mazzo.records import read_records
from mazzo.seated import Frame, Question, Say

__all__ = ["dealt", "read", "replay"]


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The rounds a table gave away; none if it is no such file."""
    return read_records(path, "blackjack")


def dealt(record: Mapping[str, Any]) -> dict[int, set[str]]:
    """By place in the shoe the cards of the rank that was drawn from it: a ten may be a jack, queen or king."""
    try:
        whole, left = shoe_of(Rules().changed(**record["rules"])), Shoe(tuple(int(k) for k in record["shoe"]))
        cards = [int(card) for card in record["cards"]]
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise UnreadableError(f"not a record of a round of blackjack: {error}") from None
    of_rank = [{str(card) for card in FRENCH if rank_of(str(card)) == rank} for rank in range(len(RANKS))]
    if not all(0 <= card < len(RANKS) for card in cards):
        raise UnreadableError(f"cards are numbers from 0, the ace, to 9, a ten: {str(cards)[:80]}")
    return {whole.cards - left.cards + k: of_rank[card] for k, card in enumerate(cards)}


def replay(record: Mapping[str, Any]) -> Sequence[Frame]:
    """A record, play by play."""
    try:
        rules = Rules().changed(**record["rules"])
        boxes, each = int(record["boxes"]), int(record["each"])
        names, plays = [str(name)[:60] for name in record["names"]], [str(play) for play in record["plays"]]
        if not (1 <= boxes <= 15 and each >= 1 and len(names) * each == boxes and len(plays) <= 1000):
            raise UnreadableError("not a record of a round of blackjack: boxes and players do not agree")
        game = _dealt(record, rules, boxes)
        game.names = tuple(_box_names(names, each))
    except MazzoError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise UnreadableError(f"not a record of a round of blackjack: {error}") from None
    faces = Faces(game.key, rules.decks)
    said: list[Say] = [("blackjack.replay", {})]
    frames = []
    for play in plays:
        if game.turn is None:
            raise UnreadableError("this record goes on after its round is over")
        question: Question = asked(game.observe()) if game.asked is None else side_bet(game)
        frames.append(Frame(_view(game, faces, names, each), said, play, question))
        said = [(f"blackjack.did.{play}", {"name": names[game.turn // each]})]
        if game.asked is None:
            game.act(play)
        else:
            answer(game, play)
    if not game.over:
        raise UnreadableError("this record ends before the round does")
    if len(game.drawn()) != len(record.get("cards", game.drawn())):
        raise UnreadableError(f"{len(record['cards'])} cards are given, but these plays draw {len(game.drawn())}")
    for seat, name in enumerate(names):
        won = sum(game.payoffs[seat * each : (seat + 1) * each])
        said.append(("blackjack.result", {"name": name, "amount": f"{won:+g}"}))
    frames.append(Frame(_view(game, faces, names, each), said))
    return frames


def _dealt(record: Mapping[str, Any], rules: Rules, boxes: int) -> Round:
    """The round by its cards; old records have the key that dealt them instead."""
    shoe = Shoe(tuple(int(k) for k in record["shoe"]))
    if "cards" not in record:
        return Round(rules, shoe=shoe, key=np.uint64(int(record["key"])), boxes=boxes)
    cards = [int(card) for card in record["cards"]]
    if not all(0 <= card < len(RANKS) for card in cards):
        raise UnreadableError(f"cards are numbers from 0, the ace, to 9, a ten: {str(cards)[:80]}")
    return Round.of_cards(rules, cards, shoe, boxes)


def _box_names(names: Sequence[str], each: int) -> list[str]:
    return [name for name in names for _ in range(each)]


def _view(game: Round, faces: Faces, names: Sequence[str], each: int) -> dict[str, Any]:
    seats = round_seats(game, faces.of(game.drawn()), names, each)
    for seat, shown in enumerate(seats[1:]):
        shown["kind"] = "person"
        if game.over:
            shown["result"] = sum(game.payoffs[seat * each : (seat + 1) * each])
    return {
        "deck": "french",
        "seats": [*seats[1:], seats[0]],
        "you": None,
        "turn": None if game.turn is None else game.turn // each,
        "centre": {"cards": [], "places": 0},
        "facts": [("blackjack.left", game.before.cards)],
        "choices": [],
        "hand_over": game.over,
        "over": game.over,
    }
