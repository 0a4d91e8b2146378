"""Agents watched one move at a time, all cards open, each move explained; nobody does so at a table with people."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.web.playing import SEATS, Seat, open_table, seated

BOTS = {
    "holdem": ["utility", "rich", "random"],
    "blackjack": ["chart", "random"],
    "tressette": ["decision-improved", "greedy"] * 2,
}


def standing(seat: Seat) -> dict[str, Any]:
    return seat.until(lambda m: m["type"] == "state" and m["ready"])


@pytest.mark.parametrize("game", BOTS)
def test_each_step_is_one_move_with_its_reason_and_all_cards_open(client: TestClient, game: str) -> None:
    with seated(client, open_table(client, game, BOTS[game], speed="step")) as seat:
        state = standing(seat)
        assert state["at"] == 0
        assert state["by_hand"]
        reasons = 0
        for _ in range(6):
            turn, before = state["view"]["turn"], state["at"]
            if turn is not None and game != "blackjack":
                assert all(card is not None for hand in state["view"]["seats"][turn]["hands"] for card in hand["cards"])
            seat.say(do="step")
            state = seat.until(lambda m: m["type"] == "state" and m["at"] > before)  # noqa: B023  # read at once
            assert state["at"] == before + 1
            if state["why"] is not None:
                assert state["why"]["seat"] == turn
                assert state["why"]["reason"]
                reasons += 1
        assert reasons


def test_a_table_that_moves_by_hand_can_be_let_run_and_stopped_again(client: TestClient) -> None:
    with seated(client, open_table(client, "holdem", ["call", "random"], speed="step")) as seat:
        standing(seat)
        seat.say(do="speed", value="instant")
        far = seat.until(lambda m: m["type"] == "state" and m["at"] > 20)
        assert not far["by_hand"]
        seat.say(do="speed", value="step")
        still = seat.until(lambda m: m["type"] == "state" and m["by_hand"])
        seat.say(do="step")
        assert seat.until(lambda m: m["type"] == "state" and m["at"] > still["at"] + 0)["by_hand"]
        for value in ("", "ludicrous", "x" * 300, None, 3):
            seat.say(do="speed", value=value)
            assert seat.until(lambda m: m["type"] == "refused")["reason"]


@pytest.mark.parametrize("game", SEATS)
def test_where_people_play_nothing_is_stepped_and_no_reason_is_told(client: TestClient, game: str) -> None:
    form = {"seats": str(len(SEATS[game])), "speed": "step", "name0": "A"}
    form |= {f"seat{k}": who for k, who in enumerate(SEATS[game])}
    assert client.post(f"/new/{game}", data=form).status_code == 400
    path = open_table(client, game)
    with seated(client, path) as person, seated(client, path.rsplit("/", 1)[0]) as watcher:
        person.state()
        for seat in (person, watcher):
            for message in ({"do": "step"}, {"do": "speed", "value": "instant"}, {"do": "speed", "value": "step"}):
                seat.say(**message)
                assert "step by step" in seat.until(lambda m: m["type"] == "refused")["reason"]
            assert not [raw for raw in seat.received if '"why"' in raw or '"by_hand"' in raw]


def test_where_bots_play_with_closed_cards_nothing_is_stepped(client: TestClient) -> None:
    with seated(client, open_table(client, "holdem", ["call", "random"], watch="table", speed="slow")) as seat:
        assert "why" not in standing(seat)
        seat.say(do="speed", value="step")
        assert "step by step" in seat.until(lambda m: m["type"] == "refused")["reason"]
