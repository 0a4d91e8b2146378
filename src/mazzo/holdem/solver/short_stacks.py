"""Heads-up before the flop with 2 to 25 big blinds, a few sizes for all: fold, call, a small raise or everything.

The small blind folds, calls, raises to 2.2 big blinds or goes all-in; the big blind answers a call with a check or
all-in, a raise with fold, call or all-in; and all-ins are called or folded to. Over the 169 classes of hands this is
solved by CFR+ with exact equities. Pots that are called without an all-in are shared by equity, the small blind, who
speaks last, getting 3 % more of the pot than that: a rule, since what is bet after the flop is not in this game.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.holdem.solver.push_fold import LEAST, MOST, class_table, matched

__all__ = ["OPEN", "ShortStacks", "solve_short_stacks"]

OPEN = 2.2
"""What the small raise goes to, in big blinds."""
POSITION = 0.03
"""The share of a called pot that speaking last is worth."""
_EVERY = 50


@dataclass(frozen=True)
class ShortStacks:
    """An equilibrium of the game of few sizes; mixes are [action, class], classes in the order of `class_table`."""

    stack: float
    first: Floats
    """The small blind: fold, call, raise, all-in."""
    called: Floats
    """The big blind after a call: check, all-in."""
    raised: Floats
    """The big blind after a raise: fold, call, all-in."""
    pushed: Floats
    """The big blind after an all-in: fold, call."""
    after_call: Floats
    """The small blind whose call was answered all-in: fold, call."""
    after_raise: Floats
    """The small blind whose raise was answered all-in: fold, call."""
    value: float
    """What the small blind wins a hand, in big blinds."""
    exploitability: float
    """What a best response gains, the mean over both players, in big blinds."""
    rounds: int


class _Game:
    """What every mix is worth against the other player's, all classes at once; zero-sum, in big blinds."""

    def __init__(self, stack: float) -> None:
        _, pairs, equity = class_table()
        self.joint = pairs / pairs.sum()
        self.all_in = self.joint * (2 * equity - 1) * stack
        self.checked = self.joint * (2 * (equity + POSITION) - 1)
        self.flat = self.checked * OPEN

    def small(self, mix: list[Floats]) -> list[Floats]:
        """[action, class] at the three decisions of the small blind: first, after a call, after a raise."""
        called, raised, pushed = mix[1:4]
        joint, all_in = self.joint, self.all_in
        after_call = np.array([-(joint @ called[1]), all_in @ called[1]])
        after_raise = np.array([-OPEN * (joint @ raised[2]), all_in @ raised[2]])
        first = np.array(
            [
                -0.5 * joint.sum(axis=1),
                self.checked @ called[0] + (mix[4] * after_call).sum(axis=0),
                joint @ raised[0] + self.flat @ raised[1] + (mix[5] * after_raise).sum(axis=0),
                joint @ pushed[0] + all_in @ pushed[1],
            ]
        )
        return [first, after_call, after_raise]

    def big(self, mix: list[Floats]) -> list[Floats]:
        """[action, class] at the three decisions of the big blind: after a call, a raise, an all-in."""
        first, (give_up, call), (leave, go) = mix[0], mix[4], mix[5]
        joint, all_in = self.joint.T, self.all_in.T
        limp, small, push = first[1], first[2], first[3]
        return [
            np.array([-(self.checked.T @ limp), joint @ (limp * give_up) - all_in @ (limp * call)]),
            np.array(
                [
                    -(joint @ small),
                    -(self.flat.T @ small),
                    OPEN * (joint @ (small * leave)) - all_in @ (small * go),
                ]
            ),
            np.array([-(joint @ push), -(all_in @ push)]),
        ]

    def judged(self, mix: list[Floats]) -> tuple[float, float]:
        """What a best response gains on average, and what the small blind wins."""
        first, after_call, after_raise = self.small(mix)
        value = float((mix[0] * first).sum())
        best = first.copy()
        best[1] += after_call.max(axis=0) - (mix[4] * after_call).sum(axis=0)
        best[2] += after_raise.max(axis=0) - (mix[5] * after_raise).sum(axis=0)
        others = sum(float(part.max(axis=0).sum()) for part in self.big(mix))
        folded = 0.5 * float((self.joint.sum(axis=1) * mix[0][0]).sum())
        return max((float(best.max(axis=0).sum()) + others + folded) / 2, 0.0), value


def solve_short_stacks(stack: float, *, until: float = 1e-3, rounds: int = 20_000) -> ShortStacks:
    """The equilibrium of the game of few sizes with equal stacks.

    Args:
        stack: In big blinds, 2 to 25; blinds are a half and one.
        until: Stop when a best response gains no more than this on average, in big blinds.
        rounds: Stop after so many rounds at most.
    """
    if not LEAST <= stack <= MOST:
        raise UnreadableError(f"stack must be {LEAST:g} to {MOST:g} big blinds, got {stack:g}")
    game = _Game(stack)
    regret = [np.zeros((n, 169)) for n in (4, 2, 3, 2, 2, 2)]
    mean, mix = [np.zeros_like(r) for r in regret], [matched(r) for r in regret]
    gain, value, t = float("inf"), 0.0, 0
    while gain > until and t < rounds:
        for _ in range(_EVERY):
            t += 1
            for places, side in (((0, 4, 5), game.small), ((1, 2, 3), game.big)):
                for k, values in zip(places, side(mix), strict=True):
                    regret[k] = np.maximum(regret[k] + values - (mix[k] * values).sum(axis=0), 0)
                for k in places:
                    # Own reach: what follows a call or a raise counts as often as that was done.
                    reach = mix[0][k - 3] if k > 3 else 1.0
                    mean[k] += t * reach * mix[k]
                for k in places:
                    mix[k] = matched(regret[k])
        found = [_share(m) for m in mean]
        gain, value = game.judged(found)
    first, called, raised, pushed, after_call, after_raise = found
    return ShortStacks(stack, first, called, raised, pushed, after_call, after_raise, value, gain, t)


def _share(sums: Floats) -> Floats:
    total = sums.sum(axis=0)
    return np.asarray(np.where(total > 0, sums / np.where(total > 0, total, 1), 1 / len(sums)))
