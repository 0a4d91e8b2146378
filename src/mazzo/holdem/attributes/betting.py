"""What the betting of a hand looks like to the player to act, in whole numbers: one row of facts a decision."""

from __future__ import annotations

import numpy as np

from mazzo import bits
from mazzo.arrays import Ints
from mazzo.holdem import columns as c
from mazzo.holdem.attributes.values import ABSTRACTIONS
from mazzo.holdem.kernels import kind_of
from mazzo.jit import inlined, tight

__all__ = [
    "ABSTRACTION", "ABSTRACTION_ALL", "ACTIVE", "ALL_RAISED", "ALL_RAISES", "CALLED", "CHIPS", "FOLDED",
    "HERO_INVESTED", "INVESTED", "IN_STREET", "LAST_RAISER", "MAX_BET", "RAISED", "RAISES", "SEQUENCE", "SPAN",
    "betting_facts",
]  # fmt: skip


# Columns: of the table, then per street, then per player, the player to act first: a column of the k-th player to the
# left is SPAN * k further on. There are as many as the largest table of the batch has players.
ACTIVE, MAX_BET, INVESTED, HERO_INVESTED, LAST_RAISER, ALL_RAISES = range(6)
SEQUENCE = ALL_RAISES + 1
ABSTRACTION = SEQUENCE + c.MAX_ROUNDS
ABSTRACTION_ALL = ABSTRACTION + c.MAX_ROUNDS
RAISES = ABSTRACTION_ALL + c.MAX_ROUNDS
FOLDED = RAISES + c.MAX_ROUNDS
IN_STREET = FOLDED + 1
ALL_RAISED = IN_STREET + 1
RAISED = ALL_RAISED + 1  # per street, as are the next two
CALLED = RAISED + c.MAX_ROUNDS
CHIPS = CALLED + c.MAX_ROUNDS
SPAN = CHIPS + c.MAX_ROUNDS - FOLDED

_LONGEST_CODE = 3**38  # one action more still fits 64 bits; longer betting has the number 0
_AA, _AP, _PP, _FIRST, _A, _P, _NOT_REACHED = range(len(ABSTRACTIONS))


@inlined
def _abstraction(active: int, passive: int) -> int:
    """Which of `ABSTRACTIONS` describes the opponents of two masks: those who raised, those who only called."""
    raisers, callers = bits.size(active), bits.size(passive & ~active)
    kind = _FIRST
    if raisers >= 2:
        kind = _AA
    elif raisers == 1:
        kind = _AP if callers else _A
    elif callers >= 2:
        kind = _PP
    elif callers == 1:
        kind = _P
    return kind


@inlined
def _close_street(
    out: Ints, at: int, street: int, code: int, since: int, since_passive: int, active: int, passive: int, gone: int
) -> None:
    out[at, SEQUENCE + street] = code
    out[at, ABSTRACTION + street] = _abstraction(since & ~gone, since_passive & ~gone)
    out[at, ABSTRACTION_ALL + street] = _abstraction(active & ~gone, passive & ~gone)


@inlined
def _facts_of(rules: Ints, state: Ints, history: Ints, i: int, out: Ints, at: int) -> None:
    g, me, now = state[i, c.GAME], state[i, c.ACTOR], state[i, c.ROUND]
    players, base = rules[g, c.PLAYERS], state[i, c.BASE]
    for k in range(out.shape[1]):
        out[at, k] = 0
    bet = 0
    for p in range(players):  # IN_STREET is what the player has put in so far, until the end of this function
        posted = min(rules[g, c.BLIND + p], state[i, c.ROOM + p])
        place = SPAN * (p - me if p >= me else p - me + players)
        out[at, CHIPS + place] = out[at, IN_STREET + place] = posted
        bet = max(bet, rules[g, c.BLIND + p])
    for street in range(c.MAX_ROUNDS):
        out[at, ABSTRACTION + street] = out[at, ABSTRACTION_ALL + street] = _NOT_REACHED
    out[at, LAST_RAISER] = -1
    # Masks of opponents on this street: who raised, who called, the same since the hero's last action, who folded.
    street, code, active, passive, since, since_passive, gone = 0, 1, 0, 0, 0, 0, 0
    folded_before = 0
    for j in range(state[i, c.COUNT] + 1):
        while street < now and state[i, c.ROUND_AT + street + 1] <= j:
            _close_street(out, at, street, code, since, since_passive, active, passive, gone)
            folded_before |= gone
            street, code, active, passive, since, since_passive, gone = street + 1, 1, 0, 0, 0, 0, 0
        if j == state[i, c.COUNT]:
            break
        action, who = history[i, j] >> c.ACTOR_BITS, history[i, j] & c.ACTOR_MASK
        bit, mine = 1 << who, SPAN * (who - me if who >= me else who - me + players)
        code = 3 * code + kind_of(action) if 0 < code < _LONGEST_CODE else 0
        if action == c.FOLD:
            gone |= bit
            out[at, FOLDED + mine] = 1
        elif action == c.CALL:
            out[at, CALLED + mine + street] += 1
        else:
            bet = action
            out[at, RAISED + mine + street] += 1
            out[at, RAISES + street] += 1
            out[at, ALL_RAISED + mine] += 1
            out[at, ALL_RAISES] += 1
            out[at, LAST_RAISER] = who
        if action != c.FOLD:
            to = min(bet, state[i, c.ROOM + who])
            out[at, CHIPS + mine + street] += to - out[at, IN_STREET + mine]
            out[at, IN_STREET + mine] = to
        if who == me:
            since = since_passive = 0
        elif action == c.CALL:
            passive, since_passive = passive | bit, since_passive | bit
        elif action >= c.RAISE:
            active, since = active | bit, since | bit
    _close_street(out, at, street, code, since, since_passive, active, passive, gone)
    for p in range(players):
        out[at, ACTIVE] += state[i, c.LIVE] >> p & 1
        place = SPAN * (p - me if p >= me else p - me + players)
        out[at, IN_STREET + place] = 0
        if not folded_before >> p & 1:  # who was in when the street began had put in BASE, or all he had
            put_in = state[i, c.SPENT + p] - min(base, state[i, c.ROOM + p])
            out[at, IN_STREET + place] = put_in
            out[at, INVESTED] += put_in
    out[at, MAX_BET] = state[i, c.BET] - base
    out[at, HERO_INVESTED] = out[at, IN_STREET]


@tight
def _facts(rules: Ints, state: Ints, history: Ints, out: Ints) -> None:
    for i in range(len(state)):
        _facts_of(rules, state, history, i, out, i)


def betting_facts(rules: Ints, state: Ints, history: Ints) -> Ints:
    """The facts of every decision, as the columns of this module name them."""
    out = np.empty((len(state), FOLDED + SPAN * int(rules[:, c.PLAYERS].max())), np.int64)
    _facts(rules, state, history, out)
    return out
