"""What each card of one decision is worth in deals that could be: solved, or played on a little and then solved.

From `full` cards a hand down, a deal is solved as it is. With more cards that would take too long for many deals, so
after each card everyone plays like `greedy` until hands are that short, and what is left is solved. Outcomes are whole
points, as they are counted: the side's thirds rounded down.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mazzo.bits import lowest, size
from mazzo.jit import kernel, tight_helper
from mazzo.tressette.choosing import greedy_card
from mazzo.tressette.kernels import TOTAL_THIRDS, Int, Ints, legal_cards, trick_stands
from mazzo.tressette.observation import Observations
from mazzo.tressette.solver.search import (
    EVERY,
    Position,
    alike,
    every_card,
    memory_for,
    settle,
    step,
    tables,
    to_be_had,
)

__all__ = ["distinct_cards", "points_of_deals"]


def distinct_cards(observation: Observations) -> int:
    """The legal cards of a batch of one that are not all alike: of cards next to each other in hand, the highest."""
    o = observation
    _, best, _, _ = trick_stands(o.played[0], int(o.count[0]))
    gone = int(np.bitwise_or.reduce(o.shown[0]))
    present = ~gone | (1 << int(best) if best >= 0 else 0)
    return int(o.legal[0]) & ~int(alike(np.int64(o.hand[0]), np.int64(present)))


def points_of_deals(observation: Observations, deals: Ints, full: int) -> NDArray[np.int64]:
    """[n, 40] whole points of the observer's side at the end of the round, by deal and legal card (else -1).

    Args:
        observation: A batch of one.
        deals: [n, 4] the hands now in each deal, the observer's first.
        full: From how many cards a hand on deals are solved at once.
    """
    o, points = observation, np.full((len(deals), 40), -1, np.int64)
    _points(
        deals,
        o.played[0],
        o.count[0],
        np.int64(o.legal[0]),
        np.int64(o.thirds[0, 0]),
        np.int64(full),
        memory_for(full),
        tables(),
        points,
    )
    return points


@kernel
def _points(
    deals: Ints,
    played: NDArray[np.int8],
    count: Int,
    legal: Int,
    taken: Int,
    full: Int,
    memory: Ints,
    tables: Ints,
    points: Ints,
) -> None:
    led, best, owner, on_table = trick_stands(played, count)
    whole, guess = np.int64(3), np.int64(-1)
    for i in range(len(deals)):
        a, b, c, d = deals[i, 0], deals[i, 1], deals[i, 2], deals[i, 3]
        position = Position(a, b, c, d, count & 3, led, best, owner, on_table)
        if guess < 0:
            guess = to_be_had(position) // 2
        if size(a) <= full:
            every_card(position, legal, taken, whole, guess, memory, tables, points[i])
        else:
            _played_on(position, legal, taken, full, guess, memory, tables, points[i])
        for card in range(40):
            if points[i, card] >= 0:
                points[i, card] = (taken + points[i, card]) // 3


@tight_helper
def _played_on(
    p: Position, legal: Int, taken: Int, full: Int, guess: Int, memory: Ints, tables: Ints, values: Ints
) -> None:
    """Fill values[card] with the thirds the observer's side gets after each legal card."""
    present = p.a | p.b | p.c | p.d
    same = alike(p.a, present | (np.int64(1) << p.best) if p.place > 0 else present)
    left = legal & ~same
    while left != 0:
        card = lowest(left)
        left &= left - 1
        values[card] = _play_on(p, card, taken, full, guess, memory, tables)
    value = np.int64(-1)
    for card in range(39, -1, -1):
        if (legal >> card) & 1:
            value = value if (same >> card) & 1 else values[card]
            values[card] = value


@tight_helper
def _play_on(p: Position, card: Int, taken: Int, full: Int, guess: Int, memory: Ints, tables: Ints) -> Int:
    """Thirds of the side to act if it plays a card, all go on like `greedy`, and the rest is solved."""
    mine, got, rest = True, np.int64(0), to_be_had(p)
    while True:
        p, own, rest_now, turned = step(p, card, rest)
        got += own if mine else rest - rest_now - own
        rest = rest_now
        mine = mine != turned
        if p.place == 0 and size(p.a) <= full:
            break
        suit = p.led if p.place > 0 else np.int64(-1)
        card = greedy_card(legal_cards(p.a, suit), suit, p.best, p.best_at, p.on_table, p.place == 3)
    have = taken + got if mine else TOTAL_THIRDS - taken - got - rest
    near = guess - got if mine else rest - guess + got
    found = settle(p, np.int64(EVERY), have, np.int64(3), near, memory, tables)
    return got + (found if mine else rest - found)
