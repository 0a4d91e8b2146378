"""What a person does at a table, by mouse or by keyboard."""

from __future__ import annotations

from playwright.sync_api import Page, expect

QUICK = {"holdem": ("call", "call"), "blackjack": (), "tressette": ("greedy", "greedy", "greedy")}


def fill_form(page: Page, game: str, agents: tuple[str, ...] | None = None, seed: int = 5) -> None:
    chosen = QUICK[game] if agents is None else agents
    if page.locator("#count").get_attribute("type") == "number":
        page.fill("#count", str(1 + len(chosen)))
    for k, agent in enumerate(chosen, 1):
        page.select_option(f"#seat{k}", agent)
    page.select_option("#speed", "instant")
    page.locator("#more").click()
    page.fill("#seed", str(seed))


def open_table(page: Page, game: str, agents: tuple[str, ...] | None = None, seed: int = 5) -> None:
    page.goto(f"/new/{game}")
    fill_form(page, game, agents, seed)
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("#log p").first).to_be_visible()


def my_turn(page: Page) -> None:
    """Wait until there is something to do."""
    page.wait_for_function(
        "() => document.querySelector('#actions button:not(:disabled), .pick:not(:disabled)') !== null"
    )


def over(page: Page) -> bool:
    return bool(page.locator("[data-key=next]").count() > 0)


def log_lines(page: Page) -> list[str]:
    return list(page.locator("#log p").all_inner_texts())


def at(page: Page) -> int:
    """How many actions were taken at the table as the page shows it."""
    return int(page.locator("#table").get_attribute("data-at") or -1)


def wait_for_change(page: Page, before: int) -> None:
    """Wait until the table has moved on and there is something to do again."""
    page.wait_for_function("n => Number(document.querySelector('#table').dataset.at) > n", arg=before)
    my_turn(page)


def click_something(page: Page) -> None:
    calls = page.locator("#actions [data-key=c], #actions [data-key=stand], #actions [data-key=leave], [data-key=play]")
    (calls if calls.count() else page.locator(".pick:not(:disabled)")).first.click()


def play_on(page: Page, game: str, agents: tuple[str, ...] | None = None, seed: int = 5) -> None:
    """Open a table and play a hand to its end by mouse, with the coach."""
    open_table(page, game, agents, seed)
    my_turn(page)
    while not over(page):
        before = at(page)
        click_something(page)
        wait_for_change(page, before)
