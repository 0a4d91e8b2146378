"""A player beside an agent, such as a clone: asked at the player's own decisions, with the cards he held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mazzo.agent import Agent
from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.attributes.replay import ReplayedDecisions, replay
from mazzo.holdem.logs.hands import Hands
from mazzo.holdem.observation import Observations
from mazzo.holdem.statistics.tracker import PlayedHand
from mazzo.policy import ActionChances
from mazzo.rng import forks

__all__ = ["Asked", "asked_at", "both_tails", "kind_chances"]

Asked = dict[tuple[int, int], tuple[float, ...]]
"""By (row of the hand, number of the action): the chances to fold, to check or call, and to raise."""


def kind_chances(chances: ActionChances) -> Floats:
    """The chances to fold, call and raise."""
    out = np.zeros((len(chances), 3))
    rows = np.arange(len(chances))
    for k in range(chances.actions.shape[1]):
        there = chances.p[:, k] > 0
        np.add.at(out, (rows[there], c.kinds(chances.actions[there, k])), chances.p[there, k])
    return out


def asked_at(agent: Agent[Observations], played: Sequence[PlayedHand]) -> Iterator[tuple[PlayedHand, Asked]]:
    """What an agent would do at a player's decisions, but in games it does not play and where cards are not known."""
    batches: dict[int, list[PlayedHand]] = {}
    for hand in played:
        batches.setdefault(id(hand.hands), []).append(hand)
    for group in batches.values():
        asked = _of_batch(agent, group[0].hands, group)
        yield from ((hand, asked) for hand in group)


def _of_batch(agent: Agent[Observations], hands: Hands, group: Sequence[PlayedHand]) -> Asked:
    wanted = np.zeros((len(hands), c.MAX_PLAYERS), np.bool_)
    for hand in group:
        own = hands.cards[hand.row, 2 * hand.seat : 2 * hand.seat + 2]
        wanted[hand.row, hand.seat] = bool((own != c.UNKNOWN).all())
    asked: Asked = {}
    if not wanted.any():
        return asked
    made = replay(hands, wanted)
    of_game = made.state[:, c.GAME]
    for number in np.unique(of_game).tolist():
        rows = np.flatnonzero(of_game == number)
        if agent.unsupported_reason(hands.games[number]):
            continue
        kinds = kind_chances(agent.policy(_seen(hands, number, made, rows)))
        for row, chances in zip(rows.tolist(), kinds.tolist(), strict=True):
            asked[int(made.hand[row]), int(made.state[row, c.COUNT])] = tuple(chances)
    return asked


def _seen(hands: Hands, number: int, made: ReplayedDecisions, rows: Ints) -> Observations:
    game = hands.games[number]
    state = made.state[rows].copy()
    state[:, c.GAME] = 0
    return Observations(
        game=game,
        state=state,
        history=made.history[rows],
        hole=made.hole[rows],
        board=made.board[rows],
        owed=made.owed[rows],
        raise_low=made.raise_low[rows],
        raise_high=made.raise_high[rows],
        rng_key=forks(np.uint64(0), rows),
        seating=hands.seating[made.hand[rows], : game.players].astype(np.int16),
    )


def both_tails(count: int, chances: Floats) -> float:
    """How likely a count at least as far out is, of things that happen each with its own chance (both tails)."""
    ways = np.ones(1)
    for p in chances:
        ways = np.append(ways * (1 - p), 0.0) + np.append(0.0, ways * p)
    low, high = float(ways[: count + 1].sum()), float(ways[count:].sum())
    return min(1.0, 2 * min(low, high))
