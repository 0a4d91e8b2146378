"""How a round's result is distributed, exactly: the chance of every sum that can be won or lost, without resplits.

With resplits there are mean and variance, as exact.

Player and dealer draw from the same unseen cards, so the dealer's chances after the player's hand are taken as the
values of plays take them (`exact.play`): a dealer's blackjack that is looked for first takes the bet alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mazzo.arrays import Floats
from mazzo.blackjack.columns import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from mazzo.blackjack.exact.analysis import Analysis, analyse, dealer_chances
from mazzo.blackjack.exact.dealer import OUTCOMES
from mazzo.blackjack.exact.split_distribution import split_chances, split_moments
from mazzo.blackjack.exact.total import hand_weights
from mazzo.blackjack.multisets import BLACKJACK, all_hands, two_card_hands
from mazzo.blackjack.rules import UNLIMITED, Rules, points_needed
from mazzo.blackjack.shoe import ACE, Shoe
from mazzo.blackjack.strategy import Policy
from mazzo.document import Grid, Section, Shown
from mazzo.errors import IllegalError

__all__ = ["Distribution", "round_distribution", "round_moments"]


@dataclass(frozen=True)
class Distribution(Shown):
    """The chance of each result of a round, in bets."""

    chances: tuple[tuple[float, float], ...]
    """(result, chance), the largest loss first."""

    @property
    def mean(self) -> float:
        """What a round earns."""
        return sum(result * chance for result, chance in self.chances)

    @property
    def variance(self) -> float:
        """Of a round's result."""
        return sum(result**2 * chance for result, chance in self.chances) - self.mean**2

    def section(self) -> Section:
        """The chances, mean and deviation."""
        rows = [(f"{result:+g}", f"{chance:.9f}") for result, chance in self.chances]
        words = [f"mean {self.mean:+.9f}, standard deviation {math.sqrt(self.variance):.6f}; exact"]
        return Section("How a round ends", words, tables=[Grid(("bets", "chance"), rows)])

    __str__ = Shown.__str__


class _Sums:
    """Chances by result while they are added up."""

    def __init__(self) -> None:
        self.of: dict[float, float] = {}

    def add(self, result: float, chance: float) -> None:
        if chance:
            self.of[result] = self.of.get(result, 0.0) + chance


def _left(analysis: Analysis, hand: int, upcard: int) -> Floats:
    """Cards of each rank left after a hand and the upcard."""
    counts = analysis.shoe.array() - all_hands().arrays.counts[hand]
    counts[upcard] -= 1
    return np.asarray(np.maximum(counts, 0), np.float64)


def _stood(sums: _Sums, chance: float, ends: Floats, total: int, stake: float, peek: bool) -> None:
    """A hand that stands: `ends` are the dealer's chances of 17 to 21 and blackjack."""
    totals = np.arange(17, 22)
    won = float(ends[:5][totals < total].sum()) + 1.0 - float(ends.sum())
    sums.add(stake, chance * won)
    sums.add(0.0, chance * float(ends[:5][totals == total].sum()))
    sums.add(-stake, chance * (float(ends[:5][totals > total].sum()) + (0.0 if peek else float(ends[5]))))


def _busted(sums: _Sums, chance: float, stake: float, left: Floats, rank: int, upcard: int, peek: bool) -> None:
    """A bust by drawing `rank`; where the dealer has looked, only what is without his blackjack."""
    other = {0: 9, 9: 0}.get(upcard)
    after = left.copy()
    after[rank] -= 1
    blackjack = after[other] / after.sum() if peek and other is not None else 0.0
    sums.add(-stake, chance * (1.0 - blackjack))


def _drawn(sums: _Sums, analysis: Analysis, chances: Floats, hand: int, upcard: int, chance: float, play: int) -> None:
    """One card more: a bust, or for a doubled hand its end."""
    left, hands, peek = _left(analysis, hand, upcard), all_hands().arrays, analysis.rules.peek
    stake = 2.0 if play == DOUBLE else 1.0
    for rank in np.flatnonzero(left).tolist():
        part, longer = chance * left[rank] / left.sum(), int(hands.after[hand, rank])
        if longer < 0:
            _busted(sums, part, stake, left, rank, upcard, peek)
        elif play == DOUBLE:
            ends = chances[longer, upcard * OUTCOMES : (upcard + 1) * OUTCOMES]
            _stood(sums, part, ends, int(hands.total[longer]), stake, peek)


def _surrendered(sums: _Sums, rules: Rules, chance: float, blackjack: float) -> None:
    late = rules.surrender == "late"
    sums.add(-0.5, chance * ((1.0 - blackjack) if late else 1.0))
    if late and not rules.peek:
        sums.add(-1.0, chance * blackjack)


def _first_two(sums: _Sums, analysis: Analysis, dealt: Floats) -> None:
    """Blackjacks, those of the dealer who has looked, and hands given up."""
    rules, natural = analysis.rules, all_hands().of(BLACKJACK)
    early = rules.surrender.startswith("early")
    for hand in two_card_hands().tolist():
        for upcard in np.flatnonzero(dealt[hand]).tolist():
            chance, blackjack = float(dealt[hand, upcard]), float(analysis.blackjack[hand, upcard])
            gives_up = analysis.policy.first[hand, upcard] == SURRENDER
            if hand == natural:
                sums.add(rules.blackjack_pays, chance * (1.0 - blackjack))
                sums.add(0.0, chance * blackjack)
                continue
            if rules.peek and not (gives_up and early):
                sums.add(-1.0, chance * blackjack)
            if gives_up:
                _surrendered(sums, rules, chance, blackjack)


def round_moments(rules: Rules, shoe: Shoe | None = None, policy: Policy | None = None) -> tuple[float, float]:
    """Mean and variance of a round's result, exactly, pairs split again as the rules have it.

    Of a unit bet, side bets aside: of the best play, or of a policy.
    """
    analysis = analyse(rules, shoe, policy)
    if rules.max_hands == UNLIMITED or int(analysis.shoe.array() @ np.arange(1, 11)) < points_needed(rules):
        raise IllegalError("the exact variance is for rules with a most of hands, and shoes that can serve them all")
    sums, mean, square = _Sums(), 0.0, 0.0
    for rank, upcard, weight in _all_but_splits(analysis, sums):
        again = rank != ACE or rules.resplit_aces
        first, second = split_moments(analysis, rank, upcard, rules.max_hands if again else 2)
        mean, square = mean + weight * first, square + weight * second
    mean += sum(result * chance for result, chance in sums.of.items())
    square += sum(result**2 * chance for result, chance in sums.of.items())
    return mean, square - mean**2


def round_distribution(rules: Rules, shoe: Shoe | None = None, policy: Policy | None = None) -> Distribution:
    """The chance of every result of a round of a unit bet, side bets aside: of the best play, or of a policy.

    Pairs are split once at most (`max_hands` 1 or 2); with resplits `round_moments` gives mean and variance.
    """
    if rules.max_hands not in (1, 2):
        raise IllegalError("the exact distribution is for rules without resplits: set max_hands = 1 or 2")
    analysis, sums = analyse(rules, shoe, policy), _Sums()
    for rank, upcard, weight in _all_but_splits(analysis, sums):
        for result, chance in split_chances(analysis, rank, upcard).items():
            sums.add(result, weight * chance)
    return Distribution(tuple(sorted(sums.of.items())))


def _all_but_splits(analysis: Analysis, sums: _Sums) -> list[tuple[int, int, float]]:
    """Add up how rounds without a split end; (rank, upcard, chance) of the pairs that are split."""
    rules, natural, splits = analysis.rules, all_hands().of(BLACKJACK), []
    chances, hands = dealer_chances(rules, analysis.shoe), all_hands().arrays
    dealt, reached = hand_weights(analysis)
    _first_two(sums, analysis, dealt)
    for hand in range(len(hands.cards) - 1):
        if hand == natural or hands.cards[hand] < 2:
            continue
        weights = dealt[hand] if hands.cards[hand] == 2 else reached[hand]
        for upcard in np.flatnonzero(weights).tolist():
            hits = HIT if analysis.policy.hits[hand, upcard] else STAND
            play = int(analysis.policy.first[hand, upcard]) if hands.cards[hand] == 2 else hits
            if play == STAND:
                ends = chances[hand, upcard * OUTCOMES : (upcard + 1) * OUTCOMES]
                _stood(sums, float(weights[upcard]), ends, int(hands.total[hand]), 1.0, rules.peek)
            elif play == SPLIT:
                splits.append((all_hands().ranks(hand)[0], upcard, float(weights[upcard])))
            elif play in (HIT, DOUBLE):
                _drawn(sums, analysis, chances, hand, upcard, float(weights[upcard]), play)
    return splits
