"""Asking a policy what it does in a spot, and bringing its bets onto the sizes of the spot's tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem import kernels
from mazzo.holdem.observation import Observations
from mazzo.holdem.solver.spot.boards import ORDER
from mazzo.policy import NO_ACTION, ActionChances

__all__ = ["observations_at", "onto_tree", "seen_at", "tree_actions"]


def observations_at(
    engine: Any, k: int, place: int, boards: list[int], player: int
) -> tuple[Observations, tuple[Ints, Ints]]:
    """What a player sees at a decision with every hand on some boards, and where each row is stored: board, place."""
    plan, hands = engine.plan, engine.hands
    node = plan.streets[k].nodes[place]
    order = plan.boards.tables[k].hands[player, boards, ORDER, : hands.padded[player]].astype(np.int64)
    row, where = np.nonzero(order >= 0)
    hand = order[row, where]
    shown = np.array([plan.boards.levels[k].boards[b] for b in boards], np.int64)[row]
    seen = seen_at(plan, node, hands.cards[player][hand], shown)
    return seen, (np.asarray(boards, np.int64)[row], where)


def seen_at(plan: Any, node: int, hole: Ints, shown: Ints) -> Observations:
    """What the player to act sees at a node of the betting tree, a row for each pair of own cards and board."""
    game, size = plan.spot.rules, len(hole)
    board = np.full((size, 5), -1, np.int8)
    board[:, : shown.shape[1]] = shown
    state = np.repeat(plan.betting.state[node][None, :], size, axis=0)
    count = int(plan.betting.state[node, c.COUNT])
    history = np.repeat(plan.betting.history[node][None, :count], size, axis=0)
    owed, low, high = kernels.legal_rows(game.row[None, :], state, np.arange(size))
    key = (np.arange(1, size + 1, dtype=np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
    seating = np.tile(np.arange(2, dtype=np.int16), (size, 1))
    return Observations(game, state, history, hole.astype(np.uint8), board, owed, low, high, key, seating)


def tree_actions(engine: Any, k: int, place: int) -> Ints:
    """The actions of a decision as the rules code them."""
    plan = engine.plan
    return np.array([plan.betting.nodes[n].action for n in plan.betting.nodes[plan.streets[k].nodes[place]].children])


def onto_tree(
    engine: Any, k: int, place: int, seen: Observations, chances: ActionChances
) -> tuple[Floats, float, float]:
    """By row the chance of each action of the tree; how much of all raises was moved to another size; all raises."""
    options = tree_actions(engine, k, place)
    out = np.zeros((len(seen), len(options)))
    if chances.spread is not None:
        chances = _spread_out(chances, options, seen)
    moved = raised = 0.0
    raises = np.flatnonzero(options >= c.RAISE)
    call = int(np.flatnonzero(options == c.CALL)[0])
    for column in range(chances.actions.shape[1]):
        action, p = (
            chances.actions[:, column],
            np.where(chances.actions[:, column] == NO_ACTION, 0.0, chances.p[:, column]),
        )
        for a, option in enumerate(options):
            out[:, a] += np.where(action == option, p, 0.0)
        if not (options == c.FOLD).any():
            out[:, call] += np.where(action == c.FOLD, p, 0.0)
        off = (action >= c.RAISE) & ~np.isin(action, options) & (p > 0)
        raised += float(p[action >= c.RAISE].sum())
        moved += float(p[off].sum())
        if off.any():
            out[off] += _moved(action[off], p[off], options, raises, call, seen.state[off])
    return out / out.sum(axis=1, keepdims=True), moved, raised


def _spread_out(chances: ActionChances, options: Ints, seen: Observations) -> ActionChances:
    """Where all amounts are as likely: a few that stand for them, each with the chance of those nearest."""
    assert chances.spread is not None
    low, high = chances.spread
    steps = 33
    amounts = low[:, None] + ((high - low)[:, None] * (np.arange(steps) + 0.5) / steps).astype(np.int64)
    actions = np.concatenate([chances.actions[:, :-1], amounts], axis=1)
    p = np.concatenate([chances.p[:, :-1], np.repeat(chances.p[:, -1:] / steps, steps, axis=1)], axis=1)
    return ActionChances(actions, p, chances.samples)


def _moved(action: Ints, p: Floats, options: Ints, raises: Ints, call: int, state: Ints) -> Floats:
    """An amount between two of the tree goes to the lower by the pseudo-harmonic rule, else to the higher."""
    out = np.zeros((len(action), len(options)))
    rows = np.arange(len(action))
    bet = state[:, c.BET].astype(np.float64)
    actor = state[:, c.ACTOR]
    pot = state[:, c.POT] + bet - state[rows, c.SPENT + actor]  # after a call
    if not len(raises):
        out[:, call] = p
        return out
    amounts = options[raises]
    above = np.searchsorted(amounts, action)
    high = np.minimum(above, len(amounts) - 1)
    low = np.maximum(above - 1, 0)
    x, first, second = ((v - bet) / pot for v in (action, amounts[low], amounts[high]))
    between = (low != high) & (above < len(amounts)) & (above > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(
            between, (second - x) * (1 + first) / ((second - first) * (1 + x)), np.where(above == 0, 0.0, 1.0)
        )
    low = np.where(above >= len(amounts), len(amounts) - 1, low)
    out[rows, raises[low]] += p * share
    out[rows, raises[high]] += p * (1 - share)
    return out
