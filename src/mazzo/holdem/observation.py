"""What a Hold'em agent sees: the public state of many hands, its own cards, and nothing of anyone else's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mazzo.cards import FRENCH, Card
from mazzo.holdem import columns as c
from mazzo.holdem.game import Game

__all__ = ["Observations"]

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Observations:
    """A batch of decisions of the players to act, one row each. All hands are of one game.

    Players are counted by position; amounts are chips. Every array is a copy: nothing in here leads back to the cards
    of others.
    """

    game: Game
    state: Ints
    """The public state of each hand, as `mazzo.holdem.columns` names its columns."""
    history: Ints
    """The record so far, `action << 4 | position` an entry, filled up with -1; see `actions` and `actors`."""
    hole: NDArray[np.uint8]
    board: NDArray[np.int8]
    """The open board cards, filled up with -1."""
    owed: Ints
    """Chips to put in for a call (0: a check); never more than the player has."""
    raise_low: Ints
    """The least total one may raise to; 0 where raising is not allowed."""
    raise_high: Ints
    """The most one may raise to; 0 where raising is not allowed."""
    luck: NDArray[np.uint64]
    """A random number a decision, for agents that randomise."""
    seating: NDArray[np.int16]
    """Which player of the match sits at each position."""

    def __len__(self) -> int:
        return len(self.state)

    def __getitem__(self, rows: slice | NDArray[np.int64] | NDArray[np.bool_]) -> Observations:
        """Some of the rows."""
        return Observations(
            self.game,
            self.state[rows],
            self.history[rows],
            self.hole[rows],
            self.board[rows],
            self.owed[rows],
            self.raise_low[rows],
            self.raise_high[rows],
            self.luck[rows],
            self.seating[rows],
        )

    @property
    def position(self) -> Ints:
        """The player to act: position 0 is the first after the button."""
        return self.state[:, c.ACTOR]

    @property
    def street(self) -> Ints:
        """The round of betting: 0 before the flop, 1 flop, 2 turn, 3 river."""
        return self.state[:, c.ROUND]

    @property
    def pot(self) -> Ints:
        """All chips put in so far, this street's bets and antes included."""
        return self.state[:, c.POT]

    @property
    def can_raise(self) -> NDArray[np.bool_]:
        """Where raising is allowed."""
        return self.raise_high > 0

    @property
    def actions(self) -> Ints:
        """Actions so far, in order: 0 fold, 1 call or check, else the total raised to; -1 where there is none yet."""
        return self.history >> c.ACTOR_BITS

    @property
    def actors(self) -> Ints:
        """Who took each of the `actions`."""
        return np.where(self.history < 0, -1, self.history & c.ACTOR_MASK)

    @property
    def raises(self) -> Ints:
        """Bets and raises made this street."""
        return self.state[:, c.RAISES]

    @property
    def live(self) -> Ints:
        """Players who have not folded, as a bit mask by position."""
        return self.state[:, c.LIVE]

    @property
    def opponents(self) -> Ints:
        """How many opponents have not folded."""
        return np.bitwise_count(self.live).astype(np.int64) - 1

    @property
    def spent(self) -> Ints:
        """Chips each player has wagered in the hand, blinds included, antes not."""
        return self.state[:, c.SPENT : c.SPENT + self.game.players]

    @property
    def behind(self) -> Ints:
        """Chips each player has left."""
        return self.state[:, c.ROOM : c.ROOM + self.game.players] - self.spent

    @property
    def own_behind(self) -> Ints:
        """Chips the player to act has left."""
        return np.take_along_axis(self.behind, self.position[:, None], 1)[:, 0]

    def cards(self, row: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """Own cards and open board of one row."""
        return FRENCH.cards(self.hole[row]), FRENCH.cards(k for k in self.board[row] if k >= 0)
