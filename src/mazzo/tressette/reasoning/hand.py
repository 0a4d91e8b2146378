"""What the knowledge base holds of the cards themselves and of the ten that the observer was dealt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mazzo.cards import Card

__all__ = ["KINDS", "MyHand", "my_hand"]

KINDS = ("asso", "due", "tre", "figura", "scartina")
"""The kinds of cards: ace, two and three (the pieces), court cards, and those without points."""


@dataclass(frozen=True)
class MyHand:
    """The ten cards dealt to the observer, as the knowledge base sees them."""

    kinds: Mapping[str, tuple[Card, ...]]
    """By kind (see `KINDS`) the cards of it."""
    thirds: int
    """What they are worth, in thirds of a point."""
    pieces: tuple[Card, ...]
    """The aces, twos and threes among them."""
    declares: tuple[str, ...]
    """What must be declared of them, as `Round` and `View` write it, napoli with their suits."""
    a_monte: bool
    """Whether they may be thrown in before the first card."""

    def __str__(self) -> str:
        whole, thirds = divmod(self.thirds, 3)
        worth = " ".join(filter(None, (str(whole) if whole or not thirds else "", f"{thirds}/3" if thirds else "")))
        kinds = ", ".join(f"{name} {' '.join(map(str, cards))}" for name, cards in self.kinds.items() if cards)
        told = f"declares {', '.join(self.declares)}" if self.declares else "declares nothing"
        poor = "; poor enough to be thrown in (a monte)" if self.a_monte else ""
        return f"dealt {kinds}; worth {worth} points; {len(self.pieces)} pieces; {told}{poor}"


def my_hand(certain: Iterable[Any], dealt: Iterable[Card], card_of: Callable[[Any], Card]) -> MyHand:
    """The hand as the consequences of the knowledge base tell of it; `card_of` reads a card of theirs."""
    cards, kinds, pieces, told = set(dealt), dict[str, list[Card]](), list[Card](), list[str]()
    thirds, poor = 0, False
    for symbol in certain:
        name, arguments = symbol.name, symbol.arguments
        if name == "kind" and (card := card_of(arguments[0])) in cards:
            kinds.setdefault(arguments[1].name, []).append(card)
        elif name == "piece" and (card := card_of(arguments[0])) in cards:
            pieces.append(card)
        elif name == "hand_thirds":
            thirds = arguments[0].number
        elif name == "a_monte":
            poor = True
        elif name.startswith("my_"):
            told.append(_declared(name.removeprefix("my_"), [argument.name for argument in arguments]))
    shown = {kind: tuple(sorted(kinds.get(kind, []))) for kind in KINDS}
    order = sorted(told, key=lambda words: ("n", "b", "c").index(words[0]))
    return MyHand(shown, thirds, tuple(sorted(pieces)), tuple(order), poor)


def _declared(what: str, names: list[str]) -> str:
    """A declaration in the words of `declarations`."""
    if what == "napoli":
        return f"napoli {names[0]}"
    rank = {"asso": "A", "due": "2", "tre": "3"}[names[0]]
    return f"corona {rank}" if what == "corona" else f"bongioco {rank} without {names[1]}"
