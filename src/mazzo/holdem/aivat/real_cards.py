"""Luck taken out of hands of Hold'em with the cards that were dealt: the luck of the cards, and of drawn actions.

A state is worth the chips that would be shown down for if all were called, times the chance to win less the chance to
lose. The mean of that over the next card is the same number before it, so that a street's luck is the chips times the
change. Flop, turn and river are counted; before the flop the chance is the mean over some drawn boards, which have
nothing to do with the board that came: that adds a little noise and no bias.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.agent import Agent
from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.aivat.replaying import DecisionsTaken, begun, check_played, done, exact_policy, options, steps, worth
from mazzo.holdem.observation import Observations
from mazzo.holdem.showdown import ShowdownTables, hand_value, tables
from mazzo.holdem.table import Table
from mazzo.jit import kernel
from mazzo.rng import below, fork

__all__ = ["BOARDS", "edges", "with_real_cards"]

BOARDS = 1000
"""Boards that are drawn for the chance before the flop: an error of 0.03 of the chips."""


@kernel
def _shown(cards: Any, i: int, key: Any, bits: Any, judge: ShowdownTables) -> int:
    """Who wins on a board: 1 position 0, -1 position 1, 0 nobody."""
    keys, suits, table = judge
    first = hand_value(
        key + keys[cards[i, 0]] + keys[cards[i, 1]], bits | suits[cards[i, 0]] | suits[cards[i, 1]], table
    )
    second = hand_value(
        key + keys[cards[i, 2]] + keys[cards[i, 3]], bits | suits[cards[i, 2]] | suits[cards[i, 3]], table
    )
    return int(first > second) - int(first < second)


@kernel
def _drawn(cards: Any, i: int, live: Any, rng_key: Any, boards: int, judge: ShowdownTables) -> float:
    """The mean over drawn boards of five of the cards in `live`."""
    keys, suits, _ = judge
    total, size = 0, len(live)
    for _ in range(boards):
        key, bits = np.uint64(0), np.uint64(0)
        for j in range(5):
            rng_key = fork(rng_key, j)
            other = j + below(rng_key, size - j)
            live[j], live[other] = live[other], live[j]
            key += keys[live[j]]
            bits |= suits[live[j]]
        total += _shown(cards, i, key, bits, judge)
    return total / boards


@kernel
def _counted(cards: Any, i: int, live: Any, key: Any, bits: Any, to_come: int, judge: ShowdownTables) -> float:
    """The mean over all boards that one or two of the cards in `live` make whole."""
    keys, suits, _ = judge
    total, count = 0, 0
    for j in range(len(live)):
        one, seen = key + keys[live[j]], bits | suits[live[j]]
        if to_come == 1:
            total += _shown(cards, i, one, seen, judge)
            count += 1
        else:
            for k in range(j):
                total += _shown(cards, i, one + keys[live[k]], seen | suits[live[k]], judge)
                count += 1
    return total / count


@kernel
def _edges(cards: Any, reached: Any, rng_keys: Any, boards: int, judge: ShowdownTables, out: Any) -> None:
    keys, suits, _ = judge
    live, dealt = np.empty(52, np.int64), np.zeros(52, np.bool_)
    for i in range(len(cards)):
        for street in range(reached[i] + 1):
            known = 0 if street == 0 else 2 + street
            key, bits = np.uint64(0), np.uint64(0)
            dealt[:] = False
            for j in range(4 + known):
                dealt[cards[i, j]] = True
                if j >= 4:
                    key += keys[cards[i, j]]
                    bits |= suits[cards[i, j]]
            size = 0
            for card in range(52):
                if not dealt[card]:
                    live[size] = card
                    size += 1
            if street == 0:
                out[i, 0] = _drawn(cards, i, live[:size], rng_keys[i], boards, judge)
            elif street == 3:
                out[i, 3] = _shown(cards, i, key, bits, judge)
            else:
                out[i, street] = _counted(cards, i, live[:size], key, bits, 3 - street, judge)


def edges(cards: NDArray[np.uint8], reached: Ints, rng_keys: NDArray[np.uint64]) -> Floats:
    """Of position 0, by street, the chance to win less the chance to lose if all cards come: a row a deal.

    Args:
        cards: Both hands and the board, a row a deal.
        reached: The last street that is asked for.
        rng_keys: By which the boards before the flop are drawn.
    """
    out = np.zeros((len(cards), 4))
    _edges(cards, reached, rng_keys, BOARDS, tables(), out)
    return out


def with_real_cards(
    table: Table, net: Ints, agents: list[Agent[Observations] | None], edge: Floats
) -> tuple[Floats, Floats]:
    """What position 0 won without the luck of the cards, and without that of drawn actions either: in chips, by hand.

    Args:
        table: Finished hands of heads-up Hold'em.
        net: What each position won.
        agents: By player of the match the agent, None for one whose policy is not known.
        edge: By hand and street the chance to win less that to lose.
    """
    start = begun(table)
    chance = net[:, 0] - worth(table.game, start.state).value(edge[:, 0])
    acts = np.zeros(len(table))
    for step in steps(table):
        chips = worth(table.game, step.after).chips
        for street in range(3):  # of hands that are all in several cards come at once
            dealt = np.flatnonzero((step.street <= street) & (street < step.after[:, c.ROUND]))
            rows = step.rows[dealt]
            chance[rows] += chips[dealt] * (edge[rows, street] - edge[rows, street + 1])
        for player, agent in enumerate(agents):
            if agent is not None:
                at = step.of(player)
                acts[step.rows[at]] += _of_actions(agent, step, at, edge)
    return chance, chance + acts


def _of_actions(agent: Agent[Observations], step: DecisionsTaken, at: Ints, edge: Floats) -> Floats:
    """What an agent's actions were worth less than the mean over what it might have done."""
    game, seen, term = step.seen.game, step.seen[at], np.zeros(len(at))
    if not len(at):
        return term
    policy = exact_policy(agent, seen)
    check_played(agent, policy.share(step.taken[at], any_raise=game.limit))
    own = edge[step.rows[at], seen.street]
    drawn = np.flatnonzero(policy.p.max(axis=1) < 1)  # one who has no choice but one has no luck either
    if len(drawn):
        term[drawn] -= worth(game, step.after[at][drawn]).value(own[drawn])
        for action, share in options(policy, game.limit):
            some = drawn[share[drawn] > 0]
            after = done(game, seen.state[some], np.full(len(some), action))
            term[some] += share[some] * worth(game, after).value(own[some])
    return term
