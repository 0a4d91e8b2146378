"""The registry of attributes: what each is called, can be, stands for, and how it is worked out for many decisions.

Learning and cloning look at the same ones. An attribute is a function of `Situations` that gives one value a decision;
it is registered beside its siblings, or stands in a file of the user's (`user_files`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from numpy.typing import NDArray

from mazzo.errors import AmbiguousError, UnreadableError, did_you_mean
from mazzo.holdem import notation
from mazzo.holdem.attributes.situations import Situations
from mazzo.registry import Registry

__all__ = ["CATEGORIES", "PREFIXES", "REGISTRY", "STREETS", "Attribute", "find", "register", "schema_names"]

STREETS = tuple(street.upper() for street in notation.STREETS)
"""The streets as names of attributes write them."""

CATEGORIES = (
    "NO_CATEGORY",
    "GENERAL_GAME_INFO",
    "HERO_INFO",
    "OPPONENT_INFO",
    "DERIVED_INFO",
    "OPPONENT_STATS",
    "OPPONENT_BETTING",
    "HERO_BETTING",
    "ODDS_AND_OUTS",
    *STREETS,
    "EMPTY_CATEGORY",
)
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
    """One of Kischka's text, or of their like for more opponents."""
    heads_up: bool = False
    """Whether it is one of heads-up limit Hold'em only."""
    file: str = ""
    """The file it is from, if it is the user's."""
    doc: str = ""

    def __reduce__(self) -> Any:
        """Ours travel to other processes by name; a user's takes its function along and is registered there."""
        return (_adopt, (vars(self).copy(),)) if self.file else (_registered, (self.name,))

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


REGISTRY: Registry[Attribute] = Registry("attribute")
"""Every attribute by name; model files keep names, so spelling counts."""


def _registered(name: str) -> Attribute:
    return REGISTRY[name]


def _adopt(fields: dict[str, Any]) -> Attribute:
    made = Attribute(**fields)
    REGISTRY.register(made.name, again=True)(made)
    return made


def register(name: str, work: Callable[..., NDArray[Any]], *, arguments: Any = (), **fields: Any) -> None:
    """Add an attribute: `work` is a function of the situations, and of `arguments` for families."""
    from_street = fields.pop("from_street", 0)
    streets = fields.pop("streets", STREETS[from_street:])
    fact = fields.pop("fact", "") or name
    given = dict(zip(work.__code__.co_varnames[1:], arguments, strict=False))
    bound: Work = partial(work, **given) if given else work
    doc = " ".join((work.__doc__ or "").split())
    REGISTRY.register(name)(Attribute(name, bound, streets=streets, fact=fact, doc=doc, **fields))


def find(name: str) -> Attribute:
    """An attribute by name: as it is spelled, else any spelling (small letters, hyphens, camel case) if one fits."""
    if name.strip() in REGISTRY:
        return REGISTRY[name.strip()]
    fitting = [known for known in REGISTRY if _plain(known) == _plain(name)]
    if len(fitting) > 1:
        raise AmbiguousError(f"{name!r} may be {' or '.join(fitting)}, which differ: spell it as one of them")
    if fitting:
        return REGISTRY[fitting[0]]
    near = did_you_mean(name, REGISTRY)
    near = near if near.startswith("did you mean") else did_you_mean(name.upper(), REGISTRY)
    raise UnreadableError(f"there is no attribute {name!r}; {near}")


def _plain(name: str) -> str:
    return name.strip().replace("_", "").replace("-", "").upper()


def schema_names(players: int = 3, own: bool = False) -> tuple[str, ...]:
    """Kischka's attributes of a table of so many players in the appendix's order: 113 with three.

    `own` adds all others: some of ours, those that heroes learn from, those of the user's files.
    """
    most = max(players - 1, 2)
    in_order = sorted(REGISTRY.values(), key=lambda a: int(a.section.removeprefix("A.") or 99))
    return tuple(a.name for a in in_order if (a.opponent is None or a.opponent < most) and (a.listed or own))
