"""Counting the deals that agree with what was seen, exactly: kernels over one small vector of constraints.

Three players are hidden. Without silence the unseen cards fall into at most seven classes by who may hold them, and
the count is a short sum of multinomials over the classes of two. Declarations and silence concern only the aces, twos
and threes. "At most two of a rank" is checked rank by rank (at most 81 assignments each, then a convolution over the
numbers of cards taken); "exactly k napoli" ties the ranks together and is taken apart by inclusion and exclusion over
the suits that could still be one. All counts are integers below 2**63 (there are 30!/(10!)**3 = 5.55e12 deals).
"""

from __future__ import annotations

import numpy as np

from mazzo.bits import lowest, size
from mazzo.jit import helper, tight_helper
from mazzo.tressette.deals.ways import (
    AT_LEAST,
    EXACTLY,
    IGNORED,
    IMPOSSIBLE,
    LIMIT,
    MAY,
    MODE,
    NAMED,
    NAPOLI,
    NEED,
    OWED,
    SHOWN,
    binomial,
    split_classes,
    sums,
)
from mazzo.tressette.kernels import HONOURS, SUIT, Int, Ints

__all__ = ["napoli_options", "special_cards", "tally"]

_SIDE = 13


@tight_helper
def _could_be_napoli(c: Ints, p: Int, suit: Int) -> bool:
    honours = HONOURS << (10 * suit)
    return bool((c[MAY + p] | c[SHOWN + p]) & honours == honours)


@tight_helper
def napoli_options(c: Ints, options: Ints) -> Int:
    """options[suit, j]: who might have a napoli of a suit (3: nobody, always first). Returns the suits concerned."""
    suits = 0
    for suit in range(4):
        options[suit, 0] = 3
        options[suit, 4] = 1
        for p in range(3):
            unnamed = c[NAPOLI + p] - size(c[NAMED + p])
            counted = c[MODE] == EXACTLY or (c[MODE] == AT_LEAST and unnamed > 0)
            if counted and not (c[NAMED + p] >> suit) & 1 and _could_be_napoli(c, p, suit):
                options[suit, options[suit, 4]] = p
                options[suit, 4] += 1
                suits |= 1 << suit
    return suits


@tight_helper
def _coefficient(mode: Int, declared: Int, chosen: Int) -> Int:
    """Jordan's formula: the sign and weight of `chosen` napoli forced where exactly (at least) `declared` are there."""
    if chosen < declared:
        return 0
    if mode == EXACTLY:
        weight = np.int64(binomial(chosen, declared))
    elif declared == 0:
        weight = np.int64(1 if chosen == 0 else 0)
    else:
        weight = np.int64(binomial(chosen - 1, declared - 1))
    return weight if (chosen - declared) % 2 == 0 else -weight


@tight_helper
def _weight(c: Ints, f0: Int, f1: Int, f2: Int, f3: Int) -> Int:
    """The coefficient of one choice of napoli holders (3: nobody) in the inclusion and exclusion."""
    weight = np.int64(1)
    for p in range(3):
        chosen = (f0 == p) + (f1 == p) + (f2 == p) + (f3 == p)
        declared = c[NAPOLI + p] - size(c[NAMED + p])
        weight *= _coefficient(c[MODE], declared, chosen)
        if weight == 0:
            break
    return weight


@tight_helper
def special_cards(c: Ints, unseen: Int, suits: Int) -> Int:
    """The unseen aces, twos and threes that must be dealt out one by one: some limit or napoli hangs on them."""
    special: Int = 0
    for suit in range(4):
        if (suits >> suit) & 1:
            special |= HONOURS << (10 * suit)
    for r in range(3):
        rank: Int = 0
        for suit in range(4):
            rank |= np.int64(1) << (10 * suit + 7 + r)
        for p in range(3):
            if size((c[MAY + p] | c[SHOWN + p]) & rank) > c[LIMIT + 3 * p + r]:
                special |= rank
    return special & unseen


@tight_helper
def _holders(c: Ints, r: Int, special: Int, f: Ints, slots: Ints) -> None:
    """slots[suit]: who (bits 0-2) may hold the card of rank r in that suit; 8 (nobody) if it is not special."""
    for suit in range(4):
        card = np.int64(1) << (10 * suit + 7 + r)
        slots[suit] = 8
        if special & card:
            slots[suit] = 0
            for p in range(3):
                if c[MAY + p] & card and (f[suit] == 3 or f[suit] == p):
                    slots[suit] |= 1 << p


@helper
def _spread(c: Ints, r: Int, slots: Ints, sizes: Ints, weights: Ints, holds: Ints, weight: Int, gather: bool) -> None:
    """Go through every assignment of one rank's special cards within the limits.

    Gathering, each adds one to sizes[a, b] (a to player 0, b to 1). Otherwise each adds weight * weights[a, b], the
    deals that go with it, to `holds` of its cards.
    """
    room = np.empty(3, np.int64)
    for p in range(3):
        rank: Int = 0
        for suit in range(4):
            rank |= np.int64(1) << (10 * suit + 7 + r)
        room[p] = c[LIMIT + 3 * p + r] - size(c[SHOWN + p] & rank)
    taken = np.zeros(4, np.int64)
    for h0 in range(4):
        if not (slots[0] >> h0) & 1:
            continue
        taken[h0] += 1
        for h1 in range(4):
            if not (slots[1] >> h1) & 1:
                continue
            taken[h1] += 1
            for h2 in range(4):
                if not (slots[2] >> h2) & 1:
                    continue
                taken[h2] += 1
                for h3 in range(4):
                    if not (slots[3] >> h3) & 1:
                        continue
                    taken[h3] += 1
                    a, b = taken[0], taken[1]
                    if a <= room[0] and b <= room[1] and taken[2] <= room[2]:
                        if gather:
                            sizes[a, b] += 1
                        else:
                            deals = weight * weights[a, b]
                            holds[h0, 7 + r] += deals
                            holds[h1, 17 + r] += deals
                            holds[h2, 27 + r] += deals
                            holds[h3, 37 + r] += deals
                    taken[h3] -= 1
                taken[h2] -= 1
            taken[h1] -= 1
        taken[h0] -= 1


@tight_helper
def _convolve(left: Ints, left_side: Int, right: Ints, product: Ints) -> None:
    """Product += left * right as polynomials in (a, b); right has degree at most 4."""
    for a in range(left_side):
        for b in range(left_side - a):
            if left[a, b] == 0:
                continue
            for i in range(5):
                for j in range(5 - i):
                    product[a + i, b + j] += left[a, b] * right[i, j]


@helper
def _sizes_of(c: Ints, special: Int, f: Ints, slots: Ints, sizes: Ints, nothing: Ints) -> None:
    sizes[:] = 0
    for r in range(3):
        _holders(c, r, special, f, slots)
        _spread(c, r, slots, sizes[r], nothing, nothing, 0, True)


@tight_helper
def _terms(c: Ints, options: Ints, terms: Ints) -> Int:
    """The terms of the inclusion and exclusion: terms[j] are the napoli holders of the four suits and the weight."""
    n = 0
    for i0 in range(options[0, 4]):
        for i1 in range(options[1, 4]):
            for i2 in range(options[2, 4]):
                for i3 in range(options[3, 4]):
                    f0, f1, f2, f3 = options[0, i0], options[1, i1], options[2, i2], options[3, i3]
                    weight = _weight(c, f0, f1, f2, f3)
                    if weight != 0:
                        terms[n, 0], terms[n, 1], terms[n, 2], terms[n, 3], terms[n, 4] = f0, f1, f2, f3, weight
                        n += 1
    return n


@helper
def _deals_by_special(c: Ints, special: Int, terms: Ints, n_terms: Int, by_size: Ints) -> None:
    """by_size[a, b]: signed ways to deal the special cards so that player 0 gets a of them and player 1 b."""
    slots, nothing = np.empty(4, np.int64), np.empty((0, 0), np.int64)
    sizes, two = np.empty((3, 5, 5), np.int64), np.empty((9, 9), np.int64)
    three = np.empty((_SIDE, _SIDE), np.int64)
    for j in range(n_terms):
        _sizes_of(c, special, terms[j], slots, sizes, nothing)
        two[:] = 0
        three[:] = 0
        _convolve(sizes[0], 5, sizes[1], two)
        _convolve(two, 9, sizes[2], three)
        for a in range(_SIDE):
            for b in range(_SIDE - a):
                by_size[a, b] += terms[j, 4] * three[a, b]


@helper
def _special_holds(c: Ints, special: Int, terms: Ints, n_terms: Int, rest: Ints, holds: Ints) -> None:
    """Add to `holds` the deals in which each player holds each special card; rest[a, b]: ways to deal the others."""
    slots, nothing = np.empty(4, np.int64), np.empty((0, 0), np.int64)
    sizes, two = np.empty((3, 5, 5), np.int64), np.empty((9, 9), np.int64)
    with_rank = np.empty((5, 5), np.int64)
    for j in range(n_terms):
        _sizes_of(c, special, terms[j], slots, sizes, nothing)
        for r in range(3):
            two[:] = 0
            _convolve(sizes[(r + 1) % 3], 5, sizes[(r + 2) % 3], two)
            _deals_with(two, rest, with_rank)
            _holders(c, r, special, terms[j], slots)
            _spread(c, r, slots, nothing, with_rank, holds, terms[j, 4], False)


@tight_helper
def _deals_with(two: Ints, rest: Ints, with_rank: Ints) -> None:
    """with_rank[a, b]: deals of everything else once a cards of one rank went to player 0 and b to 1."""
    with_rank[:] = 0
    for a in range(9):
        for b in range(9 - a):
            if two[a, b] == 0:
                continue
            for i in range(5):
                for j in range(5 - i):
                    with_rank[i, j] += two[a, b] * rest[a + i, b + j]


@tight_helper
def _fill_class(holds: Ints, cards: Int, many: Int, zero: Int, one: Int, two: Int) -> None:
    """By symmetry each card of a class is held equally often: the sums over the class, divided by its size."""
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        holds[0, card] += zero // many
        holds[1, card] += one // many
        holds[2, card] += two // many


@helper
def _tally_muto(c: Ints, holds: Ints) -> Int:
    """`tally` without what was said by signals."""
    m0, m1, m2 = c[MAY], c[MAY + 1], c[MAY + 2]
    n0, n1, n2 = c[NEED], c[NEED + 1], c[NEED + 2]
    unseen = m0 | m1 | m2
    if c[IMPOSSIBLE] or n0 + n1 + n2 != size(unseen):
        return 0
    options = np.empty((4, 5), np.int64)
    suits = napoli_options(c, options)
    special = special_cards(c, unseen, suits)
    for p in range(3):
        for r in range(3):
            shown = 0
            for suit in range(4):
                shown += (c[SHOWN + p] >> (10 * suit + 7 + r)) & 1
            if shown > c[LIMIT + 3 * p + r]:
                return 0
    plain = unseen & ~special
    k1, k2, k3, k4, k5, k6, k7 = split_classes(m0, m1, m2, plain)
    by_size, rest = np.zeros((_SIDE, _SIDE), np.int64), np.zeros((_SIDE, _SIDE), np.int64)
    terms, n_terms = np.empty((256, 5), np.int64), np.int64(0)
    if special or suits or c[MODE] != IGNORED:
        n_terms = _terms(c, options, terms)
        _deals_by_special(c, special, terms, n_terms, by_size)
    else:
        by_size[0, 0] = 1
    n_special = size(special)
    total, in3, in5, in6, in70, in71 = 0, 0, 0, 0, 0, 0
    for a in range(min(n_special, n0) + 1):
        for b in range(min(n_special - a, n1) + 1):
            if n_special - a - b > n2:
                continue
            t, s3, s5, s6, s70, s71 = sums(k1, k2, k3, k4, k5, k6, k7, n0 - a, n1 - b, n2 - n_special + a + b)
            rest[a, b] = t
            w = by_size[a, b]
            total += w * t
            in3, in5, in6, in70, in71 = in3 + w * s3, in5 + w * s5, in6 + w * s6, in70 + w * s70, in71 + w * s71
    if len(holds) and total:
        one, no = np.int64(1), np.int64(0)  # variables: numba would compile the call anew for every literal
        _fill_class(holds, m0 & ~m1 & ~m2 & plain, one, total, no, no)
        _fill_class(holds, m1 & ~m0 & ~m2 & plain, one, no, total, no)
        _fill_class(holds, m2 & ~m0 & ~m1 & plain, one, no, no, total)
        _fill_class(holds, m0 & m1 & ~m2 & plain, k3, in3, k3 * total - in3, no)
        _fill_class(holds, m0 & m2 & ~m1 & plain, k5, in5, no, k5 * total - in5)
        _fill_class(holds, m1 & m2 & ~m0 & plain, k6, no, in6, k6 * total - in6)
        _fill_class(holds, m0 & m1 & m2 & plain, k7, in70, in71, k7 * total - in70 - in71)
        if special:
            _special_holds(c, special, terms, n_terms, rest, holds)
    return total


@helper
def tally(c: Ints, holds: Ints) -> Int:
    """The number of deals that agree with the constraints; with it, in how many of them player p holds card k.

    `holds` is [4, 40] zeros (its last row is scratch), or empty where only the number is wanted.
    """
    n_owed = size(c[OWED]) + size(c[OWED + 1]) + size(c[OWED + 2])
    if n_owed == 0:
        return _tally_muto(c, holds)
    # Inclusion and exclusion over who said to hold more of a suit: take away the deals in which it does not.
    total, d = np.int64(0), c.copy()
    found = np.zeros(holds.shape, np.int64)
    for lies in range(1 << n_owed):
        for at in range(len(c)):  # as loops: whole arrays make numba compile its messages about shapes, for seconds
            d[at] = c[at]
        k = 0
        for p in range(3):
            for suit in range(4):
                if (c[OWED + p] >> suit) & 1:
                    if (lies >> k) & 1:
                        d[MAY + p] &= ~(SUIT << (10 * suit))
                    k += 1
        sign = -1 if size(lies) & 1 else 1
        found[:] = 0
        total += sign * _tally_muto(d, found)
        for p in range(len(holds)):
            for card in range(holds.shape[1]):
                holds[p, card] += sign * found[p, card]
    return total
