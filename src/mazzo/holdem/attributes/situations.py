"""Decisions to be described, many at a time: from logs and from hands being played, in one form.

Everything an attribute may look at is here; what is costly (betting, cards, equities) is worked out once, when first
asked for, for the whole batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.files import number_of
from mazzo.holdem import columns as c
from mazzo.holdem.attributes.betting import SPAN, betting_facts
from mazzo.holdem.attributes.made import card_facts
from mazzo.holdem.attributes.replay import ReplayedDecisions, replay
from mazzo.holdem.attributes.watch import Counts, Watch, left_of
from mazzo.holdem.columns import UNKNOWN
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.jit import kernel
from mazzo.rng import mix

__all__ = [
    "SAMPLES",
    "Situations",
    "Taken",
    "situations_in",
    "situations_of",
    "situations_replayed",
    "situations_seen",
    "win_probability",
]


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

    games: tuple[Rules, ...]
    state: Ints
    history: Ints
    hole: NDArray[np.uint8]
    board: NDArray[np.int8]
    owed: Ints
    raise_low: Ints
    """The least the player may raise to; 0 where raising is not allowed."""
    raise_high: Ints
    """The most the player may raise to; 0 where raising is not allowed."""
    seats: Ints | None
    """Position of opponent k, -1 where there is none; None where opponents are counted to the left of the player."""
    figures: Floats | None
    """What has been seen of opponent k in the match so far; None where nobody watched."""
    scale: Floats
    """What a chip of this hand is in chips of the first game's stakes."""
    taken: Taken | None = None
    samples: int = SAMPLES
    pv_samples: int = 0
    """Deals from which `pv` is estimated; 0 counts it exactly."""
    rng_key: NDArray[np.uint64] | None = None
    """A random number a decision, for that."""

    def __len__(self) -> int:
        return len(self.state)

    @property
    def street(self) -> Ints:
        """The round of betting, from 0."""
        return self.state[:, c.ROUND]

    @property
    def pot(self) -> Ints:
        """All chips put in so far, as they were bet (times `scale` where hands of different stakes are compared)."""
        return self.state[:, c.POT]

    @cached_property
    def rules(self) -> Ints:
        """The rules of the games as rows."""
        return self.games[0].row[None, :] if len(self.games) == 1 else np.array([game.row for game in self.games])

    @cached_property
    def betting(self) -> Ints:
        """The facts of the betting."""
        return betting_facts(self.rules, self.state, self.history)

    @cached_property
    def _distinct(self) -> tuple[NDArray[np.bool_], Ints]:
        """Rows whose cards differ from the row's before, and for each row the number of such a row with its cards."""
        fresh = np.ones(len(self), np.bool_)
        fresh[1:] = False
        for column in (*self.hole.T, *self.board.T):
            fresh[1:] |= column[1:] != column[:-1]
        return fresh, np.cumsum(fresh) - 1

    @cached_property
    def cards(self) -> Ints:
        """The facts of cards and board."""
        fresh, same = self._distinct
        return card_facts(self.hole[fresh], self.board[fresh])[same]

    @cached_property
    def equities(self) -> tuple[Floats, Floats, Floats]:
        """Equity against one random hand; against all active opponents; and the latter's standard error."""
        from mazzo.holdem.odds import sampled_equity
        from mazzo.holdem.odds.batch import PER_BOARD, numerators_of_both

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
                axis=0,
                return_index=True,
                return_inverse=True,
            )
            rng_key = _key_of_cards(np.ascontiguousarray(kinds, np.int64))
            mean, deviation = sampled_equity(hole[rows], board[rows], opponents[many][rows], self.samples, rng_key)
            against[many], error[many] = mean[back.ravel()], deviation[back.ravel()]
        return exact[:, 0], against, error

    @cached_property
    def pv(self) -> Floats:
        """Equity against one random hand, in thousandths."""
        return win_probability(self.hole, self.board, self.pv_samples, self.rng_key)

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Which of fold, call and raise our agents may choose: a fold only where something is owed."""
        out = np.ones((len(self), 3), np.bool_)
        np.greater(self.owed, 0, out=out[:, c.KIND_FOLD])
        np.greater(self.raise_high, 0, out=out[:, c.KIND_RAISE])
        return out

    @cached_property
    def where(self) -> Ints:
        """Position of opponent k; -1 where there is none."""
        return left_of(self.state[:, c.ACTOR], self._players) if self.seats is None else self.seats

    @property
    def _players(self) -> Ints:
        """How many sit at each decision's table."""
        return np.asarray(self.rules[self.state[:, c.GAME], c.PLAYERS])

    @cached_property
    def _to_the_left(self) -> Ints:
        """How many seats to the left of the player opponent k sits; 0 where there is none."""
        players = self._players[:, None]
        return np.where(self.where < 0, 0, (self.where - self.state[:, c.ACTOR, None]) % players)

    def of_opponent(self, column: int, k: int) -> Ints:
        """A fact of the betting about opponent k; the player's own where there is none (see `seated`)."""
        return np.asarray(self.betting[np.arange(len(self)), column + SPAN * self._to_the_left[:, k]])

    def seated(self, k: int) -> NDArray[np.bool_]:
        """Where there is an opponent k."""
        return self.where[:, k] >= 0

    def __getitem__(self, rows: Any) -> Situations:
        """Some of the rows."""
        taken = self.taken
        if taken is not None:
            taken = Taken(**{name: value[rows] for name, value in vars(taken).items()})
        each = {name: getattr(self, name) for name in _PER_ROW}
        some = {name: None if array is None else array[rows] for name, array in each.items()}
        return replace(self, taken=taken, **some)  # type: ignore[arg-type]  # None only where there was None


_PER_ROW = (
    "state",
    "history",
    "hole",
    "board",
    "owed",
    "raise_low",
    "raise_high",
    "seats",
    "figures",
    "scale",
    "rng_key",
)


def win_probability(
    hole: NDArray[np.uint8], board: NDArray[np.int8], samples: int = 0, rng_key: NDArray[np.uint64] | None = None
) -> Floats:
    """PV in thousandths: exact, or from so many sampled deals a row."""
    from mazzo.holdem.odds import equities, sampled_equity

    if samples and rng_key is not None:
        return sampled_equity(hole, board, 1, samples, rng_key)[0] * 1000
    numerators, denominators = equities(hole, board, 1)
    return numerators / denominators * 1000


@kernel
def _key_of_cards(kinds: Ints) -> NDArray[np.uint64]:
    """A random key that follows from the cards alone: who describes a hand again, anywhere, samples the same deals."""
    out = np.empty(len(kinds), np.uint64)
    for i in range(len(kinds)):
        rng_key = np.uint64(0)
        for k in range(kinds.shape[1]):
            rng_key = mix(rng_key + np.uint64(kinds[i, k] + 1))
        out[i] = rng_key
    return out


def situations_seen(
    observations: Observations, counts: Counts | None = None, big_blind: int = 0, pv_samples: int = 0
) -> Situations:
    """What players to act see now.

    Args:
        observations: what they see.
        counts: what has been seen of the players so far, if anyone watched.
        big_blind: count chips as if the big blind were this; 0: as they are.
        pv_samples: estimate PV from so many sampled deals; 0 counts it exactly.
    """
    o = observations
    if o.hole.shape[1] != 2 or sum(o.game.board_cards) != 5:
        raise UnreadableError(f"decisions of {o.game.name} cannot be described: it is not played with Hold'em's cards")
    figures = None
    if counts is not None:
        where = left_of(o.position, o.game.players)
        players = np.where(where < 0, -1, np.take_along_axis(o.seating, np.maximum(where, 0), 1))
        figures = counts.figures(players)
    scale = np.full(len(o), big_blind / o.game.big_blind if big_blind else 1.0)
    return Situations(
        (o.game,),
        o.state,
        o.history,
        o.hole,
        o.board,
        o.owed,
        o.raise_low,
        o.raise_high,
        None,
        figures,
        scale,
        pv_samples=pv_samples,
        rng_key=o.rng_key,
    )


def situations_replayed(
    hands: Hands, rows: ReplayedDecisions, seats: Ints | None = None, figures: Floats | None = None, big_blind: int = 0
) -> Situations:
    """What the players saw at the decisions of a replay.

    Args:
        hands: the hands that were replayed.
        rows: the decisions.
        seats: of each decision, the positions of the opponents; None: those to the left.
        figures: what had been seen of them, if anyone watched.
        big_blind: count chips as if the big blind were this; 0: as in the first game.
    """
    scales = (big_blind or hands.games[0].big_blind) / np.array([game.big_blind for game in hands.games])
    return Situations(
        hands.games,
        rows.state,
        rows.history,
        rows.hole,
        rows.board,
        rows.owed,
        rows.raise_low,
        rows.raise_high,
        seats,
        figures,
        scales[rows.state[:, c.GAME]],
    )


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
    wanted = np.zeros(hands.net.shape, np.bool_)
    wanted[at[hero >= 0], hero[hero >= 0]] = True
    rows = replay(hands, wanted)
    seats = where[rows.hand]
    shown = None if figures is None else _figures_at(figures, rows.hand, seats)
    made = situations_replayed(hands, rows, seats, shown, big_blind)
    made = replace(made, taken=_taken(hands, rows, seats, made.scale, hands_before))
    open_cards = (made.board >= 0).sum(axis=1)
    clear = open_cards == np.array([0, 3, 4, 5])[made.street]
    return made if clear.all() else made[clear]


def _taken(hands: Hands, rows: ReplayedDecisions, seats: Ints, scale: Floats, hands_before: int) -> Taken:
    net = hands.net[rows.hand]
    matches = np.array([number_of(f"{hands.source}\0{m}") for m in hands.matches], np.uint64)
    return Taken(
        rows.action,
        rows.size,
        rows.invested * scale,
        np.take_along_axis(net, rows.position[:, None], 1)[:, 0] * scale,
        np.where(seats < 0, np.nan, np.take_along_axis(net, np.maximum(seats, 0), 1)) * scale[:, None],
        _holes(hands.cards[rows.hand], seats),
        rows.hand + hands_before,
        hands.card_set[rows.hand],
        matches[hands.match_of[rows.hand]],
    )


def _figures_at(figures: Floats, hand: Ints, seats: Ints) -> Floats:
    found = figures[hand[:, None], np.maximum(seats, 0)]
    found[seats < 0] = np.nan
    return found


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
