"""The infinite shoe: cards come with fixed chances, so a hand is its total and the whole game a small table.

One pass over totals from 21 down gives every value (the text's topological walk of a 40 x 10 table). A pair split
without limit solves 5.18, S = 2 / (1 - 2p) * sum over other cards; at p = 1/2 that is singular, and above it means
nothing, so from there on hands are capped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mazzo.blackjack.hands import TableRules, points, settings_of
from mazzo.blackjack.multisets import Floats, hand_total
from mazzo.blackjack.rules import UNLIMITED, Rules
from mazzo.blackjack.shoe import Shoe, shoe_of
from mazzo.jit import helper, inlined, kernel, tight_helper

__all__ = [
    "InfiniteDeck",
    "InfiniteTables",
    "dealer_ends",
    "fill_tables",
    "infinite_deck",
    "infinite_ev",
    "infinite_evs",
    "new_tables",
    "surrendered",
]

_CAP = 16


class InfiniteTables(NamedTuple):
    """What the kernel fills: [soft, total, upcard] and [rank, upcard]."""

    dealer: Floats
    """[soft, total, outcome 17..21]: how the dealer ends from a total."""
    ends: Floats
    """[upcard, outcome 17..21, blackjack]."""
    stand: Floats
    value: Floats
    double: Floats
    first: Floats
    """The best of two cards that are not split, a dealer blackjack counted."""
    again: Floats
    """The best of two cards after a split."""
    split: Floats
    room: Floats


def new_tables() -> InfiniteTables:
    """Empty tables."""
    return InfiniteTables(
        np.zeros((2, 22, 5)),
        np.zeros((10, 6)),
        np.zeros((2, 22, 10)),
        np.zeros((2, 22, 10)),
        np.zeros((2, 22, 10)),
        np.zeros((2, 22, 10)),
        np.zeros((2, 22, 10)),
        np.zeros((10, 10)),
        np.zeros((_CAP + 1, 2 * _CAP + 2)),
    )


@inlined
def _added(soft: int, total: int, rank: int) -> tuple[int, int]:
    """A total and a card: (soft, total); above 21 is a bust. A total of 11 from one ace is (1, 11)."""
    total, soft = points(total - 10 * soft + rank + 1, soft | int(rank == 0))
    return soft, total


@tight_helper
def dealer_ends(p: Floats, hit_soft_17: bool, dealer: Floats, ends: Floats) -> None:
    """Fill how the dealer ends from every total and from every upcard."""
    for step in range(2 * 22):
        # hard 21..11, then soft 21..11, then hard 10..2: every draw leads to a state filled before
        soft, total = (0, 21 - step) if step < 11 else ((1, 32 - step) if step < 22 else (0, 32 - step))
        if total < 2:
            break
        for k in range(5):
            dealer[soft, total, k] = 0.0
        if total >= 17 and not (hit_soft_17 and soft == 1 and total == 17):
            dealer[soft, total, total - 17] = 1.0
            continue
        for rank in range(10):
            to_soft, to = _added(soft, total, rank)
            if to <= 21:
                for k in range(5):
                    dealer[soft, total, k] += p[rank] * dealer[to_soft, to, k]
    for up in range(10):
        natural = 9 if up == 0 else (0 if up == 9 else -1)
        for k in range(6):
            ends[up, k] = 0.0
        for rank in range(10):
            if rank == natural:
                ends[up, 5] = p[rank]
                continue
            to_soft, to = _added(1, 11, rank) if up == 0 else _added(0, up + 1, rank)
            for k in range(5):
                ends[up, k] += p[rank] * dealer[to_soft, to, k]


@helper
def _hand_table(p: Floats, peek: bool, ends: Floats, stand: Floats, value: Floats, double: Floats) -> None:
    """Fill standing, the better of standing and hitting, and doubling, for every total against every upcard."""
    hitting, once, lost = np.empty(10), np.empty(10), np.empty(10)
    _stand_table(peek, ends, stand)
    for up in range(10):
        lost[up] = -1.0 + ends[up, 5] if peek else -1.0
    for step in range(2 * 22):
        soft, total = (0, 21 - step) if step < 11 else ((1, 32 - step) if step < 22 else (0, 32 - step))
        if total < 2:
            break
        bust = 0.0
        hitting[:] = 0.0
        once[:] = 0.0
        for rank in range(10):
            to_soft, to = _added(soft, total, rank)
            if to > 21:
                bust += p[rank]
                continue
            chance = p[rank]
            for up in range(10):
                hitting[up] += chance * value[to_soft, to, up]
                once[up] += chance * stand[to_soft, to, up]
        for up in range(10):
            value[soft, total, up] = max(stand[soft, total, up], hitting[up] + bust * lost[up])
            double[soft, total, up] = 2.0 * (once[up] + bust * lost[up])


@inlined
def _stand_table(peek: bool, ends: Floats, stand: Floats) -> None:
    for up in range(10):
        standing = 1.0 - ends[up, 5] if peek else 1.0 - 2.0 * ends[up, 5]
        for k in range(5):
            standing -= 2.0 * ends[up, k]
        for total in range(22):
            if total - 17 >= 0:
                standing += ends[up, total - 17]
            if total - 18 >= 0:
                standing += ends[up, total - 18]
            stand[0, total, up] = standing
            stand[1, total, up] = standing


@inlined
def surrendered(rules: TableRules, blackjack: float) -> float:
    """What giving up is worth after a look for blackjack, or without one."""
    if rules.peek:
        return -0.5 * (1.0 - blackjack)
    return -0.5 * (1.0 + blackjack) if rules.late else -0.5


@tight_helper
def _two_card_tables(
    rules: TableRules, ends: Floats, stand: Floats, value: Floats, double: Floats, first: Floats, again: Floats
) -> None:
    """Fill the best of two cards before and after a split; an ace and a ten stand as they would unsplit."""
    for up in range(10):
        blackjack = ends[up, 5]
        gone = blackjack if rules.peek else 0.0
        given_up = surrendered(rules, blackjack)
        at_once = given_up - gone if rules.late else -0.5
        for soft in range(2):
            for total in range(2, 22):
                best = value[soft, total, up]
                later = best
                if rules.doubles[0, soft, total]:
                    best = max(best, double[soft, total, up])
                if rules.doubles[1, soft, total]:
                    later = max(later, double[soft, total, up])
                if rules.surrenders[0, up]:
                    best = max(best - gone, at_once) + gone
                if rules.surrenders[1, up]:
                    later = max(later, given_up)
                first[soft, total, up] = best - gone
                again[soft, total, up] = later
        again[1, 21, up] = stand[1, 21, up]


@helper
def _split_table(p: Floats, rules: TableRules, stand: Floats, again: Floats, split: Floats, room: Floats) -> None:
    """Fill what splitting each pair is worth."""
    other, same = np.empty(10), np.empty(10)
    for rank in range(10):
        one_card = rank == 0 and not rules.hit_split_aces
        worth = stand if one_card else again
        other[:] = 0.0
        for card in range(10):
            soft, total = _added(1, 11, card) if rank == 0 else _added(0, rank + 1, card)
            for up in range(10):
                if card == rank:
                    same[up] = p[card] * worth[soft, total, up]
                else:
                    other[up] += p[card] * worth[soft, total, up]
        most = min(rules.max_hands, _CAP) if rank != 0 or rules.resplit_aces else 2
        for up in range(10):
            if most == UNLIMITED and p[rank] < 0.5:
                endless = 2.0 * other[up] / (1.0 - 2.0 * p[rank])
                split[rank, up] = endless if endless * p[rank] > same[up] else 2.0 * (other[up] + same[up])
            else:
                split[rank, up] = _capped(p[rank], other[up], same[up], _CAP if most == UNLIMITED else most, room)


@inlined
def _capped(p: float, other: float, same: float, most: int, room: Floats) -> float:
    """The value of two hands that each may still be split, up to `most` hands in all: room[hands, waiting]."""
    for waiting in range(most + 1):
        room[most, waiting] = waiting * (other + same)
    for hands in range(most - 1, 1, -1):
        room[hands, 0] = 0.0
        for waiting in range(1, hands + 1):
            room[hands, waiting] = other + (1.0 - p) * room[hands, waiting - 1] + p * room[hands + 1, waiting + 1]
    return room[2, 2]  # type: ignore[no-any-return]


@tight_helper
def _round_value(p: Floats, rules: TableRules, ends: Floats, first: Floats, split: Floats) -> float:
    """The expectation over the first three cards."""
    result = 0.0
    for low in range(10):
        for high in range(low, 10):
            chance = p[low] * p[high] * (1.0 if low == high else 2.0)
            soft, total = _added(1, 11, high) if low == 0 else _added(0, low + 1, high)
            for up in range(10):
                worth = first[soft, total, up]
                if low == high and rules.max_hands != 1:
                    worth = max(worth, split[low, up] - (ends[up, 5] if rules.peek else 0.0))
                if low == 0 and high == 9:
                    worth = rules.blackjack_pays * (1.0 - ends[up, 5])
                    if up == 0 and rules.insurance:
                        worth = max(worth, worth + 1.5 * p[9] - 0.5)
                    if (up == 0 and rules.even_ace) or (up == 9 and rules.even_ten):
                        worth = max(worth, 1.0)
                elif up == 0 and rules.insurance:
                    worth += max(1.5 * p[9] - 0.5, 0.0)
                result += chance * p[up] * worth
    return result


@helper
def fill_tables(p: Floats, rules: TableRules, t: InfiniteTables) -> float:
    """Fill the tables and give the value of a round."""
    dealer_ends(p, rules.hit_soft_17, t.dealer, t.ends)
    _hand_table(p, rules.peek, t.ends, t.stand, t.value, t.double)
    _two_card_tables(rules, t.ends, t.stand, t.value, t.double, t.first, t.again)
    if rules.max_hands != 1:
        _split_table(p, rules, t.stand, t.again, t.split, t.room)
    return _round_value(p, rules, t.ends, t.first, t.split)


@kernel
def infinite_evs(chances: Floats, rules: TableRules, tables: InfiniteTables, result: Floats) -> None:
    """The value of a round for each row of ten chances."""
    for k in range(chances.shape[0]):
        result[k] = fill_tables(chances[k], rules, tables)


@dataclass(frozen=True)
class InfiniteDeck:
    """Values of the infinite shoe with the proportions of a given one."""

    rules: Rules
    chances: Floats
    tables: InfiniteTables
    ev: float

    def plays(self, cards: tuple[int, ...], upcard: int) -> dict[str, float]:
        """What standing, drawing on (at its best) and, with two cards, doubling and splitting are worth."""
        total, soft = hand_total(cards)
        where = (int(soft), total, upcard)
        hit = 0.0
        for rank in range(10):
            longer, longer_soft = hand_total((*cards, rank))
            gone = self.tables.ends[upcard, 5] if self.rules.peek else 0.0
            worth = self.tables.value[int(longer_soft), longer, upcard] if longer <= 21 else gone - 1.0
            hit += float(self.chances[rank] * worth)
        values = {"stand": float(self.tables.stand[where]), "hit": hit}
        if len(cards) == 2:
            values["double"] = float(self.tables.double[where])
            if cards[0] == cards[1]:
                values["split"] = float(self.tables.split[cards[0], upcard])
        return values


def infinite_deck(rules: Rules, shoe: Shoe | None = None) -> InfiniteDeck:
    """Every value of the infinite shoe with this shoe's proportions."""
    counts = (shoe_of(rules) if shoe is None else shoe).array()
    tables, result = new_tables(), np.zeros(1)
    chances = counts / counts.sum()
    infinite_evs(chances[None], settings_of(rules), tables, result)
    return InfiniteDeck(rules, chances, tables, float(result[0]))


def infinite_ev(rules: Rules, shoe: Shoe | None = None) -> float:
    """The value of a round from the infinite shoe with this shoe's proportions."""
    return infinite_deck(rules, shoe).ev
