"""The charts of `solid`: a text that a player can read and change, and the tables that its kernels look up.

Classes of starting hands stand in a 13 x 13 square: [high, low] for suited hands and pairs, [low, high] for offsuit
ones, numbered 13 * row + column.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem.agents.starting import SHARES, starting_values
from mazzo.holdem.odds.build import holes
from mazzo.holdem.odds.ranges import parse_range
from mazzo.holdem.solver.push_fold import class_table

__all__ = [
    "CHARTS", "SITUATIONS", "WIDTHS", "Charts", "class_of_holdings", "classes_of", "equity_table", "in_square",
    "place_of_classes", "read_charts",
]  # fmt: skip

CHARTS = Path(__file__).with_name("solid.charts")
"""The charts that come with Mazzo."""

SITUATIONS = (
    "open heads-up", "open behind 1", "open behind 2", "open behind 3", "open behind 4", "open behind 5",
    "open behind 6", "limped heads-up", "limped", "raised heads-up", "raised late blind", "raised late",
    "raised early blind", "raised early", "reraised heads-up", "reraised", "again", "short behind 1", "short behind 2",
    "short behind 3", "short behind 4", "short behind 5", "short behind 6",
)  # fmt: skip
"""Every line that charts have, in the order of the kernels."""

WIDTHS = np.array([0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.1, 0.13, 0.17, 0.22, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0])
"""Shares of hands against which `equity_table` knows the equity of every class."""


@cache
def class_of_holdings() -> Ints:
    """By holding the number of its class in the square."""
    low, high = np.sort(holes() >> 2, axis=1).T
    suited = (holes()[:, 0] & 3) == (holes()[:, 1] & 3)
    return np.asarray(np.where(suited | (low == high), 13 * high + low, 13 * low + high))


@cache
def _classes() -> tuple[Ints, Floats, Floats]:
    """Where each class of the table of matchups stands in the square; pairs of holdings; equities."""
    names, pairs, equity = class_table()
    ranks = "23456789TJQKA"
    place = []
    for name in names:
        high, low = ranks.index(name[0]), ranks.index(name[1])
        place.append(13 * low + high if name.endswith("o") else 13 * high + low)
    return np.array(place), pairs, equity


@cache
def place_of_classes() -> Floats:
    """By class the share of deals that are at least as good, in the order of the charts: 1 for the last.

    The order is the mean of two places: by equity against the best half of hands, and in the list of `utility`.
    """
    place, pairs, equity = _classes()
    listed = starting_values()[SHARES].reshape(-1)[place]
    best = listed <= 0.5
    against = (pairs[:, best] * equity[:, best]).sum(axis=1) / pairs[:, best].sum(axis=1)
    size = np.bincount(class_of_holdings(), minlength=169)[place] / 1326
    order = np.argsort(-against, kind="stable")
    by_equity = np.empty(169)
    by_equity[order] = np.cumsum(size[order])
    order = np.argsort(listed + by_equity, kind="stable")
    out = np.empty(169)
    out[place[order]] = np.cumsum(size[order])
    return out


@cache
def equity_table() -> Floats:
    """[class, width]: the exact equity before the flop of a class against the best share of hands."""
    place, pairs, equity = _classes()
    shares = place_of_classes()[place]
    out = np.empty((169, len(WIDTHS)))
    for k, width in enumerate(WIDTHS):
        inside = shares <= max(width, shares.min()) + 1e-9
        met = pairs[:, inside].sum(axis=1)
        out[place, k] = (pairs[:, inside] * equity[:, inside]).sum(axis=1) / np.maximum(met, 1)
    return out


def in_square(mix: Floats) -> Floats:
    """Shares by class, the last axis in the order of the table of matchups, as they stand in the square."""
    out = np.zeros(mix.shape)
    out[..., _classes()[0]] = mix
    return out


def classes_of(hole: NDArray[np.uint8]) -> Ints:
    """The class of each row of two cards."""
    low, high = np.sort(hole.astype(np.int64), axis=1).T
    return np.asarray(class_of_holdings()[high * (high - 1) // 2 + low])


@dataclass(frozen=True)
class Charts:
    """Charts as the kernels look them up, a row a situation."""

    size: Floats
    """What is raised to: big blinds, or times the raise that is faced."""
    raises: Floats
    """[situation, class]: the share of the class that raises."""
    calls: Floats
    """[situation, class]: the share that calls, where it does not raise."""


def _range_of(text: str, where: str) -> Floats:
    """A range by class: the share of its holdings."""
    if text == "-":
        return np.zeros(169)
    if text.endswith("%"):
        try:
            share = float(text[:-1]) / 100
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1:
            raise UnreadableError(f"{where}: a share must be from 0% to 100%, got {text!r}")
        return (place_of_classes() <= share + 1e-9).astype(np.float64)
    out = np.zeros(169)
    try:
        weights = parse_range(text).weights
    except UnreadableError as error:
        raise UnreadableError(f"{where}: {error}") from None
    classes = class_of_holdings()
    for (a, b), weight in weights.items():
        out[classes[b * (b - 1) // 2 + a]] += float(weight)
    return np.asarray(out / np.bincount(classes, minlength=169).clip(1))


def read_charts(path: Path = CHARTS) -> Charts:
    """Charts from their text; every situation must have one line."""
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableError(f"cannot read the charts {str(path)!r}: {error}") from None
    found: dict[str, tuple[float, Floats, Floats]] = {}
    for number, raw in enumerate(lines, 1):
        line, where = " ".join(raw.split("#")[0].split()), f"{path.name}, line {number}"
        if not line:
            continue
        name, _, rest = line.partition(" raise ")
        words = rest.split(" ")
        if name not in SITUATIONS or len(words) != 4 or words[2] != "call":
            raise UnreadableError(
                f"{where}: a line is `open behind 2  raise 2.5 46%  call -` with one of the situations "
                f"{', '.join(SITUATIONS)}; got {line!r}"
            )
        try:
            size = float(words[0])
        except ValueError:
            size = 0.0
        if not 1 < size <= 1000:
            raise UnreadableError(f"{where}: a raise must be to more than 1 and at most 1000, got {words[0]!r}")
        if name in found:
            raise UnreadableError(f"{where}: {name!r} stands here a second time")
        raises = _range_of(words[1], where)
        found[name] = size, raises, np.minimum(_range_of(words[3], where), 1 - raises)
    if missing := [name for name in SITUATIONS if name not in found]:
        raise UnreadableError(f"{path.name}: there is no line for {', '.join(missing)}")
    rows = [found[name] for name in SITUATIONS]
    return Charts(np.array([r[0] for r in rows]), np.stack([r[1] for r in rows]), np.stack([r[2] for r in rows]))
