from __future__ import annotations

import json

from mazzo.studies import STUDIES, sassone


def _small(figure: str, name: str) -> dict[str, object]:
    return next(t for t in sassone.tasks(full=False) if t["figure"] == figure and name in t["agents"])


def _pair(first: str, second: str) -> dict[str, object]:
    return next(t for t in sassone.tasks(full=False) if t.get("players") == [first, second])


def test_the_study_is_listed_and_its_tasks_are_json() -> None:
    assert STUDIES["sassone"] is sassone
    for full in (False, True):
        tasks = sassone.tasks(full)
        assert json.loads(json.dumps(tasks)) == tasks
        pairs = {tuple(t["players"]) for t in tasks if t["figure"] == "pairings"}
        assert len(pairs) == 7 * 6 // 2


def test_the_full_form_plays_at_least_500_deals_with_a_solver_and_10000_without() -> None:
    deals: dict[tuple[str, ...], int] = {}
    for task in sassone.tasks(full=True):
        if task["figure"] == "pairings":
            start, stop = task["deals"]
            deals[tuple(task["players"])] = deals.get(tuple(task["players"]), 0) + stop - start
    assert deals["sampler", "decision"] == 500
    assert deals["decision", "greedy"] == 10_000


def test_results_become_rows_and_charts() -> None:
    tasks = [_pair("decision", "belief"), _small("losses", "decision"), _small("one seat", "belief")]
    results = [sassone.run(task) for task in [*tasks, _small("time", "greedy")]]
    assert json.loads(json.dumps(results)) == results
    rows = {row.what: row for row in sassone.rows(results)}
    assert rows["decision - belief: points a deal"].kind == "sign"
    ten = rows["belief in one seat: points of 110 in ten rounds"]
    assert ten.text == "61"
    assert ten.verdict == "undecided", "ten rounds say little"
    assert rows["decision - belief in one seat: good hands less poor hands"].kind == "sign"
    assert rows["decision - belief in one seat, poor hands: points a round"].verdict == "added"
    lost = [float(row.ours) for what, row in rows.items() if "points lost" in what]
    assert len(lost) == 7
    assert lost[-1] == 0, "the last card is forced"
    assert sum(lost) > 0
    assert float(rows["greedy: milliseconds a move"].ours) > 0
    titles = [chart.title for chart in sassone.charts(results)]
    assert titles == ["Against the decision network", "What a card loses against perfect play with open hands"]


def test_only_what_the_document_prints_stands_in_its_column() -> None:
    tasks = [_pair("greedy", "random"), _pair("decision", "belief"), _small("one seat", "decision")]
    rows = sassone.rows([sassone.run(task) for task in tasks])
    for row in rows:
        assert (row.verdict == "added") == (row.text == "")
    numbers = {row.text for row in rows if row.text and row.text.isdigit()}
    assert numbers <= {"63", "61", "7", "4", "10"}


def test_one_seat_gives_both_networks_the_same_deals_and_splits_them_by_pieces() -> None:
    task = {"figure": "one seat", "agents": ["belief", "belief"], "others": "greedy", "deals": [0, 40], "seed": 3}
    found = sassone.run(task)
    cells = [cell for line in found["difference"] for cell in line]
    assert sum(n for n, _, _ in cells) == 40
    assert all(mean == 0 for _, mean, _ in cells), "the same agent does the same"
    assert 0 < found["tens"]["belief"]["points"][1] < 110
