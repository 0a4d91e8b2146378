"""What was seen as one small vector of constraints, and the deals that agree with it where nobody declared anything.

Three players are hidden. The unseen cards fall into at most seven classes by who may hold them, and the count is a
short sum of multinomials over the classes of two.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from mazzo.bits import size
from mazzo.jit import tight_helper
from mazzo.tressette.kernels import ALL_CARDS, CORONA, SUIT, Int, Ints

__all__ = [
    "AT_LEAST",
    "EXACTLY",
    "IGNORED",
    "IMPOSSIBLE",
    "LIMIT",
    "MAY",
    "MODE",
    "NAMED",
    "NAPOLI",
    "NEED",
    "OWED",
    "SHOWN",
    "VECTOR",
    "binomial",
    "constrain",
    "split_classes",
    "sums",
    "ways",
]

# The vector of constraints: where each fact about hidden player p = 0, 1, 2 (seats 1, 2, 3) stands.
MAY, NEED, SHOWN, LIMIT, NAPOLI, NAMED, MODE, IMPOSSIBLE, OWED, VECTOR = 0, 3, 6, 9, 18, 21, 24, 25, 26, 29
IGNORED, AT_LEAST, EXACTLY = 0, 1, 2
"""How declared napoli are used: not at all, as what is at least there, or (with silence) as all there is."""

_BINOMIAL = np.array([[comb(n, k) for k in range(31)] for n in range(31)], np.int64)


@tight_helper
def binomial(n: Int, k: Int) -> Int:
    """Ways to choose k of n cards."""
    return _BINOMIAL[n, k]


@tight_helper
def constrain(
    hand: Int,
    shown: Ints,
    voids: Ints,
    owed: Ints,
    declared: NDArray[np.int8],
    named: Ints,
    use_napoli: bool,
    use_silence: bool,
    c: Ints,
) -> None:
    """Write the constraints of one observation (its rows of `shown`, `voids`, ...) into the vector `c`."""
    unseen = ALL_CARDS & ~(hand | shown[0] | shown[1] | shown[2] | shown[3])
    c[:] = 0
    for p in range(3):
        c[SHOWN + p] = shown[p + 1]
        c[OWED + p] = owed[p + 1]
        c[NEED + p] = 10 - size(shown[p + 1])
        may = unseen
        for suit in range(4):
            if (voids[p + 1] >> suit) & 1:
                may &= ~(SUIT << (10 * suit))
        c[MAY + p] = may
    for p in range(3):
        for r in range(3):
            what = declared[p + 1, 1 + r]
            c[LIMIT + 3 * p + r] = 2 if use_silence and what == 0 else 4
            for suit in range(4):
                card = np.int64(1) << (10 * suit + 7 + r)
                if what == CORONA or (what > 0 and suit != what - 1):
                    _settle(c, p, card, True)
                elif what > 0 and use_silence:  # with the fourth it would have declared a corona
                    _settle(c, p, card, False)
    c[MODE] = EXACTLY if use_silence else AT_LEAST if use_napoli else IGNORED
    if declared[1, 0] < 0:  # nobody has said anything yet, so that silence says nothing either
        c[MODE] = IGNORED
    if c[MODE] == IGNORED:
        return
    for p in range(3):
        c[NAPOLI + p] = declared[p + 1, 0]
        c[NAMED + p] = named[p + 1]
        for suit in range(4):
            if (named[p + 1] >> suit) & 1:
                for r in range(3):
                    _settle(c, p, np.int64(1) << (10 * suit + 7 + r), True)


@tight_helper
def _settle(c: Ints, p: Int, card: Int, dealt: bool) -> None:
    """Player p was dealt this card, or was not."""
    if dealt:
        if not ((c[MAY + p] | c[SHOWN + p]) & card):
            c[IMPOSSIBLE] = 1
        for q in range(3):
            if q != p:
                c[MAY + q] &= ~card
    else:
        if c[SHOWN + p] & card:
            c[IMPOSSIBLE] = 1
        c[MAY + p] &= ~card


@tight_helper
def split_classes(m0: Int, m1: Int, m2: Int, cards: Int) -> tuple[Int, Int, Int, Int, Int, Int, Int]:
    """How many of `cards` only 0 may hold, only 1, 0 and 1, only 2, 0 and 2, 1 and 2, and all three."""
    a, b, d = m0 & cards, m1 & cards, m2 & cards
    return (
        size(a & ~b & ~d),
        size(b & ~a & ~d),
        size(a & b & ~d),
        size(d & ~a & ~b),
        size(a & d & ~b),
        size(b & d & ~a),
        size(a & b & d),
    )


@tight_helper
def sums(
    k1: Int, k2: Int, k3: Int, k4: Int, k5: Int, k6: Int, k7: Int, n0: Int, n1: Int, n2: Int
) -> tuple[Int, Int, Int, Int, Int, Int]:
    """The ways to deal seven classes to hands of n0, n1, n2 cards.

    With the ways come five sums over them: cards of classes 3, 5 and 7 that player 0 gets, and of 6 and 7 that 1 gets.
    """
    total, in3, in5, in6, in70, in71 = 0, 0, 0, 0, 0, 0
    free0, free1, free2 = n0 - k1, n1 - k2, n2 - k4
    for x in range(max(0, k3 - free1), min(k3, free0) + 1):
        w_x = _BINOMIAL[k3, x]
        for y in range(max(0, k5 - free2), min(k5, free0 - x) + 1):
            u0 = free0 - x - y
            if u0 > k7:
                continue
            w_y = w_x * _BINOMIAL[k5, y] * _BINOMIAL[k7, u0]
            for z in range(max(0, k6 - (free2 - k5 + y)), min(k6, free1 - k3 + x) + 1):
                u1 = free1 - k3 + x - z
                if u1 > k7 - u0:
                    continue
                w = w_y * _BINOMIAL[k6, z] * _BINOMIAL[k7 - u0, u1]
                total += w
                in3 += w * x
                in5 += w * y
                in6 += w * z
                in70 += w * u0
                in71 += w * u1
    return total, in3, in5, in6, in70, in71


@tight_helper
def ways(m0: Int, m1: Int, m2: Int, unseen: Int, n0: Int, n1: Int, n2: Int) -> Int:
    """How many deals of the unseen cards give each player only cards it may hold: no declarations, no silence."""
    if (m0 | m1 | m2) & unseen != unseen or n0 + n1 + n2 != size(unseen):
        return 0
    k1, k2, k3, k4, k5, k6, k7 = split_classes(m0, m1, m2, unseen)
    return sums(k1, k2, k3, k4, k5, k6, k7, n0, n1, n2)[0]
