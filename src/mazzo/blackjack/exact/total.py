"""Strategies that know less than every card: by the total, or by the first two cards and then the total.

The best strategy of such a kind depends on how often each hand of a total is reached, which depends on the strategy.
So it is found by rounds: value the present strategy exactly, weigh every hand by its chance under it, take in each
cell what is worth most, and go on until nothing changes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mazzo.blackjack.columns import DOUBLE, HIT, PLAYS, STAND, SURRENDER
from mazzo.blackjack.exact.analysis import Analysis, analyse, deal_chances
from mazzo.blackjack.multisets import BLACKJACK, Floats, HandArrays, Ints, all_hands, two_card_hands
from mazzo.blackjack.rules import Rules, may_double, may_surrender
from mazzo.blackjack.rules import rules as read_rules
from mazzo.blackjack.shoe import Shoe
from mazzo.blackjack.strategy import (
    ROWS,
    PlayArrays,
    Policy,
    Strategy,
    legend,
    pair_row,
    play_arrays,
    policy_of,
    row_of,
)
from mazzo.document import Figure, Section, Shown
from mazzo.jit import kernel

__all__ = ["BasicStrategy", "best_table", "chart", "hand_weights", "table_from", "two_card_dependent", "two_card_play"]

_MOST_ROUNDS = 12


@dataclass(frozen=True)
class BasicStrategy(Shown):
    """The best table of letters for a shoe, with its exact value."""

    table: Strategy
    analysis: Analysis

    @property
    def ev(self) -> float:
        """What a round earns by the table."""
        return self.analysis.ev

    def section(self) -> Section:
        """The chart, each play in its colour."""
        figure = Figure(f"{100 * self.ev:+.5f} %", "of the bet, a round, by this chart", "exact for this chart")
        return Section("Basic strategy", [legend()], [figure], tables=self.table.grids())

    def __str__(self) -> str:
        return f"{self.table.chart()}\nworth {self.ev:+.6f} of the bet a round"


@kernel
def _reach(shoe: Ints, hands: HandArrays, dealt: Floats, first: Ints, hits: Floats, reached: Floats) -> None:
    """Fill the chance of holding each hand of three cards or more while deciding, splits left aside."""
    cards = shoe.sum()
    for upcard in range(10):
        for hand in range(hands.cards.shape[0] - 2, -1, -1):
            if hands.cards[hand] == 2:
                flow = dealt[hand, upcard] if first[hand, upcard] == HIT else 0.0
            else:
                flow = reached[hand, upcard] if hits[hand, upcard] else 0.0
            if flow == 0.0:
                continue
            unseen = cards - hands.cards[hand] - 1
            for rank in range(10):
                longer = hands.after[hand, rank]
                left = shoe[rank] - hands.counts[hand, rank] - (1 if rank == upcard else 0)
                if longer >= 0 and left > 0:
                    reached[longer, upcard] += flow * left / unseen


def hand_weights(analysis: Analysis) -> tuple[Floats, Floats]:
    """[hand, upcard]: the chance of each two-card hand, and of each longer one under the policy."""
    hands, two = all_hands().arrays, two_card_hands()
    dealt, reached = np.zeros(analysis.stand.shape), np.zeros(analysis.stand.shape)
    dealt[two] = deal_chances(analysis.shoe)
    policy = analysis.policy
    _reach(analysis.shoe.array(), hands, dealt, policy.first, policy.hits.astype(np.float64), reached)
    return dealt, reached


def _cell_sums(analysis: Analysis) -> tuple[Floats, Floats]:
    """[row, upcard, play] for two cards that are no pair, and for more cards: chance times value, summed."""
    every = all_hands()
    hands = every.arrays
    dealt, reached = hand_weights(analysis)
    early = analysis.rules.peek and analysis.rules.surrender.startswith("early")
    surrender = analysis.blackjack - 0.5 if early else analysis.surrender
    values = np.stack([analysis.stand, analysis.hit, analysis.double, np.zeros_like(dealt), surrender], axis=2)
    rows = np.array([row_of(max(int(t), 4), bool(s)) for t, s in zip(hands.total, hands.soft, strict=True)])
    pair = np.zeros(len(every), np.bool_)
    pair[[every.of((rank, rank)) for rank in range(10)]] = True
    pair[every.of(BLACKJACK)] = True
    two, more = np.zeros((len(ROWS), 10, len(PLAYS))), np.zeros((len(ROWS), 10, len(PLAYS)))
    plain = (hands.cards == 2) & ~pair
    np.add.at(two, rows[plain], dealt[plain][:, :, None] * values[plain])
    longer = hands.cards > 2
    np.add.at(more, rows[longer], reached[longer][:, :, None] * values[longer])
    return two, more


def _total_letter(rules: Rules, total: int, soft: bool, upcard: int, two: Floats, more: Floats) -> str:
    """The letter of one cell from the sums over its hands."""
    together = two + more
    hit = bool(together[HIT] > together[STAND]) if together.any() else total < 17
    special = ""
    best = max(two[HIT], two[STAND])
    if two.any() and may_double(rules, total, soft) and two[DOUBLE] > best:
        special, best = "Dd", two[DOUBLE]
    if two.any() and may_surrender(rules, upcard) and two[SURRENDER] > best:
        special = "bB"
    if not special:
        return "h" if hit else "n"
    if more.any():
        hit = bool(more[HIT] > more[STAND])
    return special[0] if hit else special[1]


def _pair_letter(rules: Rules, analysis: Analysis, rank: int, upcard: int, below: str) -> str:
    """The letter of a pair: its own best play, or what its total says where that is as good."""
    hand = all_hands().of((rank, rank))
    total, soft = int(all_hands().arrays.total[hand]), bool(all_hands().arrays.soft[hand])
    early = rules.peek and rules.surrender.startswith("early")
    values = {"n": float(analysis.stand[hand, upcard]), "h": float(analysis.hit[hand, upcard])}
    if rules.max_hands != 1:
        values["s"] = float(analysis.split[rank, upcard])
    if may_double(rules, total, soft):
        values["d" if below in "nd" else "D"] = float(analysis.double[hand, upcard])
    if may_surrender(rules, upcard):
        values["b"] = float(analysis.blackjack[hand, upcard] - 0.5 if early else analysis.surrender[hand, upcard])
    return max(values, key=lambda letter: values[letter])


def table_from(analysis: Analysis) -> Strategy:
    """The best letters of every cell where later plays are those of an analysis."""
    two, more = _cell_sums(analysis)
    letters = [[""] * 10 for _ in ROWS]
    for upcard in range(10):
        for soft in (False, True):
            for total in range(12 if soft else 4, 22):
                row = row_of(total, soft)
                letters[row][upcard] = _total_letter(
                    analysis.rules, total, soft, upcard, two[row, upcard], more[row, upcard]
                )
        for rank in range(10):
            total, soft = (12, True) if rank == 0 else (2 * (rank + 1), False)
            below = letters[row_of(total, soft)][upcard]
            letters[pair_row(rank)][upcard] = _pair_letter(analysis.rules, analysis, rank, upcard, below)
    return Strategy(tuple("".join(row) for row in letters))


def best_table(rules: Rules, shoe: Shoe | None = None) -> BasicStrategy:
    """The best strategy that looks at the total, softness, pairs and the upcard only."""
    analysis = analyse(rules, shoe)
    table, best = None, None
    for _ in range(_MOST_ROUNDS):
        found = table_from(analysis)
        if found == table:
            break
        table = found
        analysis = analyse(rules, shoe, policy_of(table, rules))
        if best is None or analysis.ev > best.ev:
            best = BasicStrategy(table, analysis)
    assert best is not None
    return best


def chart(rules: Rules | str, shoe: Shoe | str | None = None) -> BasicStrategy:
    """Basic strategy: the best chart of these rules, for a fresh shoe unless another is given."""
    return best_table(read_rules(rules), Shoe.parse(shoe) if isinstance(shoe, str) else shoe)


def two_card_dependent(rules: Rules, shoe: Shoe | None = None) -> Analysis:
    """The first two cards played at their best as cards, longer hands by their total."""
    by_total = best_table(rules, shoe)
    best, policy = analyse(rules, shoe), by_total.analysis.policy
    for _ in range(2):
        policy = replace(policy, first=best.policy.first, after_split=best.policy.after_split)
        followed = analyse(rules, shoe, policy)
        best = _first_at_best(followed)
    return best


def _first_at_best(followed: Analysis) -> Analysis:
    """The same longer hands, the first two cards chosen anew by what they are worth then."""
    policy = followed.policy
    first, again = policy.first.copy(), policy.after_split.copy()
    for hand in two_card_hands().tolist():
        ranks = all_hands().ranks(hand)
        for upcard in range(10):
            if followed.shoe.counts[upcard] == 0 or ranks == BLACKJACK:
                continue
            first[hand, upcard] = two_card_play(followed, ranks, upcard, False)
            again[hand, upcard] = two_card_play(followed, ranks, upcard, True)
    return analyse(followed.rules, followed.shoe, Policy(policy.hits, first, again))


def two_card_play(analysis: Analysis, ranks: tuple[int, ...], upcard: int, after_split: bool) -> int:
    """The code of the best play of two cards; standing where the shoe cannot give them."""
    need = [*ranks, upcard]
    if any(need.count(rank) > analysis.shoe.counts[rank] for rank in need):
        return STAND
    return PLAYS.index(next(iter(analysis.plays(ranks, upcard, after_split))))


def two_card_arrays(analysis: Analysis, table: Strategy) -> PlayArrays:
    """A two-card-dependent strategy as the simulation takes it: `analysis` for two cards, `table` for more."""
    arrays = play_arrays(table, analysis.rules)
    first, again = arrays.first.copy(), arrays.after_split.copy()
    for hand in two_card_hands().tolist():
        low, high = all_hands().ranks(hand)
        first[low, high] = first[high, low] = analysis.policy.first[hand]
        if low != 0 or analysis.rules.hit_split_aces:
            again[low, high] = again[high, low] = analysis.policy.after_split[hand]
    return PlayArrays(first, again, arrays.hits)
