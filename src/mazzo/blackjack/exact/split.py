"""What splitting a pair is worth: exactly, to any number of hands.

Zero-memory play: after a split each hand plays what its own cards would play had there been no split. Then a hand's
result depends on the others only through the cards they took out, and cards still unseen are exchangeable: it does not
matter in which order the hands are played. So the second cards are dealt first. With p the pair's rank, every hand
that gets a p is split again while hands remain; a hand that gets anything else is finished with splitting. The value
of a hand given that d further p have come and that `a` other hands were dealt something else is, by inclusion and
exclusion over which of those `a` cards would have been p,

    sum over l of (-1)^l C(a, l) (m-d)(m-d-1).../(n-d)(n-d-1)... X(d+l),

where X(k) is the value of a hand of one p when k further p are out of the shoe, m the p and n the cards unseen after
the pair and the upcard. Only the X(k) need the dealer's chances, and only for hands the strategy stands on.

Without a limit of hands the best play is found by the text's formula 5.12 instead: S(k) = 2 sum P(i) best(p, i), where
best(p, p) may be S(k+1), each level played at its best. A strategy that is given is followed as above.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from mazzo.blackjack.exact.play import (
    best_after_a_split,
    double_value,
    hit_value,
    stand_value,
    surrender_value,
    unseen_cards,
)
from mazzo.blackjack.multisets import Flags, Floats, HandArrays, Ints, all_hands
from mazzo.jit import helper, inlined, kernel, tight, tight_helper

__all__ = [
    "After",
    "PairTable",
    "SplitPair",
    "best_of_level",
    "excluding_weights",
    "fixed_split",
    "most_points",
    "pair_table",
    "pair_values",
    "second_cards",
    "see_and_stand",
    "split_sum",
    "stands_reached",
    "unlimited_split",
]


class PairTable(NamedTuple):
    """The hands that hold a rank p, and the removals they make together with further p.

    A removal is (the cards other than p, how many p): row = rest * copies + number of p.
    """

    rank: int
    hands: Ints
    """The hands with at least one p, in the order of `all_hands`."""
    rest: Ints
    """For every hand the number of its cards other than p as a multiset; -1 where it holds no p."""
    copies: int
    removed: Ints
    known: Ints
    """For every removal the hand that has these cards; -1 where that would be a bust."""


class SplitPair(NamedTuple):
    """A pair to split and what its hands are played by: what the kernels here take."""

    shoe: Ints
    hands: HandArrays
    table: PairTable
    chances: Floats
    """The dealer's chances after each removal of `table`."""
    one_card: bool
    """Whether each hand gets one card and stands."""
    peek: bool
    late: bool
    """Whether surrender loses the whole stake to a dealer's blackjack."""


class After(NamedTuple):
    """What a hand from a split may do beside standing and hitting."""

    double: Flags
    """[hand]"""
    surrender: Flags
    """[upcard]"""


@cache
def pair_table(rank: int, levels: int) -> PairTable:
    """The table of pairs of `rank` with up to `levels` further cards of it taken by other hands."""
    every = all_hands()
    hands = every.arrays
    holding = np.flatnonzero(hands.counts[:, rank] > 0)
    others = hands.counts[holding].copy()
    others[:, rank] = 0
    unique, index = np.unique(others, axis=0, return_inverse=True)
    rest = np.full(len(every), -1, np.int64)
    rest[holding] = index.reshape(-1)
    copies = int(hands.counts[:, rank].max()) + levels + 2
    removed = np.repeat(unique, copies, axis=0)
    removed[:, rank] = np.tile(np.arange(copies), len(unique))
    known = np.array([every.number.get(tuple(row), -1) for row in removed.tolist()], np.int64)
    return PairTable(rank, holding, rest, copies, removed, known)


@kernel
def stands_reached(
    shoe: Ints,
    hands: HandArrays,
    table: PairTable,
    upcard: int,
    first: Ints,
    hits: Flags,
    one_card: bool,
    needed: Flags,
) -> None:
    """Mark the hands on which a hand split from `rank` may end under the strategy against this upcard."""
    reached = np.zeros(hands.cards.shape[0], np.bool_)
    rank = table.rank
    start = hands.after[hands.cards.shape[0] - 1, rank]
    for i in range(table.hands.shape[0] - 1, -1, -1):
        hand = table.hands[i]
        if hand != start and not reached[hand]:
            continue
        action = 1 if hits[hand, upcard] else 0
        if hands.cards[hand] == 2:
            action = 0 if one_card else first[hand, upcard]
        if hand == start:
            action = 1
        if action == 0:
            needed[hand] = True
        for r in range(10):
            longer = hands.after[hand, r]
            if longer >= 0 and shoe[r] > 0:
                if action == 1:
                    reached[longer] = True
                elif action == 2:
                    needed[longer] = True


@kernel
def most_points(
    shoe: Ints, hands: HandArrays, table: PairTable, upcard: int, first: Ints, hits: Flags, one_card: bool
) -> int:
    """The most points, aces one, that a hand split from `rank` can use up under the strategy against this upcard."""
    reached = np.zeros(hands.cards.shape[0], np.bool_)
    start, most = hands.after[hands.cards.shape[0] - 1, table.rank], 0
    for i in range(table.hands.shape[0] - 1, -1, -1):
        hand = table.hands[i]
        if hand != start and not reached[hand]:
            continue
        action = 1 if hits[hand, upcard] or hand == start else 0
        if hands.cards[hand] == 2:
            action = 0 if one_card else first[hand, upcard]
        points = 0
        for r in range(10):
            points += (r + 1) * hands.counts[hand, r]
        most = max(most, points)
        for r in range(10):
            if shoe[r] > 0 and action in (1, 2):
                most = max(most, points + r + 1)
                if hands.after[hand, r] >= 0 and action == 1:
                    reached[hands.after[hand, r]] = True
    return most


@inlined
def see_and_stand(pair: SplitPair, level: int, hand: int, upcard: int, left: Ints, value: Floats, stand: Floats) -> int:
    """Fill the cards `left` and the value of standing, `level` further p gone; how many cards are left.

    Where the shoe cannot give these cards, that is 0 and the hand is worth nothing.
    """
    hands, table = pair.hands, pair.table
    unseen = unseen_cards(pair.shoe, hands.counts, hand, table.rank, level + 1, upcard, left)
    if unseen == 0:
        value[hand, upcard] = stand[hand, upcard] = 0.0
    else:
        row = table.rest[hand] * table.copies + hands.counts[hand, table.rank] + level + 1
        stand[hand, upcard] = stand_value(pair.chances, row, upcard, hands.total[hand], pair.peek)
    return unseen


@tight_helper
def level_values(
    pair: SplitPair,
    level: int,
    upcard: int,
    first: Ints,
    hits: Flags,
    left: Ints,
    value: Floats,
    stand: Floats,
    result: Floats,
) -> None:
    """`result` = (value of a hand of one p where the second card is not p, where it is), `level` further p gone.

    Each part is times the chance of such a second card. The strategy is followed. `left`, `value`
    and `stand` are room to work in.
    """
    hands, rank, peek = pair.hands, pair.table.rank, pair.peek
    start = hands.after[hands.cards.shape[0] - 1, rank]
    result[0] = result[1] = 0.0
    for hand in pair.table.hands:
        unseen = see_and_stand(pair, level, hand, upcard, left, value, stand)
        if unseen == 0:
            continue
        action = 1 if hits[hand, upcard] else 0
        if hands.cards[hand] == 2:
            action = 0 if pair.one_card else first[hand, upcard]
        if hand == start:
            second_cards(left, unseen, rank, hands.after, hand, value, upcard, result)
        elif action == 0:
            value[hand, upcard] = stand[hand, upcard]
        elif action == 1:
            value[hand, upcard] = hit_value(left, unseen, hands.after, hand, value, upcard, peek)
        elif action == 2:
            value[hand, upcard] = double_value(left, unseen, hands.after, hand, stand, upcard, peek)
        else:
            value[hand, upcard] = surrender_value(left, unseen, upcard, peek, pair.late)


@inlined
def second_cards(
    left: Ints, unseen: int, rank: int, after: Ints, hand: int, value: Floats, upcard: int, result: Floats
) -> None:
    """Add what a second card that is not the pair's (0) and that is (1) is worth, each times its chance."""
    for r in range(10):
        if left[r] > 0:
            result[1 if r == rank else 0] += left[r] * value[after[hand, r], upcard] / unseen


@kernel
def pair_values(pair: SplitPair, levels: int, first: Ints, hits: Flags, max_hands: int, result: Floats) -> None:
    """Fill `result[upcard]` with the value of splitting the pair under a fixed strategy."""
    shoe, rank, every = pair.shoe, pair.table.rank, pair.hands.cards.shape[0]
    left, value, stand = np.empty(10, np.int64), np.zeros((every, 10)), np.zeros((every, 10))
    other, same, parts = np.zeros(levels + 1), np.zeros(levels + 1), np.zeros(2)
    for upcard in range(10):
        pairs = shoe[rank] - 2 - (1 if upcard == rank else 0)
        if shoe[upcard] == 0 or pairs < 0:
            result[upcard] = 0.0
            continue
        for level in range(levels + 1):
            level_values(pair, level, upcard, first, hits, left, value, stand, parts)
            other[level] = parts[0]
            same[level] = parts[1]
        unseen = shoe.sum() - 3
        result[upcard] = fixed_split(pairs, unseen, max_hands, other, same)


@inlined
def excluding_weights(pairs: int, unseen: int, d: int, others: int, weights: Floats) -> None:
    """Fill the weights of inclusion and exclusion: of k further p gone beyond d, where `others` cards were no p.

    Args:
        pairs: Cards of the pair's rank left after the pair and the upcard.
        unseen: All cards left after them.
        d: Further p that have come.
        others: Other hands that were dealt a card that is not p.
        weights: [k up to others], filled.
    """
    weight = 1.0
    for k in range(others + 1):
        weights[k] = weight
        here = max(pairs - d - k, 0) / max(unseen - d - k, 1)
        weight *= -here * (others - k) / (k + 1)


@helper
def split_sum(pairs: int, unseen: int, max_hands: int, alone: Floats, paired: Floats) -> float:
    """The value of splitting into at most `max_hands` from what each hand is worth.

    `alone[d, a]` is what a hand adds whose second card is not p when d further p have come and a other hands were
    dealt something else, `paired[d, a]` the same with p as the second card, not split again. Both are times the
    chance of that card.
    """
    most = max_hands - 2
    ways = np.zeros((most + 1, 2 * most + 3))
    ways[0, 0] = 1.0
    result = 0.0
    reach = 1.0
    for d in range(most + 1):
        for a in range(d + 2):
            slots = 2 + d - a
            if ways[d, a] == 0.0 or slots <= 0:
                continue
            if d == most:
                result += ways[d, a] * reach * slots * (alone[d, a] + paired[d, a])
            else:
                result += ways[d, a] * reach * alone[d, a]
                ways[d, a + 1] += ways[d, a]
                ways[d + 1, a] += ways[d, a]
        reach *= max(pairs - d, 0) / max(unseen - d, 1)
    return result


@helper
def fixed_split(pairs: int, unseen: int, max_hands: int, other: Floats, same: Floats) -> float:
    """The value of splitting into at most `max_hands` under one strategy.

    Args:
        pairs: Cards of the pair's rank left after the pair and the upcard.
        unseen: All cards left after them.
        max_hands: The most hands, from 2 up.
        other: For each number of further p out of the shoe, a hand's value with a second card that is not p.
        same: The same with a second card p, played without splitting. Both are times the chance of that card.
    """
    most = max_hands - 2
    alone, paired = np.zeros((most + 1, most + 2)), np.zeros((most + 1, most + 2))
    weights = np.zeros(most + 2)
    for d in range(most + 1):
        for a in range(min(d + 2, most + 1)):
            excluding_weights(pairs, unseen, d, a, weights)
            for k in range(a + 1):
                if weights[k] != 0.0:
                    alone[d, a] += weights[k] * other[d + k]
                    paired[d, a] += weights[k] * same[d + k]
    return split_sum(pairs, unseen, max_hands, alone, paired)


@inlined
def best_of_level(
    pair: SplitPair, level: int, hand: int, upcard: int, may: After, left: Ints, value: Floats, stand: Floats
) -> int:
    """Fill what a hand is worth at its best, `level` further p gone, but for the hand of one p; the cards left."""
    unseen = see_and_stand(pair, level, hand, upcard, left, value, stand)
    if unseen > 0 and hand != pair.hands.after[pair.hands.cards.shape[0] - 1, pair.table.rank]:
        value[hand, upcard] = best_after_a_split(
            left,
            unseen,
            pair.hands,
            hand,
            value,
            stand,
            upcard,
            pair.one_card,
            may.double,
            may.surrender[upcard],
            pair.peek,
            pair.late,
        )
    return unseen


@tight
def unlimited_split(
    pair: SplitPair, levels: int, upcard: int, may: After, left: Ints, value: Floats, stand: Floats
) -> float:
    """Formula 5.12 from the deepest level up, every hand played at its best knowing the p that are gone.

    `left`, `value` and `stand` are room to work in.
    """
    hands, rank = pair.hands, pair.table.rank
    start = hands.after[hands.cards.shape[0] - 1, rank]
    twice = hands.after[start, rank]
    deeper = -1e9
    for level in range(levels, -1, -1):
        unseen = 0
        for hand in pair.table.hands:
            unseen = best_of_level(pair, level, hand, upcard, may, left, value, stand)
        if unseen > 0:
            if deeper > value[twice, upcard]:
                value[twice, upcard] = deeper
            deeper = 2.0 * hit_value(left, unseen, hands.after, start, value, upcard, pair.peek)
    return deeper
