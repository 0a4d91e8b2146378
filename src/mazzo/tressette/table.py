"""Many rounds side by side, played in lockstep: what the arena, the agents' batches and the solver work on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mazzo.agent import Agent
from mazzo.arrays import Ints
from mazzo.cards import ITALIAN
from mazzo.errors import IllegalError
from mazzo.lockstep import ShownTable
from mazzo.rng import forks, stream
from mazzo.tressette import kernels
from mazzo.tressette.kernels import SIGNALS, State, deal_hands
from mazzo.tressette.observation import Observations, cards_text, look
from mazzo.tressette.rules import PRESETS, Rules
from mazzo.tressette.rules import rules as find_rules

__all__ = ["Table", "action_text", "keys_of_rounds"]

_Small = NDArray[np.int8]


@dataclass(repr=False)
class Table(ShownTable):
    """Rounds of one kind of rules; row i of every array is round i (see `kernels.State` for the arrays)."""

    hands: Ints
    dealt: Ints
    shown: Ints
    voids: Ints
    owed: Ints
    signals: _Small
    declared: _Small
    napoli: Ints
    played: _Small
    leaders: _Small
    count: Ints
    turn: _Small
    thirds: Ints
    seating: Ints
    """[n, 4] which player of the match sits where."""
    keys: NDArray[np.uint64]
    """[n] what each round's random numbers come from; an agent is handed a part of it decision by decision."""
    match: Ints
    """[n, 3] points of seats 0 and 2, and of seats 1 and 3, before each round, and the target (0: none)."""
    rules: Rules

    compiled: ClassVar[Mapping[str, Callable[[Any, Sequence[Any]], None]]] = {}

    @classmethod
    def begin(
        cls,
        dealt: Ints,
        leaders: _Small | int = 0,
        rules: Rules | str = PRESETS["tressette"],
        seating: Ints | None = None,
        keys: NDArray[np.uint64] | None = None,
    ) -> Table:
        """Rounds about to begin: hands dealt and declared.

        Args:
            dealt: [n, 4] the cards of each seat.
            leaders: Who leads the first trick of each round.
            rules: The rules, or what `mazzo.tressette.rules` reads.
            seating: [n, 4] which player sits where; by default player s at seat s.
            keys: [n] what the random numbers come from; by default 0.
        """
        n, rules = len(dealt), find_rules(rules)
        leading = np.full((n, 11), -1, np.int8)
        leading[:, 0] = leaders
        table = cls(
            hands=np.zeros((n, 4), np.int64),
            dealt=np.array(dealt, np.int64),
            shown=np.zeros((n, 4), np.int64),
            voids=np.zeros((n, 4), np.int64),
            owed=np.zeros((n, 4), np.int64),
            signals=np.full((n, 10), 0 if rules.talk else -1, np.int8),
            declared=np.zeros((n, 4, 4), np.int8),
            napoli=np.zeros((n, 4), np.int64),
            played=np.full((n, 40), -1, np.int8),
            leaders=leading,
            count=np.zeros(n, np.int64),
            turn=leading[:, 0].copy(),
            thirds=np.zeros((n, 2), np.int64),
            seating=np.tile(np.arange(4), (n, 1)) if seating is None else seating,
            keys=np.zeros(n, np.uint64) if keys is None else keys,
            match=np.zeros((n, 3), np.int64),
            rules=rules,
        )
        kernels.begin(table.state)
        return table

    @classmethod
    def deal(
        cls, seed: int, numbers: range, leaders: _Small | int = 0, rules: Rules | str = PRESETS["tressette"]
    ) -> Table:
        """The deals of these numbers of a seed, with the random keys of rounds of the same numbers."""
        dealt = np.empty((len(numbers), 4), np.int64)
        deal_hands(stream(seed, "deal"), numbers.start, dealt)
        return cls.begin(dealt, leaders, rules, keys=keys_of_rounds(seed, numbers.start, len(numbers)))

    @property
    def state(self) -> State:
        """The arrays as kernels take them."""
        return State(*[getattr(self, name) for name in _ARRAYS])

    def __len__(self) -> int:
        return len(self.hands)

    @property
    def actor(self) -> _Small:
        """[n] the seat to act; -1 where the round is over."""
        return self.turn

    def legal(self, rows: Ints | None = None) -> Ints:
        """The cards that the seats to act may play, as masks."""
        return kernels.legal(self.state, self._rows(rows))

    def observe(self, rows: Ints | None = None, seats: Ints | None = None) -> Observations:
        """What seats know of some rounds; by default those to act, of all rounds."""
        rows = self._rows(rows)
        seats = self.turn[rows].astype(np.int64) if seats is None else seats
        random = forks(self.keys[rows], self.count[rows])
        return look(self.state, self.rules, self.match, rows, seats, random)

    def apply(self, rows: Ints, actions: ArrayLike) -> None:
        """Play one card (+ 40 times the signal) in each of some rounds; none is played if one of them is illegal."""
        chosen = np.asarray(actions, np.int64)
        if chosen.shape != rows.shape:
            raise IllegalError(f"{chosen.shape} cards were given for {len(rows)} decisions: one each is right")
        self._check_said(chosen)
        wrong = int(kernels.apply(self.state, rows, chosen, True))
        if wrong >= 0:
            row = int(rows[wrong])
            may = cards_text(int(self.legal(rows[wrong : wrong + 1])[0]))
            raise IllegalError(
                f"{action_text(int(chosen[wrong]))} was played in trick {int(self.count[row]) // 4 + 1}, where "
                f"{may or 'nothing'} may be played"
            )

    def _check_said(self, actions: Ints) -> None:
        """Refuse signals that these rules do not know; whether they are true is for the kernel."""
        if not self.rules.talk or len(self.rules.may_be_said) == len(SIGNALS) - 1:
            return
        for signal in np.unique(actions // 40):
            if 0 < signal < len(SIGNALS) and SIGNALS[signal] not in self.rules.may_be_said:
                raise IllegalError(
                    f"{SIGNALS[signal]} may not be said by these rules, only {', '.join(self.rules.may_be_said)}"
                )

    def carry_out(self, rows: Ints, actions: Ints) -> None:
        """Play cards without asking whether they are legal: one who does not know all hands cannot say."""
        kernels.apply(self.state, rows, actions, False)

    def settle(self) -> Ints:
        """[n, 4] whole points of each seat's side less the other's (a perdere the other's less its own).

        All rounds must be over.
        """
        if (self.count < 40).any():
            raise IllegalError(f"round {int(np.argmax(self.count < 40))} is not over: it has no result yet")
        return kernels.settle(self.state, self.rules.a_perdere)

    def points(self) -> Ints:
        """[n, 2] whole points of the two sides for the cards taken: each side's thirds rounded down."""
        return self.thirds // 3

    def check_choice(self, agent: Agent[Any], rows: Ints, seen: Any, actions: Ints) -> None:
        """Whatever is legal may be played."""

    def row(self, row: int) -> Self:
        """A copy of one round."""
        arrays = {f.name: getattr(self, f.name)[row : row + 1].copy() for f in fields(self) if f.name != "rules"}
        return type(self)(**arrays, rules=self.rules)

    def copy(self) -> Self:
        """The same rounds in arrays of their own."""
        return deepcopy(self)

    def _rows(self, rows: Ints | None) -> Ints:
        return np.arange(len(self)) if rows is None else rows


_ARRAYS = [field.name for field in fields(Table)][: len(State._fields)]


def action_text(action: int) -> str:
    """A card with its signal, as `Round.act` reads it: `4d`, `4d:busso`."""
    if not 0 <= action < 40 * len(SIGNALS):
        return f"action {action} (cards are 0 to 39, + 40 times the signal)"
    card, signal = ITALIAN.text([action % 40]), SIGNALS[action // 40]
    return f"{card}:{signal}" if signal else card


def keys_of_rounds(seed: int, first: int, n: int) -> NDArray[np.uint64]:
    """[n] keys of chance for the rounds played `first`, `first` + 1, ... under a seed."""
    return forks(stream(seed, "luck"), np.arange(first, first + n))
