"""Lab -> Tressette at a real table: what a click asks for, and what is refused."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient

from mazzo.cards import ITALIAN
from mazzo.tressette.deals.sample import p_holds
from mazzo.tressette.view import View

HAND = "me 3d 2d 4d 5d 6d 4c 5c 6c 4s 5s"


def told(client: TestClient, what: str, round_text: str, status: int = 200, **more: str) -> dict[str, Any]:
    answer = client.post(f"/api/tressette/{what}", json={"round": round_text, **more})
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_who_can_hold_what_is_told_with_chances_and_reasons(client: TestClient) -> None:
    assert client.get("/lab/tressette").status_code == 200
    text = f"{HAND}; lead avv1; play 8d 2s 9d 3d"
    found = told(client, "look", text)
    assert (found["turn"], found["trick"], found["table"]) == ("me", 2, [])
    assert found["chances"]["7d"][1] == 0
    assert any("compagno did not follow denari in trick 1" in one["said"] for one in found["known"])
    expected = p_holds(View.parse(text).observe())[0]
    for card, chances in found["chances"].items():
        assert chances == [float(expected[place, ITALIAN.card(card)]) for place in (1, 2, 3)]


def test_each_adviser_says_its_card_and_by_how_much(client: TestClient) -> None:
    text = f"{HAND}; score 12 8; lead me"
    found = told(client, "advice", text, adviser="search")
    assert found["card"] in HAND.split()
    assert found["options"][0]["behind"] == [0, 0]
    assert found["unit"] == "% of the match"
    other = told(client, "advice", text, adviser="decision")
    assert {"R", "DT", "V"} <= set(other["options"][0]["terms"])


def test_what_cannot_be_is_refused_with_the_reason(client: TestClient) -> None:
    wrong = told(client, "look", f"{HAND}; lead avv1; play 8d 2s 9d 3d, 8d", 400)
    assert "8d was already played by avv1 in trick 1" in wrong["refused"]
    assert "not your turn" in told(client, "advice", f"{HAND}; lead avv1", 400)["refused"]
    assert "adviser must be one of" in told(client, "advice", f"{HAND}; lead me", 400, adviser="cheat")["refused"]
    assert "rules must be one of" in told(client, "look", f"{HAND}; lead me", 400, rules="/etc/x.toml")["refused"]
    assert "at most" in told(client, "look", "me " + "x" * 3000, 400)["refused"]


def test_declarations_are_asked_for_when_the_rules_make_them(client: TestClient) -> None:
    text = f"{HAND}; lead me; play 3d 7d 8d"
    assert not told(client, "look", text, rules="tressette-after")["ask_declarations"]
    after = told(
        client, "look", f"{HAND}; avv1 bongioco A without d; lead me; play 3d 7d 8d 9d", rules="tressette-after"
    )
    assert after["declared"][1] == "bongioco A without d"
