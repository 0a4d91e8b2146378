"""Rounds played by the million: any strategy table, all the rules, flat bets.

Cards are drawn from the shoe without replacement by picking a place and looking whether it is still full, so that a
fresh shoe costs nothing. A round dealt from a fresh shoe is a function of (seed, number of the round) alone: two
strategies can be compared on the same cards, and workers do not change a result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arena.statistics import Estimate, Moments
from mazzo.arena.workers import Workers, run
from mazzo.blackjack.exact.split import DOUBLE, HIT, SPLIT, SURRENDER
from mazzo.blackjack.hands import Flags, Floats, Ints
from mazzo.blackjack.rules import INFINITE, UNLIMITED, Rules
from mazzo.blackjack.shoe import Shoe, shoe_of
from mazzo.blackjack.strategy import PlayArrays, Table, play_arrays
from mazzo.errors import UnreadableError
from mazzo.jit import inlined, tight
from mazzo.luck import below, fork, mix, stream

__all__ = ["INSURING", "Simulation", "TableRules", "play_round", "play_rounds", "simulate", "table_rules"]

Bytes = NDArray[np.uint8]

INSURING = ("never", "always", "counted")
"""When insurance and even money are taken; `counted`: when they pay, by the cards left."""

_ROUNDS_A_BLOCK = 1 << 18
_SHOES_A_BLOCK = 1 << 10
_MOST_HANDS = 20
_TRIES = 4096
FRESH, INFINITE_SHOE, THROUGH = range(3)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class TableRules(NamedTuple):
    """The rules as the kernel takes them; what may be doubled or given up is already in the strategy."""

    peek: bool
    hit_soft_17: bool
    blackjack_pays: float
    late: bool
    max_hands: int
    max_aces: int
    even_ace: bool
    even_ten: bool
    insurance: bool
    insuring: int
    cut: float
    cut_sigma: float
    mode: int
    """Fresh shoes, an infinite one, or shoes played through."""
    tens: int
    """Tens in the full shoe."""


def table_rules(rules: Rules, ranks: Bytes, through: bool, insuring: str) -> TableRules:
    """These rules for a shoe of these cards."""
    if insuring not in INSURING:
        raise UnreadableError(f"insurance is taken {', '.join(INSURING)}, not {insuring!r}")
    most = _MOST_HANDS if rules.max_hands == UNLIMITED else rules.max_hands
    return TableRules(
        rules.peek, rules.hit_soft_17, rules.blackjack_pays, rules.surrender == "late",
        most, most if rules.resplit_aces else 2, rules.even_money != "none", rules.even_money == "ace-ten",
        rules.insurance, INSURING.index(insuring), rules.penetration * len(ranks), rules.cut_sigma,
        THROUGH if through else INFINITE_SHOE if rules.decks == INFINITE else FRESH, int((ranks == 9).sum()),
    )  # fmt: skip


@inlined
def normal(luck: np.uint64) -> float:
    """A normal number (Box-Muller) from one luck."""
    u = (np.float64(luck >> np.uint64(40)) + 1.0) / 16777217.0
    v = np.float64(luck & np.uint64(0xFFFFFFFF)) / 4294967296.0
    return np.sqrt(-2.0 * np.log(u)) * np.cos(2.0 * np.pi * v)  # type: ignore[no-any-return]


@inlined
def draw(ranks: Bytes, used: Ints, shoe: int, counter: np.uint64, mode: int) -> tuple[int, np.uint64]:
    """One card that was not used in this shoe, and the moved counter.

    From a fresh shoe a place is picked until one is still full: `used` holds the last shoe that dealt each card. A shoe
    played through is shuffled as it is dealt (Fisher and Yates): `used` then begins with the cards and the tens dealt.
    """
    card = 0
    if mode == THROUGH:
        at = used[0] if used[0] < ranks.shape[0] else 0
        counter += _GOLDEN
        place = at + int(below(mix(counter), ranks.shape[0] - at))
        card = int(ranks[place])
        ranks[place] = ranks[at]
        ranks[at] = card
        used[0] = at + 1
        used[1] += int(card == 9)
    else:
        place = 0
        for _ in range(_TRIES):
            counter += _GOLDEN
            place = int(below(mix(counter), ranks.shape[0]))
            if mode == INFINITE_SHOE or used[place] != shoe:
                break
        used[place] = shoe
        card = int(ranks[place])
    return card, counter


@inlined
def new_shoe(ranks: Bytes, deck: Bytes, used: Ints) -> None:
    """Put a shoe that is played through in order again, so that it depends on its own number alone."""
    for k in range(ranks.shape[0]):
        deck[k] = ranks[k]
    used[0] = 0
    used[1] = 0


@inlined
def open_shoe(ranks: Bytes, deck: Bytes, used: Ints, rules: TableRules, counter: np.uint64) -> float:
    """Make a shoe ready; where its cut card lies. Fresh shoes serve one round: theirs is at the start."""
    cut = 0.0
    if rules.mode == THROUGH:
        cut = min(rules.cut + rules.cut_sigma * normal(mix(counter ^ _GOLDEN)), ranks.shape[0] - 20.0)
        new_shoe(ranks, deck, used)
    return cut


@inlined
def _play_hand(
    ranks: Bytes, used: Ints, shoe: int, counter: np.uint64, mode: int,
    hits: Flags, low: int, high: int, upcard: int, action: int,
) -> tuple[int, np.uint64, int]:  # fmt: skip
    """Draw as the strategy says; the total (aces at their best), the counter, the cards drawn."""
    hard = low + high + 2
    ace = low == 0 or high == 0
    drawn = 0
    total = hard + 10 if ace and hard <= 11 else hard
    while action in (HIT, DOUBLE):
        card, counter = draw(ranks, used, shoe, counter, mode)
        drawn += 1
        hard += card + 1
        ace |= card == 0
        soft = int(ace & (hard <= 11))
        total = hard + 10 * soft
        if (action == DOUBLE) | (not hits[soft, total, upcard]):  # one branch: none of these can be foreseen
            break
    return total, counter, drawn


@inlined
def play_dealer(
    ranks: Bytes, used: Ints, shoe: int, counter: np.uint64, mode: int, upcard: int, hole: int, hit_soft_17: bool
) -> tuple[int, np.uint64, int]:
    """The dealer's final total, the counter, the cards drawn."""
    hard = upcard + hole + 2
    ace = upcard == 0 or hole == 0
    drawn = 0
    while True:
        soft = int(ace & (hard <= 11))
        total = hard + 10 * soft
        if total >= 17 + (hit_soft_17 & soft):
            break
        card, counter = draw(ranks, used, shoe, counter, mode)
        drawn += 1
        hard += card + 1
        ace |= card == 0
    return total, counter, drawn


@inlined
def _insures(ranks: Bytes, used: Ints, shoe: int, rules: TableRules, low: int, high: int, hole: int) -> bool:
    """Whether insurance is taken. Counted: when tens are more than a third of the cards the player has not seen."""
    if rules.insuring < 2:
        return rules.insuring == 1
    tens, unseen = rules.tens, ranks.shape[0]
    if rules.mode == FRESH:
        tens -= int(low == 9) + int(high == 9)
        unseen -= 3
    elif rules.mode == THROUGH:
        tens -= used[1] - int(hole == 9)
        unseen -= used[0] - int(hole >= 0)
    return bool(3 * tens > unseen)


@inlined
def _natural(rules: TableRules, upcard: int, dealer_has: bool, sure: bool) -> float:
    """What a player's blackjack gets; `sure` takes even money where it is offered."""
    offered = (upcard == 0 and rules.even_ace) or (upcard == 9 and rules.even_ten)
    if sure and offered:
        return 1.0
    return 0.0 if dealer_has else rules.blackjack_pays


@inlined
def _settle(totals: Ints, stakes: Ints, hands: int, dealer: int, blackjack: bool) -> float:
    beaten_by = 22 if blackjack else (0 if dealer > 21 else dealer)
    won = 0
    for k in range(hands):
        won += stakes[k] * (int(totals[k] > beaten_by) - int(totals[k] < beaten_by))
    return float(won)


@inlined
def _play_hands(
    ranks: Bytes, used: Ints, shoe: int, counter: np.uint64, first: Ints, again: Ints, hits: Flags,
    rules: TableRules, low: int, high: int, upcard: int, totals: Ints, stakes: Ints,
) -> tuple[float, int, int, np.uint64, int]:  # fmt: skip
    """All of the player's hands: what is lost already, hands that stood, hands given up, the counter, cards drawn."""
    action = first[low, high, upcard]
    waiting, hands = (2, 2) if action == SPLIT else (1, 1)
    most = rules.max_aces if low == 0 else rules.max_hands
    splitting = action == SPLIT
    stood, given_up, drawn, won = 0, 0, 0, 0.0
    while waiting > 0:
        if splitting:
            high, counter = draw(ranks, used, shoe, counter, rules.mode)
            drawn += 1
            if high == low and hands < most:
                hands += 1
                waiting += 1
                continue
            action = again[low, high, upcard]
        waiting -= 1
        if action == SURRENDER:
            won -= 0.5
            given_up += 1
            continue
        total, counter, more = _play_hand(
            ranks, used, shoe, counter, rules.mode, hits, low, high, upcard, action
        )  # fmt: skip
        drawn += more
        stake = 2 if action == DOUBLE else 1
        if total > 21:
            won -= stake
        else:
            totals[stood] = total
            stakes[stood] = stake
            stood += 1
    return won, stood, given_up, counter, drawn


@inlined
def play_round(
    ranks: Bytes, used: Ints, shoe: int, counter: np.uint64, first: Ints, again: Ints, hits: Flags,
    rules: TableRules, totals: Ints, stakes: Ints, seats: int,
) -> tuple[float, np.uint64, int]:  # fmt: skip
    """One round: what the first seat wins, the moved counter, the cards drawn. All seats play alike."""
    low, counter = draw(ranks, used, shoe, counter, rules.mode)
    upcard, counter = draw(ranks, used, shoe, counter, rules.mode)
    high, counter = draw(ranks, used, shoe, counter, rules.mode)
    hole, drawn, won = -1, 3, 0.0
    if rules.peek:
        hole, counter = draw(ranks, used, shoe, counter, rules.mode)
        drawn += 1
    natural = low + high == 9 and (low == 0 or high == 0)
    insured = upcard == 0 and (rules.insurance or natural) and _insures(ranks, used, shoe, rules, low, high, hole)
    stood, given_up = 0, 0
    blackjack = hole >= 0 and upcard + hole == 9 and (upcard == 0 or hole == 0)
    others = 0
    for seat in range(seats - 1, -1, -1):  # ours last, so that its totals stay: the order of hands changes no chance
        one, other = low, high
        if seat > 0:
            one, counter = draw(ranks, used, shoe, counter, rules.mode)
            other, counter = draw(ranks, used, shoe, counter, rules.mode)
            drawn += 2
        if blackjack or (one + other == 9 and (one == 0 or other == 0)):
            continue
        others += stood
        won, stood, given_up, counter, more = _play_hands(
            ranks, used, shoe, counter, first, again, hits, rules, one, other, upcard, totals, stakes
        )
        drawn += more
    if natural:
        others += stood
        won, stood, given_up = 0.0, 0, 0
    if hole < 0 and (stood + others > 0 or natural or insured or (given_up > 0 and rules.late)):
        hole, counter = draw(ranks, used, shoe, counter, rules.mode)
        drawn += 1
        blackjack = upcard + hole == 9 and (upcard == 0 or hole == 0)
    if insured and rules.insurance:
        won += 1.0 if blackjack else -0.5
    if natural:
        won += _natural(rules, upcard, blackjack, insured and not rules.insurance)
    elif blackjack and rules.peek:
        early = not rules.late and first[low, high, upcard] == SURRENDER
        won -= 0.5 if early else 1.0
    elif blackjack and rules.late:
        won -= 0.5 * given_up
    if stood + others > 0:
        dealer = 0
        if not blackjack:
            dealer, counter, more = play_dealer(ranks, used, shoe, counter, rules.mode, upcard, hole, rules.hit_soft_17)
            drawn += more
        won += _settle(totals, stakes, stood, dealer, blackjack)
    return won, counter, drawn


@tight
def play_block(
    key: np.uint64, start: int, amount: int, ranks: Bytes, play: PlayArrays, rules: TableRules, results: Floats,
    deck: Bytes, used: Ints, totals: Ints, stakes: Ints,
) -> tuple[int, float, float]:  # fmt: skip
    """Play `amount` rounds (or shoes, when they are played through); rounds, sum and sum of squares.

    Args:
        key: The key of the seed.
        start: The number of the first round or shoe.
        amount: Rounds, each from a fresh shoe; or whole shoes.
        ranks: The rank of every card of the shoe.
        play: The strategy.
        rules: The rules.
        results: If not empty, every round's result is written here (rounds from fresh shoes only).
        deck: The cards again, which may be shuffled.
        used: Room of the same size for what was dealt; -1 at first.
        totals: Room for the totals of a round's hands.
        stakes: Room for their stakes.
    """
    first, again, hits = play.first, play.after_split, play.hits
    rounds, total, squares = 0, 0.0, 0.0
    for shoe in range(amount):
        counter = fork(key, start + shoe)
        dealt, cut = 0, open_shoe(ranks, deck, used, rules, counter)
        while dealt <= cut:
            won, counter, drawn = play_round(deck, used, shoe, counter, first, again, hits, rules, totals, stakes, 1)
            dealt += drawn
            rounds += 1
            total += won
            squares += won * won
            if results.shape[0] > 0:
                results[shoe] = won
    return rounds, total, squares


@dataclass(frozen=True)
class Simulation:
    """What a strategy earned: per round and unit bet, with its standard error."""

    estimate: Estimate
    rounds: int
    seconds: float
    seed: int


def cards_of(shoe: Shoe) -> Bytes:
    return np.repeat(np.arange(10, dtype=np.uint8), shoe.counts)


def play_rounds(
    rules: Rules, play: PlayArrays, rounds: int, seed: int, shoe: Shoe | None = None, first: int = 0,
    insuring: str = "counted",
) -> Floats:  # fmt: skip
    """The result of every single round, each from a fresh shoe: for comparing strategies on the same cards."""
    ranks = cards_of(shoe or shoe_of(rules))
    results = np.zeros(rounds)
    work = _Work(stream(seed, "blackjack"), ranks, play, table_rules(rules, ranks, False, insuring))
    _block(work, (first, rounds), results)
    return results


class _Work(NamedTuple):
    key: np.uint64
    ranks: Bytes
    play: PlayArrays
    rules: TableRules


def _block(work: _Work, span: tuple[int, int], results: Floats | None = None) -> tuple[int, float, float]:
    used = np.full(len(work.ranks), -1, np.int64)
    totals, stakes = np.zeros(32, np.int64), np.zeros(32, np.int64)
    written = np.zeros(0) if results is None else results
    return play_block(
        work.key, *span, work.ranks, work.play, work.rules, written, work.ranks.copy(), used, totals, stakes
    )


def simulate(
    rules: Rules,
    strategy: Table | PlayArrays,
    rounds: int,
    seed: int = 0,
    shoe: Shoe | None = None,
    through: bool = False,
    insuring: str = "counted",
    workers: Workers = 1,
    advance: Callable[[float], None] | None = None,
) -> Simulation:
    """Play about `rounds` rounds and say what one earned.

    Every round is dealt from the full shoe; or, with `through`, whole shoes are played to the cut card, and the
    standard error comes from the spread between groups of shoes, since rounds of one shoe are not independent.
    """
    if rounds < 1:
        raise UnreadableError(f"rounds is a whole number from 1 up, not {rounds}")
    if through and rules.decks == INFINITE:
        raise UnreadableError("an infinite shoe cannot be played through; give a number of decks")
    play = play_arrays(strategy, rules) if isinstance(strategy, Table) else strategy
    ranks = cards_of(shoe or shoe_of(rules))
    work = _Work(stream(seed, "blackjack"), ranks, play, table_rules(rules, ranks, through, insuring))
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
