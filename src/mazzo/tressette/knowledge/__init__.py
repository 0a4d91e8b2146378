"""What a seat knows of the hidden cards, with reasons: rules in `rules.lp`, asked through clingo."""

from __future__ import annotations

from mazzo.tressette.knowledge.base import Deduction, Knowledge, why_impossible

__all__ = ["Deduction", "Knowledge", "why_impossible"]
