"""The rules of Hold'em, once: kernels that start, advance and settle many hands in arrays.

Everything that plays - the `Hand` a person holds, the arena, the dealer, the readers of logs - goes through `begin`,
`legal`, `apply` and `settle`. The meaning of the columns is in `columns.py`.

Rules settled here:
- A short all-in (less than the last full raise) may be called, but does not let a player who has acted since that
  raise again, unless short all-ins together come to a full raise over what he has put in.
- Betting ends when no one is left who could put in more or must answer: a lone player with chips facing only all-in
  opponents is not asked, unless he owes.
- Pots are layered by what the remaining players put in; adjacent pots that the same players win are divided as one.
  What does not divide goes to the first winner after the button.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mazzo.holdem import columns as c
from mazzo.holdem.showdown import Tables, hand_value
from mazzo.jit import inlined, kernel

__all__ = [
    "apply",
    "apply_rows",
    "begin",
    "begin_rows",
    "first_illegal",
    "layer",
    "legal",
    "legal_rows",
    "pots_of",
    "settle",
    "settle_rows",
    "show",
]  # fmt: skip

Ints = NDArray[np.int64]


@inlined
def _bits(mask: int) -> int:
    """How many of the ten players a mask holds."""
    mask = mask - ((mask >> 1) & 0x155)
    mask = (mask & 0x333) + ((mask >> 2) & 0x333)
    return (mask + (mask >> 4) + (mask >> 8)) & 0xF


@inlined
def _next_in(mask: int, start: int, players: int) -> int:
    """The first player of a non-empty mask at or after `start`, round the table."""
    doubled = (mask | (mask << players)) >> start
    place = start
    while not doubled & 1:
        doubled >>= 1
        place += 1
    return place if place < players else place - players


@inlined
def _ask(rules: Ints, state: Ints, i: int) -> None:
    """Open the current round: find out who must act; if nobody, go on to the next round or end the hand."""
    g = state[i, c.GAME]
    players, last = rules[g, c.PLAYERS], rules[g, c.ROUNDS] - 1
    while True:
        live, bet = state[i, c.LIVE], state[i, c.BET]
        most = second = 0
        for p in range(players):
            if live >> p & 1:
                room = state[i, c.ROOM + p]
                if room > most:
                    most, second = room, most
                elif room > second:
                    second = room
        pending, count, owing = 0, 0, 0
        for p in range(players):
            spent = state[i, c.SPENT + p]
            if live >> p & 1 and spent < state[i, c.ROOM + p] and spent < second:
                pending |= 1 << p
                count += 1
                owing += spent < bet
        if count > 1 or owing:
            state[i, c.PENDING] = pending
            state[i, c.ACTOR] = _next_in(pending, rules[g, c.FIRST + state[i, c.ROUND]], players)
            return
        state[i, c.PENDING] = 0
        if state[i, c.ROUND] == last:
            state[i, c.ACTOR] = -1
            return
        _turn_round(state, i)


@inlined
def _turn_round(state: Ints, i: int) -> None:
    state[i, c.ROUND] += 1
    state[i, c.ROUND_AT + state[i, c.ROUND]] = state[i, c.COUNT]
    state[i, c.BASE] = state[i, c.BET]
    state[i, c.LAST_RAISE] = 0
    state[i, c.RAISES] = 0
    state[i, c.ACTED] = 0


@inlined
def begin(rules: Ints, state: Ints, i: int) -> None:
    """Post antes and blinds of row i and find the first to act. GAME is set; ROOM holds each player's chips."""
    g = state[i, c.GAME]
    players = rules[g, c.PLAYERS]
    pot = bet = 0
    for p in range(players):
        ante = min(rules[g, c.ANTE_DUE + p], state[i, c.ROOM + p])
        room = state[i, c.ROOM + p] - ante
        blind = min(rules[g, c.BLIND + p], room)
        state[i, c.ANTE + p], state[i, c.ROOM + p], state[i, c.SPENT + p] = ante, room, blind
        pot += ante + blind
        bet = max(bet, blind)
    state[i, c.POT], state[i, c.BET] = pot, bet
    state[i, c.LIVE] = (1 << players) - 1
    for column in (c.ROUND, c.LAST_RAISE, c.RAISES, c.BASE, c.ACTED, c.COUNT):
        state[i, column] = 0
    for r in range(c.MAX_ROUNDS):
        state[i, c.ROUND_AT + r] = 0
    _ask(rules, state, i)


@inlined
def legal(rules: Ints, state: Ints, i: int) -> tuple[int, int, int]:
    """What the player to act owes, and the least and most he may raise to (0, 0 where he may not raise)."""
    g, p = state[i, c.GAME], state[i, c.ACTOR]
    bet, room, last = state[i, c.BET], state[i, c.ROOM + p], state[i, c.LAST_RAISE]
    owed = bet - state[i, c.SPENT + p]
    low, high = 0, 0
    closed = state[i, c.ACTED] >> p & 1 and owed < last
    if room > bet and not closed and state[i, c.RAISES] < rules[g, c.CAP + state[i, c.ROUND]]:
        someone = False
        live = state[i, c.LIVE]
        for other in range(rules[g, c.PLAYERS]):
            if other != p and live >> other & 1 and state[i, c.ROOM + other] > bet:
                someone = True
                break
        if someone:
            if rules[g, c.LIMIT]:
                low = min(room, bet + rules[g, c.RAISE_SIZE + state[i, c.ROUND]])
                high = low
            else:
                least = rules[g, c.MIN_BET] if rules[g, c.FIXED_MIN_RAISE] else max(last, rules[g, c.MIN_BET])
                low, high = min(room, bet + least), room
    return min(owed, room - state[i, c.SPENT + p]), low, high


@inlined
def apply(rules: Ints, state: Ints, history: Ints, i: int, action: int) -> None:
    """Carry out an action of the player to act; it must be legal, or a fold. Limit raises take their size by rule."""
    g, p = state[i, c.GAME], state[i, c.ACTOR]
    me = 1 << p
    spent, room, bet = state[i, c.SPENT + p], state[i, c.ROOM + p], state[i, c.BET]
    pending = state[i, c.PENDING] & ~me
    if action == c.FOLD:
        state[i, c.LIVE] &= ~me
    elif action == c.CALL:
        to = min(bet, room)
        state[i, c.SPENT + p] = to
        state[i, c.POT] += to - spent
        state[i, c.ACTED] |= me
    else:
        if rules[g, c.LIMIT]:
            action = min(room, bet + rules[g, c.RAISE_SIZE + state[i, c.ROUND]])
        state[i, c.SPENT + p] = action
        state[i, c.POT] += action - spent
        raised = action - bet
        if raised >= state[i, c.LAST_RAISE]:
            state[i, c.ACTED] = me
            state[i, c.LAST_RAISE] = raised
        else:
            state[i, c.ACTED] |= me
        state[i, c.BET] = action
        state[i, c.RAISES] += 1
        pending = 0
        for other in range(rules[g, c.PLAYERS]):
            if state[i, c.SPENT + other] < state[i, c.ROOM + other]:
                pending |= 1 << other
        pending &= state[i, c.LIVE] & ~me
    history[i, state[i, c.COUNT]] = action << c.ACTOR_BITS | p
    state[i, c.COUNT] += 1
    state[i, c.PENDING] = pending
    live = state[i, c.LIVE]
    if live & (live - 1) == 0:
        state[i, c.ACTOR] = -1
        state[i, c.PENDING] = 0
    elif pending:
        state[i, c.ACTOR] = _next_in(pending, p, rules[g, c.PLAYERS])
    elif state[i, c.ROUND] == rules[g, c.ROUNDS] - 1:
        state[i, c.ACTOR] = -1
    else:
        _turn_round(state, i)
        _ask(rules, state, i)


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
def settle(rules: Ints, state: Ints, i: int, strength: Ints, amounts: Ints, members: Ints, net: Ints) -> None:
    """Write each player's result of a finished hand to net[i].

    strength[p] ranks the hands shown, higher is better; amounts and members are room for the pots.
    """
    players, live = rules[state[i, c.GAME], c.PLAYERS], state[i, c.LIVE]
    for p in range(players):
        net[i, p] = -state[i, c.SPENT + p] - state[i, c.ANTE + p]
    if live & (live - 1) == 0:
        net[i, _next_in(live, 0, players)] += state[i, c.POT]
        return
    winners = 0
    for k in range(layer(rules, state, i, live, amounts, members)):
        winners |= _best_of(members[k], players, strength)
    # Losers muck, so pots that the same players win become one before it is divided.
    for k in range(layer(rules, state, i, winners, amounts, members)):
        sharing = _best_of(members[k], players, strength)
        share = amounts[k] // _bits(sharing)
        for p in range(players):
            if sharing >> p & 1:
                net[i, p] += share
        net[i, _next_in(sharing, 0, players)] += amounts[k] - share * _bits(sharing)


@inlined
def _best_of(members: int, players: int, strength: Ints) -> int:
    """Those of a mask with the best hand."""
    best, found = -1, 0
    for p in range(players):
        if members >> p & 1:
            if strength[p] > best:
                best, found = strength[p], 1 << p
            elif strength[p] == best:
                found |= 1 << p
    return found


@kernel
def begin_rows(rules: Ints, state: Ints, rows: Ints) -> None:
    """`begin` for many rows."""
    for i in rows:
        begin(rules, state, i)


@kernel
def legal_rows(rules: Ints, state: Ints, rows: Ints) -> Ints:
    """`legal` for many rows: columns owed, least and most to raise to."""
    out = np.empty((len(rows), 3), np.int64)
    for k in range(len(rows)):
        out[k, 0], out[k, 1], out[k, 2] = legal(rules, state, rows[k])
    return out


@kernel
def first_illegal(legal_now: Ints, actions: Ints, limit: bool) -> int:
    """The first row whose action is not legal (a fold always counts as legal here), or -1."""
    for k in range(len(actions)):
        action = actions[k]
        if action >= c.RAISE:
            low, high = legal_now[k, 1], legal_now[k, 2]
            if high == 0 or (not limit and (action < low or action > high)):
                return k
        elif action < c.FOLD:
            return k
    return -1


@kernel
def apply_rows(rules: Ints, state: Ints, history: Ints, rows: Ints, actions: Ints) -> None:
    """`apply` for many rows, one action each."""
    for k in range(len(rows)):
        apply(rules, state, history, rows[k], actions[k])


@inlined
def show(rules: Ints, state: Ints, cards: NDArray[np.uint8], i: int, tables: Tables, strength: Ints) -> None:
    """Write to strength how good each remaining player's hand is with the whole board."""
    g = state[i, c.GAME]
    players, hole = rules[g, c.PLAYERS], rules[g, c.HOLE_CARDS]
    first = players * hole
    board_key = board_suits = np.uint64(0)
    for k in range(first, first + rules[g, c.BOARD_SEEN + rules[g, c.ROUNDS] - 1]):
        board_key += tables.keys[cards[i, k]]
        board_suits |= tables.suits[cards[i, k]]
    for p in range(players):
        if state[i, c.LIVE] >> p & 1:
            key, suits = board_key, board_suits
            for k in range(p * hole, (p + 1) * hole):
                key += tables.keys[cards[i, k]]
                suits |= tables.suits[cards[i, k]]
            strength[p] = hand_value(key, suits, tables.table)


@kernel
def settle_rows(rules: Ints, state: Ints, cards: NDArray[np.uint8], rows: Ints, tables: Tables, net: Ints) -> None:
    """`settle` for many finished rows, judging the cards where more than one player is left."""
    strength, amounts, members = np.zeros((3, c.MAX_PLAYERS), np.int64)
    for i in rows:
        if state[i, c.LIVE] & (state[i, c.LIVE] - 1):
            show(rules, state, cards, i, tables, strength)
        settle(rules, state, i, strength, amounts, members, net)


@kernel
def pots_of(rules: Ints, state: Ints, i: int) -> Ints:
    """The pots of one hand: rows of amount and members."""
    pots = np.zeros((2, c.MAX_PLAYERS), np.int64)
    count = layer(rules, state, i, state[i, c.LIVE], pots[0], pots[1])
    return pots[:, :count].T
