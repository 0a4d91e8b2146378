"""The betting tree of a spot: grown by the rules' own kernels, with the sizes that the spot allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mazzo.arrays import Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem import kernels
from mazzo.holdem.solver.spot.sizes import BetNode, amounts
from mazzo.holdem.solver.spot.spot import Spot

__all__ = ["CHANCE", "DECISIONS", "FOLDED", "MOST_NODES", "RUN_OUT", "SHOWDOWN", "Betting", "Node", "grow"]

# Kinds of nodes; 0 and 1 are decisions of that player.
DECISIONS = (0, 1)
FOLDED, SHOWDOWN, CHANCE, RUN_OUT = 2, 3, 4, 5
MOST_NODES = 300_000
_RIVER = 3


class Node(NamedTuple):
    """One place of the betting tree."""

    kind: int
    street: int
    """1 flop, 2 turn, 3 river; of an end the street on which it came."""
    action: int
    """What led here, as the rules code it; 0 at the start and below a chance node."""
    facing: int
    """The bet of this street that was to be matched when that was done."""
    to: int
    """Of a bet or raise: chips in on this street afterwards."""
    put: tuple[int, int]
    """Chips each has put in since the spot began."""
    children: list[int]

    @property
    def name(self) -> str:
        """What led here, as it is typed: k, c, f, b100 or r300."""
        if self.action == c.FOLD:
            return "f"
        if self.action == c.CALL:
            return "c" if self.facing else "k"
        return f"{'r' if self.facing else 'b'}{self.to}"

    @property
    def words(self) -> str:
        """What led here in words."""
        if self.action == c.FOLD:
            return "fold"
        if self.action == c.CALL:
            return "call" if self.facing else "check"
        return f"{'raise to' if self.facing else 'bet'} {self.to}"


@dataclass(frozen=True)
class Betting:
    """All betting that a spot allows: nodes, parents before children, and the state of the hand at each."""

    spot: Spot
    nodes: list[Node]
    state: Ints
    history: Ints

    def count(self, kind: int) -> int:
        """How many nodes are of a kind."""
        return sum(node.kind == kind for node in self.nodes)


class _Grower:
    def __init__(self, spot: Spot) -> None:
        self.spot, self.rules = spot, spot.rules.row[None, :]
        self.nodes: list[Node] = []
        self.states: list[Ints] = []
        self.histories: list[Ints] = []

    def start(self) -> tuple[Ints, Ints]:
        """The hand as it stands when the spot begins."""
        game, state = self.spot.rules, np.zeros((1, c.STATE_WIDTH), np.int64)
        state[0, c.ROOM : c.ROOM + 2] = game.stacks
        kernels.begin_rows(self.rules, state, np.arange(1))
        history = np.zeros((1, 64), np.int64)
        half = self.spot.pot // 2
        if int(state[0, c.BET]) < half:
            self._do(state, history, half)
        while int(state[0, c.ROUND]) < self.spot.street:
            self._do(state, history, c.CALL)
        for word in self.spot.line.split():
            self._take(state, history, word)
        return state, history

    def _take(self, state: Ints, history: Ints, word: str) -> None:
        """Something that was done before the spot begins."""
        owed, low, high = (int(k) for k in kernels.legal_rows(self.rules, state, np.zeros(1, np.int64))[:, 0])
        action = c.CALL if word in ("k", "c") else int(state[0, c.BASE]) + int(word[1:])
        facing = int(state[0, c.BET]) > int(state[0, c.BASE])
        fits = (word == "c") == (owed > 0) if action == c.CALL else low <= action <= high and (word[0] == "r") == facing
        if fits:
            self._do(state, history, action)
        if not fits or int(state[0, c.ACTOR]) < 0 or int(state[0, c.ROUND]) != self.spot.street:
            raise UnreadableError(
                f"the line {self.spot.line!r} cannot have been played at {word!r}, or ends the street; amounts are "
                "chips in on this street, and someone must be to act after it"
            )

    def _do(self, state: Ints, history: Ints, action: int) -> None:
        kernels.apply_rows(self.rules, state, history, np.zeros(1, np.int64), np.array([action]))

    def grow(self, state: Ints, history: Ints, led: tuple[int, int, int], donk: bool) -> int:
        """Add the node of a state and all below it; gives its number. `led` says what led there."""
        number, actor, street = self._add(int(state[0, c.ACTOR]), int(state[0, c.ROUND]), state, history, led)
        owed, low, high = (int(k) for k in kernels.legal_rows(self.rules, state, np.zeros(1, np.int64))[:, 0])
        base, bet = int(state[0, c.BASE]), int(state[0, c.BET])
        options = [c.FOLD] * (owed > 0) + [c.CALL]
        cap = self.spot.number_of("raise_cap", actor, street)
        if high and not (cap and int(state[0, c.RAISES]) >= cap):
            d = BetNode(
                pot=int(state[0, c.POT]) + owed,
                facing=bet - base,
                low=low - base,
                high=high - base,
                behind=int(state[0, c.ROOM + 1 - actor] - state[0, c.SPENT + 1 - actor]),
                streets=4 - street,
                bets=int(state[0, c.RAISES]),
            )
            options += [base + to for to in self._amounts(actor, street, d, donk)]
        for action in options:
            after, record = state.copy(), history.copy()
            self._do(after, record, action)
            to = action - base if action >= c.RAISE else 0
            self.nodes[number].children.append(
                self._after(after, record, street, (action, bet - base, to), actor == 0 and owed > 0)
            )
        return number

    def _amounts(self, actor: int, street: int, d: BetNode, donk: bool) -> list[int]:
        kind = "raise" if d.facing else "donk" if donk and actor == 0 else "bet"
        sizes = self.spot.sizes_of(actor, street, kind)
        if kind == "donk" and f"{('flop', 'turn', 'river')[street - 1]}_donk" not in self.spot.sizes:
            sizes = self.spot.sizes_of(actor, street, "bet")
        own = (self.spot.number_of(name, actor, street) for name in ("add_allin", "force_allin", "merge"))
        return amounts(sizes, d, *own)

    def _after(self, state: Ints, history: Ints, street: int, led: tuple[int, int, int], oop_called: bool) -> int:
        """Add what an action led to."""
        live, actor, now = int(state[0, c.LIVE]), int(state[0, c.ACTOR]), int(state[0, c.ROUND])
        if live != 3:
            return self._add(FOLDED, street, state, history, led)[0]
        if actor < 0:
            return self._add(SHOWDOWN if street == _RIVER else RUN_OUT, street, state, history, led)[0]
        if now == street:
            return self.grow(state, history, led, False)
        number = self._add(CHANCE, street, state, history, led)[0]
        self.nodes[number].children.append(self.grow(state, history, (0, 0, 0), oop_called))
        return number

    def _add(
        self, kind: int, street: int, state: Ints, history: Ints, led: tuple[int, int, int]
    ) -> tuple[int, int, int]:
        number = len(self.nodes)
        if number >= MOST_NODES:
            raise UnreadableError(
                f"this spot has more than {MOST_NODES:,} sequences of bets; give fewer sizes, or a raise_cap"
            )
        spent = state[0, c.SPENT : c.SPENT + 2] - self.spot.pot // 2
        self.nodes.append(Node(kind, street, *led, (int(spent[0]), int(spent[1])), []))
        self.states.append(state[0].copy())
        self.histories.append(history[0].copy())
        return number, kind, street


def grow(spot: Spot) -> Betting:
    """The betting tree of a spot."""
    grower = _Grower(spot)
    state, history = grower.start()
    grower.grow(state, history, (0, 0, 0), False)
    return Betting(spot, grower.nodes, np.array(grower.states), np.array(grower.histories))
