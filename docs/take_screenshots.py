"""Take the pictures of every page, light, dark and at phone width: `make screenshots`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images" / "table"
DESK = {"viewport": {"width": 1280, "height": 820}}
PHONE = {"viewport": {"width": 390, "height": 844}}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {**DESK, "color_scheme": "light"},
    "dark": {**DESK, "color_scheme": "dark"},
    "phone": {**PHONE, "color_scheme": "light"},
}
ZOOMED = {"viewport": {"width": 640, "height": 430}}
"""A window of 1280 by 860 at 200 %."""
BUSY = "#actions button:not(:disabled), .pick:not(:disabled)"


def sit(page: Page, game: str, agents: tuple[str, ...], seed: int) -> None:
    """Sit down with these agents."""
    page.goto(f"/new/{game}")
    if page.locator("#count").get_attribute("type") == "number":
        page.fill("#count", str(1 + len(agents)))
    for k, agent in enumerate(agents, 1):
        page.select_option(f"#seat{k}", agent)
    page.select_option("#speed", "instant")
    page.locator("#more").click()
    page.fill("#seed", str(seed))
    page.locator("#new button[type=submit]").click()
    page.wait_for_selector(BUSY)


def play(page: Page, until: str, most: int = 40) -> None:
    """Call, check, hit or play the first card until something is seen or the hand is over."""
    for _ in range(most):
        page.wait_for_selector(BUSY)
        if page.locator(until).count() or page.locator("[data-key=next]").count():
            return
        at = page.locator("#table").get_attribute("data-at")
        calls = page.locator("[data-key=c], [data-key=hit], [data-key=leave], [data-key=play]")
        (calls if calls.count() else page.locator(".pick:not(:disabled)")).first.click()
        page.wait_for_function("at => document.querySelector('#table').dataset.at !== at", arg=at)


def at_table(game: str, agents: tuple[str, ...], seed: int, coach: str = "", until: str = "") -> Callable[[Page], None]:
    """A table as it stands when something is seen; with advice before each play or without."""

    def arrange(page: Page) -> None:
        sit(page, game, agents, seed)
        if coach:
            page.select_option("#mode", coach)
        play(page, until or BUSY)
        if coach == "before" and not page.locator("[data-key=next]").count():
            page.wait_for_selector("#advice strong")

    return arrange


def river_bet(page: Page) -> None:
    """The river, a bet about to be made."""
    sit(page, "holdem", SIX, 11)
    play(page, ".board img:nth-of-type(5)")
    page.fill("#amount", "135")


def before_the_deal(page: Page) -> None:
    """A table of two people of whom one is ready."""
    page.goto("/new/holdem")
    page.fill("#count", "3")
    page.select_option("#seat1", "me")
    page.select_option("#seat2", "utility")
    page.locator("#new button[type=submit]").click()
    page.locator("[data-key=ready]").click()
    page.wait_for_selector("[data-key=ready]", state="detached")


def solved(page: Page) -> None:
    """A spot with its mix, and a lock about to be made."""
    page.goto("/lab/solve")
    page.locator("#go").click()
    page.wait_for_selector("#figures table")
    page.get_by_text("Lock this decision").click()
    page.locator(".mixbar .edge").first.focus()
    page.keyboard.press("PageDown")
    page.locator("#place").scroll_into_view_if_needed()
    page.evaluate("() => document.querySelector('#place').scrollIntoView()")


def steps(page: Page) -> None:
    """A table of agents after a few moves, one by one."""
    page.goto("/new/holdem")
    for k, agent in enumerate(("rich", "utility", "reader")):
        page.select_option(f"#seat{k}", agent)
    page.select_option("#speed", "step")
    page.locator("#more").click()
    page.fill("#seed", "11")
    page.locator("#new button[type=submit]").click()
    for done in range(4):
        page.wait_for_function("n => Number(document.querySelector('#table').dataset.at) === n", arg=done)
        page.locator("[data-key=step]:not(:disabled)").click()
    page.wait_for_selector("#why .why")


def parameters(page: Page) -> None:
    """The form of an agent's parameters."""
    page.goto("/new/holdem")
    page.fill("#count", "2")
    page.select_option("#seat1", "utility")
    page.locator("[data-parameters='1'] summary").click()


def plain(path: str, wait: str = "h1") -> Callable[[Page], None]:
    """A page as it opens."""

    def arrange(page: Page) -> None:
        page.goto(path)
        page.wait_for_selector(wait)

    return arrange


def equity(page: Page) -> None:
    """A hand against a range."""
    page.goto("/lab/equity")
    page.fill("#board", "Qs7s2d")
    for hand in ("AA", "KK", "QQ", "JJ", "TT", "AKs", "AQs", "AKo", "AQo", "KQs"):
        page.locator(f"[data-hand={hand}]").click()
    page.get_by_role("button", name="Calculate").click()
    page.wait_for_selector("#result .figure")


def train(page: Page) -> None:
    """A round of a counter's practice: three boxes, a play marked, the count asked for."""
    page.goto("/lab/train")
    page.locator("#more summary").click()
    page.fill("#seed", "21")
    page.locator("#more summary").click()
    page.fill("#f-boxes", "3")
    page.locator("#begin").click()
    page.locator("#given").press("Enter")
    page.locator("#choices [data-hot=s]").click()
    page.wait_for_function("() => document.querySelector('#verdict').textContent")
    page.locator("#choices [data-hot=c]").click()
    page.wait_for_selector("#count:not([hidden])")


def deviations(page: Page) -> None:
    """An index play that is asked for."""
    page.goto("/lab/train")
    page.select_option("#drill", "deviations")
    page.locator("#more summary").click()
    page.fill("#seed", "4")
    page.locator("#more summary").click()
    page.locator("#begin").click()
    page.locator("#choices [data-hot=y]").click()
    page.wait_for_function("() => document.querySelector('#verdict').textContent")


def match(page: Page) -> None:
    """A match that is over."""
    page.goto("/lab/match")
    page.fill("#count", "40000")
    page.select_option("#agent0", "call")
    page.locator("#play").click()
    page.wait_for_selector("text=Finished")


def replay(page: Page) -> None:
    """A hand of a log with the coach."""
    page.goto("/replay")
    page.locator("[data-file]").first.click()
    page.get_by_role("link", name="Hand 3", exact=True).click()
    page.wait_for_selector("#advice strong")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.wait_for_selector("#advice strong")


def model(page: Page) -> None:
    """A tree of a small model."""
    page.goto("/lab/models")
    if page.locator("#tree button").count():
        page.locator("#tree button").click()
        page.wait_for_selector(".treeview")


def tressette_assistant(page: Page) -> None:
    """Three cards of a real trick have fallen, and two advisers say what to play."""
    page.goto("/lab/tressette")
    for card in ["3d", "2d", "4d", "5d", "6d", "4c", "5c", "6c", "4s", "5s"]:
        page.locator(f"[data-card='{card}']").click()
    page.select_option("#leader", "avv1")
    page.fill("#score", "12-8")
    page.locator("#begin").click()
    page.wait_for_selector("#found:not([hidden])")
    for card in ("8d", "2s", "9d"):
        page.locator(f"[data-card='{card}']").click()
        page.wait_for_selector(f"[data-card='{card}'].fallen")
    page.wait_for_selector("#advice div + div table")
    page.evaluate("() => document.querySelector('#state').scrollIntoView()")


def tressette_review(page: Page) -> None:
    """What the cards of a round have cost."""
    sit(page, "tressette", ("policy", "policy", "policy"), 7)
    play(page, OVER)
    page.goto(f"{page.url.split('#')[0]}/review")
    page.locator("#start").click()
    page.wait_for_selector("#stop:not([hidden])")
    page.wait_for_selector("#stop", state="hidden")


SIX = ("call", "utility", "call", "chart", "call")
NINE = ("call",) * 8
OVER = "[data-key=next]"
SHOTS: dict[str, Callable[[Page], None]] = {
    "lobby": plain("/"),
    "new": plain("/new/holdem"),
    "parameters": parameters,
    "steps": steps,
    "holdem": at_table("holdem", SIX, 11),
    "river": river_bet,
    "showdown": at_table("holdem", SIX, 11, until=OVER),
    "winner": at_table("holdem", ("call", "call"), 11, until=OVER),
    "waiting": before_the_deal,
    "nine": at_table("holdem", NINE, 11, until=".board img:nth-of-type(5)"),
    "tressette": at_table(
        "tressette", ("decision-improved", "greedy", "greedy"), 7, "before", ".trick img:nth-of-type(2)"
    ),
    "tressette-assistant": tressette_assistant,
    "tressette-review": tressette_review,
    "blackjack": at_table("blackjack", ("chart", "count"), 7, "before"),
    "replay": replay,
    "equity": equity,
    "solve": solved,
    "chart": plain("/lab/blackjack", "table.bj"),
    "train": train,
    "deviations": deviations,
    "match": match,
    "studies": plain("/lab/studies"),
    "models": model,
}
OF_ITS_OWN: dict[str, tuple[str, dict[str, Any]]] = {
    "nine-zoom-light": ("nine", {**ZOOMED, "color_scheme": "light"}),
    "nine-zoom-dark": ("nine", {**ZOOMED, "color_scheme": "dark"}),
    "nine-phone-dark": ("nine", {**PHONE, "color_scheme": "dark"}),
    "showdown-phone-dark": ("showdown", {**PHONE, "color_scheme": "dark"}),
    "italian-light": ("showdown", {**DESK, "color_scheme": "light", "locale": "it-IT"}),
    "italian-dark": ("showdown", {**DESK, "color_scheme": "dark", "locale": "it-IT"}),
}
"""Pictures in one more look: the name, what is arranged, and how it is looked at."""


def pictures() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The name of every picture, what is arranged for it, and how it is looked at."""
    for name in SHOTS:
        for look, options in LOOKS.items():
            yield f"{name}-{look}", name, options
    for name, (shot, options) in OF_ITS_OWN.items():
        yield name, shot, options


TABLES = ("nine", "river", "showdown", "winner", "solve")
"""Whose pictures on a phone show the screen, not the whole page."""


def _smaller(path: Path) -> None:
    """A picture of few colours needs no more than 256 of them."""
    from PIL import Image

    with Image.open(path) as picture:
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


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
            cwd=folder,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert server.stderr is not None
        address = server.stderr.readline().split()[3].rstrip("/")
        path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            for name, shot, options in pictures():
                if only and shot not in only and name not in only:
                    continue
                page = browser.new_context(base_url=address, reduced_motion="reduce", **options).new_page()
                page.set_default_timeout(300_000)
                SHOTS[shot](page)
                page.wait_for_function("() => [...document.images].every((image) => image.complete)")
                path_of = IMAGES / f"{name}.png"
                page.screenshot(path=path_of, full_page=name.endswith("phone") and shot not in TABLES)
                _smaller(path_of)
                page.context.close()
        finally:
            browser.close()
            server.terminate()
            server.communicate(timeout=20)


if __name__ == "__main__":
    main()
