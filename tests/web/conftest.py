from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from mazzo.web.app import create_app

HOST = {"host": "localhost", "origin": "http://localhost"}


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    with TestClient(create_app(tmp_path / "data"), base_url="http://localhost") as browser:
        browser.headers.update(HOST)
        yield browser
