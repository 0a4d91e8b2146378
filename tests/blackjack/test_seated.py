"""Tables and records written by version 0.1.0 open with the same cards, words and frames."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from mazzo.blackjack.replay import replay
from mazzo.blackjack.round import Round
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.seated import BlackjackTable, answer
from mazzo.blackjack.shoe import Shoe
from mazzo.errors import MazzoError
from mazzo.names import distinct_names, person_name
from mazzo.seated import NEXT

OLD: list[dict[str, Any]] = json.loads((Path(__file__).parent.parent / "data" / "blackjack_tables.json").read_text())


def digest(shown: Any) -> str:
    return hashlib.sha256(json.dumps(shown, sort_keys=True, default=str).encode()).hexdigest()[:16]


def as_it_was_shown(table: BlackjackTable) -> dict[str, Any]:
    """A view as it was when the digests were taken: agents were called by their own names, and less was shown."""
    view = table.view(0)
    if table.seat is None:
        view["choices"] = []  # nobody could bet another amount or buy chips
    named = distinct_names([person_name(seat) or seat for seat in table.seats])
    players = [
        {**{key: value for key, value in shown.items() if key not in ("agent", "did")}, "name": name}
        for shown, name in zip(view["seats"], named, strict=False)
    ]
    return {key: value for key, value in view.items() if key != "places"} | {"seats": [*players, view["seats"][-1]]}


@pytest.mark.parametrize("old", OLD, ids=lambda old: str(old["options"]))
def test_old_tables_are_played_on_as_they_were(old: dict[str, Any]) -> None:
    table = BlackjackTable(old["seats"], old["options"], old["seed"])
    records = []
    for action, view in zip(old["actions"], old["views"], strict=True):
        if table.seat is None:
            records.append(json.loads(json.dumps(table.record(0))))
        elif table.seat in table.agents and table.seats[table.seat] != "random":  # whose numbers were those of the deal
            assert table.agent_action() == action
        table.act(action)
        assert digest([as_it_was_shown(table), table.chips]) == view
    for record, before in zip(records, old["records"], strict=False):
        cards, record["names"] = record.pop("cards"), before["names"]
        assert record == {name: value for name, value in before.items() if name != "key"}
        assert cards == [int(card) for card in _played(before).drawn()]


def _played(record: dict[str, Any]) -> Round:
    """The round of an old record, which has the key of its cards."""
    rules, shoe = Rules().changed(**record["rules"]), Shoe(tuple(record["shoe"]))
    game = Round(rules, shoe=shoe, key=int(record["key"]), boxes=record["boxes"])
    for play in record["plays"]:
        if game.asked is None:
            game.act(play)
        else:
            answer(game, play)
    return game


@pytest.mark.parametrize("old", OLD, ids=lambda old: str(old["options"]))
def test_old_records_are_shown_again_frame_by_frame(old: dict[str, Any]) -> None:
    for record, frames in zip(old["records"], old["frames"], strict=True):
        assert digest([(frame.view, frame.said, frame.action) for frame in replay(record)]) == frames


def some_record(seed: int = 4) -> dict[str, Any]:
    """A finished round of two at a table."""
    table = BlackjackTable(["me", "basic"], {"hands": "2"}, seed)
    while table.seat is not None:
        table.act("leave" if table.game.asked is not None else "stand")
    record = json.loads(json.dumps(table.record(0)))
    assert isinstance(record, dict)
    return record


def test_the_cards_of_later_rounds_cannot_be_computed_from_the_record_of_one() -> None:
    table, found = BlackjackTable(["me"], {}, seed=9), set[str]()
    for _ in range(5):
        while table.seat is not None:
            table.act("leave" if table.game.asked is not None else "stand")
        found |= set(table.record(0) or {})
        table.act(NEXT)
    assert found == {"rules", "shoe", "cards", "boxes", "each", "plays", "names"}


def test_a_record_shows_the_cards_that_were_dealt() -> None:
    record = some_record()
    end = replay(record)[-1]
    shown = sum(len(hand["cards"]) for seat in end.view["seats"] for hand in seat["hands"])
    assert shown == len(record["cards"])
    assert [seat["name"] for seat in end.view["seats"]][:2] == record["names"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda cards: [*cards, 3], "cards are given, but these plays draw"),
        (lambda cards: cards[:-1], "cards are given, but these plays draw"),
        (lambda cards: [], "cards are given, but these plays draw|ends before|goes on"),
        (lambda cards: [-1, *cards[1:]], "numbers from 0"),
        (lambda cards: [10, *cards[1:]], "numbers from 0"),
        (lambda cards: [0] * 400, "no A left"),
        (lambda cards: ["x"], "not a record of a round"),
        (lambda cards: 7, "not a record of a round"),
        (lambda cards: None, "not a record of a round"),
    ],
)
def test_a_record_with_other_cards_than_its_plays_draw_is_refused(change: Any, words: str) -> None:
    record = some_record()
    with pytest.raises(MazzoError, match=words):
        replay({**record, "cards": change(record["cards"])})
