"""Whole tournaments of `utility` and `patient` in one kernel: dealt, played, settled, learned from, without leaving it.

It plays with the rules' own `begin`, `legal`, `apply` and `settle` and with the bot's own `choose` and `learn`; the
tests hold it, hand for hand, against the way that any agents are played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mazzo.errors import MazzoError
from mazzo.holdem import columns as c
from mazzo.holdem.agents import utility_kernels as u
from mazzo.holdem.agents.starting import starting_values
from mazzo.holdem.kernels import apply, begin, legal, settle
from mazzo.holdem.showdown import Tables, hand_value, tables
from mazzo.holdem.table import deal_one, lucky_one
from mazzo.holdem.tournament.book import close, end_by_chips, first_button, take_seats
from mazzo.holdem.tournament.format import NUMBER_BITS, Format
from mazzo.jit import tight
from mazzo.luck import fork, stream

__all__ = ["Played", "Seated", "play_fast"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

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


@dataclass
class Played:
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


@tight
def reckon(history: Ints, count: int) -> int:
    """A fingerprint of the betting of a hand."""
    found = count
    for k in range(count):
        found = (found * 1000003) ^ history[0, k]
    return found


@tight
def _judge(rules: Ints, state: Ints, cards: NDArray[np.uint8], players: int, judge: Tables, strength: Any) -> None:
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


@tight
def _play_hand(
    rules: Ints, state: Ints, history: Ints, cards: NDArray[np.uint8], seating: NDArray[np.int16], players: int,
    luck: np.uint64, settings: Floats, thresholds: Floats, known: Ints, starting: Floats, judge: Tables,
) -> None:  # fmt: skip
    """Play a dealt hand from its first decision to its last."""
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
        coin = fork(luck, state[0, c.COUNT])
        if settings[me, u.PATIENT] > 0.0:
            action = u.wait(state, 0, value, owed, low, high, settings, me)
        else:
            action, _, _, _, _, _, _ = u.choose(
                rules, state, history, 0, value, owed, low, high, settings, thresholds, me, seating, 0, known, coin
            )
        apply(rules, state, history, 0, action)


@tight
def _note_hand(
    rules: Ints, state: Ints, history: Ints, cards: NDArray[np.uint8], seating: NDArray[np.int16], players: int,
    net: Ints, settings: Floats, thresholds: Floats, record: Ints, known: Ints, learning: NDArray[np.bool_],
    judge: Tables,
) -> None:  # fmt: skip
    """Let those who learn take note of a finished hand."""
    for p in range(players):
        me = int(seating[0, p])
        if learning[me]:
            u.learn(state, history, 0, p, net[0, p], record, thresholds, settings, me)
            if settings[me, u.WATCHES] > 0.0:
                u.watch(rules, state, history, 0, seating, 0, cards, me, known, judge.table, judge.keys, judge.suits)


@tight
def _play_all(
    first: int, seats: int, chips: int, levels: int, level_hands: int, hand_limit: int, rules: Ints,
    deal_key: np.uint64, luck_key: np.uint64, lot_key: np.uint64, deck: NDArray[np.uint8], pack: NDArray[np.uint8],
    starting: Floats, judge: Tables, settings: Floats, thresholds: Floats, record: Ints, known: Ints,
    learning: NDArray[np.bool_], state: Ints, history: Ints, cards: NDArray[np.uint8], seating: NDArray[np.int16],
    strength: NDArray[np.int32], amounts: Ints, members: Ints, net: Ints, stacks: Ints, button: Ints,
    places: NDArray[np.int8], hands: Ints, limited: NDArray[np.bool_], drift: NDArray[np.float32], trace: Ints,
) -> bool:  # fmt: skip
    """Play tournaments one after the other; False if chips were ever made or lost."""
    traced = 0
    for t in range(len(hands)):
        number, left, hand = first + t, seats, 0
        for seat in range(seats):
            stacks[t, seat] = chips
        button[t] = first_button(lot_key, number, seats)
        while left > 1 and hand < hand_limit:
            take_seats(stacks, button, t, seats, seating, 0)
            g = min(hand // level_hands, levels - 1) * _COLUMNS + left - 2
            state[0, c.GAME] = g
            for p in range(left):
                state[0, c.ROOM + p] = stacks[t, seating[0, p]]
            begin(rules, state, 0)
            deal = number << NUMBER_BITS | hand
            deal_one(deal_key, deal, deck, pack, cards, 0, 2 * left + 5)
            luck = lucky_one(luck_key, deal)
            _play_hand(rules, state, history, cards, seating, left, luck, settings, thresholds, known, starting, judge)
            live = state[0, c.LIVE]
            if live & (live - 1):
                _judge(rules, state, cards, left, judge, strength)
            settle(rules, state, 0, strength, 0, amounts, members, net)
            _note_hand(
                rules, state, history, cards, seating, left, net, settings, thresholds, record, known, learning, judge
            )
            if traced < len(trace):
                trace[traced, 0], trace[traced, 1], trace[traced, 2] = number, hand, left
                trace[traced, 3] = reckon(history, state[0, c.COUNT])
                for p in range(left):
                    trace[traced, 4 + p] = net[0, p]
                traced += 1
            total = 0
            for p in range(left):
                total += net[0, p]
            if total != 0:
                return False
            left = close(stacks, button, places, t, seats, seating, 0, left, net, lot_key, number)
            hand += 1
        if left > 1:
            end_by_chips(stacks, places, t, seats, lot_key, number)
            limited[t] = True
        hands[t] = hand
        if len(drift):
            for seat in range(seats):
                drift[t, seat, 0], drift[t, seat, 1] = thresholds[seat, 0], thresholds[seat, 1]
    return True


def _history_width(form: Format) -> int:
    """Room for the longest hand: every raise is a big blind at least, and all may answer it."""
    smallest = min(big for _, big in form.levels)
    return form.players * (4 + -(-form.players * form.chips // smallest) + form.players) + 16


def play_fast(form: Format, agents: Sequence[Seated], tournaments: range, seed: int, trace_hands: int = 0) -> Played:
    """Play numbered tournaments between such agents. Those that learn go on from where they are, and keep it."""
    seats, count = form.players, len(tournaments)
    learning = np.array([agent.learns for agent in agents])
    settings = np.concatenate([agent.settings_ for agent in agents])
    thresholds = np.concatenate([agent.thresholds_ for agent in agents])
    record = np.concatenate([agent.record_ for agent in agents])
    known = np.concatenate([agent.known_ for agent in agents])
    deck = form.game(2).deck_array
    played = Played(
        places=np.zeros((count, seats), np.int8),
        hands=np.zeros(count, np.int64),
        limited=np.zeros(count, np.bool_),
        drift=np.zeros((count if learning.any() else 0, seats, 2), np.float32),
        trace=np.zeros((trace_hands, 4 + c.MAX_PLAYERS), np.int64),
    )
    amounts, members = np.empty((2, c.MAX_PLAYERS), np.int64)
    kept = _play_all(
        tournaments.start, seats, form.chips, len(form.levels), form.level_hands, form.hand_limit, form.rules,
        stream(seed, "deal"), stream(seed, "luck"), stream(seed, "lot"), deck, deck.copy(), starting_values(),
        tables(), settings, thresholds, record, known, learning, np.zeros((1, c.STATE_WIDTH), np.int64),
        np.empty((1, _history_width(form)), np.int64), np.empty((1, 2 * c.MAX_PLAYERS + 5), np.uint8),
        np.zeros((1, c.MAX_PLAYERS), np.int16), np.empty((1, c.MAX_PLAYERS), np.int32), amounts, members,
        np.zeros((1, c.MAX_PLAYERS), np.int64), np.zeros((count, seats), np.int64), np.zeros(count, np.int64),
        played.places, played.hands, played.limited, played.drift, played.trace,
    )  # fmt: skip
    if not kept:
        raise MazzoError("chips were made or lost in a hand: this is a fault of Mazzo, please report it")
    for seat, agent in enumerate(agents):
        if agent.learns:
            agent.thresholds_, agent.record_ = thresholds[seat : seat + 1], record[seat : seat + 1]
            agent.known_ = known[seat : seat + 1]
    return played
