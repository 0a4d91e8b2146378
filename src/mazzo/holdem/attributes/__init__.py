"""The attributes by which a decision is described: 113 at a table of three, from logs and from hands being played."""

from mazzo.holdem.attributes import conduct, holdings, outcome, table
from mazzo.holdem.attributes.columns import Column, columns_of, describe
from mazzo.holdem.attributes.registry import REGISTRY, STREETS, Attribute, find, schema_names
from mazzo.holdem.attributes.select import LISTS, Selection, offered, parse_selection, read_selection
from mazzo.holdem.attributes.situations import Situations, situations_in, situations_of, situations_seen
from mazzo.holdem.attributes.watch import Counts, Watch

_MODULES = (outcome, table, holdings, conduct)  # importing them is what fills the registry

__all__ = [
    "LISTS",
    "REGISTRY",
    "STREETS",
    "Attribute",
    "Column",
    "Counts",
    "Selection",
    "Situations",
    "Watch",
    "columns_of",
    "describe",
    "find",
    "offered",
    "parse_selection",
    "read_selection",
    "schema_names",
    "situations_in",
    "situations_of",
    "situations_seen",
]
