"""Everything a casino varies about blackjack, as one frozen object with presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from mazzo.document import Section, Shown, settings
from mazzo.errors import IllegalError, UnreadableError, did_you_mean
from mazzo.files import preset_in

__all__ = [
    "CHOICES",
    "INFINITE",
    "PRESETS",
    "UNLIMITED",
    "Rules",
    "even_money_offered",
    "may_double",
    "may_surrender",
    "named_rules",
    "points_needed",
    "read_rules",
    "rules",
]

INFINITE = 0
"""`decks` of a shoe that never runs out: every card is drawn with the same chances."""

UNLIMITED = 0
"""`max_hands` where a pair may be split again without end."""

_WORDS = {"decks": ("infinite", INFINITE), "max_hands": ("unlimited", UNLIMITED)}
CHOICES = {
    "double": ("any", "9-11", "10-11"),
    "surrender": ("none", "late", "early", "early-not-ace"),
    "even_money": ("none", "ace", "ace-ten"),
}
"""The fields that are a word, with the words."""


@dataclass(frozen=True)
class Rules(Shown):
    """The rules of one blackjack table. Fields are named as players name them."""

    decks: int = 6
    """1 to 8, or `INFINITE`."""
    hit_soft_17: bool = False
    """The dealer draws to a soft 17 (H17) instead of standing (S17)."""
    peek: bool = True
    """The dealer has a hole card and looks for blackjack before anybody plays. Without it (ENHC) doubled and split
    stakes are lost to a dealer blackjack."""
    blackjack_pays: float = 1.5
    double: str = "any"
    """Which two-card totals may be doubled: `any`, `9-11` or `10-11` (hard totals)."""
    double_after_split: bool = True
    max_hands: int = 4
    """How many hands one may have after splitting and resplitting; 1 forbids splitting, `UNLIMITED` has no end."""
    resplit_aces: bool = False
    hit_split_aces: bool = False
    """Split aces are played on like any hand; otherwise they get one card each and stand."""
    surrender: str = "none"
    """`none`; `late` (after the dealer has looked: a blackjack takes all); `early`; `early-not-ace`."""
    surrender_after_split: bool = False
    even_money: str = "ace"
    """Against which upcards a blackjack may be paid 1 to 1 at once: `none`, `ace`, `ace-ten`."""
    insurance: bool = True
    penetration: float = 0.75
    """The share of the shoe that lies before the cut card."""
    cut_sigma: float = 0.0
    """Standard deviation, in cards, of where the cut card is put."""

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise UnreadableError(f"{name} must be one of {', '.join(allowed)}, got {getattr(self, name)!r}")
        self._check_numbers()
        self._check_combinations()

    def _check_numbers(self) -> None:
        if not 0 <= self.decks <= 8:
            raise IllegalError(f"decks must be 1 to 8 or 'infinite', got {self.decks}")
        if not 0 <= self.max_hands <= 8:
            raise IllegalError(f"max_hands must be 1 (no splitting) to 8, or 'unlimited', got {self.max_hands}")
        if not 0 < self.blackjack_pays <= 5:
            raise IllegalError(f"blackjack_pays must be above 0 and at most 5 (1.5 for 3:2), got {self.blackjack_pays}")
        if not 0 < self.penetration < 1:
            raise IllegalError(f"penetration must be a share of the shoe between 0 and 1, got {self.penetration}")
        if not 0 <= self.cut_sigma <= 60:
            raise IllegalError(f"cut_sigma must be a number of cards from 0 to 60, got {self.cut_sigma}")

    def _check_combinations(self) -> None:
        if self.max_hands == 1:
            for name in ("double_after_split", "resplit_aces", "hit_split_aces", "surrender_after_split"):
                if getattr(self, name):
                    raise IllegalError(f"{name} has no meaning where max_hands = 1 forbids splitting; set it to false")
        if self.max_hands == 2 and self.resplit_aces:
            raise IllegalError("resplit_aces needs a third hand, but max_hands = 2; raise max_hands or set it to false")
        if self.surrender_after_split and self.surrender == "none":
            raise IllegalError("surrender_after_split needs surrender = late, early or early-not-ace, not none")
        if self.even_money != "none" and self.blackjack_pays <= 1:
            raise IllegalError(
                f"even money is never less than a blackjack that pays {self.blackjack_pays}: "
                "set even_money = none, or blackjack_pays above 1"
            )
        if self.decks == INFINITE and self.cut_sigma:
            raise IllegalError("an infinite shoe has no cut card: set cut_sigma = 0")

    def changed(self, **changes: Any) -> Rules:
        """The same rules with some fields changed; texts are read as from flags and TOML."""
        known = {f.name for f in fields(self)}
        for name in changes:
            if name not in known:
                raise UnreadableError(f"blackjack rules have no field {name!r}; {did_you_mean(name, known)}")
        read = {name: _read_value(name, value) for name, value in changes.items()}
        if read.get("decks", self.decks) == INFINITE:
            read.setdefault("cut_sigma", 0.0)  # there is no cut card to vary
        return replace(self, **read)

    def as_dict(self) -> dict[str, Any]:
        """The fields as plain data; `Rules().changed(**data)` gives the rules back."""
        data = asdict(self)
        for name, (word, number) in _WORDS.items():
            data[name] = word if data[name] == number else data[name]
        return data

    def section(self) -> Section:
        """Every rule and how it is set."""
        return settings("Rules of blackjack", self.as_dict())

    def __str__(self) -> str:
        """The rules as TOML, which `read_rules` reads back."""
        return "\n".join(f"{name} = {_toml(value)}" for name, value in self.as_dict().items())


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def _read_value(name: str, value: Any) -> Any:
    wanted = type(getattr(Rules, name))
    word, number = _WORDS.get(name, ("", 0))
    if word and value == word:
        return number
    if word and (value == number or value == str(number)):
        raise UnreadableError(f"{name} must be a whole number from 1 up, or {word!r}, got {value!r}")
    if wanted is bool:
        return _read_bool(name, value)
    if wanted is str:
        if not isinstance(value, str):
            raise UnreadableError(f"{name} must be one of {', '.join(CHOICES[name])}, got {value!r}")
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise UnreadableError(f"{name} must be a number, got {value!r}")
    try:
        return _read_ratio(value) if wanted is float else int(value)
    except (ValueError, ZeroDivisionError):
        kind = "a number, such as 1.5 or 3:2" if wanted is float else "a whole number" + f" or {word!r}" * bool(word)
        raise UnreadableError(f"{name} must be {kind}, got {value!r}") from None


def _read_ratio(value: int | float | str) -> float:
    if isinstance(value, str) and ":" in value:
        over, under = value.split(":")
        return float(over) / float(under)
    return float(value)


def _read_bool(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "yes"):
        return True
    if isinstance(value, str) and value.lower() in ("false", "no"):
        return False
    raise UnreadableError(f"{name} must be true or false, got {value!r}")


_STRIP = Rules()
_HUNGARIAN = Rules(peek=False, resplit_aces=True, surrender="early-not-ace", cut_sigma=10.1)

PRESETS: Mapping[str, Rules] = {
    "hungarian": _HUNGARIAN,
    "thesis": replace(_HUNGARIAN, max_hands=UNLIMITED, surrender_after_split=True),
    "strip": _STRIP,
    "h17": replace(_STRIP, hit_soft_17=True),
    "european": replace(_STRIP, peek=False),
}
"""`hungarian` is the table Bodon describes (2000) with at most four hands; `thesis` is what his formulas count: pairs
split again without end, and split hands that may be given up. `strip` is S17, peek, DAS; `h17` the same, dealer hits
soft 17; `european` is `strip` without a hole card."""


def named_rules(name: str, changes: Mapping[str, Any] | None = None) -> Rules:
    """A preset, or the rules in a TOML file (a name that ends in `.toml`), with some fields changed."""
    if name.endswith(".toml"):
        rules = read_rules(Path(name))
    elif name in PRESETS:
        rules = PRESETS[name]
    else:
        raise UnreadableError(f"there are no rules {name!r} and it is no .toml file; {did_you_mean(name, PRESETS)}")
    return rules.changed(**changes) if changes else rules


def read_rules(path: Path) -> Rules:
    """Rules from a TOML file: any fields, and `preset = "..."` for what the others are taken from."""
    preset, data = preset_in(path, PRESETS, "strip")
    return PRESETS[preset].changed(**data)


def rules(name: str | Rules = "strip", **changes: Any) -> Rules:
    """Rules by the name of one of `PRESETS` or of a `.toml` file, some fields changed."""
    return name.changed(**changes) if isinstance(name, Rules) else named_rules(name, changes)


def may_double(rules: Rules, total: int, soft: bool, after_split: bool = False) -> bool:
    """Whether a hand of two cards may be doubled."""
    if after_split and not rules.double_after_split:
        return False
    lowest = {"any": 0, "9-11": 9, "10-11": 10}[rules.double]
    return rules.double == "any" or (not soft and lowest <= total <= 11)


def may_surrender(rules: Rules, upcard: int, after_split: bool = False) -> bool:
    """Whether a hand of two cards may be given up against this upcard (0 the ace)."""
    if after_split and not rules.surrender_after_split:
        return False
    return rules.surrender != "none" and not (rules.surrender == "early-not-ace" and upcard == 0)


def even_money_offered(rules: Rules, upcard: int) -> bool:
    """Whether a blackjack may be paid 1 to 1 at once against this upcard (0 the ace, 9 the tens)."""
    return {"none": False, "ace": upcard == 0, "ace-ten": upcard in (0, 9)}[rules.even_money]


def points_needed(rules: Rules) -> int:
    """More points than one round can use: each hand at most 30 (a ten on 20), the dealer 26."""
    return 30 * (4 if rules.max_hands == UNLIMITED else rules.max_hands) + 26
