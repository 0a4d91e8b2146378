from __future__ import annotations

import json

from mazzo.studies import kischka, kischka_tables


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


def test_single_matches_are_held_against_those_of_the_same_player() -> None:
    streets = [
        {"street": name, "hands": 700, "wins": 20, "raises": 550, "calls": 500, "folds": 20, "net_bb": 2.0}
        for name in ("preflop", "flop", "turn", "river", "showdown")
    ]
    other = [{**street, "raises": 560, "net_bb": 3.0} for street in streets]
    repetitions = [[[streets, other]] * 3, [[streets, streets]] * 3]
    result = {"figure": "matches", "hero": "rich", "play": 1000, "repetitions": 2, "found": repetitions}
    found = {row.what: row for row in kischka.rows([result])}
    row = found["table 15: rich, match 1, flop, raises"]
    assert row.text == "549; the model +4"
    assert row.where == "table 15, line 892"
    assert "the clone here +5.0 on average" in row.why
    assert row.verdict == "differs", "550 in every match leaves no chance"
    assert found["table 14: rich, match 0, chips won"].ours == "+100.0"
    assert found["table 14: rich, match 0, chips won, the model less the original"].text == "+140"
    assert {row.verdict for row in kischka.rows([{**result, "hero": "reader"}]) if "match" in row.what} == {
        "not comparable"
    }


def test_a_player_that_adapts_is_held_beside_akuma() -> None:
    printed = [kischka_tables.largest_of_akuma(k).words for k in range(4)]
    assert printed[3] == "folds 68 to 47: 30.9"
    assert printed[0] == "calls 623 to 622: 0.2"
    assert kischka_tables.showdowns_of_akuma().words == "54.7 to 54.7: -0.1"


def test_dropping_attributes_is_held_against_costing_nothing_player_by_player() -> None:
    common = {"figure": "7", "hero": "reader", "street": 0, "matches": 7, "hands": 8000, "n": 10_000, "leaves": 9.0}
    results = [
        {**common, "list": name, "accuracy": accuracy, "ci95": [accuracy - 0.01, accuracy + 0.01]}
        for name, accuracy in (("usual", 0.88), ("all", 0.96))
    ]
    row = kischka.rows(results)[-1]
    assert row.ours == "+8.00"
    assert row.where == "table 7, line 597"
    assert row.verdict == "not comparable", "Akuma is not here"
