"""A spot: who may hold what, the board, the pot, the stacks, and which sizes may be bet; from JSON, TOML or words."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from mazzo.arrays import Floats
from mazzo.cards import FRENCH, Card
from mazzo.document import Section, Shown, settings
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem.odds.build import holes
from mazzo.holdem.odds.ranges import Range, grid_places, parse_range
from mazzo.holdem.rules import Rules
from mazzo.holdem.solver.spot.sizes import Size, parse_sizes

__all__ = ["PLAYERS", "STREETS", "Spot", "parse_spot", "read_setting", "read_spot", "weights_of"]

PLAYERS = ("oop", "ip")
"""Who acts first after the flop, and who acts last."""
STREETS = ("flop", "turn", "river")
_KINDS = ("bet", "raise", "donk")
_MOST_CHIPS = 10_000_000
_MOST_BYTES = 1 << 20

_LINE = re.compile(r"(?:(?:[kc]|[br]\d{1,9})(?: |$))*", re.ASCII)
_SIZE_KEYS = {
    *(f"{street}_{kind}" for street in STREETS for kind in _KINDS if (street, kind) != ("flop", "donk")),
    *(f"{player}_{street}_{kind}" for player in PLAYERS for street in STREETS for kind in ("bet", "raise")),
}


_BY_STREET = ("raise_cap", "add_allin", "force_allin", "merge")
_STREET_KEYS = {
    prefix + f"{street}_{name}" for prefix in ("", "oop_", "ip_") for street in STREETS for name in _BY_STREET
}
"""What may be said for one street, and there for one player alone."""


def weights_of(text: str, where: str = "a range") -> Floats:
    """The weight of each of the 1,326 holdings in a range given as text."""
    try:
        read = parse_range(text)
    except UnreadableError as error:
        raise UnreadableError(f"{where}: {error}") from None
    return _of_range(read)


def _of_range(read: Range) -> Floats:
    out = np.zeros(len(holes()))
    for (a, b), weight in read.weights.items():
        out[b * (b - 1) // 2 + a] = float(weight)
    return out


@dataclass(frozen=True, eq=False)
class Spot(Shown):
    """A situation between two players after the flop."""

    board: tuple[Card, ...]
    oop: Floats
    """Weights of the 1,326 holdings of the player out of position."""
    ip: Floats
    pot: int
    stack: int
    """What each has left."""
    sizes: Mapping[str, str] = field(default_factory=dict)
    """By `river_bet`, `turn_raise`, `turn_donk`, or for one player alone `ip_river_bet`."""
    add_allin: float = 0.0
    force_allin: float = 0.0
    merge: float = 0.0
    rake: float = 0.0
    """The share of the pot that the house takes."""
    rake_cap: float = float("inf")
    """Never more chips than this."""
    raise_cap: int = 0
    """Bets and raises a street at most; 0: no cap."""
    big_blind: int = 0
    """For agents that play in the spot; 0: half the pot, as after a limp."""
    by_street: Mapping[str, float] = field(default_factory=dict)
    """`turn_raise_cap`, `ip_river_add_allin`: one of the numbers above where it is another on a street."""
    line: str = ""
    """What was done on the first street already, `k b50`: the spot begins after it, with the ranges as they are then.
    The pot is that of the beginning of the street."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """The ranges as they were written, where they were."""

    def __post_init__(self) -> None:
        self._check()

    def _check(self) -> None:
        for wrong, reason in self._problems():
            if wrong:
                raise UnreadableError(f"this spot cannot be solved: {reason}")

    def _problems(self) -> list[tuple[bool, str]]:
        cards, whole = len(self.board), all(type(n) is int for n in (self.pot, self.stack, self.big_blind))
        shares = [self.add_allin, self.force_allin, self.merge, self.rake]
        shares += [value for key, value in self.by_street.items() if not key.endswith("raise_cap")]
        caps = [self.raise_cap, *(value for key, value in self.by_street.items() if key.endswith("raise_cap"))]
        return [
            (not 3 <= cards <= 5, f"the board has {cards} cards; it must have 3 (flop), 4 (turn) or 5 (river)"),
            (len(set(self.board)) != cards, "a card is on the board twice"),
            (not whole, "pot, stack and big_blind are whole numbers of chips"),
            (not 2 <= self.pot <= _MOST_CHIPS, f"pot must be 2 to {_MOST_CHIPS}, got {self.pot}"),
            (not 1 <= self.stack <= _MOST_CHIPS, f"stack must be 1 to {_MOST_CHIPS}, got {self.stack}"),
            (not all(0 <= x < 1e6 for x in shares), "add_allin, force_allin, merge and rake must be 0 to a million"),
            (self.rake >= 1, f"rake is a share of the pot below 1, got {self.rake}"),
            (not self.rake_cap >= 0, f"rake_cap must be 0 or more, got {self.rake_cap}"),
            *((not 0 <= cap <= 100, f"raise_cap must be 0 (none) to 100, got {cap}") for cap in caps),
            (
                not isinstance(self.line, str) or len(self.line) > 200 or not _LINE.fullmatch(self.line),
                "line is what was done on the first street already: k check, c call, b50 bet, r150 raise to",
            ),
            (not 0 <= self.big_blind <= self.pot // 2, f"big_blind must be 0 to half the pot, got {self.big_blind}"),
            *(
                (not self.free(name).any(), f"no hand of the range {name} is left without the cards of the board")
                for name in PLAYERS
            ),
            (not self._meet(), "no two hands of the ranges can be held at the same time"),
        ]

    def _meet(self) -> bool:
        first, second = (holes()[self.free(name) > 0] for name in PLAYERS)
        apart = ~(first[:, None, :, None] == second[None, :, None, :]).any(axis=(2, 3))
        return bool(apart.any())

    def free(self, player: str) -> Floats:
        """The weights of a player, 0 for what the board rules out."""
        weights: Floats = getattr(self, player)
        return np.where(np.isin(holes(), [int(card) for card in self.board]).any(axis=1), 0.0, weights)

    def rake_of(self, pot: float) -> float:
        """What the house takes of a pot that both have matched."""
        return min(self.rake * pot, self.rake_cap)

    @property
    def street(self) -> int:
        """The street that is bet on first: 1 flop, 2 turn, 3 river."""
        return len(self.board) - 2

    def sizes_of(self, player: int, street: int, kind: str) -> tuple[Size, ...]:
        """What a player may bet or raise on a street."""
        name = f"{STREETS[street - 1]}_{kind}"
        own = f"{PLAYERS[player]}_{name}"
        key = own if own in self.sizes else name
        return self._parsed.get(key, ())

    def number_of(self, name: str, player: int, street: int) -> float:
        """`raise_cap`, `add_allin`, `force_allin` or `merge` for a player on a street."""
        key = f"{STREETS[street - 1]}_{name}"
        usual = self.by_street.get(key, getattr(self, name))
        return float(self.by_street.get(f"{PLAYERS[player]}_{key}", usual))

    @cached_property
    def _parsed(self) -> dict[str, tuple[Size, ...]]:
        found = {key: parse_sizes(text, key) for key, text in self.sizes.items()}
        for key, sizes in found.items():
            if not key.endswith("raise") and any(size.unit == "x" for size in sizes):
                raise UnreadableError(f"{key}: a bet cannot be a number of times (x) the last bet: there is none yet")
        return found

    @cached_property
    def rules(self) -> Rules:
        """The game that a hand in this spot is a hand of: what was put in before was raised by one, called by both."""
        blind, odd = self.big_blind or self.pot // 2, self.pot % 2
        return Rules(
            name="spot",
            limit=False,
            blinds=(blind, blind if blind == self.pot // 2 else blind // 2),
            first=(1, 0, 0, 0),
            stacks=(self.pot // 2 + odd + self.stack, self.pot // 2 + self.stack),
            antes=(odd, 0),
            min_bet=1,
        )

    def as_dict(self) -> dict[str, Any]:
        """The spot as plain data, with the keys of a spot's file."""
        data: dict[str, Any] = {"board": "".join(map(str, self.board))}
        data |= {name: self.texts.get(name) or range_text(getattr(self, name)) for name in PLAYERS}
        data |= {"pot": self.pot, "stack": self.stack, **self.sizes, **self.by_street}
        plain = {f.name: f.default for f in fields(self) if f.name in _NUMBERS | _WORDS}
        return data | {name: value for name, had in plain.items() if (value := getattr(self, name)) != had}

    def section(self) -> Section:
        """The spot, a setting a row."""
        return settings("spot", {key: str(value) for key, value in self.as_dict().items()})

    def replaced(self, **changes: Any) -> Spot:
        """The same spot with some things changed."""
        return replace(self, **changes)


_NUMBERS = {"add_allin", "force_allin", "merge", "rake", "rake_cap", "raise_cap", "big_blind"}
_WORDS = {"line"}
_WHOLE = {"pot", "stack", "raise_cap", "big_blind"}
_KEYS = {"board", *PLAYERS, "pot", "stack", *_NUMBERS, *_WORDS, *_SIZE_KEYS, *_STREET_KEYS}


def range_text(weights: Floats) -> str:
    """A range as text, holding by holding, weights to six decimals of the largest; none is rounded to nothing."""
    high = float(weights.max())
    parts = []
    for (a, b), weight in zip(holes(), weights, strict=True):
        if weight > 0:
            share = max(round(float(weight) / high, 6), 1e-6)
            name = f"{FRENCH.cards([b])[0]}{FRENCH.cards([a])[0]}"
            parts.append(name if share == 1 else f"{name}:{share:.6f}".rstrip("0"))
    return ",".join(parts)


def parse_spot(given: Mapping[str, Any], where: str = "the spot") -> Spot:
    """A spot from the keys and values of its file.

    A range may be text, a `Range`, what `range_of` gives, an array of 1,326 weights, or 13 rows of 13 weights,
    aces first, suited hands above the diagonal.
    """
    for key in given:
        if key not in _KEYS:
            raise UnreadableError(f"{where}: a spot has no {key!r}; {did_you_mean(str(key), _KEYS)}")
    for key in ("board", *PLAYERS, "pot", "stack"):
        if key not in given:
            raise UnreadableError(f"{where}: {key} is missing; a spot needs board, oop, ip, pot and stack")
    numbers = {key: _number(given[key], key, where) for key in ("pot", "stack", *_NUMBERS) if key in given}
    sizes = {key: _text(given[key], key, where) for key in given if key in _SIZE_KEYS}
    streets = {key: _number(given[key], key, where) for key in given if key in _STREET_KEYS}
    words = {key: " ".join(_text(given[key], key, where).split()) for key in _WORDS if key in given}
    board_text, ranges, texts = _text(given["board"], "board", where), {}, {}
    for name in PLAYERS:
        ranges[name], texts[name] = _range(given[name], name, where)
    try:
        board = tuple(FRENCH.parse(board_text))
        spot = Spot(
            board,
            ranges["oop"],
            ranges["ip"],
            sizes=sizes,
            by_street=streets,
            texts=texts,
            **numbers,  # type: ignore[arg-type]
            **words,  # type: ignore[arg-type]
        )
        spot._parsed  # noqa: B018  # sizes are read, so that what is wrong with them is said now
    except UnreadableError as error:
        raise UnreadableError(f"{where}: {error}") from None
    return spot


def read_setting(text: str) -> tuple[str, str | int | float]:
    """A key of a spot and its value from `KEY=VALUE`."""
    name, equals, words = (part.strip() for part in text.partition("="))
    if not equals:
        raise UnreadableError(f"a key of a spot is set as KEY=VALUE, as in ip_turn_bet=33%; got {text[:80]!r}")
    for kind in (int, float):
        try:
            return name, kind(words)
        except ValueError:
            continue
    return name, words


def _number(value: Any, key: str, where: str) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float) or (type(value) is int and abs(value) >= 10**18):
        raise UnreadableError(f"{where}: {key} must be a number, got {str(value)[:40]!r}")
    if key in _WHOLE or key.endswith("raise_cap"):
        if value != value or value in (float("inf"), float("-inf")) or int(value) != value:
            raise UnreadableError(f"{where}: {key} must be a whole number, got {value!r}")
        return int(value)
    if value != value:
        raise UnreadableError(f"{where}: {key} must be a number, got {value!r}")
    return float(value)


def _text(value: Any, key: str, where: str) -> str:
    if not isinstance(value, str) or len(value) > 100_000:
        raise UnreadableError(f"{where}: {key} must be text, got {str(value)[:40]!r}")
    return value


def _range(value: Any, key: str, where: str) -> tuple[Floats, str]:
    value = _of_range(value) if isinstance(value, Range) else getattr(value, "p", value)
    if isinstance(value, np.ndarray | list):
        return _weights(
            value, f"{where}: {key} must have a weight of 0 or more for each of 1,326 holdings, or 13 x 13"
        ), ""
    text = _text(value, key, where)
    return weights_of(text, f"{where}: {key}"), text


def _weights(value: Any, what: str) -> Floats:
    try:
        weights = np.asarray(value, np.float64)
    except (ValueError, TypeError):
        raise UnreadableError(what) from None
    if weights.shape == (13, 13):
        weights = weights[grid_places(holes())]
    if weights.shape != (len(holes()),) or not np.isfinite(weights).all() or (weights < 0).any():
        raise UnreadableError(what)
    return weights


def read_spot(path: str | Path) -> Spot:
    """A spot from a file: JSON, or TOML where its name ends so; with the keys of `Spot.as_dict`."""
    file = Path(path)
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise UnreadableError(f"{file} is too large to be a spot")
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableError(
            f"cannot read the spot {str(file)!r}: {getattr(error, 'strerror', None) or error}"
        ) from None
    try:
        data = tomllib.loads(text) if file.suffix.lower() == ".toml" else json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(
            f"{file} is not {'TOML' if file.suffix.lower() == '.toml' else 'JSON'}: {error}"
        ) from None
    if isinstance(data, dict) and isinstance(data.get("spots"), dict):
        raise UnreadableError(
            f"{file} holds {len(data['spots'])} spots; give a file with one of them, what stands under its name "
            f"({', '.join(map(str, list(data['spots'])[:5]))})"
        )
    if isinstance(data, dict) and isinstance(data.get("spot"), dict):
        data = data["spot"]  # one of a collection, with its reference beside it
    if not isinstance(data, dict):
        raise UnreadableError(f"{file} is not a spot: it must be a table of names and values")
    return parse_spot(data, str(file))
