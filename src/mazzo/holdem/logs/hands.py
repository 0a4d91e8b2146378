"""Hands that were played, many at a time: what every reader gives and every writer takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.document import Section, Shown
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.hand import Hand
from mazzo.holdem.logs import lines as k
from mazzo.holdem.observation import Finished
from mazzo.holdem.rules import UNLIMITED, Rules
from mazzo.holdem.table import Table

__all__ = ["Hands", "Skipped", "rescaled"]


_CHIP_COLUMNS = (c.BET, c.LAST_RAISE, c.BASE, c.POT, c.DEEP, c.FULL, *range(c.SPENT, c.STATE_WIDTH))


class Skipped(NamedTuple):
    """A hand that was not used: where it stands and why."""

    source: str
    line: int
    kind: str
    """In two or three words, for counting."""
    reason: str

    def __str__(self) -> str:
        return f"{self.source}, line {self.line}: {self.reason}"


@dataclass(frozen=True, repr=False)
class Hands(Shown):
    """Finished hands of one source, in its order: one row a hand, replayed through the engine."""

    games: tuple[Rules, ...]
    """The games these hands are of; a hand's is `games[state[row, GAME]]`."""
    state: Ints
    """How each hand ended, as `mazzo.holdem.columns` names its columns."""
    history: Ints
    """The actions, `action << 4 | position` an entry, filled up with 0."""
    cards: NDArray[np.uint8]
    """Hole cards position by position, then the board; 255 for what is not known."""
    net: NDArray[np.float64]
    """What each position won or lost, in chips; NaN where it is not known."""
    seating: NDArray[np.int32]
    """Who sat at each position, as an index into `names`; -1 where nobody did."""
    names: Sequence[str]
    number: Ints
    """The hand's number in its match."""
    line: Ints
    """Where the hand stands in its source."""
    flags: NDArray[np.uint8]
    unit: Ints
    """Chips to one unit of the source's money: 100 where amounts in dollars were turned into cents."""
    card_set: NDArray[np.uint64]
    """Equal for hands that must stay together in cross-validation: the deal where deals are replayed with other
    seatings, else the match."""
    match_of: Ints
    """Which of `matches` a hand belongs to."""
    matches: Sequence[str]
    source: str
    about: NDArray[np.object_] | None = None
    """Of hands of poker rooms, what the room says of each beside the play."""
    key: NDArray[np.uint64] | None = None
    """Of hands of poker rooms, a number that is the same for the same hand in whichever file it stands."""

    @classmethod
    def of(cls, finished: Finished) -> Hands:
        """Hands an agent was told of, in the form of a log; the player told is called `me`, the others `other`."""
        numbers = np.arange(len(finished.state))
        return cls(
            games=(finished.game,),
            state=finished.state,
            history=finished.history,
            cards=finished.cards,
            net=finished.net.astype(np.float64),
            seating=(finished.seating != finished.player).astype(np.int32),
            names=("me", "other"),
            number=numbers,
            line=numbers,
            flags=np.zeros(len(numbers), np.uint8),
            unit=np.ones(len(numbers), np.int64),
            card_set=numbers.astype(np.uint64),
            match_of=np.zeros(len(numbers), np.int64),
            matches=("match",),
            source="the match",
        )

    def __len__(self) -> int:
        return len(self.state)

    def section(self) -> Section:
        """How many hands there are, of which games, and where they come from."""
        games = ", ".join(sorted({game.name for game in self.games}))
        return Section(f"{len(self):,} hands of {games}, from {self.source}")

    def __repr__(self) -> str:
        return f"<{self}>"

    def __getitem__(self, rows: slice | Ints | NDArray[np.bool_]) -> Hands:
        """Some of the hands."""
        arrays = {f.name for f in fields(self) if isinstance(getattr(self, f.name), np.ndarray)}
        changed: dict[str, Any] = {name: getattr(self, name)[rows] for name in arrays}
        return replace(self, **changed)

    @property
    def players(self) -> Ints:
        """How many played each hand."""
        return np.array([game.players for game in self.games])[self.state[:, c.GAME]]

    @property
    def showdown(self) -> NDArray[np.bool_]:
        """Where more than one player was left at the end."""
        return np.bitwise_count(self.state[:, c.LIVE]) > 1

    @property
    def free_fold(self) -> NDArray[np.bool_]:
        """Where someone folded although checking was free."""
        return np.asarray(self.flags & k.FREE_FOLD != 0)

    @property
    def unverified(self) -> NDArray[np.bool_]:
        """Where the result could not be compared with cards and betting, because one of them is not given."""
        return np.asarray(self.flags & k.UNDECIDED != 0)

    @property
    def with_house(self) -> NDArray[np.bool_]:
        """Where the result is not that of cards and betting alone: the house took or gave, or the board ran twice."""
        return np.asarray(self.flags & k.HOUSE != 0)

    def hand(self, row: int) -> Hand:
        """One hand to hold: a copy, finished."""
        game = self.games[int(self.state[row, c.GAME])]
        state = self.state[row : row + 1].copy()
        state[0, c.GAME] = 0
        cards = self.cards[row : row + 1, : game.cards_dealt].copy()
        table = Table.of_rows(game, state, self.history[row : row + 1].copy(), cards)
        return Hand.of_row(table, 0, int(self.number[row]), self.names_of(row))

    def names_of(self, row: int) -> list[str]:
        """The players of one hand by position."""
        return [self.names[who] for who in self.seating[row] if who >= 0]

    def __iter__(self) -> Iterator[Hand]:
        return map(self.hand, range(len(self)))


def rescaled(hands: Hands, blinds: tuple[int, int]) -> Hands:
    """The same hands in other chips, such that small and big blind come to these amounts."""
    games, factors = [], []
    for game in hands.games:
        big, small = game.big_blind, min(b for b in game.blinds if b)
        if blinds[0] * big != blinds[1] * small:
            raise UnreadableError(f"blinds of {small}/{big} cannot be made {blinds[0]}/{blinds[1]}: the ratio differs")
        games.append(_scaled_game(game, blinds[1], big))
        factors.append(blinds[1] / big)
    factor = np.array(factors)[hands.state[:, c.GAME]]
    state, history = hands.state.copy(), hands.history.copy()
    for column in _CHIP_COLUMNS:
        limitless = (state[:, column] >= UNLIMITED) & (c.ROOM <= column < c.ANTE or column == c.DEEP)
        state[:, column] = np.where(limitless, UNLIMITED, _whole(state[:, column] * factor))
    actions, actors = history >> c.ACTOR_BITS, history & c.ACTOR_MASK
    sizes = _whole(np.where(actions >= c.RAISE, actions, 0) * factor[:, None])
    scaled = np.where(actions >= c.RAISE, sizes, actions)
    history = scaled << c.ACTOR_BITS | actors
    return replace(hands, games=tuple(games), state=state, history=history, net=hands.net * factor[:, None])


def _scaled_game(game: Rules, times: int, by: int) -> Rules:
    def scale(amounts: tuple[int, ...]) -> tuple[int, ...]:
        if any(a * times % by for a in amounts if a < UNLIMITED):
            raise UnreadableError(f"{game.name} in other chips would need parts of chips: give larger blinds")
        return tuple(a if a >= UNLIMITED else a * times // by for a in amounts)

    return replace(
        game,
        blinds=scale(game.blinds),
        antes=scale(game.antes),
        stacks=scale(game.stacks),
        raise_sizes=scale(game.raise_sizes),
        min_bet=scale((game.min_bet,))[0],
    )


def _whole(values: NDArray[np.float64]) -> Ints:
    rounded = np.rint(values)
    if np.abs(rounded - values).max(initial=0) > 1e-6:
        raise UnreadableError("in these chips some bets would not be whole: give larger blinds")
    return rounded.astype(np.int64)
