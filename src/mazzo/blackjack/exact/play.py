"""What standing, hitting and doubling are worth in every hand against every upcard.

Values are per unit of the hand's stake and over all ways the unseen cards may lie. Where the dealer peeks, a dealer
blackjack counts nothing here (the round is over before anybody plays; its loss is added once, with the first two
cards): a value is then the expectation of result times "no dealer blackjack", which orders plays just as the
conditional expectation does and stays linear in the shoe.
"""

from __future__ import annotations

import numpy as np

from mazzo.blackjack.multisets import Flags, Floats, HandArrays, Ints
from mazzo.jit import inlined, kernel

__all__ = [
    "best_after_a_split",
    "double_value",
    "first_values",
    "hand_values",
    "hit_value",
    "stand_value",
    "surrender_value",
    "unseen_cards",
]


@inlined
def stand_value(chances: Floats, row: int, upcard: int, total: int, peek: bool) -> float:
    """The value of standing on `total` given the dealer's chances in `chances[row]`."""
    at = upcard * 6
    blackjack = chances[row, at + 5]
    bust = 1.0 - blackjack
    value: float = 0.0
    for k in range(5):
        chance = chances[row, at + k]
        bust -= chance
        if 17 + k < total:
            value += chance
        elif 17 + k > total:
            value -= chance
    value += bust
    if not peek:
        value -= blackjack
    return value


@inlined
def bust_value(tens: int, aces: int, cards: int, upcard: int, rank: int, peek: bool) -> float:
    """The value of a bust by drawing `rank`; the counts are those before that draw."""
    if not peek or cards < 2:
        return -1.0
    if upcard == 0:
        return -1.0 + (tens - (1 if rank == 9 else 0)) / (cards - 1)
    if upcard == 9:
        return -1.0 + (aces - (1 if rank == 0 else 0)) / (cards - 1)
    return -1.0


@inlined
def hit_value(left: Ints, cards: int, after: Ints, hand: int, value: Floats, upcard: int, peek: bool) -> float:
    """The value of drawing one card where `value[h, upcard]` is what each longer hand is worth."""
    result = 0.0
    for rank in range(10):
        if left[rank] > 0:
            longer = after[hand, rank]
            worth = value[longer, upcard] if longer >= 0 else bust_value(left[9], left[0], cards, upcard, rank, peek)
            result += left[rank] * worth
    return result / cards


@inlined
def double_value(left: Ints, cards: int, after: Ints, hand: int, stand: Floats, upcard: int, peek: bool) -> float:
    """The value of drawing exactly one card for twice the stake."""
    return 2.0 * hit_value(left, cards, after, hand, stand, upcard, peek)


@inlined
def surrender_value(left: Ints, cards: int, upcard: int, peek: bool, late: bool) -> float:
    """The value of giving up half the stake. A late surrender does not save the stake from a dealer blackjack."""
    blackjack = 0.0
    if upcard == 0:
        blackjack = left[9] / cards
    elif upcard == 9:
        blackjack = left[0] / cards
    if peek:
        return -0.5 * (1.0 - blackjack)
    return -0.5 * (1.0 + blackjack) if late else -0.5


@inlined
def unseen_cards(shoe: Ints, counts: Ints, hand: int, rank: int, extra: int, upcard: int, left: Ints) -> int:
    """Fill what is left of each rank; the number of cards, or 0 where the shoe cannot give these cards."""
    cards = 0
    possible = True
    for r in range(10):
        left[r] = shoe[r] - counts[hand, r] - (1 if r == upcard else 0) - (extra if r == rank else 0)
        cards += left[r]
        possible &= left[r] >= 0
    return cards if possible else 0


@inlined
def best_after_a_split(
    left: Ints,
    cards: int,
    hands: HandArrays,
    hand: int,
    value: Floats,
    stand: Floats,
    upcard: int,
    one_card: bool,
    may_double: Flags,
    may_surrender: bool,
    peek: bool,
    late: bool,
) -> float:
    """What a hand from a split is worth at its best: stand (already in `stand`), hit, double or give up."""
    best: float = stand[hand, upcard]
    two_cards = hands.cards[hand] == 2
    if not (one_card and two_cards):
        best = max(best, hit_value(left, cards, hands.after, hand, value, upcard, peek))
        if two_cards and may_double[hand]:
            best = max(best, double_value(left, cards, hands.after, hand, stand, upcard, peek))
        if two_cards and may_surrender:
            best = max(best, surrender_value(left, cards, upcard, peek, late))
    return best


@kernel
def hand_values(
    shoe: Ints,
    hands: HandArrays,
    chances: Floats,
    peek: bool,
    follow: bool,
    hits: Flags,
    stand: Floats,
    hit: Floats,
    value: Floats,
    forced: Ints,
) -> None:
    """Fill stand, hit and `value` (the one taken) of every hand of one card or more against every upcard.

    With `follow`, `hits[hand, upcard]` says what is taken; otherwise the better is, and written there, but
    where `forced` is 1 a hit and where it is -1 a stand is taken unseen. A hand the shoe cannot give is left at zero.
    """
    left = np.empty(10, np.int64)
    for upcard in range(10):
        for hand in range(hands.cards.shape[0] - 1):
            unseen = unseen_cards(shoe, hands.counts, hand, 0, 0, upcard, left)
            if unseen == 0:
                stand[hand, upcard] = hit[hand, upcard] = value[hand, upcard] = 0.0
                continue
            standing = stand_value(chances, hand, upcard, hands.total[hand], peek)
            hitting = hit_value(left, unseen, hands.after, hand, value, upcard, peek)
            if not follow:
                must = forced[hand, upcard]
                hits[hand, upcard] = must > 0 or (must == 0 and hitting > standing)
            stand[hand, upcard] = standing
            hit[hand, upcard] = hitting
            value[hand, upcard] = hitting if hits[hand, upcard] else standing


@kernel
def first_values(
    shoe: Ints,
    hands: HandArrays,
    two_cards: Ints,
    stand: Floats,
    peek: bool,
    late: bool,
    double: Floats,
    surrender: Floats,
) -> None:
    """Fill what doubling and surrendering are worth in every hand of two cards."""
    left = np.empty(10, np.int64)
    for hand in two_cards:
        for upcard in range(10):
            unseen = unseen_cards(shoe, hands.counts, hand, 0, 0, upcard, left)
            if unseen > 0:
                double[hand, upcard] = double_value(left, unseen, hands.after, hand, stand, upcard, peek)
                surrender[hand, upcard] = surrender_value(left, unseen, upcard, peek, late)
