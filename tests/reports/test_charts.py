from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from mazzo.document import Chart, Series
from mazzo.reports.draw import PALETTE, svg


def example(kind: str = "line", label: str = "hero") -> Chart:
    series = [
        Series(label, ["a", "b", "c"], [1.0, 2.0, 3.0], [0.5, 1.5, 2.5], [1.5, 2.5, 3.5]),
        Series("other", ["a", "b", "c"], [3.0, 2.0, 1.0]),
    ]
    return Chart("A chart", "hands", "big blinds", series, kind, [("even", 0.0)])  # type: ignore[arg-type]


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("kind", ["line", "points", "bars"])
def test_a_chart_is_well_formed_svg_that_speaks(kind: str) -> None:
    picture = ElementTree.fromstring(svg(example(kind)))
    assert picture.get("role") == "img"
    assert picture.get("aria-label") == "A chart. hero: 1 at a to 3 at c. other: 3 at a to 1 at c."
    assert picture.get("width") is None  # as wide as the page gives it


def test_every_colour_of_a_chart_follows_the_page() -> None:
    drawn = svg(example())
    assert "var(--series1)" in drawn
    assert "var(--ink)" in drawn
    assert not re.search(r": #[0-9a-f]{6}", drawn)


def test_a_chart_that_stands_alone_brings_its_colours_light_and_dark() -> None:
    drawn = svg(example(), standalone=True)
    for light, dark in PALETTE.values():
        assert light in drawn
        assert dark in drawn


def test_two_charts_on_a_page_share_no_id() -> None:
    ids = [set(re.findall(r'\bid="([^"]+)"', svg(example(label=label)))) for label in ("hero", "rich")]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_the_same_chart_is_drawn_the_same() -> None:
    assert svg(example()) == svg(example())


@pytest.mark.parametrize(("which", "ground"), [(0, "#fbfaf7"), (1, "#15181c")])
def test_every_line_stands_out_from_its_ground(which: int, ground: str) -> None:
    for name, pair in PALETTE.items():
        bright, dark = sorted((luminance(pair[which]), luminance(ground)), reverse=True)
        assert (bright + 0.05) / (dark + 0.05) >= 3, name


def test_a_label_cannot_bring_markup_into_the_page() -> None:
    assert "<b>" not in svg(example(label="<b>bold</b>"))
