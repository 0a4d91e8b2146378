"""The hands of tournaments as a log: tournament after tournament, each a match of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.arrays import Ints
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.logs.files import suffix_of
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.logs.write import write_hands
from mazzo.holdem.observation import Observations
from mazzo.holdem.table import Table
from mazzo.holdem.tournament.fast import PlayedTournaments
from mazzo.holdem.tournament.format import NUMBER_BITS, TournamentFormat
from mazzo.holdem.tournament.lockstep import play_lockstep
from mazzo.names import distinct_names

__all__ = ["check_log", "play_logged"]

_SUFFIXES = (".phhs", ".phh", ".parquet")
_MANY = 256
_Kind = TypeVar("_Kind", bound=np.generic)


def check_log(path: Path, form: TournamentFormat) -> None:
    """Refuse a file that cannot hold these hands, before they are played."""
    suffix = suffix_of(path)
    if suffix not in _SUFFIXES:
        raise UnreadableError(
            f"{path}: chips differ from hand to hand, which only .phhs and .parquet hold; name such a file"
        )
    if form.min_raise_is_blind and suffix != ".parquet":
        raise UnreadableError(f"{path}: PHH knows no minimum raise of one blind; name a .parquet file")
    if path.exists():
        raise UnreadableError(f"{path} exists already; hands are never written over others: name another file")


def play_logged(
    form: TournamentFormat,
    agents: Sequence[Agent[Observations]],
    count: int,
    seed: int,
    path: Path,
    watch: Callable[[int], None] | None = None,
) -> list[PlayedTournaments]:
    """Play tournaments one after the other and write every hand, with all cards, to a new file."""
    check_log(path, form)
    names = distinct_names([agent.name for agent in agents])
    parts: list[PlayedTournaments] = []

    def batches() -> Iterator[Hands]:
        for number in range(count):
            played: list[Hands] = []

            def note(table: Table, net: Ints, numbers: Ints, played: list[Hands] = played) -> None:
                played.append(_hands(table, net, numbers, names))

            parts.append(play_lockstep(form, agents, range(number, number + 1), seed, note))
            if watch is not None:
                watch(1)
            for first in range(0, len(played), _MANY):
                yield _joined(played[first : first + _MANY])

    write_hands(batches(), path)
    return parts


def _hands(table: Table, net: Ints, numbers: Ints, names: Sequence[str]) -> Hands:
    """Finished hands of one tournament, numbered from 1."""
    tournament, hand = int(numbers[0]) >> NUMBER_BITS, numbers & (1 << NUMBER_BITS) - 1
    rows = len(table)
    return Hands(
        games=(table.game,),
        state=table.state,
        history=table.history,
        cards=table.cards,
        net=net.astype(np.float64),
        seating=table.seating.astype(np.int32),
        names=tuple(names),
        number=hand + 1,
        line=hand + 1,
        flags=np.zeros(rows, np.uint8),
        unit=np.ones(rows, np.int64),
        card_set=np.full(rows, tournament, np.uint64),
        match_of=np.zeros(rows, np.int64),
        matches=(f"tournament {tournament + 1}",),
        source="tournaments",
    )


def _joined(parts: Sequence[Hands]) -> Hands:
    """Hands of one match in one batch, whatever games they are of."""
    games = tuple({hands.games[0].name + str(hands.games[0]): hands.games[0] for hands in parts}.values())
    states = []
    for hands in parts:
        state = hands.state.copy()
        state[:, c.GAME] = next(k for k, game in enumerate(games) if game == hands.games[0])
        states.append(state)
    first = parts[0]
    return Hands(
        games=games,
        state=np.concatenate(states),
        history=_filled([hands.history for hands in parts], 0),
        cards=_filled([hands.cards for hands in parts], c.UNKNOWN),
        net=_filled([hands.net for hands in parts], np.nan),
        seating=_filled([hands.seating for hands in parts], -1),
        names=first.names,
        number=np.concatenate([hands.number for hands in parts]),
        line=np.concatenate([hands.line for hands in parts]),
        flags=np.concatenate([hands.flags for hands in parts]),
        unit=np.concatenate([hands.unit for hands in parts]),
        card_set=np.concatenate([hands.card_set for hands in parts]),
        match_of=np.concatenate([hands.match_of for hands in parts]),
        matches=first.matches,
        source=first.source,
    )


def _filled(parts: Sequence[NDArray[_Kind]], empty: float) -> NDArray[_Kind]:
    """Rows of different widths under one another."""
    width = max(part.shape[1] for part in parts)
    whole = np.full((sum(map(len, parts)), width), empty, parts[0].dtype)
    at = 0
    for part in parts:
        whole[at : at + len(part), : part.shape[1]] = part
        at += len(part)
    return whole
