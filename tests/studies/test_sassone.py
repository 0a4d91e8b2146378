from __future__ import annotations

import json

from mazzo.studies import STUDIES, sassone


def _small(figure: str, name: str) -> dict[str, object]:
    return next(t for t in sassone.tasks(full=False) if t["figure"] == figure and t["players"][0] == name)


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
    tasks = [_small("pairings", "decision"), _small("losses", "decision"), _small("ten rounds", "belief")]
    results = [sassone.run(task) for task in [*tasks, _small("time", "greedy")]]
    assert json.loads(json.dumps(results)) == results
    rows = {row.what: row for row in sassone.rows(results)}
    assert rows["decision - belief: points a deal"].kind == "sign"
    assert rows["belief: points of 110 in ten rounds"].text == "61"
    assert rows["belief: points of 110 in ten rounds"].verdict == "undecided", "ten rounds say little"
    lost = [float(row.ours) for what, row in rows.items() if "points lost" in what]
    assert len(lost) == 7
    assert lost[-1] == 0, "the last card is forced"
    assert sum(lost) > 0
    assert float(rows["greedy: milliseconds a move"].ours) > 0
    titles = [chart.title for chart in sassone.charts(results)]
    assert titles == ["Against the decision network", "What a card loses against perfect play with open hands"]
