"""Whole tournaments of `utility` and `patient` in one kernel: dealt, played, settled, learned from, without leaving it.

It plays with the rules' own `begin`, `legal`, `apply` and `settle` and with the bot's own `choose` and `learn`; the
tests hold it, hand for hand, against the way that any agents are played.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.errors import MazzoError
from mazzo.holdem import columns as c
from mazzo.holdem.agents import utility_kernels as u
from mazzo.holdem.agents.starting import starting_values
from mazzo.holdem.kernels import apply, begin, legal, settle
from mazzo.holdem.showdown import ShowdownTables, hand_value, tables
from mazzo.holdem.table import deal_one, hand_key
from mazzo.holdem.tournament.book import close, end_by_chips, first_button, take_seats
from mazzo.holdem.tournament.format import NUMBER_BITS, TournamentFormat
from mazzo.jit import tight, tight_helper
from mazzo.rng import fork, stream

__all__ = ["PlayedTournaments", "Seated", "play_fast"]


_COLUMNS = c.MAX_PLAYERS - 1


class Seated(Protocol):
    """An agent that this kernel can play: all it is lies in rows of numbers."""

    settings_: Floats
    thresholds_: Floats
    record_: Ints
    known_: Ints

    @property
    def learns(self) -> bool:
        """Whether it is to take note of finished hands."""


class PlayedTournaments(NamedTuple):
    """What came of some tournaments, a row each."""

    places: NDArray[np.int8]
    """By seat, from 1."""
    hands: Ints
    limited: NDArray[np.bool_]
    """Where the hand limit ended it."""
    drift: NDArray[np.float32]
    """Thresholds of every seat after every tournament: [tournament, seat, (raise, fold)]; empty if nobody learns."""
    trace: Ints
    """Per hand, if wanted: tournament, hand, players, a fingerprint of the betting, then the result by position."""


@tight_helper
def reckon(history: Ints, count: int) -> int:
    """A fingerprint of the betting of a hand."""
    found = count
    for k in range(count):
        found = (found * 1000003) ^ history[0, k]
    return found


@tight_helper
def _judge(
    rules: Ints, state: Ints, cards: NDArray[np.uint8], players: int, judge: ShowdownTables, strength: Any
) -> None:
    """How good the remaining players' hands are at a showdown."""
    live = state[0, c.LIVE]
    board_key = board_suits = np.uint64(0)
    for k in range(2 * players, 2 * players + 5):
        board_key += judge.keys[cards[0, k]]
        board_suits |= judge.suits[cards[0, k]]
    for p in range(players):
        if live >> p & 1:
            a, b = cards[0, 2 * p], cards[0, 2 * p + 1]
            strength[0, p] = hand_value(
                board_key + judge.keys[a] + judge.keys[b], board_suits | judge.suits[a] | judge.suits[b], judge.table
            )


class _Seats(NamedTuple):
    """Those who play, a row each."""

    settings: Floats
    thresholds: Floats
    record: Ints
    known: Ints
    learning: NDArray[np.bool_]


class _Plan(NamedTuple):
    """What is played: the number of the first tournament, the format, the streams of random numbers."""

    first: int
    seats: int
    chips: int
    levels: int
    level_hands: int
    hand_limit: int
    rules: Ints
    deal_key: np.uint64
    rng_key: np.uint64
    lot_key: np.uint64


class _Knowledge(NamedTuple):
    """Tables that never change."""

    deck: NDArray[np.uint8]
    starting: Floats
    judge: ShowdownTables


class _Hand(NamedTuple):
    """Room for the hand that is being played."""

    state: Ints
    history: Ints
    pack: NDArray[np.uint8]
    cards: NDArray[np.uint8]
    seating: NDArray[np.int16]
    strength: NDArray[np.int32]
    amounts: Ints
    members: Ints
    net: Ints

    @classmethod
    def empty(cls, deck: NDArray[np.uint8], width: int) -> _Hand:
        """Room for a hand of so many actions at most."""
        amounts, members = np.empty((2, c.MAX_PLAYERS), np.int64)
        return cls(
            state=np.zeros((1, c.STATE_WIDTH), np.int64),
            history=np.empty((1, width), np.int64),
            pack=deck.copy(),
            cards=np.empty((1, 2 * c.MAX_PLAYERS + 5), np.uint8),
            seating=np.zeros((1, c.MAX_PLAYERS), np.int16),
            strength=np.empty((1, c.MAX_PLAYERS), np.int32),
            amounts=amounts,
            members=members,
            net=np.zeros((1, c.MAX_PLAYERS), np.int64),
        )


@tight_helper
def _play_hand(
    rules: Ints, hand: _Hand, players: int, rng_key: np.uint64, at: _Seats, starting: Floats, judge: ShowdownTables
) -> None:
    """Play a dealt hand from its first decision to its last."""
    state, history, cards, seating = hand.state, hand.history, hand.cards, hand.seating
    settings = at.settings
    deciding = u.Players(settings, at.thresholds, at.known)
    while state[0, c.ACTOR] >= 0:
        p, street = state[0, c.ACTOR] & c.ACTOR_MASK, state[0, c.ROUND]
        me = int(seating[0, p])
        owed, low, high = legal(rules, state, 0)
        a, b = cards[0, 2 * p], cards[0, 2 * p + 1]
        if street == 0:
            value = u.starting_value(a, b, int(settings[me, u.LIST]), starting)
        else:
            key, suits = judge.keys[a] + judge.keys[b], judge.suits[a] | judge.suits[b]
            for k in range(2 * players, 2 * players + 2 + street):
                key += judge.keys[cards[0, k]]
                suits |= judge.suits[cards[0, k]]
            value = u.made_value(key, suits, judge.table)
        coin = fork(rng_key, state[0, c.COUNT])
        if settings[me, u.PATIENT] > 0.0:
            action = u.wait(state, 0, value, owed, low, high, settings, me)
        else:
            may = (owed, low, high)
            action, _, _, _, _, _, _ = u.choose(rules, state, history, 0, value, may, deciding, me, seating, 0, coin)
        apply(rules, state, history, 0, action)


@tight_helper
def _note_hand(rules: Ints, hand: _Hand, players: int, at: _Seats, judge: ShowdownTables) -> None:
    """Let those who learn take note of a finished hand."""
    for p in range(players):
        me = int(hand.seating[0, p])
        if at.learning[me]:
            u.learn(hand.state, hand.history, 0, p, hand.net[0, p], at.record, at.thresholds, at.settings, me)
            if at.settings[me, u.WATCHES] > 0.0:
                u.watch(
                    rules,
                    hand.state,
                    hand.history,
                    0,
                    hand.seating,
                    0,
                    hand.cards,
                    me,
                    at.known,
                    judge.table,
                    judge.keys,
                    judge.suits,
                )


@tight_helper
def _note_trace(
    trace: Ints, row: int, number: int, hand: int, players: int, history: Ints, count: int, net: Ints
) -> None:
    trace[row, 0], trace[row, 1], trace[row, 2] = number, hand, players
    trace[row, 3] = reckon(history, count)
    for p in range(players):
        trace[row, 4 + p] = net[0, p]


@tight
def _play_all(
    plan: _Plan, tables: _Knowledge, at: _Seats, room: _Hand, stacks: Ints, button: Ints, played: PlayedTournaments
) -> bool:
    """Play tournaments one after the other; False if chips were ever made or lost."""
    rules, judge, lot_key = plan.rules, tables.judge, plan.lot_key
    state, history, seating, net = room.state, room.history, room.seating, room.net
    traced = 0
    for t in range(len(played.hands)):
        number, left, hand = plan.first + t, plan.seats, 0
        for seat in range(plan.seats):
            stacks[t, seat] = plan.chips
        button[t] = first_button(lot_key, number, plan.seats)
        while left > 1 and hand < plan.hand_limit:
            take_seats(stacks, button, t, plan.seats, seating, 0)
            g = min(hand // plan.level_hands, plan.levels - 1) * _COLUMNS + left - 2
            state[0, c.GAME] = g
            for p in range(left):
                state[0, c.ROOM + p] = stacks[t, seating[0, p]]
            begin(rules, state, 0)
            deal = number << NUMBER_BITS | hand
            deal_one(plan.deal_key, deal, tables.deck, room.pack, room.cards, 0, 2 * left + 5)
            _play_hand(rules, room, left, hand_key(plan.rng_key, deal), at, tables.starting, judge)
            live = state[0, c.LIVE]
            if live & (live - 1):
                _judge(rules, state, room.cards, left, judge, room.strength)
            settle(rules, state, 0, room.strength, 0, room.amounts, room.members, net)
            _note_hand(rules, room, left, at, judge)
            if traced < len(played.trace):
                _note_trace(played.trace, traced, number, hand, left, history, state[0, c.COUNT], net)
                traced += 1
            total = 0
            for p in range(left):
                total += net[0, p]
            if total != 0:
                return False
            left = close(stacks, button, played.places, t, plan.seats, seating, 0, left, net, lot_key, number)
            hand += 1
        if left > 1:
            end_by_chips(stacks, played.places, t, plan.seats, lot_key, number)
            played.limited[t] = True
        played.hands[t] = hand
        if len(played.drift):
            for seat in range(plan.seats):
                played.drift[t, seat, 0], played.drift[t, seat, 1] = at.thresholds[seat, 0], at.thresholds[seat, 1]
    return True


def _history_width(form: TournamentFormat) -> int:
    """Room for the longest hand: every raise is a big blind at least, and all may answer it."""
    smallest = min(big for _, big in form.levels)
    return form.players * (4 + -(-form.players * form.chips // smallest) + form.players) + 16


def play_fast(
    form: TournamentFormat, agents: Sequence[Seated], tournaments: range, seed: int, trace_hands: int = 0
) -> PlayedTournaments:
    """Play numbered tournaments between such agents. Those that learn go on from where they are, and keep it."""
    seats, count = form.players, len(tournaments)
    at = _Seats(
        settings=np.concatenate([agent.settings_ for agent in agents]),
        thresholds=np.concatenate([agent.thresholds_ for agent in agents]),
        record=np.concatenate([agent.record_ for agent in agents]),
        known=np.concatenate([agent.known_ for agent in agents]),
        learning=np.array([agent.learns for agent in agents]),
    )
    deck = form.game(2).deck_array
    played = PlayedTournaments(
        places=np.zeros((count, seats), np.int8),
        hands=np.zeros(count, np.int64),
        limited=np.zeros(count, np.bool_),
        drift=np.zeros((count if at.learning.any() else 0, seats, 2), np.float32),
        trace=np.zeros((trace_hands, 4 + c.MAX_PLAYERS), np.int64),
    )
    kept = _play_all(
        _Plan(
            tournaments.start,
            seats,
            form.chips,
            len(form.levels),
            form.level_hands,
            form.hand_limit,
            form.rules,
            *(stream(seed, word) for word in ("deal", "luck", "lot")),
        ),
        _Knowledge(deck, starting_values(), tables()),
        at,
        _Hand.empty(deck, _history_width(form)),
        np.zeros((count, seats), np.int64),
        np.zeros(count, np.int64),
        played,
    )
    if not kept:
        raise MazzoError("internal error: the chips of a hand do not add up; please report this bug")
    for seat, agent in enumerate(agents):
        if agent.learns:
            agent.thresholds_, agent.record_ = at.thresholds[seat : seat + 1], at.record[seat : seat + 1]
            agent.known_ = at.known[seat : seat + 1]
    return played
