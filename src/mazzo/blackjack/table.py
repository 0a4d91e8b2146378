"""Many rounds at once, each with its own cards: what `lockstep.play_out` and the arena play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mazzo.agent import Agent
from mazzo.arrays import Flags, Floats, Ints
from mazzo.blackjack.columns import (
    ACTIONS,
    AT,
    DEALERS,
    DRAWN,
    FINISHED,
    FROM_SPLIT,
    GIVEN,
    MOST_BOXES,
    MOST_HANDS,
    PHASE,
    TURN,
)
from mazzo.blackjack.hands import TableRules, settings_of
from mazzo.blackjack.kernels import RoundState, apply, begin, legal, new_rounds, settle, upcard_of
from mazzo.blackjack.observation import Observations
from mazzo.blackjack.rules import INFINITE, UNLIMITED, Rules, points_needed
from mazzo.blackjack.rules import rules as read_rules
from mazzo.blackjack.shoe import RANKS, Shoe, shoe_of
from mazzo.errors import IllegalError
from mazzo.jit import kernel
from mazzo.lockstep import ShownTable
from mazzo.rng import fork, one_way, stream

__all__ = ["Table", "agents_key", "enough_cards", "round_keys"]


def round_keys(seed: int, numbers: Iterable[int]) -> NDArray[np.uint64]:
    """The chance of the rounds of these numbers under a seed."""
    key = stream(seed, "round")
    return np.array([fork(key, number) for number in numbers], np.uint64)


def agents_key(keys: ArrayLike) -> NDArray[np.uint64]:
    """What agents' random numbers come from in rounds of these keys; it does not lead back to the keys."""
    return one_way(keys, "agents")


def enough_cards(rules: Rules, shoe: Shoe, boxes: int = 1) -> bool:
    """Whether a round can be played and, after any split, its last hand still be counted."""
    return shoe.points >= (boxes + 1) * points_needed(rules) - 56


class Table(ShownTable):
    """Rounds of one set of rules, a row each, every one dealt from the same shoe. Seats are boxes.

    Args:
        rules: The rules, or what `mazzo.blackjack.rules` reads; with a real number of decks.
        keys: The chance of each round: the same key deals the same cards.
        shoe: What the rounds are dealt from; a fresh shoe unless given.
        boxes: How many hands are dealt against the dealer.
        given: The first cards to be drawn in every round; further ones come by chance.
        settings: How the rules are carried out, where not as at a table of people.
        rng_key: Each round's random numbers for agents; unless given they follow from `keys`, but never lead back to
            them, since `keys` deal the hole card.
    """

    compiled: ClassVar[Mapping[str, Callable[[Any, Sequence[Any]], None]]] = {}

    def __init__(
        self,
        rules: Rules | str,
        keys: ArrayLike,
        shoe: Shoe | str | None = None,
        boxes: int = 1,
        given: Sequence[int] = (),
        settings: TableRules | None = None,
        rng_key: ArrayLike | None = None,
    ) -> None:
        self.rules, self.boxes, self.given = read_rules(rules), boxes, tuple(given)
        of = shoe_of(self.rules) if shoe is None else shoe
        self.before = Shoe.parse(of) if isinstance(of, str) else of
        self.settings = settings or settings_of(self.rules)
        self._check()
        key = np.atleast_1d(np.asarray(keys, np.uint64))
        self.rng_key = agents_key(key) if rng_key is None else np.array(rng_key, np.uint64, ndmin=1)
        rows = len(key)
        most = MOST_HANDS if self.rules.max_hands == UNLIMITED else self.rules.max_hands
        self.state = new_rounds(key, boxes * most + 1, self.before.cards)
        self.seating: NDArray[np.int64] = np.tile(np.arange(boxes), (rows, 1))
        self.actions = np.zeros(rows, np.int64)
        self.begin(np.arange(rows))

    def _check(self) -> None:
        if self.rules.decks == INFINITE:
            raise IllegalError("rounds are dealt from real decks: give decks = 1 to 8")
        if not 1 <= self.boxes <= MOST_BOXES:
            raise IllegalError(f"a round has 1 to {MOST_BOXES} boxes, not {self.boxes}")
        if not enough_cards(self.rules, self.before, self.boxes):
            raise IllegalError(f"the shoe {self.before} is too small for a round: shuffle a new one")
        self.before.without(self.given)

    def begin(self, rows: Ints) -> None:
        """Deal these rounds, or deal them again: the same cards."""
        self.state.left[rows] = self.before.counts
        self.state.dealt[rows, : len(self.given)] = self.given
        self.state.cell[rows, GIVEN] = len(self.given)
        self.actions[rows] = 0
        begin(self.settings, self.state, self.boxes, rows)

    def __len__(self) -> int:
        return len(self.state.cell)

    @property
    def actor(self) -> Ints:
        """[n] the box to act; -1 where the round is over."""
        return self.state.cell[:, TURN]

    @property
    def over(self) -> bool:
        """Whether all rounds are over."""
        return bool((self.state.cell[:, PHASE] == FINISHED).all())

    def legal(self, rows: Ints) -> Flags:
        """[row, action]: what the boxes to act may do."""
        bits = np.zeros(len(rows), np.int64)
        _legal_bits(self.settings, self.state, rows, bits)
        return ((bits[:, None] >> np.arange(len(ACTIONS))) & 1).astype(np.bool_)

    def observe(self, rows: Ints) -> Observations:
        """What the boxes to act in these rounds see."""
        count = len(rows)
        cards, shoe = np.zeros((count, 10), np.int64), np.tile(self.before.array(), (count, 1))
        upcard, split = np.zeros(count, np.int64), np.zeros(count, np.bool_)
        keys = np.zeros(count, np.uint64)
        _observe(self.state, self.rng_key, self.actions, rows, cards, shoe, upcard, split, keys)
        return Observations(self.rules, cards, upcard, shoe, self.legal(rows), split, keys)

    def apply(self, rows: Ints, actions: ArrayLike) -> None:
        """Carry out one action in each of these rounds; refuses before any is carried out."""
        chosen = np.asarray(actions, np.int64)
        allowed, known = self.legal(rows), (chosen >= 0) & (chosen < len(ACTIONS))
        wrong = ~known | ~allowed[np.arange(len(rows)), np.where(known, chosen, 0)]
        if wrong.any():
            k = int(np.flatnonzero(wrong)[0])
            names = ", ".join(ACTIONS[a] for a in np.flatnonzero(allowed[k])) or "nothing, the round is over"
            what = ACTIONS[chosen[k]] if known[k] else f"action {chosen[k]}"
            raise IllegalError(f"{what} is not legal in round {rows[k]} ({self._where(int(rows[k]))}); legal: {names}")
        try:
            _apply_all(self.settings, self.state, rows, chosen)
        except IndexError as error:
            raise IllegalError(f"{error}: {self.before.cards} cards do not suffice for so many splits") from None
        self.actions[rows] += 1

    def _where(self, row: int) -> str:
        dealt = self.state.dealt[row, : self.state.cell[row, DRAWN]]
        owner, at = self.state.owner[row], self.state.cell[row, AT]
        hand = ",".join(RANKS[rank] for rank, whose in zip(dealt, owner, strict=False) if whose == at >= 0)
        return f"{hand or 'over'} v {RANKS[upcard_of.py_func(self.state, row)]}"  # type: ignore[attr-defined]

    def settle(self) -> Floats:
        """[n, boxes] what each box won, in units of the bet; all rounds must be over."""
        if not self.over:
            raise IllegalError("not all rounds are over: there are hands still to be played")
        won = np.zeros((len(self), self.boxes))
        _settle_all(self.settings, self.state, won)
        return won

    def check_choice(self, agent: Agent[Any], rows: Ints, seen: Any, actions: Ints) -> None:
        """All that is legal may be played."""

    def row(self, row: int) -> Table:
        """A copy of one round."""
        key, rng_key = self.state.key[row], self.rng_key[row]
        copy = Table(self.rules, key, self.before, self.boxes, self.given, self.settings, rng_key)
        for name in RoundState._fields:
            getattr(copy.state, name)[0] = getattr(self.state, name)[row]
        copy.actions[0] = self.actions[row]
        return copy


@kernel
def _legal_bits(rules: TableRules, state: RoundState, rows: Ints, bits: Ints) -> None:
    for k in range(rows.shape[0]):
        bits[k] = legal(rules, state, rows[k])


@kernel
def _apply_all(rules: TableRules, state: RoundState, rows: Ints, actions: Ints) -> None:
    for k in range(rows.shape[0]):
        apply(rules, state, rows[k], actions[k])


@kernel
def _settle_all(rules: TableRules, state: RoundState, won: Floats) -> None:
    for i in range(won.shape[0]):
        settle(rules, state, i, won[i])


@kernel
def _observe(
    state: RoundState,
    rng_key: NDArray[np.uint64],
    actions: Ints,
    rows: Ints,
    cards: Ints,
    shoe: Ints,
    upcard: Ints,
    split: Flags,
    keys: NDArray[np.uint64],
) -> None:
    """Own cards are counted; those of all other hands are gone from the shoe; the hole card is not looked at."""
    for k in range(rows.shape[0]):
        i = rows[k]
        at = state.cell[i, AT]
        upcard[k] = upcard_of(state, i)
        split[k] = at >= 0 and (state.hands[i, at] & FROM_SPLIT) != 0
        keys[k] = fork(rng_key[i], actions[i])
        for number in range(state.cell[i, DRAWN]):
            rank, owner = state.dealt[i, number], state.owner[i, number]
            if owner == at:
                cards[k, rank] += 1
            elif owner != DEALERS:
                shoe[k, rank] -= 1
