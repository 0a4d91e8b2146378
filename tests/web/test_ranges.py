"""What a player of a replayed hand may hold, in the browser."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from mazzo.holdem import Hand, range_of
from mazzo.holdem.replay import record_of
from mazzo.web.replays import packed


def _link(names: list[str]) -> str:
    hand = Hand("holdem-limit-2p", "AsAh" + "KcKd" + "2c7dTh" + "3s" + "Jc")
    for action in "rccccccc":
        hand.act(action)
    assert hand.over
    return packed({"of": "holdem", **record_of(hand), "names": names})


def _ask(client: TestClient, **given: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/held", params=given).json()
    return found


def test_an_agent_is_reasoned_about_by_its_own_policy(client: TestClient) -> None:
    found = _ask(client, h=_link(["call", "chart"]), step=1, seat=1)
    hand = Hand("holdem-limit-2p", seed=1).act("r")
    own = range_of("chart", hand, 1)
    assert found["own"]
    assert found["classes"]["AA"] == pytest.approx(own["AA"])
    assert "230 of 1326" in " ".join(found["said"])
    assert sum(found["classes"].values()) == pytest.approx(1)


def test_for_a_person_a_stand_in_answers_and_it_is_said(client: TestClient) -> None:
    found = _ask(client, h=_link(["Ada", "Bob"]), step=1, seat=1)
    assert (found["own"], found["model"]) == (False, "typical")
    assert found["said"][0] == "Nothing is known of Bob: this is what a usual player might hold."
    other = _ask(client, h=_link(["Ada", "Bob"]), step=1, seat=1, model="call")
    assert "call stands in" in other["said"][0]
    assert other["classes"]["AKs"] == pytest.approx(4 / 1326)


def test_only_what_was_open_at_the_moment_counts(client: TestClient) -> None:
    before = _ask(client, h=_link(["call", "call"]), step=1, seat=0)
    river = _ask(client, h=_link(["call", "call"]), step=8, seat=0)
    assert before["classes"]["22"] == pytest.approx(6 / 1326)  # a deuce comes on the flop, which nobody knows yet
    assert river["classes"]["22"] == pytest.approx(3 / 1081)


@pytest.mark.parametrize(
    "wrong",
    [
        {"step": 99},
        {"step": -1},
        {"seat": 7},
        {"seat": -1},
        {"model": "recorder:agent=rich,to=.."},
        {"model": "nobody"},
        {"h": "x"},
    ],
)
def test_what_makes_no_sense_is_refused(client: TestClient, wrong: dict[str, Any]) -> None:
    answer = client.get("/api/held", params={"h": _link(["Ada", "Bob"]), "step": 1, "seat": 1, **wrong})
    assert answer.status_code == 400
    assert answer.json()["refused"]


def test_the_page_of_a_hand_shows_it(client: TestClient) -> None:
    page = client.get("/replay/hand", params={"h": _link(["Ada", "Bob"])}).text
    assert 'id="held-grid"' in page
    assert "range.js" in page
