"""Decisions to be described, many at a time: from logs and from hands being played, in one form.

Everything an attribute may look at is here; what is costly (betting, cards, equities) is worked out once, when first
asked for, for the whole batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.attributes.betting import betting_facts
from mazzo.holdem.attributes.made import card_facts
from mazzo.holdem.attributes.watch import Counts, Watch, left_of
from mazzo.holdem.game import Game
from mazzo.holdem.hand import UNKNOWN
from mazzo.holdem.kernels import apply, begin, legal
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.observation import Observations
from mazzo.jit import kernel, tight
from mazzo.luck import mix

__all__ = ["SAMPLES", "Situations", "Taken", "situations_in", "situations_of", "situations_seen"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SAMPLES = 2000
"""Deals from which the equity against three opponents or more is estimated."""


@dataclass(frozen=True)
class Taken:
    """What is known of a decision afterwards: what was done, what came of it, and where it stands."""

    action: Ints
    """0 fold, 1 call or check, 2 bet or raise."""
    size: Ints
    """The total raised to, in chips of the log; 0 where it was no raise."""
    to_invest: Floats
    """Chips the hero puts in on this street from this decision on."""
    net: Floats
    """What the hero won or lost in the hand."""
    opponents_net: Floats
    opponents_hole: NDArray[np.uint8]
    """Their cards, 255 where they are not known."""
    hand: Ints
    """Which hand it is, counted over all that were read."""
    card_set: NDArray[np.uint64]
    match: NDArray[np.uint64]
    """Equal for decisions of one match."""


@dataclass(frozen=True)
class Situations:
    """A batch of decisions, each as the player to act sees it."""

    games: tuple[Game, ...]
    state: Ints
    history: Ints
    hole: NDArray[np.uint8]
    board: NDArray[np.int8]
    owed: Ints
    where: Ints
    """Position of opponent k; -1 where there is none."""
    figures: Floats | None
    """What has been seen of opponent k in the match so far; None where nobody watched."""
    scale: Floats
    """What a chip of this hand is in chips of the first game's stakes."""
    taken: Taken | None = None
    samples: int = SAMPLES

    def __len__(self) -> int:
        return len(self.state)

    @property
    def street(self) -> Ints:
        """The round of betting, from 0."""
        return self.state[:, c.ROUND]

    @cached_property
    def rules(self) -> Ints:
        """The rules of the games as rows."""
        return np.array([game.row for game in self.games])

    @cached_property
    def betting(self) -> Ints:
        """The facts of the betting."""
        return betting_facts(self.rules, self.state, self.history)

    @cached_property
    def _distinct(self) -> tuple[NDArray[np.bool_], Ints]:
        """Rows whose cards differ from the row's before, and for each row the number of such a row with its cards."""
        fresh = np.ones(len(self), np.bool_)
        fresh[1:] = (self.hole[1:] != self.hole[:-1]).any(axis=1) | (self.board[1:] != self.board[:-1]).any(axis=1)
        return fresh, np.cumsum(fresh) - 1

    @cached_property
    def cards(self) -> Ints:
        """The facts of cards and board."""
        fresh, same = self._distinct
        return card_facts(self.hole[fresh], self.board[fresh])[same]

    @cached_property
    def equities(self) -> tuple[Floats, Floats, Floats]:
        """Equity against one random hand; against all active opponents; and the latter's standard error."""
        from mazzo.holdem.equity import sampled_equity
        from mazzo.holdem.equity.batch import PER_BOARD, numerators_of_both

        fresh, same = self._distinct
        numerators, boards = numerators_of_both(self.hole[fresh], self.board[fresh])
        exact = (numerators / (boards[:, None] * np.array(PER_BOARD)))[same]
        opponents = np.bitwise_count(self.state[:, c.LIVE]).astype(np.int64) - 1
        error = np.zeros(len(self))
        against = np.where(opponents == 1, exact[:, 0], exact[:, 1])
        many = np.flatnonzero(opponents > 2)
        if len(many):
            hole, board = self.hole[many], self.board[many]
            kinds, rows, back = np.unique(
                np.column_stack([np.sort(hole, axis=1), board.view(np.uint8), opponents[many]]),
                axis=0, return_index=True, return_inverse=True,
            )  # fmt: skip
            luck = _luck_of_cards(np.ascontiguousarray(kinds, np.int64))
            mean, deviation = sampled_equity(hole[rows], board[rows], opponents[many][rows], self.samples, luck)
            against[many], error[many] = mean[back.ravel()], deviation[back.ravel()]
        return exact[:, 0], against, error

    def of_opponent(self, column: int, k: int) -> Ints:
        """A fact of the betting about opponent k, 0 where there is none (see `seated`)."""
        return np.asarray(self.betting[np.arange(len(self)), column + np.maximum(self.where[:, k], 0)])

    def seated(self, k: int) -> NDArray[np.bool_]:
        """Where there is an opponent k."""
        return self.where[:, k] >= 0

    def __getitem__(self, rows: Any) -> Situations:
        """Some of the rows."""
        taken = self.taken
        if taken is not None:
            taken = Taken(**{name: value[rows] for name, value in vars(taken).items()})
        figures = None if self.figures is None else self.figures[rows]
        return Situations(
            self.games, self.state[rows], self.history[rows], self.hole[rows], self.board[rows], self.owed[rows],
            self.where[rows], figures, self.scale[rows], taken, self.samples,
        )  # fmt: skip


@kernel
def _luck_of_cards(kinds: Ints) -> NDArray[np.uint64]:
    """A luck that follows from the cards alone: who describes a hand again, anywhere, samples the same deals."""
    out = np.empty(len(kinds), np.uint64)
    for i in range(len(kinds)):
        luck = np.uint64(0)
        for k in range(kinds.shape[1]):
            luck = mix(luck + np.uint64(kinds[i, k] + 1))
        out[i] = luck
    return out


def situations_seen(observations: Observations, counts: Counts | None = None, big_blind: int = 0) -> Situations:
    """What players to act see now.

    Args:
        observations: what they see.
        counts: what has been seen of the players so far, if anyone watched.
        big_blind: count chips as if the big blind were this; 0: as they are.
    """
    o = observations
    if o.hole.shape[1] != 2 or sum(o.game.board_cards) != 5:
        raise UnreadableError(f"decisions of {o.game.name} cannot be described: it is not played with Hold'em's cards")
    rows = np.arange(len(o))
    where = left_of(o.position, o.game.players)
    figures = None
    if counts is not None:
        players = np.where(where < 0, -1, o.seating[rows[:, None], np.maximum(where, 0)])
        figures = counts.figures(players)
    scale = np.full(len(o), big_blind / o.game.big_blind if big_blind else 1.0)
    return Situations((o.game,), o.state, o.history, o.hole, o.board, o.owed, where, figures, scale)


@tight
def _replay(
    rules: Ints, final: Ints, record: Ints, hero: Ints, row: Ints, done: Ints, state: Ints, history: Ints,
    owed: Ints, action: Ints, size: Ints, invested: Ints, hand: Ints,
) -> int:  # fmt: skip
    """Play recorded hands again and keep what the hero faced at each of its decisions; gives how many there are."""
    n = 0
    for i in range(len(final)):
        if hero[i] < 0:
            continue
        row[0, c.GAME] = final[i, c.GAME]
        for p in range(rules[final[i, c.GAME], c.PLAYERS]):
            row[0, c.ROOM + p] = final[i, c.ROOM + p] + final[i, c.ANTE + p]
        begin(rules, row, 0)
        first = n
        for j in range(final[i, c.COUNT]):
            what, mine = record[i, j] >> c.ACTOR_BITS, row[0, c.ACTOR] == hero[i]
            if mine:
                for k in range(c.STATE_WIDTH):
                    state[n, k] = row[0, k]
                for k in range(history.shape[1]):
                    history[n, k] = record[i, k] if k < j else -1
                owed[n], _low, _high = legal(rules, row, 0)
                action[n], size[n], hand[n], invested[n] = min(what, c.RAISE), what, i, 0
                n += 1
            spent, street = row[0, c.SPENT + hero[i]], row[0, c.ROUND]
            apply(rules, row, done, 0, what)
            if mine:
                paid = row[0, c.SPENT + hero[i]] - spent
                for k in range(first, n):
                    if state[k, c.ROUND] == street:
                        invested[k] += paid
    return n


def situations_of(hands: Hands, watch: Watch, big_blind: int = 0, hands_before: int = 0) -> Situations:
    """The decisions of a watched hero in some hands, where its cards are known and the game is Hold'em.

    Args:
        hands: a batch; batches of a log come in order.
        watch: who is watched; the same one for all batches.
        big_blind: count chips as if the big blind were this; 0: as in the first game.
        hands_before: how many hands earlier batches had.
    """
    position, where, figures = watch.follow(hands)
    holdem = np.array([len(g.deck) == 52 and g.hole_cards == 2 and sum(g.board_cards) == 5 for g in hands.games])
    at = np.arange(len(hands))
    known = (hands.cards[at, 2 * np.maximum(position, 0)] != UNKNOWN) & holdem[hands.state[:, c.GAME]]
    hero = np.where(known & ~np.isnan(hands.net[at, np.maximum(position, 0)]), position, -1)
    rules = np.array([game.row for game in hands.games])
    most = int(hands.state[hero >= 0, c.COUNT].sum())
    state, width = np.zeros((most, c.STATE_WIDTH), np.int64), hands.history.shape[1]
    history = np.empty((most, width), np.int64)
    owed, action, size, invested, hand = np.zeros((5, most), np.int64)
    row, done = np.zeros((1, c.STATE_WIDTH), np.int64), np.zeros((1, max(1, width)), np.int64)
    n = _replay(rules, hands.state, hands.history, hero, row, done, state, history, owed, action, size, invested, hand)
    state, history, hand = state[:n], history[:n], hand[:n]
    me, seats = position[hand], where[hand]
    blinds = np.array([game.big_blind for game in hands.games])[state[:, c.GAME]]
    scale = (big_blind or hands.games[0].big_blind) / blinds
    cards = hands.cards[hand]
    board = _boards(cards, hands.players[hand], state[:, c.ROUND])
    clear = np.ones(n, np.bool_)
    for k, seen in enumerate((0, 3, 4, 5)):
        clear &= ~((state[:, c.ROUND] == k) & ((board >= 0).sum(axis=1) != seen))
    net = hands.net[hand]
    matches = np.array([hash_of(f"{hands.source}\0{m}") for m in hands.matches], np.uint64)
    taken = Taken(
        action[:n], np.where(action[:n] == c.RAISE, size[:n], 0), invested[:n] * scale,
        np.take_along_axis(net, me[:, None], 1)[:, 0] * scale,
        np.where(seats < 0, np.nan, np.take_along_axis(net, np.maximum(seats, 0), 1)) * scale[:, None],
        _holes(cards, seats), hand + hands_before, hands.card_set[hand], matches[hands.match_of[hand]],
    )  # fmt: skip
    own = np.take_along_axis(cards, 2 * me[:, None] + np.arange(2), 1)
    shown = None if figures is None else _figures_at(figures, hand, seats)
    made = Situations(hands.games, state, history, own, board, owed[:n], seats, shown, scale, taken)
    return made if clear.all() else made[clear]


def hash_of(text: str) -> int:
    """A number that stands for a text."""
    import hashlib

    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def _figures_at(figures: Floats, hand: Ints, seats: Ints) -> Floats:
    found = figures[hand[:, None], np.maximum(seats, 0)]
    found[seats < 0] = np.nan
    return found


def _boards(cards: NDArray[np.uint8], players: Ints, street: Ints) -> NDArray[np.int8]:
    """The open board: -1 where nothing is dealt yet (or the log hides it)."""
    at = np.minimum(2 * players[:, None] + np.arange(5), cards.shape[1] - 1)
    board = np.take_along_axis(cards, at, 1).view(np.int8).copy()
    board[np.arange(5) >= np.array([0, 3, 4, 5])[street][:, None]] = -1
    return board


def _holes(cards: NDArray[np.uint8], seats: Ints) -> NDArray[np.uint8]:
    at = np.minimum(2 * np.maximum(seats, 0)[:, :, None] + np.arange(2), cards.shape[1] - 1)
    holes = np.take_along_axis(cards[:, None, :], at, 2)
    holes[seats < 0] = UNKNOWN
    return holes


def situations_in(
    batches: Iterable[Hands], hero: str, history: bool = True, big_blind: int = 0
) -> Iterator[Situations]:
    """The decisions of a hero in logs, batch by batch."""
    watch = Watch(hero, history)
    before = 0
    for hands in batches:
        big_blind = big_blind or hands.games[0].big_blind
        yield situations_of(hands, watch, big_blind, before)
        before += len(hands)
