"""Finished hands once more, step by step: what was seen, what was done, and what the pot then was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.arrays import Floats, Ints
from mazzo.errors import IllegalError, UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem import kernels
from mazzo.holdem.observation import Observations
from mazzo.holdem.rules import Rules
from mazzo.holdem.table import Table
from mazzo.policy import NO_ACTION, ActionChances

__all__ = [
    "DecisionsTaken", "Worth", "begun", "called_down", "check_played", "done", "exact_policy", "options", "steps",
    "worth",
]  # fmt: skip


@dataclass(frozen=True)
class DecisionsTaken:
    """One decision in each of some hands."""

    rows: Ints
    """Which hands."""
    seen: Observations
    taken: Ints
    after: Ints
    """The public state after it."""

    @property
    def street(self) -> Ints:
        """The round in which it was taken."""
        return self.seen.street

    def of(self, player: int) -> Ints:
        """At which of these decisions a player of the match was to act."""
        who = self.seen.seating[np.arange(len(self.rows)), self.seen.position]
        return np.flatnonzero(who == player)


@dataclass(frozen=True)
class Worth:
    """What public states are worth to position 0 if every bet is called and nobody bets again.

    A hand that ended by a fold is worth `fixed`; any other `chips` times the chance to win less that to lose.
    """

    chips: Floats
    fixed: Floats

    def value(self, edge: Floats) -> Floats:
        """The worth, given the chance to win less that to lose."""
        return np.asarray(self.fixed + self.chips * edge)


def begun(table: Table) -> Table:
    """The same hands as they were dealt."""
    return Table(table.game, table.cards, rng_key=table.rng_key, seating=table.seating)


def steps(table: Table) -> Iterator[DecisionsTaken]:
    """The decisions of finished hands: the first of every hand, then the second, and so on."""
    again = begun(table)
    for k in range(int(table.state[:, c.COUNT].max(initial=0))):
        rows = np.flatnonzero(table.state[:, c.COUNT] > k)
        taken = table.history[rows, k] >> c.ACTOR_BITS
        seen = again.observe(rows)
        again.apply(rows, taken)
        yield DecisionsTaken(rows, seen, taken, again.state[rows])


def done(game: Rules, state: Ints, actions: Ints) -> Ints:
    """The public states that these actions lead to."""
    after = state.copy()
    history = np.zeros((len(after), int(after[:, c.COUNT].max(initial=0)) + 1), np.int64)
    kernels.apply_rows(game.row[None, :], after, history, np.arange(len(after)), actions)
    return after


def called_down(game: Rules, state: Ints) -> Ints:
    """The ends of these states if every bet is called and nobody bets again."""
    end = state.copy()
    while len(going := np.flatnonzero(end[:, c.ACTOR] >= 0)):
        end[going] = done(game, end[going], np.full(len(going), c.CALL))
    return end


def worth(game: Rules, state: Ints) -> Worth:
    """What these states are worth with every bet called and no more bets."""
    end = called_down(game, state)
    rows, rules = np.arange(len(end)), game.row[None, :]
    won, lost, shared = (
        kernels.settle_shown(rules, end, rows, np.tile(np.array(shown, np.int32), (len(end), 1)))[:, 0]
        for shown in ((1, 0), (0, 1), (1, 1))
    )
    shows = np.bitwise_count(end[:, c.LIVE]) > 1
    if (shows & ((won != -lost) | (shared != 0))).any():
        raise UnreadableError(
            f"luck is taken out of games in which both put in the same before a showdown; in {game.name} they do not"
        )
    return Worth(np.where(shows, won, 0.0), np.where(shows, 0.0, won))


def exact_policy(agent: Agent[Observations], seen: Observations) -> ActionChances:
    """An agent's chances, which must be exact."""
    policy = agent.policy(seen)
    if not policy.exact or policy.spread is not None:
        raise UnreadableError(f"the chances of agent {agent.name!r} are not known exactly at every decision")
    return policy


def options(policy: ActionChances, limit: bool) -> list[tuple[int, NDArray[np.float64]]]:
    """By action, over all rows, its chance in each row; raises of a limit game are one action."""
    actions = np.where((policy.actions >= c.RAISE) & limit, c.RAISE, policy.actions)
    found = [int(a) for a in np.unique(actions[policy.p > 0]) if a != NO_ACTION]
    return [(a, np.where(actions == a, policy.p, 0.0).sum(axis=1)) for a in found]


def check_played(agent: Agent[Observations], chance: Floats) -> None:
    """Refuse hands that an agent's policy cannot have played."""
    if (chance <= 0).any():
        raise IllegalError(f"agent {agent.name!r} did what by its policy it never does: they do not agree")
