"""What each action of one decision is worth against what the others may hold, with its error.

One look ahead: everybody who is still to act answers as its model does with each holding of its range, a raise over
ours is called or folded to, whichever is better on average, and then the hand is checked down. That undervalues draws
and position, and says nothing of later bets.

Against one opponent everything is summed over all holdings: no error from the flop on, nor before it. Against more,
whole tuples of holdings are drawn (a tuple whose cards meet is drawn again as a whole: anything else would change the
weights), with the rest of the board; all actions are played on the same draws, so that differences have small errors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem import kernels
from mazzo.holdem.bayes import holdings, with_all_holdings
from mazzo.holdem.observation import Observations
from mazzo.holdem.odds.by_holding import shares_by_holding
from mazzo.holdem.odds.matchups import BOARDS, matchup_table
from mazzo.holdem.odds.several import drawn_holdings, filled_boards
from mazzo.holdem.showdown import evaluate
from mazzo.holdem.table import Table
from mazzo.rng import forks

__all__ = ["SIZES", "ActionWorth", "equity_over_ranges", "raises_to_weigh", "shares_against_each", "worths"]

SIZES = (1 / 3, 2 / 3, 1.0, 2.0)
"""Bets and raises that are weighed, in pots after a call; beside them the least and everything."""

_SAMPLES = 4000


@dataclass(frozen=True)
class ActionWorth:
    """What one action is worth, in chips against folding now."""

    action: int
    """`FOLD`, `CALL` or the total to raise to."""
    worth: float
    standard_error: float
    """0 where nothing was sampled."""
    behind: float
    """How much less it is worth than the best of those weighed."""
    behind_error: float
    """The standard error of that difference: both on the same draws."""
    folds: float = 0.0
    """The chance that all others fold to it."""
    equity: float = 0.0
    """The share of the pot that is won when it comes to a showdown."""


def raises_to_weigh(seen: Observations, sizes: Sequence[float] = SIZES) -> list[int]:
    """The totals to raise to that are worth a look in a decision: by shares of the pot, the least and everything."""
    low, high = int(seen.raise_low[0]), int(seen.raise_high[0])
    if not high:
        return []
    if seen.game.limit:
        return [low]
    pot, bet = int(seen.pot[0] + seen.owed[0]), int(seen.state[0, c.BET])
    wanted = {low, high, *(min(high, max(low, round(bet + size * pot))) for size in sizes)}
    return sorted(wanted)


def shares_against_each(hole: NDArray[np.uint8], board: NDArray[np.int8]) -> Floats:
    """The exact share of the pot that two cards win against each of the 1,326 holdings; 0 for those that cannot be."""
    if board[0] >= 0:
        return shares_by_holding(hole, board, np.uint64(0))
    won, tied = matchup_table().rows(np.sort(hole)[None, :].astype(np.int64), holdings())
    return np.asarray((won[0] + tied[0] / 2) / BOARDS)


def equity_over_ranges(
    hole: NDArray[np.uint8],
    board: NDArray[np.int8],
    ranges: Sequence[Floats],
    samples: int = _SAMPLES,
    rng_key: int | np.uint64 = 0,
) -> tuple[float, float]:
    """The share of the pot that a hand wins against ranges, and its standard error: 0 against one, where it is exact.

    Args:
        hole: The own cards.
        board: Five places, -1 where nothing is dealt yet.
        ranges: For each opponent a weight for every holding, in the order of `holdings()`.
        samples: Draws, against several.
        rng_key: Where they come from.
    """
    dead = [int(card) for card in (*hole, *board) if card >= 0]
    if len(ranges) == 1:
        free = ~np.isin(holdings(), dead).any(axis=1)
        weights = np.where(free, ranges[0], 0.0)
        if weights.sum() <= 0:
            raise UnreadableError("the range of the opponent has no holding that the cards leave")
        return float((weights * shares_against_each(hole, board)).sum() / weights.sum()), 0.0
    key = np.uint64(rng_key)
    picked = drawn_holdings(dead, ranges, samples, key)
    held = holdings()[picked].astype(np.int64).reshape(len(picked), -1)
    own = np.tile(hole.astype(np.int64), (len(held), 1))
    boards = filled_boards(np.concatenate([own, held], axis=1), board, key)
    mine = evaluate(np.concatenate([own, boards], axis=1)).astype(np.int64)
    theirs = np.stack(
        [evaluate(np.concatenate([held[:, 2 * k : 2 * k + 2], boards], axis=1)) for k in range(len(ranges))], axis=1
    ).astype(np.int64)
    best = theirs.max(axis=1)
    share = np.where(mine >= best, 1.0 / (1 + (theirs == mine[:, None]).sum(axis=1)), 0.0)
    return float(share.mean()), float(share.std(ddof=1) / len(share) ** 0.5)


def worths(
    seen: Observations,
    ranges: Mapping[int, Floats],
    models: Mapping[int, Agent[Any]],
    actions: Sequence[int] | None = None,
    *,
    samples: int = _SAMPLES,
    rng_key: np.uint64 | None = None,
) -> list[ActionWorth]:
    """What actions are worth to the player to act in one decision.

    Args:
        seen: The decision, one row.
        ranges: By position of everyone else who has not folded a weight for each holding, as `range_of` gives them.
        models: By the same positions who answers for it: the player itself, its clone, or a stand-in.
        actions: Which; by default fold (where something is owed), call, and `raises_to_weigh`.
        samples: Draws against several opponents.
        rng_key: Where the draws come from; by default the decision's own key.
    """
    me = int(seen.position[0])
    others = [p for p in range(seen.game.players) if p != me and int(seen.live[0]) >> p & 1]
    if sorted(ranges) != others or sorted(models) != others:
        raise UnreadableError(f"ranges and models are needed for the positions {others}, who are in the hand")
    wanted = list(actions) if actions is not None else [c.CALL, *raises_to_weigh(seen)]
    if actions is None and int(seen.owed[0]):
        wanted.insert(0, c.FOLD)
    if len(others) == 1:
        found = [_alone(seen, others[0], ranges[others[0]], models[others[0]], action) for action in wanted]
        best = max(worth for worth, _, _ in found)
        return [ActionWorth(a, w, 0.0, best - w, 0.0, f, e) for a, (w, f, e) in zip(wanted, found, strict=True)]
    key = seen.rng_key[0] if rng_key is None else rng_key
    return _sampled(seen, others, ranges, models, wanted, samples, np.uint64(key))


def _alone(
    seen: Observations, other: int, weights: Floats, model: Agent[Any], action: int
) -> tuple[float, float, float]:
    """Against one opponent: the worth of an action, how often he folds to it, and the equity where he does not."""
    if action == c.FOLD:
        return 0.0, 0.0, 0.0
    o, me, row = seen, int(seen.position[0]), seen.game.row[None, :]
    possible = (~np.isin(holdings(), [*o.hole[0], *o.board[0]]).any(axis=1)) & (weights > 0)
    w = weights[possible] / weights[possible].sum()
    share = shares_against_each(o.hole[0], o.board[0])[possible]
    state, record = o.state.copy(), np.zeros((1, o.history.shape[1] + 1), np.int64)
    record[:, :-1] = o.history
    kernels.apply_rows(row, state, record, np.zeros(1, np.int64), np.array([action]))
    spent, room = o.spent[0], o.state[0, c.ROOM : c.ROOM + o.game.players]
    dead = int(o.pot[0] - spent[me] - spent[other])

    def shown(to: Any) -> Floats:
        """What is won, by holding, when both have put in `to`, or what they have."""
        level = np.minimum(np.minimum(to, room[me]), room[other])
        return np.asarray(share * (dead + 2 * level) - (level - spent[me]))

    bet = int(state[0, c.BET])
    answers = int(state[0, c.ACTOR]) == other and int(state[0, c.ROUND]) == int(o.state[0, c.ROUND])
    if not answers:
        worth = float((w * shown(bet)).sum())
        return worth, 0.0, float((w * share).sum())
    policy = model.policy(with_all_holdings(o, state, record, possible[None, :]))
    p, to = policy.p, policy.actions
    fold = np.where(to == c.FOLD, p, 0).sum(axis=1)
    call = np.where(to == c.CALL, p, 0).sum(axis=1)
    raised, called_raise = np.zeros(len(w)), 0.0
    for k in range(p.shape[1]):
        part = np.where(to[:, k] >= c.RAISE, p[:, k], 0.0)
        raised += part
        called_raise += float((w * part * shown(np.maximum(to[:, k], bet))).sum())
    put_in = int(min(bet, room[me]) - spent[me])
    again = max(called_raise, -put_in * float((w * raised).sum()))
    pot = int(o.pot[0])
    worth = float((w * fold).sum()) * pot + float((w * call * shown(bet)).sum()) + again
    stays = w * (1 - fold)
    return worth, float((w * fold).sum()), float((stays * share).sum() / stays.sum()) if stays.sum() > 0 else 0.0


def _sampled(
    seen: Observations,
    others: Sequence[int],
    ranges: Mapping[int, Floats],
    models: Mapping[int, Agent[Any]],
    actions: Sequence[int],
    samples: int,
    key: np.uint64,
) -> list[ActionWorth]:
    o, me = seen, int(seen.position[0])
    dead = [int(card) for card in (*o.hole[0], *o.board[0]) if card >= 0]
    held = holdings()[drawn_holdings(dead, [ranges[p] for p in others], samples, key)].astype(np.int64)
    cards = np.zeros((samples, o.game.cards_dealt), np.uint8)
    cards[:, 2 * me : 2 * me + 2] = o.hole[0]
    for k, p in enumerate(others):
        cards[:, 2 * p : 2 * p + 2] = held[:, k]
    own = np.tile(o.hole[0].astype(np.int64), (samples, 1))
    cards[:, 2 * o.game.players :] = filled_boards(
        np.concatenate([own, held.reshape(samples, -1)], axis=1), o.board[0], key
    )
    played = [_played(o, models, cards, action, key) for action in actions]
    values = np.array([value for value, _, _ in played])
    best = int(values.mean(axis=1).argmax())
    root = samples**0.5
    return [
        ActionWorth(
            action,
            float(v.mean()),
            float(v.std(ddof=1) / root),
            float((values[best] - v).mean()),
            float((values[best] - v).std(ddof=1) / root),
            folds,
            equity,
        )
        for action, v, (_, folds, equity) in zip(actions, values, played, strict=True)
    ]


def _played(
    o: Observations, models: Mapping[int, Agent[Any]], cards: NDArray[np.uint8], action: int, key: np.uint64
) -> tuple[Floats, float, float]:
    """What an action wins in every draw, how often all fold, and the share of the pot at showdowns."""
    size, me = len(cards), int(o.position[0])
    if action == c.FOLD:
        return np.zeros(size), 0.0, 0.0
    rows = np.arange(size)
    table = Table.of_rows(
        o.game,
        o.state[np.zeros(size, np.int64)],
        o.history[np.zeros(size, np.int64)],
        cards,
        forks(key, rows + 1_000_000),
        o.seating[np.zeros(size, np.int64)],
    )
    table.apply(rows, np.full(size, action))
    put_in = table.state[:, c.SPENT + me] - o.state[0, c.SPENT + me]
    street, again = int(o.state[0, c.ROUND]), np.zeros(size, bool)
    while len(now := np.flatnonzero((table.actor >= 0) & (table.state[:, c.ROUND] == street))):
        for p in np.unique(table.actor[now]):
            at = now[table.actor[now] == p]
            if p == me:
                again[at] = True
                table.apply(at, np.full(len(at), c.CALL))
                continue
            chosen = np.asarray(models[int(p)].decide(table.observe(at)), np.int64)
            table.apply(at, np.where(again[at] & (chosen >= c.RAISE), c.CALL, chosen))
    while len(now := np.flatnonzero(table.actor >= 0)):
        table.apply(now, np.full(len(now), c.CALL))
    net = table.settle()[:, me] + o.state[0, c.SPENT + me] + o.state[0, c.ANTE + me]
    given_up = -put_in.astype(np.float64)
    value = net.astype(np.float64)
    if again.any() and value[again].mean() < given_up[again].mean():
        value[again] = given_up[again]
    live = table.state[:, c.LIVE]
    shown = live & (live - 1) != 0
    total = table.state[:, c.POT]
    spent = table.state[:, c.SPENT + me] - o.state[0, c.SPENT + me]
    share = np.clip((net + spent)[shown] / total[shown], 0, 1)
    return value, float((~shown).mean()), float(share.mean()) if shown.any() else 0.0
