from __future__ import annotations

import json

from mazzo.studies import kischka


def test_parts_of_the_quick_study_give_rows_and_charts() -> None:
    every = kischka.tasks(full=False)
    assert len(kischka.tasks(full=True)) > len(every)
    first: dict[str, dict[str, object]] = {}
    for task in every:
        first.setdefault(task["figure"], task)
    first.pop("14-16")  # a match of likeness is tested by itself
    results = [json.loads(json.dumps(kischka.run(task))) for task in first.values()]
    rows = kischka.rows(results)
    assert {row.what.split(":")[0] for row in rows} >= {"table 1", "table 8", "table 10", "table 12", "figures 3-7"}
    assert [row.verdict for row in rows if row.what.startswith("table 1:")] == ["agrees"] * 4
    assert {row.verdict for row in rows if row.what.startswith("table 8:")} == {"not comparable"}, "Akuma is not here"
    assert all(row.ours for row in rows)
    assert kischka.charts(results)
