"""Every page: no serious accessibility fault in light, dark and at phone width; replay and lab do their work."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from mazzo.holdem.hand import Hand
from mazzo.holdem.replay import record_of
from mazzo.web.replays import packed
from tests_browser.conftest import Opener
from tests_browser.sitting import my_turn, open_table

PAGES = (
    "/",
    "/new/holdem",
    "/new/blackjack",
    "/replay",
    "/lab",
    "/lab/equity",
    "/lab/solve",
    "/lab/blackjack",
    "/lab/train",
    "/lab/tressette",
    "/lab/match",
    "/lab/studies",
    "/lab/models",
)
AT_PHONE_WIDTH = ("/", "/new/holdem", "/lab/equity")
"""Pages whose form changes there."""
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"color_scheme": "light", "width": 390, "height": 844},
}


def _faults(page: Page, look: str) -> list[str]:
    """Serious faults; in dark only colours can differ from light."""
    only = {"runOnly": ["color-contrast"]} if look == "dark" else {}
    found = Axe().run(page, options={"resultTypes": ["violations"], **only}).response["violations"]
    serious = [v for v in found if v["impact"] in ("serious", "critical")]
    return [
        f"{v['id']}: {v['nodes'][0]['html'][:160]} {v['nodes'][0].get('failureSummary', '')[:200]}" for v in serious
    ]


def _fits(page: Page) -> bool:
    return bool(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth + 1"))


@pytest.mark.parametrize("look", LOOKS)
def test_pages_have_no_serious_fault_and_fit(open_page: Opener, look: str) -> None:
    page = open_page(**LOOKS[look])
    for path in PAGES:
        page.goto(path)
        if path == "/lab/blackjack":
            expect(page.locator("table.bj").first).to_be_visible(timeout=60_000)
        if look != "phone" or path in AT_PHONE_WIDTH:
            assert not _faults(page, look), path
        assert _fits(page), f"{path} is wider than the window"


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("game", ["holdem", "blackjack", "tressette"])
def test_tables_have_no_serious_fault_and_fit(open_page: Opener, game: str, look: str) -> None:
    page = open_page(**LOOKS[look])
    open_table(page, game)
    my_turn(page)
    assert not _faults(page, look)
    assert _fits(page)


def test_targets_at_phone_width_are_large_enough(open_page: Opener) -> None:
    page = open_page(width=390, height=844)
    open_table(page, "holdem")
    my_turn(page)
    targets = page.locator("main button:visible, header a, header button:visible")
    small = targets.evaluate_all(
        "all => all.filter(k => { const b = k.getBoundingClientRect(); return b.width < 43.9 || b.height < 43.9; })"
        ".map(k => k.outerHTML.slice(0, 120))"
    )
    assert targets.count() > 5
    assert not small


def test_focus_can_be_seen(open_page: Opener) -> None:
    page = open_page("/new/holdem")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    style = page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
    assert style == "solid"


def test_dark_can_be_chosen_and_is_remembered(open_page: Opener) -> None:
    page = open_page(color_scheme="light")
    page.locator("#theme").click()
    page.reload()
    assert page.evaluate("() => document.documentElement.dataset.theme") == "dark"


def test_a_log_is_replayed_with_the_coach(open_page: Opener) -> None:
    page = open_page("/replay")
    page.get_by_role("button", name="Show its hands hands.log").click()
    page.get_by_role("link", name="Hand 1", exact=True).click()
    expect(page.locator("#advice")).to_contain_text("ranges advises")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#status")).to_contain_text("Step 2 of")


def test_equity_is_counted_against_a_range_painted_by_mouse_and_keyboard(open_page: Opener) -> None:
    page = open_page("/lab/equity")
    page.locator("[data-hand=AA]").click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert page.input_value("#range") == "AA,AKs"
    page.get_by_role("button", name="Calculate").click()
    expect(page.locator("#result")).to_contain_text("exact:")


def test_a_spot_is_solved_and_walked_by_its_buttons(open_page: Opener) -> None:
    page = open_page("/lab/solve")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("#figures")).to_contain_text("Out of position")
    page.locator("#actions button").first.click()
    expect(page.locator("#path button")).to_have_text(["start", "k"])
    assert _fits(page)


def test_a_mix_is_locked_by_dragging_its_bar_or_by_keyboard_and_survives_a_reload(open_page: Opener) -> None:
    page = open_page("/lab/solve")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("#figures")).to_contain_text("Out of position")
    page.get_by_text("Lock this decision").click()
    bar, edge = page.locator(".mixbar"), page.locator(".mixbar .edge").first
    bar.scroll_into_view_if_needed()
    box, mark = bar.bounding_box(), edge.bounding_box()
    assert box
    assert mark
    page.mouse.move(mark["x"] + mark["width"] / 2, mark["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.3 * box["width"], mark["y"] + 20, steps=4)
    page.mouse.up()
    expect(edge).to_have_attribute("aria-valuenow", "30")
    page.keyboard.press("PageUp")
    page.keyboard.press("ArrowRight")
    expect(edge).to_have_attribute("aria-valuenow", "41")
    page.locator("#lock").get_by_role("button", name="Lock").click()
    expect(page.locator("#locks")).to_contain_text("k 41")
    page.locator("#actions button").first.click()
    expect(page.locator("#path button")).to_have_text(["start", "k"])
    page.reload()
    expect(page.locator("#path button")).to_have_text(["start", "k"])
    expect(page.locator("#locks")).to_contain_text("k 41")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("#legend")).to_contain_text("check 41.0 %")


def test_a_replayed_decision_is_solved_with_the_models_that_were_chosen(open_page: Opener) -> None:
    hand = Hand.parse("game holdem-nolimit-2p; cards AsKs|QhJh/Td9d6h/Qc/2s; play r300c/cc/cc/r500f")
    link = packed({"of": "holdem", **record_of(hand), "names": ["Ada", "Bob"]})
    page = open_page(f"/replay/hand?h={link}#step=7")
    page.get_by_role("link", name="Solve this spot").click()
    expect(page.locator("#ranges-said")).to_contain_text("chart out of position, chart in position")
    page.select_option("#ip-model", "call")
    expect(page.locator("#ranges-said")).to_contain_text("in the hand: chart out of position, call in position")
    page.locator("#preflop").check()
    expect(page.locator("#ranges-said")).to_contain_text("before the flop: chart out of position, call in position")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("#state")).to_contain_text("f with QhJh cost")
    expect(page.locator("#path button")).to_have_text(["start", "b200"])
    page.reload()
    expect(page.locator("#state")).to_contain_text("f with QhJh cost")
    assert page.input_value("#ip-model") == "call"


def test_a_decision_between_two_of_three_players_at_limit_is_solved_from_its_replay(open_page: Opener) -> None:
    hand = Hand.parse("game holdem-limit-3p; cards 7c7d|AsKs|QhJh/9hJcAh/5s/2d; play rcf/crrc/rc/rf")
    link = packed({"of": "holdem", **record_of(hand), "names": ["Ada", "Bob", "Cy"]})
    page = open_page(f"/replay/hand?h={link}#step=1")
    expect(page.locator("#solve")).to_be_hidden()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("link", name="Solve this spot").click()
    expect(page.locator("#others")).to_have_value("river_bet=20c; river_raise=20c3r")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("#state")).to_contain_text("f with QhJh cost")
    expect(page.locator("#path button")).to_have_text(["start", "b20"])
    assert _fits(page)


def test_a_match_draws_itself(open_page: Opener) -> None:
    page = open_page("/lab/match")
    page.select_option("#agent0", "call")
    page.fill("#count", "20000")
    page.locator("#play").click()
    expect(page.locator("#status")).to_contain_text("Finished", timeout=60_000)
    expect(page.locator("#plot svg").first).to_be_visible()


def test_a_cell_of_the_chart_says_what_every_play_is_worth(open_page: Opener) -> None:
    page = open_page("/lab/blackjack")
    page.get_by_role("button", name="16 against T").hover()
    expect(page.locator("#cell")).to_contain_text("stand")
