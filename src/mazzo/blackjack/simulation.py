"""Rounds played by the million: any strategy table, all the rules, flat bets.

A round dealt from a fresh shoe is a function of (seed, number of the round) alone: two
strategies can be compared on the same cards, and workers do not change a result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

from mazzo.arrays import Bytes, Flags, Floats, Ints
from mazzo.blackjack.columns import (
    ACE_BIT,
    DOUBLE,
    EVEN_MONEY,
    FIRST,
    FROM_SPLIT,
    HIT,
    INSURE,
    LEAVE,
    POINTS,
    SECOND,
    SPLIT,
    SURRENDER,
    SURRENDERED,
)
from mazzo.blackjack.dealing import FRESH, THROUGH, Cards, Dealing, cards_of, dealing_of, draw, open_shoe
from mazzo.blackjack.exact.total import BasicStrategy, best_table
from mazzo.blackjack.hands import (
    TableRules,
    ace_and_ten,
    best_side_bet,
    dealer_draws,
    hole_needed,
    most_hands,
    natural_result,
    offered,
    one_card,
    played_result,
    played_to,
    points,
    second_card,
    settings_of,
    to_beat,
    total_of,
)
from mazzo.blackjack.rules import INFINITE, Rules
from mazzo.blackjack.rules import rules as read_rules
from mazzo.blackjack.shoe import Shoe, shoe_of
from mazzo.blackjack.strategy import PlayArrays, Strategy, play_arrays
from mazzo.confidence import LEVEL
from mazzo.document import Figure, Section, Shown, between, signed
from mazzo.errors import UnreadableError
from mazzo.jit import inlined, tight
from mazzo.rng import fork, stream
from mazzo.statistics import Estimate, Moments
from mazzo.workers import Workers, run

__all__ = ["Simulation", "play_out", "play_rounds", "simulate"]

_ROUNDS_A_BLOCK = 1 << 18
_SHOES_A_BLOCK = 1 << 10


@inlined
def play_hand(
    cards: Cards, counter: np.uint64, hits: Flags, hand: int, upcard: int, action: int
) -> tuple[int, np.uint64, int]:
    """Draw as the strategy says; the hand as `played_to`, the counter, the cards drawn."""
    drawn, hard, ace = 0, hand & POINTS, (hand >> ACE_BIT) & 1  # unpacked while cards are drawn
    while action in (HIT, DOUBLE):
        card, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
        drawn += 1
        hard += card + 1
        ace |= int(card == 0)
        total, soft = points(hard, ace)
        if (action == DOUBLE) | (not hits[soft, total, upcard]):  # one branch: none of these can be foreseen
            break
    return played_to(hard, ace, action == DOUBLE), counter, drawn


@inlined
def play_dealer(cards: Cards, counter: np.uint64, rules: TableRules, dealer: int) -> tuple[int, np.uint64, int]:
    """The dealer's final points, the counter, the cards drawn."""
    drawn, hard, ace = 0, dealer & POINTS, (dealer >> ACE_BIT) & 1
    total, soft = points(hard, ace)
    while dealer_draws(rules, total, soft):
        card, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
        drawn += 1
        hard += card + 1
        ace |= int(card == 0)
        total, soft = points(hard, ace)
    return total, counter, drawn


@inlined
def _side_bet(cards: Cards, rules: TableRules, dealing: Dealing, hand: int, upcard: int, hole: int) -> int:
    """Which side bet is taken. Counted: the one that pays best by the cards the player has not seen."""
    bets = offered(rules, hand, upcard)
    if bets == 0 or dealing.insuring == 0:
        return LEAVE
    if dealing.insuring == 1:
        return EVEN_MONEY if (bets >> EVEN_MONEY) & 1 else INSURE
    wanted = 9 if upcard == 0 else 0
    favourable, unseen = (dealing.tens if upcard == 0 else dealing.aces), cards.ranks.shape[0]
    if dealing.mode == FRESH:
        favourable -= int((hand >> FIRST) & 15 == wanted) + int((hand >> SECOND) & 15 == wanted)
        unseen -= 3
    elif dealing.mode == THROUGH:
        unseen -= cards.used[0] - int(hole >= 0)
        favourable += int(hole == wanted)
        for place in range(cards.used[0]):
            favourable -= int(cards.ranks[place] == wanted)
    return best_side_bet(rules, bets, favourable, unseen)


@inlined
def _play_splits(
    cards: Cards, counter: np.uint64, play: PlayArrays, rules: TableRules, low: int, upcard: int, hands: Ints
) -> tuple[int, int, int, np.uint64, int]:
    """The hands of a split pair, written to `hands`: how many there are, wait, were given up; counter, cards drawn."""
    to_play = count = 2
    most = most_hands(rules, low)
    done, waiting, given_up, drawn = 0, 0, 0, 0
    while to_play > 0:
        high, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
        drawn += 1
        if high == low and count < most:
            count += 1
            to_play += 1
            continue
        to_play -= 1
        hand, action = second_card(one_card(low, 0) | FROM_SPLIT, high), play.after_split[low, high, upcard]
        if action == SURRENDER:
            hand |= SURRENDERED
            given_up += 1
        else:
            hand, counter, more = play_hand(cards, counter, play.hits, hand, upcard, action)
            drawn += more
            waiting += int(total_of(hand)[0] <= 21)
        hands[done] = hand
        done += 1
    return done, waiting, given_up, counter, drawn


@inlined
def play_out(
    cards: Cards,
    counter: np.uint64,
    play: PlayArrays,
    rules: TableRules,
    dealing: Dealing,
    hands: Ints,
    seats: int,
) -> tuple[float, np.uint64, int]:
    """One round: what the first seat wins, the moved counter, the cards drawn. All seats play alike."""
    low, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
    upcard, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
    high, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
    own, dealer = second_card(one_card(low, 0), high), one_card(upcard, 0)
    hole, drawn = -1, 3
    if rules.peek:
        hole, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
        drawn += 1
        dealer = second_card(dealer, hole)
    taken = _side_bet(cards, rules, dealing, own, upcard, hole)
    own_natural, blackjack = ace_and_ten(low, high), ace_and_ten(upcard, hole)
    hand, count, waiting, given_up, others = own, 1, 0, 0, 0
    for seat in range(seats - 1, -1, -1):  # ours last, so that its hands stay: the order of hands changes no chance
        one, other = low, high
        if seat > 0:
            one, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
            other, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
            drawn += 2
        hand = second_card(one_card(one, 0), other)
        others += waiting
        count, waiting, given_up = 1, 0, 0
        if ace_and_ten(one, other):
            continue
        action = play.first[one, other, upcard]
        if action == SURRENDER:  # with a dealer's blackjack this is an early one, or it does not count
            hand |= 0 if blackjack and rules.late else SURRENDERED
            given_up = 1
        elif blackjack:
            continue
        elif action == SPLIT:
            count, waiting, given_up, counter, more = _play_splits(cards, counter, play, rules, one, upcard, hands)
            drawn += more
        else:
            hand, counter, more = play_hand(cards, counter, play.hits, hand, upcard, action)
            drawn += more
            waiting = int(total_of(hand)[0] <= 21)
    if hole < 0 and hole_needed(rules, waiting + others, int(own_natural), given_up, taken == INSURE, True):
        hole, counter = draw(cards.ranks, cards.used, cards.shoe, counter, cards.mode)
        drawn += 1
        dealer = second_card(dealer, hole)
        blackjack = ace_and_ten(upcard, hole)
    total = 0
    if waiting + others > 0 and not blackjack:
        total, counter, more = play_dealer(cards, counter, rules, dealer)
        drawn += more
    won, beat = 0.0, to_beat(total, blackjack)
    if count > 1:
        for k in range(count):
            won += played_result(rules, hands[k], beat, blackjack)
    elif taken == EVEN_MONEY:
        won = 1.0
    elif own_natural:
        won = natural_result(rules, blackjack)
    else:
        won = played_result(rules, hand, beat, blackjack)
    if taken == INSURE:
        won += 1.0 if blackjack else -0.5
    return won, counter, drawn


@tight
def play_block(
    key: np.uint64,
    start: int,
    amount: int,
    ranks: Bytes,
    play: PlayArrays,
    rules: TableRules,
    dealing: Dealing,
    results: Floats,
    deck: Bytes,
    used: Ints,
    hands: Ints,
) -> tuple[int, float, float]:
    """Play `amount` rounds (or shoes, when they are played through); rounds, sum and sum of squares.

    Args:
        key: The key of the seed.
        start: The number of the first round or shoe.
        amount: Rounds, each from a fresh shoe; or whole shoes.
        ranks: The rank of every card of the shoe.
        play: The strategy.
        rules: The rules.
        dealing: How cards come and side bets are answered.
        results: If not empty, every round's result is written here (rounds from fresh shoes only).
        deck: The cards again, which may be shuffled.
        used: Room of the same size for what was dealt; -1 at first.
        hands: Room for a round's hands.
    """
    rounds, total, squares = 0, 0.0, 0.0
    for shoe in range(amount):
        counter = fork(key, start + shoe)
        dealt, cut = 0, open_shoe(ranks, deck, used, dealing, counter)
        while dealt <= cut:
            cards = Cards(deck, used, shoe, dealing.mode)
            won, counter, drawn = play_out(cards, counter, play, rules, dealing, hands, 1)
            dealt += drawn
            rounds += 1
            total += won
            squares += won * won
            if results.shape[0] > 0:
                results[shoe] = won
    return rounds, total, squares


@dataclass(frozen=True)
class Simulation(Shown):
    """What a strategy earned: per round and unit bet, with its standard error."""

    estimate: Estimate
    rounds: int
    seconds: float
    seed: int

    def section(self) -> Section:
        """What a round earned, with its interval."""
        words = f"{self.rounds:,} rounds, seed {self.seed}"
        figure = Figure(
            signed(self.estimate.mean, 6), "of the bet, a round", f"{LEVEL}: {between(self.estimate.ci95, 6)}"
        )
        return Section("Rounds played by a strategy", [words], [figure])

    __str__ = Shown.__str__


def play_rounds(
    rules: Rules,
    play: PlayArrays,
    rounds: int,
    seed: int,
    shoe: Shoe | None = None,
    first: int = 0,
    insuring: str = "counted",
) -> Floats:
    """The result of every single round, each from a fresh shoe: for comparing strategies on the same cards."""
    ranks = cards_of(shoe or shoe_of(rules))
    results = np.zeros(rounds)
    work = _work(rules, ranks, play, seed, False, insuring)
    _block(work, (first, rounds), results)
    return results


class _Work(NamedTuple):
    key: np.uint64
    ranks: Bytes
    play: PlayArrays
    rules: TableRules
    dealing: Dealing


def _work(rules: Rules, ranks: Bytes, play: PlayArrays, seed: int, through: bool, insuring: str) -> _Work:
    settings = settings_of(rules, sparing=True, ends_at=22)
    return _Work(stream(seed, "blackjack"), ranks, play, settings, dealing_of(rules, ranks, through, insuring))


def _block(work: _Work, span: tuple[int, int], results: Floats | None = None) -> tuple[int, float, float]:
    used = np.full(len(work.ranks), -1, np.int64)
    written, hands = np.zeros(0) if results is None else results, np.zeros(32, np.int64)
    deck = work.ranks.copy()
    return play_block(work.key, *span, work.ranks, work.play, work.rules, work.dealing, written, deck, used, hands)


def _arrays_of(strategy: Strategy | BasicStrategy | PlayArrays | str | Path, rules: Rules) -> PlayArrays:
    if isinstance(strategy, str | Path):
        strategy = Strategy.read(strategy)
    if isinstance(strategy, BasicStrategy):
        strategy = strategy.table
    return play_arrays(strategy, rules) if isinstance(strategy, Strategy) else strategy


def simulate(
    rules: Rules | str,
    strategy: Strategy | BasicStrategy | PlayArrays | str | Path | None = None,
    rounds: int = 1_000_000,
    seed: int = 0,
    shoe: Shoe | str | None = None,
    through: bool = False,
    insuring: str = "counted",
    workers: Workers = 1,
    advance: Callable[[float], None] | None = None,
) -> Simulation:
    """Play about `rounds` rounds by a strategy and say what one earned.

    The strategy is the best chart of the rules unless one is given: a table, what `chart` made, or a file of letters.

    Every round is dealt from the full shoe; or, with `through`, whole shoes are played to the cut card, and the
    standard error comes from the spread between groups of shoes, since rounds of one shoe are not independent.
    """
    rules = read_rules(rules)
    shoe = Shoe.parse(shoe) if isinstance(shoe, str) else shoe
    if rounds < 1:
        raise UnreadableError(f"rounds must be a whole number from 1 up, got {rounds}")
    if through and rules.decks == INFINITE:
        raise UnreadableError("an infinite shoe cannot be played through; give a number of decks")
    play = _arrays_of(best_table(rules, shoe) if strategy is None else strategy, rules)
    ranks = cards_of(shoe or shoe_of(rules))
    work = _work(rules, ranks, play, seed, through, insuring)
    size = _SHOES_A_BLOCK if through else _ROUNDS_A_BLOCK
    amount = max(2 * size, -(-rounds * 6 // int(len(ranks) * rules.penetration))) if through else rounds
    spans = [(start, min(size, amount - start)) for start in range(0, amount, size)]
    began, moments, means, played = perf_counter(), Moments(), Moments(), 0
    for count, total, squares in run(partial(_block, work), spans, workers):
        mean = total / count
        moments += Moments(count, mean, max(squares - total * mean, 0.0))
        means += Moments.of([mean])
        played += count
        if advance:
            advance(count)
    error = means.estimate().standard_error if through else moments.estimate().standard_error
    return Simulation(Estimate(moments.mean, error, played), played, perf_counter() - began, seed)
