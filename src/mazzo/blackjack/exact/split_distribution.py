"""How two hands of a split pair end together, exactly: both take cards from one shoe, and meet one dealer.

A hand's play depends on its own cards only, so the chance of two final hands is that of all their cards, times the
orders in which each may have been drawn. The dealer's chances are taken after both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.blackjack.columns import DOUBLE, HIT, STAND, SURRENDER
from mazzo.blackjack.exact.analysis import Analysis
from mazzo.blackjack.exact.dealer import OUTCOMES, dealer_walk, final_chances
from mazzo.blackjack.multisets import all_hands
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import ACE

__all__ = ["split_chances"]

_BUST, _GIVEN_UP = 0, -1
"""Totals of hands that are lost, and given up, whatever the dealer gets."""
_WORST = 8
"""Results are counted in half bets from four bets lost up."""


class _Finals(NamedTuple):
    """The ways one hand from a split can end."""

    cards: Ints
    """[end, rank]: the cards beside the one of the pair."""
    orders: Floats
    """How many orders of them lead there."""
    total: Ints
    stake: Ints


def _ends(analysis: Analysis, rank: int, upcard: int) -> Iterator[tuple[tuple[int, ...], int, int, int]]:
    """(cards beside the pair's, orders, total, stake) of every end of a hand."""
    hands, policy = all_hands().arrays, analysis.policy
    start = int(hands.after[len(hands.cards) - 1, rank])
    one_card = rank == ACE and not analysis.rules.hit_split_aces
    ways = np.zeros(len(hands.cards), np.int64)
    ways[start] = 1
    for hand in range(start, -1, -1):
        if not ways[hand]:
            continue
        play = HIT if hand == start or policy.hits[hand, upcard] else STAND
        if hands.cards[hand] == 2:
            play = STAND if one_card else int(policy.after_split[hand, upcard])
        beside = hands.counts[hand].copy()
        beside[rank] -= 1
        if play in (STAND, SURRENDER):
            yield tuple(beside), int(ways[hand]), int(hands.total[hand]) if play == STAND else _GIVEN_UP, 1
            continue
        for card in range(10):
            longer = int(hands.after[hand, card])
            if longer >= 0 and play == HIT:
                ways[longer] += ways[hand]
                continue
            more = beside.copy()
            more[card] += 1
            yield tuple(more), int(ways[hand]), int(hands.total[longer]) if longer >= 0 else _BUST, 1 + (play == DOUBLE)


def _finals(analysis: Analysis, rank: int, upcard: int) -> _Finals:
    merged: dict[tuple[tuple[int, ...], int, int], int] = {}
    for cards, orders, total, stake in _ends(analysis, rank, upcard):
        merged[cards, total, stake] = merged.get((cards, total, stake), 0) + orders
    return _Finals(
        np.array([cards for cards, _, _ in merged]),
        np.array(list(merged.values()), np.float64),
        np.array([total for _, total, _ in merged]),
        np.array([stake for _, _, stake in merged]),
    )


def _falling(left: Ints, taken: Ints) -> Floats:
    """[row]: the product over ranks of left x (left - 1) x .. for as many cards as are taken, over all cards alike."""
    most = int(taken.max()) + 1
    table = np.ones((10, most))
    for k in range(1, most):
        table[:, k] = table[:, k - 1] * np.maximum(left - k + 1, 0)
    result = np.ones(len(taken))
    for rank in range(10):
        result *= table[rank, taken[:, rank]]
    cards, number = int(left.sum()), taken.sum(1)
    whole = np.cumprod(np.r_[1.0, np.maximum(cards - np.arange(int(number.max())), 1)])
    return np.asarray(result / whole[number])


def _result(finals: _Finals, at: Ints, dealer: int, rules: Rules) -> Floats:
    """What hands win where the dealer ends with a total, 22 for a bust, 0 for a blackjack."""
    total, stake = finals.total[at], finals.stake[at].astype(np.float64)
    if dealer == 0:
        played = -stake
    else:
        beat = 0 if dealer == 22 else dealer
        played = stake * (np.sign(total - beat) if beat else np.ones_like(stake))
    given_up = -1.0 if dealer == 0 and rules.surrender == "late" else -0.5
    return np.where(total == _BUST, -stake, np.where(total == _GIVEN_UP, given_up, played))


def split_chances(analysis: Analysis, rank: int, upcard: int) -> dict[float, float]:
    """The chance of every result of two hands split from this pair; after a peek, without the dealer's blackjacks."""
    rules, shoe = analysis.rules, analysis.shoe.array()
    finals = _finals(analysis, rank, upcard)
    one, other = np.triu_indices(len(finals.orders))
    together = finals.cards[one] + finals.cards[other]
    gone = np.zeros(10, np.int64)
    gone[rank] += 2
    left = shoe - gone
    left[upcard] -= 1
    weights = _falling(left, together) * finals.orders[one] * finals.orders[other] * np.where(one == other, 1.0, 2.0)
    kept = weights > 0
    one, other, together, weights = one[kept], other[kept], together[kept], weights[kept]
    codes = together @ (64 ** np.arange(10, dtype=np.int64))
    unique, first, place = np.unique(codes, return_index=True, return_inverse=True)
    chances = np.zeros((len(unique), 10 * OUTCOMES))
    final_chances(shoe, together[first] + gone, np.arange(len(unique)), dealer_walk(rules.hit_soft_17), chances)
    ends = chances[:, upcard * OUTCOMES : (upcard + 1) * OUTCOMES]
    sums = np.zeros(4 * _WORST)
    for outcome, dealer in enumerate((17, 18, 19, 20, 21, 0, 22)):
        if dealer == 0 and rules.peek:
            continue
        chance = ends[:, outcome] if dealer != 22 else 1.0 - ends.sum(1)
        won = _result(finals, one, dealer, rules) + _result(finals, other, dealer, rules)
        halves = np.rint(2 * won).astype(np.int64) + _WORST
        sums += np.bincount(halves, weights * chance[place.reshape(-1)], len(sums))
    return {(k - _WORST) / 2: float(chance) for k, chance in enumerate(sums) if chance > 0}
