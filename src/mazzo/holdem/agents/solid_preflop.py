"""The arithmetic of `solid` before the flop: which line of the charts applies, and what it says of a hand.

Where a raise is much larger than charts have in mind, or a call takes a third of the chips, the hand's exact equity
against the share of hands a usual player does that with decides instead.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.agents.solid_ranges import at_stake
from mazzo.holdem.kernels import count_players, legal
from mazzo.jit import tight, tight_helper

__all__ = ["BY_CHART", "BY_EQUITY", "CALLS", "EQUITY", "NEEDED", "RAISES", "WIDTH", "Tables", "before_flop"]

# What is found of a decision: columns.
RAISES, CALLS, EQUITY, NEEDED, WIDTH = range(5)
BY_CHART, BY_EQUITY = range(2)

_SHORT = 12.0
_HUGE, _WILD = 6.0, 0.5  # an all-in of so many pots is taken for one with such a share of hands
_LINE_LIMPED_ALONE, _LINE_LIMPED, _LINE_RAISED_ALONE, _LINE_RAISED = 7, 8, 9, 10
_LINE_RERAISED_ALONE, _LINE_RERAISED, _LINE_AGAIN, _LINE_SHORT = 14, 15, 16, 17


class Tables(NamedTuple):
    """What is looked up."""

    size: Floats
    raises: Floats
    calls: Floats
    place: Floats
    equity: Floats
    widths: Floats


@tight_helper
def _betting(state: Ints, history: Ints, i: int) -> tuple[int, int, int]:
    """Raises so far, calls before the first of them, and who raised last."""
    raises = limps = 0
    raiser = -1
    for k in range(state[i, c.COUNT]):
        p, action = history[i, k] & c.ACTOR_MASK, history[i, k] >> c.ACTOR_BITS
        if action >= c.RAISE:
            raises += 1
            raiser = p
        elif action == c.CALL and raises == 0:
            limps += 1
    return raises, limps, raiser


@tight_helper
def _behind(rules: Ints, g: int, p: int) -> int:
    """How many speak after a position before the flop."""
    players = rules[g, c.PLAYERS]
    return int(players - 1 - (p - rules[g, c.FIRST] + players) % players)


@tight_helper
def _situation(rules: Ints, state: Ints, i: int, raises: int, limps: int, raiser: int, deep: float) -> int:
    """The line of the charts."""
    g, me = state[i, c.GAME], state[i, c.ACTOR]
    alone = rules[g, c.PLAYERS] == 2
    if raises == 0:
        if limps > 0 or _behind(rules, g, me) == 0:
            return _LINE_LIMPED_ALONE if alone else _LINE_LIMPED
        waiting = min(6, max(1, count_players(state[i, c.PENDING] & ~(1 << me))))
        if alone:
            return 0
        return _LINE_SHORT + waiting - 1 if deep <= _SHORT else waiting
    if raises == 1:
        if alone:
            return _LINE_RAISED_ALONE
        blind = _behind(rules, g, me) == 0
        return _LINE_RAISED + (0 if blind else 1) + (0 if _behind(rules, g, raiser) <= 3 else 2)
    if raises == 2:
        return _LINE_RERAISED_ALONE if alone else _LINE_RERAISED
    return _LINE_AGAIN


@tight_helper
def _width_of(rules: Ints, state: Ints, i: int, raises: int, raiser: int, faced: float, wider: float) -> float:
    """The share of hands a usual player raises with, so often raised and so much."""
    g = state[i, c.GAME]
    alone = rules[g, c.PLAYERS] == 2
    if raises <= 1:
        late = 0.7 if alone else min(0.5, 0.14 + 0.32 / max(1, _behind(rules, g, max(raiser, 0))))
        width = late * min(1.0, (3.0 / max(faced, 1.0))) ** 0.55
    elif raises == 2:
        width = (0.16 if alone else 0.085) * min(1.0, (9.0 / max(faced, 1.0))) ** 0.35
    elif raises == 3:
        width = (0.075 if alone else 0.045) * min(1.0, (22.0 / max(faced, 1.0))) ** 0.2
    else:
        width = 0.055 if alone else 0.035
    return float(min(1.0, max(0.015, width * wider)))


@tight_helper
def _is_wild(state: Ints, i: int, raises: int, raiser: int) -> bool:
    """Whether somebody went all-in for many times the pot, as good as out of nothing."""
    bet = float(state[i, c.BET])
    gone = raiser >= 0 and state[i, c.ALL_IN] >> max(raiser, 0) & 1 == 1
    return gone and raises <= 2 and bet > _HUGE * (state[i, c.POT] - bet)


@tight_helper
def _against(kind: int, width: float, tables: Tables) -> float:
    """The equity of a class against the best share of hands, between those that are tabled."""
    k = 0
    while k < len(tables.widths) - 2 and tables.widths[k + 1] < width:
        k += 1
    low, high = tables.widths[k], tables.widths[k + 1]
    part = min(1.0, max(0.0, (width - low) / (high - low)))
    return float(tables.equity[kind, k] * (1.0 - part) + tables.equity[kind, k + 1] * part)


@tight_helper
def _sized(state: Ints, i: int, line: int, limps: int, size: float, blind: float, low: int, high: int) -> int:
    """What a raise goes to; everything, where it would be a good part of the chips."""
    bet, me = float(state[i, c.BET]), state[i, c.ACTOR]
    small = line <= _LINE_LIMPED or line >= _LINE_SHORT
    to = (size + limps) * blind if small else size * bet
    if line > _LINE_LIMPED and line < _LINE_SHORT:  # those who called the raise have left their chips
        to += max(0.0, state[i, c.POT] - 2.5 * bet)
    room = float(min(state[i, c.ROOM + me], state[i, c.DEEP]))
    if to > 0.38 * room:
        to = float(high)
    return min(high, max(low, int(np.floor(to + 0.5))))


@tight
def before_flop(
    rules: Ints,
    state: Ints,
    history: Ints,
    hole: NDArray[np.uint8],
    wider: float,
    caution: float,
    tables: Tables,
    chosen: Ints,
    found: Floats,
) -> None:
    """By row the line, the raise and what decided; and the chances to raise and call, equity, what it needs, width."""
    for i in range(len(state)):
        g, me = state[i, c.GAME], state[i, c.ACTOR]
        owed, low, high = legal(rules, state, i)
        blind, pot = float(rules[g, c.BIG_BLIND]), float(state[i, c.POT])
        raises, limps, raiser = _betting(state, history, i)
        room = float(min(state[i, c.ROOM + me], state[i, c.DEEP]))
        deep = room / blind
        line = _situation(rules, state, i, raises, limps, raiser, deep)
        a, b = max(hole[i, 0], hole[i, 1]) >> 2, min(hole[i, 0], hole[i, 1]) >> 2
        suited = (hole[i, 0] & 3) == (hole[i, 1] & 3) or a == b
        kind = int(13 * a + b if suited else 13 * b + a)
        faced = state[i, c.BET] / blind
        width = _width_of(rules, state, i, raises, raiser, faced, wider)
        careful = caution * at_stake(rules, state, i)
        if _is_wild(state, i, raises, raiser):  # most of those who are seen to do this do it often
            width, careful = max(width, _WILD), 0.4 * careful
        equity, needed = _against(kind, width, tables), owed / (pot + owed)
        usual = 4.0 if raises <= 1 else 14.0 if raises == 2 else 30.0
        chosen[i, 0], chosen[i, 1], chosen[i, 2] = (
            line,
            _sized(state, i, line, limps, tables.size[line], blind, low, high) if high > 0 else 0,
            0,
        )
        up, flat = tables.raises[line, kind], tables.calls[line, kind]
        if raises > 0 and (faced > usual or owed > 0.3 * (room - state[i, c.SPENT + me])):
            chosen[i, 2] = 1
            closes = owed >= 0.8 * (room - state[i, c.SPENT + me])
            flat = 1.0 if equity * (1.0 if closes else 0.88) > needed + 0.02 + careful else 0.0
            up = 1.0 if equity > 0.56 + careful and not closes else 0.0
            if up > 0.0:
                chosen[i, 1] = high if deep < 150.0 or raises > 1 else chosen[i, 1]
                flat = 0.0
        found[i, EQUITY], found[i, NEEDED], found[i, WIDTH] = equity, needed, width
        if high == 0:
            flat, up = min(1.0, up + flat), 0.0
        found[i, RAISES], found[i, CALLS] = up, flat
