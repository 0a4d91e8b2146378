"""Index plays generated for any count, rules and depth: by total, as players floor them, with the gain of each.

The index of a play is the lowest whole number from which on, true counts being floored, it is worth more than what is
played otherwise. Hands of a total are weighed by how often a round comes to them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from scipy.special import ndtr

from mazzo.arrays import Floats, Ints
from mazzo.blackjack.columns import DOUBLE, HIT, PLAYS, SPLIT, STAND, SURRENDER
from mazzo.blackjack.counting.crossing import crossing, grid, means_by_floor
from mazzo.blackjack.counting.decisions import CountedValues, decisions, play_values, reach
from mazzo.blackjack.counting.effects import centred
from mazzo.blackjack.counting.index_tables import EIGHTEEN, FOUR, INSURANCE, IndexPlay, IndexTable, basic, chart_at
from mazzo.blackjack.counting.indices import insurance_index
from mazzo.blackjack.counting.systems import WEIGHTS, Count
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.exact.total import best_table, hand_weights
from mazzo.blackjack.multisets import BLACKJACK, all_hands
from mazzo.blackjack.rules import Rules, may_surrender
from mazzo.blackjack.shoe import RANKS, Shoe, shoe_of, text_of
from mazzo.blackjack.strategy import ROWS, Strategy, row_of

__all__ = ["FoundIndex", "composition_exceptions", "found_indices", "frequencies", "generated_table"]

PUBLISHED = {(p.row, p.upcard, p.play): p.index for p in (*EIGHTEEN, *FOUR)}


@dataclass(frozen=True)
class FoundIndex:
    """An index with what it is worth."""

    situation: str
    """`16 v T`, `T-T v 5`, or cards `10,6 v T`."""
    play: str
    otherwise: str
    """What is played below the index."""
    exact: float
    """The true count at which both are worth the same, not floored."""
    index: int
    """The floored true count from which the play is made."""
    gain: float
    """What it adds to a round of a flat bet over never changing the chart's play."""
    chart: str
    """What the chart plays."""
    published: float | None
    """The published index for Hi-Lo, if it is one of the 18 + 4."""


@cache
def frequencies(rules: Rules, count: Count) -> dict[int, float]:
    """How often a floored true count stands before a round: nearly normal at every depth down to the cut card."""
    whole, edges = shoe_of(rules).cards, np.arange(-40, 41)
    step = 1.0 if all(float(tag).is_integer() for tag in count.tags) else 0.5  # between two running counts
    shares = np.zeros(len(edges) - 1)
    for left in np.linspace(whole, whole * (1 - rules.penetration), 45).tolist():
        spread = np.sqrt(WEIGHTS @ centred(count.tags) ** 2 * left * max(whole - left, 1e-9) / (whole - 1))
        running = (np.ceil(edges * left / 52 / step - 1e-9) - 0.5) * step
        shares += np.diff(ndtr(running / spread)) / 45
    return {int(edge): float(share) for edge, share in zip(edges[:-1], shares, strict=True)}


class _Cell:
    """Chance times value of every play in one cell of a chart, by true count of the decision."""

    def __init__(self, found: CountedValues, hands: Ints, upcard: int, counts: Floats) -> None:
        hands = hands[found.chances[hands, upcard] > 0]
        self.weights = found.chances[hands, upcard]
        values = found.at(counts, hands, upcard)
        self.sums = (self.weights[:, None] * values).sum(1) if len(hands) else np.zeros((len(counts), len(PLAYS)))
        """[count, play]"""

    def best_but(self, play: int, among: tuple[int, ...]) -> Floats:
        return np.asarray(self.sums[:, [k for k in among if k != play]].max(1))


def _hands_of(total: int, soft: bool, two_only: bool) -> Ints:
    hands, every = all_hands().arrays, all_hands()
    chosen = (hands.total == total) & (hands.soft == soft) & (hands.cards >= 2)
    if two_only:
        chosen &= hands.cards == 2
    chosen[every.of(BLACKJACK)] = False
    for rank in range(10):  # pairs have rows of their own but for fives, which play as a ten
        if rank != 4:
            chosen[every.of((rank, rank))] = False
    return np.flatnonzero(chosen)


def _gain(counts: Floats, difference: Floats, index: int, chart_plays: bool, often: dict[int, float]) -> float:
    """What changing the play at the index adds, over all counts, to a chart that always or never makes it."""
    return sum(
        often.get(floor, 0.0) * mean * (int(floor >= index) - int(chart_plays))
        for floor, mean in means_by_floor(counts, difference).items()
    )


def _letter_plays(letter: str, play: str) -> bool:
    """Whether a cell's letter makes the play."""
    return {
        "stand": letter in "nBd",
        "hit": letter in "hbD",
        "double": letter in "Dd",
        "split": letter == "s",
        "surrender": letter in "bB",
    }[play]


def _searched(found: CountedValues, counts: Floats, chart: Strategy) -> Iterator[tuple[str, int, int, Floats]]:
    """(row, upcard, play, difference to what else may be done) of every cell and play that may have an index."""
    cells = [(total, soft) for soft in (False, True) for total in range(12 if soft else 4, 21)]
    for upcard in range(10):
        for total, soft in cells:
            if soft and total == 12:
                continue
            row = ROWS[row_of(total, soft)]
            drawn_to = chart.letters[row_of(total, soft)][upcard] in "bBDd"  # two cards are given up or doubled
            hands = _hands_of(total, soft, False)
            both = _Cell(found, hands[all_hands().arrays.cards[hands] > 2] if drawn_to else hands, upcard, counts)
            if both.weights.sum() > 0 and total >= 12:
                yield row, upcard, STAND, both.sums[:, STAND] - both.sums[:, HIT]
            two = _Cell(found, _hands_of(total, soft, True), upcard, counts)
            if two.weights.sum() == 0:
                continue
            for play in (DOUBLE, SURRENDER):
                if np.isfinite(two.sums[:, play]).all():
                    other = two.best_but(play, (STAND, HIT, DOUBLE) if play == SURRENDER else (STAND, HIT))
                    yield row, upcard, play, two.sums[:, play] - other
        for rank in range(10):
            hands = np.array([all_hands().of((rank, rank))])
            pair = _Cell(found, hands, upcard, counts)
            if np.isfinite(pair.sums[:, SPLIT]).all():
                other = pair.best_but(SPLIT, (STAND, HIT, DOUBLE, SURRENDER))
                yield f"{RANKS[rank]}-{RANKS[rank]}", upcard, SPLIT, pair.sums[:, SPLIT] - other


@cache
def found_indices(rules: Rules, count: Count, gone: float | None = None) -> tuple[FoundIndex, ...]:
    """The index of every play that a true count changes, the most valuable first."""
    found, often = decisions(rules, count, gone), frequencies(rules, count)
    counts, chart = grid(min(reach(rules, count), 20.0)), basic(rules).chart
    result = []
    for row, upcard, play, difference in _searched(found, counts, chart):
        other = HIT
        rising = difference[-1] > difference[0]
        if play == STAND and not rising:
            play, other, difference = HIT, STAND, -difference
        elif not rising:
            continue  # a play that is better at low counts only: it cannot be said with one index
        at = crossing(counts, difference)
        if at is None:
            continue
        letter = chart.letters[ROWS.index(row)][upcard]
        name = PLAYS[play]
        gain = _gain(counts, difference, at[1], _letter_plays(letter, name), often)
        otherwise = PLAYS[other] if play in (STAND, HIT) else f"no {name}"
        known = PUBLISHED.get((row, upcard, name))
        situation = f"{row} v {RANKS[upcard]}"
        result.append(FoundIndex(situation, name, otherwise, *at, gain, letter, known))
    if rules.insurance:
        result.append(_insurance(found, often, counts))
    return tuple(sorted(result, key=lambda one: -one.gain))


def _insurance(found: CountedValues, often: dict[int, float], counts: Floats) -> FoundIndex:
    exact, index = insurance_index(found) or (math.inf, 99)
    worth = np.array([(1.5 * found.tens(count) - 0.5) / 13 for count in counts.tolist()])
    gain = _gain(counts, worth, index, False, often)
    return FoundIndex("insurance", "insure", "leave", exact, index, gain, "", INSURANCE)


def generated_table(
    rules: Rules, count: Count, every: bool = True, running: bool = False, gone: float | None = None
) -> IndexTable:
    """Basic strategy with generated indices: all of them, or those of the 18 + 4 alone.

    With `running` they are running counts of an unbalanced count, at the depth at which they were generated.
    """
    found = found_indices(rules, count, gone)
    plays, insurance = [], math.inf
    for one in found:
        if one.play == "insure":
            insurance = _as_running(rules, count, one, gone) if running else one.index
        elif every or one.published is not None:
            row, _, upcard = one.situation.partition(" v ")
            index = _as_running(rules, count, one, gone) if running else one.index
            plays.append(IndexPlay(row, RANKS.index(upcard), one.play, float(index)))
    table = IndexTable(basic(rules).chart, tuple(plays), float(insurance))
    if not any(may_surrender(rules, up) for up in range(10)):
        table = replace(table, plays=tuple(p for p in table.plays if p.play != "surrender"))
    chart_at(table, 0.0)
    return table


def _as_running(rules: Rules, count: Count, one: FoundIndex, gone: float | None) -> int:
    """The running count at which a true count is reached, at the depth of generation."""
    left = decisions(rules, count, gone).depth.cards / 52
    return math.ceil(count.start(rules.decks) + count.imbalance * (rules.decks - left) + one.exact * left - 0.5)


def composition_exceptions(rules: Rules, shoe: Shoe | None = None) -> list[tuple[str, str, str, float]]:
    """Hands that are played better otherwise than the chart says of their total, costliest first.

    The shoe is a fresh one unless another is given.

    (hand, the chart's play, the best play, what following the chart costs a round)
    """
    table = best_table(rules, shoe)
    base, followed = analyse(rules, shoe), table.analysis
    values = play_values(base)
    dealt, reached = hand_weights(followed)
    every, lines = all_hands(), []
    for hand in np.flatnonzero(every.arrays.cards >= 2).tolist():
        two = every.arrays.cards[hand] == 2
        if every.ranks(hand) == BLACKJACK:
            continue
        for upcard in range(10):
            played = followed.policy.first[hand, upcard] if two else int(followed.policy.hits[hand, upcard])
            best = int(values[: 5 if two else 2, hand, upcard].argmax())
            weight = dealt[hand, upcard] if two else reached[hand, upcard]
            cost = weight * (values[best, hand, upcard] - values[played, hand, upcard])
            if played != best and cost > 1e-12:
                situation = f"{text_of(every.ranks(hand))} v {RANKS[upcard]}"
                lines.append((situation, PLAYS[played], PLAYS[best], float(cost)))
    return sorted(lines, key=lambda line: -line[3])
