"""Take the pictures of every page, light, dark and at phone width: `make screenshots`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images" / "table"
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 820}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 820}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
}


def at_table(game: str, seats: int, coach: str, plays: int, seed: int) -> Callable[[Page], None]:
    """Sit down and play a little."""

    def arrange(page: Page) -> None:
        page.goto(f"/new/{game}")
        if page.locator("#count").get_attribute("type") == "number":
            page.fill("#count", str(seats))
        page.select_option("#speed", "instant")
        page.locator("summary").first.click()
        page.fill("#seed", str(seed))
        page.get_by_role("button", name="Open the table").click()
        busy = "#actions button:not(:disabled), .pick:not(:disabled)"
        page.wait_for_selector(busy, timeout=120_000)
        page.select_option("#mode", coach)
        for _ in range(plays):
            page.wait_for_selector(busy)
            if page.locator("[data-key=next]").count():
                break
            calls = page.locator("[data-key=c], [data-key=hit], [data-key=leave], [data-key=play]")
            (calls if calls.count() else page.locator(".pick:not(:disabled)")).first.click()
            page.wait_for_timeout(500)
        page.wait_for_selector("#advice strong", timeout=120_000)
        page.wait_for_timeout(800)

    return arrange


def plain(path: str, wait: str = "h1") -> Callable[[Page], None]:
    """A page as it opens."""

    def arrange(page: Page) -> None:
        page.goto(path)
        page.wait_for_selector(wait, timeout=120_000)

    return arrange


def equity(page: Page) -> None:
    """A hand against a range."""
    page.goto("/lab/equity")
    page.fill("#board", "Qs7s2d")
    for hand in ("AA", "KK", "QQ", "JJ", "TT", "AKs", "AQs", "AKo", "AQo", "KQs"):
        page.locator(f"[data-hand={hand}]").click()
    page.get_by_role("button", name="Count").click()
    page.wait_for_selector("#result .figure")


def match(page: Page) -> None:
    """A match that is over."""
    page.goto("/lab/match")
    page.fill("#count", "40000")
    page.select_option("#agent0", "call")
    page.locator("#play").click()
    page.wait_for_selector("text=Finished", timeout=120_000)


def replay(page: Page) -> None:
    """A hand of a log with the coach."""
    page.goto("/replay")
    page.locator("[data-file]").first.click()
    page.get_by_role("link", name="Hand 3", exact=True).click()
    page.wait_for_selector("#advice strong", timeout=120_000)
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector("#advice strong", timeout=120_000)


def model(page: Page) -> None:
    """A tree of a small model."""
    page.goto("/lab/models")
    if page.locator("#tree button").count():
        page.locator("#tree button").click()
        page.wait_for_selector(".treeview")


SHOTS: dict[str, Callable[[Page], None]] = {
    "lobby": plain("/"),
    "new": plain("/new/holdem"),
    "holdem": at_table("holdem", 6, "after", 2, 23),
    "tressette": at_table("tressette", 4, "before", 5, 7),
    "blackjack": at_table("blackjack", 3, "before", 0, 7),
    "replay": replay,
    "equity": equity,
    "chart": plain("/lab/blackjack", "table.bj"),
    "match": match,
    "studies": plain("/lab/studies"),
    "models": model,
}


def main() -> None:
    """Start a server with something to show, and go round."""
    only = sys.argv[1:]
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        shutil.copy(ROOT / "tests" / "data" / "acpc_2p_limit.log", Path(folder) / "hands.log")
        mazzo = [sys.executable, "-m", "mazzo"]
        generate = [*mazzo, "generate", "holdem-limit-2p", "random", "random", "--hands", "400", "-o", "r.log"]
        learn = [*mazzo, "learn", "r.log", "-o", "hero.mz", "--regressor", "boosted"]
        for command in (generate, learn):
            subprocess.run([*command, "--quiet"], cwd=folder, check=True)
        server = subprocess.Popen(
            [*mazzo, "serve", "--no-browser", "--port", "0", "--data", f"{folder}/data"],
            cwd=folder, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert server.stderr is not None
        address = server.stderr.readline().split()[3].rstrip("/")
        path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            for name, arrange in SHOTS.items():
                for look, options in LOOKS.items():
                    if only and name not in only:
                        continue
                    page = browser.new_context(base_url=address, reduced_motion="reduce", **options).new_page()
                    arrange(page)
                    page.screenshot(path=IMAGES / f"{name}-{look}.png", full_page=look == "phone")
                    page.context.close()
        finally:
            browser.close()
            server.terminate()
            server.communicate(timeout=20)


if __name__ == "__main__":
    main()
