"""Decisions of heads-up limit Hold'em as rows to learn from: who saw what, did what, and what came of it."""

from mazzo.holdem.attributes import attribute_names
from mazzo.holdem.attributes.elementary import (
    ATTRIBUTES,
    CONTINUOUS,
    DERIVED,
    ELEMENTARY,
    LEARNING,
    refuse_other_than_heads_up_limit,
)
from mazzo.holdem.learning.decisions import Decisions, decisions_of
from mazzo.holdem.learning.export import as_exported, is_export, read_export, write_export
from mazzo.holdem.learning.rewards import REWARDS

__all__ = [
    "ATTRIBUTES",
    "CONTINUOUS",
    "DERIVED",
    "ELEMENTARY",
    "LEARNING",
    "REWARDS",
    "Decisions",
    "as_exported",
    "attribute_names",
    "decisions_of",
    "is_export",
    "read_export",
    "refuse_other_than_heads_up_limit",
    "write_export",
]
