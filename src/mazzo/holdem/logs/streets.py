"""A kernel for histories that count bets street by street and name who acts (PHH and the poker rooms)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.holdem import columns as c
from mazzo.holdem.kernels import apply, begin, legal
from mazzo.holdem.logs.lines import BETTING, FREE_FOLD, IN_ORDER, UNFINISHED
from mazzo.jit import tight

__all__ = ["replay_streets"]


@tight
def replay_streets(
    rules: Ints,
    state: Ints,
    history: Ints,
    steps: Ints,
    counts: Ints,
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
        steps: per hand and action who acts, and a fold, a call, or the total raised to on this street.
        counts: actions per hand.
        before: room for ten numbers.
        status: how each hand fared.
        flags: what else is to be said of it.
        stopped: at which action a hand that is not in order went wrong.
    """
    for i in range(len(state)):
        begin(rules, state, i)
        street = 0
        for p in range(c.MAX_PLAYERS):
            before[p] = 0
        status[i] = IN_ORDER
        for k in range(counts[i]):
            who, action = steps[i, k, 0], steps[i, k, 1]
            if state[i, c.ACTOR] != who:
                status[i], stopped[i] = BETTING, k
                break
            if state[i, c.ROUND] != street:
                street = state[i, c.ROUND]
                for p in range(c.MAX_PLAYERS):
                    before[p] = state[i, c.SPENT + p]
            owed, low, high = legal(rules, state, i)
            if action >= c.RAISE:
                action += before[who]
                if high == 0 or action < low or action > high:
                    status[i], stopped[i] = BETTING, k
                    break
            elif action == c.FOLD and owed == 0:
                flags[i] |= FREE_FOLD
            apply(rules, state, history, i, action)
        if status[i] == IN_ORDER and state[i, c.ACTOR] >= 0:
            status[i], stopped[i] = UNFINISHED, counts[i]
