"""What open hands are worth: a round, an ending, or many rounds at once; exact, in thirds of a point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mazzo.cards import ITALIAN, Card
from mazzo.deal import read_parts
from mazzo.document import Grid, Section, Shown
from mazzo.errors import IllegalError
from mazzo.jit import kernel
from mazzo.tressette.kernels import Ints, State, legal_cards, trick_stands
from mazzo.tressette.observation import cards_text
from mazzo.tressette.round import SEATS, WORDS, Round, leader_of
from mazzo.tressette.solver.search import EVERY, Position, every_card, memory_for, settle, tables, to_be_had
from mazzo.tressette.table import Table
from mazzo.tressette.view import View

__all__ = ["Solved", "card_values", "read_position", "solve", "value_of_hands", "values_of_rounds"]


@dataclass(frozen=True)
class Solved(Shown):
    """What every legal card is worth to the side to act: thirds of a point from here on, the last trick included."""

    position: str
    """The four hands, and who leads or what lies on the table."""
    turn: str
    """The seat to act."""
    thirds: dict[Card, int]
    """By legal card what the side to act gets of all there is still to get."""
    taken: tuple[int, int]
    """Thirds that south and north, and east and west, have taken before."""

    @property
    def best(self) -> tuple[Card, ...]:
        """The cards that get most."""
        most = max(self.thirds.values())
        return tuple(card for card, value in self.thirds.items() if value == most)

    @property
    def grid(self) -> Grid:
        """The cards, best first."""
        ordered = sorted(self.thirds.items(), key=lambda item: (-item[1], item[0]))
        return Grid(("card", "thirds", "points"), [(str(card), v, f"{v / 3:.2f}") for card, v in ordered])

    @property
    def words(self) -> tuple[str, str]:
        """The position, and what the grid tells of it."""
        return self.position, f"{self.turn} plays; thirds its side gets from here on:"

    def section(self) -> Section:
        """The position and the worth of every card."""
        return Section("", self.words, tables=[self.grid])

    def as_dict(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {
            "position": self.position,
            "turn": self.turn,
            "thirds_taken": {"south-north": self.taken[0], "east-west": self.taken[1]},
            "best": [str(card) for card in self.best],
            "thirds": {str(card): value for card, value in self.thirds.items()},
        }


def solve(given: Round | Table | str) -> Solved:
    """What every legal card is worth when all four hands lie open and everyone plays perfectly.

    Args:
        given: A round at any stage, one row of a `Table`, or the text of a position: a round's text, or the four hands
            of an ending with who leads (`south 3d 4c; east 2d 5c; north Ad 6c; west 10d 7c; lead south`).
    """
    if isinstance(given, View):
        raise IllegalError(f"only open hands can be solved, and of this round one hand is known: {given}")
    table = read_position(given) if isinstance(given, str) else given.row if isinstance(given, Round) else given
    if len(table) != 1 or not table.hands[0].any():
        raise IllegalError(
            f"nothing is left to be played in {given}" if len(table) == 1 else "solve one round at a time"
        )
    taken = (int(table.thirds[0, 0]), int(table.thirds[0, 1]))
    return Solved(_position_text(table), SEATS[int(table.turn[0])], card_values(table), taken)


def read_position(text: str) -> Table:
    """Four open hands from their text: a round as `Round.parse` reads it, or an ending of fewer cards each."""
    parts = read_parts(text, (*SEATS, *WORDS))
    hands = [ITALIAN.parse(parts.get(name, "")) for name in SEATS]
    sizes = [len(hand) for hand in hands]
    if set(sizes) == {10} or "play" in parts:
        return Round.parse(text).row
    if len(set(sizes)) != 1 or not sizes[0]:
        have = ", ".join(f"{name} {n}" for name, n in zip(SEATS, sizes, strict=True))
        raise IllegalError(f"at the start of a trick all four hold equally many cards, at least one; here: {have}")
    twice = sorted({card for hand in hands for card in hand if sum(card in other for other in hands) > 1})
    if twice:
        raise IllegalError(f"held by more than one seat: {' '.join(map(str, twice))}")
    return Table.begin(np.array([[ITALIAN.mask(hand) for hand in hands]]), leader_of(parts, SEATS, text))


def _position_text(table: Table) -> str:
    hands = [f"{name} {cards_text(int(mask))}" for name, mask in zip(SEATS, table.hands[0], strict=True)]
    count = int(table.count[0])
    trick = ITALIAN.text(table.played[0, count - count % 4 : count])
    return "; ".join([*hands, f"on the table {trick}" if trick else f"lead {SEATS[int(table.turn[0])]}"])


def value_of_hands(hands: Sequence[int], leader: int = 0) -> int:
    """Thirds that the leader's side gets of all there is to get, everyone playing perfectly.

    Args:
        hands: Four masks of equally many cards, in order of play.
        leader: The seat that leads.
    """
    sizes = {int(hand).bit_count() for hand in hands}
    together = int(np.bitwise_or.reduce(np.asarray(hands, np.int64)))
    if len(hands) != 4 or len(sizes) != 1 or together.bit_count() != 4 * max(sizes) or not together:
        raise IllegalError(f"four hands of equally many cards, none held twice, are solved; these are {_shown(hands)}")
    a, b, c, d = (np.int64(hands[(leader + k) & 3]) for k in range(4))
    nothing = np.int64(0)
    position = Position(a, b, c, d, nothing, nothing, nothing, nothing, nothing)
    middle = np.int64(to_be_had(position) // 2)
    memory = memory_for(max(sizes))
    return int(settle(position, np.int64(EVERY), nothing, np.int64(1), middle, memory, tables()))


def _shown(hands: Sequence[int]) -> str:
    return "; ".join(ITALIAN.text(ITALIAN.unmask(int(hand))) or "none" for hand in hands)


def values_of_rounds(table: Table) -> Ints:
    """[n, 40] thirds that the side to act gets from here on (what lies on the table included) by each legal card.

    Cards that are not legal have -1. Everyone sees all cards and plays perfectly afterwards.
    """
    values = np.full((len(table), 40), -1, np.int64)
    most = 10 - int(table.count.min()) // 4
    _values_of_rows(table.state, memory_for(max(most, 1)), tables(), values)
    return values


def card_values(table: Table) -> dict[Card, int]:
    """What every legal card of one round is worth: `values_of_rounds` of a batch of one."""
    return {Card(k, ITALIAN): int(value) for k, value in enumerate(values_of_rounds(table)[0]) if value >= 0}


@kernel
def _values_of_rows(state: State, memory: Ints, tables: Ints, values: Ints) -> None:
    for i in range(len(values)):
        if state.plays[i] == 40:
            continue
        hands, t = state.hands[i], np.int64(state.turn[i])
        a, b, c, d = hands[t], hands[(t + 1) & 3], hands[(t + 2) & 3], hands[(t + 3) & 3]
        led, best, owner, on_table = trick_stands(state.played[i], state.plays[i])
        position = Position(a, b, c, d, state.plays[i] & 3, led, best, owner, on_table)
        legal, middle = legal_cards(a, led), to_be_had(position) // 2
        every_card(position, legal, np.int64(0), np.int64(1), middle, memory, tables, values[i])
