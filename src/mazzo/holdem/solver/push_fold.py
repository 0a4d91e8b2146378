"""Heads-up before the flop with short stacks: all-in or fold, solved exactly over the 169 classes of hands.

Equities are those of the exact table of matchups. With `limp` the small blind may also call: then nobody bets again, or
the big blind goes all-in; pots that are called are checked down to the river, which undervalues position and draws.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from mazzo.arrays import Floats
from mazzo.document import Grid, Section, Shown
from mazzo.errors import UnreadableError
from mazzo.holdem.odds.build import holes
from mazzo.holdem.odds.matchups import BOARDS, matchup_table
from mazzo.holdem.odds.ranges import ink
from mazzo.holdem.solver.spot.view import class_names

__all__ = ["LEAST", "MOST", "PushFold", "class_table", "matched", "solve_push_fold"]

LEAST, MOST = 2.0, 25.0
"""Stacks in big blinds."""
_RANKS = "AKQJT98765432"
_EVERY = 50


@cache
def class_table() -> tuple[list[str], Floats, Floats]:
    """The 169 classes, how many pairs of holdings two classes have without a card in common, and exact equities."""
    names = class_names(holes().astype(np.int64))
    classes = list(dict.fromkeys(names))
    number = np.array([classes.index(name) for name in names])
    pairs, won = np.zeros((169, 169)), np.zeros((169, 169))
    first = [int(np.flatnonzero(number == k)[0]) for k in range(169)]
    sizes = np.bincount(number, minlength=169)
    hands = holes()
    wins, ties = matchup_table().rows(hands[first], hands)
    apart = ~(hands[first][:, None, :, None] == hands[None, :, None, :]).any(axis=(2, 3))
    share = (wins + ties / 2) / BOARDS
    for k in range(169):
        pairs[k] = sizes[k] * np.bincount(number, weights=apart[k], minlength=169)
        won[k] = sizes[k] * np.bincount(number, weights=np.where(apart[k], share[k], 0), minlength=169)
    return classes, pairs, np.where(pairs > 0, won / np.where(pairs > 0, pairs, 1), 0)


@dataclass(frozen=True)
class PushFold(Shown):
    """An equilibrium of all-in or fold, heads-up."""

    stack: float
    """In big blinds, both players."""
    classes: list[str]
    push: Floats
    """By class the share with which the small blind goes all-in."""
    call: Floats
    """By class the share with which the big blind calls an all-in."""
    limp: Floats | None
    """By class the share with which the small blind only calls; None where that was not allowed."""
    raise_limp: Floats | None
    """By class the share with which the big blind goes all-in over a call of the small blind."""
    call_raise: Floats | None
    """By class the share with which the small blind calls that."""
    value: float
    """What the small blind wins a hand, in big blinds."""
    exploitability: float
    """What a best response gains, the mean over both players, in big blinds."""
    rounds: int

    def share(self, mix: Floats) -> float:
        """The share of all hands."""
        sizes = class_table()[1].sum(axis=1)
        return float((mix * sizes).sum() / sizes.sum())

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        mixes = {
            "push": self.push,
            "call": self.call,
            "limp": self.limp,
            "raise_limp": self.raise_limp,
            "call_raise": self.call_raise,
        }
        data: dict[str, Any] = {
            "stack": self.stack,
            "value": self.value,
            "unit": "bb/hand",
            "exploitability": self.exploitability,
            "iterations": self.rounds,
            "leaves": "checked down" if self.limp is not None else "all-in",
        }
        for name, mix in mixes.items():
            if mix is not None:
                data[f"{name}_share"] = self.share(mix)
                data[name] = {c: round(float(x), 6) for c, x in zip(self.classes, mix, strict=True)}
        return data

    def section(self) -> Section:
        """Grids of who pushes and calls what."""
        words = [
            f"small blind {self.value:+.5f} big blinds per hand; exploitability {self.exploitability:.1e}; pushes "
            f"{100 * self.share(self.push):.1f} %, is called by {100 * self.share(self.call):.1f} %"
        ]
        tables = [
            self._grid("small blind: all-in, %", self.push),
            self._grid("big blind: calls an all-in, %", self.call),
        ]
        if self.limp is not None and self.raise_limp is not None and self.call_raise is not None:
            words.append("pots that are only called are checked down: nobody bets after the flop")
            tables += [
                self._grid("small blind: calls, %", self.limp),
                self._grid("big blind: all-in over a call, %", self.raise_limp),
                self._grid("small blind: calls that, %", self.call_raise),
            ]
        return Section(f"push or fold, {self.stack:g} big blinds", words, tables=tables)

    def _grid(self, caption: str, mix: Floats) -> Grid:
        by_class = dict(zip(self.classes, mix, strict=True))
        rows, inks = [], []
        for r in range(13):
            names = [
                _RANKS[min(r, k)] + _RANKS[max(r, k)] + ("" if r == k else "s" if r < k else "o") for k in range(13)
            ]
            shares = [float(by_class[name]) for name in names]
            rows.append((_RANKS[r], *(f"{100 * x:.0f}" if x > 0.005 else "." for x in shares)))
            inks.append(["", *(ink(x) for x in shares)])
        return Grid(("", *_RANKS), rows, caption=caption, inks=inks)


class _Game:
    """The game over classes: regrets of both players, all hands at once. Zero-sum, in big blinds."""

    def __init__(self, stack: float, limp: bool) -> None:
        self.classes, self.pairs, self.equity = class_table()
        self.stack, self.limp = stack, limp
        self.joint = self.pairs / self.pairs.sum()
        self.all_in = self.joint * (2 * self.equity - 1) * stack
        self.checked = self.joint * (2 * self.equity - 1)

    def small(self, call: Floats, over: Floats) -> Floats:
        """[action, class] of the small blind: fold, push, call and fold to an all-in, call and call it."""
        passive = self.joint.sum(axis=1)
        push = self.joint @ (1 - call) + self.all_in @ call
        check = self.checked @ (1 - over)
        return np.array([-0.5 * passive, push, check - self.joint @ over, check + self.all_in @ over])

    def big(self, push: Floats, limp_fold: Floats, limp_call: Floats) -> tuple[Floats, Floats]:
        """[action, class] of the big blind: fold or call an all-in; check or go all-in over a call."""
        facing = np.array([-(self.joint.T @ push), -(self.all_in.T @ push)])
        limped = limp_fold + limp_call
        over = np.array(
            [
                -(self.checked.T @ limped),
                self.joint.T @ limp_fold - self.all_in.T @ limp_call,
            ]
        )
        return facing, over


def matched(regret: Floats) -> Floats:
    """Mixes in proportion to positive regrets, a column a class; even where there are none."""
    positive = np.maximum(regret, 0)
    total = positive.sum(axis=0)
    return np.asarray(np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / len(regret)))


def solve_push_fold(stack: float, *, limp: bool = False, until: float = 1e-7, rounds: int = 200_000) -> PushFold:
    """All-in or fold heads-up with equal stacks: the equilibrium by CFR+ with exact equities.

    Args:
        stack: In big blinds, 2 to 25; blinds are a half and one.
        limp: Whether the small blind may also call; called pots are checked down.
        until: Stop when a best response gains no more than this on average, in big blinds.
        rounds: Stop after so many rounds at most.
    """
    if not LEAST <= stack <= MOST:
        raise UnreadableError(f"stack must be {LEAST:g} to {MOST:g} big blinds, got {stack:g}")
    if not until >= 0 or rounds < 1:
        raise UnreadableError("until must be 0 or more, and rounds at least 1")
    game = _Game(stack, limp)
    actions = 4 if limp else 2
    regret = [np.zeros((actions, 169)), np.zeros((2, 169)), np.zeros((2, 169))]
    mean = [np.zeros_like(r) for r in regret]
    sigma = [matched(r) for r in regret]
    gain, value, t = float("inf"), 0.0, 0
    while gain > until and t < rounds:
        for _ in range(_EVERY):
            t += 1
            over = sigma[2][1] if limp else np.zeros(169)
            values = game.small(sigma[1][1], over)[:actions]
            _update(regret, sigma, mean, 0, values, t)
            fold, called = (sigma[0][2], sigma[0][3]) if limp else (np.zeros(169), np.zeros(169))
            for k, values in enumerate(game.big(sigma[0][1], fold, called)[: 1 + limp], 1):
                _update(regret, sigma, mean, k, values, t)
        gain, value = _judged(
            game, [m / m.sum(axis=0) if m.any() else s for m, s in zip(mean, sigma, strict=True)], limp
        )
    mixes = [m / m.sum(axis=0) if m.any() else s for m, s in zip(mean, sigma, strict=True)]
    small, call, over = mixes
    limps = small[2] + small[3] if limp else None
    called = np.where(limps > 0, small[3] / np.where(limps > 0, limps, 1), 0) if limps is not None else None
    return PushFold(stack, game.classes, small[1], call[1], limps, over[1] if limp else None, called, value, gain, t)


def _update(regret: list[Floats], sigma: list[Floats], mean: list[Floats], k: int, values: Floats, t: int) -> None:
    regret[k] = np.maximum(regret[k] + values - (sigma[k] * values).sum(axis=0), 0)
    mean[k] += t * sigma[k]
    sigma[k] = matched(regret[k])


def _judged(game: _Game, mix: list[Floats], limp: bool) -> tuple[float, float]:
    """What a best response gains on average, and what the small blind wins."""
    small, call, over = mix[0], mix[1][1], mix[2][1] if limp else np.zeros(169)
    values = game.small(call, over)[: len(small)]
    value = float((small * values).sum())
    best_small = float(values.max(axis=0).sum())
    fold, called = (small[2], small[3]) if limp else (np.zeros(169), np.zeros(169))
    facing, limped = game.big(small[1], fold, called)
    folded = 0.5 * float((game.joint.sum(axis=1) * small[0]).sum())
    best_big = folded + float(facing.max(axis=0).sum()) + (float(limped.max(axis=0).sum()) if limp else 0.0)
    return max((best_small + best_big) / 2, 0.0), value
