from __future__ import annotations

import json
from typing import Any

import pytest

from mazzo.studies import STUDIES, aceituno
from mazzo.studies.aceituno_grid import distance, grid_rows
from mazzo.studies.aceituno_tables import TABLES, fixed_rows

BALANCES = {
    1: (610, -385, -390, 540, -375),
    2: (-390, -345, -375, 535, 575),
    3: (55, 65, -25, -70, -25),
    4: (-25, 15, -35, -35, 80),
    5: (-40, 80, 45, -65, -20),
}


def test_balances_follow_from_the_tournaments_won() -> None:
    for trial, table in TABLES.items():
        assert sum(line[0] for line in table) == 400
        assert tuple(5 * line[0] - 400 for line in table) == BALANCES[trial]


def test_fixed_trials_are_compared_player_by_player() -> None:
    rows = fixed_rows(3, [93, 91, 75, 66, 75])
    assert rows[0].text == "91, +55, 0.55, 0.30"
    assert rows[0].ours == "93, +65, 0.55, 0.30"
    assert {row.verdict for row in rows} == {"undecided"}, "400 tournaments say little of one player"
    assert fixed_rows(3, [200, 50, 50, 50, 50])[0].verdict == "differs"


def test_learning_trials_give_wins_balance_thresholds_and_what_each_action_brought() -> None:
    assert STUDIES["aceituno"] is aceituno
    task = {"figure": "tables", "trial": 1, "sequences": 2, "seed": 0}
    result = aceituno.run(task)
    assert json.loads(json.dumps(result)) == result
    assert [sum(wins) for wins in result["wins"]] == [400, 400]
    rows = aceituno.rows([result])
    players, actions = rows[:5], rows[5:]
    assert [row.text.split(",")[0] for row in players] == ["202", "188", "5", "3", "2"], "alike, so told apart by wins"
    ours = [float(row.ours.split(",")[0]) for row in players]
    assert ours == sorted(ours, reverse=True)
    assert len(actions) == 4 * 3
    assert {row.verdict for row in actions} == {"added"}


def test_the_grid_varies_what_the_document_does_not_name_and_says_how_close_it_comes() -> None:
    assert distance([5, 188, 2, 202, 3]) == 0, "players are alike: only the order of wins counts"
    assert distance([80] * 5) == 230
    tasks = [task for task in aceituno.tasks(full=True) if task["figure"] == "grid"]
    for key, values in (("simple", 2), ("size", 2), ("n", 4), ("blinds", 3)):
        assert len({str(task[key]) for task in tasks}) == values
    shared: dict[str, Any] = {"figure": "grid", "size": "pot", "n": 20, "seed": 0}
    near = {**shared, "blinds": [5, 10], "simple": True, "away": [3, 3], "wins": [[202, 188, 5, 3, 2]] * 2}
    far = {**shared, "blinds": [50, 100], "simple": False, "away": [5, 5], "wins": [[80] * 5] * 2}
    for result in (near, far):
        result["distance"] = [distance(wins) for wins in result["wins"]]
    rows = grid_rows([far, near])
    assert rows[0].why.split("; ")[0] == "blinds 5/10, least raise one blind, size=pot, N 20"
    assert [row.verdict for row in rows] == ["agrees", "agrees", "added", "added"]
    assert [row.verdict for row in grid_rows([far])] == ["differs", "differs", "added"]


def test_one_setting_of_the_grid_is_played() -> None:
    task = next(task for task in aceituno.tasks(full=False) if task["figure"] == "grid")
    result = aceituno.run({**task, "sequences": 1})
    assert sum(result["wins"][0]) == 400
    assert result["distance"] == [distance(result["wins"][0])]


def test_a_mu_for_each_street_alone_and_for_all() -> None:
    task = {"figure": "mu by street", "sequences": 2, "seed": 0}
    result = aceituno.run(task)
    assert json.loads(json.dumps(result)) == result
    rows = aceituno.rows([result])
    assert [row.what.split(":")[0].removeprefix("mu .05 ") for row in rows] == list(aceituno._MUS_BY_STREET)
    assert sum(sum(wins) for wins in result["wins"]) == 800
    assert sum(float(row.ours.split(",")[0]) for row in rows) == pytest.approx(400, abs=3)
    ends = result["ends"][0]
    assert all(end != [0.55, 0.3] for end in (ends[0], ends[4])), "those who learn before the flop have moved"
