"""Who is which opponent, and what has been seen of each so far in the match: for logs and for hands being played."""

from __future__ import annotations

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.observation import Finished
from mazzo.holdem.statistics import tally as t
from mazzo.holdem.statistics.tally import CountedHands, Counters, Room, count_hand
from mazzo.jit import tight, tight_helper

__all__ = ["FIGURES", "OPPONENTS", "Counts", "Watch"]


OPPONENTS = c.MAX_PLAYERS - 1
FIGURES = ("VPIP", "PREFLOP_RAISE", "W$SD", "WTSD", "FOLD_TO_BET", "WIN_PERCENTAGE")
"""What is known of an opponent, each a share; missing before the first observation."""


class Counts:
    """What players of a match have done so far; players are numbered from 0."""

    def __init__(self) -> None:
        self.so_far = Counters.zero(0)

    def make_room(self, players: int) -> None:
        """Room for players up to this number."""
        there = len(self.so_far.counts)
        if players > there:
            more = Counters.zero(max(players - there, there))
            self.so_far = Counters(*(np.concatenate(pair) for pair in zip(self.so_far, more, strict=True)))

    def add(self, rules: Ints, state: Ints, history: Ints, seating: Ints, net: Floats, before: Floats) -> None:
        """Count hands in order; `before` takes each position's figures before each hand, where it has rows."""
        self.make_room(int(seating.max(initial=-1)) + 1)
        _follow(CountedHands(rules, state, history, seating, net), Room.of(history), self.so_far, before)

    def figures(self, players: Ints) -> Floats:
        """The figures of players by number; missing for -1."""
        self.make_room(int(players.max(initial=-1)) + 1)
        of_each = np.full((len(self.so_far.counts) + 1, len(FIGURES)), np.nan)  # -1 is the last, of nobody
        _figures_of_all(self.so_far, of_each[:-1])
        return of_each[players]

    def on_hands_finished(self, finished: Finished) -> None:
        """Take note of hands that were played; a player's number is the one it has in the match."""
        seating = np.full((len(finished.state), c.MAX_PLAYERS), -1, np.int64)
        seating[:, : finished.seating.shape[1]] = finished.seating
        net = finished.net.astype(np.float64)
        self.add(finished.game.row[None, :], finished.state, finished.history, seating, net, np.empty((0, 0, 0)))


@tight_helper
def _share(part: int, whole: int) -> float:
    return part / whole if whole else np.nan


@tight_helper
def _figures(so_far: Counters, who: int, out: Floats) -> None:
    counts, _, voluntary, raised = so_far
    hands, faced, folded, wins = counts[who, 0, t.HANDS], 0, 0, 0
    for street in range(t.SHOWDOWN + 1):
        faced += counts[who, street, t.FACED]
        folded += counts[who, street, t.FOLDED]
        wins += counts[who, street, t.WINS]
    out[0], out[1] = _share(voluntary[who], hands), _share(raised[who], hands)
    out[2] = _share(counts[who, t.SHOWDOWN, t.WINS], counts[who, t.SHOWDOWN, t.HANDS])
    out[3] = _share(counts[who, t.SHOWDOWN, t.HANDS], counts[who, 1, t.HANDS])
    out[4], out[5] = _share(folded, faced), _share(wins, hands)


@tight
def _figures_of_all(so_far: Counters, out: Floats) -> None:
    for who in range(len(out)):
        _figures(so_far, who, out[who])


@tight
def _follow(hands: CountedHands, room: Room, so_far: Counters, before: Floats) -> None:
    for i in range(len(hands.state)):
        if len(before):
            for p in range(hands.rules[hands.state[i, c.GAME], c.PLAYERS]):
                _figures(so_far, hands.seating[i, p], before[i, p])
        count_hand(hands, i, room, so_far)


@tight
def _seat(players: Ints, ids: Ints, hero: Ints, match: Ints, slots: Ints, where: Ints) -> None:
    """Find each opponent's place: who has one in the match keeps it, others take the lowest that is free."""
    for i in range(len(ids)):
        n, me, m = players[i], hero[i], match[i]
        if me < 0:
            continue
        taken = 0
        for step in range(1, n):
            who = ids[i, (me + step) % n]
            for k in range(OPPONENTS):
                if slots[m, k] == who:
                    where[i, k] = (me + step) % n
                    taken |= 1 << k
        for step in range(1, n):
            p = (me + step) % n
            placed = False
            for k in range(OPPONENTS):
                placed |= where[i, k] == p
            for k in range(OPPONENTS):
                if not placed and not taken >> k & 1:
                    slots[m, k], where[i, k] = ids[i, p], p
                    taken |= 1 << k
                    placed = True


class Watch:
    """Follows a hero through logs, batch after batch: where it sits, who is opponent k, what is known of each.

    Opponent k is the k-th seat to the hero's left when the match starts, kept by name.
    """

    def __init__(self, hero: str, history: bool = True) -> None:
        self.hero, self.history = hero, history
        self._ids: dict[tuple[str, str], int] = {}
        self._matches: dict[str, int] = {}
        self._slots = np.full((0, OPPONENTS), -1, np.int64)
        self._counts = Counts()

    def follow(self, hands: Hands) -> tuple[Ints, Ints, Floats | None]:
        """Per hand: the hero's position (-1: not there), the opponents' positions, and the positions' figures."""
        names = [f"{hands.source}\0{m}" for m in hands.matches]
        match = np.array([self._matches.setdefault(m, len(self._matches)) for m in names], np.int64)[hands.match_of]
        ids = self._numbers(hands, names)
        new = np.full((len(self._matches) - len(self._slots), OPPONENTS), -1, np.int64)
        self._slots = np.concatenate([self._slots, new])
        mine = [k for k, name in enumerate(hands.names) if name == self.hero]
        sits = np.isin(hands.seating, mine)
        position = np.where(sits.any(axis=1), sits.argmax(axis=1), -1)
        where = np.full((len(hands), OPPONENTS), -1, np.int64)
        _seat(hands.players, ids, position, match, self._slots, where)
        if not self.history:
            return position, where, None
        figures = np.full((len(hands), c.MAX_PLAYERS, len(FIGURES)), np.nan)
        rules = np.array([game.row for game in hands.games])
        self._counts.add(rules, hands.state, hands.history, ids, hands.net, figures)
        return position, where, figures

    def _numbers(self, hands: Hands, matches: list[str]) -> Ints:
        """Players by match and name, as numbers that stay the same from batch to batch."""
        many = len(hands.names) + 1
        keys, places = np.unique(hands.match_of[:, None] * many + hands.seating + 1, return_inverse=True)
        numbers = [
            -1 if key % many == 0 else self._number(matches[key // many], hands.names[key % many - 1])
            for key in keys.tolist()
        ]
        found: Ints = np.array(numbers, np.int64)[places.reshape(hands.seating.shape)]
        return found

    def _number(self, match: str, name: str) -> int:
        return self._ids.setdefault((match, name), len(self._ids))


def left_of(hero: Ints, players: int | Ints) -> Ints:
    """Positions of the opponents at a table where nobody changes seats: the k-th to the hero's left."""
    size = np.broadcast_to(players, len(hero))[:, None]
    where = (hero[:, None] + 1 + np.arange(OPPONENTS)) % size
    return np.asarray(np.where(np.arange(OPPONENTS) < size - 1, where, -1), np.int64)
