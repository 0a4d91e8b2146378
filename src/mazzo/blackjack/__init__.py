"""Blackjack from its rules alone: exact play of any shoe, simulation, learning, charts, advice."""

from __future__ import annotations

from mazzo.blackjack.rules import PRESETS, Rules, named_rules, read_rules
from mazzo.blackjack.shoe import Shoe, parse_cards, parse_situation

__all__ = ["PRESETS", "Rules", "Shoe", "named_rules", "parse_cards", "parse_situation", "read_rules"]
