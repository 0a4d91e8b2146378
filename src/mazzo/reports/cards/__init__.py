"""Card faces as SVG, drawn by code: a French four-colour deck, and a forty-card deck in the Neapolitan manner."""

from __future__ import annotations

from functools import lru_cache

from mazzo.cards import FRENCH, ITALIAN
from mazzo.errors import MazzoError, UnreadableError
from mazzo.reports.cards.backs import BACKS
from mazzo.reports.cards.french import french_face
from mazzo.reports.cards.italian import italian_face

__all__ = ["card_svg"]


@lru_cache(maxsize=256)
def card_svg(deck: str, card: str) -> str:
    """The picture of a card (`As`, `10c`), or of the `back` of a deck."""
    if deck == "french":
        return BACKS[deck]() if card == "back" else french_face(_known(FRENCH, card))
    if deck == "italian":
        return BACKS[deck]() if card == "back" else italian_face(_known(ITALIAN, card))
    raise UnreadableError(f"there is no deck {deck[:20]!r}: french or italian")


def _known(deck: object, card: str) -> str:
    decks = {id(FRENCH): FRENCH, id(ITALIAN): ITALIAN}
    try:
        return str(decks[id(deck)].card(card[:4]))
    except MazzoError:
        raise UnreadableError(f"there is no card {card[:20]!r} in this deck") from None
