"""U = R + DT + V of every playable card: the kernels of the decision network.

All amounts here are in points, not thirds, because the text's constants are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats
from mazzo.bits import highest, lowest, size
from mazzo.jit import helper, inlined, kernel, tight_helper
from mazzo.tressette.deals.tally import tally
from mazzo.tressette.deals.ways import MAY, NAPOLI, NEED, OWED, VECTOR, constrain, ways
from mazzo.tressette.kernels import (
    ACES,
    LAST_TRICK_THIRDS,
    SUIT,
    Int,
    Ints,
    thirds_of,
    trick_stands,
)

__all__ = [
    "EXACT",
    "FALLS_BY_NETWORK",
    "KNOWN",
    "LAST_TRICK",
    "LOSSES",
    "ORDER",
    "SILENCE",
    "TERMS",
    "decide_rows",
    "masters_of",
    "p_side_takes",
    "p_without",
]

Real = Any  # a kernel's float

ORDER, KNOWN, EXACT, FALLS_BY_NETWORK, SILENCE, LOSSES, LAST_TRICK = 1, 2, 4, 8, 16, 32, 64
"""The switches, as bits: what each means stands in `Decision`."""

TERMS = ("U", "R", "DT", "V", "P(c takes)", "P(partner takes)", "estimate", "P(falls)", "points left")
_U, _R, _DT, _V, _TAKES, _PARTNER, _ESTIMATE, _FALLS, _LEFT = range(9)

_MASTER_ACE_GONE, _MASTER_ACE_IN_PLAY, _NO_MASTER = 0.2, 0.65, 0.8
_EACH_TO_PLAY, _SURE_TO_FALL = 0.2, 0.65


class Known(NamedTuple):
    """What one observation tells of the hidden hands: the same for each card that might be played."""

    c: Ints
    """The constraints, as `constrain` fills them."""
    holds: Ints
    """[hidden player, card]: in how many deals the player holds the card."""
    total: Int
    """How many deals there are."""
    unseen: Int
    """The cards of the hidden hands."""
    later: Int
    """Bits: the hidden players still to play in this trick."""
    switches: Int


class TrickSoFar(NamedTuple):
    """The trick on the table, before the card that might be played."""

    best: Int
    """The card that takes it so far, -1 when leading."""
    owner: Int
    """Whose that is, counted from the seat to act: 2 is the partner; -1 when leading."""
    partner_card: Int
    """What the partner has played, or -1."""
    worth: Int
    """Thirds of a point lying there."""


@tight_helper
def masters_of(hand: Int, gone: Int) -> Int:
    """The cards of a hand that nothing beats once the cards of `gone` are out: all stronger are gone or in hand."""
    masters: Int = 0
    for suit in range(4):
        block = ((hand | gone) >> (10 * suit)) & SUIT
        power = 9
        while power >= 0 and (block >> power) & 1:
            masters |= hand & (np.int64(1) << (10 * suit + power))
            power -= 1
    return masters


@helper
def _deals(c: Ints, switches: Int, m0: Int, m1: Int, m2: Int) -> Int:
    """Deals in which the hidden players hold only what is left to them here."""
    told = c[NAPOLI] + c[NAPOLI + 1] + c[NAPOLI + 2] + c[OWED] + c[OWED + 1] + c[OWED + 2]
    if switches & SILENCE or told > 0:
        d = c.copy()
        d[MAY], d[MAY + 1], d[MAY + 2] = m0, m1, m2
        return tally(d, np.empty((0, 0), np.int64))
    return ways(m0, m1, m2, c[MAY] | c[MAY + 1] | c[MAY + 2], c[NEED], c[NEED + 1], c[NEED + 2])


@helper
def p_without(c: Ints, switches: Int, total: Int, later: Int, cards: Int) -> Real:
    """The chance that no hidden player of `later` (bits) holds any of `cards`."""
    m0 = c[MAY] & ~cards if later & 1 else c[MAY]
    m1 = c[MAY + 1] & ~cards if later & 2 else c[MAY + 1]
    m2 = c[MAY + 2] & ~cards if later & 4 else c[MAY + 2]
    return _deals(c, switches, m0, m1, m2) / total


@helper
def _p_partner_best(c: Ints, switches: Int, total: Int, later: Int, cards: Int) -> Real:
    """The chance that the strongest of `cards` held by anyone still to play is the partner's, who is one of them."""
    chance, above = 0.0, 0
    while cards:
        card = highest(cards)
        bit = np.int64(1) << card
        cards ^= bit
        m0 = c[MAY] & ~bit & ~(above if later & 1 else 0)
        m1 = c[MAY + 1] & ~above
        m2 = c[MAY + 2] & ~bit & ~(above if later & 4 else 0)
        if m1 & bit:
            chance += _deals(c, switches, m0, m1, m2) / total
        above |= bit
    return chance


@helper
def _p_alone(c: Ints, switches: Int, total: Int, p: Int, card: Int, suit: Int) -> Real:
    """The chance that hidden player p holds this card as its only one of the suit."""
    bit, block = np.int64(1) << card, SUIT << (10 * suit)
    m0 = c[MAY] & ~(block & ~bit) if p == 0 else c[MAY] & ~bit
    m1 = c[MAY + 1] & ~bit
    m2 = c[MAY + 2] & ~(block & ~bit) if p == 2 else c[MAY + 2] & ~bit
    return _deals(c, switches, m0, m1, m2) / total


@tight_helper
def _p_takes(card: Int, led: Int, best: Int, last: bool, others: Int) -> Real:
    """The text's chance that a card takes the trick; `others` are the cards of the suit led that might beat it."""
    if card // 10 != led or best > card:
        return 0.0
    stronger = others & ~((np.int64(2) << card) - 1)
    if stronger == 0 or last:
        return 1.0
    return 1.0 - size(stronger) / size(others)


@tight_helper
def _opponents_cards(known: Known, block: Int) -> Int:
    """The unseen cards of a suit as the switches let one see them: which of them might still beat mine."""
    c, later, switches = known.c, known.later, known.switches
    unseen = known.unseen & block
    if switches & ORDER:
        reach: Int = 0
        if later & 1:
            reach |= c[MAY]
        if later & 4:
            reach |= c[MAY + 2]
        unseen &= reach
    if switches & KNOWN:
        cards = unseen
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            for p in range(3):
                harmless = p == 1 or not (later >> p) & 1
                if harmless and known.holds[p, card] == known.total:
                    unseen &= ~(np.int64(1) << card)
    return unseen


@tight_helper
def _beaten_for_sure(holds: Ints, total: Int, later: Int, card: Int) -> bool:
    """Whether an opponent still to play is known to hold a stronger card of the suit."""
    for stronger in range(card + 1, 10 * (card // 10) + 10):
        if (later & 1 and holds[0, stronger] == total) or (later & 4 and holds[2, stronger] == total):
            return True
    return False


@tight_helper
def _partner_known(holds: Ints, total: Int, suit: Int) -> Int:
    """The strongest card of a suit the partner is known to hold, or -1."""
    for power in range(9, -1, -1):
        if total > 0 and holds[1, 10 * suit + power] == total:
            return 10 * suit + power
    return -1


@tight_helper
def _p_partner_takes(known: Known, trick: TrickSoFar, led: Int, others: Int) -> Real:
    """The chance that the partner takes with the card it played, or the strongest it is known to hold."""
    holds, total, later, switches = known.holds, known.total, known.later, known.switches
    best, partner_card = trick.best, trick.partner_card
    if partner_card >= 0:
        counts = switches & KNOWN and best <= partner_card and partner_card // 10 == led
        if counts and _beaten_for_sure(holds, total, later, partner_card):
            return 0.0
        return _p_takes(partner_card, led, best, later == 0, others)
    strongest = _partner_known(holds, total, led) if later & 2 else -1
    if strongest < 0:
        return 0.0
    if switches & KNOWN and _beaten_for_sure(holds, total, later, strongest):
        return 0.0
    for power in range(10):
        if holds[1, 10 * led + power] == total:
            others &= ~(np.int64(1) << (10 * led + power))
    return _p_takes(strongest, led, best, False, others)


@helper
def p_side_takes(
    c: Ints, switches: Int, total: Int, later: Int, led: Int, card: Int, best: Int, owner: Int, unseen: Int
) -> Real:
    """The exact chance that the trick ends with the side's best card, everyone playing its best of the suit led."""
    ours = card // 10 == led and card > best
    top = card if ours else best
    above = unseen & (SUIT << (10 * led)) & ~((np.int64(2) << top) - 1)
    chance = _p_partner_best(c, switches, total, later, above) if later & 2 else 0.0
    if ours or owner == 2:
        chance += p_without(c, switches, total, later, above)
    return min(chance, 1.0)


@helper
def _p_falls(known: Known, led: Int, network: Floats, parts: Floats) -> None:
    """How the most valuable unseen card of the suit led may fall.

    Into `parts` go its points, the chance that an opponent must play it, and that a partner still to play holds it.
    """
    c, total, later, switches = known.c, known.total, known.later, known.switches
    cards = known.unseen & (SUIT << (10 * led))
    parts[:] = 0.0
    if cards == 0:
        return
    target, worth = lowest(cards), 0
    rest = cards
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if thirds_of(np.int64(1) << card) > worth:
            target, worth = card, thirds_of(np.int64(1) << card)
    parts[0] = worth / 3
    if switches & FALLS_BY_NETWORK:
        cannot = (~(cards >> (10 * led))) & SUIT
        parts[1] = network[cannot, target % 10] if later else 0.0
        return
    if later & 1:
        parts[1] += _p_alone(c, switches, total, 0, target, led)
    if later & 4:
        parts[1] += _p_alone(c, switches, total, 2, target, led)
    if later & 2:
        parts[2] = known.holds[1, target] / total


@inlined
def _future(
    card: Int, hand: Int, gone: Int, unseen: Int, masters: Int, future: Int, switches: Int, term: Floats
) -> None:
    """DT, V and the points left of one card: those of the cards not out, with the last trick's if switched on."""
    bit, suit = np.int64(1) << card, card // 10
    is_master = (masters & bit) != 0
    ace_gone = (gone & ACES & (SUIT << (10 * suit))) != 0
    weight = _NO_MASTER if not is_master else _MASTER_ACE_GONE if ace_gone else _MASTER_ACE_IN_PLAY
    change = size(future) - size(masters) - (1 if is_master else 0)
    term[_DT] = change * weight
    left = (thirds_of(hand | unseen) - thirds_of(bit)) / 3
    if switches & LAST_TRICK:
        left += LAST_TRICK_THIRDS / 3
    n_unseen = size(unseen)
    p_rest, p_rest_with = 0.0, 0.0
    if n_unseen:
        for s in range(4):
            if masters & (SUIT << (10 * s)):
                p_rest += size(unseen & (SUIT << (10 * s))) / n_unseen / 4
        if future & bit:
            p_rest_with = size(unseen & (SUIT << (10 * suit))) / n_unseen / 4
    term[_V] = (p_rest - p_rest_with) * left
    term[_LEFT] = left


@helper
def _now(known: Known, trick: TrickSoFar, led: Int, card: Int, parts: Floats, term: Floats) -> None:
    """R of one card, with what makes it; `parts` are those of `_p_falls` for the suit led."""
    later, switches, best, worth = known.later, known.switches, trick.best, trick.worth
    others = _opponents_cards(known, SUIT << (10 * led))
    p_card = _p_takes(card, led, best, later == 0, others)
    if switches & KNOWN and p_card > 0 and _beaten_for_sure(known.holds, known.total, later, card):
        p_card = 0.0
    p_partner = _p_partner_takes(known, trick, led, others)
    chance = max(p_card, p_partner)
    if switches & EXACT:
        chance = p_side_takes(known.c, switches, known.total, later, led, card, best, trick.owner, known.unseen)
    falls = parts[1] + parts[2] * chance
    n = 1 if falls >= _SURE_TO_FALL else size(later)
    own = thirds_of(np.int64(1) << card) / 3
    estimate = own + parts[0] * falls + _EACH_TO_PLAY * n
    term[_TAKES], term[_PARTNER], term[_ESTIMATE], term[_FALLS] = p_card, p_partner, estimate, falls
    term[_R] = chance * (worth / 3 + estimate)
    if switches & EXACT:
        term[_TAKES] = chance
    if switches & LOSSES:
        term[_R] -= (1 - chance) * (worth / 3 + estimate)


@helper
def _decide_row(
    c: Ints,
    hand: Int,
    legal: Int,
    shown: Ints,
    played: NDArray[np.int8],
    count: Int,
    switches: Int,
    network: Floats,
    terms: Floats,
) -> Int:
    """The best card of one observation; terms[card] is filled for every legal one."""
    led, best, owner, worth = trick_stands(played, count)
    place = count & 3
    later = (7 >> place) & 7  # hidden players 0, 1, 2 act after me in this order
    table: Int = 0
    partner_card: Int = -1
    for j in range(place):
        table |= np.int64(1) << np.int64(played[count - place + j])
        if (4 - place + j) & 3 == 2:
            partner_card = np.int64(played[count - place + j])
    gone = (shown[0] | shown[1] | shown[2] | shown[3]) & ~table
    unseen = c[MAY] | c[MAY + 1] | c[MAY + 2]
    holds = np.zeros((4, 40), np.int64)
    total = tally(c, holds)
    known, trick = Known(c, holds, total, unseen, later, switches), TrickSoFar(best, owner, partner_card, worth)
    masters, future = masters_of(hand, gone), masters_of(hand, gone | table)
    parts, chosen, suit_done = np.zeros(3), np.int64(-1), np.int64(-1)
    cards = legal
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        suit = led if led >= 0 else card // 10
        if suit != suit_done:
            _p_falls(known, suit, network, parts)
            suit_done = suit
        term = terms[card]
        _now(known, trick, suit, card, parts, term)
        _future(card, hand, gone, unseen, masters, future, switches, term)
        term[_U] = term[_R] + term[_DT] + term[_V]
        if chosen < 0 or _better(card, term[_U], chosen, terms[chosen, _U]):
            chosen = card
    return chosen


@tight_helper
def _better(card: Int, utility: Real, chosen: Int, best: Real) -> bool:
    """A higher U; where equal, the card that gives less away: fewer points, then lower."""
    if abs(utility - best) > 1e-9:
        return bool(utility > best)
    gives, gave = thirds_of(np.int64(1) << card), thirds_of(np.int64(1) << chosen)
    return bool(gives < gave or (gives == gave and card % 10 < chosen % 10))


@kernel
def decide_rows(
    hand: Ints,
    legal: Ints,
    shown: Ints,
    voids: Ints,
    owed: Ints,
    declared: NDArray[np.int8],
    napoli: Ints,
    played: NDArray[np.int8],
    count: Ints,
    switches: Int,
    network: Floats,
    terms: Floats,
) -> Ints:
    """One card for every row; `terms` ([40, len(TERMS)]) holds those of the last row."""
    chosen = np.empty(len(hand), np.int64)
    c = np.empty(VECTOR, np.int64)
    for i in range(len(hand)):
        constrain(hand[i], shown[i], voids[i], owed[i], declared[i], napoli[i], True, (switches & SILENCE) != 0, c)
        chosen[i] = _decide_row(c, hand[i], legal[i], shown[i], played[i], count[i], switches, network, terms)
    return chosen
