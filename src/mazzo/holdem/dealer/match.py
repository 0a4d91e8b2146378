"""A match as the dealer runs it, without any network: whose turn it is, what seats are told, what answers mean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mazzo.holdem import columns as c
from mazzo.holdem.dealer.reference import ReferenceDeck
from mazzo.holdem.hand import Hand
from mazzo.holdem.logs.formats.acpc_write import table_lines
from mazzo.holdem.notation import action_text
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.holdem.table import Table, deal_cards, hand_keys
from mazzo.rng import stream

__all__ = ["DealerMatch", "Replaced", "read_answer"]

_ANSWER = re.compile(r"([fcrFCRkK])(\d*)")


@dataclass(frozen=True)
class Replaced:
    """An answer that could not stand, and what was played for it."""

    seat: int
    hand: int
    answer: str
    played: str
    why: str

    @property
    def said(self) -> str:
        """The old name of `answer`."""
        return self.answer

    def __str__(self) -> str:
        return f"seat {self.seat + 1}, hand {self.hand}: {self.answer[:80]!r} became {self.played!r}: {self.why}"


def read_answer(hand: Hand, word: str) -> tuple[int, str]:
    """The action that a player's word stands for, and why it is another one if it is.

    As the reference dealer does: what cannot be read, a fold where checking is free and a raise past the cap become
    a call; the size of a no-limit raise is brought within its bounds.
    """
    legal = hand.legal
    found = _ANSWER.fullmatch(word.strip())
    if not found:
        return c.CALL, "it is not an action"
    letter = found[1].lower()
    if letter == "f":
        return (c.FOLD, "") if legal.fold else (c.CALL, "checking is free")
    if letter != "r":
        return c.CALL, ""
    if not legal.raises:
        return c.CALL, "no raise is allowed here"
    if hand.game.limit:
        return legal.raises[0], ""
    if not found[2]:
        return c.CALL, "a no-limit raise needs a size"
    size = int(found[2][:12])
    within = min(max(size, legal.raises[0]), legal.raises[-1])
    return within, "" if within == size else f"a raise is to {legal.raises[0]} at least and {legal.raises[-1]} at most"


@dataclass
class DealerMatch:
    """The hands of a match, one after the other. Seats are counted from 0; positions move round them hand by hand.

    Attributes:
        game: what is played.
        hands: how many.
        seed: of the cards, and of the random choices of agents in the dealer's own seats.
        names: the players by seat.
        reference: deal the cards that the reference dealer deals from this seed.
        duplicate: play every deal once in every seating, as `mazzo match` does.
        rotate: move the seats round from hand to hand.
    """

    game: Rules
    hands: int
    seed: int
    names: Sequence[str]
    reference: bool = False
    duplicate: bool = False
    rotate: bool = True
    number: int = -1
    replaced: list[Replaced] = field(default_factory=list)
    counts: Counter[int] = field(default_factory=Counter)
    """How many answers of each seat were replaced."""

    def __post_init__(self) -> None:
        self.totals = np.zeros(self.game.players)
        self._deck = ReferenceDeck(self.game, self.seed)
        self._cards: NDArray[np.uint8] | None = None
        self._deal_key, self._rng_key = stream(self.seed, "deal"), stream(self.seed, "luck")
        self._messages: list[str] | None = None  # of the state at hand, by seat
        self.table: Table
        self.hand: Hand

    def next_hand(self) -> bool:
        """Deal the next hand; False when the match is over."""
        self.number += 1
        if self.number >= self.hands:
            return False
        deal = self.number // self.game.players if self.duplicate else self.number
        if not self.duplicate or self.number % self.game.players == 0 or self._cards is None:
            self._cards = self._deck.deal() if self.reference else deal_cards(self.game, self._deal_key, [deal])
        shift = self.number if self.rotate or self.duplicate else 0
        seating = ((np.arange(self.game.players) + shift) % self.game.players).astype(np.int16)[None, :]
        self.table = Table(self.game, self._cards, rng_key=hand_keys(self._rng_key, [self.number]), seating=seating)
        self._messages = None
        self.hand = Hand.of_row(self.table, 0, self.number, [self.names[seat] for seat in seating[0]])
        return True

    def position(self, seat: int) -> int:
        """Where a seat sits in this hand."""
        return int(np.flatnonzero(self.table.seating[0] == seat)[0])

    @property
    def turn(self) -> int | None:
        """The seat to act; None when the hand is over."""
        actor = self.hand.actor
        return None if actor is None else int(self.table.seating[0, actor])

    def message(self, seat: int) -> str:
        """What a seat is told now."""
        if self._messages is None:
            self._messages = [self.hand.line(viewer=self.position(k)) for k in range(self.game.players)]
        return self._messages[seat]

    def observe(self) -> Observations:
        """What the player to act sees."""
        return self.table.observe(np.array([0]))

    def answer(self, line: str) -> bool:
        """Carry out the answer of the seat to act. False if the line is to be ignored: stale, unreadable, a comment."""
        seat = self.turn
        line = line.rstrip("\r\n")
        if seat is None or line.startswith(("#", ";")):
            return False
        head, _, word = line.rpartition(":")
        if head != self.message(seat):
            return False
        action, why = read_answer(self.hand, word)
        if why:
            self.replaced.append(Replaced(seat, self.number, word, action_text(action, self.game.limit), why))
            self.counts[seat] += 1
        self.act(action)
        return True

    def act(self, action: int) -> None:
        """Carry out an action of the seat to act."""
        self._messages = None
        self.table.apply(np.array([0]), [action])

    def give_up(self) -> None:
        """Act for a player who is gone: check where that is free, else fold."""
        self.act(c.FOLD if self.hand.legal.fold else c.CALL)

    def finish_hand(self) -> str:
        """Count the result of a finished hand and give its line for the log."""
        table = self.table
        net = table.settle()
        self.totals[table.seating[0]] += net[0]
        (line,) = table_lines(
            self.game, table.state, table.history, table.cards, net, table.seating, self.number, self.names
        )
        return line

    @property
    def score(self) -> str:
        """The last line of the log, by seat."""
        totals = "|".join(f"{total:.6f}".rstrip("0").rstrip(".") for total in self.totals)
        return f"SCORE:{totals}:{'|'.join(self.names)}"
