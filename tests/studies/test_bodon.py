from __future__ import annotations

import json

import numpy as np
import pytest

from mazzo.blackjack import PRESETS
from mazzo.blackjack.documents.appendix import appendix_sums, orbit_probability
from mazzo.blackjack.documents.traversal import compositions, uniform_combination
from mazzo.studies import STUDIES, bodon
from mazzo.studies.bodon import charts, printed_table, rows, run, tasks


def _done(*figures: str) -> list[dict[str, object]]:
    """Results as they come back from a file."""
    chosen = [task for task in tasks(full=False) if task["figure"] in figures]
    return [json.loads(json.dumps(run(task))) for task in chosen]


def test_the_printed_chart_is_worth_less_than_its_figure() -> None:
    assert printed_table().letters[9] == "hnnnnnhhhh"  # twelve stands against two and three
    found = {row.what: row for row in rows(_done("1", "3", "5"))}
    assert found["§5.1 first round, full formulas"].verdict == "agrees"
    assert found["§3.1-3.2 the printed chart"].ours == "-0.002550"
    assert found["§5.3 the optimum"].why == "1/500.4"


def test_the_table_of_compositions_agrees_at_90_percent_and_else_but_for_the_texts_chance() -> None:
    results = _done("6.3.6")
    *found, time = rows(results)
    assert len(found) == 3 * 13
    by_column = [[row.verdict for row in found[k::3]] for k in range(3)]
    assert by_column[0] == by_column[2] == ["agrees"] * 13
    assert by_column[1] == ["agrees"] * 5 + ["differs"] * 7 + ["agrees"]
    assert [row.ours for row in found[36:]] == ["11, 5,200,300", "2,405,626", "1,843,104"]
    assert time.verdict == "not comparable", "another machine"
    [chart] = charts(results)
    assert [series.label for series in chart.series] == ["ours", "the document"]


def test_chapter_six_is_told_from_what_is_done() -> None:
    figure = {"mean": 0.0058, "standard_error": 1e-5, "ci95": [0.00578, 0.00582]}
    depth = {
        "cards_gone_from": 0.0,
        "cards_gone_to": 26.0,
        "rounds": 5,
        "exact": 1,
        "positive": 0.001,
        "negative": -0.003,
        "favourable": 0.3,
    }
    result = {
        "figure": "6.3.7 shoes",
        "positive": figure,
        "negative": figure,
        "favourable": figure,
        "seed": 1,
        "break_even": 0.9,
        "rounds": 5,
        "exact": 1,
        "by_depth": [depth],
    }
    assert [row.ours for row in rows([result])] == ["0.005800", "0.005800", "0.900"]
    assert len(charts([result])) == 1
    counting = _done("6.3.7 counting")
    assert "hi-lo 0.9625" in rows(counting)[0].why


def test_every_part_of_the_study_can_be_run() -> None:
    assert STUDIES["bodon"] is bodon
    figures = {task["figure"] for task in tasks(full=True)}
    assert figures == {
        "1",
        "3",
        "4",
        "5",
        "5.3",
        "6.3.6",
        "6.3.7 traversal",
        "6.3.7 depths",
        "6.3.7 shoes",
        "6.3.7 counting",
        "6.3.7 together",
        "6.3.7 sorted",
        "7 network",
        "8 appendix",
    }
    assert json.loads(json.dumps(tasks(full=True))) == tasks(full=True)


def test_the_infinite_deck_and_the_full_formulas_do_not_give_the_same_strategy() -> None:
    [row] = rows(_done("5.3"))
    assert row.ours == "2: A,2 v 5 hit, not double; A,4 v 4 hit, not double"
    assert row.verdict == "differs"
    assert "in 2 of them" in row.why, "the printed chart is the infinite deck's there"


def test_the_whole_shoe_is_told_by_traversal_network_winnings_and_the_appendix() -> None:
    found = {row.what: row for row in rows(_done("6.3.7 together", "6.3.7 sorted", "7 network", "8 appendix"))}
    assert len(found) == 8
    assert "% visited in" in found["§6.3.7 E_pos, traversal, K = 1..10"].why
    assert found["§6.3.7 E_pos, traversal, K = 1..10"].verdict == "not comparable"
    assert "the network alone" in found["§7 E_neg with the network as evaluator, shoes played to the cut card"].ours
    assert found["§8 E_pos as the appendix adds it up, mean of K = 1..20"].verdict == "not comparable"
    assert found["§6.3.7 E_neg, rounds sorted by the plain infinite deck"].printed is not None


def test_the_orbits_of_the_appendix_are_the_permutations_of_its_bases() -> None:
    for n, ranks, cards in ((4, 5, 7), (3, 4, 5), (2, 6, 6)):
        by_base: dict[tuple[int, ...], float] = {}
        uniform = uniform_combination(ranks, cards)
        for block, chances in compositions(n, ranks, cards):
            for row, chance in zip((block - np.array(uniform)).tolist(), chances.tolist(), strict=True):
                by_base[tuple(sorted(row))] = by_base.get(tuple(sorted(row)), 0.0) + chance
        for base, chance in by_base.items():
            assert orbit_probability(n, base, uniform) == pytest.approx(chance, rel=1e-12)


def test_the_appendix_values_the_cards_left_with_the_modifier_of_its_base() -> None:
    rules = PRESETS["thesis"]
    seen: list[np.ndarray] = []

    def values(shoes: np.ndarray) -> np.ndarray:
        seen.append(shoes)
        return np.where(np.arange(len(shoes)) == 0, 1.0, -2.0)

    found = appendix_sums(rules, 2, 1.0, values)
    uniform = 24 * 24 / (312 * 311 / 2)
    assert found.mass == pytest.approx(1.0)
    assert found.positive == pytest.approx(uniform)
    assert found.negative == pytest.approx(-2 * (1 - uniform))
    # A,2 gone; then, with the code's sign, one card less of the first rank is left and one more of the last
    assert seen[0][:2].tolist() == [[23, 23, *[24] * 7, 96], [22, 23, *[24] * 7, 97]]
