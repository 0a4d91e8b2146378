"""The rules of Hold'em, once: kernels that start, advance and settle many hands in arrays.

Everything that plays - the `Hand` a person holds, the arena, the dealer, the readers of logs - goes through `begin`,
`legal`, `apply` and `settle`. The meaning of the columns is in `columns.py`.

Rules settled here:
- A short all-in (less than the last full raise) may be called, but does not let a player who has acted since that
  raise again, unless short all-ins together come to a full raise over what he has put in. In limit games half a raise
  is enough, if the rules say so; then one of less than half is no raise, and may be completed to a full one.
- A big blind that is all-in for less is owed whole, if the rules say so; but nobody owes what nobody could win.
- Betting ends when no one is left who could put in more or must answer: a lone player with chips facing only all-in
  opponents is not asked, unless he owes.
- Pots are layered by what the remaining players put in; adjacent pots that the same players win are divided as one.
  What does not divide goes to the first winner after the button.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.errors import IllegalError
from mazzo.holdem import columns as c
from mazzo.holdem.showdown import ShowdownTables, hand_value
from mazzo.jit import inlined, kernel, tight

__all__ = [
    "apply",
    "apply_rows",
    "begin",
    "begin_rows",
    "count_players",
    "first_illegal",
    "judge",
    "judge_rows",
    "kind_of",
    "layer",
    "legal",
    "legal_rows",
    "pots_of",
    "settle",
    "settle_into",
    "settle_rows",
    "settle_shown",
]


# A de Bruijn sequence of 16 bits and the places its windows stand for: finds the lowest bit of a mask without a branch.
_DE_BRUIJN = 0x09AF
_PLACES = sum(k << 4 * ((_DE_BRUIJN << k & 0xFFFF) >> 12) for k in range(16)) - (1 << 64)
_PLACE_BITS = 0xF


@inlined
def count_players(mask: int) -> int:
    """How many of the ten players a mask holds."""
    mask = mask - ((mask >> 1) & 0x155)
    mask = (mask & 0x333) + ((mask >> 2) & 0x333)
    return (mask + (mask >> 4) + (mask >> 8)) & 0xF


@inlined
def kind_of(action: int) -> int:
    """The kind of an action: 0 fold, 1 call or check, 2 bet or raise. `columns.kinds` is the same for arrays."""
    return min(action, c.NO_ACTION) - c.FOLD


@inlined
def _next_in(mask: int, start: int, players: int) -> int:
    """The first player of a non-empty mask at or after `start`, round the table."""
    ahead = (mask | mask << players) >> start
    window = ((ahead & -ahead) * _DE_BRUIJN & 0xFFFF) >> 12
    place = start + (_PLACES >> 4 * window & _PLACE_BITS)
    return place if place < players else place - players


@inlined
def _second_room(state: Ints, i: int, players: int) -> int:
    """The second largest ROOM among players who have not folded: no bet beyond it can be answered."""
    live = state[i, c.LIVE]
    most = second = 0
    for p in range(players):
        if live >> p & 1:
            room = state[i, c.ROOM + p]
            if room > most:
                most, second = room, most
            elif room > second:
                second = room
    return second


@inlined
def _turn_round(rules: Ints, state: Ints, i: int) -> None:
    """Open the next round. Where nobody can bet any more, run through to the end of the hand."""
    g = state[i, c.GAME] & c.GAME_MASK
    while state[i, c.ROUND] < rules[g, c.ROUNDS] - 1:
        street = (state[i, c.ROUND] + 1) & c.ROUND_MASK
        state[i, c.ROUND] = street
        state[i, c.ROUND_AT + street] = state[i, c.COUNT]
        state[i, c.BASE] = state[i, c.FULL] = state[i, c.BET]
        state[i, c.LAST_RAISE] = rules[g, c.HALF + street]
        state[i, c.RAISES] = 0
        state[i, c.ACTED] = 0
        if state[i, c.DEEP] > state[i, c.BET]:  # all who are not all-in have put in BET, and two of them have more
            pending = state[i, c.LIVE] & ~state[i, c.ALL_IN]
            state[i, c.PENDING] = pending
            state[i, c.ACTOR] = _next_in(pending, rules[g, c.FIRST + street], rules[g, c.PLAYERS])
            return
    state[i, c.PENDING] = 0
    state[i, c.ACTOR] = -1


@inlined
def begin(rules: Ints, state: Ints, i: int) -> None:
    """Post antes and blinds of row i and find the first to act. GAME is set; ROOM holds each player's chips."""
    g = state[i, c.GAME]
    players = rules[g, c.PLAYERS]
    pot, bet, all_in = 0, rules[g, c.OWED_WHOLE], 0
    for p in range(players):
        ante = min(rules[g, c.ANTE_DUE + p], state[i, c.ROOM + p])
        room = state[i, c.ROOM + p] - ante
        blind = min(rules[g, c.BLIND + p], room)
        state[i, c.ANTE + p], state[i, c.ROOM + p], state[i, c.SPENT + p] = ante, room, blind
        pot += ante + blind
        bet = max(bet, blind)
        all_in |= (room == blind) << p
    state[i, c.POT], state[i, c.BET], state[i, c.ALL_IN] = pot, bet, all_in
    state[i, c.LIVE] = (1 << players) - 1
    state[i, c.FULL], state[i, c.LAST_RAISE] = bet, rules[g, c.HALF]
    state[i, c.ROUND] = state[i, c.RAISES] = 0
    state[i, c.BASE] = state[i, c.ACTED] = state[i, c.COUNT] = 0
    state[i, c.ROUND_AT] = 0
    deep = _second_room(state, i, players)
    state[i, c.DEEP] = deep
    pending, count, owing = 0, 0, 0
    for p in range(players):
        spent = state[i, c.SPENT + p]
        if spent < state[i, c.ROOM + p] and spent < deep:
            pending |= 1 << p
            count += 1
            owing += spent < bet
    if count > 1 or owing:  # a lone player who owes nothing has nobody to bet against
        state[i, c.PENDING] = pending
        state[i, c.ACTOR] = _next_in(pending, rules[g, c.FIRST], players)
    else:
        _turn_round(rules, state, i)


@inlined
def legal(rules: Ints, state: Ints, i: int) -> tuple[int, int, int]:
    """What the player to act owes, and the least and most he may raise to (0, 0 where he may not raise)."""
    g, p = state[i, c.GAME] & c.GAME_MASK, state[i, c.ACTOR] & c.ACTOR_MASK
    bet, room, last = state[i, c.BET], state[i, c.ROOM + p], state[i, c.LAST_RAISE]
    spent, street, deep = state[i, c.SPENT + p], state[i, c.ROUND] & c.ROUND_MASK, state[i, c.DEEP]
    owed = bet - spent
    closed = (state[i, c.ACTED] >> p & 1) & (owed < last)
    # Written with & and without branches: what random players may do cannot be foretold by the processor either.
    may = (room > bet) & (deep > bet) & (closed == 0) & (state[i, c.RAISES] < rules[g, c.CAP + street])
    if rules[g, c.LIMIT]:
        low = min(room, state[i, c.FULL] + rules[g, c.RAISE_SIZE + street])
        high = low
    else:
        least = rules[g, c.MIN_BET] if rules[g, c.FIXED_MIN_RAISE] else max(last, rules[g, c.MIN_BET])
        low, high = min(room, bet + least), room
    low, high = low * may, high * may
    return min(bet, room, max(deep, spent)) - spent, low, high


@inlined
def apply(rules: Ints, state: Ints, history: Ints, i: int, action: int) -> None:
    """Carry out an action of the player to act; it must be legal, or a fold. Limit raises take their size by rule."""
    g, p = state[i, c.GAME] & c.GAME_MASK, state[i, c.ACTOR] & c.ACTOR_MASK
    me, players = 1 << p, rules[g, c.PLAYERS]
    spent, room, bet = state[i, c.SPENT + p], state[i, c.ROOM + p], state[i, c.BET]
    live = state[i, c.LIVE]
    pending = state[i, c.PENDING] & ~me
    if action == c.FOLD:
        live &= ~me
        state[i, c.LIVE] = live
        state[i, c.DEEP] = _second_room(state, i, players)
    else:
        # Calls and raises are one path without branches: between random players no branch could be foretold.
        raising, last, acted = action != c.CALL, state[i, c.LAST_RAISE], state[i, c.ACTED]
        street, level = state[i, c.ROUND] & c.ROUND_MASK, state[i, c.FULL]
        fixed, half = min(room, level + rules[g, c.RAISE_SIZE + street]), rules[g, c.HALF + street] != 0
        action = fixed if raising & (rules[g, c.LIMIT] != 0) else action
        all_in = state[i, c.ALL_IN]
        to = action if raising else min(bet, room, max(state[i, c.DEEP], spent))
        full = raising & (to - level >= last)
        counts = raising & (full | (not half))
        state[i, c.LAST_RAISE] = to - level if full & (not half) else last
        state[i, c.ACTED] = me if full else acted | me
        state[i, c.BET] = to if raising else bet
        state[i, c.FULL] = to if counts else level
        state[i, c.RAISES] += counts
        pending = live & ~all_in & ~me if raising else pending
        state[i, c.SPENT + p] = to
        state[i, c.POT] += to - spent
        state[i, c.ALL_IN] = all_in | (to == room) << p
    count = state[i, c.COUNT] & c.COUNT_MASK
    history[i, count] = action << c.ACTOR_BITS | p
    state[i, c.COUNT] = count + 1
    state[i, c.PENDING] = pending
    if live & (live - 1) == 0:
        state[i, c.ACTOR] = -1
        state[i, c.PENDING] = 0
    elif pending:
        state[i, c.ACTOR] = _next_in(pending, p, players)
    else:
        _turn_round(rules, state, i)


@inlined
def layer(rules: Ints, state: Ints, i: int, live: int, amounts: Ints, members: Ints) -> int:
    """Divide the chips among the players of a mask into pots, main pot first: amounts and who may win each (a mask).

    Gives the number of pots.
    """
    g = state[i, c.GAME]
    players = rules[g, c.PLAYERS]
    layered = rules[g, c.EQUAL_ANTES]  # unequal antes are not matched by anyone: they go to the main pot whole
    pots = 0
    floor, left = -1, state[i, c.POT]
    while True:
        level, top = -1, -1
        for p in range(players):
            if live >> p & 1:
                total = state[i, c.SPENT + p] + layered * state[i, c.ANTE + p]
                top = max(top, total)
                if total > floor and (level < 0 or total < level):
                    level = total
        above, eligible = 0, 0
        for p in range(players):
            total = state[i, c.SPENT + p] + layered * state[i, c.ANTE + p]
            above += max(0, total - level)
            if live >> p & 1 and total >= level:
                eligible |= 1 << p
        if level == top:
            above = 0  # the last pot takes all that is left, also what folded players put in beyond it
        if left > above:
            amounts[pots], members[pots] = left - above, eligible
            pots += 1
        if level == top:
            return pots
        left, floor = above, level


@inlined
def settle(
    rules: Ints, state: Ints, i: int, strength: NDArray[np.int32], at: int, amounts: Ints, members: Ints, net: Ints
) -> None:
    """Write each player's result of a finished hand to net[at].

    strength[at] ranks the hands shown, higher is better; amounts and members are room for the pots.
    """
    players, live = rules[state[i, c.GAME], c.PLAYERS], state[i, c.LIVE]
    for p in range(players):
        net[at, p] = -state[i, c.SPENT + p] - state[i, c.ANTE + p]
    if live & (live - 1) == 0:
        net[at, _next_in(live, 0, players)] += state[i, c.POT]
        return
    if not live & state[i, c.ALL_IN]:  # all put in the same: one pot
        _divide(state[i, c.POT], _best_of(live, players, strength, at), players, at, net)
        return
    winners = 0
    for k in range(layer(rules, state, i, live, amounts, members)):
        winners |= _best_of(members[k], players, strength, at)
    # Losers muck, so pots that the same players win become one before it is divided.
    for k in range(layer(rules, state, i, winners, amounts, members)):
        _divide(amounts[k], _best_of(members[k], players, strength, at), players, at, net)


@inlined
def _divide(amount: int, sharing: int, players: int, at: int, net: Ints) -> None:
    """Give a pot to those of a mask; what does not divide goes to the first of them."""
    first = _next_in(sharing, 0, players)
    if sharing & (sharing - 1) == 0:
        net[at, first] += amount
        return
    share = amount // count_players(sharing)
    for p in range(players):
        if sharing >> p & 1:
            net[at, p] += share
    net[at, first] += amount - share * count_players(sharing)


@inlined
def _best_of(members: int, players: int, strength: NDArray[np.int32], at: int) -> int:
    """Those of a mask with the best hand."""
    best, found = -1, 0
    for p in range(players):
        if members >> p & 1:
            if strength[at, p] > best:
                best, found = strength[at, p], 1 << p
            elif strength[at, p] == best:
                found |= 1 << p
    return found


@tight
def begin_rows(rules: Ints, state: Ints, rows: Ints) -> None:
    """`begin` for many rows."""
    for i in rows:
        begin(rules, state, i)


@tight
def _legal_rows(rules: Ints, state: Ints, rows: Ints, out: Ints) -> None:
    for k in range(len(rows)):
        out[0, k], out[1, k], out[2, k] = legal(rules, state, rows[k])


def legal_rows(rules: Ints, state: Ints, rows: Ints) -> Ints:
    """`legal` for many rows: a row of debts, one of the least and one of the most to raise to."""
    out = np.empty((3, len(rows)), np.int64)
    _legal_rows(rules, state, rows, out)
    return out


@tight
def first_illegal(legal_now: Ints, actions: Ints, limit: bool) -> int:
    """The first row whose action is not legal (a fold always counts as legal here), or -1."""
    for k in range(len(actions)):
        action = actions[k]
        if action >= c.RAISE:
            low, high = legal_now[1, k], legal_now[2, k]
            if high == 0 or (not limit and (action < low or action > high)):
                return k
        elif action != c.CALL and action != c.FOLD:
            return k
    return -1


@tight
def apply_rows(rules: Ints, state: Ints, history: Ints, rows: Ints, actions: Ints) -> None:
    """`apply` for many rows, one action each."""
    for k in range(len(rows)):
        apply(rules, state, history, rows[k], actions[k])


@inlined
def judge(
    rules: Ints,
    g: int,
    live: int,
    cards: NDArray[np.uint8],
    i: int,
    tables: ShowdownTables,
    out: NDArray[np.int32],
    at: int,
) -> None:
    """How good the hand of each player of a mask is with the whole board, in out[at]; the cards are in row i."""
    players, hole = rules[g, c.PLAYERS], rules[g, c.HOLE_CARDS]
    first = players * hole
    board_key = board_suits = np.uint64(0)
    for k in range(first, first + rules[g, c.BOARD_SEEN + rules[g, c.ROUNDS] - 1]):
        board_key += tables.keys[cards[i, k]]
        board_suits |= tables.suits[cards[i, k]]
    for p in range(players):
        if live >> p & 1:
            key, suits = board_key, board_suits
            for k in range(p * hole, (p + 1) * hole):
                key += tables.keys[cards[i, k]]
                suits |= tables.suits[cards[i, k]]
            out[at, p] = hand_value(key, suits, tables.table)


@tight
def judge_rows(
    rules: Ints, state: Ints, cards: NDArray[np.uint8], rows: Ints, tables: ShowdownTables, out: NDArray[np.int32]
) -> None:
    """How good the hand of each remaining player is, where there is a showdown."""
    for at in range(len(rows)):
        i = rows[at]
        live = state[i, c.LIVE]
        if live & (live - 1) != 0:
            judge(rules, state[i, c.GAME], live, cards, i, tables, out, at)


@tight
def settle_into(
    rules: Ints, state: Ints, rows: Ints, strength: NDArray[np.int32], amounts: Ints, members: Ints, net: Ints
) -> bool:
    """`settle` for many rows whose cards are judged; False if one is still being played."""
    for at in range(len(rows)):
        if state[rows[at], c.ACTOR] >= 0:
            return False
        settle(rules, state, rows[at], strength, at, amounts, members, net)
    return True


def settle_rows(rules: Ints, state: Ints, cards: NDArray[np.uint8], rows: Ints, tables: ShowdownTables) -> Ints:
    """`settle` for many finished rows, judging the cards where there is a showdown: results by position."""
    players = int(rules[:, c.PLAYERS].max())
    strength = np.empty((len(rows), players), np.int32)
    # First all the cards, then all the pots: the evaluator's look-ups overlap in a loop that does nothing else.
    judge_rows(rules, state, cards, rows, tables, strength)
    return settle_shown(rules, state, rows, strength)


def settle_shown(rules: Ints, state: Ints, rows: Ints, strength: NDArray[np.int32]) -> Ints:
    """`settle` for many finished rows, given how good the hand of each position is: results by position."""
    net = np.zeros((len(rows), strength.shape[1]), np.int64)
    amounts, members = np.empty((2, c.MAX_PLAYERS), np.int64)
    if not settle_into(rules, state, rows, strength, amounts, members, net):
        raise IllegalError("a hand that is still being played has no result")
    return net


@kernel
def pots_of(rules: Ints, state: Ints, i: int) -> Ints:
    """The pots of one hand: rows of amount and members."""
    pots = np.zeros((2, c.MAX_PLAYERS), np.int64)
    count = layer(rules, state, i, state[i, c.LIVE], pots[0], pots[1])
    return pots[:, :count].T
