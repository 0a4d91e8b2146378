"""Lab -> Train: practice is kept on the server, the count stays hidden until asked, nonsense is refused."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from mazzo.web.games import training
from mazzo.web.games.training import Trainings

QUICK = {"drill": "table", "seed": "5", "mark": "indices", "boxes": "2", "bankroll": "100"}


def begun(client: TestClient, **given: str) -> dict[str, Any]:
    answer = client.post("/api/train", json=given)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def said(client: TestClient, name: str, **given: Any) -> dict[str, Any]:
    answer = client.post(f"/api/train/{name}", json=given)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_round_is_the_one_that_the_terminal_deals_and_its_money_is_kept(client: TestClient) -> None:
    from mazzo.blackjack.counting.index_tables import illustrious
    from mazzo.blackjack.counting.systems import COUNTS
    from mazzo.blackjack.counting.trainer import CountingTable
    from mazzo.blackjack.rules import PRESETS

    assert client.get("/lab/train").status_code == 200
    rules = PRESETS["strip"]
    same = CountingTable(rules, COUNTS["hi-lo"], illustrious(rules), 100, 2, "indices", 5)
    view = begun(client, **QUICK)
    name = view["id"]
    for _ in range(3):
        view, played = said(client, name, do="bet", bet=3), same.begin(3)
        while view["choices"]:
            assert None in view["dealer"]
            assert view["count"] is None
            counted = said(client, name, do="count")["count"]
            assert counted == {"running": same.running, "true": pytest.approx(same.true)}
            play = same.advice()
            view = said(client, name, do="play", play=play)
            assert view["verdict"] == {"good": True, "played": play, "wanted": play}
            same.act(play)
        assert played.over
        assert view["result"] == pytest.approx(same.finish())
        assert view["bankroll"] == pytest.approx(same.bankroll)
    assert (view["asked"], view["right"], view["rounds"]) == (same.asked, same.right, 3)


def test_a_wrong_play_is_told_with_the_right_one(client: TestClient) -> None:
    name = begun(client, **{**QUICK, "boxes": "1", "mark": "basic"})["id"]
    wrong = 0
    for _ in range(12):
        view = said(client, name, do="bet", bet="2")
        while view["choices"]:
            view = said(client, name, do="play", play="surrender" if "surrender" in view["choices"] else "stand")
            if "leave" not in view["choices"] and not view["verdict"]["good"]:
                wrong += 1
                assert view["verdict"]["wanted"] not in (view["verdict"]["played"], "leave")
    assert wrong


def test_index_plays_are_marked_by_the_true_count(client: TestClient) -> None:
    view = begun(client, drill="deviations", seed="1")
    name = view["id"]
    for _ in range(30):
        asked, view = view, said(client, name, given="y")
        true = int(asked["running"] // asked["decks"])
        verdict = view["verdict"]
        assert (verdict["row"], verdict["true"]) == (asked["row"], true)
        assert verdict["good"] == (true >= verdict["index"])
        assert len(asked["cards"]) == 2
    assert view["asked"] == 30


def test_a_deck_is_counted_and_trays_are_judged(client: TestClient) -> None:
    tags = dict.fromkeys("23456", 1) | dict.fromkeys("TJQKA", -1)
    deck = begun(client, drill="countdown", seed="3")
    running = sum(tags.get(card[0], 0) for card in deck["cards"])
    assert (len(deck["cards"]), len(set(deck["cards"]))) == (51, 51)
    assert said(client, deck["id"], given=str(running))["verdict"] == {"good": True, "running": running}
    assert not said(client, deck["id"], given=running + 1)["verdict"]["good"]
    tray = begun(client, drill="decks", decks="8", seed="3")
    told = said(client, tray["id"], given=str(8 * tray["share"]))
    assert told["verdict"] == {"good": True, "decks": pytest.approx(8 * tray["share"])}
    assert told["share"] != tray["share"]


@pytest.mark.parametrize(
    "given",
    [{"drill": "x"}, {"boxes": "8"}, {"bankroll": "nan"}, {"bankroll": "-5"}, {"count": "mine"}, {"seed": "-1"},
     {"seed": "x"}, {"decks": "0"}, {"evil": "1"}, {"mark": ["exact"]}, {"rules": {"decks": 1}}, {"decks": "infinite"}],
)  # fmt: skip
def test_a_practice_that_cannot_be_is_refused_with_the_reason(client: TestClient, given: dict[str, Any]) -> None:
    answer = client.post("/api/train", json={**QUICK, **given})
    assert answer.status_code == 400
    assert answer.json()["refused"]


@pytest.mark.parametrize(
    "given",
    [{}, {"do": "play", "play": "stand"}, {"do": "bet", "bet": "nan"}, {"do": "bet", "bet": 1e300}, {"do": "bet"},
     {"do": "bet", "bet": 60}, {"do": "bet", "bet": [3]}, {"do": ["count"]}],
)  # fmt: skip
def test_what_cannot_be_done_at_a_table_is_refused_and_changes_nothing(
    client: TestClient, given: dict[str, Any]
) -> None:
    name = begun(client, **QUICK)["id"]
    answer = client.post(f"/api/train/{name}", json=given)
    assert answer.status_code == 400
    assert answer.json()["refused"]
    view = said(client, name, do="count")
    assert (view["bankroll"], view["rounds"], view["count"]["running"]) == (100, 0, 0)


def test_a_practice_that_is_not_there_is_refused(client: TestClient) -> None:
    for name in ("0123456789abcdef", "..%2f..", "x"):
        assert client.post(f"/api/train/{name}", json={"do": "count"}).status_code in (400, 404, 405)


def test_the_oldest_practice_of_a_visitor_is_forgotten_and_others_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "_KEPT_OF_ONE", 3)
    monkeypatch.setattr(training, "_KEPT", 5)
    kept = Trainings()
    mine = [kept.begin({"drill": "decks"}, "a")["id"] for _ in range(4)]
    other = kept.begin({"drill": "decks"}, "b")["id"]
    assert list(kept._kept) == [*mine[1:], other]
    for visitor in "cde":
        kept.begin({"drill": "decks"}, visitor)
    assert len(kept._kept) == 5
