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
    best_play_of_pair,
    choose_first,
    dealer_chances,
    round_value,
)
from mazzo.blackjack.exact.split import After, SplitPair, best_of_level, fixed_split, second_cards
from mazzo.blackjack.multisets import Floats, Ints
from mazzo.blackjack.rules import UNLIMITED, Rules
from mazzo.blackjack.shoe import ACE, Shoe, shoe_of
from mazzo.errors import IllegalError
from mazzo.jit import tight

__all__ = ["informed_ev"]


@tight
def _informed_levels(
    pair: SplitPair, levels: int, upcard: int, may: After, left: Ints, value: Floats, stand: Floats, worth: Floats
) -> None:
    """Fill what a hand of one pair card is worth at its best: [level, second card not of the pair or (1) of it].

    `left`, `value` and `stand` are room to work in.
    """
    rank, after = pair.table.rank, pair.hands.after
    start = after[after.shape[0] - 1, rank]
    for level in range(levels + 1):
        worth[level] = 0.0
        for hand in pair.table.hands:
            unseen = best_of_level(pair, level, hand, upcard, may, left, value, stand)
            if hand == start and unseen > 0:
                second_cards(left, unseen, rank, after, hand, value, upcard, worth[level])


def _informed_split(rules: Rules, rank: int, shoe: Ints, chances: Floats) -> Floats:
    """[upcard]: the value of splitting this rank."""
    most = max(rules.max_hands, 2) if rank != ACE or rules.resplit_aces else 2
    levels = 2 * (most - 2)
    pair, may = best_play_of_pair(rules, rank, levels, shoe, chances)
    result, worth, every = np.zeros(10), np.zeros((levels + 1, 2)), len(pair.hands.cards)
    left, value, stand = np.zeros(10, np.int64), np.zeros((every, 10)), np.zeros((every, 10))
    for upcard in np.flatnonzero(shoe).tolist():
        pairs = int(shoe[rank]) - 2 - (upcard == rank)
        if pairs < 0:
            continue
        _informed_levels(pair, levels, upcard, may, left, value, stand, worth)
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
