"""Whole matches between agents that ignore their cards, where each raise has one size: a walk over few situations.

Nothing but the betting matters to such agents, and in a limit game it has few situations that differ: 656 heads-up,
with the ends. The rules' own kernels say once what each action leads to; a hand is then a walk from number to number,
and the hands of a block take their steps together, so that the processor has no branch to guess. Cards, random
numbers, choices and results are those of hands played one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Ints
from mazzo.holdem import columns as c
from mazzo.holdem import kernels
from mazzo.holdem.agents.ignores_cards import IgnoresCards
from mazzo.holdem.kernels import judge, settle
from mazzo.holdem.rules import Rules
from mazzo.holdem.showdown import ShowdownTables, tables
from mazzo.holdem.table import Cards, deal_into, hand_key
from mazzo.jit import inlined, tight
from mazzo.rng import fork, stream

__all__ = ["BettingGraph", "betting_graph", "play_by_graph"]

_MOST_PLACES = 20_000
_HANDS_AT_ONCE = 256

# What an agent wants, in the order of its random number: the first two are one and the same chance of a fold, of those
# who fold for nothing too and of those who do not.
_WANTS = 4
# Where a step leads: (_WANTS * place) << ACTOR_BITS | who acts there; -1 - number of the end where the hand is over.
_STEP = np.int32


class BettingGraph(NamedTuple):
    """The situations of a game's betting, those with the same future joined."""

    begin: int
    """Where a hand begins, as a step leads there."""
    step: NDArray[np.int32]
    """By place and by what is wanted there, where that leads."""
    ends: Ints
    """The state rows of the ends, by number."""
    pays: Ints
    """Between two: what an end pays each, three rows an end: the second wins the showdown, they share, the first."""


class _Room(NamedTuple):
    """Room for a block of deals, used again for the next."""

    numbers: Ints
    cards: Cards
    rng_key: NDArray[np.uint64]
    """By hand: deal by deal, rotation by rotation."""
    turn: NDArray[np.uint8]
    """By hand where the wishes of its rotation begin."""
    place: NDArray[np.int32]
    going: NDArray[np.int32]
    strength: NDArray[np.int32]
    pots: Ints
    net: Ints


class _Wishes(NamedTuple):
    """By rotation and position: the random numbers (of 53 bits) from which on it wants the next."""

    fold: Ints
    call: Ints
    raise_: Ints


@lru_cache(maxsize=8)
def betting_graph(game: Rules) -> BettingGraph | None:
    """The graph of a game's betting; None where raises have sizes, or too many situations differ."""
    if not game.limit:
        return None
    row, first = game.row[None, :], np.zeros((1, c.STATE_WIDTH), np.int64)
    first[:, c.ROOM : c.ROOM + game.players] = game.stacks
    kernels.begin_rows(row, first, np.arange(1))
    numbers = {_future(first)[0]: 0}
    levels, steps = [first], []
    while len(places := levels[-1][levels[-1][:, c.ACTOR] >= 0]):
        children = _after(row, places)
        known = len(numbers)
        led = np.array([numbers.setdefault(future, len(numbers)) for future in _future(children)])
        _, new = np.unique(led, return_index=True)
        levels.append(children[new[led[new] >= known]])
        steps.append(led.reshape(-1, _WANTS))
        if len(numbers) > _MOST_PLACES:
            return None
    return _numbered(row, np.concatenate(levels), np.concatenate(steps)) if steps else None


def _future(state: Ints) -> list[bytes]:
    """What decides how hands can go on, by row: all but how many actions led here, and when rounds began."""
    rows = state.copy()
    rows[:, c.COUNT] = 0
    rows[:, c.ROUND_AT : c.ROUND_AT + c.MAX_ROUNDS] = 0
    return [row.tobytes() for row in rows]


def _after(row: Ints, places: Ints) -> Ints:
    """The states that follow: by place and by what is wanted there, side by side."""
    size = len(places)
    owed, low, high = kernels.legal_rows(row, places, np.arange(size))
    fold, call = np.full(size, c.FOLD), np.full(size, c.CALL)
    wanted = np.column_stack([fold, np.where(owed > 0, fold, call), call, np.where(high > 0, low, call)])
    state = np.repeat(places, _WANTS, axis=0)
    record = np.empty((len(state), int(state[:, c.COUNT].max()) + 1), np.int64)
    kernels.apply_rows(row, state, record, np.arange(len(state)), wanted.reshape(-1))
    return state


def _numbered(row: Ints, state: Ints, steps: Ints) -> BettingGraph:
    """Decisions and ends numbered each by itself, in the order in which they were found."""
    over = state[:, c.ACTOR] < 0
    place = (np.cumsum(~over) - 1) * _WANTS << c.ACTOR_BITS | state[:, c.ACTOR]
    lead: Ints = np.where(over, 0 - np.cumsum(over), place)
    ends = state[over]
    return BettingGraph(int(lead[0]), lead[steps].reshape(-1).astype(_STEP), ends, _pays(row, ends))


def _pays(row: Ints, ends: Ints) -> Ints:
    if row[0, c.PLAYERS] != 2:
        return np.empty((0, 2), np.int64)
    cases = np.array([[0, 1], [1, 1], [1, 0]], np.int32)
    rows = np.repeat(np.arange(len(ends)), len(cases))
    return kernels.settle_shown(row, ends, rows, np.tile(cases, (len(ends), 1)))


@lru_cache(maxsize=64)
def _wishes(mixtures: tuple[bytes, ...]) -> _Wishes:
    """The chances of the agents as numbers of 53 bits, of which `uniform` makes its fractions: exactly the same."""
    players = len(mixtures)
    fold, fold_or_call, free, _ = np.array([np.frombuffer(mixture) for mixture in mixtures]).T
    # Whoever folds for nothing too has the first kind of fold, whoever does not the second, and nobody both.
    chances = np.stack([np.where(free != 0, fold, 0.0), fold, fold_or_call])
    turned = np.zeros((3, players, 1 << c.ACTOR_BITS), np.int64)
    for rotation in range(players):
        turned[:, rotation, :players] = np.ceil(np.roll(chances, -rotation, axis=1) * 2.0**53)
    return _Wishes(*turned.reshape(3, -1))


@inlined
def _wanted(key: np.uint64, count: int, wishes: _Wishes, who: np.uint64) -> int:
    """What an agent wants at its `count`-th decision of a hand."""
    draw = np.int64(fork(key, count) >> np.uint64(11))
    return int(draw >= wishes.fold[who]) + int(draw >= wishes.call[who]) + int(draw >= wishes.raise_[who])


@tight
def _walk(begin: int, step: NDArray[np.int32], wishes: _Wishes, room: _Room, hands: int) -> None:
    """Walk every hand of a block to its end, an action of each in turns; whose hand is over is left out."""
    place, going, who_bits, width = room.place, room.going, np.uint64(c.ACTOR_MASK), np.uint64(c.ACTOR_BITS)
    for k in range(np.uint64(hands)):
        place[k] = begin
        going[k] = k
    count, left = 0, np.uint64(hands)
    while left > 0:
        still = np.uint64(0)
        for j in range(left):
            hand = np.uint64(going[j])
            at = np.uint64(place[hand])
            who = np.uint64(room.turn[hand]) + (at & who_bits)
            to = step[(at >> width) + np.uint64(_wanted(room.rng_key[hand], count, wishes, who))]
            place[hand] = to
            going[still] = hand
            still += np.uint64(to >= 0)
        left = still
        count += 1


@inlined
def _pay_two(pays: Ints, room: _Room, scale: float, out: NDArray[np.float64]) -> None:
    """Add up what two players won by deal."""
    for deal in range(len(out)):
        first, second = room.strength[deal, 0], room.strength[deal, 1]
        case = 1 + int(first > second) - int(first < second)
        one, other = 3 * (-1 - room.place[2 * deal]) + case, 3 * (-1 - room.place[2 * deal + 1]) + case
        for player in range(2):
            out[deal, player] += pays[one, player] * scale
            out[deal, player] += pays[other, 1 - player] * scale


@tight
def _play_deals(
    rules: Ints,
    graph: BettingGraph,
    wishes: _Wishes,
    first: int,
    keys: NDArray[np.uint64],
    decks: Cards,
    room: _Room,
    judges: ShowdownTables,
    scale: float,
    out: NDArray[np.float64],
) -> None:
    """Play numbered deals, each in all rotations: what each player won, added up by deal."""
    players = out.shape[1]
    for begin in range(0, len(out), len(room.numbers)):
        deals = min(len(room.numbers), len(out) - begin)
        for k in range(deals):
            room.numbers[k] = first + begin + k
        for k in range(deals * players):
            room.rng_key[k] = hand_key(keys[1], (first + begin) * players + k)
        deal_into(keys[0], room.numbers[:deals], decks[0], decks[1], room.cards)
        _walk(graph.begin, graph.step, wishes, room, deals * players)
        for deal in range(deals):
            judge(rules, 0, (1 << players) - 1, room.cards, deal, judges, room.strength, deal)
        if len(graph.pays):
            _pay_two(graph.pays, room, scale, out[begin : begin + deals])
            continue
        for k in range(deals * players):
            deal, player = k // players, k % players
            settle(rules, graph.ends, -1 - room.place[k], room.strength, deal, room.pots[0], room.pots[1], room.net)
            for position in range(players):
                out[begin + deal, player] += room.net[deal, position] * scale
                player = player + 1 if player + 1 < players else 0


def play_by_graph(
    game: Rules, graph: BettingGraph, agents: Sequence[IgnoresCards], deals: range, seed: int, scale: float
) -> NDArray[np.float64]:
    """What each agent won in some deals, each played in every rotation of the seats, times `scale`."""
    out = np.zeros((len(deals), game.players))
    keys, decks = np.array([stream(seed, "deal"), stream(seed, "luck")]), np.stack([game.deck_array] * 2)
    room, wishes = _room(game), _wishes(tuple(agent.mixture().tobytes() for agent in agents))
    _play_deals(game.row[None, :], graph, wishes, deals.start, keys, decks, room, tables(), scale, out)
    return out


def _room(game: Rules) -> _Room:
    players, deals = game.players, max(1, _HANDS_AT_ONCE // game.players)
    hands = deals * players
    return _Room(
        numbers=np.empty(deals, np.int64),
        cards=np.empty((deals, game.cards_dealt), np.uint8),
        rng_key=np.empty(hands, np.uint64),
        turn=np.tile(np.arange(players, dtype=np.uint8) << c.ACTOR_BITS, deals),
        place=np.empty(hands, np.int32),
        going=np.empty(hands, np.int32),
        strength=np.empty((deals, players), np.int32),
        pots=np.empty((2, c.MAX_PLAYERS), np.int64),
        net=np.empty((deals, players), np.int64),
    )
