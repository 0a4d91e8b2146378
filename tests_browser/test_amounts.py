"""What a table says at a glance: amounts of the street, who wins what, cards that nothing covers, keys held down."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests_browser.conftest import Opener
from tests_browser.sitting import at, click_something, fill_form, my_turn, open_table, over, play_on, wait_for_change

CALLERS = ("call",) * 8


def _to_the_river(page: Page, agents: tuple[str, ...]) -> None:
    open_table(page, "holdem", agents)
    my_turn(page)
    while page.locator(".board img").count() < 5:
        before = at(page)
        click_something(page)
        wait_for_change(page, before)


def test_a_river_bet_is_counted_from_the_river(open_page: Opener) -> None:
    page = open_page()
    _to_the_river(page, ("call", "call"))
    assert page.input_value("#amount") == "10"
    assert page.locator(".seat .bet").count() == 0
    expect(page.locator(".tablefacts")).to_contain_text("Pot30")
    page.fill("#amount", "135")
    expect(page.locator("[data-key=raise]")).to_contain_text("Bet 135")
    page.keyboard.press("Enter")
    expect(page.locator("#log")).to_contain_text("Player bets 135.")
    expect(page.locator("#log")).to_contain_text("calls 135.")
    expect(page.locator("#log")).to_contain_text("wins 435.")
    expect(page.locator(".seat.winner .won")).to_have_text("wins 435")
    expect(page.locator(".seat.winner .chips")).to_have_text("1290 chips")


def _covered(page: Page, wanted: str) -> list[str]:
    """Elements whose middle is under something that is neither they nor around them, once scrolled to."""
    found: list[str] = page.evaluate(
        """wanted => [...document.querySelectorAll(wanted)].filter((k) => {
          k.scrollIntoView({ block: "nearest" });
          const b = k.getBoundingClientRect();
          const top = document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2);
          return !(top && (k.contains(top) || top.contains(k) && getComputedStyle(top).position !== "sticky"));
        }).map((k) => k.outerHTML.slice(0, 80))""",
        wanted,
    )
    return found


@pytest.mark.parametrize(("width", "height"), [(390, 844), (640, 430)], ids=["phone", "200 % zoom"])
def test_no_bar_hides_ones_own_cards_at_nine_seats(open_page: Opener, width: int, height: int) -> None:
    page = open_page(width=width, height=height)
    _to_the_river(page, CALLERS)
    assert not _covered(page, ".seat.you .card")
    if height > 620:  # cards, board and buttons are seen together
        boxes = [page.locator(s).first.bounding_box() for s in (".board", ".seat.you .cards", "#actions")]
        edges = [(box["y"], box["y"] + box["height"]) for box in boxes if box]
        assert len(edges) == 3
        assert edges[0][1] <= edges[1][0]
        assert edges[1][1] <= edges[2][0] + 1
        assert edges[2][1] <= height + 1


def test_six_seats_on_a_phone_show_board_cards_and_buttons_at_once(open_page: Opener) -> None:
    page = open_page(width=390, height=844)
    _to_the_river(page, CALLERS[:5])
    hidden = page.locator(".board img, .seat.you .card").evaluate_all(
        "all => all.filter((k) => { const b = k.getBoundingClientRect();"
        " return document.elementFromPoint(b.x + b.width / 2, b.bottom - 3) !== k; }).map((k) => k.alt)"
    )
    assert hidden == []
    page.set_viewport_size({"width": 360, "height": 640})
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("width", [390, 640, 1280])
def test_at_a_showdown_the_page_fits_and_no_label_lies_on_a_card(open_page: Opener, width: int) -> None:
    page = open_page(width=width, height=860)
    play_on(page, "holdem", CALLERS, seed=11)
    assert over(page)
    assert page.locator(".hand .label").count() > 1
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    lying = page.evaluate(
        """() => [...document.querySelectorAll(".hand .label")].filter((label) => {
          const a = label.getBoundingClientRect();
          return [...label.parentElement.querySelectorAll(".card")].some((card) => {
            const b = card.getBoundingClientRect();
            return a.top < b.bottom - 1 && a.bottom > b.top + 1 && a.left < b.right && a.right > b.left;
          });
        }).length"""
    )
    assert lying == 0


def test_the_longest_name_and_ones_own_cards_fit_beside_each_other_on_a_small_phone(open_page: Opener) -> None:
    page = open_page("/new/holdem", width=360, height=740)
    fill_form(page, "holdem", CALLERS, seed=11)
    page.fill("[name=name0]", "W" * 24)
    page.get_by_role("button", name="Open the table").click()
    my_turn(page)
    while not over(page):
        before = at(page)
        click_something(page)
        wait_for_change(page, before)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    own = page.locator(".seat.you")
    table, cards = page.locator(".felt").bounding_box(), own.locator(".cards").bounding_box()
    beside = [own.locator(s).bounding_box() for s in (".who", ".facts")]
    assert table
    assert cards
    assert cards["x"] + cards["width"] <= table["x"] + table["width"]
    assert all(box and box["x"] + box["width"] <= cards["x"] for box in beside)


def test_a_key_that_is_held_down_plays_once(open_page: Opener) -> None:
    page = open_page()
    for seed in range(20):
        open_table(page, "blackjack", seed=seed)
        my_turn(page)
        if page.locator("[data-hot=h]").count():
            break
    before = at(page)
    for _ in range(4):  # playwright marks every press after the first as a repeat until the key is let go
        page.keyboard.down("h")
        page.wait_for_function("n => Number(document.querySelector('#table').dataset.at) > n", arg=before)
    page.keyboard.up("h")
    page.reload()
    my_turn(page)
    assert at(page) == before + 1


def test_a_verdict_does_not_replace_the_advice_for_the_next_decision(open_page: Opener) -> None:
    page = open_page()
    open_table(page, "holdem", ("call",))
    my_turn(page)
    page.select_option("#mode", "before")
    expect(page.locator("#advice strong")).to_be_visible()
    before = at(page)
    page.locator("[data-key=c]").click()
    wait_for_change(page, before)
    expect(page.locator("#verdict")).to_contain_text("You played")
    expect(page.locator("#advice")).to_contain_text("check")
    expect(page.locator("#advice")).not_to_contain_text("You played")


def test_the_coach_is_there_from_the_first_decision(open_page: Opener) -> None:
    page = open_page()
    open_table(page, "holdem", ("call",))
    my_turn(page)
    assert page.input_value("#mode") == "after"
    page.locator("[data-key=c]").click()
    expect(page.locator("#verdict")).to_contain_text("You played")


def test_a_typed_range_is_painted_on_the_grid(open_page: Opener) -> None:
    page = open_page("/lab/equity")
    page.fill("#range", "QQ+, AKs, A4s-A5s, T9s:0.5")
    expect(page.locator("[data-hand=AKs]")).to_have_attribute("aria-selected", "true")
    chosen = page.locator(".grid13 [aria-selected=true]").evaluate_all("all => all.map(k => k.dataset.hand).sort()")
    assert chosen == sorted(["AA", "KK", "QQ", "AKs", "A4s", "A5s", "T9s"])
    assert page.locator(".grid13 .part").evaluate_all("all => all.map(k => k.dataset.hand)") == ["T9s"]


def test_cells_of_the_grid_can_be_hit_on_a_phone(open_page: Opener) -> None:
    page = open_page("/lab/equity", width=390, height=844)
    sizes = page.locator(".grid13 button").evaluate_all("all => all.map(k => k.getBoundingClientRect().width)")
    assert len(sizes) == 169
    assert min(sizes) >= 44
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_a_finger_taps_a_cell_of_the_grid_and_scrolls_to_those_beside(open_page: Opener) -> None:
    page = open_page("/lab/equity", width=390, height=844, has_touch=True)
    page.locator("[data-hand=AA]").tap()
    page.locator("[data-hand=A2s]").tap()
    assert page.input_value("#range") == "AA,A2s"
    page.locator("[data-hand=AA]").tap()
    assert page.input_value("#range") == "A2s"


def test_the_list_of_replays_is_in_columns_and_in_words(open_page: Opener) -> None:
    page = open_page("/replay")
    page.get_by_role("button", name="Show its hands hands.log").click()
    rows = page.locator("#hands li")
    expect(rows.first).to_be_visible()
    for k in (1, 2, 3):
        lefts = page.locator(f"#hands li > :nth-child({k})").evaluate_all(
            "all => all.map(e => Math.round(e.getBoundingClientRect().left))"
        )
        assert len(set(lefts)) == 1
    assert all("wins" in line for line in page.locator("#hands .line").all_inner_texts())


def test_a_replayed_hand_fits_on_a_small_phone(open_page: Opener) -> None:
    page = open_page("/replay", width=360, height=740)
    page.get_by_role("button", name="Show its hands hands.log").click()
    page.locator("#hands li a").first.click()
    expect(page.locator("#held-grid .heldcell")).to_have_count(169)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
