"""What each play is worth in a heads-up decision after the flop, by solving the spot it stands in.

The spot begins at the decision itself: what was done on the street before it is in both ranges. Sizes are few enough to
be solved within the time given; the amount that was played is always among them.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mazzo.arrays import Floats
from mazzo.cards import FRENCH
from mazzo.errors import UnreadableError
from mazzo.holdem import columns as c
from mazzo.holdem.observation import Observations
from mazzo.holdem.solver.spot.engine import METHODS, Engine, Plan
from mazzo.holdem.solver.spot.kernels import VALUE
from mazzo.holdem.solver.spot.path import follow
from mazzo.holdem.solver.spot.solution import InMemory, SpotSolution
from mazzo.holdem.solver.spot.solving import Run, memory_limit
from mazzo.holdem.solver.spot.spot import PLAYERS, STREETS, Spot

__all__ = ["TREES", "SolvedPlay", "SolvedWorth", "solved_worth", "spot_at"]

TREES: Mapping[int, Sequence[Mapping[str, str]]] = {
    3: (
        {"river_bet": "25%,50%,75%,125%,200%,a", "river_raise": "50%,100%,a"},
        {"river_bet": "33%,75%,150%,a", "river_raise": "75%,a"},
        {"river_bet": "50%,100%,a", "river_raise": "a"},
    ),
    2: (
        {"turn_bet": "33%,75%,150%,a", "turn_raise": "75%,a", "river_bet": "50%,100%,a", "river_raise": "a"},
        {"turn_bet": "33%,75%,150%", "turn_raise": "75%,a", "river_bet": "75%,a", "river_raise": "a"},
        {"turn_bet": "33%,75%,150%", "turn_raise": "75%", "river_bet": "75%", "river_raise": "a"},
        {"turn_bet": "40%,100%", "turn_raise": "75%", "river_bet": "75%", "river_raise": "a"},
        {"turn_bet": "40%,100%", "turn_raise": "a", "river_bet": "75%"},
        {"turn_bet": "66%", "turn_raise": "a", "river_bet": "75%"},
    ),
    1: (
        {"flop_bet": "50%,125%", "flop_raise": "a", "turn_bet": "75%", "river_bet": "75%"},
        {"flop_bet": "66%", "flop_raise": "a", "turn_bet": "100%", "river_bet": "100%"},
    ),
}
"""By the street of the decision the bets and raises that are tried, most of them first."""

_SECONDS_AN_ENTRY = 7e-9
_LEAST_ROUNDS = {1: 40, 2: 80, 3: 300}
"""Fewer rounds would tell little: then fewer sizes are tried, or nothing is solved."""
_RAISES = 2
"""Bets and raises a street that are looked at, beside those that were made."""
_ENOUGH = 0.05
"""Exploitability in per cent of the pot at which nothing more is to be learned."""
_KEPT, _MOST_HOLDINGS = 0.985, {1: 160, 2: 550, 3: 1326}
_OWN_LEAST = 0.05
"""Of the likeliest holding's weight, what the hand that is really held has at least."""
_CHECKS = 6
_WAITING = 6.0
"""On a busy machine a second of the processor takes longer; this many times as long is waited, and no longer."""


@dataclass(frozen=True)
class SolvedPlay:
    """What one play is worth, in chips against giving up now."""

    action: int
    worth: float
    error: float
    """How far the last rounds still moved it, and at least the exploitability: a bound more than a standard error."""
    behind: float
    behind_error: float


@dataclass(frozen=True)
class SolvedWorth:
    """A decision solved."""

    plays: Sequence[SolvedPlay]
    spot: Spot
    exploitability_pct: float
    rounds: int
    seconds: float
    """Of the processor."""
    kept: float
    """What share of the opponent's range was kept: the rest are holdings too unlikely to matter."""


class _Clock:
    """Seconds of the processor, so that the same is found on a busy machine; but nobody waits for ever."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._began, self._waiting = seconds, time.thread_time(), time.perf_counter()

    def spent(self) -> float:
        """Seconds of the processor used so far."""
        return time.thread_time() - self._began

    def left(self) -> float:
        """Seconds that are left."""
        waited = time.perf_counter() - self._waiting
        return min(self._seconds - self.spent(), _WAITING * self._seconds - waited)


def _trimmed(weights: Floats, most: int, own: int | None = None) -> tuple[Floats, float]:
    """The likeliest holdings of a range, and what share of it they are."""
    order = np.argsort(-weights, kind="stable")
    passed = np.cumsum(weights[order]) / weights.sum()
    count = min(most, int(np.searchsorted(passed, _KEPT)) + 1)
    out = np.zeros_like(weights)
    out[order[:count]] = weights[order[:count]]
    if own is not None:
        out[own] = max(weights[own], _OWN_LEAST * weights.max())
    return out / out.max(), float(passed[count - 1])


def _line(seen: Observations, players: Sequence[int], stack: int) -> str:
    """What the two players did on this street, as a spot's line; refuses what two players cannot have done."""
    state, street = seen.state[0], int(seen.street[0])
    base, facing = int(state[c.BASE]), 0
    words: list[str] = []
    for k in range(int(state[c.ROUND_AT + street]), int(state[c.COUNT])):
        who, action = int(seen.actors[0, k]), int(seen.actions[0, k])
        if action >= c.RAISE and who not in players:
            raise UnreadableError("a player who is out now has bet on this street")
        if who not in players:
            continue
        if action >= c.RAISE:
            to = min(action - base, stack)
            words.append(f"{'r' if facing else 'b'}{to}")
            facing = to
        else:
            words.append("c" if facing else "k")
    return " ".join(words)


def spot_at(seen: Observations, ranges: Mapping[int, Floats], sizes: Mapping[str, str]) -> tuple[Spot, int]:
    """The spot that begins at a decision between two, and which of its players decides.

    Args:
        seen: The decision, one row; after the flop, with two players left.
        ranges: By position a weight for each holding, as they are at the decision.
        sizes: Bets and raises, as `Spot.sizes` has them.
    """
    state, game = seen.state[0], seen.game
    players = [p for p in range(game.players) if int(seen.live[0]) >> p & 1]
    if len(players) != 2 or int(seen.street[0]) < 1 or game.limit:
        raise UnreadableError("only no-limit decisions after the flop between two players are solved")
    base = int(state[c.BASE])
    here = [int(seen.spent[0][p]) - base for p in players]
    stack = min(int(state[c.ROOM + p]) - base for p in players)
    pot = int(seen.pot[0]) - sum(max(k, 0) for k in here)
    board = tuple(FRENCH.cards(int(card) for card in seen.board[0] if card >= 0))
    spot = Spot(
        board,
        ranges[players[0]],
        ranges[players[1]],
        pot,
        stack,
        sizes=dict(sizes),
        big_blind=min(int(game.big_blind), pot // 2),
        line=_line(seen, players, stack),
        raise_cap=_RAISES + int(seen.raises[0]),
    )
    return spot, players.index(int(seen.position[0]))


def _sizes(seen: Observations, tree: Mapping[str, str], me: int, wanted: Sequence[int]) -> dict[str, str]:
    """The sizes of a tree with amounts that must be among the first player's."""
    state, street = seen.state[0], STREETS[int(seen.street[0]) - 1]
    facing = int(state[c.BET]) - int(state[c.BASE])
    kind = "raise" if facing > 0 else "bet"
    own = [f"{total - int(state[c.BET])}c" for total in wanted if total >= c.RAISE]
    usual = tree.get(f"{street}_{kind}", "")
    return {**tree, **({f"{PLAYERS[me]}_{street}_{kind}": ",".join([*own, usual]).strip(",")} if own else {})}


def _planned(
    seen: Observations,
    ranges: Mapping[int, Floats],
    wanted: Sequence[int],
    seconds: float,
    trees: Sequence[Mapping[str, str]],
) -> tuple[Plan, int]:
    """The richest tree that can be solved in the time."""
    needed, rounds = 0.0, _LEAST_ROUNDS[int(seen.street[0])]
    for tree in trees:
        spot, me = spot_at(seen, ranges, tree)
        plan = Plan(spot.replaced(sizes=_sizes(seen, tree, me, wanted)))
        needed = plan.entries * _SECONDS_AN_ENTRY * rounds
        if needed <= seconds and plan.bytes() <= memory_limit():
            return plan, me
    raise UnreadableError(f"the spot takes about {needed:.1f} s to solve, more than the {seconds:g} s there are")


def solved_worth(
    seen: Observations,
    ranges: Mapping[int, Floats],
    seconds: float = 1.0,
    wanted: Sequence[int] = (),
    *,
    trees: Sequence[Mapping[str, str]] | None = None,
    to: float = _ENOUGH,
    trim: bool = True,
) -> SolvedWorth:
    """What each play of a decision between two is worth, solved within a time.

    Args:
        seen: The decision, one row.
        ranges: By position of both players a weight for each holding.
        seconds: How long it may take.
        wanted: Totals raised to that must be among the plays.
        trees: Bets and raises to try, most of them first; by default those of the street.
        to: Stop earlier, at this exploitability in per cent of the pot.
        trim: Whether holdings that are very unlikely are left out.
    """
    street = int(seen.street[0])
    low, high = sorted(int(card) for card in seen.hole[0])
    number, mine = high * (high - 1) // 2 + low, int(seen.position[0])
    most, kept = _MOST_HOLDINGS[street] if trim else 1326, 1.0
    held: dict[int, Floats] = {}
    for p, weights in ranges.items():
        held[p], share = _trimmed(weights, most, number if p == mine else None)
        kept = share if p != mine else kept
    plan, me = _planned(seen, held, wanted, seconds, TREES[street] if trees is None else trees)
    found = Run(Engine(plan), "dcfr")
    found.engine.rates = METHODS["dcfr"].rates
    found.engine.prepare()  # compiled or loaded before the clock starts
    clock = _Clock(seconds)
    place = int(np.flatnonzero(plan.hands.numbers[me] == number)[0])
    actions = _actions(plan, seen)
    seen_values = [_improved(found, 10, me, place, actions)]
    while found.percent > to and (left := clock.left()) > 0:
        speed = found.rounds / max(clock.spent(), 1e-4)
        step = min(int(min(0.9 * left, seconds / _CHECKS) * speed), max(found.rounds, 20))
        if step < 2:
            break
        seen_values.append(_improved(found, max(step, 10 if len(plan.streets) == 1 else 4), me, place, actions))
    found.settle()
    values = _values(found, me, place, actions)
    given_up = values[list(actions).index("f")] if "f" in actions else -plan.spot.pot / 2
    plays = _plays(actions, values - given_up, [v - given_up for v in seen_values[len(seen_values) // 2 :]], found)
    return SolvedWorth(plays, plan.spot, found.percent, found.rounds, clock.spent(), kept)


def _improved(found: Run, rounds: int, me: int, place: int, actions: Mapping[str, int]) -> Floats:
    found.improve(rounds)
    return _values(found, me, place, actions)


def _values(found: Run, me: int, place: int, actions: Mapping[str, int]) -> Floats:
    """What the hand that is held wins with each play, by the mean strategies as they are now."""
    engine, plan = found.engine, found.engine.plan
    engine.walk(me, VALUE)
    stored = engine.rooms[0].values[0].reshape(-1, plan.hands.stride)
    solution = SpotSolution(plan, InMemory(engine), (0.0, 0.0), 0.0, found.rounds, 0.0, 0)
    mass = plan.hands.mass(1 - me, solution.reach(follow(plan, ""))[1 - me])[place]
    paths = [follow(plan, name) for name in actions]
    raw = [solution._plain(stored[path.place][None, :], path, me)[0][place] for path in paths]
    return np.array(raw) / max(float(mass), 1e-12)


def _actions(plan: Plan, seen: Observations) -> dict[str, int]:
    """By the name of a play in the spot the same as the table's rules code it."""
    base, high = int(seen.state[0, c.BASE]), int(seen.raise_high[0])
    out: dict[str, int] = {}
    for child in plan.betting.nodes[0].children:
        node = plan.betting.nodes[child]
        if node.action in (c.FOLD, c.CALL):
            out[node.name] = int(node.action)
        else:
            out[node.name] = min(high, base + node.to)
    return out


def _plays(actions: Mapping[str, int], values: Floats, before: Sequence[Floats], found: Run) -> list[SolvedPlay]:
    best, least = int(np.nanargmax(values)), found.exploitability
    out: list[SolvedPlay] = []
    for k, action in enumerate(actions.values()):
        moved = max(abs(float(b[k] - values[k])) for b in before)
        apart = max(abs(float((b[best] - b[k]) - (values[best] - values[k]))) for b in before)
        out.append(
            SolvedPlay(
                action,
                float(values[k]),
                0.0 if action == c.FOLD else max(moved, least),
                float(values[best] - values[k]),
                0.0 if k == best else max(apart, least),
            )
        )
    return out
