"""The text of one hand in PHH as its fields: by a quick way for the form PHH is usually written in, else as TOML."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, fields
from decimal import Decimal
from functools import lru_cache
from typing import Any

from mazzo.holdem.logs.formats import UnusableHandError

__all__ = ["History", "parse_history"]

_REQUIRED = frozenset(("variant", "antes", "starting_stacks", "actions"))
_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]")
_ONCE = frozenset(("actions", "starting_stacks", "finishing_stacks", "hand", "winnings"))
"""Fields that are hardly ever the same in two hands: not worth remembering."""


@dataclass(slots=True)
class History:
    """Those fields of a hand that are looked at, by the names and with the types that pokerkit gives them."""

    variant: Any
    antes: Any
    starting_stacks: Any
    actions: Any
    blinds_or_straddles: Any = None
    small_bet: Any = None
    big_bet: Any = None
    min_bet: Any = None
    event: Any = None
    venue: Any = None
    hand: Any = None
    table: Any = None
    players: Any = None
    finishing_stacks: Any = None
    user_defined_fields: dict[str, Any] = field(default_factory=dict)


_NAMES = frozenset(f.name for f in fields(History)) - {"user_defined_fields"}


def parse_history(text: str) -> History:
    """One hand; refused is what is not TOML and what lacks a field that every hand has."""
    try:
        found = _plain(text)
    except (ValueError, ArithmeticError, RecursionError):
        found = _toml(text)
    if not found.keys() >= _REQUIRED:
        missing = [name for name in ("variant", "antes", "starting_stacks", "actions") if name not in found]
        raise UnusableHandError("not PHH", f"this is not a hand in PHH: it has no {' and no '.join(missing)}")
    own = {key: value for key, value in found.items() if key not in _NAMES}
    given = {key: value for key, value in found.items() if key in _NAMES}
    return History(**given, user_defined_fields=own)


def _toml(text: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text, parse_float=Decimal)
    except (ValueError, TypeError, ArithmeticError, RecursionError) as error:
        raise UnusableHandError("not PHH", f"this is not a hand in PHH: {error}") from None


def _plain(text: str) -> dict[str, Any]:
    """The fields of a hand with a field a line and in each a text, a number or a list of these; else ValueError.

    What is accepted here is TOML with the same meaning; anything unusual is left to a reader of all of TOML.
    """
    if "\r" in text or "\x7f" in text:
        raise ValueError
    lines = text.strip("\n").split("\n")
    pairs: dict[str, str] = dict(line.split(" = ", 1) for line in lines)  # or ValueError
    if len(pairs) != len(lines):
        raise ValueError
    return {_key(key): _value(raw) if key in _ONCE else _known_value(raw) for key, raw in pairs.items()}


@lru_cache(1 << 8)
def _key(text: str) -> str:
    if not text.isascii() or not text.isidentifier():
        raise ValueError
    return text


def _value(raw: str) -> Any:
    """A number, a text, a list of numbers or a list of texts, by a reader of JSON where it reads them as TOML does."""
    if raw.isdecimal() and raw.isascii() and (raw[0] != "0" or raw == "0"):
        return int(raw)
    quoted = "'" in raw or '"' in raw
    if not quoted:
        if "I" in raw or "N" in raw:
            raise ValueError
        raw = raw.replace("inf", "Infinity")
    elif "'" in raw:
        if '"' in raw or "\\" in raw:
            raise ValueError
        raw = raw.replace("'", '"')
    elif "\\u" in raw or "\\/" in raw:
        raise ValueError
    value = _DECODER.decode(raw)
    kinds = set(map(type, value)) if isinstance(value, list) else {type(value)}
    if not kinds <= ({str} if quoted else {int, Decimal, bool}):
        raise ValueError
    return value


_DECODER = json.JSONDecoder(parse_float=Decimal, parse_constant=Decimal)


@lru_cache(1 << 12)
def _known_value(raw: str) -> Any:
    return raw if _TIME.fullmatch(raw) else _value(raw)
