"""Decisions of a hero as rows to learn from: one data set a street, with the groups that must not be torn apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError, did_you_mean
from mazzo.holdem import columns as c
from mazzo.holdem.attributes import REGISTRY, STREETS, Column, Selection, Situations, columns_of, describe, offered
from mazzo.holdem.attributes.situations import situations_in
from mazzo.holdem.attributes.values import ACTIONS
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.rules import Rules

__all__ = ["CLASSES", "FUTURE_WARNING", "Rows", "rows_described", "rows_of", "street_columns"]

CLASSES = ACTIONS[:3]
"""What a model predicts, by number: RAISE, FOLD, CALL."""

FUTURE_WARNING = "is known only after the hand: a model that looks at it cannot play"


@dataclass(frozen=True)
class Rows:
    """Decisions of one street."""

    street: int
    columns: tuple[Column, ...]
    x: Floats
    """Numbers, or places of values; NaN where missing."""
    y: Ints
    """The action, as a place in `CLASSES`."""
    group: NDArray[np.uint64]
    hand: Ints
    to_invest: Floats
    net: Floats
    raise_share: Floats
    """What a raise added over the call, in pots after the call; NaN where it was none."""
    match: NDArray[np.uint64] | None = None
    """The match, where the groups are not by match already."""

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, rows: NDArray[np.int64] | NDArray[np.bool_] | slice) -> Rows:
        """Some of the rows."""
        return replace(self, **{k: getattr(self, k)[rows] for k in self._arrays})

    @classmethod
    def joined(cls, parts: Sequence[Rows]) -> Rows:
        """Rows of the same street and columns as one."""
        arrays: dict[str, Any] = {k: np.concatenate([getattr(p, k) for p in parts]) for k in parts[0]._arrays}
        return replace(parts[0], **arrays)

    @property
    def _arrays(self) -> tuple[str, ...]:
        keys = ("x", "y", "group", "hand", "to_invest", "net", "raise_share", "match")
        return tuple(k for k in keys if getattr(self, k) is not None)

    def only(self, names: Sequence[str]) -> Rows:
        """The same rows with some of the columns, in the order of the columns."""
        keep = [k for k, column in enumerate(self.columns) if column.name in names]
        return replace(self, columns=tuple(self.columns[k] for k in keep), x=self.x[:, keep])


def street_columns(selection: Selection, street: int, games: Iterable[Rules]) -> tuple[Column, ...]:
    """The columns a learner gets on a street."""
    every = tuple(games)
    players = max(game.players for game in every)
    return columns_of(offered(selection, street, players), every)


def _raise_share(s: Situations) -> Floats:
    assert s.taken is not None
    after_call = s.state[:, c.BET]
    share = (s.taken.size - after_call) / (s.state[:, c.POT] + s.owed)
    return np.where(s.taken.action == c.KIND_RAISE, share, np.nan)


def rows_of(
    batches: Iterable[Hands],
    hero: str,
    selection: Selection | Sequence[Selection] | None = None,
    big_blind: int = 0,
    by_card_set: bool = False,
) -> list[Rows]:
    """All decisions of a hero, street by street, by one selection of attributes or one for each street.

    Groups are the card sets; where HISTORY attributes are looked at, the matches, since they run through a match,
    unless `by_card_set` says that whoever judges them sees to that (`Rows.match`).
    """
    one = selection or Selection()
    wanted = [one] * len(STREETS) if isinstance(one, Selection) else list(one)
    kept: list[Situations] = []
    names: set[str] = set()
    watches = any(each.watches for each in wanted)
    for s in situations_in(_noting(batches, names), hero, watches, big_blind):
        if len(s):
            kept.append(s)
    if not kept:
        raise UnreadableError(
            f"no decision of {hero!r} is in these hands (with its cards known); {did_you_mean(hero, names)}"
        )
    games = tuple(dict.fromkeys(game for s in kept for game in s.games))
    found = []
    for street in range(len(STREETS)):
        columns = street_columns(wanted[street], street, games)
        parts = [s[s.street == street] for s in kept]
        parts = [s for s in parts if len(s)]
        columns = tuple(column.with_values_of(parts) for column in columns)
        found.append(rows_described(street, columns, parts, by_card_set))
    return found


def _noting(batches: Iterable[Hands], names: set[str]) -> Iterator[Hands]:
    for hands in batches:
        names.update(hands.names)
        yield hands


def rows_described(street: int, columns: tuple[Column, ...], parts: list[Situations], by_card_set: bool) -> Rows:
    """Decisions of one street as rows of some columns."""
    by_match = not by_card_set and any(REGISTRY[column.name].prefix == "HISTORY" for column in columns)
    x, y, group, hand, invest, net, share, match = [], [], [], [], [], [], [], []
    code = np.array([CLASSES.index("FOLD"), CLASSES.index("CALL"), CLASSES.index("RAISE")])
    for s in parts:
        assert s.taken is not None
        x.append(describe(s, columns))
        y.append(code[s.taken.action])
        group.append(s.taken.match if by_match else s.taken.card_set)
        hand.append(s.taken.hand)
        invest.append(s.taken.to_invest)
        net.append(s.taken.net)
        share.append(_raise_share(s))
        match.append(s.taken.match)
    if not parts:
        empty = np.zeros(0)
        ints = empty.astype(np.int64)
        none = np.zeros((0, len(columns)))
        keys = empty.astype(np.uint64)
        return Rows(street, columns, none, ints, keys, ints, empty, empty, empty, keys)
    return Rows(
        street,
        columns,
        np.concatenate(x),
        np.concatenate(y),
        np.concatenate(group),
        np.concatenate(hand),
        np.concatenate(invest),
        np.concatenate(net),
        np.concatenate(share),
        np.concatenate(match),
    )
