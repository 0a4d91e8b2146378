"""What makes a table alive: bubbles, the winning cards, bots told apart, auto-deal, Italian, film strip, motion."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests_browser.conftest import Opener
from tests_browser.sitting import at, click_something, my_turn, open_table, over, play_on, wait_for_change


def test_seats_say_what_they_did_and_bots_of_one_kind_are_told_apart(open_page: Opener) -> None:
    page = open_page()
    open_table(page, "holdem", ("call", "call", "call"))
    my_turn(page)
    expect(page.locator(".seat .bubble").first).to_have_text("calls 10")
    names = page.locator(".seat.agent .who strong").all_inner_texts()
    assert len(set(names)) == 3
    assert not any("#" in name for name in names)
    assert page.locator(".seat.agent .who .agent").all_inner_texts() == ["call"] * 3
    assert page.locator(".seat.agent .face").count() == 3
    expect(page.locator("#people")).to_contain_text("Calls everything, never raises")


def test_the_winner_has_a_ring_and_the_five_cards_that_win_are_raised(open_page: Opener) -> None:
    page = open_page()
    play_on(page, "holdem", ("call", "call"), seed=11)
    expect(page.locator(".seat.winner")).to_have_count(1)
    expect(page.locator(".card.best")).to_have_count(5)
    expect(page.locator("#status")).to_contain_text(re.compile(r"wins \d+: \w+"))


def test_buttons_keep_their_places_from_decision_to_decision(open_page: Opener) -> None:
    page = open_page()
    open_table(page, "holdem", ("call", "call"))
    my_turn(page)

    def lefts() -> list[int]:
        found: list[int] = page.locator(".places button, .places input").evaluate_all(
            "all => all.map((k) => Math.round(k.getBoundingClientRect().left))"
        )
        return found

    first = lefts()
    while not over(page):
        assert lefts() == first
        before = at(page)
        click_something(page)
        wait_for_change(page, before)
    assert lefts() == first


def test_the_next_hand_deals_itself_after_the_chosen_pause_and_can_be_dealt_at_once(open_page: Opener) -> None:
    page = open_page()
    open_table(page, "holdem", ("call",))
    my_turn(page)
    page.evaluate(  # the button is there for four seconds, and a busy machine may look away for longer
        """() => { window.offered = ""; new MutationObserver(() => {
          const next = document.querySelector("[data-key=next]"); if (next) window.offered = next.textContent;
        }).observe(document.body, { subtree: true, childList: true, characterData: true }); }"""
    )
    page.select_option("#pause", "4")
    while "Hand 2:" not in page.locator("#log").inner_text():
        before = at(page)
        if not over(page):
            click_something(page)
        page.wait_for_function("n => Number(document.querySelector('#table').dataset.at) > n", arg=before)
        my_turn(page)
    assert "Deal now" in page.evaluate("() => window.offered")


def test_a_bot_tells_its_thresholds_while_it_plays(open_page: Opener) -> None:
    page = open_page()
    open_table(page, "holdem", ("utility",))
    my_turn(page)
    page.locator("#people summary").click()
    expect(page.locator("#people")).to_contain_text("folds below0.3")


def test_cards_and_chips_move_unless_less_motion_is_asked_for(open_page: Opener) -> None:
    moving = "() => document.getAnimations().some((a) => a.effect.target.matches('.card, .chip'))"
    page = open_page()
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script(
        "const own = Element.prototype.animate; window.moved = 0;"
        "Element.prototype.animate = function (...given) { window.moved++; return own.apply(this, given); };"
    )
    open_table(page, "holdem", ("call",))
    my_turn(page)
    before = at(page)
    click_something(page)
    wait_for_change(page, before)
    page.wait_for_function("() => window.moved > 2")
    page.wait_for_function(f"() => !({moving})()")
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    my_turn(page)
    before = at(page)
    click_something(page)
    wait_for_change(page, before)
    assert page.evaluate("() => window.moved") == 0


def test_the_page_is_italian_for_who_wants_it_and_the_choice_is_kept(open_page: Opener) -> None:
    page = open_page(locale="it-IT")
    expect(page.get_by_role("heading", level=1)).to_have_text("Siediti")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sit down")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sit down")
    page.get_by_role("button", name="Italiano").click()
    page.goto("/new/holdem")
    page.fill("#count", "2")
    page.select_option("#seat1", "call")
    page.get_by_role("button", name="Apri il tavolo").click()
    my_turn(page)
    expect(page.locator("#log")).to_contain_text("ha il bottone")
    expect(page.locator("#status")).to_have_text("Tocca a te")


def test_a_replay_is_a_film_strip_of_decisions(open_page: Opener) -> None:
    page = open_page("/replay")
    page.get_by_role("button", name="Show its hands hands.log").click()
    page.get_by_role("link", name="Hand 1", exact=True).click()
    frames = page.locator("#strip button")
    expect(frames.nth(3)).to_be_visible()
    frames.nth(2).click()
    expect(page.locator("#status")).to_contain_text("Step 3 of")
    expect(frames.nth(2)).to_have_attribute("aria-current", "step")
    assert page.locator("#strip img").count() > 3


def test_a_match_can_be_saved_with_its_command(open_page: Opener) -> None:
    page = open_page("/lab/match")
    page.select_option("#agent0", "call")
    page.fill("#count", "2000")
    page.locator("#play").click()
    expect(page.locator("#status")).to_contain_text("Finished")
    expect(page.locator("#command")).to_contain_text("mazzo match")
    with page.expect_download() as saved:
        page.locator("#save").click()
    text = saved.value.path().read_text()
    assert "<svg" in text
    assert "--seed 1" in text


def test_a_match_asked_for_before_the_connection_is_there_is_played(open_page: Opener) -> None:
    page = open_page()
    page.add_init_script(
        "addEventListener('DOMContentLoaded', () => { document.getElementById('count').value = 2000;"
        " document.getElementById('play').click(); })"
    )
    page.goto("/lab/match")
    expect(page.locator("#status")).to_contain_text("Finished")
