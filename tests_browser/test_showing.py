"""Showing an agent: its parameters as a form, and a table of agents one move at a time. Bets between rounds."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests_browser.conftest import Opener
from tests_browser.sitting import at, my_turn, open_table, over, wait_for_change


def offered(page: Page) -> list[str]:
    return list(page.locator("#seat1 optgroup option").all_inner_texts())


def test_only_agents_that_can_play_what_is_chosen_are_offered(open_page: Opener) -> None:
    page = open_page("/new/holdem")
    assert "online" not in offered(page)
    page.select_option("#f-betting", "limit")
    page.fill("#count", "2")
    expect(page.locator("#seat1 option[value=online]")).to_have_count(1)
    page.select_option("#seat1", "online")
    page.fill("#count", "3")
    expect(page.locator("#seat1 option[value=online]")).to_have_count(0)
    assert page.input_value("#seat1") in offered(page)


def test_parameters_are_a_form_that_says_what_each_means(open_page: Opener) -> None:
    page = open_page("/new/holdem")
    page.fill("#count", "2")
    page.select_option("#seat1", "utility")
    page.locator("[data-parameters='1'] summary").click()
    field = page.locator("[data-parameters='1']").get_by_label("raise", exact=True)
    expect(field).to_have_value("0.55")
    expect(page.locator("[data-parameters='1']")).to_contain_text("It raises where its utility is at least this.")
    field.fill("0.7")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("#people")).to_contain_text("utility:raise=0.7")


def test_a_table_of_agents_is_stepped_through_by_keyboard_with_all_cards_and_reasons(open_page: Opener) -> None:
    page = open_page("/new/holdem")
    page.fill("#count", "2")
    page.select_option("#seat0", "utility")
    page.select_option("#seat1", "rich")
    page.select_option("#speed", "step")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("button", name="Next move")).to_be_enabled()
    expect(page.locator(".seat img[src*='/cards/french/']")).to_have_count(4)
    _step(page)
    expect(page.locator("#why")).to_be_visible()  # the next step may deal a new hand
    assert len(page.locator("#why .why").inner_text()) > 10
    _step(page)


def _step(page: Page) -> None:
    before = at(page)
    page.keyboard.press("n")
    wait_for_change(page, before)
    assert at(page) == before + 1


def test_the_bet_of_blackjack_is_chosen_between_rounds(open_page: Opener) -> None:
    page = open_page()
    open_table(page, "blackjack")
    my_turn(page)
    while not over(page):
        before = at(page)
        page.locator("#actions [data-key=stand], #actions [data-key=leave]").first.click()
        wait_for_change(page, before)
    before = at(page)
    page.fill("#amount", "25")
    page.get_by_role("button", name="Bet 25").click()
    wait_for_change(page, before)
    expect(page.locator("#log")).to_contain_text("bets 25 on each hand")
    before = at(page)
    page.locator("[data-key=next]").click()
    wait_for_change(page, before)
    expect(page.locator(".seat.you")).to_contain_text("25")


def test_the_key_of_a_deck_is_on_the_page_after_the_hand(open_page: Opener) -> None:
    page = open_page("/new/holdem")
    page.fill("#count", "2")
    page.select_option("#seat1", "me")
    page.locator("[name=wait]").uncheck()
    page.get_by_role("button", name="Open the table").click()
    other = open_page(page.locator("a.invite").get_attribute("href") or "")
    other.get_by_label("name").fill("Bruno")
    other.get_by_role("button").last.click()
    my_turn(page) if page.locator("#table.myturn").count() else my_turn(other)
    for one in (page, other):
        if one.locator("#actions [data-key=f]:not(:disabled)").count():
            one.locator("#actions [data-key=f]").click()
    page.locator("#deal summary").click()
    expect(page.locator("#deal-key")).to_have_text(re.compile("^[0-9a-f]{64}$"))
