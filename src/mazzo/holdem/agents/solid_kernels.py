"""The arithmetic of `solid` after the flop: the worth of a check or call and of some bets against stand-in ranges.

Holdings of all opponents are drawn as whole tuples from their ranges, with the rest of the board, and every action is
played on the same draws: who holds too little for a bet of that size folds, the others show down. Draws are a function
of what the player sees, so that the same decision is always weighed the same.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.agents import solid_ranges as r
from mazzo.holdem.agents.solid_ranges import CardFacts, at_stake, line_of, strengths, weigh_range
from mazzo.holdem.kernels import legal
from mazzo.holdem.showdown import hand_value
from mazzo.jit import helper, kernel, tight_helper
from mazzo.rng import below, fork, mix, uniform

__all__ = [
    "ACTION", "BLUFF", "BLUFF_TO", "CALL_WORTH", "EQUITY", "FACTS", "FOLDING", "RAISE_TO", "RAISE_WORTH", "SETTINGS",
    "STRONG", "ranges_rows", "weigh_rows",
]  # fmt: skip

# What is found of a decision: columns.
ACTION, BLUFF_TO, RAISE_TO = range(3)  # whole numbers
BLUFF, EQUITY, STRONG, CALL_WORTH, RAISE_WORTH, FOLDING = range(6)
FACTS = 6

# Settings: how much of its equity a hand makes good on flop and turn, speaking last or first; how often one who has
# bet folds to a raise, against a usual player; the chance of a bluff; the largest bet in pots; and how much more than
# fair a call for all chips must be.
LAST, FIRST, RAISE_FOLDS, BLUFFS, LARGEST, CAUTION = range(6)

_SAMPLES = 256
SETTINGS = 6
_WEAK = 0.34  # equity below which a hand is bluffed with
_RIVER = 0.5  # of the bluffs: with no card to come a solver has fewer for each strong bet than before
_MOST = 9
_TRIES = 40


@tight_helper
def _card_key(state: Ints, i: int, hole: Any, board: Any) -> Any:
    """A number for the draws: what the player sees, whatever the order of the own cards."""
    a, b = min(hole[i, 0], hole[i, 1]), max(hole[i, 0], hole[i, 1])
    key = fork(np.uint64(a), int(b))
    for k in range(5):
        key = fork(key, int(board[i, k]) + 1)
    key = fork(key, state[i, c.POT])
    return fork(key, state[i, c.COUNT] * 16 + state[i, c.ACTOR])


@tight_helper
def _pick(sums: Floats, draw: float) -> int:
    """The holding at which the summed weights pass a share of their total."""
    wanted, low, high = draw * sums[len(sums) - 1], 0, len(sums) - 1
    while low < high:
        middle = (low + high) >> 1
        if sums[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low


@tight_helper
def _draw(
    key: Any, hole: Any, board: Any, i: int, known: int, opponents: int, strong: Floats, facts: CardFacts, room: Any
) -> int:
    """Draw tuples and boards: values of the own hand and of the opponents', and how strong each is now."""
    sums, mine, theirs, held = room.sums, room.mine, room.theirs, room.held
    keys, suits, table = facts.judge
    own = keys[hole[i, 0]] + keys[hole[i, 1]]
    own_bits = suits[hole[i, 0]] | suits[hole[i, 1]]
    key0 = bits0 = np.uint64(0)
    for k in range(known):
        key0 += keys[board[i, k]]
        bits0 |= suits[board[i, k]]
    made = 0
    for attempt in range(_SAMPLES * _TRIES):
        if made == _SAMPLES:
            break
        coin = fork(key, attempt)
        used = own_bits | bits0
        apart = True
        for q in range(opponents):
            h = _pick(sums[q], uniform(fork(coin, q)))
            theirs[made, q] = h
            bits = suits[facts.holes[h, 0]] | suits[facts.holes[h, 1]]
            if bits & used:
                apart = False
                break
            used |= bits
        if not apart:
            continue
        ranks, colours, at = key0, bits0, 0
        for _ in range(known, 5):
            while True:
                card = below(fork(coin, 16 + at), 52)
                at += 1
                if not suits[card] & used:
                    break
            used |= suits[card]
            ranks += keys[card]
            colours |= suits[card]
        mine[made] = hand_value(ranks + own, colours | own_bits, table)
        for q in range(opponents):
            h = theirs[made, q]
            held[q, made] = strong[h]
            a, b = facts.holes[h, 0], facts.holes[h, 1]
            theirs[made, q] = hand_value(ranks + keys[a] + keys[b], colours | suits[a] | suits[b], table)
        made += 1
    return made


@tight_helper
def _showdown(mine: int, theirs: Ints, opponents: int, stay: int) -> float:
    """The share of the pot against those who stay."""
    sharing = 1
    for q in range(opponents):
        if stay >> q & 1:
            if theirs[q] > mine:
                return 0.0
            sharing += theirs[q] == mine
    return 1.0 / sharing


@tight_helper
def _fold_share(profile: Floats, ratio: float) -> float:
    """How often a player folds to a bet of so many pots."""
    k = 0 if ratio < 0.5 else 1 if ratio < 1.2 else 2
    return float(min(0.97, profile[r.FOLDS + k] * ratio / (1.0 + ratio)))


@tight_helper
def _bet_worth(made: int, opponents: int, pot: float, cost: float, realised: float, room: Any) -> None:
    """The worth of a bet that costs so much, who folds being below his edge; and how often all fold."""
    total, alone = 0.0, 0
    for s in range(made):
        stay, won = 0, pot + cost
        for q in range(opponents):
            if room.held[q, s] >= room.edges[q]:
                stay |= 1 << q
                won += room.pays[q]
        if stay == 0:
            alone += 1
            total += pot
        else:
            total += realised * _showdown(room.mine[s], room.theirs[s], opponents, stay) * won - cost
    room.out[0], room.out[1] = total / made, alone / made


class _Room(NamedTuple):
    """Room for one decision, used again for the next."""

    line: Floats
    buckets: Ints
    values: Ints
    street: Floats
    likely: Floats
    weights: Floats
    sums: Floats
    mine: Ints
    theirs: Ints
    held: Floats
    order: Floats
    edges: Floats
    pays: Floats
    out: Floats
    seats: Ints


@helper
def _room() -> _Room:
    return _Room(
        np.zeros((97, 10)),
        np.zeros(4800, np.int64),
        np.zeros(1326, np.int64),
        np.zeros((3, 1326)),
        np.zeros(128),
        np.zeros(1326),
        np.zeros((_MOST, 1326)),
        np.zeros(_SAMPLES, np.int64),
        np.zeros((_SAMPLES, _MOST), np.int64),
        np.zeros((_MOST, _SAMPLES)),
        np.zeros((_MOST, _SAMPLES)),
        np.zeros(_MOST),
        np.zeros(_MOST),
        np.zeros(3),
        np.zeros(_MOST, np.int64),
    )


@tight_helper
def _others(
    rules: Ints,
    state: Ints,
    history: Ints,
    i: int,
    hole: Any,
    board: Any,
    known: int,
    profile: Floats,
    facts: CardFacts,
    room: _Room,
) -> tuple[int, bool]:
    """Sum up the ranges of all who are in the hand; gives how many, and whether the player to act speaks last."""
    me, live, g = state[i, c.ACTOR], state[i, c.LIVE], state[i, c.GAME]
    players, first = rules[g, c.PLAYERS], rules[g, c.FIRST + state[i, c.ROUND]]
    count = line_of(rules, state, history, i, room.line)
    for k in range(known - 2):
        strengths(board[i], k + 3, facts, room.buckets, room.values, room.street[k])
    suits = facts.judge.suits
    dead = suits[hole[i, 0]] | suits[hole[i, 1]]
    for k in range(known):
        dead |= suits[board[i, k]]
    opponents, last = 0, True
    for q in range(players):
        if q == me or not live >> q & 1:
            continue
        weigh_range(rules, state, i, room.line, count, q, dead, profile, room.street, facts, room.likely, room.weights)
        total = 0.0
        for h in range(1326):
            total += room.weights[h]
            room.sums[opponents, h] = total
        room.seats[opponents] = q
        opponents += 1
        speaks = not state[i, c.ALL_IN] >> q & 1
        if speaks and (q - first + players) % players > (me - first + players) % players:
            last = False
    return opponents, last


@tight_helper
def _raised_to(
    state: Ints,
    i: int,
    may: tuple[int, int, int],
    to: float,
    made: int,
    opponents: int,
    profile: Floats,
    settings: Floats,
    realised: float,
    room: _Room,
) -> None:
    """Put the worth of a raise to so much, and how often all fold to it, into `out`."""
    me, bet, pot = state[i, c.ACTOR], float(state[i, c.BET]), float(state[i, c.POT])
    cost, ratio = to - state[i, c.SPENT + me], (to - bet) / (pot + may[0])
    for q in range(opponents):
        p = room.seats[q]
        room.pays[q] = min(to, float(state[i, c.ROOM + p])) - state[i, c.SPENT + p]
        folds = _fold_share(profile, ratio)
        if may[0] > 0 and state[i, c.SPENT + p] == state[i, c.BET]:
            folds *= settings[RAISE_FOLDS]  # he has bet himself
        if state[i, c.ALL_IN] >> p & 1:
            folds, room.pays[q] = 0.0, 0.0
        room.edges[q] = room.order[q, min(made - 1, int(folds * made))] if folds > 0.0 else -1.0
    _bet_worth(made, opponents, float(pot), cost, realised, room)
    behind = float(state[i, c.ROOM + me] - state[i, c.SPENT + me])
    room.out[0] -= room.out[2] * cost * cost / max(behind, 1.0) * (1.0 - room.out[1])


@tight_helper
def _best_raise(
    state: Ints,
    i: int,
    may: tuple[int, int, int],
    made: int,
    opponents: int,
    profile: Floats,
    settings: Floats,
    sizes: Floats,
    realised: float,
    room: _Room,
) -> tuple[float, int, float, int]:
    """The best of the raises that are weighed: its worth, what it goes to, how often all fold; and a bluff's size."""
    owed, low, high = may
    bet, pot = float(state[i, c.BET]), float(state[i, c.POT])
    me = state[i, c.ACTOR]
    behind = float(state[i, c.ROOM + me] - state[i, c.SPENT + me])
    best, best_to, best_folds, middle = -1e18, 0, 0.0, 0
    for k in range(len(sizes)):
        to = min(float(high), max(float(low), np.floor(bet + sizes[k] * (pot + owed))))
        if to - state[i, c.SPENT + me] > 0.6 * behind:
            to = float(high)
        if k > 0 and (to - bet) / (pot + owed) > settings[LARGEST]:
            continue
        _raised_to(state, i, may, to, made, opponents, profile, settings, realised, room)
        if room.out[0] > best:
            best, best_to, best_folds = room.out[0], int(to), room.out[1]
        if k == 1:
            middle = int(to)
    return best, best_to, best_folds, middle


@kernel
def weigh_rows(
    rules: Ints,
    state: Ints,
    history: Ints,
    hole: NDArray[np.uint8],
    board: NDArray[np.int8],
    profile: Floats,
    settings: Floats,
    sizes: Floats,
    facts: CardFacts,
    chosen: Ints,
    found: Floats,
) -> None:
    """For every row the action, the raise that was best, the raise of a bluff and its chance, and the facts."""
    room = _room()
    for i in range(len(state)):
        me, known = state[i, c.ACTOR], state[i, c.ROUND] + 2
        may = legal(rules, state, i)
        owed = may[0]
        opponents, last = _others(rules, state, history, i, hole, board, known, profile, facts, room)
        now = room.street[known - 3]
        made = _draw(mix(_card_key(state, i, hole, board)), hole, board, i, known, opponents, now, facts, room)
        share = 0.0
        for s in range(made):
            share += _showdown(room.mine[s], room.theirs[s], opponents, (1 << opponents) - 1) / made
        for q in range(opponents):
            room.order[q, :made] = np.sort(room.held[q, :made])
        realised = 1.0 if known == 5 else settings[LAST] if last else settings[FIRST]
        behind = float(state[i, c.ROOM + me] - state[i, c.SPENT + me])
        call = (1.0 if owed >= behind else realised) * share * (state[i, c.POT] + owed) - owed
        room.out[2] = settings[CAUTION] * at_stake(rules, state, i)
        call -= room.out[2] * owed * owed / max(behind, 1.0)
        best, best_to, folds, middle = -1e18, 0, 0.0, 0
        if may[2] > 0 and made:
            best, best_to, folds, middle = _best_raise(
                state, i, may, made, opponents, profile, settings, sizes, realised, room
            )
        a, b = min(hole[i, 0], hole[i, 1]), max(hole[i, 0], hole[i, 1])
        found[i, EQUITY], found[i, STRONG], found[i, CALL_WORTH] = share, now[b * (b - 1) // 2 + a], call
        found[i, RAISE_WORTH], found[i, FOLDING], found[i, BLUFF] = best, folds, 0.0
        chosen[i, RAISE_TO], chosen[i, BLUFF_TO] = best_to, middle
        if best_to > 0 and best > (0.0 if owed > 0 and call < 0.0 else call):
            chosen[i, ACTION] = best_to
        else:
            chosen[i, ACTION] = c.FOLD if owed > 0 and call < 0.0 else c.CALL
            if owed == 0 and middle > 0 and share < _WEAK and opponents <= 2:
                found[i, BLUFF] = settings[BLUFFS] * (_RIVER if known == 5 else 1.0) / (opponents * opponents)


@kernel
def ranges_rows(
    rules: Ints,
    state: Ints,
    history: Ints,
    dead: NDArray[np.uint64],
    board: NDArray[np.int8],
    seat: Ints,
    profile: Floats,
    facts: CardFacts,
    out: Floats,
) -> None:
    """The stand-in range of the player at a seat of each row."""
    room = _room()
    for i in range(len(state)):
        known = 0
        while known < 5 and board[i, known] >= 0:
            known += 1
        count = line_of(rules, state, history, i, room.line)
        for k in range(known - 2):
            strengths(board[i], k + 3, facts, room.buckets, room.values, room.street[k])
        weigh_range(
            rules, state, i, room.line, count, seat[i], dead[i], profile, room.street, facts, room.likely, out[i]
        )
