"""What games show, put into words: keys become sentences, cards become names people read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mazzo.cards import FRENCH, ITALIAN, Deck
from mazzo.seated import Advice, Say
from mazzo.words.texts import text

__all__ = ["card_name", "is_card", "log_line", "verdict", "with_texts"]

_DECKS: Mapping[str, Deck] = {"french": FRENCH, "italian": ITALIAN}


def card_name(card: str, deck: str) -> str:
    """A card as it is read out: `ace of spades`, `re di coppe`."""
    rank, suit = card[:-1], card[-1]
    return text("card", {"rank": text(f"rank.{deck}.{rank}"), "suit": text(f"suit.{deck}.{suit}")})


def is_card(word: str, deck: str) -> bool:
    """Whether a word is a card of a deck."""
    return word[:-1] in _DECKS[deck].ranks and word[-1:] in tuple(_DECKS[deck].suits)


def _short(card: str, deck: str) -> str:
    if deck == "italian":
        return text("card.short", {"rank": card[:-1], "suit": text(f"suit.italian.{card[-1]}")})
    return card[:-1].replace("T", "10") + FRENCH.symbols[FRENCH.suits.index(card[-1])]


def verdict(advice: Advice, action: str) -> str:
    """What an adviser says of a play that was made and whose worth it knows."""
    cost, called = advice.cost(action) or 0.0, advice.mistake(action)
    unit = text(advice.unit)
    if called in ("small", "clear", "grave"):
        return text(f"coach.mistake.{called}", {"cost": f"{cost:.2f}", "unit": unit})
    if called:
        return text("coach.cost", {"cost": f"{cost:.4f}", "unit": unit})
    if cost <= 1e-9:
        return text("coach.right")
    error = f"{advice.difference_errors.get(action, 0.0):.2f}"
    return text(
        "coach.unsure" if advice.errors else "coach.not_called", {"cost": f"{cost:.2f}", "unit": unit, "error": error}
    )


def log_line(sentence: Say, deck: str) -> str:
    """A sentence of the table's log."""
    return _said(sentence, deck)


def _said(sentence: Say, deck: str | None = None) -> str:
    """A sentence in words; those inside it are put into words first, and cards written shortly if there is a deck."""
    key, values = sentence
    if key == "text":
        return str(values["text"])
    filled = {name: _value(value, deck) for name, value in values.items()}
    if deck is not None:
        for name in {"card", "cards"} & set(filled):
            filled[name] = " ".join(_short(card, deck) for card in str(filled[name]).split())
    return text(key, filled)


def _value(value: Any, deck: str | None) -> Any:
    if _is_say(value):
        return _said(value, deck)
    if isinstance(value, list | tuple):
        words = [str(_value(item, deck)) for item in value]
        return (" " if words and words[0].endswith(".") else ", ").join(words)
    return value


_PLAIN = frozenset({str, int, float, bool, type(None)})


def _is_say(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict)


def with_texts(view: Any) -> Any:
    """A view with sentences in the place of their keys."""
    if type(view) in _PLAIN:  # most of a view, and it is made for everybody after every move
        return view
    if _is_say(view):
        return _said(view)
    if isinstance(view, dict):
        return {
            name: _pairs(value) if name in ("facts", "presets") else with_texts(value) for name, value in view.items()
        }
    if isinstance(view, list | tuple):
        return [with_texts(item) for item in view]
    return view


def _pairs(pairs: Sequence[tuple[str, Any]]) -> list[list[Any]]:
    return [[text(key), value] for key, value in pairs]
