"""A player for tests: opens a table over HTTP, sits down over the websocket, answers with whatever is allowed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fastapi.testclient import TestClient

SEATS = {
    "holdem": ["me", "call", "random"],
    "blackjack": ["me", "random"],
    "tressette": ["me", "greedy", "random", "greedy"],
}


def open_table(client: TestClient, game: str, seats: list[str] | None = None, **more: str) -> str:
    """The path of the first person's seat."""
    chosen = seats or SEATS[game]
    form = {"seats": str(len(chosen)), "speed": "instant", **more}
    if chosen.count("me") < 2:
        form.setdefault("seed", "7")
    for k, who in enumerate(chosen):
        form[f"seat{k}"] = who
        form.setdefault(f"name{k}", f"Person{k}")
    answer = client.post(f"/new/{game}", data=form, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


class Seat:
    """One connection at a table."""

    def __init__(self, socket: Any, path: str) -> None:
        self.socket = socket
        self.received: list[str] = []
        self.at = -1
        _, _, self.table, *rest = path.split("/")
        self.token = rest[0] if rest else ""
        self.say(do="sit", table=self.table, token=self.token)

    def say(self, **message: Any) -> None:
        self.socket.send_text(json.dumps(message))

    def hear(self) -> dict[str, Any]:
        raw = self.socket.receive_text()
        self.received.append(raw)
        message: dict[str, Any] = json.loads(raw)
        return message

    def until(self, wanted: Any) -> dict[str, Any]:
        while True:
            message = self.hear()
            if wanted(message):
                return message

    def state(self) -> dict[str, Any]:
        """The next state in which there is something to do that was not there before."""
        done = self.at
        return self.until(
            lambda m: m["type"] == "state" and m["at"] > done and (m["view"]["choices"] or m["view"]["over"])
        )

    def do(self, state: dict[str, Any], action: str) -> None:
        self.at = state["at"]
        self.say(do="act", action=action, at=state["at"])


def some_action(state: dict[str, Any], number: int = 0) -> str:
    """Any of the actions offered."""
    choice = state["view"]["choices"][number % len(state["view"]["choices"])]
    return f"{choice['action']}{choice['amount']['low']}" if "amount" in choice else str(choice["action"])


@contextmanager
def seated(client: TestClient, path: str) -> Iterator[Seat]:
    with client.websocket_connect("/ws", headers={"origin": "http://localhost", "host": "localhost"}) as socket:
        yield Seat(socket, path)


def play_hand(seat: Seat, state: dict[str, Any]) -> dict[str, Any]:
    """Play on until the hand is over; the state then."""
    while not state["view"]["hand_over"]:
        seat.do(state, some_action(state, 1 if state["view"]["choices"][0]["action"] == "f" else 0))
        state = seat.state()
    return state
