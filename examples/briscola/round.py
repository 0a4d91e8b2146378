"""A round one can hold: print, parse, play, take back. A view of one row of a `Table`."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from mazzo.cards import ITALIAN, Card
from mazzo.deal import Choices, Deal, read_parts
from mazzo.document import CardRow, Section
from mazzo.errors import IllegalError, UnreadableError
from mazzo.registry import read_parameters

from .kernels import Small
from .observation import Observations
from .rules import Rules
from .table import Table

__all__ = ["SEATS", "Round"]

SEATS = ("first", "second")
_ROW = np.zeros(1, np.int64)
_ALL = (1 << 40) - 1


class Round(Deal):
    """A round of briscola for two. The text is `first 4d Ac 3s; second ...; stock ...; play 4d 5d, ...`.

    Cards stand in the order in which they are dealt and drawn; the last one of the stock is turned up and its suit is
    trumps. One that is not known is `?`.
    """

    names = SEATS
    what: ClassVar[str] = "round"

    def __init__(self, rules: Rules | None = None, *, seed: int = 0, number: int = 0) -> None:
        table = Table.deal(seed, range(number, number + 1), rules or Rules())
        self._hold(table, number)

    def _hold(self, table: Table, number: int = 0) -> None:
        self.row, self.rules, self.number = table, table.rules, number

    @classmethod
    def of_row(cls, table: Table, row: int) -> Self:
        """A copy of one of many rounds, as it stands."""
        one = cls.__new__(cls)
        one._hold(table.row(row))
        return one

    def _with_deck(self, deck: Small) -> Self:
        """The same actions with another deck."""
        other = type(self).__new__(type(self))
        other._hold(Table.begin(deck[None], self.row.leaders, self.rules, self.row.keys.copy()), self.number)
        for action in self.history:
            other._carry_out(action)
        return other

    @property
    def turn(self) -> int | None:
        """The seat to act; None when the round is over."""
        turn = int(self.row.state.turn[0])
        return turn if turn >= 0 else None

    @property
    def history(self) -> tuple[int, ...]:
        """The cards played so far."""
        return tuple(self.row.state.played[0, : self.row.state.plays[0]].tolist())

    @property
    def trump(self) -> Card:
        """The card that was turned up."""
        return Card(int(self.row.state.deck[0, 39]), ITALIAN)

    @property
    def points(self) -> tuple[int, int]:
        """Points taken by the seats."""
        return int(self.row.state.points[0, 0]), int(self.row.state.points[0, 1])

    @property
    def stock(self) -> int:
        """How many cards are left to draw."""
        return 40 - int(self.row.state.drawn[0])

    @property
    def plays(self) -> list[tuple[int, Card]]:
        """Every card played with its seat, in order."""
        shown = int(self.row.state.shown[0, 0])
        return [(0 if shown >> card & 1 else 1, Card(card, ITALIAN)) for card in self.history]

    @property
    def lead(self) -> tuple[int, Card] | None:
        """The card on the table and whose it is; None between tricks."""
        return self.plays[-1] if len(self.history) % 2 else None

    def hand(self, seat: int) -> list[Card | None]:
        """The cards a seat holds; None for each that is not known."""
        known = list(ITALIAN.unmask(int(self.row.state.hands[0, seat])))
        held = int((self.row.state.owner[0] == seat).sum()) - sum(who == seat for who, _ in self.plays)
        return [*known, *[None] * (held - len(known))]

    def _may_hold(self, seat: int) -> int:
        """The cards a seat may play as far as is known here."""
        state = self.row.state
        held = int(state.hands[0, seat])
        if (state.deck[0][state.owner[0] == seat] >= 0).all():
            return held
        known = ITALIAN.mask([*(card for card in state.deck[0].tolist() if card >= 0), *self.history])
        return held | (_ALL & ~known)

    @property
    def legal(self) -> Choices:
        """Any card of the hand; nothing when the round is over."""
        cards = () if self.turn is None else ITALIAN.unmask(self._may_hold(self.turn))
        return Choices({str(card): int(card) for card in cards})

    @property
    def payoffs(self) -> tuple[float, ...]:
        """By seat its points less the other's."""
        if not self.over:
            raise IllegalError(f"the round is not over: {self}")
        return tuple(float(k) for k in self.row.settle()[0])

    def observe(self, seat: int | None = None) -> Observations:
        """What a seat sees; by default the seat to act."""
        looks = self.turn if seat is None else seat
        if looks is None or None in self.hand(looks):
            raise IllegalError(f"nobody whose cards are known is to act in {self}")
        return self.row.observe(_ROW, np.array([looks]))

    def _known_to(self, seat: int | None) -> Any:
        """[40] which cards of the deck a seat knows: those it was given, and the one turned up."""
        given = self.row.state.owner[0] == (-2 if seat is None else seat)
        return given | (np.arange(40) == 39)

    def seen(self, seat: int | None = None) -> Self:
        """The same round without what a seat may not know; by default the seat to act."""
        deck = self.row.state.deck[0]
        return self._with_deck(np.where(self._known_to(self.turn if seat is None else seat), deck, -1).astype(np.int8))

    def redealt(self, seat: int, seed: int = 0) -> Self:
        """A copy with the cards that the other holds and those in the stock shuffled, as this seat cannot tell."""
        deck = self.row.state.deck[0].copy()
        free = ~self._known_to(seat) & ~np.isin(deck, self.history)
        deck[free] = np.random.default_rng(seed).permutation(deck[free])
        return self._with_deck(deck)

    def read_action(self, text: str) -> int:
        """A card: `4d`."""
        return int(ITALIAN.card(text))

    def action_text(self, action: int) -> str:
        """The card as it is written."""
        return str(Card(action, ITALIAN)) if 0 <= action < 40 else f"card {action}"

    def _why_not(self, action: int) -> str:
        may = self._may_hold(self.turn or 0)
        return "" if 0 <= action < 40 and may >> action & 1 else f"{self.names[self.turn or 0]} does not hold it"

    def _carry_out(self, action: int) -> None:
        self.row.carry_out(_ROW, np.array([action]))

    def _begin_again(self) -> None:
        table = self.row
        self.row = Table.begin(table.state.deck, table.leaders, self.rules, table.keys)

    def _dealt(self) -> object:
        return self.row.state.deck.tolist(), int(self.row.leaders[0])

    def text(self) -> str:
        """All of it in one line, as `parse` reads it."""
        words = ["?" if card < 0 else self.action_text(card) for card in self.row.state.deck[0].tolist()]
        hand, played = self.rules.hand, [self.action_text(card) for card in self.history]
        parts = [f"hand {hand}"] if self.rules != Rules() else []
        parts += [f"{SEATS[k]} {' '.join(words[k * hand : (k + 1) * hand])}" for k in range(2)]
        parts += [f"stock {' '.join(words[2 * hand :])}"]
        parts += ["lead second"] if self.row.leaders[0] else []
        tricks = ", ".join(" ".join(played[k : k + 2]) for k in range(0, len(played), 2))
        return "; ".join([*parts, f"play {tricks}"] if tricks else parts)

    @classmethod
    def parse(cls, text: str, rules: Rules | None = None) -> Self:
        """A round from its text; cards that the text does not show stay unknown."""
        parts = read_parts(text, ("hand", *SEATS, "stock", "lead", "play"))
        of = (
            Rules(**read_parameters(Rules, {"hand": parts["hand"]}, "a round")) if "hand" in parts else rules or Rules()
        )
        words = [word for name in (*SEATS, "stock") for word in parts.get(name, "").split()]
        sizes = [len(parts.get(name, "").split()) for name in (*SEATS, "stock")]
        if sizes != [of.hand, of.hand, 40 - 2 * of.hand] or words[-1] == "?":
            raise UnreadableError(f"write {of.hand} cards of each seat and the stock, the last one open, not {text!r}")
        deck = np.array([-1 if word == "?" else int(ITALIAN.card(word)) for word in words], np.int8)
        known = deck[deck >= 0].tolist()
        if len(set(known)) < len(known) or parts.get("lead", "first") not in SEATS:
            raise UnreadableError(f"duplicate card, or nobody of that name leads, in {text!r}")
        one = cls.__new__(cls)
        leaders = np.array([SEATS.index(parts.get("lead", "first"))])
        one._hold(Table.begin(deck[None], leaders, of, np.zeros(1, np.uint64)))
        for card in parts.get("play", "").replace(",", " ").split():
            one.act(card)
        return one

    def section(self) -> Section:
        """The cards that the seat to act may see, and how the round stands."""
        seen = self.seen()
        rows = [
            CardRow(name, "italian", [None if c is None else str(c) for c in seen.hand(k)])
            for k, name in enumerate(SEATS)
        ]
        rows.append(CardRow("turned up", "italian", [str(self.trump)], f"{self.stock} cards left to draw"))
        rows += [CardRow("on the table", "italian", [str(self.lead[1])])] if self.lead else []
        title = "The round is over" if self.turn is None else f"Trick {len(self.history) // 2 + 1}, {SEATS[self.turn]}"
        return Section(title, [f"Points {self.points[0]} to {self.points[1]}."], cards=rows)
