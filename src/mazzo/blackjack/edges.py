"""What each rule is worth: the house edge of a table, and how it moves when one rule changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.infinite import infinite_ev
from mazzo.blackjack.rules import INFINITE, Rules
from mazzo.errors import MazzoError

__all__ = ["RuleChange", "round_ev", "rule_changes"]


@dataclass(frozen=True)
class RuleChange:
    """One rule changed: the value of a round then, and the difference it makes to the player."""

    change: str
    ev: float
    difference: float


_CHANGES: tuple[tuple[str, dict[str, Any]], ...] = (
    *((f"{decks} deck" + "s" * (decks > 1), {"decks": decks}) for decks in (1, 2, 4, 6, 8)),
    ("infinite decks", {"decks": "infinite"}),
    ("dealer hits soft 17", {"hit_soft_17": True}),
    ("dealer stands on soft 17", {"hit_soft_17": False}),
    ("dealer peeks", {"peek": True}),
    ("no hole card", {"peek": False}),
    ("blackjack pays 6:5, no even money", {"blackjack_pays": "6:5", "even_money": "none"}),
    ("double 9-11 only", {"double": "9-11"}),
    ("double 10-11 only", {"double": "10-11"}),
    ("no double after split", {"double_after_split": False}),
    ("two hands only", {"max_hands": 2, "resplit_aces": False}),
    ("three hands", {"max_hands": 3}),
    ("resplit without limit", {"max_hands": "unlimited"}),
    ("aces may be resplit", {"resplit_aces": True}),
    ("aces split once", {"resplit_aces": False}),
    ("split aces may be hit", {"hit_split_aces": True}),
    ("no surrender", {"surrender": "none"}),
    ("late surrender", {"surrender": "late"}),
    ("early surrender", {"surrender": "early"}),
    ("early surrender not against an ace", {"surrender": "early-not-ace"}),
)


def round_ev(rules: Rules) -> float:
    """The exact value of a round from a fresh shoe of these rules."""
    return infinite_ev(rules) if rules.decks == INFINITE else analyse(rules).ev


def rule_changes(rules: Rules) -> Iterator[RuleChange]:
    """Every single change that these rules allow and that changes them."""
    base = round_ev(rules)
    for name, change in _CHANGES:
        try:
            other = rules.changed(**change)
        except MazzoError:
            continue
        if other != rules:
            ev = round_ev(other)
            yield RuleChange(name, ev, ev - base)
