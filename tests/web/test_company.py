"""People at one table: presence, ready, the clock with its bank, sitting out, who has left, spectators, rematches."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from mazzo.errors import IllegalError, UnreadableError
from mazzo.holdem.seated import HoldemTable
from mazzo.seated import NEXT
from mazzo.web.app import create_app
from mazzo.web.company import BANK, Company, Manners
from mazzo.web.limits import Limits
from tests.web.playing import Seat, open_table, play_hand, seated


@dataclass
class Clock:
    """Time that only passes when it is told to."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


def company(clock: Clock, **manners: Any) -> tuple[Company, HoldemTable]:
    game = HoldemTable(["me:Anna", "me:Bruno"], {}, 5)
    found = Company(lambda: game, (0, 1), Manners(**manners), grace=45, clock=clock)
    found.begin(0)
    found.meet({0, 1})
    found.note(0)
    return found, game


def test_the_bank_is_used_after_the_time_for_a_decision_and_then_the_hand_is_given_up() -> None:
    clock = Clock()
    friends, game = company(clock, think=15)
    seat = game.seat
    assert seat is not None
    clock.now += 14
    assert not friends.moves(False)
    clock.now += 21
    assert friends.shown(seat)["clock"] == {"seat": seat, "think": 15, "left": 0.0, "bank": BANK - 20}
    friends.acted(seat)
    assert friends.bank(seat) == BANK - 20
    clock.now += BANK
    assert friends.moves(False)
    assert friends.stand_in() == "f"
    assert seat in friends.out


def test_somebody_who_left_gives_up_this_hand_and_a_bot_plays_the_next() -> None:
    clock = Clock()
    friends, game = company(clock)
    seat = game.seat
    assert seat is not None
    friends.meet({1 - seat})
    clock.now += 44
    assert not friends.moves(False)
    assert friends.wait() == pytest.approx(1)
    clock.now += 1
    assert friends.moves(False)
    assert friends.stand_in() == "f"
    game.act("f")
    game.act(NEXT)
    while game.seat != seat:
        game.act("c")
    assert friends.stand_in() is None
    friends.meet({0, 1})
    assert not friends.moves(False)


def test_who_sits_out_passes_until_coming_back() -> None:
    friends, game = company(Clock())
    seat = game.seat
    assert seat is not None
    friends.sit_out(seat, True)
    assert friends.moves(False)
    assert friends.stand_in() == "f"
    friends.sit_out(seat, False)
    assert not friends.moves(False)


def test_the_next_hand_is_dealt_by_itself_after_the_pause() -> None:
    clock = Clock()
    friends, game = company(clock)
    game.act("f")
    friends.note(1)
    assert friends.wait() is None
    friends.set_pause(4)
    clock.now += 3.9
    assert not friends.moves(False)
    clock.now += 0.2
    assert friends.moves(False)
    with pytest.raises(UnreadableError):
        friends.set_pause(3)


@pytest.mark.parametrize("game", ["holdem", "blackjack", "tressette"])
def test_nobody_has_cards_before_everybody_is_ready(client: TestClient, game: str) -> None:
    seats = {"holdem": ["me", "me"], "blackjack": ["me", "me"], "tressette": ["me", "greedy", "me", "greedy"]}[game]
    path = open_table(client, game, seats, wait="on")
    with seated(client, path) as anna:
        first = anna.until(lambda m: m["type"] == "state")
        anna.say(do="coach", mode="before", adviser=ADVISERS[game])
        invite = next(iter(first["invites"].values()))
        joined = client.post(invite, data={"name": "Bruno"}, follow_redirects=False)
        with seated(client, joined.headers["location"]) as bruno:
            waiting = bruno.until(lambda m: m["type"] == "state")
            for state in (first, waiting):
                assert [seat["hands"] for seat in state["view"]["seats"]] == [[]] * len(state["view"]["seats"])
                assert not any("chips" in seat or "bet" in seat for seat in state["view"]["seats"])
                assert (state["view"]["choices"], state["view"]["turn"]) == ([], None)
            assert not any("1:" in line for line in first["said"])
            anna.say(do="ready")
            bruno.say(do="ready")
            dealt = anna.until(lambda m: m["type"] == "state" and m["company"]["started"])
            assert any(seat["hands"] for seat in dealt["view"]["seats"])
            assert len(dealt["said"]) > 0
    heard = [message for message in map(json.loads, anna.received) if message["type"] == "coach"]
    assert not heard  # nobody was advised about cards that were not dealt


ADVISERS = {"holdem": "odds", "blackjack": "count", "tressette": "decision-improved"}


def test_only_who_opened_the_table_starts_without_the_others() -> None:
    friends, _ = company(Clock(), wait=True)
    assert not friends.started
    with pytest.raises(IllegalError):
        friends.start_anyway(1)
    friends.meet({0})
    friends.start_anyway(0)
    assert friends.started
    assert friends.has_left(1)


@pytest.mark.parametrize(
    "given", [{"think": "7"}, {"think": "x"}, {"watch": "everything"}, {"watch": "open"}, {"played": "x"}]
)
def test_manners_that_cannot_be_chosen_are_refused(given: dict[str, str]) -> None:
    with pytest.raises(UnreadableError):
        Manners.of(given, [0])


def _two(client: TestClient, stack: ExitStack, **more: str) -> tuple[Seat, Seat]:
    anna = stack.enter_context(seated(client, open_table(client, "holdem", ["me", "me"], seed="", **more)))
    first = anna.until(lambda m: m["type"] == "state")
    invite = str(next(iter(first["invites"].values())))
    path = client.post(invite, data={"name": "Bruno"}, follow_redirects=False).headers["location"]
    return anna, stack.enter_context(seated(client, path))


def test_the_first_hand_waits_until_everybody_is_ready(client: TestClient) -> None:
    with ExitStack() as stack:
        anna, bruno = _two(client, stack, wait="on")
        anna.until(lambda m: m["type"] == "state" and len([p for p in m["company"]["people"] if p["here"]]) == 2)
        for seat in (anna, bruno):
            seat.say(do="act", action="c", at=0)
            assert "everybody is ready" in seat.until(lambda m: m["type"] == "refused")["reason"]
            seat.say(do="ready", value=True)
        dealt = anna.until(lambda m: m["type"] == "state" and m["company"]["started"])
        to_act = (anna, bruno)[dealt["view"]["turn"]]  # the button falls to either of the two
        to_act.say(do="act", action="c", at=0)
        assert anna.until(lambda m: m["type"] == "state" and m["at"] == 1)


def test_presence_is_seen_and_a_bot_plays_on_for_who_has_left(tmp_path: Path) -> None:
    limits = Limits(grace_seconds=0.05)
    with TestClient(create_app(tmp_path, limits), base_url="http://localhost") as client, ExitStack() as stack:
        anna, bruno = _two(client, stack)
        anna.until(lambda m: m["type"] == "state" and all(p["here"] for p in m["company"]["people"]))
        bruno.socket.close()
        anna.until(lambda m: m["type"] == "state" and not m["company"]["people"][1]["here"])
        for _ in range(3):  # hands: the first Bruno gives up, in the next ones a bot plays
            anna.do(play_hand(anna, _now(anna)), "next")
        left = anna.until(lambda m: m["type"] == "state" and m["number"] >= 4)
        assert left["company"]["people"][1]["away"] == "left"


def test_spectators_see_all_cards_only_after_the_hand(client: TestClient) -> None:
    path = open_table(client, "holdem", ["me", "call"], watch="after")  # a hand that is not over before somebody acts
    with seated(client, path) as anna, seated(client, path.rsplit("/", 1)[0]) as guest:
        watched = guest.until(lambda m: m["type"] == "state")
        assert all(c is None for s in watched["view"]["seats"] for h in s["hands"] for c in h["cards"])
        play_hand(anna, _now(anna))
        seen = guest.until(lambda m: m["type"] == "state" and m["view"]["hand_over"])
        assert all(len(h["cards"]) == 2 and None not in h["cards"] for s in seen["view"]["seats"] for h in s["hands"])


def _now(seat: Seat) -> dict[str, Any]:
    """The state as it is, asked for again."""
    seat.at = -1
    seat.say(do="sit", table=seat.table, token=seat.token)
    return seat.state()


def test_a_finished_game_is_played_again_by_the_same_people_with_their_score(client: TestClient) -> None:
    path = open_table(client, "holdem", ["me", "fold"], mode="tournament", chips="20", blinds="10/20", hand_limit="1")
    with seated(client, path) as seat:
        over = play_hand(seat, seat.state())
        seat.do(over, "next")
        done = seat.until(lambda m: m["type"] == "state" and m["view"]["over"])
        assert done["company"]["score"]["played"] == 1
        assert sum(done["company"]["score"]["won"].values()) == 1
        seat.say(do="rematch", value=True)
        moved = seat.until(lambda m: m["type"] == "moved")["path"]
    assert client.get(moved).status_code == 200
    with seated(client, moved) as seat:
        again = seat.until(lambda m: m["type"] == "state")
        assert again["view"]["seats"][0]["kind"] == "you"
        assert again["company"]["score"] == done["company"]["score"]


def test_an_adapting_bot_tells_its_thresholds_and_no_card(client: TestClient) -> None:
    with seated(client, open_table(client, "holdem", ["me", "utility"])) as seat:
        seat.state()
        seat.say(do="bot", seat=1)
        told = seat.until(lambda m: m["type"] == "bot")
        assert 0 < told["learned"]["fold"] < told["learned"]["raise"] < 1
        seat.say(do="bot", seat=0)
        assert "no agent in that seat" in seat.until(lambda m: m["type"] == "refused")["reason"]


def test_pages_and_tables_speak_italian_to_who_wants_it(client: TestClient) -> None:
    italian = {"accept-language": "it-IT,it;q=0.9"}
    page = client.get("/", headers=italian)
    assert '<html lang="it">' in page.text
    assert "Nuovo tavolo" in page.text
    chosen = client.post("/language/it", data={"back": "//evil.example"}, follow_redirects=False)
    assert chosen.headers["location"] == "/"
    assert '<html lang="it">' in client.get("/").text
    with seated(client, open_table(client, "holdem", ["me", "call"])) as seat:
        assert seat.state()["view"]["choices"][0]["label"] in ("Check", "Vedi 5", "Passa")
