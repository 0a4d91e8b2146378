"""What the code of Bodon's appendix (2000, chapter 8) adds up, which is not what his text says.

For every permutation of a base modifier it adds the permutation's probability times the value of one and the same
shoe, that of the base modifier itself (elements in ascending order, not permuted), whose sign is turned round besides:
the modifier is added to the cards that are left. So a base's permutations count together, and their probability is a
sum over how its elements fall on the ranks that have one card more and on the others. K goes from 1 to 40 without the
40 sums being divided by anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb, factorial

import numpy as np

from mazzo.blackjack.documents.traversal import base_modifiers, uniform_combination, uniform_probability
from mazzo.blackjack.multisets import Floats, Ints
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import shoe_of

__all__ = ["AppendixSums", "appendix_sums", "orbit_probability"]

Modifier = tuple[int, ...]


@dataclass(frozen=True)
class AppendixSums:
    """The two sums for one K."""

    cards: int
    positive: float
    negative: float
    mass: float
    bases: int


def orbit_probability(n: int, base: Modifier, uniform: Modifier) -> float:
    """The probability of all legal permutations of a base modifier together."""
    few = min(uniform)
    more = sum(taken > few for taken in uniform)
    ranks, whole = len(base), uniform_probability(n, len(base), sum(uniform))
    ways = {(0, 0): 1.0}  # (elements on ranks with one card more, on the others): sum of products over k! l!
    for value, times in Counter(base).items():
        on_more = _factor(n, few + 1, value) if more else 0.0
        on_few = _factor(n, few, value)
        found: dict[tuple[int, int], float] = {}
        for (a, b), weight in ways.items():
            for k in range(min(times, more - a) + 1):
                rest = times - k
                if b + rest <= ranks - more:
                    part = weight * on_more**k * on_few**rest / (factorial(k) * factorial(rest))
                    found[a + k, b + rest] = found.get((a + k, b + rest), 0.0) + part
        ways = found
    return whole * ways.get((more, ranks - more), 0.0) * factorial(more) * factorial(ranks - more)


def _factor(n: int, taken: int, change: int) -> float:
    return comb(n, taken + change) / comb(n, taken) if 0 <= taken + change <= n else 0.0


def appendix_sums(
    rules: Rules,
    cards: int,
    mass: float,
    values: Callable[[Ints], Floats],
    fill: Sequence[int] | None = None,
    permuted_sign: int = 1,
) -> AppendixSums:
    """The sums for one K, stopped at `mass`; the last base may be counted in part.

    Args:
        rules: The table's rules.
        cards: K.
        mass: Where the code stops.
        values: Values of shoes [shoe, rank].
        fill: The order in which ranks fill.
        permuted_sign: 1 adds the modifier to the cards left, as the code does; -1 takes it away.
    """
    n = 4 * rules.decks
    uniform = uniform_combination(13, cards, fill)
    left = np.array(shoe_of(rules).counts)
    gone = np.array(uniform)
    left = left - np.append(gone[:9], gone[9:].sum())
    shoes, chances, total = [], [], 0.0
    for level in base_modifiers(n, 13, cards):
        for base in level:
            chance = min(orbit_probability(n, base, uniform), mass - total)
            change = np.array(base) * permuted_sign
            shoes.append(left + np.append(change[:9], change[9:].sum()))
            chances.append(chance)
            total += chance
            if total >= mass - 1e-12:
                break
        if total >= mass - 1e-12:
            break
    worth = values(np.maximum(np.array(shoes), 0))
    weights = np.array(chances)
    return AppendixSums(
        cards, float(weights @ np.maximum(worth, 0)), float(weights @ np.minimum(worth, 0)), total, len(shoes)
    )
