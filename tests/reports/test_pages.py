from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

from mazzo import tressette
from mazzo.document import Chart, Figure, Grid, Report, Section, Series
from mazzo.reports.page import html, markdown, write_html, write_markdown


def example() -> Report:
    chart = Chart("Who wins", "hands", "big blinds", [Series("hero", [1, 2], [0.1, 0.2])], caption="n 2, seed 1.")
    section = Section(
        "First & last",
        ["Some words."],
        [Figure("+2.4", "big blinds a hand", "95 % 2.3 to 2.5")],
        [chart],
        [Grid(("agent", "mean"), [("hero", "+2.4"), ("<script>alert(1)</script>", "-2.4")], "A table")],
        ["call: because\n  0 | 1"],
        ["mazzo match a b"],
    )
    return Report("Title", ["Opening."], [section] * 3, ["mazzo report x"], [("Play.", "mazzo play blackjack")])


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_page_closes_what_it_opens_and_needs_nothing_from_outside() -> None:
    tags = Tags()
    tags.feed(html(example()))
    assert tags.open == []
    links = [value or "" for name, value in tags.attributes if name in ("src", "href", "xlink:href", "action")]
    assert links
    assert all(link.startswith("#") for link in links)


def test_what_a_page_says_cannot_become_markup() -> None:
    page = html(example())
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_a_page_has_every_part_of_its_report() -> None:
    page = html(example())
    for words in (
        "Opening.",
        "+2.4",
        "95 % 2.3 to 2.5",
        "A table",
        "call: because",
        "mazzo match a b",
        "mazzo report x",
    ):
        assert words in page


def test_a_page_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "new" / "report.html"
    write_html(example(), path)
    assert path.read_text().startswith("<!doctype html>")
    assert list(path.parent.iterdir()) == [path]


def test_markdown_escapes_what_would_break_its_tables_and_draws_its_charts(tmp_path: Path) -> None:
    path = tmp_path / "study.md"
    write_markdown(example(), path)
    assert "![Who wins](study/who-wins.svg)" in path.read_text()
    assert (tmp_path / "study" / "who-wins.svg").read_text().startswith("<svg")
    table = Report("T", (), [Section("S", tables=[Grid(("a|b", "n"), [("x|y", "1.5")])])])
    assert "| a\\|b | n |\n|---|--:|\n| x\\|y | 1.5 |" in markdown(table, "study")


def test_a_round_of_tressette_in_a_notebook_is_light_and_its_text_has_the_colour_around_it() -> None:
    drawn = tressette.Round(seed=1)._repr_html_() or ""
    assert len(drawn) < 100_000
    assert "--ink: currentColor" in drawn
