"""The registry of attributes: what each is called, can be, stands for, and how it is worked out for many decisions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from numpy.typing import NDArray

from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem.attributes.situations import Situations

__all__ = ["CATEGORIES", "PREFIXES", "REGISTRY", "STREETS", "Attribute", "find", "register", "schema_names"]

STREETS = ("PREFLOP", "FLOP", "TURN", "RIVER")
CATEGORIES = (
    "NO_CATEGORY", "GENERAL_GAME_INFO", "HERO_INFO", "OPPONENT_INFO", "DERIVED_INFO", "OPPONENT_STATS",
    "OPPONENT_BETTING", "HERO_BETTING", "ODDS_AND_OUTS", *STREETS, "EMPTY_CATEGORY",
)  # fmt: skip
PREFIXES = ("FUTURE", "HISTORY", "PRESENT", "NOT_SPECIFIED")

Work = Callable[[Situations], NDArray[Any]]


@dataclass(frozen=True)
class Attribute:
    """One attribute. Numeric ones give numbers, NaN where missing; nominal ones the place of the value, -1 missing.

    A nominal attribute of betting sequences has no fixed values: it gives the sequence as a number.
    """

    name: str
    work: Work
    category: str
    streets: tuple[str, ...]
    prefix: str = "PRESENT"
    values: tuple[str, ...] | None = None
    sequence: bool = False
    fact: str = ""
    """What it represents; attributes of one fact say the same in other words."""
    redundant: bool = False
    """Another attribute represents the fact."""
    section: str = ""
    opponent: int | None = None
    listed: bool = True
    """One of the text's, or of their like for more opponents; others are ours."""
    doc: str = ""

    @property
    def type(self) -> Literal["numeric", "nominal"]:
        """Whether it is a number or one of some values."""
        return "nominal" if self.values is not None or self.sequence else "numeric"

    @property
    def is_class(self) -> bool:
        """Whether it is what a model predicts."""
        return self.name.startswith("CLASS_")

    @property
    def looks_ahead(self) -> bool:
        """Whether it is known only afterwards."""
        return self.prefix == "FUTURE" or self.is_class


REGISTRY: dict[str, Attribute] = {}
"""Every attribute by name."""


def register(name: str, work: Callable[..., NDArray[Any]], *, arguments: Any = (), **said: Any) -> None:
    """Add an attribute: `work` is a function of the situations, and of `arguments` for families."""
    from_street = said.pop("from_street", 0)
    streets = said.pop("streets", STREETS[from_street:])
    fact = said.pop("fact", "") or name
    bound: Work = partial(_apply, work, arguments) if arguments else work
    doc = " ".join((work.__doc__ or "").split())
    REGISTRY[name] = Attribute(name, bound, streets=streets, fact=fact, doc=doc, **said)


def _apply(work: Callable[..., NDArray[Any]], arguments: tuple[Any, ...], situations: Situations) -> NDArray[Any]:
    return work(situations, *arguments)


def find(name: str) -> Attribute:
    """An attribute by name; small letters, hyphens and camel case will do."""
    wanted = _plain(name)
    for known, attribute in REGISTRY.items():
        if _plain(known) == wanted:
            return attribute
    raise UnreadableError(f"there is no attribute {name!r}; {did_you_mean(name.upper(), REGISTRY)}")


def _plain(name: str) -> str:
    return name.strip().replace("_", "").replace("-", "").upper()


def schema_names(players: int = 3, own: bool = False) -> tuple[str, ...]:
    """The attributes of a table of so many players in the appendix's order: 113 with three.

    `own` adds those the text does not list.
    """
    most = max(players - 1, 2)
    in_order = sorted(REGISTRY.values(), key=lambda a: int(a.section.removeprefix("A.")))
    return tuple(a.name for a in in_order if (a.opponent is None or a.opponent < most) and (a.listed or own))
