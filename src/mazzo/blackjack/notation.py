"""Rounds as text: the first deal, rules, plays, keys; what a text may say, whoever wrote it. Knows no table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields
from typing import NamedTuple

from mazzo.blackjack.columns import ACTIONS, MOST_BOXES
from mazzo.blackjack.rules import INFINITE, PRESETS, Rules
from mazzo.blackjack.rules import rules as read_rules
from mazzo.blackjack.shoe import RANKS, Shoe, parse_cards, shoe_of
from mazzo.deal import read_parts
from mazzo.errors import UnreadableError, did_you_mean

__all__ = [
    "HIDDEN",
    "RoundText",
    "key_in_text",
    "read_deal",
    "read_round",
    "round_parts",
    "rules_in_text",
    "rules_text",
]

HIDDEN = "?"
"""A hole card that is not shown."""
_PARTS = ("rules", "shoe", "deal", "drawn", "plays", "key", "rng_key")
_MOST_ACTIONS = 1000


class RoundText(NamedTuple):
    """What the text of a round says; None where it does not."""

    rules: Rules
    shoe: Shoe
    boxes: int
    dealt: tuple[int, ...]
    drawn: tuple[int, ...]
    """The cards after the deal, in their order."""
    plays: list[str]
    key: int | None
    rng_key: int | None

    @property
    def hole_hidden(self) -> bool:
        """Whether the dealer has a hole card that the text does not show."""
        return self.rules.peek and len(self.dealt) == 2 * self.boxes + 1


def read_round(text: str, rules: Rules | str | None = None) -> RoundText:
    """What a text says of a round; `rules` where it names none."""
    parts = read_parts(text, _PARTS)
    if "rules" in parts and rules is not None:
        raise UnreadableError(f"the rules are given and stand in {text!r} too")
    if "deal" not in parts:
        raise UnreadableError(f"the cards are missing in {text[:200]!r}: deal 8,8 v 10")
    of = rules_in_text(parts["rules"]) if "rules" in parts else read_rules(rules or "strip")
    shoe = Shoe.parse(parts["shoe"]) if "shoe" in parts else shoe_of(of)
    dealt, boxes = read_deal(parts["deal"], of)
    drawn, plays = parse_cards(parts.get("drawn", "")), parts.get("plays", "").split()
    if len(drawn) > shoe.cards or len(plays) > _MOST_ACTIONS:
        raise UnreadableError(f"no round has {max(len(drawn), len(plays))} plays or cards")
    key, rng_key = (key_in_text(parts[word]) if word in parts else None for word in ("key", "rng_key"))
    found = RoundText(of, shoe, boxes, dealt, tuple(drawn), plays, key, rng_key)
    if found.hole_hidden and (key is not None or rng_key is not None):
        raise UnreadableError("a key says all cards to come: the hole card must then stand in the deal")
    if rng_key is not None and key is None:
        raise UnreadableError("rng_key is given and key is missing: agents' numbers are written where all is known")
    return found


def round_parts(
    rules: Rules, shoe: Shoe, boxes: int, drawn: Sequence[int], plays: Sequence[int], hidden: bool
) -> list[str]:
    """The parts of a round's text, without its keys, from the cards in the order they were drawn."""
    cards = [RANKS[card] for card in drawn]
    hands = " / ".join(f"{cards[box]},{cards[boxes + 1 + box]}" for box in range(boxes))
    dealt = 2 * boxes + 1 + rules.peek
    hole = f",{HIDDEN if hidden else cards[dealt - 1]}" if rules.peek else ""
    parts = [f"rules {rules_text(rules)}"]
    parts += [f"shoe {shoe}"] if shoe != shoe_of(rules) else []
    parts.append(f"deal {hands} v {cards[boxes]}{hole}")
    parts += [f"plays {' '.join(ACTIONS[k].replace(' ', '-') for k in plays)}"] if plays else []
    return [*parts, f"drawn {','.join(cards[dealt:])}"] if len(cards) > dealt else parts


def read_deal(text: str, rules: Rules) -> tuple[tuple[int, ...], int]:
    """The first cards of a round in the order they are drawn, from `8,8 v 10` `8,8 / T,6 v 10,?`; and the boxes."""
    parts = re.split(r"\s+vs?\.?\s+", text.strip(), flags=re.IGNORECASE)
    if len(parts) != 2:
        raise UnreadableError(f"cannot read {text!r}: a hand against an upcard is written like 8,8 v 10")
    hidden = rules.peek and parts[1].rstrip().endswith(HIDDEN)
    hands, dealer = [parse_cards(part) for part in parts[0].split("/")], parse_cards(parts[1].rstrip(f"{HIDDEN} "))
    for hand in hands:
        if len(hand) != 2:
            raise UnreadableError(f"each hand must begin with two cards, got {len(hand)} in {text!r}")
    if not 1 <= len(dealer) <= 1 + (rules.peek and not hidden):
        hole = "his upcard and perhaps his hole card" if rules.peek else "one card, his upcard"
        raise UnreadableError(f"the dealer must begin with {hole}, got {len(dealer)} cards in {text!r}")
    if len(hands) > MOST_BOXES:
        raise UnreadableError(f"a round must have 1 to {MOST_BOXES} boxes, got {len(hands)}")
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
