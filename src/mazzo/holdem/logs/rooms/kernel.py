"""The kernel that replays what rooms tell: each number is held against what the rules say the player put in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.holdem import columns as c
from mazzo.holdem.kernels import apply, begin, legal
from mazzo.holdem.logs.lines import BETTING, FREE_FOLD, IN_ORDER, UNFINISHED
from mazzo.jit import inlined, tight

__all__ = ["AMOUNT", "STREET", "replay_told"]

STREET, AMOUNT = 20, 21
"""How a hand fared, beside what `lines` names: an action on another street, an amount that does not follow."""

_FOLD, _CHECK, _CALL, _CALL_TO, _RAISE_TO, _RAISE_ADDED, _ALL_IN = range(7)


@inlined
def _understood(rules: Ints, state: Ints, i: int, what: int, amount: int, before: int) -> tuple[int, int, int]:
    """What a told action is by the rules, what was put in beyond what anybody could win, and how that fared."""
    owed, low, high = legal(rules, state, i)
    g, who = state[i, c.GAME], state[i, c.ACTOR]
    spent, room, bet = state[i, c.SPENT + who], state[i, c.ROOM + who], state[i, c.BET]
    if what == _FOLD:
        return c.FOLD, 0, IN_ORDER
    if what == _CHECK:
        return c.CALL, 0, IN_ORDER if owed == 0 else BETTING
    calls = what in (_CALL, _CALL_TO)
    if calls:
        to = spent + owed if amount < 0 else (spent + amount if what == _CALL else before + amount)
    elif what == _ALL_IN:
        to = room
    else:
        to = before + amount if what == _RAISE_TO else spent + amount
    if to > room:  # some write a player's whole stack for all-in, whatever is in the pot of it
        if amount != room + state[i, c.ANTE + who]:
            return c.CALL, 0, AMOUNT
        to = room
        if calls:
            to = min(to, spent + owed)
    if to <= bet or calls:
        over = to - spent - owed
        return c.CALL, over, IN_ORDER if over == 0 or (over > 0 and to <= bet) else AMOUNT
    if high == 0:  # more than anybody could answer: a call, and the rest comes back
        answered = state[i, c.DEEP] > bet
        return c.CALL, to - spent - owed, BETTING if answered else IN_ORDER
    if rules[g, c.LIMIT] and to != low:
        return to, 0, AMOUNT
    return to, 0, IN_ORDER if low <= to <= high else BETTING


@tight
def replay_told(
    rules: Ints,
    state: Ints,
    history: Ints,
    steps: Ints,
    counts: Ints,
    over: Ints,
    before: Ints,
    status: NDArray[np.uint8],
    flags: NDArray[np.uint8],
    stopped: Ints,
) -> None:
    """Replay many hands.

    Args:
        rules: one row a game.
        state: one row a hand, with its game and chips.
        history: room for the actions.
        steps: per hand and action: who, what, how much, on which street.
        counts: actions per hand.
        over: room for what each player put in beyond what anybody could win.
        before: room for ten numbers.
        status: how each hand fared.
        flags: what else is to be said of it.
        stopped: at which action a hand that is not in order went wrong.
    """
    for i in range(len(state)):
        begin(rules, state, i)
        street, early = 0, 0
        for p in range(c.MAX_PLAYERS):
            before[p] = 0
        status[i] = IN_ORDER
        for k in range(counts[i] + 1):
            while state[i, c.ACTOR] >= 0 and early >> state[i, c.ACTOR] & 1:  # folded before it was his turn
                apply(rules, state, history, i, c.FOLD)
            alone = state[i, c.LIVE] & ~state[i, c.ALL_IN]
            actor = state[i, c.ACTOR]
            unasked = actor >= 0 and alone == 1 << actor and state[i, c.BET] == state[i, c.SPENT + actor]
            if unasked and (k == counts[i] or steps[i, k, 0] != actor):
                apply(rules, state, history, i, c.CALL)  # rooms do not ask who has nobody to bet against
            if state[i, c.ROUND] != street:
                street = state[i, c.ROUND]
                for p in range(c.MAX_PLAYERS):
                    before[p] = state[i, c.SPENT + p]
            if k == counts[i]:
                break
            who, what = steps[i, k, 0], steps[i, k, 1]
            stopped[i] = k
            actor = state[i, c.ACTOR]
            if actor != who:
                if what == _CHECK and (actor < 0 or state[i, c.ALL_IN] >> who & 1):
                    continue  # nobody is asked who cannot bet, but some rooms write that he checks
                if what == _FOLD and actor >= 0 and state[i, c.LIVE] >> who & 1 and steps[i, k, 3] == street:
                    early |= 1 << who
                    continue
                status[i] = BETTING
                break
            if steps[i, k, 3] != street:
                status[i] = STREET
                break
            action, beyond, fared = _understood(rules, state, i, what, steps[i, k, 2], before[who])
            if fared != IN_ORDER:
                status[i] = fared
                break
            over[i, who] += beyond
            if action == c.FOLD and state[i, c.BET] == state[i, c.SPENT + who]:
                flags[i] |= FREE_FOLD
            apply(rules, state, history, i, action)
        if status[i] == IN_ORDER and state[i, c.ACTOR] >= 0:
            status[i], stopped[i] = UNFINISHED, counts[i]
