"""A seat's hands by what they cost, in the browser."""

from __future__ import annotations

import json
import re
from typing import Any

from fastapi.testclient import TestClient

from mazzo.holdem import Hand
from mazzo.holdem.replay import record_of
from mazzo.web.replays import packed
from mazzo.web.reviewing import hands_to_price
from tests.web.playing import open_table, seated


def _record() -> dict[str, Any]:
    hand = Hand("holdem-nolimit-4p", "AcKd Jc3d 7c7d 8s8c 2c3h9s Ts 4h", stacks=[2000] * 4)
    for action in ("r2000", "c", "c", "c"):
        hand.act(action)
    return {"of": "holdem", **record_of(hand), "names": ["Ada", "Bob", "Cem", "Dan"]}


def test_the_steps_at_which_a_person_decided_are_listed_with_a_link_to_the_hand() -> None:
    (hand,) = hands_to_price([_record()], "Bob")
    assert hand["steps"] == [3]
    assert hand["link"] == packed(_record())
    broken = {**_record(), "line": "nonsense"}
    assert [h["number"] for h in hands_to_price([broken, _record()], "Bob")] == [2]


def test_the_coach_prices_a_step_by_ranges_and_names_the_mistake(client: TestClient) -> None:
    found = client.get("/api/advice", params={"h": packed(_record()), "step": 3, "adviser": "ranges"}).json()
    assert (found["mistake"], found["agrees"]) == ("grave", False)
    assert "grave mistake" in found["said"]
    assert all(option["error"] is not None for option in found["options"])
    assert "in place of" in found["reason"]


def test_a_seat_sees_its_own_hands_and_nobody_else_may(client: TestClient) -> None:
    path = open_table(client, "holdem", ["me", "call"])
    with seated(client, path) as seat:
        assert client.get(f"{path}/review").status_code == 404  # no hand is over yet
        state = seat.state()
        while not state["view"]["hand_over"]:
            seat.do(state, "c")
            state = seat.until(
                lambda m: m["type"] == "state" and (m["view"]["turn"] == m["view"]["you"] or m["view"]["hand_over"])
            )
        page = client.get(f"{path}/review").text
    data = re.search(r'<script id="review" type="application/json">(.*?)</script>', page)
    assert data is not None
    (hand,) = json.loads(data[1])["hands"]
    assert hand["steps"]
    assert client.get(f"{path[:-4]}wrong/review").status_code == 404
