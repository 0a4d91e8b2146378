"""Aceituno's trial 1 over what his text does not name: blinds, least raise, size of raises, hands between two steps.

How close a setting comes: players in order of tournaments won beside his 202, 188, 5, 3 and 2, counted as the
tournaments of 400 that would have to go to another player.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from mazzo.statistics import Moments
from mazzo.studies.aceituno_tables import TABLES
from mazzo.studies.row import Measured, Printed, Row

__all__ = ["RAN_AWAY", "distance", "grid_result", "grid_rows", "grid_tasks"]

RAN_AWAY = 0.8
"""Who ends with a threshold to raise this high has run away."""

_BLINDS = ((5, 10), (25, 50), (50, 100))
_SIZES = ("stack", "pot")
_HANDS = (20, 50, 100, 200)
_HIS = np.sort([line[0] for line in TABLES[1]])[::-1]


def grid_tasks(full: bool) -> Iterator[dict[str, Any]]:
    """Every setting; in the quick form its corners, twice each."""
    hands = _HANDS if full else (_HANDS[0], _HANDS[2])
    blinds = _BLINDS if full else (_BLINDS[0], _BLINDS[2])
    for level, simple, size, n in product(blinds, (False, True), _SIZES, hands):
        yield {
            "figure": "grid",
            "blinds": list(level),
            "simple": simple,
            "size": size,
            "n": n,
            "sequences": 10 if full else 2,
        }


def distance(wins: Sequence[int]) -> float:
    """The tournaments that would have to go to another player to make the document's column."""
    ours = np.sort(np.asarray(wins))[::-1]
    return float(np.abs(ours - _HIS).sum() / 2)


def grid_result(played: Sequence[Any]) -> dict[str, Any]:
    """Of each sequence: how many ran away, tournaments won by place, how far that is from the document."""
    away = [int((result.played.drift[-1, :, 0] >= RAN_AWAY).sum()) for result in played]
    wins = [sorted((int(k) for k in result.wins), reverse=True) for result in played]
    return {"away": away, "wins": wins, "distance": [distance(w) for w in wins]}


def _setting(result: dict[str, Any]) -> str:
    small, big = result["blinds"]
    least = "one blind" if result["simple"] else "the last raise"
    return f"blinds {small}/{big}, least raise {least}, size={result['size']}, N {result['n']}"


def _told(result: dict[str, Any]) -> tuple[str, str]:
    away, far = Moments.of(result["away"]), Moments.of(result["distance"])
    wins = " ".join(f"{k:.0f}" for k in np.mean(result["wins"], axis=0))
    exactly = sum(k == 3 for k in result["away"])
    low, high = away.estimate().ci95
    ours = (
        f"{away.mean:.1f} of 5 run away, exactly three in {exactly} of {away.n}; wins by place {wins}; "
        f"{far.mean:.0f} of 400 off"
    )
    return ours, f"{max(0.0, low):.1f} to {min(5.0, high):.1f} run away"


def _last_three(title: str, result: dict[str, Any]) -> Row:
    """What the three players with fewest wins have together: the document's runaways hardly win."""
    last = Moments.of([sum(wins[2:]) for wins in result["wins"]])
    printed, error = Printed("10 (5 + 3 + 2)", "trial 1", 1468), last.estimate().standard_error
    test = Measured(10.0, last.mean, error, math.sqrt(last.variance), repetitions=last.n)
    return Row(f"{title}: wins of the last three", f"{last.mean:.0f} of 400", "", _setting(result), printed, test)


def grid_rows(results: Sequence[dict[str, Any]]) -> list[Row]:
    """The setting closest to the document's table beside it, then every setting."""
    found = [result for result in results if result["figure"] == "grid"]
    if not found:
        return []
    best = min(found, key=lambda result: float(np.mean(result["distance"])))
    ours, interval = _told(best)
    nearest = min(min(result["distance"]) for result in found)
    away = Moments.of(best["away"])
    printed = Printed("3 of 5 run away; wins 202 188 5 3 2", "trial 1", 1467)
    error = away.estimate().standard_error
    test = Measured(3.0, away.mean, error, math.sqrt(away.variance), repetitions=away.n)
    why = (
        f"{_setting(best)}; run away compared; the nearest single sequence of all "
        f"{sum(len(r['away']) for r in found)} is {nearest:.0f} of 400 off"
    )
    title = f"trial 1, the closest of {len(found)} settings"
    rows = [Row(f"{title}: how many run away", ours, interval, why, printed, test), _last_three(title, best)]
    for result in found:
        told, between = _told(result)
        rows.append(Row(f"trial 1, {_setting(result)}", told, between, f"{len(result['away'])} sequences of 400"))
    return rows
