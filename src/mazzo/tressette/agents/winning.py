"""What a round is played for: points, or in a match the chance of winning it.

The value of a score is the chance that a side at it wins the match against its like. It is computed, not fitted: the
agent `policy` plays rounds with itself, and how often a round gives the two sides so many points, cards and
declarations, says how likely every score leads to every other. Each round gives points, so that scores only rise, and
the table is filled in from the end. What dealing and leading are worth to a side is left out: both do so in turn.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from mazzo.arrays import Floats
from mazzo.lockstep import play_out
from mazzo.tressette.kernels import TOTAL_POINTS, declared_points
from mazzo.tressette.observation import A_PERDERE, ALL_POINTS_WIN, DECLARED, Observations

__all__ = ["chance_by_points", "chance_of_match", "points_lead", "round_chances", "score_values"]

_ROUNDS = 6000
_BEYOND = 48
"""Points over the target that are told apart: more than any round gives."""


@cache
def round_chances(declared: bool, a_perdere: bool) -> Floats:
    """[ours, theirs] the chance that a round gives the two sides these points, both sides playing alike."""
    from mazzo.tressette.agents.policy import FittedPolicy
    from mazzo.tressette.rules import PRESETS
    from mazzo.tressette.table import Table

    rules = PRESETS["tressette-a-perdere" if a_perdere else "tressette"]
    table = Table.deal(0, range(_ROUNDS), (np.arange(_ROUNDS) % 4).astype(np.int8), rules)
    play_out(table, [FittedPolicy()] * 4)
    points = table.points()
    if a_perdere:
        points = np.where((points == TOTAL_POINTS).any(axis=1)[:, None], points[:, ::-1], points)
    if declared:
        told = declared_points(table.declared)
        points = points + np.stack([told[:, 0] + told[:, 2], told[:, 1] + told[:, 3]], axis=1)
    found = np.zeros((_BEYOND, _BEYOND))
    np.add.at(found, (points[:, 0], points[:, 1]), 1.0)
    return np.asarray((found + found.T) / found.sum() / 2)  # what one side gets the other could


@cache
def score_values(target: int, declared: bool, a_perdere: bool = False) -> Floats:
    """[ours, theirs] the chance of winning a match to `target` for a side that has so many points, the other so many.

    Scores at or past the target are in it too: equal ones are played on.
    """
    size = target + _BEYOND
    chances = round_chances(declared, a_perdere)
    ours, theirs = np.nonzero(chances)
    p = chances[ours, theirs]
    values = np.full((size + _BEYOND, size + _BEYOND), 0.5)
    a, b = np.indices(values.shape)
    over = (np.maximum(a, b) >= target) & (a != b)
    values[over] = ((a > b) != a_perdere)[over]
    for total in range(2 * target, -1, -1):  # a round gives eleven points or more, so what follows is known
        for mine in range(max(0, total - target - 1), min(total, target + 1) + 1):
            other = total - mine
            if not over[mine, other] and max(mine, other) < target:
                values[mine, other] = p @ values[mine + ours, other + theirs]
    return values


def points_lead(a_perdere: bool = False) -> Floats:
    """[12] by points taken what the round gives: our points less theirs; a perdere the other way round."""
    lead: Floats = 2.0 * np.arange(TOTAL_POINTS + 1, dtype=np.float64) - TOTAL_POINTS
    if a_perdere:
        lead[1:-1] *= -1  # all points go to the other side, and so none come to this one
    return np.asarray(lead)


def chance_of_match(one: Observations) -> float:
    """The chance of winning the match before the round that a batch of one is of, its declarations apart."""
    ours, theirs, target, flags = (int(x) for x in one.match[0])
    return float(score_values(target, bool(flags & DECLARED), bool(flags & A_PERDERE))[ours, theirs])


def chance_by_points(one: Observations) -> Floats | None:
    """[12] by points of cards taken in the round the chance of winning the match; None where it stands alone."""
    ours, theirs, target, flags = (int(x) for x in one.match[0])
    if not target:
        return None
    told = declared_points(one.declared)[0]
    declared, a_perdere = bool(flags & DECLARED), bool(flags & A_PERDERE)
    values = score_values(target, declared, a_perdere)
    taken = np.arange(TOTAL_POINTS + 1)
    counted = taken.copy()
    if a_perdere:
        counted[[0, -1]] = TOTAL_POINTS, 0
    most = len(values) - 1
    mine = np.minimum(ours + told[0] + told[2] + counted, most)
    other = np.minimum(theirs + told[1] + told[3] + TOTAL_POINTS - counted, most)
    found = values[mine, other]
    if flags & ALL_POINTS_WIN:
        found[0], found[-1] = 0.0, 1.0
    return np.asarray(found)
