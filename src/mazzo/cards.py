"""Decks: text <-> index <-> mask.

A card is an integer everywhere; outside kernels it is a `Card`, an integer that knows its deck and prints itself.
The French deck counts rank by rank (2c 2d 2h 2s 3c ... As, suits c d h s), the Italian deck suit by suit, each suit
from its weakest card at tressette to its strongest (4 5 6 7 8 9 10 A 2 3).

>>> Card("As"), Card("3d", ITALIAN), Card(51)
(Card('As'), Card('3d'), Card('As'))
>>> FRENCH.parse("AsKd")
(Card('As'), Card('Kd'))
>>> int(FRENCH.card("2c")), int(FRENCH.card("As"))
(0, 51)
>>> ITALIAN.parse("3d 10c")
(Card('3d'), Card('10c'))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from mazzo.errors import UnreadableError

__all__ = ["FRENCH", "ITALIAN", "Card", "Deck"]

_JOINT = re.compile(r"\s+(?:(di|of)\s+)?", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)


class Card(int):
    """A card of one deck: its index as an integer, its usual text as a string."""

    deck: Deck

    def __new__(cls, card: int | str, deck: Deck | None = None) -> Card:
        """A card from its text (`"As"`) or its index in the deck, which is the French one unless another is given."""
        of = FRENCH if deck is None else deck
        if isinstance(card, str):
            return of.card(card)
        if not 0 <= card < len(of):
            raise UnreadableError(f"the {of.name} deck has the cards 0 to {len(of) - 1}, not {card}")
        made = super().__new__(cls, card)
        made.deck = of
        return made

    def __reduce__(self) -> tuple[type[Card], tuple[int, Deck]]:
        return Card, (int(self), self.deck)

    @property
    def rank(self) -> int:
        """Position of the rank in the deck's order, 0 the lowest."""
        return self.deck.rank_of(self)

    @property
    def suit(self) -> int:
        """Position of the suit in the deck's order."""
        return self.deck.suit_of(self)

    @property
    def symbol(self) -> str:
        """The card as people draw it: `A♠`."""
        return self.deck.ranks[self.rank] + self.deck.symbols[self.suit]

    def __str__(self) -> str:
        return self.deck.ranks[self.rank] + self.deck.suits[self.suit]

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"

    def _repr_html_(self) -> str | None:
        from mazzo.document import CardRow, Section, drawn  # here, as no kernel of this file's importers needs it

        return drawn(Section("", cards=[CardRow("", self.deck.name.lower(), [str(self)])]))


@dataclass(frozen=True)
class Deck:
    """Ranks (low to high) and suits of a deck, and how they make an index."""

    name: str
    ranks: tuple[str, ...]
    suits: str
    suit_names: tuple[str, ...]
    symbols: str
    rank_major: bool
    aliases: dict[str, str] = field(default_factory=dict, hash=False)
    """Other names of ranks, letters or words."""
    suit_words: dict[str, str] = field(default_factory=dict, hash=False)
    """Suits in words, each with its letter; where there are some, `re di coppe` is read too."""

    def __len__(self) -> int:
        return len(self.ranks) * len(self.suits)

    def __iter__(self) -> Iterator[Card]:
        return (Card(index, self) for index in range(len(self)))

    def __repr__(self) -> str:
        return f"Deck({self.name!r})"

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        return tuple(str(card) for card in self)

    @cached_property
    def _rank_names(self) -> list[str]:
        """Names of ranks as they are tried when reading: `10` before `1`."""
        return sorted((*self.ranks, *self.aliases), key=len, reverse=True)

    def rank_of(self, card: int) -> int:
        """The rank (0 the lowest) of a card's index."""
        return card // len(self.suits) if self.rank_major else card % len(self.ranks)

    def suit_of(self, card: int) -> int:
        """The suit of a card's index."""
        return card % len(self.suits) if self.rank_major else card // len(self.ranks)

    def index(self, rank: int, suit: int) -> int:
        """The index of a card given by rank and suit."""
        return rank * len(self.suits) + suit if self.rank_major else suit * len(self.ranks) + rank

    def card(self, text: str) -> Card:
        """One card from its text, which must be nothing but that card."""
        cards = self.parse(text)
        if len(cards) != 1:
            raise UnreadableError(f"{text!r} is {len(cards)} cards; one was expected")
        return cards[0]

    def cards(self, indices: Iterable[int]) -> tuple[Card, ...]:
        """Indices as cards."""
        return tuple(Card(int(index), self) for index in indices)

    def parse(self, text: str) -> tuple[Card, ...]:
        """Cards from text like `AsKd`, `As Kd` or `As,Kd`. A card given twice is an error, and so is anything else."""
        cards: list[Card] = []
        at = 0
        while at < len(text):
            if text[at] in " ,":
                at += 1
                continue
            card, width = self._card_at(text, at)
            if card in cards:
                raise UnreadableError(f"duplicate card {card} in {text!r}")
            cards.append(card)
            at += width
        return tuple(cards)

    def text(self, indices: Iterable[int]) -> str:
        """Indices as text without separators, such as `AsKd`."""
        return "".join([self._texts[int(index)] for index in indices])

    def mask(self, indices: Iterable[int]) -> int:
        """A set of cards as bits."""
        mask = 0
        for index in indices:
            mask |= 1 << int(index)
        return mask

    def unmask(self, mask: int) -> tuple[Card, ...]:
        """The cards of a mask, lowest index first."""
        return self.cards(index for index in range(len(self)) if mask >> index & 1)

    def _card_at(self, text: str, at: int) -> tuple[Card, int]:
        for name in self._rank_names:
            if text[at : at + len(name)].upper() == name.upper():
                suit, end = self._suit_at(text, at + len(name), spoken=name.isalpha() and len(name) > 1)
                if suit < 0:
                    raise UnreadableError(
                        f"cannot read a card in {text!r} at {text[at:]!r}: after the rank {name} comes a suit, one of "
                        f"{', '.join(f'{s} ({n})' for s, n in zip(self.suits, self.suit_names, strict=True))}"
                    )
                rank = self.ranks.index(self.aliases.get(name, name))
                return Card(self.index(rank, suit), self), end - at
        raise UnreadableError(
            f"cannot read a card in {text!r} at {text[at:]!r}: a card is a rank ({' '.join(self.ranks)}) "
            f"and a suit ({' '.join(self.suits)}), such as {self.ranks[-1]}{self.suits[-1]}{self._spoken_example()}"
        )

    def _spoken_example(self) -> str:
        court = next((word for word in self.aliases if len(word) > 1 and word.isalpha()), "")
        return f" or {court.lower()} di {self.suit_names[-1]}" if self.suit_words and court else ""

    def _suit_at(self, text: str, at: int, spoken: bool) -> tuple[int, int]:
        """The suit that stands at a place (-1: none does), and where it ends: a letter, or where words are read a word.

        After a rank in words, and after `di` or `of`, there may be spaces.
        """
        if self.suit_words:
            joint = _JOINT.match(text, at)
            if joint and (spoken or joint[1]):
                at = joint.end()
            word = _WORD.match(text, at)
            if word and word[0].lower() in self.suit_words:
                return self.suits.index(self.suit_words[word[0].lower()]), word.end()
        return (self.suits.find(text[at : at + 1].lower()) if at < len(text) else -1), at + 1


FRENCH = Deck(
    name="French",
    ranks=tuple("23456789TJQKA"),
    suits="cdhs",
    suit_names=("clubs", "diamonds", "hearts", "spades"),
    symbols="♣♦♥♠",
    rank_major=True,
    aliases={"10": "T"},
)
"""The 52 cards of poker and blackjack."""

ITALIAN = Deck(
    name="Italian",
    ranks=("4", "5", "6", "7", "8", "9", "10", "A", "2", "3"),
    suits="dcsb",
    suit_names=("denari", "coppe", "spade", "bastoni"),
    symbols="🪙🏆🗡🪵",
    rank_major=False,
    aliases={
        **{"1": "A", "F": "8", "C": "9", "R": "10", "J": "8", "N": "9", "K": "10"},
        **{"re": "10", "cavallo": "9", "fante": "8", "king": "10", "knight": "9", "jack": "8", "asso": "A", "ace": "A"},
        **{"due": "2", "tre": "3", "quattro": "4", "cinque": "5", "sei": "6", "sette": "7"},
    },
    suit_words={
        **{"denari": "d", "coppe": "c", "spade": "s", "bastoni": "b", "ori": "d", "danari": "d"},
        **{"coins": "d", "cups": "c", "swords": "s", "batons": "b"},
    },
)
"""The 40 cards of tressette, each suit in its order of power; 8 fante (F, J), 9 cavallo (C, N), 10 re (R, K)."""
