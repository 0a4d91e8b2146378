"""People at tables in a real Chromium: by mouse, by keyboard alone, two at one table, after a reload and a restart."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests_browser.conftest import Opener, Server
from tests_browser.sitting import at, click_something, log_lines, my_turn, open_table, over, play_on, wait_for_change

GAMES = ("holdem", "blackjack", "tressette")


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_is_played_by_mouse(open_page: Opener, game: str) -> None:
    page = open_page()
    play_on(page, game)
    before = at(page)
    page.locator("[data-key=next]").click()
    wait_for_change(page, before)


def _tab_to(page: Page, wanted: str, most: int = 80) -> None:
    for _ in range(most):
        if page.evaluate("s => document.activeElement && document.activeElement.matches(s)", wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {wanted}")


KEYS = {"holdem": "c", "blackjack": "s"}


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_is_played_by_keyboard_alone(open_page: Opener, game: str) -> None:
    page = open_page(f"/new/{game}")
    _tab_to(page, "#speed")
    page.keyboard.type("instant")
    _tab_to(page, "button[type=submit]")
    page.keyboard.press("Enter")
    expect(page.locator("#log p").first).to_be_visible(timeout=60_000)
    my_turn(page)
    while not over(page):
        before = at(page)
        if page.locator(".pick").count():
            page.keyboard.press("ArrowRight")
            assert page.evaluate("() => document.activeElement.classList.contains('pick')")
            page.keyboard.press("Enter")
        elif page.locator("[data-key=leave]").count():
            page.keyboard.press("n")
        elif page.locator("[data-key=play]").count():
            page.keyboard.press("p")
        else:
            page.keyboard.press(KEYS[game])
        wait_for_change(page, before)
    before = at(page)
    page.keyboard.press("n")
    wait_for_change(page, before)


def test_a_raise_by_keyboard_goes_where_it_says(open_page: Opener) -> None:
    page = open_page()
    open_table(page, "holdem", ("call",))
    my_turn(page)
    page.keyboard.press("r")
    assert page.evaluate("() => document.activeElement.id") == "amount"
    page.keyboard.type("60")
    page.keyboard.press("Enter")
    expect(page.locator("#log")).to_contain_text("Player raises to 60.")


def test_two_people_at_one_table_see_their_own_cards_only(open_page: Opener) -> None:
    anna = open_page()
    anna.goto("/new/holdem")
    anna.fill("#count", "2")
    anna.select_option("#seat1", "me")
    anna.get_by_role("button", name="Open the table").click()
    invite = anna.locator("#invites .invite").get_attribute("href")
    assert invite
    bruno = open_page(invite)
    bruno.fill("#name", "Bruno")
    bruno.keyboard.press("Enter")
    expect(bruno.locator(".seat.you")).to_contain_text("Bruno")
    expect(anna.locator("#log")).to_contain_text("Bruno sits down.")

    def cards(page: Page, seat: str) -> list[str | None]:
        return [image.get_attribute("alt") for image in page.locator(f"{seat} .card").all()]

    assert anna.locator(".seat .card").count() == bruno.locator(".seat .card").count() == 0  # nobody is ready yet
    for page in (anna, bruno):
        page.get_by_role("button", name="I am ready").click()
    for page in (anna, bruno):
        expect(page.locator("[data-key=ready]")).to_have_count(0)
        expect(page.locator(".seat .card")).to_have_count(4)
    assert "hidden card" not in cards(anna, ".seat.you")
    assert cards(anna, ".seat:not(.you)") == ["hidden card"] * 2
    assert cards(bruno, ".seat:not(.you)") == ["hidden card"] * 2
    assert cards(anna, ".seat.you") != cards(bruno, ".seat.you")
    expect(anna.locator("#people")).to_contain_text("Bruno here")
    anna.wait_for_function("() => document.querySelector('.seat.turn') !== null")
    first, second = (anna, bruno) if anna.locator("#actions button:enabled").count() else (bruno, anna)
    my_turn(first)  # its page may be behind the other one
    first.keyboard.press("c")
    my_turn(second)
    second.keyboard.press("c")
    expect(first.locator("#log")).to_contain_text("Flop")


@pytest.mark.parametrize("game", GAMES)
def test_a_reload_in_the_middle_of_a_hand_shows_the_same_table(open_page: Opener, game: str) -> None:
    page = open_page()
    open_table(page, game)
    my_turn(page)
    cards = page.locator(".seat.you .card").evaluate_all("all => all.map(k => k.src)")
    page.reload()
    my_turn(page)
    assert page.locator(".seat.you .card").evaluate_all("all => all.map(k => k.src)") == cards


def test_a_server_restarted_in_the_middle_of_a_hand_goes_on_without_a_reload(open_page: Opener, server: Server) -> None:
    page = open_page()
    open_table(page, "tressette")
    my_turn(page)
    before = at(page)
    click_something(page)
    wait_for_change(page, before)
    cards = page.locator(".seat.you .card").evaluate_all("all => all.map(k => k.src)")
    server.stop()
    expect(page.locator("#connection")).to_contain_text("Connection lost")
    server.start()
    expect(page.locator("#connection")).to_be_empty()
    my_turn(page)
    assert page.locator(".seat.you .card").evaluate_all("all => all.map(k => k.src)") == cards
    before = at(page)
    click_something(page)
    wait_for_change(page, before)
    assert any("plays" in line for line in log_lines(page))


def test_the_coach_shows_what_each_play_is_worth_and_what_the_one_played_cost(open_page: Opener) -> None:
    page = open_page()
    open_table(page, "blackjack")
    my_turn(page)
    page.select_option("#mode", "before")
    expect(page.locator("#advice")).to_contain_text("count advises")
    page.select_option("#mode", "after")
    click_something(page)
    expect(page.locator("#verdict")).to_contain_text("You played")
    expect(page.locator("#total")).to_contain_text("in 1 decision,")


def test_the_last_hand_is_replayed_step_by_step_and_its_link_reproduces_the_moment(open_page: Opener) -> None:
    page = open_page()
    open_table(page, "blackjack")
    my_turn(page)
    while not over(page):
        before = at(page)
        click_something(page)
        wait_for_change(page, before)
    page.get_by_role("link", name="Replay the last hand").click()
    expect(page.locator("#status")).to_contain_text("Step 1 of")
    page.keyboard.press("End")
    there = page.locator("#status").inner_text()
    other = open_page(page.url)
    expect(other.locator("#status")).to_have_text(there)
