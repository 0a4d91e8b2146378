"""Many hands at once, advanced in lockstep: the arrays that the kernels work on, and the door to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mazzo.agent import Agent
from mazzo.arrays import Ints
from mazzo.errors import IllegalError
from mazzo.holdem import columns as c
from mazzo.holdem import kernels, notation
from mazzo.holdem.notation import LegalBets
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.holdem.rules import rules as find_rules
from mazzo.holdem.showdown import tables
from mazzo.jit import inlined, tight
from mazzo.lockstep import ShownTable
from mazzo.rng import below, fork, forks, mix, mixed

__all__ = ["Cards", "Table", "deal_cards", "deal_into", "deal_one", "hand_key", "hand_keys"]

Cards = NDArray[np.uint8]


@inlined
def deal_one(key: np.uint64, deal: int, deck: Cards, pack: Cards, cards: Cards, row: int, width: int) -> None:
    """Deal one numbered deal under a key into a row of `cards`; `pack` is room for the deck."""
    size = len(deck)
    for j in range(size):
        pack[j] = deck[j]
    rng_key = fork(key, deal)
    for j in range(width):
        if j & 1:
            draw = rng_key << np.uint64(32)
        else:
            rng_key = fork(rng_key, j)
            draw = rng_key
        other = j + below(draw, size - j)
        pack[j], pack[other] = pack[other], pack[j]
        cards[row, j] = pack[j]


@tight
def deal_into(key: np.uint64, deals: Ints, deck: Cards, pack: Cards, cards: Cards) -> None:
    """`deal_one` for many, a row of `cards` each."""
    for k in range(len(deals)):
        deal_one(key, deals[k], deck, pack, cards, k, cards.shape[1])


def deal_cards(game: Rules, key: np.uint64, deals: ArrayLike, width: int | None = None) -> Cards:
    """The cards of numbered deals under a key: hole cards position by position, then the board.

    `width` asks for more cards than a hand needs: those that lie next in the deck.
    """
    numbers = np.asarray(deals, np.int64)
    cards = np.empty((len(numbers), width or game.cards_dealt), np.uint8)
    deal_into(key, numbers, game.deck_array, game.deck_array.copy(), cards)
    return cards


@tight
def _look(
    rules: Ints,
    state: Ints,
    cards: Cards,
    rng_key: NDArray[np.uint64],
    rows: Ints,
    hole: Cards,
    board: NDArray[np.int8],
    chance: NDArray[np.uint64],
    history: Ints,
    record: Ints,
) -> None:
    """Fill in what the actors of `state`, a row a decision, see of the hands in `rows`."""
    for k in range(len(rows)):
        i = rows[k]
        g, p = state[k, c.GAME], state[k, c.ACTOR]
        own, first = rules[g, c.HOLE_CARDS], rules[g, c.HOLE_CARDS] * rules[g, c.PLAYERS]
        for j in range(own):
            hole[k, j] = cards[i, p * own + j]
        for j in range(rules[g, c.BOARD_SEEN + state[k, c.ROUND]]):
            board[k, j] = cards[i, first + j]
        chance[k] = fork(rng_key[i], state[k, c.COUNT])
        for j in range(record.shape[1]):
            record[k, j] = history[i, j] if j < state[k, c.COUNT] else c.NO_ACTION


class Table(ShownTable):
    """A batch of hands of one game. Rows are independent; each is one hand from deal to payoff."""

    deals_are: ClassVar[str] = "hands"
    compiled: ClassVar[Mapping[str, Callable[[Any, Sequence[Any]], None]]] = {}
    """By `Agent.kernel`: plays a whole table between agents of that kind; those agents' module enters it."""

    def __init__(
        self,
        game: Rules | str,
        cards: Cards,
        stacks: ArrayLike | None = None,
        rng_key: NDArray[np.uint64] | None = None,
        seating: NDArray[np.int16] | None = None,
        spare: Table | None = None,
    ) -> None:
        """Deal `cards` (one row a hand) and post antes and blinds.

        Args:
            game: the rules, or what `mazzo.holdem.rules` reads.
            cards: hole cards position by position, then the board; a row a hand.
            stacks: chips by position, for all hands or a row a hand; by default the game's.
            rng_key: one number a hand, from which agents that randomise get theirs.
            seating: which player of the match sits at each position; by default player p at position p.
            spare: a table nobody needs any more, whose memory may be used again: asking the system for fresh memory
                costs as much as playing the hands.
        """
        game = find_rules(game)
        size = len(cards)
        self.game = game
        self.cards = cards
        self.rules = game.row[None, :]
        if spare is None or len(spare) != size or spare.game is not game:
            self.state: Ints = np.empty((size, c.STATE_WIDTH), np.int64)
            self.history: Ints = np.empty((size, 8 * game.rounds), np.int64)  # a row is filled up to its COUNT
        else:
            self.state, self.history = spare.state, spare.history
        self._post(np.asarray(game.stacks if stacks is None else stacks, np.int64))
        self._sit(rng_key, seating)

    @classmethod
    def of_rows(
        cls,
        game: Rules,
        state: Ints,
        history: Ints,
        cards: Cards,
        rng_key: NDArray[np.uint64] | None = None,
        seating: NDArray[np.int16] | None = None,
    ) -> Self:
        """A table of hands that are under way or over, their arrays as they are: nothing is dealt or posted."""
        table = cls.__new__(cls)
        table.game, table.rules = game, game.row[None, :]
        table.state, table.history, table.cards = state, history, cards
        table._sit(rng_key, seating)
        return table

    def _sit(self, rng_key: NDArray[np.uint64] | None, seating: NDArray[np.int16] | None) -> None:
        size, players = len(self.state), self.game.players
        self.rng_key = np.zeros(size, np.uint64) if rng_key is None else rng_key
        self.seating = np.tile(np.arange(players, dtype=np.int16), (size, 1)) if seating is None else seating

    def row(self, row: int) -> Self:
        """A copy of one hand."""
        one = slice(row, row + 1)
        arrays: Sequence[NDArray[Any]] = (self.state, self.history, self.cards, self.rng_key, self.seating)
        return type(self).of_rows(self.game, *(array[one].copy() for array in arrays))

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
            wider = np.empty((len(self), max(2 * width, 8)), np.int64)
            wider[:, :width] = self.history
            self.history = wider

    def observe(self, rows: Ints, seats: Ints | None = None) -> Observations:
        """What the players to act in these hands see, or the ones at given seats; who is not to act may not raise."""
        size = len(rows)
        state = self.state[rows]
        waiting = None if seats is None else state[:, c.ACTOR] != seats
        if seats is not None:
            state[:, c.ACTOR] = seats
        hole = np.empty((size, self.game.hole_cards), np.uint8)
        board = np.full((size, sum(self.game.board_cards)), -1, np.int8)
        rng_key = np.empty(size, np.uint64)
        record = np.empty((size, int(state[:, c.COUNT].max(initial=0))), np.int64)
        _look(self.rules, state, self.cards, self.rng_key, rows, hole, board, rng_key, self.history, record)
        legal = kernels.legal_rows(self.rules, state, np.arange(size))
        if waiting is not None:
            legal[1:, waiting] = 0
        return Observations(
            game=self.game,
            state=state,
            history=record,
            hole=hole,
            board=board,
            owed=legal[0],
            raise_low=legal[1],
            raise_high=legal[2],
            rng_key=rng_key,
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

    def check_choice(self, agent: Agent[Any], rows: Ints, seen: Observations, actions: Ints) -> None:
        """Refuse a fold where checking is free, but of an agent that says it does so."""
        free = np.flatnonzero((actions == c.FOLD) & (seen.owed == 0))
        if len(free) and not agent.folds_free:
            k = int(free[0])
            line = self._line(int(rows[k]), seen.state[k], seen.history[k])
            raise IllegalError(f"it folded where checking was free: {line}")

    def settle(self) -> Ints:
        """What every player won or lost, by position; all hands must be over."""
        return self.settle_rows(np.arange(len(self)))

    def settle_rows(self, rows: Ints) -> Ints:
        """What every player won or lost in some hands that are over."""
        return kernels.settle_rows(self.rules, self.state, self.cards, rows, tables())

    def legal(self, row: int) -> LegalBets:
        """What the player to act in a hand may do; nothing when it is over."""
        owed, low, high = (int(k) for k in kernels.legal_rows(self.rules, self.state, np.array([row]))[:, 0])
        return LegalBets(owed, low, high, limit=self.game.limit, over=bool(self.actor[row] < 0))

    def why_not(self, row: int, action: int) -> str:
        """Why an action is not legal in a hand, in words, with the hand as the player to act sees it."""
        actor, legal = int(self.actor[row]), self.legal(row)
        reason = notation.why_not(self.game, self.state[row], legal, action) if actor >= 0 else "the hand is over"
        what = notation.action_text(action, self.game.limit)
        line = self._line(row, self.state[row], self.history[row])
        return f"{what} is not legal for player {actor + 1}: {reason} (legal: {legal}; {line})"

    def _line(self, row: int, state: Ints, history: Ints) -> str:
        """A hand as the player to act in `state` sees it."""
        actor, width = int(state[c.ACTOR]), self.game.hole_cards
        cards = [int(card) for card in self.cards[row]]
        for other in range(self.game.players * width):
            if other // width != actor:
                cards[other] = c.UNKNOWN
        return notation.line_text(self.game, state, history, cards, viewer=actor)


@inlined
def hand_key(key: np.uint64, number: int) -> np.uint64:
    """The random key of a numbered hand."""
    return mix(fork(key, number))


def hand_keys(key: np.uint64, numbers: Sequence[int] | Ints) -> NDArray[np.uint64]:
    """One random key for each numbered hand."""
    return mixed(forks(key, np.asarray(numbers, np.int64)))
