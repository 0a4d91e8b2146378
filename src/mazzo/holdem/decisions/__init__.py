"""Decisions of heads-up limit Hold'em as rows to learn from: who saw what, did what, and what came of it."""

from mazzo.holdem.decisions.attributes import (
    ATTRIBUTES,
    CONTINUOUS,
    DERIVED,
    ELEMENTARY,
    LEARNING,
    Seen,
    attribute_names,
    refuse_other_than_heads_up_limit,
)
from mazzo.holdem.decisions.export import read_export, write_export
from mazzo.holdem.decisions.rows import REWARDS, Decisions, decisions_of

__all__ = [
    "ATTRIBUTES",
    "CONTINUOUS",
    "DERIVED",
    "ELEMENTARY",
    "LEARNING",
    "REWARDS",
    "Decisions",
    "Seen",
    "attribute_names",
    "decisions_of",
    "read_export",
    "refuse_other_than_heads_up_limit",
    "write_export",
]
