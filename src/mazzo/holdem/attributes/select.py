"""Choosing attributes: by list, name, category, prefix, without what is said twice, or all but those."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem.attributes import any_table, elementary
from mazzo.holdem.attributes.registry import CATEGORIES, PREFIXES, REGISTRY, STREETS, Attribute, find, schema_names

__all__ = [
    "LISTS",
    "RATIO_BASE",
    "SIMPLIFIED",
    "UNIMPORTANT",
    "Selection",
    "attribute_names",
    "offered",
    "read_selection",
]


def _unimportant(a: Attribute) -> bool:
    return a.prefix == "HISTORY" or (a.section == "A.8" and a.prefix == "PRESENT")


UNIMPORTANT = tuple(a.name for a in REGISTRY.values() if _unimportant(a))
"""The text's table 7: what is filtered before learning, unless asked for."""

RATIO_BASE = (
    "MAX_BET_SIZE_THIS_STREET",
    "POT_SIZE",
    "INVESTED_THIS_STREET",
    "CALL_AMOUNT",
    "HERO_INVESTED_THIS_STREET",
    *(name for name in REGISTRY if name.startswith("INVESTED_THIS_STREET_OPPONENT_")),
    "ALL_IN_EQUITY",
    "ALL_IN_EQUITY_2PLAYERS",
    "POT_ODDS",
)
"""What the ratio of pot odds to equity is made from (table 10)."""

_EVERY = ("ACTIVE_PLAYER_COUNT", "PREFLOP_ACTION_ABSTR_ALL", "ALL_IN_EQUITY", "POT_ODDS_TO_ALL_IN_EQUITY_RATIO")
SIMPLIFIED: tuple[tuple[str, ...], ...] = (
    _EVERY,
    (*_EVERY, "FLOP_ACTION_ABSTR_ALL", "HAND_TYPE"),
    (
        *_EVERY,
        "MAX_BET_SIZE_THIS_STREET",
        "INVESTED_THIS_STREET",
        "FLOP_ACTION_ABSTR_ALL",
        "TURN_ACTION_ABSTR_ALL",
        "HAND_TYPE",
        "ALL_IN_EQUITY_2PLAYERS",
    ),
    (*_EVERY, "FLOP_ACTION_ABSTR_ALL", "TURN_ACTION_ABSTR_ALL", "RIVER_ACTION_ABSTR_ALL", "HAND_TYPE"),
)
"""The text's table 11, street by street."""


def _without(players: int, dropped: Iterable[str]) -> tuple[str, ...]:
    return tuple(k for k in schema_names(players) if k not in dropped)


RAW_CARDS: tuple[str, ...] = (
    "HERO_HOLE_CARDS", "FLOP_CARD_1", "FLOP_CARD_2", "FLOP_CARD_3", "TURN_CARD", "RIVER_CARD",
    *(f"{card}_SUIT" for card in ("HERO_HOLE_CARD_HIGH", "HERO_HOLE_CARD_LOW", "TURN_CARD", "RIVER_CARD")),
    *(f"FLOP_CARD{k}_SUIT" for k in (1, 2, 3)),
)  # fmt: skip
"""Single cards and suits by name: a suit says nothing by itself, and what it makes is in texture, draws and types."""


def _suitless(players: int) -> tuple[str, ...]:
    """The usual ones without single cards and suits by name, and what opponents did in earlier hands."""
    history = (k for k in schema_names(players) if REGISTRY[k].prefix == "HISTORY")
    return tuple(dict.fromkeys((*_without(players, {*UNIMPORTANT, *RAW_CARDS}), *history)))


LISTS: dict[str, Callable[[int, int], tuple[str, ...]]] = {
    "usual": lambda street, players: _without(players, UNIMPORTANT),
    "all": lambda street, players: schema_names(players),
    "simplified": lambda street, players: SIMPLIFIED[street],
    "no-ratio-base": lambda street, players: _without(players, {*UNIMPORTANT, *RATIO_BASE}),
    "suitless": lambda street, players: _suitless(players),
    "learning": lambda street, players: elementary.LEARNING,
    "continuous": lambda street, players: elementary.CONTINUOUS,
    "derived": lambda street, players: elementary.DERIVED,
    "elementary": lambda street, players: elementary.ELEMENTARY,
    "table": lambda street, players: any_table.TABLE,
}
"""Attributes by the name of a list, the street and the players: Kischka's lists, Vilella's, that of any other table."""
"""usual: all but table 7; all: everything that does not look ahead; simplified: table 11; no-ratio-base: table 10."""


@dataclass(frozen=True)
class Selection:
    """Which attributes are wanted."""

    attributes: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    prefix: str = "NOT_SPECIFIED"
    no_redundant: bool = False
    invert: bool = False
    named: str = ""
    """One of `LISTS`, which the rest is taken from."""

    def __post_init__(self) -> None:
        for category in self.categories:
            if category not in CATEGORIES:
                raise UnreadableError(f"there is no category {category!r}; {did_you_mean(category, CATEGORIES)}")
        if self.prefix not in PREFIXES:
            raise UnreadableError(f"there is no prefix {self.prefix!r}; {did_you_mean(self.prefix, PREFIXES)}")
        if self.named and self.named not in LISTS:
            raise UnreadableError(f"there is no list {self.named!r}; {did_you_mean(self.named, LISTS)}")
        object.__setattr__(self, "attributes", tuple(find(name).name for name in self.attributes))

    @property
    def says_nothing(self) -> bool:
        """Whether neither names nor categories nor a prefix are given."""
        return not (self.attributes or self.categories or self.prefix != "NOT_SPECIFIED")

    def of(self, names: Iterable[str]) -> tuple[str, ...]:
        """The wanted ones of some attributes. Categories are intersected; nothing said and inverted is everything."""
        chosen = []
        for name in names:
            attribute = REGISTRY[name]
            wanted = self._matches(attribute) != self.invert or (self.says_nothing and not self.invert)
            if wanted and not (self.no_redundant and attribute.redundant):
                chosen.append(name)
        return tuple(chosen)

    def _matches(self, a: Attribute) -> bool:
        if a.name in self.attributes:
            return True
        if not self.categories and self.prefix == "NOT_SPECIFIED":
            return False
        of_it = {a.category, *a.streets}
        return all(k in of_it for k in self.categories) and self.prefix in ("NOT_SPECIFIED", a.prefix)

    @property
    def watches(self) -> bool:
        """Whether a learner would be offered what opponents did in earlier hands."""
        most = 10
        return any(REGISTRY[k].prefix == "HISTORY" for street in range(4) for k in offered(self, street, most))


def offered(selection: Selection, street: int, players: int) -> tuple[str, ...]:
    """The attributes a learner gets on a street (0-3): of the list, those selected, valid there, not looking ahead.

    What is named (`attributes`) need not be in the list; FUTURE attributes must be named.
    """
    base = LISTS[selection.named or ("usual" if selection.says_nothing else "all")](street, players)
    every = dict.fromkeys((*base, *(() if selection.invert else selection.attributes)))
    named = () if selection.invert else selection.attributes
    chosen = selection.of(every)
    valid = [name for name in chosen if STREETS[street] in REGISTRY[name].streets]
    return tuple(k for k in valid if not REGISTRY[k].looks_ahead or (k in named and not REGISTRY[k].is_class))


def attribute_names(words: Sequence[str], usual: str = "learning") -> tuple[str, ...]:
    """What a hero looks at, from names of attributes and of lists; by default those of the list `usual`."""
    names: dict[str, None] = {}
    for word in words or (usual,):
        if word.lower() in LISTS:
            listed = (k for street in range(len(STREETS)) for k in LISTS[word.lower()](street, 2))
            names |= dict.fromkeys(k for k in listed if not _unseen(REGISTRY[k]))
            continue
        attribute = find(word)
        if _unseen(attribute):
            raise UnreadableError(f"a hero cannot look at {attribute.name}: {_unseen(attribute)}")
        names[attribute.name] = None
    return tuple(names)


def _unseen(attribute: Attribute) -> str:
    """Why a hero does not see an attribute when it plays, in words; empty if it does."""
    if attribute.looks_ahead:
        return "it is known only after the hand"
    return "it is of earlier hands, which a hero does not watch" if attribute.prefix == "HISTORY" else ""


def read_selection(path: Path) -> Selection:
    """A selection from a file: the options of the command line, on any number of lines; # begins a comment."""
    try:
        words = shlex.split(path.read_text(), comments=True)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise UnreadableError(f"cannot read the selection {path}: {error}") from None
    return parse_selection(words, str(path))


def parse_selection(words: Sequence[str], where: str = "the selection") -> Selection:
    """A selection from its words: `--categories HERO_INFO,FLOP --invert`; one dash and the text's spelling will do."""
    selection = Selection()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        option = word.lstrip("-").replace("_", "-").lower()
        if option in ("no-redundant", "noredundant"):
            selection = replace(selection, no_redundant=True)
        elif option == "invert":
            selection = replace(selection, invert=True)
        elif option in ("attributes", "categories", "prefix", "list") and rest:
            value = rest.pop(0)
            many = tuple(filter(None, value.split(",")))
            given = {"attributes": many, "categories": many, "prefix": value, "list": value}[option]
            selection = replace(selection, **{"named" if option == "list" else option: given})  # type: ignore[arg-type]
        else:
            raise UnreadableError(
                f"{where}: {word!r} is not part of a selection; known: --attributes A,B --categories A,B --prefix P "
                "--list NAME --no-redundant --invert"
            )
    return selection
