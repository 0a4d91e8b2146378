"""Heads-up before the flop with short stacks: what solving says, as chances of fold, call, a small raise and all-in.

Up to 10 big blinds all-in or fold, exactly; up to 25 the game of few sizes of `mazzo.holdem.solver.short_stacks`. Sizes
that neither has are taken for the nearest: a raise of up to a third of the stack for the small one, more for all-in.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.agents.solid_charts import in_square
from mazzo.holdem.observation import Observations
from mazzo.holdem.solver.push_fold import solve_push_fold
from mazzo.holdem.solver.short_stacks import OPEN, solve_short_stacks

__all__ = ["DEEPEST", "short_chances", "stacks_in_blinds"]

DEEPEST, _PUSH_FOLD = 25.0, 10.0
_FIRST, _CALLED, _RAISED, _PUSHED, _AFTER_CALL, _AFTER_RAISE = range(6)
FOLD, CALL, SMALL, ALL = range(4)


@cache
def _solved(stack: float) -> Floats:
    """[decision, action, class]: the chances to fold, call, raise a little and go all-in."""
    out = np.zeros((6, 4, 169))
    if stack <= _PUSH_FOLD:
        found = solve_push_fold(stack, until=1e-4)
        push, call = in_square(found.push), in_square(found.call)
        out[_FIRST, FOLD], out[_FIRST, ALL] = 1 - push, push
        out[_PUSHED, FOLD], out[_PUSHED, CALL] = 1 - call, call
        # What this game does not have: a call or small raise by the other is answered all-in with what would call one.
        out[_CALLED, CALL], out[_CALLED, ALL] = 1 - call, call
        out[_RAISED, FOLD], out[_RAISED, ALL] = 1 - call, call
        out[[_AFTER_CALL, _AFTER_RAISE]] = out[_PUSHED]
        return out
    game = solve_short_stacks(stack, until=1e-3)
    out[_FIRST, [FOLD, CALL, SMALL, ALL]] = in_square(game.first)
    out[_CALLED, [CALL, ALL]] = in_square(game.called)
    out[_RAISED, [FOLD, CALL, ALL]] = in_square(game.raised)
    for which, mix in ((_PUSHED, game.pushed), (_AFTER_CALL, game.after_call), (_AFTER_RAISE, game.after_raise)):
        out[which, [FOLD, CALL]] = in_square(mix)
    return out


def stacks_in_blinds(o: Observations) -> Floats:
    """The shorter stack in big blinds; antes count as if the blinds were as much higher."""
    room = o.state[:, c.ROOM : c.ROOM + o.game.players].min(axis=1)
    posted = sum(o.game.blinds) + o.state[:, c.ANTE : c.ANTE + o.game.players].sum(axis=1)
    return np.asarray(room * sum(o.game.blinds) / (posted * o.game.big_blind))


def _decision(o: Observations) -> Ints:
    """Which of the six decisions each row is."""
    raises, bet = (o.actions > 0).sum(axis=1), o.state[:, c.BET]
    room = o.state[:, c.ROOM : c.ROOM + 2].min(axis=1)
    first = o.position == o.game.row[c.FIRST]
    all_in = bet > 0.34 * room
    own = (o.actions > 0) & (o.actors == o.position[:, None])
    small = np.where(raises == 0, _FIRST, np.where(own.any(axis=1), _AFTER_RAISE, _AFTER_CALL))
    big = np.where(raises == 0, _CALLED, np.where(all_in | own.any(axis=1), _PUSHED, _RAISED))
    return np.where(first, small, big)


def short_chances(o: Observations, classes: Ints) -> tuple[Floats, Ints]:
    """By row the chances to fold, call, raise a little and go all-in, and what the small raise goes to."""
    steps = stacks_in_blinds(o)
    steps = np.where(steps <= _PUSH_FOLD, np.round(2 * steps) / 2, np.ceil(steps))
    which, out = _decision(o), np.zeros((len(o), 4))
    for stack in np.unique(steps):
        rows = np.flatnonzero(steps == stack)
        out[rows] = _solved(float(np.clip(stack, 2, DEEPEST)))[which[rows], :, classes[rows]]
    free, stuck = o.owed == 0, ~o.can_raise
    out[free, CALL] += out[free, FOLD]
    out[free, FOLD] = 0
    out[stuck, CALL] += out[stuck, SMALL] + out[stuck, ALL]
    out[stuck, SMALL:] = 0
    small = np.full(len(o), int(OPEN * o.game.big_blind))
    return out, np.clip(small, o.raise_low, o.raise_high)
