from __future__ import annotations

import json

from mazzo.studies import STUDIES, aceituno
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
