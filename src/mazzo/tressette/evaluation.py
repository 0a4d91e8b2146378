"""What each card of one decision is worth in deals that could be: solved, or played on a little and then solved.

From `full` cards a hand down, a deal is solved as it is. With more cards that would take too long for many deals, so
after each card everyone plays like `greedy` until hands are that short, and what is left is solved. Outcomes are whole
points, as they are counted: the side's thirds rounded down.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mazzo.jit import kernel
from mazzo.tressette.agents.baselines import greedy_card
from mazzo.tressette.bits import lowest, size
from mazzo.tressette.double_dummy import alike, every_card, memory_for, settle, step, tables, worth_of
from mazzo.tressette.observation import Observations
from mazzo.tressette.rules import LAST_TRICK_THIRDS, TOTAL_THIRDS, Int, Ints, legal_cards
from mazzo.tressette.trick import trick_stands

__all__ = ["distinct_cards", "points_of_deals"]

_EVERY = -1


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
        deals, o.played[0], o.count[0], np.int64(o.legal[0]), np.int64(o.thirds[0, 0]), np.int64(full),
        memory_for(full), tables(), points,
    )  # fmt: skip
    return points


@kernel
def _points(
    deals: Ints, played: NDArray[np.int8], count: Int, legal: Int, taken: Int, full: Int, memory: Ints, tables: Ints,
    points: Ints,
) -> None:  # fmt: skip
    led, best, owner, on_table = trick_stands(played, count)
    table, whole, guess = (count & 3, led, best, owner, on_table), np.int64(3), np.int64(-1)
    for i in range(len(deals)):
        hands = (deals[i, 0], deals[i, 1], deals[i, 2], deals[i, 3])
        if guess < 0:
            guess = (LAST_TRICK_THIRDS + worth_of(hands[0] | hands[1] | hands[2] | hands[3]) + on_table) // 2
        if size(hands[0]) <= full:
            every_card(hands, table, legal, taken, whole, guess, memory, tables, points[i])
        else:
            _played_on(hands, table, legal, taken, full, guess, memory, tables, points[i])
        for card in range(40):
            if points[i, card] >= 0:
                points[i, card] = (taken + points[i, card]) // 3


@kernel
def _played_on(
    hands: tuple[Int, Int, Int, Int], table: tuple[Int, Int, Int, Int, Int], legal: Int, taken: Int, full: Int,
    guess: Int, memory: Ints, tables: Ints, values: Ints,
) -> None:  # fmt: skip
    """Fill values[card] with the thirds the observer's side gets after each legal card."""
    a, b, c, d = hands
    place, _, best, _, on_table = table
    total = LAST_TRICK_THIRDS + worth_of(a | b | c | d) + on_table
    same = alike(a, a | b | c | d | (np.int64(1) << best) if place > 0 else a | b | c | d)
    left = legal & ~same
    while left != 0:
        card = lowest(left)
        left &= left - 1
        values[card] = _play_on(hands, table, card, total, taken, full, guess, memory, tables)
    value = np.int64(-1)
    for card in range(39, -1, -1):
        if (legal >> card) & 1:
            value = value if (same >> card) & 1 else values[card]
            values[card] = value


@kernel
def _play_on(
    hands: tuple[Int, Int, Int, Int], table: tuple[Int, Int, Int, Int, Int], card: Int, total: Int, taken: Int,
    full: Int, guess: Int, memory: Ints, tables: Ints,
) -> Int:  # fmt: skip
    """Thirds of the side to act if it plays a card, all go on like `greedy`, and the rest is solved."""
    a, b, c, d = hands
    place, led, best, best_at, pile = table
    mine, got, rest = True, np.int64(0), total
    while True:
        a, b, c, d, led, best, best_at, pile, own, rest_now, turned = step(
            a, b, c, d, card, place, led, best, best_at, pile, rest
        )
        place = (place + 1) & 3
        got += own if mine else rest - rest_now - own
        rest = rest_now
        mine = mine != turned
        if place == 0 and size(a) <= full:
            break
        suit = led if place > 0 else np.int64(-1)
        card = greedy_card(legal_cards(a, suit), suit, best, best_at, pile, place == 3)
    nobody, every, whole = np.int64(0), np.int64(_EVERY), np.int64(3)
    start = (nobody, nobody, nobody, nobody, nobody)
    have = taken + got if mine else TOTAL_THIRDS - taken - got - rest
    near = guess - got if mine else rest - guess + got
    found = settle((a, b, c, d), start, every, have, whole, near, memory, tables)
    return got + (found if mine else rest - found)
