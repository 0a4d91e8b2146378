"""The analysis of one shoe: every play of every hand, the best of them, and what the round is worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from mazzo.blackjack.columns import DOUBLE, MOST_HANDS, SPLIT, STAND, SURRENDER
from mazzo.blackjack.exact.dealer import BLACKJACK_OUTCOME, OUTCOMES, dealer_walk, final_chances
from mazzo.blackjack.exact.play import first_values, hand_values
from mazzo.blackjack.exact.split import (
    After,
    SplitPair,
    most_points,
    pair_table,
    pair_values,
    stands_reached,
    unlimited_split,
)
from mazzo.blackjack.hands import side_bet_worth
from mazzo.blackjack.multisets import BLACKJACK, Flags, Floats, Ints, all_hands, two_card_hands
from mazzo.blackjack.rules import (
    INFINITE,
    UNLIMITED,
    Rules,
    even_money_offered,
    may_double,
    may_surrender,
    points_needed,
)
from mazzo.blackjack.rules import rules as read_rules
from mazzo.blackjack.shoe import ACE, RANKS, TEN, Shoe, parse_cards, parse_situation, shoe_of, text_of
from mazzo.blackjack.strategy import Policy
from mazzo.document import Figure, Grid, Section, Shown
from mazzo.errors import IllegalError, UnreadableError

__all__ = [
    "Analysis",
    "analyse",
    "deal_chances",
    "dealer_chances",
]

_NEGLIGIBLE = 1e-13
_NOT_ALLOWED = -np.inf
_DEALERS_POINTS = 17
"""With this many points left, the upcard among them, the dealer can always finish his hand."""
POINTS_OF_A_HAND = 21 + _DEALERS_POINTS
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
        return Section(f"A shoe of {self.shoe.cards} cards", figures=[figure], tables=[Grid(("rule", "value"), rows)])

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
        if splits and self.split[ranks[0], upcard] > _NOT_ALLOWED:
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
    counts, cards = shoe.array(), shoe.cards
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

    Splits to a limited number of hands are zero-memory (see `exact.split`); where the rules set no limit the best play
    is found by the text's formula 5.12, and a policy that is given is followed to `MOST_HANDS` hands.
    """
    rules = read_rules(rules)
    shoe = Shoe.parse(shoe) if isinstance(shoe, str) else shoe
    if rules.decks == INFINITE:
        raise IllegalError(
            "an infinite shoe has no cards to count: give decks = 1 to 8, or ask for the infinite-deck method"
        )
    shoe = shoe_of(rules) if shoe is None else shoe
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


@cache
def _doubling(rules: Rules, after_split: bool = False) -> Flags:
    hands = all_hands().arrays
    pairs = zip(hands.total.tolist(), hands.soft.tolist(), strict=True)
    return np.array([may_double(rules, total, soft, after_split) for total, soft in pairs])


def _surrendering(rules: Rules, after_split: bool = False) -> Flags:
    return np.array([may_surrender(rules, upcard, after_split) for upcard in range(10)])


def allowed_values(rules: Rules, stand: Floats, hit: Floats, double: Floats, surrender: Floats) -> Floats:
    """[play, hand, upcard] of the plays but splitting; what the rules forbid is minus infinity."""
    nothing = np.full(stand.shape, _NOT_ALLOWED)
    doubled = np.where(_doubling(rules)[:, None], double, nothing)
    given_up = np.where(_surrendering(rules)[None, :], surrender, nothing)
    return np.stack([stand, hit, doubled, nothing, given_up])


def _best(values: Floats) -> Ints:
    best: Ints = values.argmax(axis=0)
    return best


def choose_after_split(rules: Rules, allowed: Floats) -> Ints:
    values = allowed.copy()
    if not rules.double_after_split:
        values[DOUBLE] = _NOT_ALLOWED
    if not rules.surrender_after_split:
        values[SURRENDER] = _NOT_ALLOWED
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
        early = np.where(_surrendering(rules)[None, :], -0.5 + blackjack, _NOT_ALLOWED)
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
    result, found = np.full(10, _NOT_ALLOWED), {}
    for upcard in np.flatnonzero(shoe).tolist():
        holding = int(shoe[rank]) - (upcard == rank)
        used = most_points(shoe, all_hands().arrays, pair_table(rank, 0), upcard, first, hits, one_card)
        most = min(limit, holding, (int(shoe @ np.arange(1, 11)) - _DEALERS_POINTS) // used)
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
    may = After(_doubling(rules, after_split=True), _surrendering(rules, after_split=True))
    return SplitPair(shoe, hands, table, known, one_card, rules.peek, late), may


def _levels_that_matter(of_rank: int, cards: int) -> int:
    """How many further cards of the pair may come before their chance, with the stakes they bring, is negligible."""
    weight, level = 1.0, 0
    while weight > _NEGLIGIBLE and level < of_rank - 2:
        weight *= 2.0 * (of_rank - 2 - level) / (cards - 3 - level)
        level += 1
    return level
