"""The value of splitting each pair of a shoe, whatever the rules say of splitting again."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

from mazzo.blackjack.columns import MOST_HANDS
from mazzo.blackjack.exact.dealer import OUTCOMES, dealer_walk, final_chances
from mazzo.blackjack.exact.split import (
    After,
    SplitPair,
    most_points,
    pair_table,
    pair_values,
    stands_reached,
    unlimited_split,
)
from mazzo.blackjack.multisets import Flags, Floats, Ints, all_hands
from mazzo.blackjack.rules import (
    UNLIMITED,
    Rules,
    may_double,
    may_surrender,
    points_needed,
)
from mazzo.blackjack.shoe import ACE
from mazzo.errors import IllegalError

__all__ = [
    "DEALERS_POINTS",
    "NOT_ALLOWED",
    "best_play_of_pair",
    "doubling",
    "pair_chances",
    "split_values",
    "surrendering",
]

_NEGLIGIBLE = 1e-13
_MOST_CARDS = 10 * 128
NOT_ALLOWED = -np.inf
DEALERS_POINTS = 17
"""With this many points left, the upcard among them, the dealer can always finish his hand."""


@cache
def doubling(rules: Rules, after_split: bool = False) -> Flags:
    """By hand whether it may be doubled."""
    hands = all_hands().arrays
    pairs = zip(hands.total.tolist(), hands.soft.tolist(), strict=True)
    return np.array([may_double(rules, total, soft, after_split) for total, soft in pairs])


def surrendering(rules: Rules, after_split: bool = False) -> Flags:
    """By upcard whether a hand may be given up."""
    return np.array([may_surrender(rules, upcard, after_split) for upcard in range(10)])


def split_values(
    rules: Rules,
    shoe: Ints,
    chances: Floats,
    hits: Flags,
    first: Ints,
    ranks: Iterable[int] = range(10),
    follow: bool = False,
) -> Floats:
    """[rank, upcard]: the value of splitting each pair (or those of some ranks only).

    Without a limit of hands every level is played at its best; with `follow` the hands are played as `hits` and `first`
    say, and a pair is split again up to `MOST_HANDS` hands. Where few cards are left a pair is split into no more hands
    than the shoe can serve whatever comes; where it cannot serve two, splitting is not allowed (minus infinity).
    """
    result = np.zeros((10, 10))
    if rules.max_hands == 1:
        return result
    for rank in ranks:
        if shoe[rank] < 2:
            continue
        one_card = rank == ACE and not rules.hit_split_aces
        resplit = rank != ACE or rules.resplit_aces
        if shoe @ np.arange(1, 11) < points_needed(rules):
            result[rank] = _few_cards(rules, rank, shoe, chances, hits, first, one_card)
        elif rules.max_hands == UNLIMITED and resplit and not follow:
            result[rank] = _unlimited(rules, rank, shoe, chances)
        else:
            no_limit = min(_levels_that_matter(int(shoe[rank]), int(shoe.sum())) + 2, MOST_HANDS)
            most = 2 if not resplit else no_limit if rules.max_hands == UNLIMITED else rules.max_hands
            result[rank] = _limited(rules, rank, shoe, chances, hits, first, one_card, most)
    return result


def pair_chances(rules: Rules, rank: int, levels: int, shoe: Ints, chances: Floats, needed: Flags) -> Floats:
    """The dealer's chances after every needed hand and 1 to levels + 1 further cards of the pair are out."""
    hands, table = all_hands().arrays, pair_table(rank, levels)
    wanted = np.zeros(len(table.removed), np.bool_)
    base = table.rest[needed] * table.copies + hands.counts[needed, rank]
    for extra in range(1, levels + 2):
        wanted[base + extra] = True
    wanted &= (table.removed <= shoe).all(1)
    result = np.zeros((len(wanted), 10 * OUTCOMES))
    filled: Flags = np.any(chances, axis=1)
    known = wanted & (table.known >= 0) & filled[table.known]
    result[known] = chances[table.known[known]]
    rows = np.flatnonzero(wanted & ~known)
    final_chances(shoe, table.removed, rows, dealer_walk(rules.hit_soft_17), result)
    return result


def _limited(
    rules: Rules,
    rank: int,
    shoe: Ints,
    chances: Floats,
    hits: Flags,
    first: Ints,
    one_card: bool,
    max_hands: int,
) -> Floats:
    hands = all_hands().arrays
    levels = 2 * (max_hands - 2)
    table = pair_table(rank, levels)
    needed = np.zeros(len(hands.cards), np.bool_)
    for upcard in np.flatnonzero(shoe).tolist():
        stands_reached(shoe, hands, table, upcard, first, hits, one_card, needed)
    known = pair_chances(rules, rank, levels, shoe, chances, needed)
    pair = SplitPair(shoe, hands, table, known, one_card, rules.peek, rules.surrender == "late")
    result = np.zeros(10)
    pair_values(pair, levels, first, hits, max_hands, result)
    return result


def _few_cards(
    rules: Rules, rank: int, shoe: Ints, chances: Floats, hits: Flags, first: Ints, one_card: bool
) -> Floats:
    """The value of splitting into as many hands as the shoe can serve for certain, by upcard."""
    limit = MOST_HANDS if rules.max_hands == UNLIMITED else rules.max_hands
    limit = limit if rank != ACE or rules.resplit_aces else 2
    result, found = np.full(10, NOT_ALLOWED), {}
    for upcard in np.flatnonzero(shoe).tolist():
        holding = int(shoe[rank]) - (upcard == rank)
        used = most_points(shoe, all_hands().arrays, pair_table(rank, 0), upcard, first, hits, one_card)
        most = min(limit, holding, (int(shoe @ np.arange(1, 11)) - DEALERS_POINTS) // used)
        if most >= 2:
            if most not in found:
                found[most] = _limited(rules, rank, shoe, chances, hits, first, one_card, most)
            result[upcard] = found[most][upcard]
    return result


def _unlimited(rules: Rules, rank: int, shoe: Ints, chances: Floats) -> Floats:
    levels = _levels_that_matter(int(shoe[rank]), int(shoe.sum()))
    pair, may = best_play_of_pair(rules, rank, levels, shoe, chances)
    result, every = np.zeros(10), len(pair.hands.cards)
    left, value, stand = np.zeros(10, np.int64), np.zeros((every, 10)), np.zeros((every, 10))
    for upcard in np.flatnonzero(shoe).tolist():
        result[upcard] = unlimited_split(pair, levels, upcard, may, left, value, stand)
    return result


def best_play_of_pair(rules: Rules, rank: int, levels: int, shoe: Ints, chances: Floats) -> tuple[SplitPair, After]:
    """A pair whose hands may be played in any way, with `levels` further cards of it gone at most."""
    hands = all_hands().arrays
    one_card = rank == ACE and not rules.hit_split_aces
    needed = hands.counts[:, rank] > 0
    if one_card:
        needed &= hands.cards <= 2
    known = pair_chances(rules, rank, levels, shoe, chances, needed)
    table, late = pair_table(rank, levels), rules.surrender == "late"
    may = After(doubling(rules, after_split=True), surrendering(rules, after_split=True))
    return SplitPair(shoe, hands, table, known, one_card, rules.peek, late), may


def _levels_that_matter(of_rank: int, cards: int) -> int:
    """How many further cards of the pair may come before their chance, with the stakes they bring, is negligible."""
    weight, level = 1.0, 0
    if 2 * of_rank >= cards > _MOST_CARDS:
        raise IllegalError("half of an infinite shoe is one card: its pairs split without end; set max_hands")
    while weight > _NEGLIGIBLE and level < of_rank - 2:
        weight *= 2.0 * (of_rank - 2 - level) / (cards - 3 - level)
        level += 1
    return level
