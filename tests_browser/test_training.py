"""Lab -> Train in a browser: by keyboard, at a phone's width, light and dark; the count is hidden until asked."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests_browser.conftest import Opener
from tests_browser.test_pages import LOOKS, _faults, _fits


def begin(page: Page, drill: str, seed: str = "5") -> None:
    page.select_option("#drill", drill)
    if drill != "countdown":
        page.locator("#more summary").click()
        page.fill("#seed", seed)
    page.locator("#begin").click()
    expect(page.locator("#practice")).to_be_visible()


@pytest.mark.parametrize("look", LOOKS)
def test_a_round_is_played_by_keyboard_and_the_count_is_shown_when_asked(open_page: Opener, look: str) -> None:
    page = open_page("/lab/train", **LOOKS[look])
    page.fill("#f-boxes", "3")
    begin(page, "table")
    for played in range(1, 4):
        page.locator("#given").press("Enter")
        expect(page.locator("#facts")).to_contain_text(f"{played} round")
        expect(page.locator("#count")).to_be_hidden()
        page.keyboard.press("c")
        expect(page.locator("#count")).to_contain_text("Running count")
        assert not _faults(page, look)
        assert _fits(page)
        for _ in range(12):
            if page.locator("#given").count():
                break
            before = page.locator("#facts").inner_text()
            page.keyboard.press("l" if page.locator("[data-hot=l]").count() else "s")
            expect(page.locator("#facts")).not_to_have_text(before)
        expect(page.locator("#verdict")).to_contain_text("The round:")
    expect(page.locator("#facts")).to_contain_text("by the indices")


def test_drills_are_done_on_a_phone(open_page: Opener) -> None:
    page = open_page("/lab/train", width=390, height=844)
    begin(page, "deviations")
    page.get_by_role("button", name="Yes").click()
    expect(page.locator("#verdict")).to_contain_text("at a true count of")
    assert _fits(page)
    assert not _faults(page, "phone")
    page.locator("#chosen > summary").click()
    page.select_option("#drill", "decks")
    page.locator("#begin").click()
    expect(page.locator("svg.tray")).to_be_visible()
    page.fill("#given", "3")
    page.keyboard.press("Enter")
    expect(page.locator("#facts")).to_contain_text("of 1 right")
    assert not _faults(page, "phone")
    page.locator("#chosen > summary").click()
    page.select_option("#drill", "countdown")
    page.select_option("#size", "3")
    page.locator("#begin").click()
    expect(page.locator("#facts")).to_contain_text("51 cards")
    for _ in range(18):
        page.keyboard.press("n")
    page.fill("#given", "0")
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_contain_text("seconds for 51 cards")
    assert _fits(page)
