"""What the page says while a table is made ready, and where a part of Mazzo is not installed."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from mazzo import jit


def test_a_page_can_ask_which_kernels_are_being_compiled(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get("/api/preparing").json() == {"preparing": []}
    monkeypatch.setattr(jit, "_prepared", ["apply_actions", "settle"])
    assert client.get("/api/preparing").json() == {"preparing": ["apply_actions", "settle"]}


def missing(name: str) -> Any:
    def fail() -> None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    return fail


def test_a_page_whose_part_is_missing_says_the_line_that_installs_it(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mazzo.web.app.entries", missing("sklearn.tree"))
    page = client.get("/")
    assert page.status_code == 400
    assert "pip install &#39;mazzo[learn]&#39;" in page.text


def test_another_module_that_is_missing_is_a_fault(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mazzo.web.app.entries", missing("mazzo.nothing"))
    with pytest.raises(ModuleNotFoundError, match=r"mazzo\.nothing"):
        client.get("/")
