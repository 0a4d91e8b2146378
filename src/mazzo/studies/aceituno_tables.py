"""Aceituno's tables of results in his own columns: tournaments won, balance, final thresholds, player by player.

His balance is in thousands of chips: five stakes of a thousand a tournament won, one lost in each of the 400 played.
Where players learn, a sequence of 400 is one observation: it is repeated from other seeds. The players of trial 1 are
alike, so they are told apart by how many they won.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mazzo.statistics import Moments
from mazzo.studies.row import Measured, Printed, Row

__all__ = ["TABLES", "Line", "fixed_rows", "learning_rows", "record_rows", "sequences_played"]

Line = tuple[int, float, float]

TABLES: dict[int, tuple[Line, ...]] = {
    1: ((202, 0.55, 0.3), (3, 0.95, 0.9), (2, 0.95, 0.9), (188, 0.6, 0.25), (5, 0.95, 0.9)),
    2: ((2, 0.95, 0.9), (11, 0.95, 0.94), (5, 0.97, 0.96), (187, 0.43, 0.42), (195, 0.55, 0.3)),
    3: tuple((wins, 0.55, 0.3) for wins in (91, 93, 75, 66, 75)),
    4: tuple((wins, 0.55, 0.3) for wins in (75, 83, 73, 73, 96)),
    5: tuple((wins, 0.55, 0.3) for wins in (72, 96, 89, 67, 76)),
}
"""By trial and player: tournaments won, final thresholds to raise and to fold."""
_LINES = {1: 1467, 2: 1505, 3: 1545, 4: 1585, 5: 1627}
_PLAYED = 400
_PLACES = ("best", "second", "third", "fourth", "last")


def _balance(wins: float) -> float:
    """Thousands of chips: five for a tournament won, less one for each played."""
    return 5 * wins - _PLAYED


def _words(wins: float, raise_at: float, fold_at: float) -> str:
    return f"{wins:.0f}, {_balance(wins):+.0f}, {raise_at:.2f}, {fold_at:.2f}"


def sequences_played(play: Callable[[int], Any], count: int) -> dict[str, Any]:
    """Wins and final thresholds by sequence and player, and what each action brought in the first sequence."""
    wins, ends = [], []
    record: list[list[dict[str, Any]]] = []
    for k in range(count):
        result = play(k)
        wins.append([int(won) for won in result.wins])
        ends.append([[round(end["raise"], 4), round(end["fold"], 4)] for end in result.final])
        record = record or [end["table"] for end in result.final]
    return {"wins": wins, "ends": ends, "record": record}


def learning_rows(result: dict[str, Any]) -> list[Row]:
    """Trials 1 and 2: means over the sequences beside the document's one."""
    trial = result["trial"]
    wins, ends = np.array(result["wins"], float), np.array(result["ends"], float)
    theirs = list(enumerate(TABLES[trial]))
    names = [f"player {k + 1}" for k in range(5)]
    if trial == 1:
        order = np.argsort(-wins, axis=1, kind="stable")
        wins, ends = np.take_along_axis(wins, order, 1), np.take_along_axis(ends, order[:, :, None], 1)
        theirs.sort(key=lambda entry: -entry[1][0])
        names = [f"{place} player" for place in _PLACES]
    rows = []
    for k, (name, (player, line)) in enumerate(zip(names, theirs, strict=True)):
        found = Moments.of(wins[:, k])
        error = found.estimate().standard_error
        raise_at, fold_at = ends[:, k].mean(axis=0)
        why = f"wins compared; mean of {len(wins)} sequences, of which the document plays one"
        test = Measured(float(line[0]), found.mean, error, math.sqrt(found.variance), repetitions=len(wins))
        rows.append(_row(trial, name, player, line, _words(found.mean, raise_at, fold_at), why, test))
    return rows


def fixed_rows(trial: int, wins: Sequence[int]) -> list[Row]:
    """Trials 3 to 5, where thresholds stay: 400 tournaments beside 400."""
    rows = []
    for player, (won, line) in enumerate(zip(wins, TABLES[trial], strict=True)):
        ours, theirs = (math.sqrt(k * (1 - k / _PLAYED)) for k in (won, line[0]))
        test = Measured(float(line[0]), float(won), ours, theirs)
        why = "wins compared; thresholds are fixed"
        rows.append(_row(trial, f"player {player + 1}", player, line, _words(won, *line[1:]), why, test))
    return rows


def _row(trial: int, name: str, player: int, line: Line, ours: str, why: str, test: Measured) -> Row:
    printed = Printed(_words(*line), f"trial {trial}", _LINES[trial] + player)
    what = f"trial {trial}, {name}: wins of {_PLAYED}, balance in thousands, raise, fold"
    return Row(what, ours, f"± {test.half:.0f} wins", why, printed, test)


def record_rows(result: dict[str, Any]) -> list[Row]:
    """What each action brought by street, all five players of the first sequence together."""
    totals: dict[tuple[str, str], list[int]] = {}
    for table in result["record"]:
        for entry in table:
            total = totals.setdefault((entry["street"], entry["action"]), [0, 0])
            total[0] += entry["times"]
            total[1] += entry["net"]
    return [
        Row(
            f"trial {result['trial']}, {street}, {action}: hands, chips a hand",
            f"{times:,}, {net / times:+.1f}" if times else "0",
            "",
            f"all five players of the first sequence, seed {result['seed']}; the last action of a street counts",
        )
        for (street, action), (times, net) in totals.items()
    ]
