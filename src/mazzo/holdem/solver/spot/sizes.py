"""Bet sizes as people write them, and the amounts they come to at a decision.

`50%` of the pot, `3x` the bet to be raised, `20c` chips, `a` all-in, `e` geometric (`2e`: all-in on the second bet;
`3e200%`: never more than twice the pot). `20c3r` allows a raise only while no more than three bets and raises were
made on the street.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import floor

from mazzo.errors import UnreadableError

__all__ = ["BetNode", "Size", "amounts", "parse_sizes", "rounded"]

_HOW = "sizes are separated by commas: 50% (of the pot), 3x (the last bet), 20c (chips), a (all-in), e, 2e or 3e200%"
_SIZE = re.compile(r"(?:(\d+(?:\.\d+)?)(%|x|c)(?:(\d+)r)?|(a)|(\d*)e(?:(\d+(?:\.\d+)?)%)?)", re.ASCII)
_MOST = 1e6


@dataclass(frozen=True)
class Size:
    """One size: what it is counted in and how much."""

    unit: str
    """`%`, `x`, `c`, `a` or `e`."""
    amount: float = 0.0
    """Per cent, times, chips; of a geometric size the number of bets, 0 for one on every street left."""
    most_raises: int | None = None
    """No raise of this size when more bets and raises than this were made on the street."""
    cap: float = float("inf")
    """Of a geometric size: never more than so many pots."""


@dataclass(frozen=True)
class BetNode:
    """What sizes are worked out from: chips of one decision."""

    pot: int
    """After a call."""
    facing: int
    """The bet of this street to be matched; 0 where nothing was bet."""
    low: int
    high: int
    """The least and the most one may bet or raise to on this street."""
    behind: int
    """Chips that the opponent has left."""
    streets: int
    """Streets left, this one included."""
    bets: int
    """Bets and raises made on this street."""


def rounded(number: float) -> int:
    """To the nearest whole number, halves away from zero."""
    return floor(number + 0.5) if number >= 0 else -floor(0.5 - number)


def parse_sizes(text: str, where: str) -> tuple[Size, ...]:
    """Read sizes; `where` is named in errors."""
    return tuple(_parse(item, where) for item in text.replace(",", " ").split())


def _parse(text: str, where: str) -> Size:
    match = _SIZE.fullmatch("a" if text.lower() in ("allin", "all-in") else text.lower())
    if not match:
        raise UnreadableError(f"{where}: cannot read the size {text!r}; {_HOW}")
    amount, unit, raises, all_in, bets, cap = match.groups()
    if all_in:
        return Size("a")
    if amount is None:
        number, most = int(bets or 0), float(cap) / 100 if cap else float("inf")
        if number > 100 or (bets and number < 1):
            raise UnreadableError(f"{where}: {text!r} would be {number} bets; a geometric size is of 1 to 100")
        return Size("e", number, None, most)
    if not 0 < float(amount) <= _MOST or (unit == "x" and float(amount) <= 1):
        raise UnreadableError(f"{where}: the size {text!r} is too small or too large")
    return Size(unit, float(amount), None if raises is None else int(raises))


def _wanted(size: Size, d: BetNode) -> float | None:
    """What a size comes to, before it is brought within what is allowed."""
    if size.unit == "a":
        return d.high
    if size.unit == "x":
        return rounded(d.facing * size.amount) if d.facing else None
    if d.facing and size.most_raises is not None and d.bets > size.most_raises:
        return None
    if size.unit == "%":
        return d.facing + rounded(d.pot * (size.amount / 100))
    if size.unit == "c":
        return d.facing + rounded(size.amount)
    bets = int(size.amount) or d.streets
    if d.facing:
        bets = max(bets - d.bets + 1, 1)
    ratio = ((2 * d.behind / d.pot + 1) ** (1 / bets) - 1) / 2
    return d.facing + rounded(d.pot * min(ratio, size.cap))


def amounts(
    sizes: tuple[Size, ...], d: BetNode, add_allin: float = 0.0, force_allin: float = 0.0, merge: float = 0.0
) -> list[int]:
    """What may be bet or raised to on the street, in rising order.

    Args:
        sizes: As written.
        d: The decision.
        add_allin: All-in is added where it is no more than so many pots.
        force_allin: An amount after which no more than so many pots would be left becomes all-in.
        merge: Sizes closer than this, in pots, are merged into the larger one; 0: none are.
    """
    wanted = [w for size in sizes if (w := _wanted(size, d)) is not None]
    if d.high <= d.facing + rounded(d.pot * add_allin):
        wanted.append(d.high)
    found = set()
    for amount in wanted:
        to = int(min(max(amount, d.low), d.high))
        left = rounded((d.pot + 2 * (to - d.facing)) * force_allin)
        found.add(d.high if d.high <= to + left else to)
    return _merged(sorted(found), d, merge) if merge else sorted(found)


def _merged(found: list[int], d: BetNode, merge: float) -> list[int]:
    kept: list[int] = []
    for to in reversed(found):
        share = (to - d.facing) / d.pot
        if not kept or share < ((kept[-1] - d.facing) / d.pot - merge) / (1 + merge):
            kept.append(to)
    return kept[::-1]
