"""How cards, seats and a table look in the terminal."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import click

from mazzo.cards import FRENCH
from mazzo.words.texts import text

__all__ = ["cards_drawn", "cards_in_line", "choices_drawn", "table_drawn"]

_COLOURS = {"french": {"c": "green", "d": "blue", "h": "red"}, "italian": {"d": "yellow", "c": "red", "s": "blue",
            "b": "green"}}  # fmt: skip
_HIDDEN = "??"


def _coloured(word: str, card: str, deck: str) -> str:
    """Colours by suit, unless NO_COLOR asks for none; click leaves them out where nobody looks."""
    colour = _COLOURS[deck].get(card[-1])
    return word if os.environ.get("NO_COLOR") else click.style(word, fg=colour, bold=True)


def _rank(card: str) -> str:
    return card[:-1].replace("T", "10")


def _suit(card: str, deck: str) -> str:
    return FRENCH.symbols[FRENCH.suits.index(card[-1])] if deck == "french" else card[-1]


def cards_drawn(cards: Sequence[str | None], deck: str, below: Mapping[str, str] | None = None) -> str:
    """Cards side by side, None face down; `below` is written under them."""
    rows = ["", "", "", "", ""]
    for card in cards:
        top, middle = ("░░░", "░░░")
        if card is not None:
            top, middle = (_coloured(word, card, deck) for word in (f"{_rank(card):<3}", f" {_suit(card, deck)} "))
        under = f"{(below or {}).get(card or '', ''):^5}"
        for k, piece in enumerate(("┌───┐", f"│{top}│", f"│{middle}│", "└───┘", under)):
            rows[k] += piece + " "
    return "\n".join(row.rstrip() for row in rows[: 5 if below else 4])


def cards_in_line(cards: Sequence[str | None], deck: str) -> str:
    """Cards in a row of words: `A♠ ??`; nothing where all are face down."""
    if not any(cards):
        return ""
    return " ".join(_HIDDEN if c is None else _coloured(_rank(c) + _suit(c, deck), c, deck) for c in cards)


def table_drawn(view: Mapping[str, Any], viewer: int | None) -> str:
    """A view in words: how the game stands, what lies open, who has what, and the viewer's own cards."""
    deck = view["deck"]
    facts = [f"{name} {value}" for name, value in view["facts"]]
    facts += [f"{text('table.pot')} {view['pot']}"] if "pot" in view and not view["hand_over"] else []
    lines = [", ".join(facts)]
    if view["centre"]["cards"]:
        lines.append(cards_drawn(view["centre"]["cards"], deck))
    width = max(len(_name(seat)) for seat in view["seats"])
    for number, seat in enumerate(view["seats"]):
        lines.append(_seat_row(seat, deck, width, number == view["turn"], own=number == viewer))
    if viewer is not None:
        numbers = {c["card"]: str(k) for k, c in enumerate(view["choices"], 1) if "card" in c}
        for hand in view["seats"][viewer]["hands"]:
            lines.append(cards_drawn(hand["cards"], deck, numbers))
            if "label" in hand:
                lines.append(f"{'>' if hand.get('active') else ' '} {hand['label']}")
    return "\n".join(lines)


def _name(seat: Mapping[str, Any]) -> str:
    name = f"{seat['place']} {seat['name']}" if "place" in seat else str(seat["name"] or text("table.dealer"))
    return f"{name} ({seat['agent']})" if "agent" in seat else name


def _seat_row(seat: Mapping[str, Any], deck: str, width: int, turn: bool, own: bool) -> str:
    marks = ("D" if "dealer" in seat.get("badges", ()) else " ") + (">" if turn else " ")
    words = [f" {marks} {_name(seat):<{width}}"]
    if seat.get("chips") is not None:
        words.append(f"{seat['chips']:>7} chips")
    if "bet" in seat:
        words.append(f"{text('table.bet', {'amount': seat['bet']}) if seat['bet'] else '':>10}")
    words.append(text(f"table.{seat['status']}") if seat.get("status") else "")
    if not own:
        hands = [f"{cards_in_line(hand['cards'], deck)} {hand.get('label', '')}".strip() for hand in seat["hands"]]
        words.append(" | ".join(filter(None, hands)))
    if "played" in seat:
        words.append(
            ("(" if seat["old"] else "") + cards_in_line([seat["played"]], deck) + (")" if seat["old"] else "")
        )
    words.append(str(seat.get("note", "")))
    if seat.get("taken"):
        words.append(text("table.wins", {"amount": seat["taken"]}))
    elif seat.get("result") is not None:
        words.append(f"{seat['result']:+g}")
    return "  ".join(filter(None, words)).rstrip()


def choices_drawn(choices: Sequence[Mapping[str, Any]]) -> str:
    """What can be done, each with its key."""
    words = []
    for choice in choices:
        if "label" in choice:
            label = choice["label"]
            if "amount" in choice:
                low, high, before = (choice["amount"][name] for name in ("low", "high", "before"))
                label = label.replace("{amount}", f"{low - before}-{high - before}")
            words.append(f"{choice['key']} {label}")
    return ", ".join(words) or text("play.card", {"count": len(choices)})
