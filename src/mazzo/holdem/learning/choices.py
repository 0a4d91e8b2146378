"""What a hero chooses from: fold, call, and one raise where the game sets its size, else raises of a few classes.

Actions are numbered: 0 folds, 1 calls or checks, the others raise, the smallest first. In no-limit a class is a
fraction of the pot after the call. In the log a raise belongs to the class whose amount is nearest, at play a class is
the nearest amount that is legal; both by the one function here. Of classes that come to the same amount only the first
may be chosen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.attributes import Situations
from mazzo.holdem.attributes.elementary import refuse_other_than_heads_up_limit
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules

__all__ = [
    "EVERYTHING",
    "HEADS_UP_LIMIT",
    "SIZES",
    "HeroChoices",
    "TableKind",
    "as_sizes",
    "kind_named",
    "kind_of_games",
    "known_worth",
]

EVERYTHING = math.inf
"""The class of all-in raises, as a fraction of the pot."""
SIZES = (0.5, 1.0, 2.0, EVERYTHING)
"""Classes of raises in no-limit, as fractions of the pot after the call."""
_ALL = "all"
_MOST = 8


@dataclass(frozen=True)
class HeroChoices:
    """Fold, call, and raises of these classes; without any, one raise, whose size the game sets."""

    sizes: tuple[float, ...] = ()

    @property
    def count(self) -> int:
        """How many actions there are."""
        return c.KIND_RAISE + max(1, len(self.sizes))

    @property
    def names(self) -> tuple[str, ...]:
        """Each action in a word or two."""
        return "fold", "call", *(map(_named, self.sizes) if self.sizes else ["raise"])

    def amounts(self, low: Ints, high: Ints, bet: Ints, pot: Ints, owed: Ints) -> Ints:
        """The total each class raises to, a column a class; 0 where that is not legal, or what a smaller one does."""
        if not self.sizes:
            return low[:, None].copy()
        after_call = (pot + owed).astype(np.float64)[:, None]
        wished = bet[:, None] + after_call * np.minimum(self.sizes, 1e6)
        wished = np.where(np.isinf(self.sizes), high[:, None], np.rint(wished))
        out = np.clip(wished, low[:, None], high[:, None]).astype(np.int64)
        again = np.zeros(out.shape, np.bool_)
        again[:, 1:] = out[:, 1:] == out[:, :-1]
        return np.where(again | (high[:, None] == 0), 0, out)

    def amounts_seen(self, seen: Situations) -> Ints:
        """The amounts at some decisions."""
        bet, pot = seen.state[:, c.BET], seen.state[:, c.POT]
        return self.amounts(seen.raise_low, seen.raise_high, bet, pot, seen.owed)

    def legal(self, seen: Situations) -> NDArray[np.bool_]:
        """Which actions may be chosen, a column each; a fold only where something is owed."""
        if not self.sizes:
            return seen.legal
        return np.column_stack([seen.legal[:, : c.KIND_RAISE], self.amounts_seen(seen) > 0])

    def taken(self, seen: Situations, kind: Ints, size: Ints) -> Ints:
        """Which action each decision was: a raise is of the class whose amount is nearest, as a ratio.

        Args:
            seen: the decisions.
            kind: 0 fold, 1 call or check, 2 bet or raise.
            size: the total raised to.
        """
        if not self.sizes:
            return kind
        amounts, bet = self.amounts_seen(seen), seen.state[:, c.BET][:, None]
        added = np.log(np.maximum(amounts - bet, 0.5)) - np.log(np.maximum(size[:, None] - bet, 0.5))
        nearest = np.where(amounts > 0, np.abs(added), np.inf).argmin(axis=1)
        return np.where(kind == c.KIND_RAISE, c.KIND_RAISE + nearest, kind)

    def actions(self, observations: Observations, chosen: Ints) -> Ints:
        """The moves of the table that chosen actions are."""
        o = observations
        amounts = self.amounts(o.raise_low, o.raise_high, o.state[:, c.BET], o.state[:, c.POT], o.owed)
        to = amounts[np.arange(len(o)), np.maximum(chosen - c.KIND_RAISE, 0)]
        return np.where(chosen >= c.KIND_RAISE, to, chosen + c.FOLD)


def drawn_amounts(o: Observations, draws: Floats, sizes: tuple[float, ...] = SIZES) -> Ints:
    """The total of a raise of one of the classes that are legal, each as likely, from numbers of 0 to 1."""
    amounts = HeroChoices(sizes).amounts(o.raise_low, o.raise_high, o.state[:, c.BET], o.state[:, c.POT], o.owed)
    legal = amounts > 0
    place = (draws * legal.sum(axis=1)).astype(np.int64)
    chosen = np.argmax(legal.cumsum(axis=1) > place[:, None], axis=1)
    return np.asarray(amounts[np.arange(len(o)), chosen])


def _named(size: float) -> str:
    return "all-in" if math.isinf(size) else f"raise {size:g} pot"


def as_sizes(text: str | Iterable[float]) -> tuple[float, ...]:
    """Classes of raises from text such as `.5,1,all`, or numbers; they must rise."""
    words = text.split(",") if isinstance(text, str) else list(text)
    try:
        sizes = tuple(
            EVERYTHING if w == _ALL else float(w) for w in (w.strip() if isinstance(w, str) else w for w in words)
        )
    except ValueError:
        sizes = ()
    rising = all(one < other for one, other in pairwise(sizes))
    if not 1 <= len(sizes) <= _MOST or not rising or not sizes[0] > 0:
        raise UnreadableError(
            f"sizes must be 1 to {_MOST} fractions of the pot, rising, such as .5,1,all (all: all-in), got {text!r}"
        )
    return sizes


class TableKind(NamedTuple):
    """The kind of game that a hero learns and plays."""

    name: str
    """`heads-up limit`, `limit` or `no-limit`; the last two at tables of any size."""
    limit: bool

    @property
    def heads_up_limit(self) -> bool:
        """Whether it is Vilella's game, with the attributes of that."""
        return self == HEADS_UP_LIMIT

    @property
    def usual(self) -> str:
        """The list of attributes that heroes look at by default."""
        return "learning" if self.heads_up_limit else "table"

    def unsupported_reason(self, game: Rules | None) -> str:
        """Why a hero of this kind cannot play a game, in words; empty if it can."""
        if self.heads_up_limit:
            return refuse_other_than_heads_up_limit(game)
        if game is None or (_is_holdem(game) and game.limit == self.limit):
            return ""
        return f"it plays {self.name} Hold'em with 2 to {c.MAX_PLAYERS} players"


HEADS_UP_LIMIT = TableKind("heads-up limit", True)
_KINDS = {True: TableKind("limit", True), False: TableKind("no-limit", False)}


def _is_holdem(game: Rules) -> bool:
    return len(game.deck) == 52 and game.hole_cards == 2 and game.board_cards == (0, 3, 1, 1)


def kind_named(name: str) -> TableKind:
    """A kind of game by its name."""
    found = [kind for kind in (HEADS_UP_LIMIT, *_KINDS.values()) if kind.name == name]
    if not found:
        raise UnreadableError(f"there is no kind of game {name!r}")
    return found[0]


def kind_of_games(games: Sequence[Rules]) -> TableKind | None:
    """The kind of the first of some games that is Hold'em; None if none is."""
    if games and all(not refuse_other_than_heads_up_limit(game) for game in games):
        return HEADS_UP_LIMIT
    return next((_KINDS[game.limit] for game in games if _is_holdem(game)), None)


def known_worth(kind: TableKind) -> dict[int, float]:
    """Actions whose worth follows from the rules: who folds pays and gets nothing from then on.

    Heroes of heads-up limit learn it like the rest, as Vilella's do.
    """
    return {} if kind.heads_up_limit else {c.KIND_FOLD: 0.0}
