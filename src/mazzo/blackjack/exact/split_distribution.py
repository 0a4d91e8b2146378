"""How two hands of a split pair end together, exactly: both take cards from one shoe, and meet one dealer.

A hand's play depends on its own cards only, so the chance of two final hands is that of all their cards, times the
orders in which each may have been drawn. The dealer's chances are taken after both.

With resplits there are up to four hands, and what is found for two of them gives the second moment of all: a square
of a sum is a sum of products of two. As in `exact.split`, second cards are dealt first; of the hands beside the two
only that their second card is not the pair's matters, which inclusion and exclusion turns into pair cards gone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np

from mazzo.arrays import Flags, Floats, Ints
from mazzo.blackjack.columns import DOUBLE, HIT, STAND, SURRENDER
from mazzo.blackjack.exact.analysis import Analysis
from mazzo.blackjack.exact.dealer import OUTCOMES, dealer_walk, final_chances
from mazzo.blackjack.exact.split import excluding_weights
from mazzo.blackjack.multisets import all_hands
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import ACE

__all__ = ["split_chances", "split_moments"]

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
    paired: Flags
    """Whether the second card was the pair's again."""


class _Together(NamedTuple):
    """Two ends at a time, each two once; the cards of both, as rows that differ and the row of each two."""

    one: Ints
    other: Ints
    cards: Ints
    place: Ints

    @classmethod
    def of(cls, finals: _Finals, one: Ints, other: Ints) -> _Together:
        """These two ends at a time; an end beside itself (`other` -1) is alone."""
        cards = finals.cards[one] + np.where(other[:, None] >= 0, finals.cards[other], 0)
        _, first, place = np.unique(
            cards @ (64 ** np.arange(10, dtype=np.int64)), return_index=True, return_inverse=True
        )
        return cls(one, other, cards[first], place.reshape(-1))


def _ends(
    analysis: Analysis, rank: int, upcard: int, seconds: Collection[int]
) -> Iterator[tuple[tuple[int, ...], int, int, int]]:
    """(cards beside the pair's, orders, total, stake) of every end of a hand whose second card is one of these."""
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
        for card in seconds if hand == start else range(10):
            longer = int(hands.after[hand, card])
            if longer >= 0 and play == HIT:
                ways[longer] += ways[hand]
                continue
            more = beside.copy()
            more[card] += 1
            yield tuple(more), int(ways[hand]), int(hands.total[longer]) if longer >= 0 else _BUST, 1 + (play == DOUBLE)


def _finals(analysis: Analysis, rank: int, upcard: int) -> _Finals:
    merged: dict[tuple[tuple[int, ...], int, int, bool], int] = {}
    for paired, seconds in ((False, [r for r in range(10) if r != rank]), (True, [rank])):
        for cards, orders, total, stake in _ends(analysis, rank, upcard, seconds):
            end = cards, total, stake, paired
            merged[end] = merged.get(end, 0) + orders
    return _Finals(
        np.array([end[0] for end in merged]),
        np.array(list(merged.values()), np.float64),
        np.array([end[1] for end in merged]),
        np.array([end[2] for end in merged]),
        np.array([end[3] for end in merged]),
    )


def _falling(left: Ints, taken: Ints) -> Floats:
    """[row]: the product over ranks of left x (left - 1) x .. for as many cards as are taken, over all cards alike."""
    most = int(taken.max()) + 1
    cards, number = int(left.sum()), taken.sum(1)
    table = np.ones((10, most))
    for k in range(1, most):
        table[:, k] = table[:, k - 1] * np.maximum(left - k + 1, 0) / cards
    result = np.ones(len(taken))
    for rank in range(10):
        result *= table[rank, taken[:, rank]]
    whole = np.cumprod(np.r_[1.0, np.maximum(cards - np.arange(int(number.max())), 1) / cards])
    return np.asarray(result / whole[number])


def _results(finals: _Finals, dealer: int, rules: Rules) -> Floats:
    """What hands win where the dealer ends with a total, 22 for a bust, 0 for a blackjack."""
    total, stake = finals.total, finals.stake.astype(np.float64)
    if dealer == 0:
        played = -stake
    else:
        beat = 0 if dealer == 22 else dealer
        played = stake * (np.sign(total - beat) if beat else np.ones_like(stake))
    given_up = -1.0 if dealer == 0 and rules.surrender == "late" else -0.5
    return np.where(total == _BUST, -stake, np.where(total == _GIVEN_UP, given_up, played))


def _chances(
    analysis: Analysis, finals: _Finals, ends: _Together, rank: int, upcard: int, level: int = 0
) -> Iterator[tuple[int, Floats]]:
    """The dealer's totals (22 a bust, 0 a blackjack), and the chance of each two ends with it.

    `level` further cards of the pair's rank are gone. After a peek the dealer's blackjacks are not among them.
    """
    gone = np.zeros(10, np.int64)
    gone[rank] += 2 + level
    left = analysis.shoe.array() - gone
    left[upcard] -= 1
    orders = finals.orders[ends.one] * np.where(ends.other >= 0, finals.orders[ends.other], 1.0)
    orders *= np.where((ends.one == ends.other) | (ends.other < 0), 1.0, 2.0)
    drawn = _falling(np.maximum(left, 0), ends.cards)
    found = np.zeros((len(ends.cards), 10 * OUTCOMES))
    rows, walk = np.flatnonzero(drawn), dealer_walk(analysis.rules.hit_soft_17)
    final_chances(analysis.shoe.array(), ends.cards + gone, rows, walk, found)
    dealer = found[:, upcard * OUTCOMES : (upcard + 1) * OUTCOMES]
    for outcome, total in enumerate((17, 18, 19, 20, 21, 0, 22)):
        if total or not analysis.rules.peek:
            chance = dealer[:, outcome] if total != 22 else 1.0 - dealer.sum(1)
            yield total, orders * (drawn * chance)[ends.place]


def split_chances(analysis: Analysis, rank: int, upcard: int) -> dict[float, float]:
    """The chance of every result of two hands split from this pair; after a peek, without the dealer's blackjacks."""
    finals = _finals(analysis, rank, upcard)
    ends = _Together.of(finals, *np.triu_indices(len(finals.orders)))
    sums = np.zeros(4 * _WORST)
    for dealer, chances in _chances(analysis, finals, ends, rank, upcard):
        halves = np.rint(2 * _results(finals, dealer, analysis.rules)).astype(np.int64)
        sums += np.bincount(halves[ends.one] + halves[ends.other] + _WORST, chances, len(sums))
    return {(k - _WORST) / 2: float(chance) for k, chance in enumerate(sums) if chance > 0}


class _Level(NamedTuple):
    """Means with so many further cards of the pair gone; `[0]` of a hand that got another card, `[1]` of any hand."""

    value: Floats
    square: Floats
    product: Floats
    """Of two hands: both with another card, one of them, neither bound to it."""


def _levels(analysis: Analysis, rank: int, upcard: int, levels: int) -> Iterator[_Level]:
    rules, finals = analysis.rules, _finals(analysis, rank, upcard)
    every, free = np.arange(len(finals.orders)), finals.paired.astype(np.int64)
    single, double = _Together.of(finals, every, every * 0 - 1), _Together.of(finals, *np.triu_indices(len(every)))
    kind = free[double.one] + free[double.other]
    won = {dealer: _results(finals, dealer, rules) for dealer in (17, 18, 19, 20, 21, 0, 22)}
    for level in range(levels):
        value, square, product = np.zeros(2), np.zeros(2), np.zeros(3)
        for dealer, chances in _chances(analysis, finals, single, rank, upcard, level):
            value += np.cumsum(np.bincount(free, chances * won[dealer], 2))
            square += np.cumsum(np.bincount(free, chances * won[dealer] ** 2, 2))
        for dealer, chances in _chances(analysis, finals, double, rank, upcard, level):
            both, mixed, same = np.bincount(kind, chances * won[dealer][double.one] * won[dealer][double.other], 3)
            product += [both, both + mixed / 2, both + mixed + same]
        yield _Level(value, square, product)


def split_moments(analysis: Analysis, rank: int, upcard: int, max_hands: int) -> tuple[float, float]:
    """Mean and mean square of what splitting this pair wins, split again up to so many hands; exactly."""
    shoe, most = analysis.shoe, max_hands - 2
    pairs, unseen = shoe.counts[rank] - 2 - (rank == upcard), shoe.cards - 3
    levels = list(_levels(analysis, rank, upcard, 2 * most + 1))

    def mean(of: str, kind: int, d: int, others: int) -> float:
        """The mean of a kind of hand or two where d pair cards have come and `others` further hands got none."""
        weights = np.zeros(others + 1)
        excluding_weights(pairs, unseen, d, others, weights)
        return sum(float(w) * float(getattr(levels[d + k], of)[kind]) for k, w in enumerate(weights) if w)

    first = second = 0.0
    for d, closed, free, ways in _structures(most):
        reach = ways * float(np.prod([max(pairs - k, 0) / max(unseen - k, 1) for k in range(d)]))
        for hands, kind, others in ((closed, 0, closed - 1), (free, 1, closed)):
            if hands and reach:
                first += reach * hands * mean("value", kind, d, others)
                second += reach * hands * mean("square", kind, d, others)
        twos = (closed * (closed - 1), closed - 2), (2 * closed * free, closed - 1), (free * (free - 1), closed)
        for kind, (count, others) in enumerate(twos):
            if count and reach:
                second += reach * count * mean("product", kind, d, others)
    return first, second


def _structures(most: int) -> Iterator[tuple[int, int, int, int]]:
    """(further pair cards, hands that got another card, hands that take any, ways there) at the end of splitting."""
    ways = {(0, 0): 1}
    for d in range(most + 1):
        for closed in range(d + 3):
            here = ways.get((d, closed), 0)
            if here and (d == most or closed == d + 2):
                yield d, closed, d + 2 - closed, here
            elif here:
                for after in ((d, closed + 1), (d + 1, closed)):
                    ways[after] = ways.get(after, 0) + here
