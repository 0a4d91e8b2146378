"""A server of our own and Debian's chromium for every test."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

Opener = Callable[..., Page]


class Server:
    """`mazzo serve` in a process of its own, which can be ended and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "mazzo", "serve", "--no-browser", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--data", str(self.folder / "data")], cwd=self.folder, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, line + self.process.stderr.read()
        self.port = int(found[1])
        self._wait()

    def _wait(self) -> None:
        for _ in range(200):
            try:
                urlopen(self.address, timeout=5).read()
            except OSError:
                time.sleep(0.05)  # the port is bound before the server answers
            else:
                return
        raise AssertionError("the server does not answer")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=20)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    data = Path(__file__).parents[1] / "tests" / "data"
    shutil.copy(data / "acpc_2p_limit.log", folder / "hands.log")
    running = Server(folder)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert path, "no chromium was found: apt-get install chromium, or set CHROMIUM to one"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser, server: Server) -> Iterator[Opener]:
    """Opens a page in a browser profile of its own; whatever the page complains about fails the test."""
    contexts, complaints = [], []

    def opener(path: str = "/", width: int = 1280, height: int = 860, **options: Any) -> Page:
        context = chromium.new_context(
            viewport={"width": width, "height": height}, base_url=server.address, reduced_motion="reduce", **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console", lambda m: complaints.append(m.text) if m.type == "error" and "WebSocket" not in m.text else 0
        )
        page.goto(path)
        return page

    yield opener
    for context in contexts:
        context.close()
    assert not complaints
