"""Where guests find the server: addresses of invitations, and names it answers to."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from mazzo.web import addresses
from mazzo.web.app import create_app
from tests.web.playing import open_table


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Kitchen")
    monkeypatch.setattr(socket, "getfqdn", lambda: "kitchen.example.net")
    monkeypatch.setattr(addresses, "_of_interfaces", lambda: ["127.0.0.1", "192.168.1.7", "10.0.0.3"])
    monkeypatch.setattr(addresses, "_of_names", lambda: ["127.0.1.1", "192.168.1.7", "2001:db8:1::5", "fe80::1"])
    monkeypatch.setattr(addresses, "_towards", lambda other, family: ["10.0.0.3"] if family == socket.AF_INET else [])


def test_a_server_of_this_machine_alone_is_reached_by_nobody_else() -> None:
    assert addresses.reached_at("127.0.0.1", 8765) == []
    assert addresses.reached_at("::1", 8765, ["table.example.org"]) == []
    assert addresses.reached_at("localhost", 8765) == []


def test_every_interface_and_every_name_is_an_address_but_those_nobody_else_reaches() -> None:
    assert addresses.reached_at("0.0.0.0", 80, ["table.example.org"]) == [
        "http://table.example.org:80",
        "http://192.168.1.7:80",
        "http://10.0.0.3:80",
        "http://kitchen:80",
        "http://kitchen.example.net:80",
        "http://kitchen.local:80",
    ]
    assert "http://[2001:db8:1::5]:80" in addresses.reached_at("::", 80)
    assert addresses.reached_at("10.0.0.3", 80)[0] == "http://10.0.0.3:80"
    assert "http://192.168.1.7:80" not in addresses.reached_at("10.0.0.3", 80)


def test_the_machines_own_names_are_answered_and_names_of_others_refused(tmp_path: Path) -> None:
    app = create_app(tmp_path, names=addresses.own_names())
    with TestClient(app, base_url="http://localhost") as client:
        for host in ("kitchen:8765", "KITCHEN", "kitchen.example.net", "kitchen.local.", "192.168.1.7:8765"):
            assert client.get("/", headers={"host": host}).status_code == 200
        for host in ("evil.example", "kitchen.evil.example", "kitchen.example.net.evil.example"):
            assert client.get("/", headers={"host": host}).status_code == 403
        form = client.post("/new/holdem", headers={"host": "kitchen", "origin": "http://evil.example"})
        assert form.status_code == 403


def test_who_opened_a_table_is_told_every_address_for_the_invitations_and_nobody_else_is(tmp_path: Path) -> None:
    reached = addresses.reached_at("0.0.0.0", 8765)
    with TestClient(create_app(tmp_path, addresses=reached), base_url="http://localhost") as client:
        path = open_table(client, "holdem", ["me", "me"])
        page = client.get(path).text
        assert f'data-addresses="{" ".join(reached)}"' in page
        assert "data-addresses" not in client.get(path.rsplit("/", 1)[0]).text


def test_the_real_machine_has_addresses_and_names_that_are_well_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for address in addresses.reached_at("0.0.0.0", 8765):
        assert address.startswith("http://")
        assert not address.startswith(("http://127.", "http://localhost", "http://0.0.0.0"))
