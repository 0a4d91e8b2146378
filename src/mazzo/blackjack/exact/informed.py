"""Splits played at their best at every level: a bound that no single way of playing reaches.

`exact.split` values a way of playing that a person can follow: each hand plays as its own cards would have, had there
been no split. Here every term of its inclusion and exclusion is played at its best for the number of pair cards then
gone, which no player could do at once. The two differ by about a ten-millionth of the bet; figures given as exact for a
capped number of hands are often of this kind.
"""

from __future__ import annotations

import numpy as np

from mazzo.blackjack.exact.analysis import (
    Analysis,
    allowed_values,
    analyse,
    can_double,
    can_surrender,
    choose_first,
    dealer_chances,
    pair_chances,
    round_value,
)
from mazzo.blackjack.exact.play import best_after_a_split, stand_value, unseen_cards
from mazzo.blackjack.exact.split import PairTable, fixed_split, pair_table, second_cards
from mazzo.blackjack.hands import Flags, Floats, HandArrays, Ints, all_hands
from mazzo.blackjack.rules import UNLIMITED, Rules
from mazzo.blackjack.shoe import ACE, Shoe, shoe_of
from mazzo.errors import IllegalError
from mazzo.jit import kernel

__all__ = ["informed_ev"]


@kernel
def _informed_levels(
    shoe: Ints, hands: HandArrays, table: PairTable, levels: int, upcard: int, chances: Floats, may_double: Flags,
    may_surrender: bool, one_card: bool, peek: bool, late: bool, worth: Floats,
) -> None:  # fmt: skip
    """Fill what a hand of one pair card is worth at its best: [level, second card not of the pair or (1) of it]."""
    left = np.empty(10, np.int64)
    value, stand = np.zeros((hands.cards.shape[0], 10)), np.zeros((hands.cards.shape[0], 10))
    rank = table.rank
    start = hands.after[hands.cards.shape[0] - 1, rank]
    for level in range(levels + 1):
        worth[level] = 0.0
        for hand in table.hands:
            unseen = unseen_cards(shoe, hands.counts, hand, rank, level + 1, upcard, left)
            if unseen == 0:
                value[hand, upcard] = stand[hand, upcard] = 0.0
                continue
            row = table.rest[hand] * table.copies + hands.counts[hand, rank] + level + 1
            stand[hand, upcard] = stand_value(chances, row, upcard, hands.total[hand], peek)
            if hand == start:
                second_cards(left, unseen, rank, hands.after, hand, value, upcard, worth[level])
            else:
                value[hand, upcard] = best_after_a_split(
                    left, unseen, hands, hand, value, stand, upcard, one_card, may_double, may_surrender, peek, late
                )


def _informed_split(rules: Rules, rank: int, shoe: Ints, chances: Floats) -> Floats:
    """[upcard]: the value of splitting this rank."""
    hands = all_hands().arrays
    most = max(rules.max_hands, 2) if rank != ACE or rules.resplit_aces else 2
    levels = 2 * (most - 2)
    one_card = rank == ACE and not rules.hit_split_aces
    needed = hands.counts[:, rank] > 0
    if one_card:
        needed &= hands.cards <= 2
    table = pair_table(rank, levels)
    known = pair_chances(rules, rank, levels, shoe, chances, needed)
    doubles = np.array([can_double(rules, int(t), bool(s)) for t, s in zip(hands.total, hands.soft, strict=True)])
    doubles &= rules.double_after_split
    result, worth = np.zeros(10), np.zeros((levels + 1, 2))
    for upcard in np.flatnonzero(shoe).tolist():
        pairs = int(shoe[rank]) - 2 - (upcard == rank)
        if pairs < 0:
            continue
        gives_up = rules.surrender_after_split and can_surrender(rules, upcard)
        _informed_levels(
            shoe, hands, table, levels, upcard, known, doubles, gives_up, one_card, rules.peek,
            rules.surrender == "late", worth,
        )  # fmt: skip
        result[upcard] = fixed_split(pairs, int(shoe.sum()) - 3, most, *worth.T.copy())
    return result


def informed_ev(rules: Rules, shoe: Shoe | None = None) -> float:
    """The value of a round when splits are played at their best at every level."""
    if rules.max_hands in (1, UNLIMITED):
        raise IllegalError("levels of splits are told apart only where max_hands is 2 to 8")
    shoe = shoe_of(rules) if shoe is None else shoe
    base: Analysis = analyse(rules, shoe)
    counts, chances = shoe.array(), dealer_chances(rules, shoe)
    split = np.zeros((10, 10))
    for rank in np.flatnonzero(counts >= 2).tolist():
        split[rank] = _informed_split(rules, rank, counts, chances)
    allowed = allowed_values(rules, base.stand, base.hit, base.double, base.surrender)
    first = choose_first(rules, allowed, split, base.blackjack)
    return round_value(rules, shoe, allowed, split, base.blackjack, first)
