"""Compositions as play meets them: shoes played round by round, or rounds at any depth, each with its value.

Whole shoes are played by the best plays of an infinite deck with the proportions of the moment, worked out anew before
every round; that costs a hundredth of a millisecond and is all but perfect. The infinite deck's value, corrected by the
fresh shoe's error times n0/n, is the fast guess of what the round is worth.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Bytes
from mazzo.blackjack.columns import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from mazzo.blackjack.dealing import (
    THROUGH,
    Cards,
    Dealing,
    cards_of,
    dealing_of,
    draw,
    new_shoe,
    open_shoe,
)
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.hands import TableRules, points, settings_of
from mazzo.blackjack.infinite import (
    InfiniteTables,
    fill_tables,
    infinite_ev,
    infinite_evs,
    new_tables,
    surrendered,
)
from mazzo.blackjack.multisets import Flags, Floats, Ints
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import Shoe, must_change, shoe_of
from mazzo.blackjack.simulation import play_out
from mazzo.blackjack.strategy import PlayArrays
from mazzo.errors import UnreadableError
from mazzo.jit import inlined, kernel, tight_helper
from mazzo.rng import below, fork, mix, stream

__all__ = ["PlayedShoes", "correction", "fast_values", "infinite_plays", "play_shoes", "random_depths"]

Counts = NDArray[np.int16]
_ROOM = 200  # more rounds than any shoe has


class PlayedShoes(NamedTuple):
    """Rounds with the shoe as it stood before each."""

    shoe: Ints
    """The number of the shoe each round belongs to."""
    counts: Counts
    """[round, rank]: the cards left."""
    guess: Floats
    """The fast value of the round."""
    won: Floats
    """What the round won, a unit bet (not known where it was not played)."""

    @property
    def cards(self) -> Ints:
        """The cards left before each round."""
        return np.asarray(self.counts.sum(1), np.int64)


@cache
def correction(rules: Rules, shoe: Shoe | None = None) -> float:
    """(EV0 - inf0) n0 of a full shoe: divided by the cards left, what the infinite deck's value must be raised by."""
    must_change(rules)
    full = shoe or shoe_of(rules)
    return (analyse(rules, full).ev - infinite_ev(rules, full)) * full.cards


def fast_values(rules: Rules, counts: NDArray[np.integer]) -> Floats:
    """The infinite deck's value of each composition, corrected for the cards left."""
    cards = counts.sum(1, keepdims=True).astype(np.float64)
    result = np.zeros(len(counts))
    infinite_evs(counts / cards, settings_of(rules), new_tables(), result)
    return np.asarray(result + correction(rules) / cards[:, 0])


@inlined
def _pick(rules: TableRules, t: InfiniteTables, soft: int, total: int, up: int, again: bool) -> tuple[int, float]:
    """The best play of two cards but for splitting, and its value."""
    gone = t.ends[up, 5] if rules.peek else 0.0
    best, action = t.value[soft, total, up], STAND
    if best > t.stand[soft, total, up]:
        action = HIT
    if rules.doubles[int(again), soft, total] and t.double[soft, total, up] > best:
        best, action = t.double[soft, total, up], DOUBLE
    if rules.surrenders[int(again), up]:
        given_up = surrendered(rules, t.ends[up, 5])
        if not rules.late and not again:
            given_up = -0.5 + gone
        if given_up > best:
            best, action = given_up, SURRENDER
    return action, best


@tight_helper
def infinite_plays(rules: TableRules, t: InfiniteTables, first: Ints, again: Ints, hits: Flags) -> None:
    """Fill a strategy with the best plays of the infinite deck whose tables these are."""
    for soft in range(2):
        for total in range(4, 22):
            for up in range(10):
                hits[soft, total, up] = t.value[soft, total, up] > t.stand[soft, total, up]
    for low in range(10):
        for high in range(low, 10):
            total, soft = points(low + high + 2, int(low == 0))
            for up in range(10):
                action, best = _pick(rules, t, soft, total, up, False)
                if low == high and rules.max_hands != 1 and t.split[low, up] > best:
                    action = SPLIT
                first[low, high, up] = first[high, low, up] = action
                action, _ = _pick(rules, t, soft, total, up, True)
                if low == 0 and (high == 9 or not rules.hit_split_aces):
                    action = STAND
                again[low, high, up] = again[high, low, up] = action


@kernel
def _play(
    key: np.uint64,
    start: int,
    amount: int,
    ranks: Bytes,
    rules: TableRules,
    dealing: Dealing,
    t: InfiniteTables,
    corrected: float,
    seats: int,
    play: PlayArrays,
    played: PlayedShoes,
) -> int:
    """Play whole shoes to the cut card and note every round; how many there were."""
    deck, used = ranks.copy(), np.zeros(ranks.shape[0], np.int64)
    hands = np.zeros(32, np.int64)
    left, chances = np.zeros(10, np.int64), np.zeros(10)
    rounds = 0
    for number in range(start, start + amount):
        counter = fork(key, number)
        cut = open_shoe(ranks, deck, used, dealing, counter)
        left[:] = 0
        for card in ranks:
            left[card] += 1
        dealt = 0
        while dealt <= cut and rounds < played.won.shape[0]:
            cards = ranks.shape[0] - dealt
            for rank in range(10):
                played.counts[rounds, rank] = left[rank]
                chances[rank] = left[rank] / cards
            played.guess[rounds] = fill_tables(chances, rules, t) + corrected / cards
            infinite_plays(rules, t, play.first, play.after_split, play.hits)
            cards_of_round = Cards(deck, used, number, dealing.mode)
            result, counter, drawn = play_out(cards_of_round, counter, play, rules, dealing, hands, seats)
            for k in range(dealt, dealt + drawn):
                left[deck[k]] -= 1
            dealt += drawn
            played.shoe[rounds] = number
            played.won[rounds] = result
            rounds += 1
    return rounds


@kernel
def _draw_depths(key: np.uint64, start: int, amount: int, ranks: Bytes, deepest: int, counts: Counts) -> None:
    """What is left after 0 to `deepest` cards, every number with the same chance, are gone."""
    deck, used = ranks.copy(), np.zeros(ranks.shape[0], np.int64)
    for k in range(amount):
        counter = fork(key, start + k)
        gone = below(mix(counter ^ np.uint64(1)), deepest + 1)
        new_shoe(ranks, deck, used)
        for _ in range(gone):
            _, counter = draw(deck, used, 0, counter, THROUGH)
        counts[k] = 0
        for place in range(gone, ranks.shape[0]):
            counts[k, deck[place]] += 1


def new_plays() -> PlayArrays:
    """An empty strategy for `infinite_plays` to fill."""
    return PlayArrays(
        np.zeros((10, 10, 10), np.int64), np.zeros((10, 10, 10), np.int64), np.zeros((2, 32, 10), np.bool_)
    )


def play_shoes(rules: Rules, shoes: range, seed: int = 0, seats: int = 1, full: Shoe | None = None) -> PlayedShoes:
    """Play these numbered shoes to the cut card. Shoe 17 of seed 1 is the same alone or among a million."""
    if not 1 <= seats <= 7:
        raise UnreadableError(f"a table has 1 to 7 seats, not {seats}")
    ranks = cards_of(full or shoe_of(rules))
    room = _ROOM * len(shoes)
    played = PlayedShoes(np.zeros(room, np.int64), np.zeros((room, 10), np.int16), np.zeros(room), np.zeros(room))
    rounds = _play(
        stream(seed, "shoes"),
        shoes.start,
        len(shoes),
        ranks,
        settings_of(rules, sparing=True, ends_at=22),
        dealing_of(rules, ranks, True, "counted"),
        new_tables(),
        correction(rules, full),
        seats,
        new_plays(),
        played,
    )
    return PlayedShoes(played.shoe[:rounds], played.counts[:rounds], played.guess[:rounds], played.won[:rounds])


def random_depths(rules: Rules, rounds: range, deepest: int, seed: int = 0) -> PlayedShoes:
    """Numbered rounds, each from a fresh shoe less 0 to `deepest` random cards; they are not played."""
    ranks = cards_of(shoe_of(rules))
    if not 0 <= deepest <= len(ranks) - 20:
        raise UnreadableError(f"a shoe of {len(ranks)} cards can be dealt 0 to {len(ranks) - 20} deep, not {deepest}")
    counts = np.zeros((len(rounds), 10), np.int16)
    _draw_depths(stream(seed, "depths"), rounds.start, len(rounds), ranks, deepest, counts)
    numbers = np.arange(rounds.start, rounds.stop, dtype=np.int64)
    return PlayedShoes(numbers, counts, fast_values(rules, counts), np.full(len(rounds), np.nan))
