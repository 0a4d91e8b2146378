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
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests_browser.sitting import QUICK, play_on

Opener = Callable[..., Page]

PATIENCE = 120_000
"""Milliseconds after which something that a test waits for will not come; a busy machine is slow, not wrong."""
WARMING = 600_000
"""The same while kernels are compiled."""
expect.set_options(timeout=PATIENCE)


class Server:
    """`mazzo serve` in a process of its own, which can be ended and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "mazzo", "serve", "--no-browser", "--no-warm", "--port", str(self.port)]
        log = self.folder / f"server-{time.monotonic_ns()}.txt"
        with log.open("w") as out:  # a file, because a pipe that nobody reads stops who writes to it
            self.process = subprocess.Popen(
                [*command, "--data", str(self.folder / "data")], cwd=self.folder, stdout=out, stderr=out
            )
        found = None
        while found is None:
            assert self.process.poll() is None, log.read_text()
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", log.read_text())
            time.sleep(0.05)
        self.port = int(found[1])
        self._wait()

    def _wait(self) -> None:
        while self.process.poll() is None:
            try:
                urlopen(self.address, timeout=60).read()
            except OSError:
                time.sleep(0.05)  # the port is bound before the server answers
            else:
                return
        raise AssertionError("the server ended before it answered")

    @property
    def running(self) -> bool:
        return self.process.poll() is None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=60)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    data = Path(__file__).parents[1] / "tests" / "data"
    shutil.copy(data / "acpc_2p_limit.log", folder / "hands.log")
    running = Server(folder)
    yield running
    if running.running:
        running.stop()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert path, "no chromium was found: apt-get install chromium, or set CHROMIUM to one"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def warm(chromium: Browser, server: Server) -> None:
    """What is compiled or built at its first use has been used: a hand of each game with its coach, the lab."""
    page = chromium.new_page(base_url=server.address)
    page.set_default_timeout(WARMING)
    for game in QUICK:
        play_on(page, game)
    page.goto("/lab/blackjack")
    page.wait_for_selector("table.bj")
    page.goto("/lab/equity")
    page.get_by_role("button", name="Calculate").click()
    page.wait_for_selector("#result .figure")
    page.goto("/lab/match")
    page.select_option("#agent0", "call")
    page.fill("#count", "200")
    page.locator("#play").click()
    page.wait_for_function("() => document.querySelector('#status').textContent.includes('Finished')")
    page.close()


@pytest.fixture
def open_page(chromium: Browser, server: Server, warm: None) -> Iterator[Opener]:
    """Opens a page in a browser profile of its own; whatever the page complains about fails the test."""
    if not server.running:  # a test that failed while it was down leaves it to the next one as it should be
        server.start()
    contexts, complaints = [], []

    def opener(path: str = "/", width: int = 1280, height: int = 860, **options: Any) -> Page:
        context = chromium.new_context(
            viewport={"width": width, "height": height}, base_url=server.address, reduced_motion="reduce", **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
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
