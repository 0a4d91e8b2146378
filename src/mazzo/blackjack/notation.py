"""Rounds as text: the first deal, rules, keys; what a text may say, whoever wrote it."""

from __future__ import annotations

import re
from dataclasses import fields

from mazzo.blackjack.columns import MOST_BOXES
from mazzo.blackjack.rules import INFINITE, PRESETS, Rules
from mazzo.blackjack.shoe import parse_cards
from mazzo.errors import UnreadableError, did_you_mean

__all__ = ["HIDDEN", "key_in_text", "read_deal", "rules_in_text", "rules_text"]

HIDDEN = "?"
"""A hole card that is not shown."""


def read_deal(text: str, rules: Rules) -> tuple[tuple[int, ...], int]:
    """The first cards of a round in the order they are drawn, from `8,8 v 10` `8,8 / T,6 v 10,?`; and the boxes."""
    parts = re.split(r"\s+vs?\.?\s+", text.strip(), flags=re.IGNORECASE)
    if len(parts) != 2:
        raise UnreadableError(f"cannot read {text!r}: a hand against an upcard is written like 8,8 v 10")
    hidden = rules.peek and parts[1].rstrip().endswith(HIDDEN)
    hands, dealer = [parse_cards(part) for part in parts[0].split("/")], parse_cards(parts[1].rstrip(f"{HIDDEN} "))
    for hand in hands:
        if len(hand) != 2:
            raise UnreadableError(f"a round begins with two cards a hand, not {len(hand)}, in {text!r}")
    if not 1 <= len(dealer) <= 1 + (rules.peek and not hidden):
        hole = "his upcard and perhaps his hole card" if rules.peek else "one card, his upcard"
        raise UnreadableError(f"the dealer begins with {hole}, not {len(dealer)} cards, in {text!r}")
    if len(hands) > MOST_BOXES:
        raise UnreadableError(f"a round has 1 to {MOST_BOXES} boxes, not {len(hands)}")
    firsts, seconds = (tuple(hand[k] for hand in hands) for k in range(2))
    return (*firsts, dealer[0], *seconds, *dealer[1:]), len(hands)


def rules_text(rules: Rules) -> str:
    """The nearest preset and what differs from it."""

    def differing(name: str) -> list[str]:
        base, mine = PRESETS[name].as_dict(), rules.as_dict()
        return [f"{f.name}={mine[f.name]}" for f in fields(Rules) if mine[f.name] != base[f.name]]

    nearest = min(PRESETS, key=lambda name: len(differing(name)))
    return " ".join([nearest, *differing(nearest)])


def rules_in_text(text: str) -> Rules:
    """The rules that `rules_text` wrote."""
    name, *changes = text.split() or ["strip"]
    pairs = [change.partition("=") for change in changes]
    if name not in PRESETS:  # a text may come from anybody: no file is opened for it
        raise UnreadableError(f"there are no rules {name[:40]!r}; {did_you_mean(name[:40], PRESETS)}")
    found = PRESETS[name].changed(**{field: value for field, _, value in pairs})
    if found.decks == INFINITE:
        raise UnreadableError("rounds are dealt from real decks: give decks = 1 to 8")
    return found


def key_in_text(text: str, most: int = 2**64 - 1) -> int:
    """A key as it stands in a text."""
    if not re.fullmatch(r"\d{1,20}", text) or int(text) > most:
        raise UnreadableError(f"{text[:40]!r} should be a whole number from 0 to {most}")
    return int(text)
