"""The deals that agree with what a seat saw: how many, who holds what with which chance, and fair samples of them.

Every deal is equally likely before anything is seen; what was seen (cards, voids, declarations, silence) rules deals
out and tells no more. `napoli=False` leaves declared napoli aside, `silence=False` what was *not* declared.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mazzo.bits import lowest, size
from mazzo.errors import IllegalError
from mazzo.jit import helper, kernel, tight_helper
from mazzo.rng import below, fork
from mazzo.tressette.deals.tally import napoli_options, special_cards, tally
from mazzo.tressette.deals.ways import (
    AT_LEAST,
    EXACTLY,
    LIMIT,
    MAY,
    MODE,
    NAMED,
    NAPOLI,
    NEED,
    OWED,
    SHOWN,
    VECTOR,
    binomial,
    constrain,
    split_classes,
    ways,
)
from mazzo.tressette.kernels import HONOURS, SUIT, Int, Ints
from mazzo.tressette.observation import Observations

__all__ = ["count_deals", "hold_counts", "p_holds", "sample_deals"]


def count_deals(observations: Observations, napoli: bool = True, silence: bool = True) -> Ints:
    """[n] how many deals of the unseen cards agree with each observation; 0 means it is impossible."""
    o = observations
    counts = np.empty(len(o), np.int64)
    _tally_rows(
        o.hand, o.shown, o.voids, o.owed, o.declared, o.napoli, napoli, silence, counts, np.empty((0, 0, 0), np.int64)
    )
    return counts


def hold_counts(observations: Observations, napoli: bool = True, silence: bool = True) -> tuple[Ints, Ints]:
    """[n] consistent deals, and [n, 4, 40] in how many of them each seat holds each card now (seat 0: its hand)."""
    o = observations
    counts, holds = np.empty(len(o), np.int64), np.zeros((len(o), 4, 40), np.int64)
    _tally_rows(o.hand, o.shown, o.voids, o.owed, o.declared, o.napoli, napoli, silence, counts, holds)
    return counts, holds


def p_holds(observations: Observations, napoli: bool = True, silence: bool = True) -> NDArray[np.float64]:
    """[n, 4, 40] the chance that each seat holds each card now."""
    counts, holds = hold_counts(observations, napoli, silence)
    if not counts.all():
        raise IllegalError(f"observation {int(np.argmin(counts))}: no deal of the cards agrees with what was seen")
    return np.asarray(holds / counts[:, None, None])


def sample_deals(observation: Observations, n: int, key: int, napoli: bool = True, silence: bool = True) -> Ints:
    """[n, 4] masks of the cards each seat holds now in n deals drawn evenly from those that agree with a batch of one.

    `key` is a 64-bit number of a stream of chance; the same key gives the same deals.
    """
    o = observation
    c, hands = np.empty(VECTOR, np.int64), np.empty((n, 4), np.int64)
    constrain(o.hand[0], o.shown[0], o.voids[0], o.owed[0], o.declared[0], o.napoli[0], napoli, silence, c)
    hands[:, 0] = o.hand[0]
    if not _sample(c, np.uint64(key), hands):
        raise IllegalError("no deal of the cards agrees with what was seen: there is nothing to sample")
    return hands


@kernel
def _tally_rows(
    hand: Ints,
    shown: Ints,
    voids: Ints,
    owed: Ints,
    declared: NDArray[np.int8],
    named: Ints,
    napoli: bool,
    silence: bool,
    counts: Ints,
    holds: Ints,
) -> None:
    c = np.empty(VECTOR, np.int64)
    nothing, found = np.empty((0, 0), np.int64), np.empty((4, 40), np.int64)
    for i in range(len(hand)):
        constrain(hand[i], shown[i], voids[i], owed[i], declared[i], named[i], napoli, silence, c)
        if not len(holds):
            counts[i] = tally(c, nothing)
            continue
        found[:] = 0
        counts[i] = tally(c, found)
        for card in range(40):
            holds[i, 0, card] = counts[i] if (hand[i] >> card) & 1 else 0
            for p in range(3):
                holds[i, p + 1, card] = found[p, card]


@tight_helper
def _forced(c: Ints, f0: Int, f1: Int, f2: Int, f3: Int) -> tuple[Int, Int, Int]:
    """Who may hold what once the napoli of some suits are given to some players (3: to nobody in particular)."""
    m0, m1, m2 = c[MAY], c[MAY + 1], c[MAY + 2]
    for suit in range(4):
        f = f0 if suit == 0 else f1 if suit == 1 else f2 if suit == 2 else f3
        honours = HONOURS << (10 * suit)
        if f != 3:
            m0 = m0 if f == 0 else m0 & ~honours
            m1 = m1 if f == 1 else m1 & ~honours
            m2 = m2 if f == 2 else m2 & ~honours
    return m0, m1, m2


@helper
def _napoli_choices(c: Ints, choices: Ints) -> Int:
    """choices[j]: napoli holders of the four suits that explain the declarations, and the deals they leave."""
    options = np.empty((4, 5), np.int64)
    napoli_options(c, options)
    unseen = c[MAY] | c[MAY + 1] | c[MAY + 2]
    n = 0
    for i0 in range(options[0, 4]):
        for i1 in range(options[1, 4]):
            for i2 in range(options[2, 4]):
                for i3 in range(options[3, 4]):
                    f0, f1, f2, f3 = options[0, i0], options[1, i1], options[2, i2], options[3, i3]
                    fits = True
                    for p in range(3):
                        chosen = (f0 == p) + (f1 == p) + (f2 == p) + (f3 == p)
                        fits &= chosen == c[NAPOLI + p] - size(c[NAMED + p])
                    if not fits:
                        continue
                    m0, m1, m2 = _forced(c, f0, f1, f2, f3)
                    deals = ways(m0, m1, m2, unseen, c[NEED], c[NEED + 1], c[NEED + 2])
                    if deals > 0:
                        choices[n, 0], choices[n, 1], choices[n, 2], choices[n, 3] = f0, f1, f2, f3
                        choices[n, 4] = deals
                        n += 1
    return n


@tight_helper
def _number_below(rng_key: np.uint64, bound: Int) -> Int:
    """An even number in 0..bound-1 for large bounds: the bias is below bound / 2**63, one in a million at worst."""
    return np.int64(rng_key >> np.uint64(1)) % bound


@tight_helper
def _deal_out(
    m0: Int, m1: Int, m2: Int, n0: Int, n1: Int, n2: Int, pick: Int, rng_key: np.uint64
) -> tuple[Int, Int, Int]:
    """One deal: `pick` (below the number of ways) says how many of each class each player gets, `rng_key` which."""
    unseen = m0 | m1 | m2
    k1, k2, k3, k4, k5, k6, k7 = split_classes(m0, m1, m2, unseen)
    free0, free1, free2 = n0 - k1, n1 - k2, n2 - k4
    x, y, z, u0, u1 = 0, 0, 0, 0, 0
    left = pick
    for i in range(max(0, k3 - free1), min(k3, free0) + 1):
        for j in range(max(0, k5 - free2), min(k5, free0 - i) + 1):
            v0 = free0 - i - j
            if v0 > k7 or left < 0:
                continue
            w = binomial(k3, i) * binomial(k5, j) * binomial(k7, v0)
            for k in range(max(0, k6 - (free2 - k5 + j)), min(k6, free1 - k3 + i) + 1):
                v1 = free1 - k3 + i - k
                if v1 > k7 - v0 or left < 0:
                    continue
                x, y, z, u0, u1 = i, j, k, v0, v1
                left -= w * binomial(k6, k) * binomial(k7 - v0, v1)
    h0, h1, h2 = m0 & ~m1 & ~m2, m1 & ~m0 & ~m2, m2 & ~m0 & ~m1
    cards = unseen & ~(h0 | h1 | h2)
    while cards:
        bit = cards & -cards
        cards ^= bit
        rng_key = fork(rng_key, 0)
        a, b, d = m0 & bit != 0, m1 & bit != 0, m2 & bit != 0
        if a and b and d:
            r = below(rng_key, k7)
            k7 -= 1
            if r < u0:
                h0, u0 = h0 | bit, u0 - 1
            elif r < u0 + u1:
                h1, u1 = h1 | bit, u1 - 1
            else:
                h2 |= bit
        elif a and b:
            take = below(rng_key, k3) < x
            k3, x = k3 - 1, x - (1 if take else 0)
            h0, h1 = h0 | (bit if take else 0), h1 | (0 if take else bit)
        elif a:
            take = below(rng_key, k5) < y
            k5, y = k5 - 1, y - (1 if take else 0)
            h0, h2 = h0 | (bit if take else 0), h2 | (0 if take else bit)
        else:
            take = below(rng_key, k6) < z
            k6, z = k6 - 1, z - (1 if take else 0)
            h1, h2 = h1 | (bit if take else 0), h2 | (0 if take else bit)
    return h0, h1, h2


@tight_helper
def _ways_to_explain(c: Ints, p: Int, hand: Int) -> Int:
    """In how many ways the declarations of player p choose among the napoli in its ten cards; 0 if they do not fit.

    Neither does a hand without a suit of which it said to hold more.
    """
    dealt = hand | c[SHOWN + p]
    for suit in range(4):
        if (c[OWED + p] >> suit) & 1 and not (hand >> (10 * suit)) & SUIT:
            return 0
    for r in range(3):
        n = 0
        for suit in range(4):
            n += (dealt >> (10 * suit + 7 + r)) & 1
        if n > c[LIMIT + 3 * p + r]:
            return 0
    napoli = 0
    for suit in range(4):
        honours = HONOURS << (10 * suit)
        napoli += dealt & honours == honours
    if c[MODE] == EXACTLY:
        return 1 if napoli == c[NAPOLI + p] else 0
    if c[MODE] == AT_LEAST:
        named = size(c[NAMED + p])
        return binomial(napoli - named, c[NAPOLI + p] - named)
    return 1


@helper
def _one_by_one(c: Ints, rng_key: np.uint64) -> tuple[Int, Int, Int]:
    """A deal for rare situations: each ace, two and three is given by its exact chance, then the rest."""
    d = c.copy()
    special = special_cards(d, d[MAY] | d[MAY + 1] | d[MAY + 2], 15)
    if d[OWED] | d[OWED + 1] | d[OWED + 2]:
        special = d[MAY] | d[MAY + 1] | d[MAY + 2]  # which suits are held matters: every card by its chance
    holds = np.empty((4, 40), np.int64)
    while special:
        card = lowest(special)
        bit = np.int64(1) << card
        special ^= bit
        holds[:] = 0
        total = tally(d, holds)
        rng_key = fork(rng_key, 1)
        r = _number_below(rng_key, total)
        holder = 0 if r < holds[0, card] else 1 if r < holds[0, card] + holds[1, card] else 2
        for p in range(3):
            if p != holder:
                d[MAY + p] &= ~bit
    deals = ways(d[MAY], d[MAY + 1], d[MAY + 2], d[MAY] | d[MAY + 1] | d[MAY + 2], d[NEED], d[NEED + 1], d[NEED + 2])
    rng_key = fork(rng_key, 2)
    return _deal_out(
        d[MAY],
        d[MAY + 1],
        d[MAY + 2],
        d[NEED],
        d[NEED + 1],
        d[NEED + 2],
        _number_below(rng_key, deals),
        fork(rng_key, 3),
    )


@tight_helper
def _try(c: Ints, choices: Ints, n_choices: Int, together: Int, rng_key: np.uint64) -> tuple[bool, Int, Int, Int]:
    """One attempt: napoli by their weight, the rest at random, kept only if declarations and silence fit."""
    pick, j = _number_below(rng_key, together), 0
    while j < n_choices - 1 and pick >= choices[j, 4]:
        pick -= choices[j, 4]
        j += 1
    m0, m1, m2 = _forced(c, choices[j, 0], choices[j, 1], choices[j, 2], choices[j, 3])
    h0, h1, h2 = _deal_out(m0, m1, m2, c[NEED], c[NEED + 1], c[NEED + 2], pick, fork(rng_key, 4))
    explained = _ways_to_explain(c, 0, h0) * _ways_to_explain(c, 1, h1) * _ways_to_explain(c, 2, h2)
    kept = explained == 1 or (explained > 1 and below(fork(rng_key, 5), explained) == 0)
    return kept, h0, h1, h2


@kernel
def _sample(c: Ints, key: np.uint64, hands: Ints) -> bool:
    """Fill hands[:, 1:] with even samples; False if there is no deal to sample."""
    total = tally(c, np.empty((0, 0), np.int64))
    if total == 0:
        return False
    choices = np.empty((256, 5), np.int64)
    n_choices = _napoli_choices(c, choices)
    together = 0
    for j in range(n_choices):
        together += choices[j, 4]
    rare = total < together // 64
    for i in range(len(hands)):
        rng_key = fork(key, i)
        kept, h0, h1, h2 = False, 0, 0, 0
        if rare:
            h0, h1, h2 = _one_by_one(c, rng_key)
        while not rare and not kept:
            rng_key = fork(rng_key, 6)
            kept, h0, h1, h2 = _try(c, choices, n_choices, together, rng_key)
        hands[i, 1], hands[i, 2], hands[i, 3] = h0, h1, h2
    return True
