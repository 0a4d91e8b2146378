"""What a seat knows of the hidden cards, with reasons: rules in `rules.lp`, asked through clingo."""

from __future__ import annotations

from mazzo.tressette.reasoning.base import Deduction, Deductions, Knowledge, knowledge, reasons, why_impossible
from mazzo.tressette.reasoning.hand import MyHand

__all__ = ["Deduction", "Deductions", "Knowledge", "MyHand", "knowledge", "reasons", "why_impossible"]
