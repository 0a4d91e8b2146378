"""Tables over HTTP and the websocket: play, come back, restart, invite, be advised."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from mazzo.web.app import create_app
from tests.web.playing import Seat, open_table, play_hand, seated, some_action

GAMES = ("holdem", "blackjack", "tressette")


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_of_every_game_is_played_to_its_end_and_the_next_is_dealt(client: TestClient, game: str) -> None:
    with seated(client, open_table(client, game)) as seat:
        over = play_hand(seat, seat.state())
        assert over["view"]["choices"][0]["action"] == "next"
        seat.do(over, "next")
        assert not seat.until(lambda m: m["type"] == "state" and m["at"] > over["at"])["view"]["over"]


def _public(message: dict[str, Any]) -> dict[str, Any]:
    return {"at": message["at"], "view": message["view"]}


@pytest.mark.parametrize("game", GAMES)
def test_a_reload_shows_the_same_moment(client: TestClient, game: str) -> None:
    path = open_table(client, game)
    with seated(client, path) as seat:
        before = seat.state()
    with seated(client, path) as seat:
        assert _public(seat.state()) == _public(before)


@pytest.mark.parametrize("game", GAMES)
def test_a_restarted_server_goes_on_in_the_middle_of_a_hand(tmp_path: Path, game: str) -> None:
    def server() -> TestClient:
        return TestClient(create_app(tmp_path), base_url="http://localhost")

    with server() as client:
        path = open_table(client, game)
        with seated(client, path) as seat:
            state = seat.state()
            seat.do(state, some_action(state))
            before = seat.state()
    with server() as client, seated(client, path) as seat:
        again = seat.state()
        assert _public(again) == _public(before)
        play_hand(seat, again)


def test_an_action_cut_short_on_disk_is_as_if_it_had_not_been(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path), base_url="http://localhost") as client:
        path = open_table(client, "blackjack", ["me"])
        with seated(client, path) as seat:
            before = seat.state()
    file = next((tmp_path / "tables").glob("*.jsonl"))
    with file.open("ab") as out:
        out.write(b'{"a": "st')
    with TestClient(create_app(tmp_path), base_url="http://localhost") as client, seated(client, path) as seat:
        assert _public(seat.state()) == _public(before)


def _invite(message: dict[str, Any]) -> str:
    return str(next(iter(message["invites"].values())))


def test_two_people_at_one_table_each_see_their_own_cards_only(client: TestClient) -> None:
    path = open_table(client, "holdem", ["me", "me"], name0="Anna", name1="Guest")
    with seated(client, path) as anna:
        first = anna.until(lambda m: m["type"] == "state")
        invite = _invite(first)
        answer = client.post(invite, data={"name": "Bruno"}, follow_redirects=False)
        with seated(client, answer.headers["location"]) as bruno:
            theirs = bruno.until(lambda m: m["type"] == "state")
            assert [s["name"] for s in theirs["view"]["seats"]] == ["Anna", "Bruno"]
            assert None not in theirs["view"]["seats"][1]["hands"][0]["cards"]
            assert theirs["view"]["seats"][0]["hands"][0]["cards"] == [None, None]
            assert first["view"]["seats"][1]["hands"][0]["cards"] == [None, None]


def test_an_invitation_is_good_once(client: TestClient) -> None:
    path = open_table(client, "holdem", ["me", "me"])
    with seated(client, path) as anna:
        invite = _invite(anna.until(lambda m: m["type"] == "state"))
    assert client.get(invite).status_code == 200
    assert client.post(invite, data={"name": "Bruno"}, follow_redirects=False).status_code == 303
    assert client.post(invite, data={"name": "Carla"}, follow_redirects=False).status_code == 400
    assert client.get(invite).status_code == 404


def test_invitations_are_shown_to_who_opened_the_table_only(client: TestClient) -> None:
    path = open_table(client, "holdem", ["me", "me", "me"])
    with seated(client, path.rsplit("/", 1)[0]) as watcher:
        assert "invites" not in watcher.until(lambda m: m["type"] == "state")


def test_agents_alone_play_on_while_somebody_watches(client: TestClient) -> None:
    with seated(client, open_table(client, "holdem", ["call", "random"])) as seat:
        number = seat.until(lambda m: m["type"] == "state" and m["at"] > 60)
        assert number["view"]["you"] is None


@pytest.mark.parametrize(("game", "adviser"), [("blackjack", "count"), ("tressette", "decision"), ("holdem", "odds")])
def test_the_coach_says_after_a_play_what_it_cost_and_adds_it_up(client: TestClient, game: str, adviser: str) -> None:
    with seated(client, open_table(client, game, seed="3")) as seat:
        seat.say(do="coach", mode="after", adviser=adviser)
        state = seat.state()
        seat.do(state, some_action(state))
        advice = seat.until(lambda m: m["type"] == "coach")
        values = [option["value"] for option in advice["options"]]
        assert advice["when"] == "after"
        assert advice["reason"]
        assert 0 <= advice["cost"] <= max(values) - min(values) + 1e-9
        assert advice["total"]["decisions"] == 1
        assert advice["total"]["cost"] == pytest.approx(advice["cost"], abs=1e-5)


def test_a_forced_move_is_no_decision(client: TestClient) -> None:
    with seated(client, open_table(client, "tressette", seed="3")) as seat:
        seat.say(do="coach", mode="after", adviser="decision")
        play_hand(seat, seat.state())
        forced: set[int] = set()
        free: set[int] = set()
        for raw in seat.received:
            message = json.loads(raw)
            view = message.get("view")
            if view and view["turn"] == view["you"] and not view["hand_over"]:
                cards = [c for c in view["choices"] if "card" in c]
                (forced if len(cards) == 1 else free).add(message["at"])
        assert forced
        judged = [json.loads(raw) for raw in seat.received if '"when": "after"' in raw]
        while len(judged) < len(free):
            judged.append(seat.until(lambda m: m["type"] == "coach"))
        assert judged[-1]["total"]["decisions"] == len(free)
        assert not any("only legal" in advice["reason"] for advice in judged)


def test_the_coach_of_blackjack_gives_the_exact_values(client: TestClient) -> None:
    from mazzo.blackjack.exact.analysis import analyse
    from mazzo.blackjack.rules import PRESETS
    from mazzo.blackjack.shoe import parse_cards

    with seated(client, open_table(client, "blackjack", ["me"], insurance="false", even_money="none")) as seat:
        seat.say(do="coach", mode="before", adviser="count")
        state = seat.state()
        advice = seat.until(lambda m: m["type"] == "coach")
        you, house = state["view"]["seats"]
        ranks = parse_cards(",".join(card[:-1] for card in you["hands"][0]["cards"]))
        up = parse_cards(house["hands"][0]["cards"][0][:-1])[0]
        exact = analyse(PRESETS["strip"]).plays(ranks, up)
        shown = {option["action"]: option["value"] for option in advice["options"]}
        assert shown == pytest.approx({play: exact[play] for play in shown}, abs=1e-12)


def test_the_running_total_survives_a_restart(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path), base_url="http://localhost") as client:
        path = open_table(client, "blackjack", ["me"], seed="3")
        with seated(client, path) as seat:
            seat.say(do="coach", mode="after", adviser="count")
            state = seat.state()
            seat.do(state, some_action(state))
            total = seat.until(lambda m: m["type"] == "coach")["total"]
    with TestClient(create_app(tmp_path), base_url="http://localhost") as client, seated(client, path) as seat:
        assert seat.until(lambda m: m["type"] == "state")["total"] == total


@pytest.mark.parametrize("game", GAMES)
def test_the_last_hand_can_be_replayed_from_its_link_alone(client: TestClient, game: str, tmp_path: Path) -> None:
    path = open_table(client, game, ["me", *["call"] * 1] if game == "holdem" else None)
    with seated(client, path) as seat:
        over = play_hand(seat, seat.state())
    link = client.get(f"{path}/last", follow_redirects=False).headers["location"]
    with TestClient(create_app(tmp_path / "elsewhere"), base_url="http://localhost") as other:
        page = other.get(link)
        assert page.status_code == 200
        data = json.loads(page.text.split('id="hand" type="application/json">')[1].split("</script>")[0])
    last = data["frames"][-1]["view"]
    assert last["hand_over"]
    mine = next(s for s in over["view"]["seats"] if s["kind"] == "you")
    assert mine["name"] in [s["name"] for s in last["seats"]]


def test_hands_saved_at_a_table_are_read_by_the_replay(client: TestClient) -> None:
    path = open_table(client, "tressette")
    with seated(client, path) as seat:
        play_hand(seat, seat.state())
    saved = client.get(f"{path}/hands").text
    found = client.post("/api/hands", content=saved).json()
    assert len(found["hands"]) == 1


def test_a_log_in_the_working_directory_is_listed_and_replayed_with_advice(client: TestClient) -> None:
    log = Path(__file__).parents[1] / "data" / "acpc_2p_limit.log"
    Path("some.log").write_bytes(log.read_bytes())
    assert "some.log" in client.get("/replay").text
    found = client.get("/api/hands", params={"file": "some.log"}).json()
    link = found["hands"][0]["link"]
    assert client.get("/replay/hand", params={"h": link}).status_code == 200
    advice = client.get("/api/advice", params={"h": link, "step": 0, "adviser": "odds"}).json()
    assert advice["played"]
    assert advice["options"]


def test_several_hands_and_boxes_are_dealt_at_blackjack(client: TestClient) -> None:
    with seated(client, open_table(client, "blackjack", ["me", "chart"], hands="2")) as seat:
        seats = seat.until(lambda m: m["type"] == "state")["view"]["seats"]
        assert [len(s["hands"]) for s in seats] == [2, 2, 1]


def test_a_tournament_ends_and_says_so(client: TestClient) -> None:
    with seated(client, open_table(client, "holdem", ["raise", "raise"], mode="tournament", chips="20")) as seat:
        assert seat.until(lambda m: m["type"] == "state" and m["view"]["over"])["view"]["choices"] == []


def make_seat_act_twice(seat: Seat) -> list[dict[str, Any]]:
    state = seat.state()
    seat.do(state, some_action(state))
    seat.do(state, some_action(state))
    return [seat.until(lambda m: m["type"] == "refused")]


def test_a_double_click_plays_once(client: TestClient) -> None:
    with seated(client, open_table(client, "tressette")) as seat:
        assert "moved on" in make_seat_act_twice(seat)[0]["reason"]


def test_many_tables_of_agents_play_on_side_by_side(client: TestClient) -> None:
    paths = [open_table(client, "holdem", ["call", "random"], seed=str(k)) for k in range(12)]
    with ExitStack() as stack:
        watchers = [stack.enter_context(seated(client, path)) for path in paths]
        for _ in range(2):
            for watcher in watchers:
                seen = watcher.at
                watcher.at = watcher.until(lambda m, seen=seen: m["type"] == "state" and m["at"] > seen + 10)["at"]
