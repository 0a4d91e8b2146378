"""What a person may do in a hand, as a table offers it and in its words."""

from __future__ import annotations

from typing import Any

from mazzo.holdem import columns as c
from mazzo.holdem.hand import Hand
from mazzo.holdem.spoken import (
    before_street,
    opens,
)

__all__ = ["SIZES", "raise_choice", "raise_named", "why_not"]

SIZES = ("holdem.size.least", "holdem.size.half", "holdem.size.pot", "holdem.size.most")
"""Of a raise, by name."""


def why_not(hand: Hand, action: int) -> str:
    """The reason alone why an action is illegal, in amounts of this street."""
    raises = hand.legal.raises
    if action < c.RAISE or not raises:
        return hand.why_not(action).partition(" (legal:")[0].rpartition(": ")[2] or "you cannot raise here"
    low, high = (total - before_street(hand._state) for total in (raises[0], raises[-1]))
    if opens(hand._state):
        return f"a bet is {low} at least and {high} at most"
    return f"a raise is to {low} at least and to {high} at most"


def raise_named(hand: Hand, key: str) -> int:
    """The least raise, the pot or everything."""
    raises = hand.legal.raises
    pot = max(hand.spent) + hand.pot + hand.legal.owed
    return {"m": raises[0], "p": min(raises[-1], max(raises[0], pot)), "a": raises[-1]}[key]


def raise_choice(hand: Hand) -> dict[str, Any]:
    """A bet or raise. The amounts are totals of the hand; less `before`, they are those of this street."""
    low, high, before = hand.legal.raises[0], hand.legal.raises[-1], before_street(hand._state)
    label = "holdem.do.bet" if opens(hand._state) else "holdem.do.raise_to"
    if low == high or hand.game.limit:
        text = "r" if hand.game.limit else f"r{low}"
        return {"action": text, "label": (label, {"amount": low - before}), "key": "r"}
    owed, bet = hand.legal.owed, max(hand.spent)
    sizes = (low, bet + (hand.pot + owed) // 2, bet + hand.pot + owed, high)
    presets = [(key, min(high, max(low, amount))) for key, amount in zip(SIZES, sizes, strict=True)]
    return {
        "action": "r",
        "label": (label, {}),
        "key": "r",
        "amount": {"low": low, "high": high, "before": before},
        "presets": presets,
    }
