"""Splits played with more knowledge than zero memory has.

`exact.split` values hands from a split that are played as their own cards would be, had there been no split
(`unsplit`). Other definitions are in use:

- `first`, after the first split: the hands are played by the one strategy that is best when the pair's other card is
  known to be gone.
- `best`, at every level: every term of the inclusion and exclusion is played at its best for the number of pair cards
  then gone. Figures given as exact for a capped number of hands are often of this kind. It is no strategy, and since
  terms are subtracted too, no bound: in deep shoes it can fall below the others, and then the best of them stands.
- `known`: a player who knows how many cards of the pair have come, and how many hands were dealt something else, plays
  every hand at its best for that. The play is chosen once for the whole sum, every term weighed by the chance of its
  cards, so it can be followed, and is never worth less than zero memory or `first`.
"""

from __future__ import annotations

import numpy as np

from mazzo.blackjack.columns import DOUBLE, HIT, STAND, SURRENDER
from mazzo.blackjack.exact.analysis import (
    Analysis,
    allowed_values,
    analyse,
    choose_first,
    dealer_chances,
    round_value,
)
from mazzo.blackjack.exact.play import double_value, hit_value, surrender_value
from mazzo.blackjack.exact.split import (
    After,
    SplitPair,
    best_of_level,
    excluding_weights,
    fixed_split,
    second_cards,
    see_and_stand,
    split_sum,
)
from mazzo.blackjack.exact.splitting import best_play_of_pair, split_values
from mazzo.blackjack.multisets import Floats, Ints
from mazzo.blackjack.rules import UNLIMITED, Rules, points_needed
from mazzo.blackjack.shoe import ACE, Shoe, counted_shoe
from mazzo.errors import IllegalError, UnreadableError
from mazzo.jit import kernel, tight, tight_helper

__all__ = ["SPLIT_PLAYS", "informed_ev", "informed_splits"]

SPLIT_PLAYS = ("unsplit", "first", "best", "known")
"""How hands from a split are played: as unsplit hands; best after the first split; best at every level, term by term;
best for what a player knows."""


@tight_helper
def _chance_of(pair: SplitPair, level: int, hand: int, upcard: int) -> float:
    """The chance of the hand's cards after its first, in one order, with `level` further p gone."""
    chance, cards = 1.0, 0
    for r in range(10):
        left = pair.shoe[r] - (1 if r == upcard else 0) - (level + 2 if r == pair.table.rank else 0)
        for copy in range(pair.hands.counts[hand, r] - (1 if r == pair.table.rank else 0)):
            chance *= max(left - copy, 0)
            cards += 1
    unseen = pair.shoe.sum() - 3 - level
    for k in range(cards):
        chance /= max(unseen - k, 1)
    return chance


@tight_helper
def _values_of_plays(
    pair: SplitPair,
    may: After,
    level: int,
    hand: int,
    upcard: int,
    left: Ints,
    value: Floats,
    stand: Floats,
    to: Floats,
) -> None:
    """Fill what each play of a hand from a split is worth with `level` further p gone."""
    unseen = see_and_stand(pair, level, hand, upcard, left, value, stand)
    to[:] = 0.0
    if unseen == 0:
        return
    to[STAND] = stand[hand, upcard]
    to[HIT] = hit_value(left, unseen, pair.hands.after, hand, value, upcard, pair.peek)
    if pair.hands.cards[hand] == 2 and may.double[hand]:
        to[DOUBLE] = double_value(left, unseen, pair.hands.after, hand, stand, upcard, pair.peek)
    if pair.hands.cards[hand] == 2 and may.surrender[upcard]:
        to[SURRENDER] = surrender_value(left, unseen, upcard, pair.peek, pair.late)


@tight_helper
def _allowed(pair: SplitPair, may: After, hand: int, upcard: int, play: int) -> bool:
    two = pair.hands.cards[hand] == 2
    if pair.one_card and two:
        return play == STAND
    if play == DOUBLE:
        return bool(two and may.double[hand])
    if play == SURRENDER:
        return bool(two and may.surrender[upcard])
    return play in (STAND, HIT)


@tight_helper
def _best_response(
    pair: SplitPair,
    may: After,
    d: int,
    weights: Floats,
    upcard: int,
    value: Floats,
    stand: Floats,
    plays: Floats,
    left: Ints,
    chosen: Ints,
    worth: Floats,
) -> None:
    """Play every hand at its best against the mixture `weights` of d, d + 1, .. further p gone.

    `worth[k, 0 and 1]` is then what a hand adds with a second card that is not p, or is, in each part of the mixture;
    `chosen[hand]` what is played.
    """
    start = pair.hands.after[pair.hands.cards.shape[0] - 1, pair.table.rank]
    parts = weights.shape[0]
    for hand in pair.table.hands:
        sums = plays[parts]
        sums[:] = 0.0
        for k in range(parts):
            _values_of_plays(pair, may, d + k, hand, upcard, left, value[k], stand[k], plays[k])
            weight = weights[k] * _chance_of(pair, d + k, hand, upcard) if weights[k] != 0.0 else 0.0
            for play in range(5):
                sums[play] += weight * plays[k, play]
        best = STAND
        for play in range(1, 5):
            if _allowed(pair, may, hand, upcard, play) and sums[play] > sums[best]:
                best = play
        chosen[hand] = best
        for k in range(parts):
            value[k, hand, upcard] = plays[k, best]
        if hand == start:
            for k in range(parts):
                worth[k, 0] = worth[k, 1] = 0.0
                unseen = see_and_stand(pair, d + k, hand, upcard, left, value[k], stand[k])
                if unseen > 0:
                    second_cards(left, unseen, pair.table.rank, pair.hands.after, hand, value[k], upcard, worth[k])


@kernel
def _informed_split(pair: SplitPair, may: After, upcard: int, max_hands: int) -> float:
    """The value of splitting where every hand is played at its best for what the player knows."""
    pairs, unseen = pair.shoe[pair.table.rank] - 2 - int(upcard == pair.table.rank), pair.shoe.sum() - 3
    most, every = max_hands - 2, pair.hands.cards.shape[0]
    value, stand = np.zeros((most + 2, every, 10)), np.zeros((most + 2, every, 10))
    plays, left, chosen = np.zeros((most + 3, 5)), np.zeros(10, np.int64), np.zeros(every, np.int64)
    worth, weights = np.zeros((most + 2, 2)), np.zeros(most + 2)
    alone, paired = np.zeros((most + 1, most + 2)), np.zeros((most + 1, most + 2))
    for d in range(min(most, pairs) + 1):
        for a in range(min(d + 2, most + 1)):
            excluding_weights(pairs, unseen, d, a, weights)
            _best_response(pair, may, d, weights[: a + 1], upcard, value, stand, plays, left, chosen, worth)
            for k in range(a + 1):
                if weights[k] != 0.0:
                    alone[d, a] += weights[k] * worth[k, 0]
                    paired[d, a] += weights[k] * worth[k, 1]
    return split_sum(pairs, unseen, max_hands, alone, paired)


@tight
def _first_split(
    pair: SplitPair,
    may: After,
    upcard: int,
    value: Floats,
    stand: Floats,
    plays: Floats,
    left: Ints,
    chosen: Ints,
    worth: Floats,
    weights: Floats,
) -> None:
    """Fill `chosen` with the strategy that is best when one further card of the pair is known to be gone."""
    _best_response(pair, may, 0, weights, upcard, value, stand, plays, left, chosen, worth)


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


def _most_hands(rules: Rules, rank: int) -> int:
    return max(rules.max_hands, 2) if rank != ACE or rules.resplit_aces else 2


def _term_by_term(rules: Rules, rank: int, shoe: Ints, chances: Floats) -> Floats:
    most = _most_hands(rules, rank)
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
    return np.maximum(result, _after_the_first(rules, rank, shoe, chances))


def _after_the_first(rules: Rules, rank: int, shoe: Ints, chances: Floats) -> Floats:
    pair, may = best_play_of_pair(rules, rank, 0, shoe, chances)
    every = len(pair.hands.cards)
    first, hits = np.zeros((every, 10), np.int64), np.zeros((every, 10), np.bool_)
    value, stand, plays = np.zeros((1, every, 10)), np.zeros((1, every, 10)), np.zeros((2, 5))
    left, chosen = np.zeros(10, np.int64), np.zeros(every, np.int64)
    for upcard in np.flatnonzero(shoe).tolist():
        chosen[:] = STAND
        _first_split(pair, may, upcard, value, stand, plays, left, chosen, np.zeros((1, 2)), np.ones(1))
        first[:, upcard], hits[:, upcard] = chosen, chosen == HIT
    found: Floats = split_values(rules, shoe, chances, hits, first, [rank], follow=True)[rank]
    return found


def _for_what_is_known(rules: Rules, rank: int, shoe: Ints, chances: Floats) -> Floats:
    most = _most_hands(rules, rank)
    pair, may = best_play_of_pair(rules, rank, 2 * (most - 2), shoe, chances)
    result = np.zeros(10)
    for upcard in np.flatnonzero(shoe).tolist():
        if shoe[rank] - 2 - (upcard == rank) >= 0:
            result[upcard] = _informed_split(pair, may, upcard, most)
    return result


def informed_splits(rules: Rules, shoe: Shoe, splits: str = "best") -> Floats:
    """[rank, upcard]: what splitting each pair is worth, its hands played as one of `SPLIT_PLAYS` says.

    Where the dealer peeks, a dealer blackjack counts as nothing, as in `Analysis`.
    """
    if splits not in SPLIT_PLAYS:
        raise UnreadableError(f"hands from a split are played {', '.join(SPLIT_PLAYS)}, not {splits!r}")
    if rules.max_hands in (1, UNLIMITED):
        raise IllegalError("levels of splits are told apart only where max_hands is 2 to 8")
    if shoe.points < points_needed(rules):
        raise IllegalError(
            f"the shoe {shoe} has {shoe.points} points (aces one), and a round under these rules may use "
            f"{points_needed(rules)}: with so few cards only --splits unsplit has a meaning"
        )
    unsplit = analyse(rules, shoe).split
    if splits == "unsplit":
        return unsplit
    counts, chances = shoe.array(), dealer_chances(rules, shoe)
    value = {"first": _after_the_first, "best": _term_by_term, "known": _for_what_is_known}[splits]
    found = np.zeros((10, 10))
    for rank in np.flatnonzero(counts >= 2).tolist():
        found[rank] = value(rules, rank, counts, chances)
    return np.maximum(found, unsplit) if splits == "best" else found


def informed_ev(rules: Rules, shoe: Shoe | None = None, splits: str = "best") -> float:
    """The value of a round whose hands from a split are played as one of `SPLIT_PLAYS` says."""
    shoe = counted_shoe(rules, shoe)
    split = informed_splits(rules, shoe, splits)
    base: Analysis = analyse(rules, shoe)
    allowed = allowed_values(rules, base.stand, base.hit, base.double, base.surrender)
    first = choose_first(rules, allowed, split, base.blackjack)
    return round_value(rules, shoe, allowed, split, base.blackjack, first)
