"""The analysis of one shoe: every play of every hand, the best of them, and what the round is worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from mazzo.blackjack.columns import DOUBLE, SPLIT, STAND, SURRENDER
from mazzo.blackjack.exact.dealer import BLACKJACK_OUTCOME, OUTCOMES, dealer_walk, final_chances
from mazzo.blackjack.exact.play import first_values, hand_values
from mazzo.blackjack.exact.splitting import DEALERS_POINTS, NOT_ALLOWED, doubling, split_values, surrendering
from mazzo.blackjack.hands import side_bet_worth
from mazzo.blackjack.multisets import BLACKJACK, Floats, Ints, all_hands, two_card_hands
from mazzo.blackjack.rules import (
    Rules,
    even_money_offered,
    may_double,
    may_surrender,
)
from mazzo.blackjack.rules import rules as read_rules
from mazzo.blackjack.shoe import ACE, RANKS, TEN, Shoe, counted_shoe, parse_cards, parse_situation, text_of
from mazzo.blackjack.strategy import Policy
from mazzo.document import Figure, Grid, Section, Shown
from mazzo.errors import IllegalError, UnreadableError

__all__ = ["POINTS_OF_A_HAND", "Analysis", "analyse", "deal_chances", "dealer_chances"]

POINTS_OF_A_HAND = 21 + DEALERS_POINTS
"""The points a shoe needs, aces one, so that one hand and the dealer cannot empty it."""


@dataclass(frozen=True)
class Analysis(Shown):
    """What every play is worth with one shoe under one set of rules.

    All arrays are [hand, upcard] over the hands of `all_hands()`. Where the dealer peeks they count a dealer blackjack
    as nothing; `plays` and `ev` put that right.
    """

    rules: Rules
    shoe: Shoe
    stand: Floats
    hit: Floats
    double: Floats
    split: Floats
    """[rank, upcard]."""
    surrender: Floats
    blackjack: Floats
    """[hand, upcard]: the chance that the dealer has a blackjack."""
    policy: Policy
    ev: float
    """What one round earns per unit bet, the policy followed, insurance and even money taken where they pay."""
    follows: bool = False
    """True where the policy was given, not found: a play's later decisions are then the policy's."""

    def section(self) -> Section:
        """What a round is worth."""
        how = "by the strategy given" if self.follows else "every hand played at its best"
        figure = Figure(f"{100 * self.ev:+.5f} %", "of the bet, a round", f"exact, {how}")
        rows = list(self.rules.as_dict().items())
        return Section(self.shoe.name, figures=[figure], tables=[Grid(("rule", "value"), rows)])

    __str__ = Shown.__str__

    def plays(
        self, cards: Iterable[int] | str, upcard: int | None = None, after_split: bool = False
    ) -> dict[str, float]:
        """The value of every play allowed, best first; `cards` may be a text with both sides, `8,8 v 10`.

        Without a hole card it is the plain expectation; where the dealer peeks it is given that he has no blackjack.
        Early surrender under a peek is put on the same footing.
        """
        ranks, upcard = _situation(cards, upcard)
        hands = all_hands()
        hand = hands.of(ranks)
        if hand < 0:
            raise IllegalError(f"{text_of(ranks)} is more than 21: there is nothing left to play")
        self.shoe.without((*ranks, upcard))
        values = {"stand": self.stand[hand, upcard], "hit": self.hit[hand, upcard]}
        if len(ranks) == 2:
            values |= self._two_card_plays(hand, ranks, upcard, after_split)
        if len(ranks) == 2 and tuple(sorted(ranks)) == BLACKJACK and not after_split:
            values = self._blackjack_plays(hand, upcard)
        gone = float(self.blackjack[hand, upcard]) if self.rules.peek else 0.0
        ordered = sorted(((float(v) / (1.0 - gone), name) for name, v in values.items()), key=lambda x: -x[0])
        return {name: value for value, name in ordered}

    def _two_card_plays(self, hand: int, ranks: tuple[int, ...], upcard: int, after_split: bool) -> dict[str, float]:
        rules = self.rules
        total, soft = int(all_hands().arrays.total[hand]), bool(all_hands().arrays.soft[hand])
        values = {}
        if may_double(rules, total, soft, after_split):
            values["double"] = self.double[hand, upcard]
        if may_surrender(rules, upcard, after_split):
            values["surrender"] = self.surrender[hand, upcard]
            if rules.peek and rules.surrender.startswith("early") and not after_split:
                values["surrender"] = -0.5 + self.blackjack[hand, upcard]
        splits = ranks[0] == ranks[1] and rules.max_hands != 1 and not after_split
        if splits and self.split[ranks[0], upcard] > NOT_ALLOWED:
            values["split"] = self.split[ranks[0], upcard]
        return values

    def _blackjack_plays(self, hand: int, upcard: int) -> dict[str, float]:
        no_blackjack = 1.0 - self.blackjack[hand, upcard]
        values = {"stand": self.rules.blackjack_pays * no_blackjack}
        if even_money_offered(self.rules, upcard):
            values["even money"] = (
                1.0  # a blackjack on both sides is worth nothing, so this is on the footing of the rest
            )
        return values

    def best(self, cards: Iterable[int] | str, upcard: int | None = None) -> str:
        """The play worth most."""
        return next(iter(self.plays(cards, upcard)))

    def insurance(self, cards: Iterable[int] | str) -> float:
        """What insurance (half the bet) earns per unit of the main bet; the dealer shows an ace."""
        tens = self.shoe.without((*(parse_cards(cards) if isinstance(cards, str) else cards), ACE))
        return 1.5 * tens.counts[TEN] / tens.cards - 0.5

    def side_bet(self, cards: Iterable[int] | str, upcard: int | None = None) -> str:
        """The side bet worth most with these two cards, or `leave`: `even money`, `insure`."""
        ranks, upcard = _situation(cards, upcard)
        natural = tuple(sorted(ranks)) == BLACKJACK
        left = self.shoe.without((*ranks, upcard))
        favourable = {ACE: left.counts[TEN], TEN: left.counts[ACE]}.get(upcard, 0)
        even, insured = side_bet_worth(self.rules.blackjack_pays, favourable, left.cards)
        gains = {"leave": 0.0}
        if natural and even_money_offered(self.rules, upcard):
            gains["even money"] = even
        if upcard == ACE and self.rules.insurance:
            gains["insure"] = insured
        return max(gains, key=lambda name: (gains[name], name == "even money"))

    def states(self) -> Iterator[dict[str, object]]:
        """Every two-card hand against every upcard: its chance and plays."""
        chances = deal_chances(self.shoe)
        for k, hand in enumerate(two_card_hands().tolist()):
            for upcard in np.flatnonzero(chances[k] > 0).tolist():
                ranks = all_hands().ranks(hand)
                plays = self.plays(ranks, upcard)
                yield {
                    "hand": text_of(ranks),
                    "upcard": RANKS[upcard],
                    "chance": float(chances[k, upcard]),
                    "best": next(iter(plays)),
                    "plays": plays,
                }


def _situation(cards: Iterable[int] | str, upcard: int | None) -> tuple[tuple[int, ...], int]:
    if isinstance(cards, str):
        if upcard is not None:
            raise UnreadableError(f"the upcard is given twice: write it in the text, {cards!r}, or beside ranks")
        return parse_situation(cards)
    if upcard is None:
        raise UnreadableError("a hand needs an upcard: plays('8,8 v 10'), or ranks and the rank of the upcard")
    return tuple(cards), upcard


@cache
def _two_card_ranks() -> tuple[Ints, Ints]:
    ranks = np.array([all_hands().ranks(int(hand)) for hand in two_card_hands()])
    return ranks[:, 0], ranks[:, 1]


def deal_chances(shoe: Shoe) -> Floats:
    """[two-card hand, upcard]: the chance of these two cards, in either order, and this upcard."""
    low, high = _two_card_ranks()
    counts, cards = shoe.array().astype(np.float64), shoe.cards
    same = low == high
    first_two = counts[low] * (counts[high] - same) * np.where(same, 1.0, 2.0)
    upcards = np.arange(10)
    third = counts[None, :] - (upcards == low[:, None]) - (upcards == high[:, None])
    result: Floats = first_two[:, None] * np.maximum(third, 0) / (cards * (cards - 1.0) * (cards - 2.0))
    return result


def check_shoe(shoe: Shoe) -> None:
    """Refuse a shoe that one hand and the dealer could empty: then the rules do not say what happens."""
    if shoe.points < POINTS_OF_A_HAND:
        raise IllegalError(
            f"the shoe {shoe} has {shoe.points} points (aces one), and one hand and the dealer may use "
            f"{POINTS_OF_A_HAND}: it could run out of cards; give a fuller shoe"
        )


def dealer_chances(rules: Rules, shoe: Shoe) -> Floats:
    """P(outcome | upcard) after every possible player's hand is taken out: [hand, upcard * OUTCOMES + outcome]."""
    hands, counts = all_hands().arrays, shoe.array()
    chances = np.zeros((len(hands.cards), 10 * OUTCOMES))
    rows = np.flatnonzero((hands.counts <= counts).all(1))[:-1]
    final_chances(counts, hands.counts, rows, dealer_walk(rules.hit_soft_17), chances)
    return chances


def analyse(rules: Rules | str, shoe: Shoe | str | None = None, policy: Policy | None = None) -> Analysis:
    """Every value of a shoe (a fresh one unless given), played at its best or by a policy.

    With `decks` infinite the cards keep the proportions of the shoe, whatever has been drawn. Splits to a limited
    number of hands are zero-memory (see `exact.split`); where the rules set no limit the best play is found by the
    text's formula 5.12, and a policy that is given is followed to `MOST_HANDS` hands.
    """
    rules = read_rules(rules)
    shoe = Shoe.parse(shoe) if isinstance(shoe, str) else shoe
    shoe = counted_shoe(rules, shoe)
    check_shoe(shoe)
    hands, counts = all_hands().arrays, shoe.array()
    chances = dealer_chances(rules, shoe)
    shape = (len(hands.cards), 10)
    stand, hit, value = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    double, surrender = np.zeros(shape), np.zeros(shape)
    hits = policy.hits if policy else np.zeros(shape, np.bool_)
    free = np.zeros(shape, np.int64)
    hand_values(counts, hands, chances, rules.peek, policy is not None, hits, stand, hit, value, free)
    late = rules.surrender == "late"
    first_values(counts, hands, two_card_hands(), stand, rules.peek, late, double, surrender)
    allowed = allowed_values(rules, stand, hit, double, surrender)
    after_split = policy.after_split if policy else choose_after_split(rules, allowed)
    split = split_values(rules, counts, chances, hits, after_split, follow=policy is not None)
    blackjack = blackjack_chances(chances)
    first = policy.first if policy else choose_first(rules, allowed, split, blackjack)
    chosen = Policy(hits, first, after_split)
    ev = round_value(rules, shoe, allowed, split, blackjack, first)
    return Analysis(rules, shoe, stand, hit, double, split, surrender, blackjack, chosen, ev, policy is not None)


def blackjack_chances(chances: Floats) -> Floats:
    return np.ascontiguousarray(chances[:, BLACKJACK_OUTCOME::OUTCOMES])


def allowed_values(rules: Rules, stand: Floats, hit: Floats, double: Floats, surrender: Floats) -> Floats:
    """[play, hand, upcard] of the plays but splitting; what the rules forbid is minus infinity."""
    nothing = np.full(stand.shape, NOT_ALLOWED)
    doubled = np.where(doubling(rules)[:, None], double, nothing)
    given_up = np.where(surrendering(rules)[None, :], surrender, nothing)
    return np.stack([stand, hit, doubled, nothing, given_up])


def _best(values: Floats) -> Ints:
    best: Ints = values.argmax(axis=0)
    return best


def choose_after_split(rules: Rules, allowed: Floats) -> Ints:
    values = allowed.copy()
    if not rules.double_after_split:
        values[DOUBLE] = NOT_ALLOWED
    if not rules.surrender_after_split:
        values[SURRENDER] = NOT_ALLOWED
    chosen = _best(values)
    chosen[all_hands().of(BLACKJACK)] = STAND  # unsplit it is a blackjack, which is never played on
    return chosen


def _with_splits(rules: Rules, allowed: Floats, split: Floats, blackjack: Floats) -> Floats:
    """What may be done with the first two cards, early surrender included, on the footing of the other values."""
    values = allowed.copy()
    hands = all_hands()
    if rules.max_hands != 1:
        for rank in range(10):
            values[SPLIT, hands.of((rank, rank))] = split[rank]
    if rules.peek and rules.surrender.startswith("early"):
        early = np.where(surrendering(rules)[None, :], -0.5 + blackjack, NOT_ALLOWED)
        values[SURRENDER] = early
    return values


def choose_first(rules: Rules, allowed: Floats, split: Floats, blackjack: Floats) -> Ints:
    return _best(_with_splits(rules, allowed, split, blackjack))


def round_value(rules: Rules, shoe: Shoe, allowed: Floats, split: Floats, blackjack: Floats, first: Ints) -> float:
    """The expectation over the first three cards, with insurance and even money where they pay."""
    values = _with_splits(rules, allowed, split, blackjack)
    two = two_card_hands()
    dealer = blackjack[two]
    worth = np.take_along_axis(values[:, two], first[two][None], axis=0)[0]
    if rules.peek:
        worth -= dealer
    natural = int(np.flatnonzero(two == all_hands().of(BLACKJACK))[0])
    worth[natural] = rules.blackjack_pays * (1.0 - dealer[natural])
    if rules.insurance:
        worth[:, ACE] += np.maximum(1.5 * dealer[:, ACE] - 0.5, 0.0)
    for upcard in (ACE, TEN):
        if even_money_offered(rules, upcard):
            worth[natural, upcard] = max(worth[natural, upcard], 1.0)
    chances = deal_chances(shoe)
    value = float(np.where(chances > 0, chances * worth, 0.0).sum())
    if not np.isfinite(value):
        raise IllegalError("the strategy splits a pair that the few cards left cannot serve; give a fuller shoe")
    return value
