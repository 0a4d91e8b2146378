"""What the server refuses, with what reason, and that the table lives on."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from mazzo.web.app import create_app
from mazzo.web.guard import host_allowed, origin_allowed
from mazzo.web.limits import Bucket, Limits
from mazzo.web.replays import packed, unpacked
from mazzo.web.socket import BrowserConnection
from mazzo.words.texts import catalogue
from tests.web.playing import open_table, play_hand, seated, some_action

STRANGE: dict[str, tuple[str, str]] = {
    "no JSON": ("{not json", "must be a JSON object"),
    "a list": ("[1,2]", "must be a JSON object"),
    "very deep": ("[" * 4000, "must be a JSON object"),
    "huge": (json.dumps({"do": "act", "action": "x" * 20_000}), "too long"),
    "nothing to do": ("{}", "Unknown request"),
    "unknown": (json.dumps({"do": "cheat"}), "Unknown request"),
    "no state named": (json.dumps({"do": "act", "action": "c"}), "at which state"),
    "a number as action": (json.dumps({"do": "act", "action": 7, "at": 0}), "action must be a text"),
    "another table": (json.dumps({"do": "sit", "table": "../../etc/passwd"}), "no such table"),
    "a wrong token": (json.dumps({"do": "sit", "table": "TABLE", "token": "x" * 32}), "not valid"),
    "a strange mode": (json.dumps({"do": "coach", "mode": "psychic", "adviser": "odds"}), "the coach must be"),
    "a program as adviser": (json.dumps({"do": "coach", "mode": "after", "adviser": "evil.py"}), "the adviser must be"),
}


@pytest.mark.parametrize("what", STRANGE)
def test_strange_messages_are_refused_with_a_reason_and_the_table_lives_on(client: TestClient, what: str) -> None:
    message, reason = STRANGE[what]
    with seated(client, open_table(client, "holdem", ["me", "call"])) as seat:
        state = seat.state()
        seat.socket.send_text(message.replace("TABLE", seat.table))
        assert reason in seat.until(lambda m: m["type"] == "refused")["reason"]
        seat.do(state, some_action(state))
        assert seat.until(lambda m: m["type"] == "state")["at"] > state["at"]


def test_bytes_are_refused_with_a_reason(client: TestClient) -> None:
    with seated(client, open_table(client, "holdem", ["me", "call"])) as seat:
        seat.socket.send_bytes(b"\x00\x01")
        assert "text, not bytes" in seat.until(lambda m: m["type"] == "refused")["reason"]


@pytest.mark.parametrize(("game", "action", "reason"), [
    ("holdem", "r999999", "at most"),
    ("holdem", "x", "not an action"),
    ("tressette", "Qz", "cannot read a card"),
    ("blackjack", "steal", "no play"),
])  # fmt: skip
def test_illegal_actions_are_refused_with_their_reason(client: TestClient, game: str, action: str, reason: str) -> None:
    with seated(client, open_table(client, game)) as seat:
        seat.do(seat.state(), action)
        assert reason in seat.until(lambda m: m["type"] == "refused")["reason"]


def test_out_of_turn_is_refused_with_who_is_to_act(client: TestClient) -> None:
    path = open_table(client, "holdem", ["me", "me"], name0="Anna", name1="Bruno")
    with seated(client, path) as anna:
        state = anna.until(lambda m: m["type"] == "state")
        invite = str(next(iter(state["invites"].values())))
        other = client.post(invite, data={"name": "Bruno"}, follow_redirects=False).headers["location"]
        with seated(client, other) as bruno:
            now = bruno.until(lambda m: m["type"] == "state")
            early = anna if now["view"]["turn"] == 1 else bruno
            early.do(now, "c")
            assert "is to act" in early.until(lambda m: m["type"] == "refused")["reason"]


def test_who_watches_cannot_act(client: TestClient) -> None:
    path = open_table(client, "holdem", ["me", "call"])
    with seated(client, path.rsplit("/", 1)[0]) as watcher:
        state = watcher.until(lambda m: m["type"] == "state")
        watcher.do(state, "c")
        assert "watching" in watcher.until(lambda m: m["type"] == "refused")["reason"]


def test_too_many_messages_are_refused_and_later_ones_heard_again() -> None:
    now = [0.0]
    bucket = Bucket(rate=10, burst=5, clock=lambda: now[0])
    assert [bucket.take() for _ in range(7)] == [True] * 5 + [False] * 2
    now[0] = 0.1
    assert bucket.take()


def test_a_flood_is_refused_with_a_reason(client: TestClient) -> None:
    with seated(client, open_table(client, "holdem", ["me", "call"])) as seat:
        for _ in range(80):
            seat.say(do="ping")
        assert "Too many messages" in seat.until(lambda m: m["type"] == "refused")["reason"]


def test_a_flood_does_not_keep_another_table_waiting(client: TestClient) -> None:
    quiet = open_table(client, "holdem", ["me", "call"])
    with seated(client, open_table(client, "holdem", ["me", "call"])) as loud, seated(client, quiet) as other:
        state = other.state()
        for _ in range(150):
            loud.say(do="act", action="x" * 100, at=0)
        other.do(state, some_action(state, 1))
        assert other.until(lambda m: m["type"] == "state" and m["at"] > state["at"])


def test_a_flood_that_goes_on_is_cut_off(client: TestClient) -> None:
    with seated(client, open_table(client, "holdem", ["me", "call"])) as seat:
        for _ in range(400):
            seat.say(do="nothing")
        with pytest.raises(WebSocketDisconnect):
            seat.until(lambda m: False)


def test_a_reader_who_does_not_keep_up_is_let_go_and_its_messages_with_it() -> None:
    class Table:
        def __init__(self) -> None:
            self.watchers: set[Any] = set()

    class Hub:
        limits = Limits()

    async def story() -> None:
        slow, table = BrowserConnection(None, Hub()), Table()  # type: ignore[arg-type]  # it never reads
        slow.table = table  # type: ignore[assignment]
        table.watchers.add(slow)
        for number in range(2000):
            slow.send({"type": "state", "at": number})
        assert slow not in table.watchers
        assert slow._out.qsize() <= 500
        waiting = [slow._out.get_nowait() for _ in range(slow._out.qsize())]
        assert None in waiting  # which closes the connection

    asyncio.run(story())


PATHS = [
    "../secret",
    "..%2fsecret",
    "%2e%2e/secret",
    "/etc/passwd",
    "tables/../../secret",
    "x\x00y",
    "C:\\x",
    "\u202esecret",
]


@pytest.mark.parametrize("path", PATHS)
def test_no_path_leads_out_of_the_folders(client: TestClient, tmp_path: Path, path: str) -> None:
    (tmp_path / "secret").write_text("do not read me")
    (tmp_path / "secret.jsonl").write_text("do not read me")
    asked = [
        client.get("/api/hands", params={"file": path}),
        client.get("/api/model", params={"name": path}),
        client.get(f"/lab/report/{quote(path, safe='')}"),
        client.get(f"/static/{quote(path)}"),
        client.get(f"/table/{quote(path, safe='')}"),
        client.get(f"/table/{quote(path, safe='')}/hands"),
        client.get(f"/cards/french/{quote(path, safe='')}.svg"),
        client.get(f"/cards/{quote(path, safe='')}/As.svg"),
    ]
    assert {answer.status_code for answer in asked} <= {400, 404}
    assert not any("do not read me" in answer.text for answer in asked)


@pytest.mark.parametrize("seed", ["-1", "1.5", "1e5", "0x10", "٣", "9" * 19, " 7", "7;8"])
def test_what_is_no_seed_is_refused(client: TestClient, seed: str) -> None:
    form = {"seats": "2", "seat0": "me", "name0": "A", "seat1": "call", "seed": seed}
    answer = client.post("/new/holdem", data=form)
    assert answer.status_code == 400
    assert "whole number" in answer.text


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "http://localhost.evil.example"])
def test_pages_of_other_origins_cannot_open_the_websocket(client: TestClient, origin: str) -> None:
    headers = {"host": "localhost", **({"origin": origin} if origin else {})}
    client.headers.pop("origin", None)
    with pytest.raises(WebSocketDisconnect) as closed, client.websocket_connect("/ws", headers=headers):
        pass
    assert closed.value.code == 1008
    assert "Only pages of this server" in closed.value.reason


def test_a_form_of_another_origin_opens_no_table(client: TestClient) -> None:
    assert client.post("/new/holdem", data={}, headers={"origin": "http://evil.example"}).status_code == 403


@pytest.mark.parametrize(("host", "allowed"), [
    ("localhost:8765", True), ("127.0.0.1", True), ("[::1]:80", True), ("192.168.1.7:8765", True),
    ("table.example.org", True), ("evil.example", False), ("localhost.evil.example:8765", False), ("", False),
])  # fmt: skip
def test_only_known_hosts_are_answered(host: str, allowed: bool) -> None:
    assert host_allowed(host, ["table.example.org"]) is allowed


def test_an_origin_is_ours_if_it_is_the_host() -> None:
    assert origin_allowed("http://localhost:8765", "localhost:8765")
    assert not origin_allowed("http://localhost:8766", "localhost:8765")
    assert not origin_allowed("", "")


PAGES = ["/", "/new/holdem", "/new/blackjack", "/new/tressette", "/replay", "/lab", "/lab/equity", "/lab/blackjack",
         "/lab/tressette", "/lab/match", "/lab/studies", "/lab/models", "/nothing"]  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_its_headers_and_no_script_of_its_own(client: TestClient, page: str) -> None:
    answer = client.get(page)
    assert answer.status_code == (404 if page == "/nothing" else 200)
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"
    assert "http://" not in answer.text.replace("http://www.w3.org", "")
    assert "https://" not in answer.text
    assert " style=" not in answer.text
    assert " onclick=" not in answer.text


EVIL = '<img src=x onerror="alert(1)">'


def test_a_name_with_html_is_refused_and_shown_as_text(client: TestClient) -> None:
    form = {"seats": "2", "seat0": "me", "name0": EVIL[:24], "seat1": "call"}
    answer = client.post("/new/holdem", data=form)
    assert answer.status_code == 400
    assert "<img src=x" not in answer.text
    assert "&lt;img" in answer.text


def test_a_log_with_html_in_its_names_is_shown_as_text(client: TestClient) -> None:
    record = {"of": "tressette", "names": [EVIL, "</script><script>alert(1)</script>", "c", "d"]}
    from mazzo.tressette.round import Round

    record["round"] = Round(seed=1).text()
    page = client.get("/replay/hand", params={"h": packed(record)}).text
    assert EVIL not in page
    assert "<script>alert" not in page


@pytest.mark.parametrize("agent", ["evil.py", "../evil.py", "/etc/passwd", "hero:model=/etc/passwd", "hero.mz", ""])
def test_a_seat_names_no_program_and_no_file(client: TestClient, agent: str) -> None:
    Path("evil.py").write_text("raise SystemExit('run!')")
    answer = client.post("/new/holdem", data={"seats": "2", "seat0": "me", "name0": "A", "seat1": agent})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "form",
    [
        {"seats": "99"},
        {"seats": "0"},
        {"seats": "x"},
        {"chips": "-5"},
        {"chips": "1e9"},
        {"blinds": "ten"},
        {"mode": "free"},
        {"speed": "light"},
        {"seed": "-1"},
        {"seed": "9" * 40},
        {"betting": "<b>"},
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_reason(client: TestClient, form: dict[str, str]) -> None:
    given = {"seats": "2", "seat0": "me", "name0": "A", "seat1": "call", **form}
    answer = client.post("/new/holdem", data=given)
    assert answer.status_code == 400
    assert 'class="problem"' in answer.text


def test_tables_are_bounded_and_those_nobody_looks_at_make_room(tmp_path: Path) -> None:
    limits = Limits(tables=2)
    with TestClient(create_app(tmp_path, limits), base_url="http://localhost") as client:
        first = open_table(client, "holdem", ["me", "call"])
        with seated(client, first) as seat:
            seat.state()
            second = open_table(client, "holdem", ["me", "call"])
            with seated(client, second) as other:
                other.state()
                form = {"seats": "2", "seat0": "me", "name0": "A", "seat1": "call"}
                assert "The limit of 2 tables in play is reached" in client.post("/new/holdem", data=form).text
        open_table(client, "holdem", ["me", "call"])
        with seated(client, first) as seat:
            play_hand(seat, seat.state())


def test_a_body_that_is_too_long_is_refused(client: TestClient) -> None:
    assert client.post("/api/hands", content=b"x" * 600_000).status_code == 413


@pytest.mark.parametrize("path", ["/api/hands", "/new/holdem", "/api/equity"])
def test_a_body_in_pieces_that_becomes_too_long_is_refused_as_too_long(client: TestClient, path: str) -> None:
    answer = client.post(path, content=(b"x" * 100_000 for _ in range(6)))
    assert answer.status_code == 413
    assert "Request too large" in answer.text


@pytest.mark.parametrize(
    "host", ["[::1", "[::1]x", "]", "a:b:c", "localhost:99999", "localhost:x", "x@localhost", "a/b"]
)
def test_a_host_that_is_not_well_written_is_refused(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 400
    assert client.post("/new/holdem", headers={"origin": f"http://{host}"}).status_code == 403


@pytest.mark.parametrize(
    "link",
    [
        "",
        "zzz",
        "A" * 30_000,
        packed({"of": "holdem"}),
        packed({"of": "chess"}),
        packed({"of": "blackjack", "rules": {"decks": 99}}),
    ],
)
def test_a_link_that_holds_no_hand_is_refused(client: TestClient, link: str) -> None:
    answer = client.get("/replay/hand", params={"h": link})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


def test_a_link_gives_back_what_was_put_in() -> None:
    record: dict[str, Any] = {"of": "tressette", "names": ["à", "b"]}
    assert unpacked(packed(record)) == record


def test_files_outside_the_working_directory_are_not_read(client: TestClient) -> None:
    assert client.get("/api/hands", params={"file": "../data/tables/x.jsonl"}).status_code == 400
    assert client.get("/api/model", params={"name": "../../x.mz"}).status_code == 400
    assert client.get("/lab/report/..%2Fx.html").status_code == 404


def test_a_report_is_shown_without_its_scripts(client: TestClient) -> None:
    Path("report.html").write_text("<script>alert(1)</script>")
    answer = client.get("/lab/report/report.html")
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none'")


def test_every_key_a_page_or_game_uses_has_its_words() -> None:
    root = Path(__file__).parents[2] / "src" / "mazzo"
    import re

    used: set[str] = set()
    for path in [*root.glob("web/**/*.py"), *root.glob("*/seated.py"), *root.glob("*/replay.py")]:
        used |= set(re.findall(r'"((?:holdem|tressette|blackjack|refused|table|unit|do)\.[a-z_.]+)"', path.read_text()))
    for path in [*root.glob("web/static/js/*.js"), *root.glob("web/templates/*.html")]:
        used |= set(re.findall(r'\bt\(["\']([a-z_.]+[a-z])["\']', path.read_text()))
    missing = sorted(key for key in used if key not in catalogue() and f"mazzo.{key}" not in used)
    assert not [key for key in missing if not key.endswith((".entry", ".seated"))]
