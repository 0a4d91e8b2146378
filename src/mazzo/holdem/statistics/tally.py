"""What players did, counted: the figures of statistics and analysis, by player and street."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.kernels import apply, begin, legal
from mazzo.holdem.logs.hands import Hands
from mazzo.jit import inlined, tight
from mazzo.statistics import Estimate, Moments

__all__ = ["SHOWDOWN", "CountedHands", "Counters", "PlayerTally", "Room", "Tally", "count_hand", "counted", "tally"]


SHOWDOWN = c.MAX_ROUNDS
"""The row after the streets."""

# What is counted, per player and street (showdown last).
HANDS, WINS, RAISES, CALLS, CHECKS, FOLDS, FACED, FOLDED, KNOWN, KINDS = range(10)


class CountedHands(NamedTuple):
    """Hands to count: the rules they name, then one row a hand."""

    rules: Ints
    state: Ints
    history: Ints
    seating: Any
    net: Any


class Room(NamedTuple):
    """Room for the hand that is replayed, and for each player's last street in it."""

    row: Ints
    done: Ints
    seen: Ints

    @classmethod
    def of(cls, history: Ints) -> Room:
        """Room for any of these hands."""
        done = np.zeros((1, max(1, history.shape[1])), np.int64)
        return cls(np.zeros((1, c.STATE_WIDTH), np.int64), done, np.zeros(c.MAX_PLAYERS, np.int64))


class Counters(NamedTuple):
    """What was counted, by player."""

    counts: Ints
    results: Floats
    voluntary: Ints
    raised: Ints

    @classmethod
    def zero(cls, players: int) -> Counters:
        """Nothing counted yet of so many players."""
        voluntary, raised = np.zeros((2, players), np.int64)
        return cls(
            np.zeros((players, SHOWDOWN + 1, KINDS), np.int64), np.zeros((players, SHOWDOWN + 1)), voluntary, raised
        )


@inlined
def count_hand(hands: CountedHands, i: int, room: Room, to: Counters) -> None:
    """Replay hand i and count it."""
    rules, state, history, seating, net = hands
    row, done, seen = room
    counts, results, voluntary, raised = to
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
        result = net[i, p] / rules[g, c.BIG_BLIND]
        if ended == SHOWDOWN:
            counts[who, SHOWDOWN, HANDS] += 1
        if result == result:
            results[who, ended] += result
            counts[who, ended, WINS] += result > 0
            counts[who, ended, KNOWN] += 1
        voluntary[who] += paid >> p & 1
        raised[who] += pushed >> p & 1


@tight
def _count(hands: CountedHands, room: Room, to: Counters) -> None:
    for i in range(len(hands.state)):
        count_hand(hands, i, room, to)


def counted(hands: CountedHands, players: int) -> Counters:
    """Count hands of so many players; their seating names them from 0 on."""
    out = Counters.zero(players)
    _count(hands, Room.of(hands.history), out)
    return out


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
        """How often he won chips at showdown, of the hands whose result is known."""
        return _share(int(self.counts[SHOWDOWN, WINS]), int(self.counts[SHOWDOWN, KNOWN]))

    @property
    def unknown(self) -> int:
        """Hands whose result is not known: they are in no figure of what he won."""
        return self.hands - int(self.counts[:, KNOWN].sum())

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
        rules = np.array([game.row for game in hands.games])
        found = counted(CountedHands(rules, hands.state, hands.history, hands.seating, hands.net), len(hands.names))
        present = np.unique(hands.seating[hands.seating >= 0])
        in_blinds = hands.net / rules[hands.state[:, c.GAME], c.BIG_BLIND][:, None]
        for who in present.tolist():
            player = self.players.setdefault(hands.names[who], PlayerTally(hands.names[who]))
            player.counts += found.counts[who]
            player.results += found.results[who]
            player.voluntary += int(found.voluntary[who])
            player.raised += int(found.raised[who])
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
    out = Tally(curves)
    for hands in batches:
        out.add(hands)
    return out
