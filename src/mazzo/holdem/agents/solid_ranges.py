"""What `solid` takes others to hold: weights of the 1,326 holdings by a stand-in, from what each has done in the hand.

Before the flop a range is a share of the order of starting hands with soft edges; each action after it multiplies the
weights by how likely a usual player is to do that with a hand so strong. Strength is the share of holdings that are
weaker on the board now, with something added for draws.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from mazzo.arrays import Floats, Ints
from mazzo.holdem import columns as c
from mazzo.holdem.odds.build import holes
from mazzo.holdem.showdown import ShowdownTables, hand_value, tables
from mazzo.jit import tight_helper

__all__ = [
    "BET", "BLUFFS", "CALLED", "CHECKED", "FOLDS", "PROFILE", "RAISED", "USUAL", "WIDTH", "CardFacts", "at_stake",
    "card_facts", "line_of", "strengths", "weigh_range",
]  # fmt: skip

# Kinds of action after the flop, and the columns of a line: a row an action.
CHECKED, CALLED, BET, RAISED, _FOLDED = range(5)
STREET, WHO, WHAT, RATIO = range(4)

# What is believed of a player: columns of a profile.
WIDTH = 0  # how much wider than usual it plays before the flop
BLUFFS = 1  # the share of its weak hands that it bets with
FOLDS = 2  # how often it folds to a bet, against b / (1 + b) of a bet of b pots: small, middle, large bets
PROFILE = 5
USUAL = np.array([1.15, 0.16, 0.95, 0.95, 0.95])
"""What is taken for granted of a player nobody has watched."""

_MOST_ACTIONS = 96
_STEPS = 128  # of strength, where likelihoods are looked up
_BUCKETS = 4800  # of hand values, eight a bucket
_FLUSH_DRAW, _OPEN_ENDED, _GUTSHOT = 0.38, 0.30, 0.12


class CardFacts(NamedTuple):
    """Facts of cards for the kernels."""

    holes: Ints
    classes: Ints
    place: Floats
    outs: Ints
    """By set of ranks, as bits, the ranks that would complete a straight."""
    judge: ShowdownTables


@cache
def _straight_outs() -> Ints:
    sets = np.arange(8192)
    wheel = sets << 1 | sets >> 12 & 1
    out = np.zeros(8192, np.int64)
    for low in range(10):
        window = wheel >> low & 31
        for k in range(5):
            missing = 31 ^ (1 << k)
            rank = (low + k - 1) % 13
            out |= np.where(window == missing, 1 << rank, 0)
    return out


@cache
def card_facts() -> CardFacts:
    """The facts, made once."""
    from mazzo.holdem.agents.solid_charts import class_of_holdings, place_of_classes

    return CardFacts(holes().astype(np.int64), class_of_holdings(), place_of_classes(), _straight_outs(), tables())


@tight_helper
def at_stake(rules: Ints, state: Ints, i: int) -> float:
    """The share of its caution that a player needs: all where stacks differ, as in a tournament, none where not.

    Who can buy chips again, and so begins every hand with as many as the others, gives away what it is too careful for:
    heads-up with 100 big blinds a fifth of it cost 0.06 to 0.18 big blinds a hand against those who bet much.
    """
    for p in range(1, rules[state[i, c.GAME], c.PLAYERS]):
        if state[i, c.ROOM + p] + state[i, c.ANTE + p] != state[i, c.ROOM] + state[i, c.ANTE]:
            return 1.0
    return 0.0


@tight_helper
def line_of(rules: Ints, state: Ints, history: Ints, i: int, line: Floats) -> int:
    """The actions of a hand, a row each: street, who, what and in what ratio to the pot; gives how many."""
    g = state[i, c.GAME]
    players, pot, bet = rules[g, c.PLAYERS], 0.0, 0.0
    spent = line[_MOST_ACTIONS]
    for p in range(players):
        spent[p] = min(rules[g, c.BLIND + p], state[i, c.ROOM + p])
        pot += spent[p] + state[i, c.ANTE + p]
        bet = max(bet, spent[p])
    bet = max(bet, rules[g, c.OWED_WHOLE])
    street, raises = 0, 0
    count = min(state[i, c.COUNT], _MOST_ACTIONS)
    for k in range(count):
        while street < state[i, c.ROUND] and k >= state[i, c.ROUND_AT + street + 1]:
            street += 1
            raises = 0
        p, action = history[i, k] & c.ACTOR_MASK, history[i, k] >> c.ACTOR_BITS
        owed = bet - spent[p]
        line[k, 0], line[k, 1], line[k, 3] = street, p, 0.0
        if action == c.FOLD:
            line[k, 2] = 4
        elif action == c.CALL:
            line[k, 2] = 1 if owed > 0 else 0
            line[k, 3] = owed / max(pot - owed, 1.0)
            paid = min(owed, state[i, c.ROOM + p] - spent[p])
            spent[p] += paid
            pot += paid
        else:
            line[k, 2] = 3 if raises else 2
            line[k, 3] = (action - bet) / max(pot + owed, 1.0)
            pot += action - spent[p]
            spent[p] = action
            bet = max(bet, action)
            raises += 1
    return int(count)


@tight_helper
def _preflop(rules: Ints, state: Ints, i: int, line: Floats, count: int, q: int) -> tuple[float, float, float]:
    """The share of hands a player opens, calls or raises with: the best part of it that is rarer, and its end."""
    g = state[i, c.GAME]
    players, raises, level, own, called = rules[g, c.PLAYERS], 0, 0, 0, False
    size = 1.0
    for k in range(count):
        if line[k, 0] > 0:
            break
        raised = line[k, 2] >= 2 and line[k, 2] < 4
        raises += raised
        if line[k, 1] == q:
            level, called = raises, line[k, 2] == 1
            if raised:
                own, size = raises, max(line[k, 3], 0.5)
    behind = players - 1 - (q - rules[g, c.FIRST] + players) % players
    alone = players == 2
    late = min(1.0, 0.16 + 0.30 / max(behind, 1)) if not alone else 0.75
    shrink = min(1.0, (1.5 / size) ** 0.6)
    if level == 0:
        return 0.0, (0.75 if called else 1.0), (0.08 if called else 0.0)
    if own == level:  # the last word was a raise of its own
        if level == 1:
            return 0.0, late * shrink, 0.0
        if level == 2:
            return 0.0, (0.16 if alone else 0.08) * shrink, 0.0
        return 0.0, (0.06 if alone else 0.035) * shrink, 0.0
    if level == 1:
        return 0.0, (0.6 if alone else 0.28 if behind == 0 else 0.2), 0.06
    if level == 2:
        return 0.0, (0.26 if alone else 0.11), 0.025
    return 0.0, (0.1 if alone else 0.05), 0.01


@tight_helper
def _logistic(x: float) -> float:
    return float(1.0 / (1.0 + np.exp(-x)))


@tight_helper
def _likely(what: float, ratio: float, strong: float, bluffs: float) -> float:
    """How likely a usual player is to do this with a hand so strong."""
    size = min(ratio, 2.5)
    if what == 2:
        return bluffs + (1.0 - bluffs) * _logistic((strong - 0.58 - 0.10 * size) / 0.07)
    if what == 3:
        return 0.4 * bluffs + (1.0 - 0.4 * bluffs) * _logistic((strong - 0.78 - 0.05 * size) / 0.05)
    if what == 1:
        stays = _logistic((strong - 0.40 - 0.18 * size) / 0.08)
        return 0.05 + 0.95 * stays * (1.0 - 0.4 * _logistic((strong - 0.93) / 0.02))
    return 1.0 - 0.45 * _logistic((strong - 0.78) / 0.07)


@tight_helper
def strengths(board: Any, known: int, facts: CardFacts, buckets: Ints, values: Ints, out: Floats) -> None:
    """How strong each holding is on a board: the share of holdings that are weaker, with draws counted in."""
    keys, suits, table = facts.judge
    key = bits = np.uint64(0)
    ranks = 0
    for k in range(known):
        key += keys[board[k]]
        bits |= suits[board[k]]
        ranks |= 1 << (board[k] >> 2)
    buckets[:] = 0
    total = 0
    for h in range(len(values)):
        a, b = facts.holes[h, 0], facts.holes[h, 1]
        if (suits[a] | suits[b]) & bits:
            values[h] = -1
            continue
        values[h] = np.int64(hand_value(key + keys[a] + keys[b], bits | suits[a] | suits[b], table)) >> 3
        buckets[values[h]] += 1
        total += 1
    below = 0
    for k in range(len(buckets)):
        here = buckets[k]
        buckets[k] = 2 * below + here
        below += here
    shift = 1.0 if known == 3 else 0.5
    before = facts.outs[ranks]
    for h in range(len(values)):
        if values[h] < 0:
            out[h] = 0.0
            continue
        strong = buckets[values[h]] / (2.0 * total)
        if known < 5:
            a, b = facts.holes[h, 0], facts.holes[h, 1]
            found = facts.outs[ranks | 1 << (a >> 2) | 1 << (b >> 2)] & ~before
            bonus = 0.0
            if found:
                bonus = _GUTSHOT if found & (found - 1) == 0 else _OPEN_ENDED
            same = 1 + ((a & 3) == (b & 3))
            for k in range(known):
                same += (board[k] & 3) == (b & 3)
            other = 1
            for k in range(known):
                other += (board[k] & 3) == (a & 3)
            if same == 4 or (other == 4 and (a & 3) != (b & 3)):
                bonus = max(bonus, _FLUSH_DRAW)
            strong += (1.0 - strong) * shift * bonus
        out[h] = strong


@tight_helper
def weigh_range(
    rules: Ints,
    state: Ints,
    i: int,
    line: Floats,
    count: int,
    q: int,
    dead: Any,
    profile: Floats,
    street: Floats,
    facts: CardFacts,
    likely: Floats,
    out: Floats,
) -> None:
    """Weights of all holdings for a player; `street` has the strengths of each street so far."""
    _, end, capped = _preflop(rules, state, i, line, count, q)
    end = min(1.0, end * profile[WIDTH])
    suits = facts.judge.suits
    soft = 0.06 * end + 0.004
    for h in range(len(out)):
        a, b = facts.holes[h, 0], facts.holes[h, 1]
        if (suits[a] | suits[b]) & dead:
            out[h] = 0.0
            continue
        place = facts.place[facts.classes[h]]
        weight = 1.0
        if end < 1.0:
            weight = 0.04 + 0.96 * _logistic((end - place) / soft)
        if place < capped:
            weight *= 0.45
        out[h] = weight
    for k in range(count):
        if line[k, 1] != q or line[k, 0] < 1 or line[k, 2] > 3:
            continue
        at = int(line[k, 0]) - 1
        for step in range(_STEPS):
            likely[step] = _likely(line[k, 2], line[k, 3], (step + 0.5) / _STEPS, profile[BLUFFS])
        for h in range(len(out)):
            if out[h] > 0.0:
                out[h] *= likely[min(int(street[at, h] * _STEPS), _STEPS - 1)]
