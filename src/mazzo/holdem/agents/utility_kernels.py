"""The utility bot's arithmetic, once: what it sees, decides, notes and learns, for one hand in a row of a batch.

Both the agent (`utility.py`) and the kernel that plays whole tournaments (`mazzo.holdem.tournament.fast`) call these.

A player's settings are a row of floats (columns below), its two thresholds a row of two, its record a row of integers,
and what it knows of its opponents a row of counts an opponent.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.kernels import count_players, kind_of
from mazzo.holdem.showdown import hand_value
from mazzo.jit import inlined, tight_helper
from mazzo.rng import fork, uniform

__all__ = [
    "AFTER_FOLD", "AFTER_RAISE", "BIG", "BLUFF", "FOLD_AT", "GAP", "HANDS", "LIST", "MADE", "MU", "NET", "PATIENT",
    "PROFILE", "PROFILE_WIDTH", "RAISE_AT", "RECORD", "RECORD_WIDTH", "SETTINGS_WIDTH", "SHARE", "SIZE", "TABLE",
    "TOP", "TOTAL", "WATCHES", "WEIGHTS", "WINDOW", "Players", "choose", "learn", "made_value", "starting_value",
    "wait", "watch",
]  # fmt: skip


# Settings: one row a player.
WEIGHTS = 0  # of V, P, B, S
GAP = 4
SIZE = 5  # 0 stack, 1 pot, 2 hidden
LIST = 6  # 0 corrected, 1 printed
MU = 7  # per street
WINDOW = 11
PROFILE = 12
TABLE = 13
BLUFF = 14
AFTER_RAISE = 15
AFTER_FOLD = 16
SHARE = 17
WATCHES = 18  # 1 where opponents are to be watched
PATIENT = 19  # 1 for an agent that is not weighed but waits: the next three are its own
TOP = 20
MADE = 21
BIG = 22
SETTINGS_WIDTH = 23

# Thresholds.
RAISE_AT = 0
FOLD_AT = 1

# The record: hands and net of the window, then (street, action) -> times, net; then the same for all hands ever.
HANDS = 0
NET = 1
RECORD = 2
TOTAL = RECORD + 24
RECORD_WIDTH = TOTAL + RECORD + 24

# What is known of one opponent.
_ACTS = 0
_RAISES = 1
_FACED = 2  # decisions after a raise of another in the same street
_FOLDED = 3
_SHOWN = 4  # hands shown down in which he had raised after the flop
_BLUFFS = 5  # of these, those with a pair at most
PROFILE_WIDTH = 6

# What is taken for granted of an opponent nobody has watched, and the hands' worth of weight it has.
_USUAL_RAISES = 0.3
_USUAL_FOLDS = 0.4
_USUAL_BLUFFS = 0.3
_TRUST_AFTER = 20.0

_RAISE_AGAIN = 7  # which coin of a decision is used for what
_SIZE_COIN = 8


@inlined
def starting_value(first: Any, second: Any, listed: int, starting: Floats) -> float:
    """V before the flop: the place of two cards in the list of 169 hands."""
    a, b = np.int64(first) >> 2, np.int64(second) >> 2
    high, low = max(a, b), min(a, b)
    suited = (first & 3) == (second & 3)
    value: float = starting[listed, high, low] if suited or high == low else starting[listed, low, high]
    return value


@inlined
def made_value(key: Any, suits: Any, table: Any) -> float:
    """V after the flop: a band of a tenth for each category, in even steps over the classes of hands in it."""
    value = np.int64(hand_value(key, suits, table))
    kind, place = value >> 12, value & 0xFFF
    classes = 1277
    if kind == 1:
        classes = 2860
    elif kind == 2 or kind == 3:
        classes = 858
    elif kind == 4 or kind == 8:
        classes = 10
    elif kind == 6 or kind == 7:
        classes = 156
    return 0.1 + 0.1 * kind + 0.1 * place / (classes - 1)


@inlined
def _facts(rules: Ints, state: Ints, i: int, owed: int) -> tuple[float, float, float]:
    """P, B and S of the player to act."""
    g, p = state[i, c.GAME], state[i, c.ACTOR]
    players, first = rules[g, c.PLAYERS], rules[g, c.FIRST + state[i, c.ROUND]]
    speaking = state[i, c.LIVE] & ~state[i, c.ALL_IN]
    before = count_players((speaking | speaking << players) >> first & ((2 << (p - first + players * (p < first))) - 1))
    behind = 0
    for q in range(players):
        behind += state[i, c.ROOM + q] - state[i, c.SPENT + q]
    own = state[i, c.ROOM + p] - state[i, c.SPENT + p]
    pot = state[i, c.POT]
    return before / count_players(speaking), (1.0 - owed / pot) if owed <= pot else 0.0, own / behind


@inlined
def _shifts(
    state: Ints, history: Ints, i: int, players: int, settings: Floats, me: int, seating: Any, at: int, known: Ints
) -> tuple[float, float]:
    """How far the thresholds to raise and to fold are moved by what is known of the opponents."""
    p, live = state[i, c.ACTOR], state[i, c.LIVE]
    raises = folds = 0.0
    others = 0
    for q in range(players):
        if q != p and live >> q & 1:
            s = seating[at, q]
            raises += (known[me, s, _RAISES] + _USUAL_RAISES * _TRUST_AFTER) / (known[me, s, _ACTS] + _TRUST_AFTER)
            folds += (known[me, s, _FOLDED] + _USUAL_FOLDS * _TRUST_AFTER) / (known[me, s, _FACED] + _TRUST_AFTER)
            others += 1
    table = settings[me, TABLE] * (raises / others - _USUAL_RAISES)
    lighter = settings[me, PROFILE] * (folds / others - _USUAL_FOLDS)
    looser = 0.0
    for k in range(state[i, c.COUNT] - 1, -1, -1):
        if history[i, k] >> c.ACTOR_BITS >= c.RAISE:
            s = seating[at, history[i, k] & c.ACTOR_MASK]
            rate = (known[me, s, _RAISES] + _USUAL_RAISES * _TRUST_AFTER) / (known[me, s, _ACTS] + _TRUST_AFTER)
            seen = (known[me, s, _BLUFFS] + _USUAL_BLUFFS * _TRUST_AFTER) / (known[me, s, _SHOWN] + _TRUST_AFTER)
            looser = settings[me, PROFILE] * (rate - _USUAL_RAISES + seen - _USUAL_BLUFFS)
            break
    return table - lighter, table - looser


@inlined
def _sized(
    state: Ints, i: int, settings: Floats, me: int, excess: float, owed: int, low: int, high: int, rng_key: Any
) -> int:
    """The total a raise goes to, for an excess of 0 (U just reaches the threshold) to 1 (U is 1)."""
    size = settings[me, SIZE]
    if size == 0.0:
        wanted = low + (high - low) * excess
    elif size == 1.0:
        wanted = state[i, c.BET] + (state[i, c.POT] + owed) * excess * settings[me, SHARE]
    else:
        wanted = state[i, c.BET] + (state[i, c.POT] + owed) * settings[me, SHARE] * (
            0.5 + uniform(fork(rng_key, _SIZE_COIN))
        )
    return min(high, max(low, int(np.floor(wanted + 0.5))))


class Players(NamedTuple):
    """Players of this kind: how each decides, its thresholds as they stand, and what it has seen of the others."""

    settings: Floats
    thresholds: Floats
    known: Ints


@tight_helper
def choose(
    rules: Ints,
    state: Ints,
    history: Ints,
    i: int,
    value: float,
    may: tuple[int, int, int],
    players: Players,
    me: int,
    seating: Any,
    at: int,
    rng_key: Any,
) -> tuple[int, float, float, float, float, float, float]:
    """The decision: the action, then U, P, B, S and the thresholds to raise and to fold as they stand here.

    `may` is what to call and the least and greatest raise, as `legal` gives them.
    """
    owed, low, high = may
    settings, thresholds, known = players
    place, price, wealth = _facts(rules, state, i, owed)
    utility = (
        settings[me, WEIGHTS] * value
        + settings[me, WEIGHTS + 1] * place
        + settings[me, WEIGHTS + 2] * price
        + settings[me, WEIGHTS + 3] * wealth
    )
    raise_at, fold_at = thresholds[me, RAISE_AT], thresholds[me, FOLD_AT]
    if state[i, c.ROUND] > 0:
        raise_at += settings[me, AFTER_RAISE]
        fold_at += settings[me, AFTER_FOLD]
    if settings[me, WATCHES] > 0.0:
        more, less = _shifts(state, history, i, rules[state[i, c.GAME], c.PLAYERS], settings, me, seating, at, known)
        raise_at += more
        fold_at += less
    if owed == 0:
        action = c.RAISE if utility >= raise_at else c.CALL
    elif utility < fold_at:
        action = c.FOLD
    else:
        action = c.RAISE if utility > raise_at else c.CALL
    excess = (utility - raise_at) / max(1.0 - raise_at, 1e-9)
    bluff = settings[me, BLUFF]
    if bluff > 0.0 and action != c.RAISE and uniform(fork(rng_key, _RAISE_AGAIN)) < bluff:
        action, excess = c.RAISE, uniform(rng_key)
    if action == c.RAISE:
        if high == 0:
            action = c.CALL
        else:
            action = _sized(state, i, settings, me, min(max(excess, 0.0), 1.0), owed, low, high, rng_key)
    return action, utility, place, price, wealth, raise_at, fold_at


@tight_helper
def wait(state: Ints, i: int, value: float, owed: int, low: int, high: int, settings: Floats, me: int) -> int:
    """The decision of one who waits: bet big with a hand it likes, check or fold others.

    `value` is the share of starting hands before the flop, and V after it.
    """
    likes = value <= settings[me, TOP] if state[i, c.ROUND] == 0 else value >= settings[me, MADE]
    if not likes:
        return c.FOLD if owed > 0 else c.CALL
    if high == 0:
        return c.CALL
    wanted = int(np.floor(state[i, c.BET] + settings[me, BIG] * (state[i, c.POT] + owed)))
    return min(high, max(low, wanted))


@inlined
def _step(thresholds: Floats, me: int, which: int, step: float, gap: float) -> None:
    """Move a threshold, unless that would leave [0, 1) or bring the two too close. Kept to nine decimals."""
    moved = np.floor((thresholds[me, which] + step) * 1e9 + 0.5) / 1e9
    other = thresholds[me, 1 - which]
    apart = moved - other if which == RAISE_AT else other - moved
    if 0.0 <= moved < 1.0 and apart >= gap - 1e-9:
        thresholds[me, which] = moved


@tight_helper
def learn(
    state: Ints,
    history: Ints,
    i: int,
    position: int,
    won: int,
    record: Ints,
    thresholds: Floats,
    settings: Floats,
    me: int,
) -> None:
    """Note a finished hand of a player, and every so many hands move the thresholds by what they brought.

    The action of a street is the last one taken there.
    """
    actions = state[i, c.COUNT]
    last = state[i, c.ROUND]
    for street in range(last + 1):
        end = state[i, c.ROUND_AT + street + 1] if street < last else actions
        for k in range(end - 1, state[i, c.ROUND_AT + street] - 1, -1):
            if history[i, k] & c.ACTOR_MASK == position:
                at = 2 * (3 * street + kind_of(history[i, k] >> c.ACTOR_BITS))
                record[me, RECORD + at] += 1
                record[me, RECORD + at + 1] += won
                record[me, TOTAL + RECORD + at] += 1
                record[me, TOTAL + RECORD + at + 1] += won
                break
    record[me, HANDS] += 1
    record[me, NET] += won
    record[me, TOTAL + HANDS] += 1
    record[me, TOTAL + NET] += won
    if record[me, HANDS] < settings[me, WINDOW]:
        return
    if record[me, NET] < 0:
        for street in range(4):
            mu = settings[me, MU + street]
            raised = record[me, RECORD + 2 * (3 * street + c.KIND_RAISE) + 1]
            called = record[me, RECORD + 2 * (3 * street + c.KIND_CALL) + 1]
            if mu > 0.0 and raised != 0:
                _step(thresholds, me, RAISE_AT, -mu if raised > 0 else mu, settings[me, GAP])
            if mu > 0.0 and called != 0:
                _step(thresholds, me, FOLD_AT, -mu if called > 0 else mu, settings[me, GAP])
    for k in range(TOTAL):
        record[me, k] = 0


@tight_helper
def watch(
    rules: Ints,
    state: Ints,
    history: Ints,
    i: int,
    seating: Any,
    at: int,
    cards: Any,
    me: int,
    known: Ints,
    table: Any,
    keys: Any,
    suits: Any,
) -> None:
    """Note what every player did in a finished hand, and who showed down less than he had raised for."""
    live, late, raised = state[i, c.LIVE], 0, False
    street = 0
    for k in range(state[i, c.COUNT]):
        while street < state[i, c.ROUND] and k >= state[i, c.ROUND_AT + street + 1]:
            street += 1
            raised = False
        p, action = history[i, k] & c.ACTOR_MASK, history[i, k] >> c.ACTOR_BITS
        s = seating[at, p]
        known[me, s, _ACTS] += 1
        known[me, s, _FACED] += raised
        known[me, s, _FOLDED] += raised and action == c.FOLD
        if action >= c.RAISE:
            known[me, s, _RAISES] += 1
            raised = True
            if street > 0:
                late |= 1 << p
    if live & (live - 1) == 0:
        return
    players = rules[state[i, c.GAME], c.PLAYERS]
    for p in range(players):
        if live >> p & 1 and late >> p & 1:
            key = keys[cards[i, 2 * p]] + keys[cards[i, 2 * p + 1]]
            bits = suits[cards[i, 2 * p]] | suits[cards[i, 2 * p + 1]]
            for k in range(5):
                key += keys[cards[i, 2 * players + k]]
                bits |= suits[cards[i, 2 * players + k]]
            known[me, seating[at, p], _SHOWN] += 1
            known[me, seating[at, p], _BLUFFS] += np.int64(hand_value(key, bits, table)) >> 12 < 2
