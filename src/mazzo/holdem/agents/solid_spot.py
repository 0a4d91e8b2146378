"""Turn and river against one opponent, solved as they are met: what `solid:seconds=1` plays there.

Both ranges are those of the stand-in when the street begins. How long a spot is worked on is counted in rounds, as many
as a usual core makes in the time given: so the same decision is always played the same, on any machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.cards import FRENCH
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.agents.solid_kernels import ranges_rows
from mazzo.holdem.agents.solid_ranges import USUAL, card_facts
from mazzo.holdem.observation import Observations
from mazzo.holdem.solver.spot.engine import Plan
from mazzo.holdem.solver.spot.path import follow
from mazzo.holdem.solver.spot.solving import estimate, run, solution_of
from mazzo.holdem.solver.spot.spot import STREETS, parse_spot

__all__ = ["solve_decision", "stand_in_ranges"]

_ENTRIES_A_SECOND = 1.2e8
_LEAST_ROUNDS, _MOST_ROUNDS = 20, 400
_TURN_BETS, _RIVER_BETS = "66%", "50%,100%"
_LEAST_WEIGHT = 1e-3


def stand_in_ranges(o: Observations, seat: Ints, dead: Any = None) -> Floats:
    """What the stand-in makes of the players at a seat of each row: weights of the 1,326 holdings.

    Args:
        o: The decisions; only what is public is looked at.
        seat: A position in each row.
        dead: By row the cards that are elsewhere, as bits of suits; by default those of the board.
    """
    suits = card_facts().judge.suits
    gone = np.zeros(len(o), np.uint64)
    for k in range(5):
        gone |= np.where(o.board[:, k] >= 0, suits[np.maximum(o.board[:, k], 0)], np.uint64(0))
    if dead is not None:
        gone |= dead
    out = np.zeros((len(o), 1326))
    ranges_rows(o.game.row[None, :], o.state, o.history, gone, o.board, seat, USUAL, card_facts(), out)
    return out


def _steps(o: Observations, street: int) -> tuple[list[str], set[str], set[str]]:
    """What was done on this street, as it is typed, and the sizes that were bet and raised by."""
    state = o.state[0]
    begin, count, base = int(state[c.ROUND_AT + street]), int(state[c.COUNT]), int(state[c.BASE])
    steps: list[str] = []
    bets: set[str] = set()
    raises: set[str] = set()
    facing = 0
    for action in o.actions[0, begin:count]:
        if action >= c.RAISE:
            to = int(action) - base
            (raises if facing else bets).add(f"{to - facing}c")
            steps.append(f"{'r' if facing else 'b'}{to}")
            facing = to
        else:
            steps.append("f" if action == c.FOLD else "c" if facing else "k")
    return steps, bets, raises


def solve_decision(o: Observations, seconds: float) -> tuple[Ints, Floats] | None:
    """The actions of one decision against one opponent and their chances in a solution; None where there is no spot."""
    state, me, street = o.state[0], int(o.position[0]), int(o.street[0])
    (other,) = (p for p in range(o.game.players) if p != me and int(o.live[0]) >> p & 1)
    base, spent = int(state[c.BASE]), o.spent[0]
    pot = int(o.pot[0]) - sum(max(int(spent[p]) - base, 0) for p in (me, other))
    stack = min(int(state[c.ROOM + p]) for p in (me, other)) - base
    steps, bets, raises = _steps(o, street)
    if stack < 1 or pot < 2 or "f" in steps:
        return None
    before = state.copy()
    before[c.COUNT] = before[c.ROUND_AT + street]
    cut = Observations(
        o.game, before[None, :], o.history, o.hole, o.board, o.owed, o.raise_low, o.raise_high, o.rng_key, o.seating
    )
    first = int(o.game.row[c.FIRST + street])
    seats = sorted((me, other), key=lambda p: (p - first) % o.game.players)
    low, high = sorted(int(card) for card in o.hole[0])
    number = high * (high - 1) // 2 + low
    ranges = []
    for p in seats:
        weights = stand_in_ranges(cut, np.array([p]))[0]
        if p == me:  # what is held is in the range, whatever the stand-in thinks of it
            weights[number] = max(weights[number], 0.05 * weights.max())
        ranges.append(np.where(weights < _LEAST_WEIGHT * weights.max(), 0.0, weights / weights.max()))
    keys: dict[str, Any] = {}
    for at, name in enumerate(STREETS, 1):
        usual = _RIVER_BETS if at == 3 else _TURN_BETS
        keys[f"{name}_bet"] = ",".join([usual, *sorted(bets if at == street else ())])
        keys[f"{name}_raise"] = ",".join(["3x", *sorted(raises if at == street else ())])
    board = "".join(map(str, FRENCH.cards(int(card) for card in o.board[0] if card >= 0)))
    try:
        spot = parse_spot(
            {
                "board": board,
                "oop": ranges[0],
                "ip": ranges[1],
                "pot": pot,
                "stack": stack,
                "big_blind": min(int(o.game.big_blind), pot // 2),
                "raise_cap": 3 + len(raises),
                "add_allin": 1.5,
                **keys,
            }
        )
        plan = Plan(spot)
        rounds = int(seconds * _ENTRIES_A_SECOND / max(estimate(plan).entries, 1))
        found = run(spot, rounds=min(max(rounds, _LEAST_ROUNDS), _MOST_ROUNDS))
        path = follow(plan, " ".join(steps))
    except UnreadableError:
        return None  # betting that the tree does not have
    player = seats.index(me)
    if path.actor != player:
        return None
    solution = solution_of(found)
    place = int(np.flatnonzero(plan.hands.numbers[player] == number)[0])
    mix = solution.mix_at(path, player)[:, place]
    nodes = plan.betting.nodes
    actions = [_real(nodes[k], base, o) for k in nodes[path.node].children]
    return np.array(actions, np.int64), mix / mix.sum()


def _real(node: Any, base: int, o: Observations) -> int:
    """An action of the tree as one of the game."""
    if node.action < c.RAISE:
        return int(node.action)
    low, high = int(o.raise_low[0]), int(o.raise_high[0])
    return min(max(base + int(node.to), low), high) if high else c.CALL
