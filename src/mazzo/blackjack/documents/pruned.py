"""The text's "strategy burn-in": plays that are never best are cut once, and never valued again.

Two kinds of cuts, each with its evidence. By logic: standing on a hard total of at most 11 (a further card cannot hurt)
and hitting a hard 21 (it always does). By test: what was best in none of many random shoes, drawn as play draws them.
A hand that can then neither end nor be reached needs no dealer's chances, which is where the time goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mazzo.blackjack.columns import DOUBLE, SPLIT, SURRENDER
from mazzo.blackjack.documents.sampling import played_shoes
from mazzo.blackjack.exact.analysis import (
    Analysis,
    allowed_values,
    analyse,
    blackjack_chances,
    check_shoe,
    choose_after_split,
    choose_first,
    round_value,
)
from mazzo.blackjack.exact.dealer import OUTCOMES, dealer_walk, final_chances
from mazzo.blackjack.exact.play import first_values, hand_values
from mazzo.blackjack.exact.splitting import split_values
from mazzo.blackjack.multisets import Flags, Ints, all_hands, two_card_hands
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import RANKS, Shoe, counted_shoe, text_of
from mazzo.blackjack.strategy import Policy

__all__ = ["Cuts", "burn_in", "pruned_analysis"]


@dataclass(frozen=True)
class Cuts:
    """What is cut, [hand, upcard], and what that rests on."""

    rules: Rules
    shoes: int
    """How many random shoes the cuts by test stand on."""
    seed: int
    stood: Ints
    """In how many of the shoes standing beat hitting."""
    possible: Ints
    """In how many of the shoes the hand was possible."""
    chosen: Ints
    """[play, hand, upcard] for two cards: in how many of the shoes this was the best play."""

    @cached_property
    def must_hit(self) -> Flags:
        """Standing is cut."""
        hands = all_hands().arrays
        low: Flags = np.logical_and(~hands.soft, hands.total <= 11)[:, None]
        return np.asarray(low | (self.stood == 0))

    @cached_property
    def must_stand(self) -> Flags:
        """Hitting is cut."""
        hands = all_hands().arrays
        full: Flags = np.logical_and(~hands.soft, hands.total == 21)[:, None]
        return np.asarray((full | (self.stood == self.possible)) & ~self.must_hit)

    def never(self, play: int) -> Flags:
        """Two-card hands in which a play was best in no shoe."""
        return np.asarray(self.chosen[play] == 0)

    @cached_property
    def rows(self) -> Flags:
        """The hands whose standing value may still be asked for."""
        return _rows_needed(self)

    def evidence(self) -> Iterator[dict[str, object]]:
        """For every two-card hand and upcard: how often each play was best, and which are cut."""
        names = {0: "stand", 1: "hit", DOUBLE: "double", SPLIT: "split", SURRENDER: "surrender"}
        for hand in two_card_hands().tolist():
            for upcard in range(10):
                best = {name: int(self.chosen[play, hand, upcard]) for play, name in names.items()}
                yield {
                    "hand": text_of(all_hands().ranks(hand)),
                    "upcard": RANKS[upcard],
                    "shoes": int(self.possible[hand, upcard]),
                    "best_in": best,
                    "cut": [name for name, times in best.items() if times == 0],
                }


def burn_in(rules: Rules, shoes: int = 200, seed: int = 0, advance: Callable[[float], None] | None = None) -> Cuts:
    """Record what is best over random shoes."""
    hands = all_hands().arrays
    shape = (len(hands.cards), 10)
    stood, possible, chosen = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros((5, *shape), np.int64)
    rows = np.arange(shape[0])[:, None]
    for shoe in played_shoes(rules, shoes, seed):
        analysis = analyse(rules, shoe)
        held: Flags = np.all(hands.counts <= shoe.array(), axis=1)
        there = held[:, None] & (shoe.array() > 0)
        stood += there & ~analysis.policy.hits
        possible += there
        np.add.at(chosen, (analysis.policy.first, rows, np.arange(10)[None]), there)
        if advance:
            advance(1)
    return Cuts(rules, shoes, seed, stood, possible, chosen)


def _rows_needed(cuts: Cuts) -> Flags:
    """Hands whose standing value may be asked for: reached by a free or forced hit or by a double, and not cut."""
    hands = all_hands().arrays
    needed, two = np.zeros(len(hands.cards), np.bool_), hands.cards == 2
    doubled = ~cuts.never(DOUBLE)
    for upcard in range(10):
        must_hit, must_stand = cuts.must_hit[:, upcard], cuts.must_stand[:, upcard]
        reached = two.copy()
        for hand in range(len(hands.cards) - 2, -1, -1):
            if not reached[hand]:
                continue
            longer = hands.after[hand][hands.after[hand] >= 0]
            if two[hand] and doubled[hand, upcard]:
                needed[longer] = True
            if not must_stand[hand]:
                reached[longer] = True
            if not must_hit[hand]:
                needed[hand] = True
    needed |= two
    return needed


def pruned_analysis(cuts: Cuts, shoe: Shoe | None = None) -> Analysis:
    """The exact analysis of a shoe with the cuts made."""
    rules = cuts.rules
    shoe = counted_shoe(rules, shoe)
    check_shoe(shoe)
    hands, counts = all_hands().arrays, shoe.array()
    chances = np.zeros((len(hands.cards), 10 * OUTCOMES))
    rows = np.flatnonzero((hands.counts <= counts).all(1) & cuts.rows)
    final_chances(counts, hands.counts, rows, dealer_walk(rules.hit_soft_17), chances)
    shape, late = (len(hands.cards), 10), rules.surrender == "late"
    stand, hit, value = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    double, surrender, hits = np.zeros(shape), np.zeros(shape), np.zeros(shape, np.bool_)
    forced = np.where(cuts.must_hit, 1, np.where(cuts.must_stand, -1, 0))
    hand_values(counts, hands, chances, rules.peek, False, hits, stand, hit, value, forced)
    first_values(counts, hands, two_card_hands(), stand, rules.peek, late, double, surrender)
    allowed = allowed_values(rules, stand, hit, double, surrender)
    allowed[DOUBLE][cuts.never(DOUBLE)] = -np.inf
    after_split = choose_after_split(rules, allowed)
    pairs = [rank for rank in range(10) if not cuts.never(SPLIT)[all_hands().of((rank, rank))].all()]
    split = split_values(rules, counts, chances, hits, after_split, pairs)
    split[[rank for rank in range(10) if rank not in pairs]] = -np.inf
    blackjack = blackjack_chances(chances)
    first = choose_first(rules, allowed, split, blackjack)
    ev = round_value(rules, shoe, allowed, split, blackjack, first)
    policy = Policy(hits, first, after_split)
    return Analysis(rules, shoe, stand, hit, double, split, surrender, blackjack, policy, ev)
