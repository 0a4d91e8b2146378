"""Lab -> Solve: spots are solved on the server, looked at place by place, and refused where they are too much."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from fastapi.testclient import TestClient

RIVER = {
    "board": "KsKh7d4c2s", "oop": "7c7h,3c3d,AsQd", "ip": "QhQd,JsJd", "pot": 100, "stack": 100, "bets": "100%",
    "raises": "a", "to": 0.05,
}  # fmt: skip


def solved(client: TestClient, given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    answer = client.post("/api/solve", json=given)
    assert answer.status_code == 200, answer.text
    name = answer.json()["id"]
    wait = threading.Event()
    while (found := client.get(f"/api/solve/{name}").json())["state"] in ("waiting", "solving"):
        wait.wait(0.02)
    return name, found


def test_a_spot_is_solved_and_looked_at(client: TestClient) -> None:
    assert client.get("/lab/solve").status_code == 200
    name, found = solved(client, RIVER)
    assert found["state"] == "done"
    assert found["exploitability_pct"] <= 0.05
    assert found["oop_ev"] + found["ip_ev"] == pytest.approx(100, abs=1e-3)
    assert found["curve"]
    node = client.post(f"/api/solve/{name}/at", json={"at": "b100"}).json()
    assert (node["actor"], node["actions"], node["words"]) == ("ip", ["f", "c"], ["fold", "call"])
    assert node["bet"]["minimum"] == pytest.approx(0.5)
    assert sum(node["ip"]["classes"]["QQ"]["mix"].values()) == pytest.approx(1)


def test_a_locked_decision_is_played_as_it_was_locked_and_compared(client: TestClient) -> None:
    first, _ = solved(client, RIVER)
    second, found = solved(client, {**RIVER, "locks": [{"at": "b100", "hands": "all", "mix": {"f": 100, "c": 0}}]})
    assert found["state"] == "done"
    node = client.post(f"/api/solve/{second}/at", json={"at": "b100"}).json()
    assert node["totals"]["f"] == pytest.approx(1)
    compared = client.post(f"/api/solve/{first}/compare/{second}", json={"at": "b100"}).json()
    assert compared["distance"] > 0.1


@pytest.mark.parametrize(
    "given",
    [{"board": "Ks"}, {"oop": "ZZ"}, {"pot": "many"}, {"pot": 1e300}, {"bets": "x" * 9000}, {"locks": 5},
     {"locks": [{"at": "", "mix": {"k": "x"}}]}, {"oop": 7}],
)  # fmt: skip
def test_what_cannot_be_solved_is_refused_with_the_reason(client: TestClient, given: dict[str, Any]) -> None:
    answer = client.post("/api/solve", json={**RIVER, **given})
    assert answer.status_code == 400
    assert answer.json()["refused"]


def test_a_spot_that_is_too_large_for_the_server_says_so(client: TestClient) -> None:
    given = {"board": "Td9d6h", "oop": "22+,A2s+,K2s+", "ip": "22+,A2s+,K2s+", "pot": 100, "stack": 2000}
    _, found = solved(client, {**given, "bets": "33%,75%,150%", "raises": "3x"})
    assert found["state"] == "failed"
    assert "MB" in found["problem"]


def test_a_solution_that_is_not_there_is_refused(client: TestClient) -> None:
    assert client.get("/api/solve/0123456789abcdef").status_code == 404
    assert client.get("/api/solve/..%2f..").status_code == 404
    assert client.post("/api/solve/0123456789abcdef/at", json={"at": ""}).status_code == 400


def test_a_hand_fills_in_the_spot(client: TestClient) -> None:
    hand = "game holdem-nolimit-2p; cards |/Td9d6h/Qc; play r300c/cc/"
    found = client.post("/api/spot", json={"hand": hand, "oop_model": "call", "ip_model": "call"}).json()
    assert (found["board"], found["pot"], found["stack"]) == ("Td9d6hQc", 600, 19700)
    refused = client.post("/api/spot", json={"hand": hand, "oop_model": "recorder:agent=x.py,to=y"})
    assert refused.status_code == 400


def test_a_decision_of_a_replay_is_filled_in_and_priced(client: TestClient) -> None:
    from mazzo.holdem.hand import Hand
    from mazzo.holdem.replay import record_of
    from mazzo.web.replays import packed

    hand = Hand.parse("game holdem-nolimit-2p; cards AsKs|QhJh/Td9d6h/Qc/2s; play r300c/cc/cc/r500f")
    link = packed({"of": "holdem", **record_of(hand)})
    assert 'id="solve"' in client.get(f"/replay/hand?h={link}").text
    spot = client.post("/api/spot", json={"h": link, "step": 7, "oop_model": "call", "ip_model": "call"}).json()
    assert (spot["board"], spot["pot"], spot["at"], spot["played"], spot["hole"]) == (
        "Td9d6hQc2s",
        600,
        "b200",
        "f",
        "QhJh",
    )
    given = {key: spot[key] for key in ("board", "pot", "stack", "bets", "raises")}
    name, found = solved(client, {**given, "oop": "AsKs,TT,99,QJs", "ip": "QhJh,66,AQs", "stack": 1000, "to": 0.5})
    assert found["state"] == "done", found
    costs = client.post(f"/api/solve/{name}/costs", json={"at": "b200", "hole": "QhJh"}).json()["costs"]
    assert min(costs.values()) == 0
    assert costs["f"] >= 0


def test_a_decision_between_two_of_many_players_is_filled_in_and_so_are_the_sizes_of_limit(client: TestClient) -> None:
    from mazzo.holdem.hand import Hand
    from mazzo.holdem.replay import record_of
    from mazzo.web.replays import packed

    hand = Hand.parse("game holdem-limit-3p; cards 7c2d|AsKs|QhJh/9hJcAh/5s; play rcf/crrc/rf")
    link = packed({"of": "holdem", **record_of(hand), "names": ["call", "Ada", "chart"]})
    spot = client.post("/api/spot", json={"h": link, "step": 8}).json()
    assert (spot["pot"], spot["at"], spot["played"], spot["hole"]) == (90, "b20", "f", "QhJh")
    assert "call out of position, chart in position" in spot["said"]
    assert spot["others"] == "turn_bet=20c; turn_raise=20c3r; river_bet=20c; river_raise=20c3r"
    given = {key: spot[key] for key in ("board", "pot", "stack", "bets", "raises", "others")}
    name, found = solved(client, {**given, "oop": "QhJh,99,AJs", "ip": "AsKs,QQ,JTs", "to": 1})
    assert found["state"] == "done", found
    assert found["spot"]["river_raise"] == "20c3r"
    node = client.post(f"/api/solve/{name}/at", json={"at": "b20 r40"}).json()
    assert node["actions"] == ["f", "c", "r60"]
    early = client.post("/api/spot", json={"h": link, "step": 1})
    assert early.status_code == 400


def test_further_keys_of_a_spot_are_taken_and_what_is_wrong_with_them_is_said(client: TestClient) -> None:
    _, found = solved(client, {**RIVER, "others": "ip_river_bet=50%; rake=0.05\nrake_cap=3"})
    assert found["spot"]["ip_river_bet"] == "50%"
    assert found["oop_ev"] + found["ip_ev"] == pytest.approx(97, abs=0.01)
    for wrong in ("rake", "nothing=1", "rake=x", "pot=nan", "x" * 3000):
        assert client.post("/api/solve", json={**RIVER, "others": wrong}).status_code == 400


def test_ranges_of_a_replay_are_by_the_players_own_models_by_chosen_ones_or_by_the_play_before_the_flop(
    client: TestClient,
) -> None:
    from mazzo.holdem.hand import Hand
    from mazzo.holdem.replay import record_of
    from mazzo.holdem.solver.spot.spot import weights_of
    from mazzo.web.replays import packed

    hand = Hand.parse("game holdem-nolimit-2p; cards AsKs|QhJh/Td9d6h/Qc/2s; play r300c/cc/r600c/r1100f")
    link = packed({"of": "holdem", **record_of(hand), "names": ["call", "Ada"]})

    def spot(**more: Any) -> dict[str, Any]:
        answer = client.post("/api/spot", json={"h": link, "step": 7, **more})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    usual = spot()
    assert "call out of position, chart in position" in usual["said"]
    assert "utility in position" in spot(ip_model="utility")["said"]
    before = spot(oop_model="rich", ip_model="rich", preflop=True)
    assert "before the flop: rich" in before["said"]
    flop = Hand.parse("game holdem-nolimit-2p; cards |/Td9d6h; play r300c/")
    alone = client.post("/api/spot", json={"hand": flop.text(), "oop_model": "rich", "ip_model": "rich"}).json()
    for player in ("oop", "ip"):
        chart, whole = weights_of(before[player]), weights_of(alone[player])
        held = chart > 0
        assert (chart[held] / chart.max()).tolist() == pytest.approx(
            (whole[held] / whole[held].max()).tolist(), rel=1e-3
        )
        assert len(before[player]) <= 20_000
        assert client.post("/api/range", json={"range": before[player]}).status_code == 200
    assert usual["pot"] == before["pot"] == 1200
