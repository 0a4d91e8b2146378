"""Tournaments in the browser: blinds rise, and when every person is out the agents play it out by themselves."""

from __future__ import annotations

from fastapi.testclient import TestClient

from mazzo.holdem.tournament.options import RISING
from tests.web.playing import open_table, seated


def test_a_tournament_plays_out_by_itself_once_no_person_is_left(client: TestClient) -> None:
    path = open_table(
        client, "holdem", ["me", "call", "random", "call"], mode="tournament", chips="40", level_hands="3"
    )
    dealt = 0
    with seated(client, path) as seat:
        for _ in range(4000):
            state = seat.until(lambda m: m["type"] == "state")
            view = state["view"]
            if view["over"]:
                break
            out = bool(view["seats"][0].get("note")) and not view["seats"][0]["hands"]
            actions = [choice["action"] for choice in view["choices"]]
            if out or not actions or state["at"] <= seat.at:
                continue
            raises = [f"r{choice['amount']['high']}" for choice in view["choices"] if "amount" in choice]
            dealt += "next" in actions
            seat.do(state, (raises or [action for action in actions if action in ("c", "next")])[0])
        else:
            raise AssertionError("the tournament did not come to its end")
    assert dealt >= 1


def test_the_blinds_of_a_tournament_rise_unless_others_are_chosen(client: TestClient) -> None:
    for given, kept in (("5/10", RISING), ("", RISING), ("2/4", "2/4"), ("5/10,5/10", "5/10,5/10")):
        path = open_table(client, "holdem", ["me", "call"], mode="tournament", blinds=given)
        table = client.app.state.hub.tables[path.split("/")[2]]  # type: ignore[attr-defined]
        assert table.sitting.header["options"]["blinds"] == kept
    path = open_table(client, "holdem", ["me", "call"], mode="cash", blinds="5/10")
    assert client.app.state.hub.tables[path.split("/")[2]].sitting.header["options"]["blinds"] == "5/10"  # type: ignore[attr-defined]
