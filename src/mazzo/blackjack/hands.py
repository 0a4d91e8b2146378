"""The rules of a hand, once: small functions of a hand packed into one integer (`columns` has the bits).

They are pasted into whatever kernel plays: `kernels` advances a round by one action, `simulation.play_out` plays whole
rounds with everything in registers, Q-learning learns between the plays. Doubling and surrender are decided in `rules`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mazzo.arrays import Flags
from mazzo.blackjack.columns import (
    ACE_BIT,
    BOX,
    CARDS,
    DOUBLE,
    DOUBLED,
    EVEN_MONEY,
    FIRST,
    FROM_SPLIT,
    HIT,
    INSURE,
    LEAVE,
    MOST_HANDS,
    POINTS,
    SECOND,
    SPLIT,
    STAND,
    SURRENDER,
    SURRENDERED,
    best_points,
)
from mazzo.blackjack.rules import UNLIMITED, Rules, even_money_offered, may_double, may_surrender
from mazzo.jit import inlined

__all__ = [
    "TableRules",
    "ace_and_ten",
    "best_side_bet",
    "box_of",
    "cards_in",
    "dealer_draws",
    "ends",
    "hole_needed",
    "may",
    "most_hands",
    "natural",
    "natural_result",
    "offered",
    "one_card",
    "played_result",
    "played_to",
    "points",
    "result",
    "second_card",
    "settings_of",
    "side_bet_worth",
    "take",
    "to_beat",
    "total_of",
]


class TableRules(NamedTuple):
    """The rules as kernels take them."""

    peek: bool
    hit_soft_17: bool
    blackjack_pays: float
    doubles: Flags
    """[after a split, soft, total]: may be doubled."""
    surrenders: Flags
    """[after a split, upcard]: may be given up."""
    late: bool
    """Surrender comes after the dealer has looked for a blackjack."""
    max_hands: int
    resplit_aces: bool
    hit_split_aces: bool
    even_ace: bool
    even_ten: bool
    insurance: bool
    sparing: bool = False
    """A card is drawn only when it can matter. At a table of people both hands of a split get their second cards at
    once, the dealer takes a second card even if no hand waits for it, and where early surrender is offered a first play
    is carried out before the dealer looks."""
    ends_at: int = 21
    """From this total on there is nothing to decide; 22: a strategy may draw even to 21."""


def settings_of(rules: Rules, sparing: bool = False, ends_at: int = 21) -> TableRules:
    """These rules as kernels take them."""
    splits, softs = (False, True), (False, True)
    doubles = [[[may_double(rules, total, soft, after) for total in range(32)] for soft in softs] for after in splits]
    surrenders = [[may_surrender(rules, upcard, after) for upcard in range(10)] for after in splits]
    return TableRules(
        rules.peek,
        rules.hit_soft_17,
        rules.blackjack_pays,
        np.array(doubles),
        np.array(surrenders),
        rules.surrender == "late",
        rules.max_hands,
        rules.resplit_aces,
        rules.hit_split_aces,
        even_money_offered(rules, 0),
        even_money_offered(rules, 9),
        rules.insurance,
        sparing,
        ends_at,
    )


# ---- a hand

points = inlined(best_points)


@inlined
def one_card(rank: int, box: int) -> int:
    """A hand of one card."""
    return rank + 1 + (int(rank == 0) << ACE_BIT) + (1 << CARDS) + (rank << FIRST) + (box << BOX)


@inlined
def take(hand: int, rank: int) -> int:
    """The hand with one card more."""
    return (hand + rank + 1 + (1 << CARDS)) | (int(rank == 0) << ACE_BIT)


@inlined
def played_to(hard: int, ace: int, doubled: bool) -> int:
    """A hand played to its end, as far as `played_result` needs it: points with aces as one, an ace, the stake."""
    return hard | (ace << ACE_BIT) | (DOUBLED if doubled else 0)


@inlined
def second_card(hand: int, rank: int) -> int:
    """The hand of one card with its second."""
    return take(hand, rank) | (rank << SECOND)


@inlined
def total_of(hand: int) -> tuple[int, int]:
    """The points of a hand, and 1 if it is soft."""
    total, soft = points(hand & POINTS, (hand >> ACE_BIT) & 1)
    return total, soft


@inlined
def cards_in(hand: int) -> int:
    """How many cards a hand has."""
    return (hand >> CARDS) & 31


@inlined
def box_of(hand: int) -> int:
    """The box a hand belongs to."""
    return (hand >> BOX) & 15


@inlined
def ace_and_ten(first: int, second: int) -> bool:
    """Whether the first two cards make a blackjack."""
    return (first + second == 9) & ((first == 0) | (second == 0))


@inlined
def natural(hand: int) -> bool:
    """A blackjack: ace and ten as dealt, not after a split."""
    dealt = ((hand & FROM_SPLIT) == 0) & (cards_in(hand) == 2)
    return dealt & ace_and_ten((hand >> FIRST) & 15, (hand >> SECOND) & 15)


# ---- the rules of a hand


@inlined
def most_hands(rules: TableRules, rank: int) -> int:
    """How many hands a pair of this rank may become."""
    most = MOST_HANDS if rules.max_hands == UNLIMITED else rules.max_hands
    return min(most, 2) if rank == 0 and not rules.resplit_aces else most


@inlined
def only_one_card(rules: TableRules, hand: int) -> bool:
    """Split aces that get one card each: they may at most be split again."""
    return (hand & FROM_SPLIT) != 0 and ((hand >> FIRST) & 15) == 0 and not rules.hit_split_aces


@inlined
def may(rules: TableRules, hand: int, upcard: int, hands: int) -> int:
    """Which plays are legal, a bit each, where the hand's box has `hands` hands."""
    allowed = 1 << STAND
    after, first, second = int((hand & FROM_SPLIT) != 0), (hand >> FIRST) & 15, (hand >> SECOND) & 15
    total, soft = total_of(hand)
    two = cards_in(hand) == 2
    if not only_one_card(rules, hand):
        allowed |= 1 << HIT
        if two and rules.doubles[after, soft, total]:
            allowed |= 1 << DOUBLE
        if two and rules.surrenders[after, upcard]:
            allowed |= 1 << SURRENDER
    if two and first == second and hands < most_hands(rules, first):
        allowed |= 1 << SPLIT
    return allowed


@inlined
def ends(rules: TableRules, hand: int, upcard: int, hands: int) -> bool:
    """Whether a hand leaves nothing to decide: enough points, or one of two split aces."""
    total, _ = total_of(hand)
    return total >= rules.ends_at or total > 21 or may(rules, hand, upcard, hands) == 1 << STAND


@inlined
def dealer_draws(rules: TableRules, total: int, soft: int) -> bool:
    """Whether the dealer must take a card."""
    return total < 17 + (soft & rules.hit_soft_17)


@inlined
def to_beat(dealer: int, blackjack: bool) -> int:
    """The points a hand needs for a draw against the dealer's final points: none if he is bust, 22 for a blackjack."""
    return 22 if blackjack else (0 if dealer > 21 else dealer)


@inlined
def result(rules: TableRules, hand: int, beat: int, blackjack: bool) -> float:
    """What a hand wins, in units of the bet.

    Args:
        rules: The rules.
        hand: The player's hand.
        beat: What it has `to_beat`.
        blackjack: Whether the dealer has a blackjack.
    """
    return natural_result(rules, blackjack) if natural(hand) else played_result(rules, hand, beat, blackjack)


@inlined
def natural_result(rules: TableRules, blackjack: bool) -> float:
    """The `result` of a blackjack."""
    return 0.0 if blackjack else rules.blackjack_pays


@inlined
def played_result(rules: TableRules, hand: int, beat: int, blackjack: bool) -> float:
    """The `result` of a hand that is no blackjack."""
    if hand & SURRENDERED:
        return -1.0 if blackjack and rules.late else -0.5
    total, _ = total_of(hand)
    mine = total * int(total <= 21) - int(total > 21)  # no branches here: who wins cannot be foreseen
    doubled = int((hand & DOUBLED) != 0) & int(not (blackjack and rules.peek))
    return float((1 + doubled) * (int(mine > beat) - int(mine < beat)))


@inlined
def hole_needed(rules: TableRules, waiting: int, naturals: int, given_up: int, insured: bool, unpaid: bool) -> bool:
    """Whether a dealer without a hole card takes his second card.

    Args:
        rules: The rules.
        waiting: Hands that are neither bust nor given up nor blackjacks.
        naturals: Blackjacks, those that were paid included.
        given_up: Hands given up.
        insured: Whether any box is insured.
        unpaid: Whether any hand has not been paid even money.
    """
    if rules.sparing:
        return waiting > 0 or naturals > 0 or insured or (given_up > 0 and rules.late)
    return unpaid or insured


# ---- side bets


@inlined
def offered(rules: TableRules, hand: int, upcard: int) -> int:
    """Which side bets a box is offered with its first two cards, a bit each."""
    bets = 1 << INSURE if rules.insurance and upcard == 0 else 0
    if ((upcard == 0 and rules.even_ace) or (upcard == 9 and rules.even_ten)) and natural(hand):
        bets |= 1 << EVEN_MONEY
    return bets


def side_bet_worth(pays: float, favourable: float, unseen: float) -> tuple[float, float]:
    """What even money and insurance gain on average, in units of the bet, times `unseen`.

    Args:
        pays: What a blackjack pays.
        favourable: How many of the unseen cards would give the dealer a blackjack.
        unseen: How many cards the player has not seen.
    """
    return unseen - pays * (unseen - favourable), 1.5 * favourable - 0.5 * unseen


_worth = inlined(side_bet_worth)


@inlined
def best_side_bet(rules: TableRules, bets: int, favourable: int, unseen: int) -> int:
    """The side bet offered (`bets`) that pays best, `LEAVE` if none pays; the numbers as for `side_bet_worth`."""
    best, gain = LEAVE, 0.0
    even, insured = _worth(rules.blackjack_pays, favourable, unseen)
    if (bets >> EVEN_MONEY) & 1 and even > gain:
        best, gain = EVEN_MONEY, even
    if (bets >> INSURE) & 1 and insured > gain:
        best = INSURE
    return best
