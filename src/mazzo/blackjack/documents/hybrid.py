"""The text's hybrid: the first cards counted exactly, the infinite deck below them.

Depth is the number of cards followed exactly: 0 is the plain infinite deck; 3 takes the first two cards and the upcard
out of the shoe and treats what is left as infinite; each further card drawn by either side is one more level. Where the
rules set no limit of hands, splits follow 5.12 through the exact levels; with a limit they are the infinite deck's for
the shoe after the pair and the upcard.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from mazzo.blackjack.exact.analysis import analyse, deal_chances
from mazzo.blackjack.hands import settings_of
from mazzo.blackjack.infinite import InfiniteTables, dealer_ends, infinite_evs, new_tables
from mazzo.blackjack.multisets import BLACKJACK, Floats, Ints, all_hands, hand_total, two_card_hands
from mazzo.blackjack.rules import UNLIMITED, Rules, may_double, may_surrender
from mazzo.blackjack.shoe import ACE, TEN, Shoe, counted_shoe
from mazzo.errors import IllegalError
from mazzo.jit import kernel, tight_helper

__all__ = ["Depth", "hybrid_ev", "hybrid_to_tolerance"]

_MOST_DEPTH = 6


@kernel
def _partial_stand(
    left: Ints, cards: int, upcard: int, total: int, hit_soft_17: bool, peek: bool, draws: int, tables: InfiniteTables
) -> float:
    """The value of standing where the dealer's next `draws` (0 to 3) cards are counted and the rest is infinite."""
    value = 0.0
    p = np.empty(10)
    taken = np.zeros(3, np.int64)
    for code in range(10**draws):
        rest, chance, hard, ace, over = code, 1.0, upcard + 1, upcard == 0, False
        unseen = cards
        for k in range(draws):
            taken[k] = rest % 10
            rest //= 10
        used = 0
        natural = False
        for k in range(draws):
            soft = ace and hard <= 11
            now = hard + 10 if soft else hard
            over = k > 0 and (now >= 17 and not (hit_soft_17 and soft and now == 17))
            if over:
                break
            card = taken[k]
            chance *= left[card] / unseen
            left[card] -= 1
            unseen -= 1
            used += 1
            natural |= k == 0 and upcard + card == 9 and (upcard == 0 or card == 0)
            hard += card + 1
            ace |= card == 0
        rest = code
        for k in range(draws):
            # a hand that ended early is counted once, for the codes whose unused digits are zero
            if k >= used and rest % 10 != 0:
                chance = 0.0
            rest //= 10
        if chance > 0.0:
            for rank in range(10):
                p[rank] = left[rank] / unseen
            value += chance * _dealer_value(p, upcard, hard, ace, used, natural, total, hit_soft_17, peek, tables)
        for k in range(used):
            left[taken[k]] += 1
    return value


@tight_helper
def _dealer_value(
    p: Floats,
    upcard: int,
    hard: int,
    ace: bool,
    used: int,
    natural: bool,
    total: int,
    hit_soft_17: bool,
    peek: bool,
    tables: InfiniteTables,
) -> float:
    """Standing on `total` against a dealer part of whose cards are out, the rest infinite."""
    if natural:
        return 0.0 if peek else -1.0
    if hard > 21:
        return 1.0
    dealer_ends(p, hit_soft_17, tables.dealer, tables.ends)
    soft = ace and hard <= 11
    blackjack, bust, value = 0.0, 1.0, 0.0
    for k in range(5):
        if used == 0:
            chance = tables.ends[upcard, k]
        else:
            chance = tables.dealer[1 if soft else 0, hard + 10 if soft else hard, k]
        bust -= chance
        if 17 + k < total:
            value += chance
        elif 17 + k > total:
            value -= chance
    if used == 0:
        blackjack = tables.ends[upcard, 5]
        bust -= blackjack
    return value + bust - (0.0 if peek else blackjack)


class _Recursion:
    """One evaluation; values count a dealer blackjack as nothing where the dealer peeks, as in `exact.play`."""

    def __init__(self, rules: Rules, shoe: Shoe, depth: int) -> None:
        self.rules, self.counts, self.depth = rules, shoe.array(), depth
        self.kernel_rules, self.tables = settings_of(rules), new_tables()
        self.drawn: dict[tuple[tuple[int, ...], int, int], tuple[float, float]] = {}

    def left(self, cards: tuple[int, ...], upcard: int) -> Ints:
        left = self.counts.copy()
        for rank in (*cards, upcard):
            left[rank] -= 1
        return left

    def leaf(self, left: Ints) -> InfiniteTables:
        infinite_evs((left / left.sum())[None], self.kernel_rules, self.tables, np.zeros(1))
        return self.tables

    def stand(self, cards: tuple[int, ...], gone: tuple[int, ...], upcard: int) -> float:
        left = self.left((*cards, *gone), upcard)
        draws = min(max(self.depth - len(cards) - len(gone) - 1, 0), 3)
        rules = self.rules
        total, _ = hand_total(cards)
        return _partial_stand(left, int(left.sum()), upcard, total, rules.hit_soft_17, rules.peek, draws, self.tables)

    def play(self, cards: tuple[int, ...], gone: tuple[int, ...], upcard: int) -> tuple[float, float]:
        """(better of standing and hitting, doubling) with `gone` taken by other hands."""
        key = (tuple(sorted(cards)), len(gone), upcard)
        if not gone and key in self.drawn:
            return self.drawn[key]
        left = self.left((*cards, *gone), upcard)
        total, soft = hand_total(cards)
        if len(cards) + len(gone) + 1 >= self.depth:
            tables = self.leaf(left)
            where = (int(soft), total, upcard)
            result = float(tables.value[where]), float(tables.double[where])
        else:
            result = self._drawn_on(cards, gone, upcard, left)
        if not gone:
            self.drawn[key] = result
        return result

    def _drawn_on(self, cards: tuple[int, ...], gone: tuple[int, ...], upcard: int, left: Ints) -> tuple[float, float]:
        unseen = int(left.sum())
        hit, once = 0.0, 0.0
        for rank in np.flatnonzero(left).tolist():
            chance = left[rank] / unseen
            total, _ = hand_total((*cards, rank))
            if total > 21:
                lost = -1.0 + (self._blackjack((*cards, *gone, rank), upcard) if self.rules.peek else 0.0)
                hit += chance * lost
                once += chance * lost
            else:
                hit += chance * self.play((*cards, rank), gone, upcard)[0]
                once += chance * (self.stand((*cards, rank), gone, upcard) if len(cards) == 2 else 0.0)
        return max(self.stand(cards, gone, upcard), float(hit)), 2.0 * float(once)

    def _blackjack(self, cards: tuple[int, ...], upcard: int) -> float:
        left = self.left(cards, upcard)
        other = TEN if upcard == ACE else ACE
        return float(left[other] / left.sum()) if upcard in (ACE, TEN) else 0.0

    def two_cards(self, cards: tuple[int, ...], gone: tuple[int, ...], upcard: int, split: bool) -> float:
        """The best of two cards but for splitting them."""
        rules = self.rules
        value, double = self.play(cards, gone, upcard)
        total, soft = hand_total(cards)
        if may_double(rules, total, soft, split):
            value = max(value, double)
        if may_surrender(rules, upcard, split):
            value = max(value, self._surrender((*cards, *gone), upcard, split))
        return value

    def _surrender(self, cards: tuple[int, ...], upcard: int, split: bool) -> float:
        blackjack = self._blackjack(cards, upcard)
        if self.rules.peek:
            early = self.rules.surrender.startswith("early") and not split
            return -0.5 + blackjack if early else -0.5 * (1.0 - blackjack)
        return -0.5 * (1.0 + blackjack) if self.rules.surrender == "late" else -0.5

    def split(self, rank: int, gone: tuple[int, ...], upcard: int) -> float:
        """Splitting a pair where `gone` are cards of the same rank in other hands."""
        rules = self.rules
        known = 3 + len(gone)
        left = self.left((rank, rank, *gone), upcard)
        endless = rules.max_hands == UNLIMITED and (rank != ACE or rules.resplit_aces)
        if known >= self.depth or not endless:
            return float(self.leaf(left).split[rank, upcard])
        unseen, value = int(left.sum()), 0.0
        for card in np.flatnonzero(left).tolist():
            cards, others = (rank, card), (rank, *gone)
            if rank == ACE and not rules.hit_split_aces:
                worth = self.stand(cards, others, upcard)
            else:
                worth = self.two_cards(cards, others, upcard, True)
            if card == rank:
                worth = max(worth, self.split(rank, others, upcard))
            value += left[card] / unseen * worth
        return 2.0 * float(value)

    def ev(self, shoe: Shoe) -> float:
        rules, result = self.rules, 0.0
        chances = deal_chances(shoe)
        for k, hand in enumerate(two_card_hands().tolist()):
            cards = all_hands().ranks(hand)
            for upcard in np.flatnonzero(chances[k] > 0).tolist():
                blackjack = self._blackjack(cards, upcard)
                insured = 1.5 * blackjack - 0.5 if rules.insurance and upcard == ACE else 0.0
                if cards == BLACKJACK:
                    worth = rules.blackjack_pays * (1.0 - blackjack)
                    even = rules.even_money != "none" and upcard == ACE
                    even |= rules.even_money == "ace-ten" and upcard == TEN
                    worth = max(worth + max(insured, 0.0), 1.0 if even else -1.0)
                else:
                    worth = self.two_cards(cards, (), upcard, False)
                    if cards[0] == cards[1] and rules.max_hands != 1:
                        worth = max(worth, self.split(cards[0], (), upcard))
                    worth += max(insured, 0.0) - (blackjack if rules.peek else 0.0)
                result += float(chances[k, upcard]) * worth
        return result


def hybrid_ev(rules: Rules, shoe: Shoe | None = None, depth: int = 4) -> float:
    """The value of a round with the first `depth` cards counted exactly."""
    if not 0 <= depth <= _MOST_DEPTH:
        raise IllegalError(f"depth is 0 to {_MOST_DEPTH} cards, not {depth}: deeper, the exact analysis is faster")
    shoe = counted_shoe(rules, shoe)
    if depth < 3:
        result = np.zeros(1)
        infinite_evs((shoe.array() / shoe.cards)[None], settings_of(rules), new_tables(), result)
        return float(result[0])
    return _Recursion(rules, shoe, depth).ev(shoe)


@dataclass(frozen=True)
class Depth:
    """One step of deepening."""

    depth: int | None
    """Cards counted exactly; none where all of them are."""
    ev: float
    seconds: float
    error: float
    """How far it is from the exact value."""


def hybrid_to_tolerance(rules: Rules, shoe: Shoe | None = None, tolerance: float = 1e-4) -> list[Depth]:
    """Deepen until the value is within the tolerance of the exact one; the exact one itself where no depth is.

    The error does not fall steadily with the depth, so a small step says nothing about it. It is therefore measured.
    """
    began = perf_counter()
    exact = analyse(rules, shoe).ev
    last = Depth(None, exact, perf_counter() - began, 0.0)
    steps: list[Depth] = []
    for depth in (0, *range(3, _MOST_DEPTH + 1)):
        began = perf_counter()
        ev = hybrid_ev(rules, shoe, depth)
        steps.append(Depth(depth, ev, perf_counter() - began, ev - exact))
        if abs(ev - exact) <= tolerance:
            return steps
    return [*steps, last]
