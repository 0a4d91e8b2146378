"""The attributes by which a decision is described, for learning and for cloning, from logs and from hands being played.

113 are of Kischka's text at a table of three, 70 of Vilella's, five of tables of any size; one more is one function.
"""

from mazzo.holdem.attributes import any_table, conduct, elementary, holdings, outcome, table  # noqa: F401  # fills the registry
from mazzo.holdem.attributes.columns import Column, columns_of, describe
from mazzo.holdem.attributes.registry import REGISTRY, STREETS, Attribute, find, schema_names
from mazzo.holdem.attributes.select import LISTS, Selection, attribute_names, offered, parse_selection, read_selection
from mazzo.holdem.attributes.situations import Situations, situations_in, situations_of, situations_seen
from mazzo.holdem.attributes.user_files import attribute, load_named
from mazzo.holdem.attributes.watch import Counts, Watch

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
    "attribute",
    "attribute_names",
    "columns_of",
    "describe",
    "find",
    "load_named",
    "offered",
    "parse_selection",
    "read_selection",
    "schema_names",
    "situations_in",
    "situations_of",
    "situations_seen",
]
