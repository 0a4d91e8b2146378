"""Many deals at once: what a game's `Table` offers, and the one loop that lets agents play them to their end."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mazzo.agent import Agent
from mazzo.arrays import Ints
from mazzo.document import Section, Shown
from mazzo.errors import IllegalError
from mazzo.jit import kernel

__all__ = ["Lockstep", "ShownTable", "play_out"]


class Lockstep(Protocol):
    """A batch of deals of one game, a row each, advanced in place."""

    seating: NDArray[Any]
    """[n, seats] which player of the match sits where."""
    compiled: ClassVar[Mapping[str, Callable[[Any, Sequence[Any]], None]]]
    """By `Agent.kernel`: plays a whole table between agents of that kind in compiled code."""

    def __len__(self) -> int: ...

    @property
    def actor(self) -> NDArray[Any]:
        """[n] the seat to act; -1 where the deal is over."""

    def observe(self, rows: Ints) -> Any:
        """What the seats to act in these deals see."""

    def apply(self, rows: Ints, actions: ArrayLike) -> None:
        """Carry out one action in each of these deals; IllegalError before any is carried out if one is illegal."""

    def settle(self) -> NDArray[Any]:
        """[n, seats] what each seat won or lost; all deals must be over."""

    def check_choice(self, agent: Agent[Any], rows: Ints, seen: Any, actions: Ints) -> None:
        """Refuse what is legal but not played: a fold where checking is free."""

    def row(self, row: int) -> Self:
        """A copy of one deal."""


class ShownTable(Shown):
    """Many deals at once: prints how many there are, and none of their cards."""

    deals_are: ClassVar[str] = "rounds"
    """What deals of the game are called."""

    @abstractmethod
    def __len__(self) -> int:
        """How many deals there are."""

    @property
    @abstractmethod
    def actor(self) -> NDArray[Any]:
        """[n] the seat to act; -1 where the deal is over."""

    def section(self) -> Section:
        """How many deals there are, and how many of them are over."""
        return Section(f"{len(self):,} {self.deals_are}, {int((self.actor < 0).sum()):,} of them over")

    def __repr__(self) -> str:
        return f"<Table of {self}>"


def play_out(table: Lockstep, agents: Sequence[Agent[Any]]) -> None:
    """Play every deal of a table to its end; `table.seating` says which agent sits where."""
    kind = agents[0].kernel
    if kind in table.compiled and all(agent.kernel == kind for agent in agents):
        table.compiled[kind](table, agents)
        return
    waiting = np.arange(len(table))
    while len(waiting := waiting[table.actor[waiting] >= 0]):
        for player, agent in enumerate(agents):
            # Who acts is read again after each agent: its batches are larger than with one reading a pass.
            rows = _turns(table.actor, table.seating, waiting, player)
            if len(rows):
                _let_act(table, rows, agent)


@kernel
def _turns(actor: NDArray[Any], seating: NDArray[Any], rows: Ints, player: int) -> Ints:
    """Those of the rows in which it is a player's turn."""
    out = np.empty(len(rows), np.int64)
    count = 0
    for i in rows:
        if actor[i] >= 0 and seating[i, actor[i]] == player:
            out[count] = i
            count += 1
    return out[:count]


def _let_act(table: Lockstep, rows: Ints, agent: Agent[Any]) -> None:
    seen = table.observe(rows)
    agent.check_observes(seen)
    chosen = agent.decide_open(table, rows, seen) if agent.sees_all else agent.decide(seen)
    actions = np.asarray(chosen, np.int64)
    try:
        table.apply(rows, actions)
        table.check_choice(agent, rows, seen, actions)
    except IllegalError as error:
        raise IllegalError(f"agent {agent.name!r}: {error}") from None
