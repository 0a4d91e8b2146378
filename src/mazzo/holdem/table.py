"""Many hands at once, advanced in lockstep: the arrays that the kernels work on, and the door to them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mazzo.errors import IllegalError
from mazzo.holdem import columns as c
from mazzo.holdem import kernels
from mazzo.holdem.game import Game
from mazzo.holdem.observation import Observations
from mazzo.holdem.showdown import tables
from mazzo.jit import inlined, kernel, tight
from mazzo.luck import below, fork, mix

__all__ = ["Table", "deal_cards", "deal_one", "lucky", "lucky_one"]

Ints = NDArray[np.int64]
Cards = NDArray[np.uint8]


@inlined
def deal_one(key: np.uint64, deal: int, deck: Cards, pack: Cards, cards: Cards, row: int, width: int) -> None:
    """Deal one numbered deal under a key into a row of `cards`; `pack` is room for the deck."""
    size = len(deck)
    for j in range(size):
        pack[j] = deck[j]
    luck = fork(key, deal)
    for j in range(width):
        if j & 1:
            draw = luck << np.uint64(32)
        else:
            luck = fork(luck, j)
            draw = luck
        other = j + below(draw, size - j)
        pack[j], pack[other] = pack[other], pack[j]
        cards[row, j] = pack[j]


@tight
def _deal_cards(key: np.uint64, deals: Ints, deck: Cards, pack: Cards, cards: Cards) -> None:
    for k in range(len(deals)):
        deal_one(key, deals[k], deck, pack, cards, k, cards.shape[1])


def deal_cards(game: Game, key: np.uint64, deals: ArrayLike) -> Cards:
    """The cards of numbered deals under a key: hole cards position by position, then the board."""
    numbers = np.asarray(deals, np.int64)
    cards = np.empty((len(numbers), game.cards_dealt), np.uint8)
    _deal_cards(key, numbers, game.deck_array, game.deck_array.copy(), cards)
    return cards


@tight
def _look(
    rules: Ints, state: Ints, cards: Cards, luck: NDArray[np.uint64], rows: Ints,
    hole: Cards, board: NDArray[np.int8], chance: NDArray[np.uint64], history: Ints, record: Ints,
) -> None:  # fmt: skip
    for k in range(len(rows)):
        i = rows[k]
        g, p = state[i, c.GAME], state[i, c.ACTOR]
        own, first = rules[g, c.HOLE_CARDS], rules[g, c.HOLE_CARDS] * rules[g, c.PLAYERS]
        for j in range(own):
            hole[k, j] = cards[i, p * own + j]
        for j in range(rules[g, c.BOARD_SEEN + state[i, c.ROUND]]):
            board[k, j] = cards[i, first + j]
        chance[k] = fork(luck[i], state[i, c.COUNT])
        for j in range(record.shape[1]):
            record[k, j] = history[i, j] if j < state[i, c.COUNT] else -1


class Table:
    """A batch of hands of one game. Rows are independent; each is one hand from deal to payoff."""

    def __init__(
        self,
        game: Game,
        cards: Cards,
        stacks: ArrayLike | None = None,
        luck: NDArray[np.uint64] | None = None,
        seating: NDArray[np.int16] | None = None,
        spare: Table | None = None,
    ) -> None:
        """Deal `cards` (one row a hand) and post antes and blinds.

        Args:
            game: the rules.
            cards: hole cards position by position, then the board; a row a hand.
            stacks: chips by position, for all hands or a row a hand; by default the game's.
            luck: one number a hand, from which agents that randomise get theirs.
            seating: which player of the match sits at each position; by default player p at position p.
            spare: a table nobody needs any more, whose memory may be used again: asking the system for fresh memory
                costs as much as playing the hands.
        """
        size, players = len(cards), game.players
        self.game = game
        self.cards = cards
        self.rules = game.row[None, :]
        if spare is None or len(spare) != size or spare.game is not game:
            self.state: Ints = np.empty((size, c.STATE_WIDTH), np.int64)
            self.history: Ints = np.empty((size, 8 * game.rounds), np.int64)  # a row is filled up to its COUNT
        else:
            self.state, self.history = spare.state, spare.history
        self._post(np.asarray(game.stacks if stacks is None else stacks, np.int64))
        self.luck = np.zeros(size, np.uint64) if luck is None else luck
        self.seating = np.tile(np.arange(players, dtype=np.int16), (size, 1)) if seating is None else seating

    def _post(self, stacks: Ints) -> None:
        """Post antes and blinds; where all hands have the same stacks, one is worked out and copied."""
        alike = stacks.ndim == 1
        state = np.zeros((1 if alike else len(self.state), c.STATE_WIDTH), np.int64)
        state[:, c.ROOM : c.ROOM + self.game.players] = stacks
        kernels.begin_rows(self.rules, state, np.arange(len(state)))
        self.state[:] = state

    def __len__(self) -> int:
        return len(self.state)

    @property
    def actor(self) -> Ints:
        """Who is to act in each hand; -1 where the hand is over."""
        return self.state[:, c.ACTOR]

    @property
    def over(self) -> bool:
        """True when no hand is waiting for anyone."""
        return bool((self.actor < 0).all())

    def make_room(self, rows: Ints) -> None:
        """Widen the record of actions where a hand has filled it."""
        width = self.history.shape[1]
        if len(rows) and int(self.state[rows, c.COUNT].max()) >= width:
            wider = np.empty((len(self), 2 * width), np.int64)
            wider[:, :width] = self.history
            self.history = wider

    def observe(self, rows: Ints) -> Observations:
        """What the players to act in these hands see."""
        size = len(rows)
        state = self.state[rows]
        hole = np.empty((size, self.game.hole_cards), np.uint8)
        board = np.full((size, sum(self.game.board_cards)), -1, np.int8)
        luck = np.empty(size, np.uint64)
        record = np.empty((size, int(state[:, c.COUNT].max(initial=0))), np.int64)
        _look(self.rules, self.state, self.cards, self.luck, rows, hole, board, luck, self.history, record)
        legal = kernels.legal_rows(self.rules, state, np.arange(size))
        return Observations(
            game=self.game,
            state=state,
            history=record,
            hole=hole,
            board=board,
            owed=legal[0],
            raise_low=legal[1],
            raise_high=legal[2],
            luck=luck,
            seating=self.seating[rows],
        )

    def apply(self, rows: Ints, actions: ArrayLike) -> None:
        """Carry out one action in each of these hands. An illegal one is refused before any is carried out."""
        chosen = np.ascontiguousarray(actions, np.int64)
        if len(chosen) != len(rows):
            raise IllegalError(f"{len(chosen)} actions were given for {len(rows)} decisions")
        legal = kernels.legal_rows(self.rules, self.state, rows)
        bad = kernels.first_illegal(legal, chosen, self.game.limit)
        if bad >= 0:
            raise IllegalError(self.why_not(int(rows[bad]), int(chosen[bad])))
        self.make_room(rows)
        kernels.apply_rows(self.rules, self.state, self.history, rows, chosen)

    def settle(self) -> Ints:
        """What every player won or lost, by position; all hands must be over."""
        return self.settle_rows(np.arange(len(self)))

    def settle_rows(self, rows: Ints) -> Ints:
        """What every player won or lost in some hands that are over."""
        return kernels.settle_rows(self.rules, self.state, self.cards, rows, tables())

    def why_not(self, row: int, action: int) -> str:
        """Why an action is not legal in a hand, in words."""
        from mazzo.holdem.hand import Hand

        return Hand.of_row(self, row).why_not(action)


@inlined
def lucky_one(key: np.uint64, number: int) -> np.uint64:
    """The luck number of a numbered hand under a key."""
    return mix(fork(key, number))


def lucky(key: np.uint64, numbers: Sequence[int] | Ints) -> NDArray[np.uint64]:
    """One luck number for each numbered hand under a key."""
    return _lucky(key, np.asarray(numbers, np.int64))


@kernel
def _lucky(key: np.uint64, numbers: Ints) -> NDArray[np.uint64]:
    out = np.empty(len(numbers), np.uint64)
    for k in range(len(numbers)):
        out[k] = lucky_one(key, numbers[k])
    return out
