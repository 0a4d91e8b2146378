"""What players did, counted: the figures of statistics and analysis, by player and street."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arena.statistics import Estimate, Moments
from mazzo.holdem import columns as c
from mazzo.holdem.kernels import apply, begin, legal
from mazzo.holdem.logs.hands import Hands
from mazzo.jit import inlined, tight

__all__ = ["SHOWDOWN", "PlayerTally", "Tally", "count_hand", "tally"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SHOWDOWN = c.MAX_ROUNDS
"""The row after the streets."""

# What is counted, per player and street (showdown last).
HANDS, WINS, RAISES, CALLS, CHECKS, FOLDS, FACED, FOLDED, KINDS = range(9)


@inlined
def count_hand(
    rules: Ints, state: Ints, history: Ints, i: int, seating: Any, net: Any, row: Ints, done: Ints,
    seen: Ints, counts: Ints, results: Floats, voluntary: Ints, raised: Ints,
) -> None:  # fmt: skip
    """Replay hand i and count. `row` and `done` are room for one hand; `seen` for each player's last street."""
    g = state[i, c.GAME]
    players, live = rules[g, c.PLAYERS], state[i, c.LIVE]
    row[0, c.GAME] = g
    for p in range(players):
        row[0, c.ROOM + p] = state[i, c.ROOM + p] + state[i, c.ANTE + p]
        seen[p] = state[i, c.ROUND]
    begin(rules, row, 0)
    paid, pushed = 0, 0
    for j in range(state[i, c.COUNT]):
        p, street = row[0, c.ACTOR], row[0, c.ROUND]
        owed, _low, _high = legal(rules, row, 0)
        action = history[i, j] >> c.ACTOR_BITS
        who = seating[i, p]
        facing = owed > 0 and row[0, c.RAISES] > 0
        counts[who, street, FACED] += facing
        if action == c.FOLD:
            counts[who, street, FOLDS] += 1
            counts[who, street, FOLDED] += facing
            seen[p] = street
        elif action == c.CALL:
            counts[who, street, CALLS if owed > 0 else CHECKS] += 1
        else:
            counts[who, street, RAISES] += 1
        if street == 0 and (action >= c.RAISE or (action == c.CALL and owed > 0)):
            paid |= 1 << p
            pushed |= (action >= c.RAISE) << p
        apply(rules, row, done, 0, action)
    shown = live & (live - 1)
    for p in range(players):
        who = seating[i, p]
        for street in range(seen[p] + 1):
            counts[who, street, HANDS] += 1
        ended = SHOWDOWN if shown and live >> p & 1 else seen[p]
        result = net[i, p] / rules[g, c.MIN_BET]
        if ended == SHOWDOWN:
            counts[who, SHOWDOWN, HANDS] += 1
        if result == result:
            results[who, ended] += result
            counts[who, ended, WINS] += result > 0
        voluntary[who] += paid >> p & 1
        raised[who] += pushed >> p & 1


@tight
def _count(
    rules: Ints, state: Ints, history: Ints, seating: NDArray[np.int32], net: Floats, row: Ints, done: Ints,
    seen: Ints, counts: Ints, results: Floats, voluntary: Ints, raised: Ints,
) -> None:  # fmt: skip
    for i in range(len(state)):
        count_hand(
            rules, state, history, i, seating, net, row, done, seen, counts, results, voluntary, raised
        )  # fmt: skip


@dataclass
class PlayerTally:
    """What one player did."""

    name: str
    counts: Ints = field(default_factory=lambda: np.zeros((SHOWDOWN + 1, KINDS), np.int64))
    results: Floats = field(default_factory=lambda: np.zeros(SHOWDOWN + 1))
    """Big blinds won by where the hand ended for him: the street, or showdown."""
    voluntary: int = 0
    raised: int = 0
    moments: Moments = field(default_factory=Moments)
    curve: list[Floats] = field(default_factory=list)
    """His results in big blinds, hand by hand."""

    @property
    def hands(self) -> int:
        """Hands he was dealt."""
        return int(self.counts[0, HANDS])

    def per_street(self, kind: int) -> list[int]:
        """One of the counts, street by street and at showdown."""
        return [int(n) for n in self.counts[:, kind]]

    @property
    def vpip(self) -> float:
        """Share of hands in which he put chips in before the flop of his own will."""
        return _share(self.voluntary, self.hands)

    @property
    def pfr(self) -> float:
        """Share of hands in which he raised before the flop."""
        return _share(self.raised, self.hands)

    @property
    def aggression(self) -> float:
        """Bets and raises to calls, after the flop."""
        return _share(int(self.counts[1:, RAISES].sum()), int(self.counts[1:, CALLS].sum()))

    @property
    def fold_to_bet(self) -> float:
        """How often he folds to a bet or raise, on any street."""
        return _share(int(self.counts[:, FOLDED].sum()), int(self.counts[:, FACED].sum()))

    @property
    def went_to_showdown(self) -> float:
        """Of the hands in which he saw the flop (in games without one: was dealt), how often he came to showdown."""
        return _share(int(self.counts[SHOWDOWN, HANDS]), int(self.counts[1, HANDS]))

    @property
    def won_at_showdown(self) -> float:
        """How often he won chips at showdown."""
        return _share(int(self.counts[SHOWDOWN, WINS]), int(self.counts[SHOWDOWN, HANDS]))

    @property
    def win_rate(self) -> Estimate:
        """Big blinds a hand."""
        return self.moments.estimate()


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


class Tally:
    """Counts over any number of batches, by player."""

    def __init__(self, curves: bool = False) -> None:
        self.players: dict[str, PlayerTally] = {}
        self._curves = curves

    def add(self, hands: Hands) -> None:
        """Count a batch of hands."""
        names = len(hands.names)
        counts = np.zeros((names, SHOWDOWN + 1, KINDS), np.int64)
        results = np.zeros((names, SHOWDOWN + 1))
        voluntary, raised, seen = np.zeros(names, np.int64), np.zeros(names, np.int64), np.zeros(10, np.int64)
        rules = np.array([game.row for game in hands.games])
        row = np.zeros((1, c.STATE_WIDTH), np.int64)
        done = np.zeros((1, max(1, hands.history.shape[1])), np.int64)
        _count(
            rules, hands.state, hands.history, hands.seating, hands.net, row, done, seen, counts, results, voluntary,
            raised,
        )  # fmt: skip
        present = np.unique(hands.seating[hands.seating >= 0])
        in_blinds = hands.net / rules[hands.state[:, c.GAME], c.MIN_BET][:, None]
        for who in present.tolist():
            player = self.players.setdefault(hands.names[who], PlayerTally(hands.names[who]))
            player.counts += counts[who]
            player.results += results[who]
            player.voluntary += int(voluntary[who])
            player.raised += int(raised[who])
            own = in_blinds[hands.seating == who]
            own = own[~np.isnan(own)]
            player.moments += Moments.of(own)
            if self._curves:
                player.curve.append(own)

    def sorted(self) -> Sequence[PlayerTally]:
        """The players, those with the most hands first."""
        return sorted(self.players.values(), key=lambda p: (-p.hands, p.name))


def tally(batches: Iterable[Hands], curves: bool = False) -> Tally:
    """Count all hands; `curves` keeps the results hand by hand too."""
    counted = Tally(curves)
    for hands in batches:
        counted.add(hands)
    return counted
