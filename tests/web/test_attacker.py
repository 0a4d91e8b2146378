"""What somebody who means harm can send over real connections; other players notice nothing of it.

Agents and their parameters, paths and files are in `test_allowed`, strange messages and links in `test_safety`, hidden
cards in `test_hidden_cards`, seeds in `test_sealed`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.types import Receive, Scope, Send
from websockets.exceptions import ConnectionClosed

import mazzo.web.socket
from mazzo.games import entries
from mazzo.web.app import create_app
from mazzo.web.guard import Guard
from mazzo.web.limits import Limits
from mazzo.web.socket import BrowserConnection
from tests.web.real_server import SECONDS, RealServer, heard, real_server, wait_until

BOTS = ["call", "random"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    with real_server(tmp_path_factory.mktemp("data")) as found:
        yield found


def goes_on(server: RealServer) -> None:
    """A table of bots still plays, and a page is still answered."""
    with server.sitting(server.open_table("holdem", BOTS)) as browser:
        at = heard(browser, lambda m: m["type"] == "state")["at"]
        assert heard(browser, lambda m: m["type"] == "state" and m["at"] > at + 5)
    assert b" 200 " in server.answer(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())


def test_a_browser_that_never_reads_is_let_go_and_nobody_waits_for_it(
    server: RealServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = server.open_table("holdem", BOTS)
    table = server.hub.tables[path.split("/")[2]]
    gone: list[tuple[BrowserConnection, int]] = []
    close = BrowserConnection.close

    def close_and_note(connection: BrowserConnection, reason: str) -> None:
        gone.append((connection, connection._out.qsize()))
        close(connection, reason)

    monkeypatch.setattr(BrowserConnection, "close", close_and_note)
    monkeypatch.setattr(mazzo.web.socket, "_QUEUE", 1_000_000)  # a busy machine must not make the quick one slow
    with server.sitting(path) as quick:
        heard(quick, lambda m: m["type"] == "state" and m["ready"])
        monkeypatch.setattr(mazzo.web.socket, "_QUEUE", 40)
        with server.stuck_browser(path):
            while not gone:
                heard(quick, lambda m: m["type"] == "state")  # fails where the quick one waits for the slow one
            [(slow, waiting)] = gone
            assert slow._out.maxsize == waiting == 40
            wait_until(lambda: slow not in table.watchers and slow._out.qsize() <= 1, "the slow reader was kept")
            assert len(table.watchers) == 1
            heard(quick, lambda m: m["type"] == "state")
    wait_until(lambda: server.hub.connections == 0, "connections were not given back")


def test_a_flood_is_cut_off_with_the_reason(server: RealServer) -> None:
    with server.sitting(server.open_table("holdem", ["me", "call"])) as browser:

        def flood() -> None:
            for _ in range(5000):
                browser.send(json.dumps({"do": "nothing"}))
            while True:
                browser.recv(timeout=SECONDS)

        with pytest.raises(ConnectionClosed) as closed:
            flood()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
        assert closed.value.rcvd.reason
    goes_on(server)


def test_a_message_larger_than_any_may_be_ends_the_connection_and_nothing_else(server: RealServer) -> None:
    with server.browser() as browser:
        browser.send("x" * 200_000)
        with pytest.raises(ConnectionClosed):
            browser.recv(timeout=SECONDS)
    goes_on(server)


def test_requests_that_are_never_finished_keep_nobody_waiting(server: RealServer) -> None:
    begun = f"POST /new/holdem HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 100\r\n\r\nseats="
    lines = [server.raw(begun.encode()) for _ in range(30)] + [server.raw(b"GET / HT") for _ in range(30)]
    try:
        goes_on(server)
    finally:
        for line in lines:
            line.close()


def test_who_goes_away_in_the_middle_of_a_body_is_no_error(server: RealServer) -> None:
    begun = f"POST /new/holdem HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 100\r\n\r\nseats="
    ended: list[BaseException | None] = []
    answer = Guard.__call__

    async def noted(guard: Guard, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await answer(guard, scope, receive, send)
        except BaseException as error:
            ended.append(error)
            raise
        ended.append(None)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Guard, "__call__", noted)
        server.raw(begun.encode()).close()
        wait_until(lambda: bool(ended), "the request did not end")
    assert ended == [None]
    goes_on(server)


@pytest.mark.parametrize("path", ["/new/holdem", "/api/hands", "/api/equity"])
def test_a_body_in_pieces_without_an_end_is_refused_as_too_long(server: RealServer, path: str) -> None:
    piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    with server.raw(head) as line:
        with suppress(OSError):  # it may be cut off before all is sent
            for _ in range(40):
                line.sendall(piece)
        with suppress(ConnectionResetError):
            assert line.recv(65536).startswith(b"HTTP/1.1 413")
    goes_on(server)


@pytest.mark.parametrize(
    "host", ["evil.example", "[::1", "localhost:99999", "127.0.0.1.evil.example", "", "a b", "\xff"]
)
def test_a_strange_host_is_refused(server: RealServer, host: str) -> None:
    answer = server.answer(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode("latin-1"))
    assert answer.split(b" ")[1] in (b"400", b"403")


def test_bytes_that_are_no_request_are_refused(server: RealServer) -> None:
    for data in (b"\x00" * 100 + b"\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n"):
        assert server.answer(data)[9:12] in (b"400", b"")
    goes_on(server)


def test_who_looks_on_sees_no_card_that_is_not_shown_and_gets_no_secret(server: RealServer) -> None:
    path = server.open_table("holdem", ["me", "me"])
    with server.sitting(path) as anna, server.sitting(path.rsplit("/", 1)[0]) as spectator:
        invite = next(iter(heard(anna, lambda m: m["type"] == "state")["invites"].values()))
        seen = heard(spectator, lambda m: m["type"] == "state")
        assert not [card for seat in seen["view"]["seats"] for hand in seat["hands"] for card in hand["cards"] if card]
        raw = json.dumps(seen)
        assert invite.split("/")[-1] not in raw
        assert path.split("/")[3] not in raw
        spectator.send(json.dumps({"do": "act", "action": "f", "at": seen["at"]}))
        assert "watching" in heard(spectator, lambda m: m["type"] == "refused")["reason"]


GAMES = [entry.NAME for entry in entries()]
KEYS = st.sampled_from(["seats", "speed", "seed", "chips", "blinds", "mode", "bet", "hands", "rules", "decks", "target",
                        *(f"{word}{k}" for word in ("seat", "name") for k in range(3))])  # fmt: skip
VALUES = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        ["me", "call", "random", "2", "-1", "1e308", "nan", "inf", "9" * 50, "\x00", "../x", "{name}", "٣"]
    ),
)


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    limits = Limits(new_tables_per_minute=1e6, messages_per_second=1e6, burst=10**6)
    with TestClient(
        create_app(tmp_path_factory.mktemp("forms"), limits), base_url="http://localhost", raise_server_exceptions=False
    ) as client:
        client.headers.update({"host": "localhost", "origin": "http://localhost"})
        yield client


@given(game=st.sampled_from([*GAMES, "chess", ".."]), form=st.dictionaries(KEYS, VALUES, max_size=9))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_form_makes_the_server_fail(forms: TestClient, game: str, form: dict[str, str]) -> None:
    given_form = {"seats": "2", "seat0": "me", "name0": "A", "seat1": "call", **form}
    assert forms.post(f"/new/{game}", data=given_form, follow_redirects=False).status_code < 500


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
MESSAGES = st.dictionaries(
    st.sampled_from(["do", "table", "token", "action", "at", "mode", "adviser", "game", "agents", "hands", "seed"]),
    JSON | st.sampled_from(["sit", "act", "coach", "match", "ping"]),
)


@given(message=MESSAGES)
@settings(max_examples=60, deadline=None)
def test_no_message_ends_a_connection_or_the_server(forms: TestClient, message: dict[str, Any]) -> None:
    with forms.websocket_connect("/ws", headers={"origin": "http://localhost", "host": "localhost"}) as socket:
        socket.send_text(json.dumps(message))
        socket.send_text("{last")
        for _ in range(20):
            if "must be a JSON object" in socket.receive_json().get("reason", ""):
                return
    raise AssertionError("the server did not answer any more")
