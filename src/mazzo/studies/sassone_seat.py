"""Sassone's rounds as he played them: one agent in one seat, the other three seats played otherwise.

He let a person play the three others; here they are `greedy`. Both networks play the same deals, so that their
difference is taken deal by deal. The quality of a hand is its number of pieces (threes, twos and aces).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent, create
from mazzo.confidence import LEVEL
from mazzo.statistics import Z95, Estimate, Moments
from mazzo.studies.row import Measured, Printed, Row, Sign

__all__ = ["seat_rows", "seat_run", "seat_tasks"]

_NETWORKS = ("decision", "belief")
_OTHERS = "greedy"
_TENS = {"decision": (63, 7, 434), "belief": (61, 7, 583)}
_QUALITIES = ("poor", "average", "good")
_POOR, _GOOD = 2, 4
"""Pieces: at most so many are a poor hand, at least so many a good one; the mean is three."""
_NOTHING = 1
"""A partner with at most so many pieces has "nothing"."""


def seat_tasks(full: bool, seed: int) -> list[dict[str, Any]]:
    """All deals in one part for both networks."""
    deals, size = (20_000, 10_000) if full else (300, 300)
    return [
        {"figure": "one seat", "agents": list(_NETWORKS), "others": _OTHERS, "deals": [k, k + size], "seed": seed}
        for k in range(0, deals, size)
    ]


def seat_run(task: dict[str, Any]) -> dict[str, Any]:
    """Points of the agent's side by network, and their difference by the quality of both hands."""
    played = [_one_seat(name, task) for name in task["agents"]]
    hands = played[0].dealt
    assert all((table.dealt == hands).all() for table in played)
    points = [table.points()[:, 0].astype(np.float64) for table in played]
    mine, partner = _quality(_pieces(hands[:, 0])), _quality(_pieces(hands[:, 2]))
    difference = points[0] - points[1]
    by_quality = [[_moments(difference[(mine == a) & (partner == b)]) for b in range(3)] for a in range(3)]
    return {
        "tens": {name: _tens(p) for name, p in zip(task["agents"], points, strict=True)},
        "difference": by_quality,
        "three threes": _three_threes(hands, points[0]),
    }


def _one_seat(name: str, task: dict[str, Any]) -> Any:
    from mazzo.lockstep import play_out
    from mazzo.tressette.agents import AGENTS
    from mazzo.tressette.table import Table

    deals = range(*task["deals"])
    table = Table.deal(task["seed"], deals, (np.arange(deals.start, deals.stop) % 4).astype(np.int8))
    table.seating[:] = [0, 1, 1, 1]
    agents: list[Agent[Any]] = [create(agent, AGENTS) for agent in (name, task["others"])]
    play_out(table, agents)
    return table


def _pieces(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    from mazzo.tressette.kernels import HONOURS

    every = sum(HONOURS << (10 * suit) for suit in range(4))
    return np.asarray(np.bitwise_count(hands & every), np.int64)


def _quality(pieces: NDArray[np.int64]) -> NDArray[np.int64]:
    """0 poor, 1 average, 2 good."""
    return (pieces > _POOR).astype(np.int64) + (pieces >= _GOOD)


def _three_threes(hands: NDArray[np.int64], points: NDArray[np.float64]) -> dict[str, list[float]]:
    """The hand he prints, three of the four threes, with a partner that has nothing and with one that has much."""
    threes = sum(1 << (10 * suit + 9) for suit in range(4))
    held = np.bitwise_count(hands[:, 0] & threes) == 3
    partner = _pieces(hands[:, 2])
    return {
        "nothing": _moments(points[held & (partner <= _NOTHING)]),
        "good": _moments(points[held & (partner >= _GOOD)]),
    }


def _tens(points: NDArray[np.float64]) -> dict[str, list[float]]:
    tens = points[: len(points) // 10 * 10].reshape(-1, 10)
    return {"points": _moments(tens.sum(axis=1)), "won": _moments((tens > 5).sum(axis=1))}


def _moments(values: NDArray[Any]) -> list[float]:
    moments = Moments.of(values)
    return [moments.n, moments.mean, moments.squares]


def _sum(parts: Sequence[Sequence[float]]) -> Moments:
    total = Moments()
    for n, mean, squares in parts:
        total = total + Moments(int(n), mean, squares)
    return total


def seat_rows(results: Sequence[dict[str, Any]]) -> list[Row]:
    """Points and rounds won of ten, the hand of three threes, and the conclusion by the quality of the hand."""
    found = [result for result in results if result["figure"] == "one seat"]
    if not found:
        return []
    return [*_ten_rows(found), *_threes_rows(found), *_conclusion_rows(found)]


def _ten_rows(found: Sequence[dict[str, Any]]) -> list[Row]:
    made = []
    for name in _NETWORKS:
        *texts, line = _TENS[name]
        units = (("points", 110, "points of 110 in ten rounds"), ("won", 10, "rounds won of ten"))
        for (key, most, what), text in zip(units, texts, strict=True):
            tens = _sum([result["tens"][name][key] for result in found])
            made.append(_single(f"{name} in one seat: {what}", str(text), line, tens, most, "ten"))
    return made


def _threes_rows(found: Sequence[dict[str, Any]]) -> list[Row]:
    made = []
    partners = {"nothing": (f"at most {_NOTHING} piece", "4"), "good": (f"at least {_GOOD} pieces", "10")}
    for key, (words, text) in partners.items():
        rounds = _sum([result["three threes"][key] for result in found])
        what = f"decision in one seat, three threes, its partner with {words}: points of 11"
        if rounds.n > 1:
            made.append(_single(what, text, 434, rounds, 11, "round"))
    return made


def _single(what: str, text: str, line: int, ours: Moments, most: int, unit: str) -> Row:
    """The document's one ten or round beside the distribution of ours."""
    spread = math.sqrt(ours.variance)
    interval = f"{max(0.0, ours.mean - Z95 * spread):.0f} .. {min(float(most), ours.mean + Z95 * spread):.0f}"
    why = f"the interval is {LEVEL} of single {unit}s, as the document has one; {ours.n} {unit}s; others: {_OTHERS}"
    test = Measured(float(text), ours.mean, spread / math.sqrt(ours.n), spread)
    return Row(what, f"{ours.mean:.1f}", interval, why, Printed(text, "evaluation", line), test)


def _conclusion_rows(found: Sequence[dict[str, Any]]) -> list[Row]:
    """His conclusion as he says it: a difference of differences where he says that it grows."""
    by = [[_sum([r["difference"][a][b] for r in found]) for b in range(3)] for a in range(3)]
    mine = [(by[a][0] + by[a][1] + by[a][2]).estimate() for a in range(3)]
    everything = _sum([r["difference"][a][b] for r in found for a in range(3) for b in range(3)]).estimate()
    title = "decision - belief in one seat"
    better = Printed("decision better, 63 points against 61", "evaluation", 583)
    rows = [_claim(f"{title}: points a round", everything, better)]
    for quality, estimate in zip(_QUALITIES, mine, strict=True):
        what = f"{title}, {quality} hands: points a round"
        printed = Printed("decision better with a good hand", "evaluation", 583) if quality == "good" else None
        rows.append(_claim(what, estimate, printed))
    grows = Printed("the difference grows with good hands, narrows with poor ones", "conclusions", 589)
    rows.append(_claim(f"{title}: good hands less poor hands", _less(mine[2], mine[0]), grows))
    alone = Printed("and grows more when the partner cannot help", "conclusions", 589)
    partner = _less(by[2][0].estimate(), by[2][2].estimate())
    rows.append(_claim(f"{title}, good hands: poor partners less good partners", partner, alone))
    return rows


def _less(first: Estimate, second: Estimate) -> Estimate:
    error = math.hypot(first.standard_error, second.standard_error)
    return Estimate(first.mean - second.mean, error, first.n + second.n)


def _claim(what: str, estimate: Estimate, printed: Printed | None) -> Row:
    low, high = estimate.ci95
    why = (
        f"{estimate.n} deals, each played by both; poor: at most {_POOR} pieces (3, 2, A), good: at least {_GOOD}; "
        f"others: {_OTHERS}"
    )
    test = None if printed is None else Sign(estimate.mean, estimate.standard_error)
    return Row(what, f"{estimate.mean:+.2f}", f"{low:+.2f} .. {high:+.2f}", why, printed, test)
