"""Every composition of K cards out of l ranks of n each, the likely ones first (Bodon 2000, 6.3.3-6.3.6).

K cards taken by chance from a shoe hold k_1 .. k_l of the ranks with the poly-hypergeometric probability (6.7). The
likeliest is the uniform combination, each rank K/l times; the ranks that have one card more are the first ones, or the
first to be filled in an order that is given (`THESIS_FILL` is the one behind the document's table). A modifier is a
composition less the uniform one; its distance is half the sum of its absolute elements. Compositions are visited by
distance. At each distance only the base modifiers (elements in ascending order) are kept; their legal permutations are
walked in lexicographic order, and a probability is the product of one factor a rank, of which a step changes only the
last few.

A permutation is illegal only where the smallest element, too small for a rank with fewer cards, stands at one of those,
or the largest at a rank with one card more. Whether the rest can be placed is seen before a step is taken. With the
uniform combination in descending order it then stands right by itself; in any other order it is repaired.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from time import process_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.blackjack.multisets import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.jit import inlined, kernel, tight, tight_helper

__all__ = [
    "THESIS_FILL",
    "Traversal",
    "base_modifiers",
    "compositions",
    "state_space",
    "traverse",
    "uniform_combination",
    "uniform_probability",
    "waves",
]

Rows = NDArray[np.int16]
Modifier = tuple[int, ...]
_CHUNK = 1 << 14

THESIS_FILL = (11, 5, 9, 8, 13, 2, 3, 12, 10, 7, 6, 4, 1, 7, 12, 11, 13, 10, 2, 5)
"""The order in which the document's generator filled ranks (counted from 1), found from its 90 % column of 6.3.6."""


def check_urn(n: int, ranks: int, cards: int) -> None:
    """Refuse an urn that cannot be: `ranks` kinds of `n` each, `cards` of them taken."""
    if n < 1 or ranks < 1 or not 0 <= cards <= n * ranks:
        raise UnreadableError(f"cannot take {cards} cards from {ranks} ranks of {n} cards each ({n * ranks} in all)")


def state_space(n: int, ranks: int, cards: int) -> int:
    """S(n, l, K): how many compositions there are, by the recursion 6.15 from 6.10."""
    check_urn(n, ranks, cards)
    sizes = [int(taken <= n) for taken in range(cards + 1)]
    for _ in range(ranks - 1):
        longer: list[int] = []
        for taken in range(cards + 1):
            before = longer[taken - 1] if taken else 0
            longer.append(before + sizes[taken] - (sizes[taken - n - 1] if taken > n else 0))
        sizes = longer
    return sizes[cards]


def uniform_combination(ranks: int, cards: int, fill: Sequence[int] | None = None) -> Modifier:
    """The likeliest composition (6.4): ranks are filled card by card in the order of `fill`, else from the first on."""
    if fill is None:
        return tuple(cards // ranks + (rank < cards % ranks) for rank in range(ranks))
    if len(fill) < cards:
        raise UnreadableError(f"the order in which ranks fill has {len(fill)} cards; {cards} are taken")
    for start in range(0, cards, ranks):
        block = fill[start : start + ranks]
        if len(set(block)) < len(block) or not all(1 <= rank <= ranks for rank in block):
            raise UnreadableError(
                f"ranks fill one after the other: each of 1 to {ranks} once before any comes again, not {list(block)}"
            )
    taken = list(fill[:cards])
    return tuple(taken.count(rank) for rank in range(1, ranks + 1))


def uniform_probability(n: int, ranks: int, cards: int) -> float:
    """The probability of the uniform combination."""
    ways = 1
    for taken in uniform_combination(ranks, cards):
        ways *= comb(n, taken)
    return ways / comb(n * ranks, cards)


def base_modifiers(n: int, ranks: int, cards: int) -> Iterator[list[Modifier]]:
    """The base modifiers of distance 0, 1, 2, ...: each level from the one before, none twice."""
    lowest = [-taken for taken in uniform_combination(ranks, cards)]
    highest = [n + low for low in lowest]
    level = [(0,) * ranks]
    while level:
        yield level
        found: dict[Modifier, None] = {}
        for base in level:
            for longer in _further(list(base), lowest, highest):
                found[longer] = None
        level = list(found)


def _further(base: list[int], lowest: list[int], highest: list[int]) -> Iterator[Modifier]:
    """One element less and one more, elements still ascending: the bases one farther."""
    last = len(base) - 1
    for i in range(last, -1, -1):
        if base[i] > 0 or (i > 0 and base[i] == base[i - 1]) or base[i] <= lowest[i]:
            continue
        base[i] -= 1
        for j in range(i + 1, last + 1):
            if base[j] >= 0 and (j == last or base[j] != base[j + 1]) and base[j] < highest[j]:
                base[j] += 1
                yield tuple(base)
                base[j] -= 1
        base[i] += 1


class _Walk(NamedTuple):
    """One base modifier being permuted."""

    order: Ints
    """The permutation: at each rank the number of the element's value."""
    prefix: Floats
    """prefix[i]: the uniform combination's probability times the factors of the first i ranks."""
    factor: Floats
    """[0 for ranks with one card more, 1 for the others, value]."""
    fewer: Ints
    """For each rank 0 where it has one card more, else 1."""
    places: Ints
    """[k]: how many ranks from k on have one card more."""
    repair: bool
    """Whether a rank with one card more comes after one without."""
    low_only: int
    """The value that only those ranks can have (they can lose one card more); -1 if there is none."""
    high_only: int
    """The value that only the other ranks can have; -1 if there is none."""


def _factor(n: int, taken: int, change: int) -> float:
    """C(n, taken + change) / C(n, taken): m(e, k) of 6.23, its signs put right."""
    return comb(n, taken + change) / comb(n, taken) if 0 <= taken + change <= n else 0.0


def _start(n: int, base: Modifier, uniform: Modifier, probability: float) -> tuple[_Walk, Ints]:
    ranks, few = len(base), min(uniform)
    values = sorted(set(base))
    number = {value: k for k, value in enumerate(values)}
    factor = np.array(
        [[_factor(n, few + 1, v) if few < n else 0.0 for v in values], [_factor(n, few, v) for v in values]]
    )
    prefix = np.full(ranks + 1, probability)
    order = np.array([number[element] for element in base], np.int64)
    low_only, high_only = number.get(-(few + 1), -1), number.get(n - few, -1)
    fewer = np.array([int(taken == few) for taken in uniform], np.int64)
    places = np.append(np.cumsum((1 - fewer)[::-1])[::-1], 0)
    repair = bool((np.diff(fewer) < 0).any())
    walk = _Walk(order, prefix, factor, fewer, places, repair, low_only, high_only)
    if repair:
        _repair(walk, 0)
    return walk, np.array(values, np.int64)


@tight_helper
def _repair(walk: _Walk, first: int) -> None:
    """Put the elements from rank `first` on, in ascending order, into their smallest legal order."""
    order, last = walk.order, walk.order.shape[0] - 1
    highest_left = 0
    for k in range(first, last + 1):
        highest_left += 1 if order[k] == walk.high_only else 0
    for k in range(first, last + 1):
        pick = k
        if walk.fewer[k] == 1:
            if highest_left > 0 and highest_left == last + 1 - k - walk.places[k]:
                pick = last  # every rank left that may have the largest must have it
            else:
                while order[pick] == walk.low_only:
                    pick += 1
        here = order[pick]
        highest_left -= 1 if here == walk.high_only else 0
        for i in range(pick, k, -1):
            order[i] = order[i - 1]
        order[k] = here


@inlined
def _may_step(order: Ints, first: int, last: int, fewer: Ints, places: Ints, low_only: int, high_only: int) -> bool:
    """Whether rank `first` may get a larger value: those after it (in descending order) must stay placeable."""
    here = order[first]
    if here == low_only:
        needed = 0
        for k in range(first, last + 1):
            needed += 1 if order[k] == here else 0
        return needed <= places[first + 1]  # type: ignore[no-any-return]
    if high_only < 0 or fewer[first] == 1:
        return True
    k = last
    while order[k] <= here:
        k -= 1
    return bool(order[k] != high_only)


@tight
def _permute(
    walk: _Walk, first: int, mass: float, target: float, found: Floats, orders: Ints
) -> tuple[int, int, float]:
    """Walk on from a permutation whose factors change from rank `first`.

    Stops after the last permutation, when `found` (if not empty) is full, or when the mass reaches the target. Gives
    (permutations visited, first changed rank of the one not yet visited or -1 after the last, mass).
    """
    order, prefix, factor, fewer, places = walk.order, walk.prefix, walk.factor, walk.fewer, walk.places
    last = order.shape[0] - 1
    room = found.shape[0]
    visited = 0
    while True:
        product = prefix[first]
        for k in range(first, last + 1):
            product *= factor[fewer[k], order[k]]
            prefix[k + 1] = product
        mass += product
        if room > 0:
            found[visited] = product
            for k in range(last + 1):
                orders[visited, k] = order[k]
        visited += 1
        first = last - 1
        while first >= 0:
            here = order[first]
            larger = here < order[first + 1]
            if larger and _may_step(order, first, last, fewer, places, walk.low_only, walk.high_only):
                k = last
                while order[k] <= here:
                    k -= 1
                order[first] = order[k]
                order[k] = here
                i, j = first + 1, last
                while i < j:
                    here = order[i]
                    order[i] = order[j]
                    order[j] = here
                    i += 1
                    j -= 1
                if walk.repair:
                    _repair(walk, first + 1)
                break
            k = first  # all from here on is used up: put it in descending order
            while k < last and order[k + 1] > here:
                order[k] = order[k + 1]
                k += 1
            order[k] = here
            first -= 1
        if first < 0 or mass >= target or visited == room:
            return visited, first, mass


@dataclass(frozen=True)
class Traversal:
    """How far a traversal had to go."""

    cards: int
    states: int
    """All compositions there are."""
    combinations: int
    """Compositions visited."""
    mass: float
    """Their probability together."""
    distance: int
    """The distance of the farthest."""
    bases: int
    """Base modifiers of that distance: what must be kept in memory."""
    seconds: float
    """Of processor time."""

    @property
    def share(self) -> float:
        """The share of all compositions that was visited."""
        return self.combinations / self.states


_NOTHING, _NO_ORDERS = np.zeros(0), np.zeros((0, 0), np.int64)


def traverse(n: int, ranks: int, cards: int, mass: float = 0.95, fill: Sequence[int] | None = None) -> Traversal:
    """Visit compositions by distance until their probabilities reach `mass`; 1 visits them all.

    `fill` is the order in which ranks fill, which changes how many compositions of the last distance are visited.
    """
    began = process_time()
    uniform = uniform_combination(ranks, cards, fill)
    states = state_space(n, ranks, cards)
    probability = uniform_probability(n, ranks, cards)
    target = mass if mass < 1 else np.inf
    total, count, distance, kept = 0.0, 0, 0, 1
    for distance, level in enumerate(base_modifiers(n, ranks, cards)):
        kept = len(level)
        for base in level:
            walk, _ = _start(n, base, uniform, probability)
            visited, _, total = _permute(walk, 0, total, target, _NOTHING, _NO_ORDERS)
            count += visited
            if total >= target:
                return Traversal(cards, states, count, total, distance, kept, process_time() - began)
    return Traversal(cards, states, count, total, distance, kept, process_time() - began)


def compositions(
    n: int, ranks: int, cards: int, mass: float = 1.0, fill: Sequence[int] | None = None
) -> Iterator[tuple[Ints, Floats]]:
    """The compositions themselves with their probabilities, by distance, in blocks: [composition, rank] and [p]."""
    check_urn(n, ranks, cards)
    probability = uniform_probability(n, ranks, cards)
    uniform = uniform_combination(ranks, cards, fill)
    target = mass if mass < 1 else np.inf
    total = 0.0
    for level in base_modifiers(n, ranks, cards):
        for base in level:
            walk, values = _start(n, base, uniform, probability)
            first = 0
            while first >= 0 and total < target:
                found, orders = np.zeros(_CHUNK), np.zeros((_CHUNK, ranks), np.int64)
                visited, first, total = _permute(walk, first, total, target, found, orders)
                yield np.array(uniform, np.int64) + values[orders[:visited]], found[:visited]
            if total >= target:
                return


@kernel
def _wave(modifiers: Rows, chances: Floats, uniform: Rows, n: int, into: Rows, into_chances: Floats) -> int:
    """Modifiers one farther, each from one parent only (6.3.5, conditions 1-3); written where there is room."""
    ranks = modifiers.shape[1]
    made = 0
    for m in range(modifiers.shape[0]):
        positive, negative = ranks - 1, ranks - 1
        for k in range(ranks - 1, -1, -1):
            if modifiers[m, k] > 0:
                positive = k
            elif modifiers[m, k] < 0:
                negative = k
        for i in range(positive + 1):
            up = uniform[i] + modifiers[m, i]
            if modifiers[m, i] < 0 or up >= n:
                continue
            for j in range(negative + 1):
                down = uniform[j] + modifiers[m, j]
                if i == j or modifiers[m, j] > 0 or down <= 0:
                    continue
                if made < into.shape[0]:
                    into[made] = modifiers[m]
                    into[made, i] += 1
                    into[made, j] -= 1
                    into_chances[made] = chances[m] * (n - up) / (up + 1) * down / (n - down + 1)
                made += 1
    return made


def waves(n: int, ranks: int, cards: int) -> Iterator[tuple[Ints, Floats]]:
    """The basic variant (6.3.5): all compositions of each distance at once, each made from one of the last distance."""
    check_urn(n, ranks, cards)
    uniform = np.array(uniform_combination(ranks, cards), np.int16)
    modifiers, chances = np.zeros((1, ranks), np.int16), np.array([uniform_probability(n, ranks, cards)])
    while len(chances):
        yield (uniform + modifiers).astype(np.int64), chances
        size = _wave(modifiers, chances, uniform, n, np.zeros((0, ranks), np.int16), np.zeros(0))
        longer, more = np.zeros((size, ranks), np.int16), np.zeros(size)
        _wave(modifiers, chances, uniform, n, longer, more)
        modifiers, chances = longer, more
