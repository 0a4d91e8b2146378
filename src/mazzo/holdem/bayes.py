"""Bayes' rule over the 1,326 holdings: how likely a model of a player is to have done all that was done, with each.

`mazzo.holdem.beliefs` asks it of agents by name; agents that reason about others use it directly.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.arrays import Flags, Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem import kernels
from mazzo.holdem.observation import Observations
from mazzo.holdem.odds.build import holes
from mazzo.holdem.rules import Rules

__all__ = ["free_of", "holdings", "ranges_of", "reasoned", "with_all_holdings"]


@cache
def holdings() -> NDArray[np.uint8]:
    """The 1,326 holdings, lower card first; holding {a < b} stands at b (b - 1) / 2 + a."""
    pairs = holes().astype(np.uint8)
    pairs.flags.writeable = False
    return pairs


def _decisions(rules: Rules, state: Ints, history: Ints, seat: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """The decisions that the players in `seat` took in some hands, from the public record of each.

    Gives by decision the row of its hand, state and history as they were, and what was done.
    """
    row, now = rules.row[None, :], np.zeros_like(state)
    now[:, c.GAME] = 0
    players = slice(c.ROOM, c.ROOM + rules.players)
    now[:, players] = state[:, players] + state[:, c.ANTE : c.ANTE + rules.players]
    kernels.begin_rows(row, now, np.arange(len(now)))
    record = np.zeros((len(now), history.shape[1] + 1), np.int64)
    found: list[tuple[Ints, Ints, Ints, Ints]] = []
    for k in range(history.shape[1]):
        going = np.flatnonzero(k < state[:, c.COUNT])
        taken = history[going, k] >> c.ACTOR_BITS
        own = now[going, c.ACTOR] == seat[going]
        found.append((going[own], now[going[own]], record[going[own]].copy(), taken[own]))
        kernels.apply_rows(row, now, record, going, taken)
    if not found:
        return np.zeros(0, np.int64), state[:0], history[:0], np.zeros(0, np.int64)
    rows, states, records, done = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return rows, states, records[:, : history.shape[1]], done


def with_all_holdings(o: Observations, state: Ints, history: Ints, possible: Flags) -> Observations:
    """What the players to act would see with each possible holding: row by row, holding by holding.

    Args:
        o: Observations of the same hands, for their rules and board; a row a hand.
        state: The public state of each, with the player to act.
        history: The record of each.
        possible: By row and holding whether it may be held.
    """
    row, holding = np.nonzero(possible)
    states = state[row]
    board = o.board[row].copy()
    for street in range(o.game.rounds):
        board[states[:, c.ROUND] == street, o.game.board_seen(street) :] = -1
    owed, low, high = (k[row] for k in kernels.legal_rows(o.game.row[None, :], state, np.arange(len(state))))
    keys = (np.arange(1, len(states) + 1, dtype=np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
    return Observations(o.game, states, history[row], holdings()[holding], board, owed, low, high, keys, o.seating[row])


def ranges_of(model: Agent[Any], o: Observations, seat: Ints, doubt: float = 0.0, any_raise: bool = False) -> Floats:
    """What the players in `seat` may hold, as the owner of each observation can know it: rows of 1,326 chances.

    A row that the model never plays so is spread evenly over what is possible. With `any_raise` a raise of another
    size than the model's counts as one of its size: in no-limit hardly two players raise to the same chip.
    """
    possible = free_of(np.concatenate([o.hole.astype(np.int64), o.board.astype(np.int64)], axis=1))
    chance, _ = reasoned(model, o, seat, possible, doubt, any_raise)
    total = chance.sum(axis=1, keepdims=True)
    even = possible / possible.sum(axis=1, keepdims=True)
    return np.where(total > 0, chance / np.where(total > 0, total, 1.0), even)


def reasoned(
    model: Agent[Any], o: Observations, seat: Ints, possible: Flags, doubt: float, any_raise: bool = False
) -> tuple[Floats, bool]:
    """By row and holding how likely the model is to have done all that was done; and whether that is exact."""
    rows, states, records, taken = _decisions(o.game, o.state, o.history, seat)
    chance, exact = possible.astype(np.float64), True
    order = np.argsort(rows, kind="stable")
    for some in np.array_split(order, max(1, len(order) // 64)):
        if len(some):
            asked = with_all_holdings(o[rows[some]], states[some], records[some], possible[rows[some]])
            policy = model.policy(asked)
            exact &= policy.exact
            which, holding = np.nonzero(possible[rows[some]])
            # Classes of sizes (`nearest`) say something of every size; else only that it was a raise is compared.
            alike = any_raise and not policy.nearest
            likely = (1 - doubt) * policy.likelihood(taken[some][which], any_raise=alike) + doubt / 3
            np.multiply.at(chance, (rows[some][which], holding), likely)
    return chance, exact


def free_of(gone: Ints) -> Flags:
    """By row and holding whether neither card is among those that are gone; -1 is no card."""
    used = np.zeros((len(gone), 53), np.bool_)
    used[np.arange(len(gone))[:, None], gone] = True  # -1 falls on the last column, which no holding has
    low, high = holdings().T.astype(np.int64)
    return ~(used[:, low] | used[:, high])
