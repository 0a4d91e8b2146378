"""What a Hold'em agent sees: the public state of many hands, its own cards, and nothing of anyone else's.

Of finished hands one that learns is told what its player has seen (`Finished`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.cards import FRENCH, Card
from mazzo.document import CardRow, InWords
from mazzo.holdem import columns as c
from mazzo.holdem.rules import Rules

__all__ = ["Finished", "Observations", "known_to"]


@dataclass(frozen=True, repr=False)
class Observations(InWords):
    """A batch of decisions of the players to act, one row each. All hands are of one game.

    Players are counted by position; amounts are chips. Every array is a copy: nothing in here leads back to the cards
    of others.
    """

    game: Rules
    """The rules of the game."""
    state: Ints
    """The public state of each hand, as `mazzo.holdem.columns` names its columns."""
    history: Ints
    """The record so far, `action << 4 | position` an entry, filled up with 0; see `actions` and `actors`."""
    hole: NDArray[np.uint8]
    """The player's own cards."""
    board: NDArray[np.int8]
    """The open board cards, filled up with -1."""
    owed: Ints
    """Chips to put in for a call (0: a check); never more than the player has."""
    raise_low: Ints
    """The least total one may raise to; 0 where raising is not allowed."""
    raise_high: Ints
    """The most one may raise to; 0 where raising is not allowed."""
    rng_key: NDArray[np.uint64]
    """A random number a decision, for agents that randomise."""
    seating: NDArray[np.int16]
    """Which player of the match sits at each position."""

    @property
    def luck(self) -> NDArray[np.uint64]:
        """The old name of `rng_key`."""
        return self.rng_key

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
            self.rng_key[rows],
            self.seating[rows],
        )

    def words(self) -> list[str]:
        """What the player sees, in words."""
        board = " ".join(map(str, FRENCH.cards(card for card in self.board[0] if card >= 0)))
        low, high = int(self.raise_low[0]), int(self.raise_high[0])
        may = f"may raise to {low}" if low == high else f"may raise to {low}-{high}"
        return [
            f"my hand {' '.join(map(str, FRENCH.cards(self.hole[0])))}",
            f"board {board}" if board else "no board yet",
            f"pot {self.pot[0]}",
            f"{self.opponents[0]} against me",
            f"{self.owed[0]} to call" if self.owed[0] else "nothing to call",
            *([may] if high else []),
        ]

    def card_rows(self) -> list[CardRow]:
        """The player's own cards and the open board."""
        rows = zip(("my hand", "board"), self.cards(0), strict=True)
        return [CardRow(label, "french", [str(card) for card in cards]) for label, cards in rows if cards]

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
        """Actions so far, in order: `FOLD`, `CALL` (also a check), or the total raised to; 0 where there is none."""
        return self.history >> c.ACTOR_BITS

    @property
    def actors(self) -> Ints:
        """Who took each of the `actions`."""
        return np.where(self.history == c.NO_ACTION, -1, self.history & c.ACTOR_MASK)

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

    def cards(self, row: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """Own cards and open board of one row."""
        return FRENCH.cards(self.hole[row]), FRENCH.cards(k for k in self.board[row] if k >= 0)


class _Played(Protocol):
    """A table whose hands are over."""

    game: Rules
    state: Ints
    history: Ints
    seating: NDArray[np.int16]
    cards: NDArray[np.uint8]


@dataclass(frozen=True)
class Finished:
    """Finished hands as one player may know them: for agents that learn from what they play."""

    game: Rules
    player: int
    """Which player of the match is told."""
    state: Ints
    history: Ints
    seating: NDArray[np.int16]
    cards: NDArray[np.uint8]
    """All cards of each hand; 255 for those this player has not seen."""
    net: Ints
    """What each position won or lost."""

    @classmethod
    def of(cls, table: _Played, player: int, net: Ints) -> Finished:
        """The hands of a table, all over, as a player of the match knows them."""
        return cls(table.game, player, table.state, table.history, table.seating, known_to(table, player), net)


def known_to(table: _Played, player: int) -> NDArray[np.uint8]:
    """The cards a player has seen when the hands are over: its own, the open board, and what was shown down.

    Everybody left at a showdown is taken to show, also a loser who at a table of people may throw his hand away: so do
    the logs of the competition, and so learn the players of the documents.
    """
    game, width = table.game, table.game.hole_cards
    cards = table.cards.copy()
    live = table.state[:, c.LIVE]
    shown = np.bitwise_count(live) > 1
    for position in range(game.players):
        hidden = (table.seating[:, position] != player) & ~(shown & (live >> position & 1 == 1))
        cards[hidden, position * width : (position + 1) * width] = c.UNKNOWN
    first = game.players * width
    for k in range(sum(game.board_cards)):
        open_by = next(r for r in range(game.rounds) if game.board_seen(r) > k)
        cards[table.state[:, c.ROUND] < open_by, first + k] = c.UNKNOWN
    return cards
