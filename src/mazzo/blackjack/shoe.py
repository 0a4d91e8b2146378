"""Shoes and hands as players write them: ranks A 2 .. 9 T, suits do not matter.

>>> Shoe.parse("6d-7,8,2,8,3,5,2")
Shoe(counts=(24, 22, 23, 24, 23, 24, 23, 22, 24, 96))
>>> parse_situation("8,8 v 10")
((7, 7), 9)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mazzo.blackjack.rules import INFINITE, Rules
from mazzo.document import Grid, Section, Shown
from mazzo.errors import IllegalError, UnreadableError

__all__ = [
    "ACE",
    "RANKS",
    "TEN",
    "Shoe",
    "counted_shoe",
    "must_change",
    "parse_cards",
    "parse_situation",
    "shoe_of",
    "text_of",
]

RANKS = "A23456789T"
ACE, TEN = 0, 9
_FACES = {"10": "T", "J": "T", "Q": "T", "K": "T", "1": "A"}
_MOST = 8 * 16
_ENDLESS = 10**12
"""Shoes in one that never runs out: a round's cards change its chances by less than a rounding error."""


def parse_cards(text: str) -> tuple[int, ...]:
    """Ranks (0 the ace .. 9 the tens) from `8,8`, `8 8`, `A,10` or `ATT`; 10, J, Q and K are all T, 1 alone is A."""
    ranks: list[int] = []
    for word in re.findall(r"10|1\d+|[^\s,]", text):
        rank = RANKS.find(_FACES.get(word.upper(), word.upper()))
        if rank < 0:
            raise UnreadableError(
                f"cannot read the card {word!r} in {text!r}: cards are A 2 3 4 5 6 7 8 9 T (10, J, Q, K are T), "
                "separated by commas"
            )
        ranks.append(rank)
    return tuple(ranks)


def text_of(ranks: Iterable[int]) -> str:
    """Ranks as text, `8,8`."""
    return ",".join(RANKS[rank] for rank in ranks)


def parse_situation(text: str) -> tuple[tuple[int, ...], int]:
    """A player's hand and the dealer's upcard from `8,8 v 10` (also `vs`)."""
    parts = re.split(r"\s+vs?\.?\s+", text.strip(), flags=re.IGNORECASE)
    if len(parts) != 2:
        raise UnreadableError(f"cannot read {text!r}: a hand against an upcard is written like 8,8 v 10")
    hand, upcard = parse_cards(parts[0]), parse_cards(parts[1])
    if len(upcard) != 1:
        raise UnreadableError(f"the dealer shows one card, not {len(upcard)}, in {text!r}")
    if len(hand) < 2:
        raise UnreadableError(f"a hand has two cards or more, not {len(hand)}, in {text!r}")
    return hand, upcard[0]


@dataclass(frozen=True, init=False)
class Shoe(Shown):
    """How many cards of each rank are left: aces, twos, ..., nines, tens. Made from the counts, or as text: `6d`."""

    counts: tuple[int, ...]

    def __init__(self, counts: Sequence[int] | str) -> None:
        if isinstance(counts, int):
            raise UnreadableError(f"a shoe is ten counts (A 2 .. 9 T) or a text such as '{counts}d', got {counts}")
        object.__setattr__(self, "counts", _counts(counts) if isinstance(counts, str) else tuple(counts))
        if len(self.counts) != 10:
            raise UnreadableError(f"a shoe is ten counts (A 2 .. 9 T), not {len(self.counts)}")
        for rank, count in zip(RANKS, self.counts, strict=True):
            if not (0 <= count <= _MOST or count > _ENDLESS // 2):
                raise IllegalError(f"a shoe holds 0 to {_MOST} cards of a rank, not {count} of {rank}")

    @classmethod
    def of_decks(cls, decks: int) -> Shoe:
        """Full decks."""
        if not 1 <= decks <= 8:
            raise IllegalError(f"a shoe has 1 to 8 decks, not {decks}")
        return cls((4 * decks,) * 9 + (16 * decks,))

    @classmethod
    def parse(cls, text: str) -> Shoe:
        """`6d`, `6d-7,8,2` (six decks less those cards), or ten counts `24,24,24,24,24,24,24,24,24,96`."""
        return cls(text)

    def without(self, ranks: Iterable[int]) -> Shoe:
        """The shoe less some cards, which must be in it."""
        counts = list(self.counts)
        for rank in ranks:
            if counts[rank] == 0:
                raise IllegalError(f"the shoe {self} has no {RANKS[rank]} left to take out")
            counts[rank] -= 1
        return Shoe(tuple(counts))

    def endless(self) -> Shoe:
        """So many of these shoes in one that drawn cards do not change it."""
        return self if self.is_endless else Shoe(tuple(count * _ENDLESS for count in self.counts))

    @property
    def is_endless(self) -> bool:
        """Whether drawn cards leave the shoe as it is."""
        return max(self.counts) > _MOST

    @property
    def cards(self) -> int:
        """How many cards are left."""
        return sum(self.counts)

    @property
    def points(self) -> int:
        """The pips left, aces as one."""
        return sum((rank + 1) * count for rank, count in enumerate(self.counts))

    def array(self) -> NDArray[np.int64]:
        """The counts as an array."""
        return np.array(self.counts, np.int64)

    @property
    def name(self) -> str:
        """What it is, in words."""
        return "An infinite shoe" if self.is_endless else f"A shoe of {self.cards} cards"

    def section(self) -> Section:
        """The cards left of each rank."""
        if self.is_endless:
            return Section(self.name, tables=[Grid(RANKS, [[f"{c / self.cards:.4f}" for c in self.counts]])])
        return Section(self.name, tables=[Grid(RANKS, [self.counts])])

    def __str__(self) -> str:
        return ",".join(map(str, self.counts))


def _counts(text: str) -> tuple[int, ...]:
    decks = re.fullmatch(r"(\d{1,2})\s*d(?:\s*-\s*(.*))?", text.strip(), flags=re.IGNORECASE)
    if decks:
        return Shoe.of_decks(int(decks[1])).without(parse_cards(decks[2] or "")).counts
    words = [word for word in re.split(r"[\s,]+", text.strip()) if word]
    if len(words) != 10 or not all(re.fullmatch(r"\d{1,4}", word) for word in words):
        raise UnreadableError(
            f"cannot read the shoe {text!r}: write 6d, or 6d-7,8,2 for six decks less those cards, "
            "or ten counts of A,2,..,9,T"
        )
    return tuple(int(word) for word in words)


def shoe_of(rules: Rules) -> Shoe:
    """A fresh shoe of these rules. An infinite one is a deck's proportions."""
    return Shoe.of_decks(1 if rules.decks == INFINITE else rules.decks)


def counted_shoe(rules: Rules, shoe: Shoe | None = None) -> Shoe:
    """The shoe that exact values are counted with: the one given or a fresh one, endless where the rules say so."""
    shoe = shoe_of(rules) if shoe is None else shoe
    return shoe.endless() if rules.decks == INFINITE else shoe


def must_change(rules: Rules) -> None:
    """Refuse a shoe that drawn cards do not change, where what they change is asked for."""
    if rules.decks == INFINITE:
        raise UnreadableError("an infinite shoe never changes: there is nothing to count; give a number of decks")
