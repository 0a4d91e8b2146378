"""Many rounds of briscola at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mazzo.agent import Agent
from mazzo.arrays import Ints
from mazzo.cards import ITALIAN
from mazzo.errors import IllegalError
from mazzo.rng import stream

from . import kernels
from .kernels import Small, State
from .observation import Observations, look
from .rules import Rules

__all__ = ["Table"]


@dataclass
class Table:
    """Rounds of one kind of rules; `kernels.State` says what its arrays are."""

    state: State
    seating: Ints
    """[n, 2] which player of the match sits where."""
    keys: NDArray[np.uint64]
    """[n] what agents' random numbers come from."""
    leaders: Ints
    """[n] who leads the first trick."""
    rules: Rules
    compiled: ClassVar[Mapping[str, Callable[[Any, Sequence[Any]], None]]] = {}

    @classmethod
    def begin(cls, deck: Small, leaders: Ints, rules: Rules, keys: NDArray[np.uint64]) -> Self:
        """Rounds about to begin, with these decks."""
        n = len(deck)
        numbers = [np.zeros(shape, np.int64) for shape in ((n, 2), (n, 2), n, n, (n, 2))]
        hands, shown, count, drawn, points = numbers
        none = np.full((n, 40), -1, np.int8)
        state = State(deck.copy(), none, hands, shown, none.copy(), count, drawn, leaders.astype(np.int8), points)
        kernels.begin(state, rules.hand)
        return cls(state, np.tile(np.arange(2), (n, 1)), keys, leaders, rules)

    @classmethod
    def deal(cls, seed: int, numbers: range, rules: Rules, plays: int = 1) -> Self:
        """The deals of these numbers of a seed, each so many times in a row."""
        deck = np.empty((len(numbers), 40), np.int8)
        kernels.shuffle(stream(seed, "deal"), numbers.start, deck)
        first, n = numbers.start * plays, len(numbers) * plays
        chance = kernels.forks(np.full(n, stream(seed, "luck")), np.arange(first, first + n))
        return cls.begin(np.repeat(deck, plays, axis=0), np.zeros(n, np.int64), rules, chance)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def actor(self) -> Small:
        """[n] the seat to act; -1 where the round is over."""
        return self.state.turn

    def observe(self, rows: Ints, seats: Ints | None = None) -> Observations:
        """What the seats to act in these rounds see, or other seats."""
        looks = self.state.turn[rows].astype(np.int64) if seats is None else seats
        return look(self.state, rows, looks, kernels.forks(self.keys[rows], self.state.plays[rows]))

    def apply(self, rows: Ints, actions: ArrayLike) -> None:
        """Play one card in each of these rounds; none is played if one of them is not held."""
        cards = np.asarray(actions, np.int64)
        if cards.shape != rows.shape:
            raise IllegalError(f"{cards.shape} cards were given for {len(rows)} decisions: one each is right")
        held = self.state.hands[rows, self.state.turn[rows]]
        wrong = (cards < 0) | (cards >= 40) | (held >> np.clip(cards, 0, 39) & 1 == 0)
        if wrong.any():
            k = int(np.argmax(wrong))
            may = " ".join(map(str, ITALIAN.unmask(int(held[k]))))
            raise IllegalError(f"card {int(cards[k])} was played where {may} are held")
        self.carry_out(rows, cards)

    def carry_out(self, rows: Ints, cards: Ints) -> None:
        """Play cards without asking whether they are held: one who does not know the hand cannot say."""
        kernels.apply(self.state, rows, cards)

    def settle(self) -> Ints:
        """[n, 2] each seat's points less the other's; all rounds must be over."""
        if (self.state.turn >= 0).any():
            raise IllegalError(f"round {int(np.argmax(self.state.turn >= 0))} is not over: it has no result yet")
        return np.asarray(self.state.points - self.state.points[:, ::-1])

    def check_choice(self, agent: Agent[Any], rows: Ints, seen: Any, actions: Ints) -> None:
        """Whatever is legal may be played."""

    def row(self, row: int) -> Self:
        """A copy of one round."""
        one = slice(row, row + 1)
        rest = {f.name: getattr(self, f.name)[one].copy() for f in fields(self) if f.name not in ("state", "rules")}
        state: list[Any] = [array[one].copy() for array in self.state]
        return type(self)(State(*state), **rest, rules=self.rules)
