"""The most that can be won against an opponent who ignores its cards, exactly, by backward induction.

Such an opponent's actions say nothing of its hand, so a showdown is worth pot x equity against a random hand, and all
that a betting round hands on to the next is the chips in. On the river the value of a hand is a function of its equity
(one of 1,981) and the chips; before it, the mean over the card to come of the value after it, put through the betting
of the street. Each of the 16,432 boards of four cards that differ is looked at once, with all its hands and rivers;
hands on the flop are then joined by what they have in common with each other but for the names of suits.

Values are what is won net in the whole hand, in big blinds. Chips are counted in big blinds too: 1 to 4 a player when
the flop comes, 1 to 8 at the turn, 1 to 16 at the river.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats
from mazzo.errors import UnreadableError
from mazzo.files import write_whole
from mazzo.folders import cache_directory
from mazzo.holdem import showdown
from mazzo.holdem.odds.build import holes, representatives
from mazzo.holdem.odds.isomorphism import HOLE, HOLE_AND_FLOP, index_row
from mazzo.holdem.showdown import ShowdownTables, hand_value
from mazzo.jit import helper, inlined, kernel

__all__ = ["BestResponse", "best_response", "turn_values"]


_FLOP_CHIPS, _TURN_CHIPS, _RIVER_CHIPS, _MOST_CHIPS = 4, 8, 16, 24
_DEALS = 1980
"""Equity on the river is counted in so many parts: two for each of the 990 hands the opponent can have."""
_CHUNKS = 128


@dataclass(frozen=True)
class BestResponse:
    """What the best strategy earns against an opponent, a hand on average, in big blinds."""

    value: float
    """The mean of both seats."""
    big_blind: float
    small_blind: float
    by_hole: list[list[float]]
    """Per seat (big blind, small blind) and kind of hole cards, in the order of `equity.isomorphism.HOLE`."""


@inlined
def _facing(chances: Floats, start: float, bet: float, cap: int, hero_first: bool, ends: Floats, at: int) -> float:
    """Value to the hero when the first bet or raise of a street has been made and `hero_first` says who answers it.

    `ends[at + k]` is what follows when the street ends after k bets. Answers are worked out from the last raise back.
    """
    fold, call = chances[0], chances[1]
    mine = theirs = 0.0  # value when the hero, or the opponent, answers the raise of number k
    for k in range(cap, 0, -1):
        before, called = start + (k - 1) * bet, ends[at + k]
        best = max(-before, called)
        mixed = fold * before + (1.0 - fold) * called
        if k < cap:
            best = max(best, theirs)
            mixed = fold * before + call * called + (1.0 - fold - call) * mine
        mine, theirs = best, mixed
    return mine if hero_first else theirs


@inlined
def _street(chances: Floats, start: float, bet: float, hero_first: bool, ends: Floats, at: int) -> Any:
    """Value to the hero of a street after the flop: both have `start` in, up to four bets may follow."""
    fold, call = chances[0], chances[1]
    free, checking = chances[2] * fold, fold * (1.0 - chances[2]) + call
    hero_bets = _facing(chances, start, bet, 4, False, ends, at)
    other_bets = _facing(chances, start, bet, 4, True, ends, at)
    raising = 1.0 - fold - call
    if hero_first:
        after_check = free * start + checking * ends[at] + raising * other_bets
        return max(after_check, hero_bets)
    after_check = max(ends[at], hero_bets)
    return free * start + checking * after_check + raising * other_bets


@kernel
def river_values(chances: Floats) -> Floats:
    """Value of every equity (in parts of 1,980) by seat and chips at the river's start."""
    out = np.empty((_DEALS + 1, 2 * _RIVER_CHIPS))
    ends = np.empty(5)
    for part in range(_DEALS + 1):
        edge = 2.0 * part / _DEALS - 1.0
        for seat in range(2):
            for chips in range(1, _RIVER_CHIPS + 1):
                for k in range(5):
                    ends[k] = edge * (chips + 2 * k)
                out[part, seat * _RIVER_CHIPS + chips - 1] = _street(chances, chips, 2.0, seat == 0, ends, 0)
    return out


@helper
def _add_river(
    board_key: Any,
    board_suits: Any,
    dead: Any,
    judge: ShowdownTables,
    pairs: Any,
    values: Any,
    order: Any,
    below: Any,
    equal: Any,
    total: Any,
    seen: Any,
) -> None:
    """Add the value after one river to every hand that is possible with it."""
    keys, suits, table = judge
    hands = 0
    for hole in range(len(pairs)):
        a, b = pairs[hole, 0], pairs[hole, 1]
        if ((dead >> np.uint64(a)) | (dead >> np.uint64(b))) & np.uint64(1):
            continue
        value = hand_value(board_key + keys[a] + keys[b], board_suits | suits[a] | suits[b], table)
        order[hands] = np.int64(value) << 11 | hole
        hands += 1
    order[:hands].sort()
    below[:] = 0
    beaten, begin = 0, 0
    while begin < hands:
        end = begin
        while end < hands and order[end] >> 11 == order[begin] >> 11:
            hole = order[end] & 2047
            equal[pairs[hole, 0]] += 1
            equal[pairs[hole, 1]] += 1
            end += 1
        for k in range(begin, end):
            hole = order[k] & 2047
            a, b = pairs[hole, 0], pairs[hole, 1]
            wins = beaten - below[a] - below[b]
            ties = end - begin - equal[a] - equal[b] + 1
            row = values[2 * wins + ties]
            for j in range(len(row)):
                total[hole, j] += row[j]
            seen[hole] += 1
        for k in range(begin, end):
            hole = order[k] & 2047
            for side in range(2):
                card = pairs[hole, side]
                below[card] += 1
                equal[card] = 0
        beaten += end - begin
        begin = end


@helper
def _turn_street(chances: Any, total: Any, seen: Any, out: Any) -> None:
    """From sums over rivers to the values of hands on the turn, by seat and chips."""
    ends = np.empty(2 * _RIVER_CHIPS)
    jumps = np.empty(5)
    for hole in range(len(total)):
        if seen[hole] == 0:
            continue
        for j in range(2 * _RIVER_CHIPS):
            ends[j] = total[hole, j] / seen[hole]
        for seat in range(2):
            for chips in range(1, _TURN_CHIPS + 1):
                for k in range(5):
                    jumps[k] = ends[seat * _RIVER_CHIPS + chips - 1 + 2 * k]
                out[hole, seat * _TURN_CHIPS + chips - 1] = _street(chances, chips, 2.0, seat == 0, jumps, 0)


@helper
def turn_values(board: Any, chances: Any, values: Any, pairs: Any, judge: ShowdownTables, out: Any) -> Any:
    """Values of all hands on a board of four cards (rows of `pairs`); gives which of them are possible."""
    keys, suits, _ = judge
    total, seen = np.zeros((len(pairs), 2 * _RIVER_CHIPS)), np.zeros(len(pairs), np.int64)
    order, below, equal = np.empty(len(pairs), np.int64), np.zeros(52, np.int64), np.zeros(52, np.int64)
    dead, board_key, board_suits = np.uint64(0), np.uint64(0), np.uint64(0)
    for k in range(4):
        dead |= np.uint64(1) << np.uint64(board[k])
        board_key += keys[board[k]]
        board_suits |= suits[board[k]]
    for river in range(52):
        if (dead >> np.uint64(river)) & np.uint64(1):
            continue
        _add_river(
            board_key + keys[river],
            board_suits | suits[river],
            dead | np.uint64(1) << np.uint64(river),
            judge,
            pairs,
            values,
            order,
            below,
            equal,
            total,
            seen,
        )
    _turn_street(chances, total, seen, out)
    return seen > 0


@kernel
def _look_at_boards(
    boards: Any,
    weights: Any,
    chances: Any,
    values: Any,
    pairs: Any,
    judge: ShowdownTables,
    index: Any,
    total: Any,
    count: Any,
) -> None:
    """Add the turn values of some boards to the hands on the flops they may have come from."""
    out = np.empty((len(pairs), 2 * _TURN_CHIPS))
    masks, cards = np.zeros((4, 2), np.int64), np.zeros(5, np.int64)
    for at in range(len(boards)):
        possible = turn_values(boards[at], chances, values, pairs, judge, out)
        for turn in range(4):
            place = 2
            for k in range(4):
                if k != turn:
                    cards[place] = boards[at, k]
                    place += 1
            for hole in range(len(pairs)):
                if possible[hole]:
                    cards[0], cards[1] = pairs[hole, 0], pairs[hole, 1]
                    number = index_row(cards, masks, *index)
                    count[number] += weights[at]
                    for j in range(2 * _TURN_CHIPS):
                        total[number, j] += weights[at] * out[hole, j]


@kernel
def _flop_street(chances: Any, total: Any, count: Any, out: Any) -> None:
    ends = np.empty(2 * _TURN_CHIPS)
    for number in range(len(total)):
        for j in range(2 * _TURN_CHIPS):
            ends[j] = total[number, j] / count[number]
        for seat in range(2):
            for chips in range(1, _FLOP_CHIPS + 1):
                at = seat * _TURN_CHIPS + chips - 1
                out[number, seat * _FLOP_CHIPS + chips - 1] = _street(chances, chips, 1.0, seat == 0, ends, at)


@kernel
def before_flop(chances: Any, ends: Any, seat: int) -> Any:
    """Value before the flop; `ends` by seat and chips. The small blind speaks first and owes half a blind."""
    fold, call = chances[0], chances[1]
    at = seat * _FLOP_CHIPS
    free, checking = chances[2] * fold, fold * (1.0 - chances[2]) + call
    raising = 1.0 - fold - call
    hero_raises = _facing(chances, 1.0, 1.0, 3, False, ends, at)
    other_raises = _facing(chances, 1.0, 1.0, 3, True, ends, at)
    if seat == 1:
        after_call = free * 1.0 + checking * ends[at] + raising * other_raises
        return max(-0.5, max(after_call, hero_raises))
    after_call = max(ends[at], hero_raises)
    return fold * 0.5 + call * after_call + raising * other_raises


def chances_of(opponent: Any) -> Floats:
    """Chance of a fold, of a call, and whether it folds for free, of an agent that offers its mixture."""
    fold, fold_or_call, free, _ = (float(k) for k in opponent.mixture())
    return np.array([fold, min(fold_or_call, 1.0) - fold, free])


def best_response(
    opponent: Any, *, progress: Callable[[float], None] = lambda amount: None, stored: bool = True
) -> BestResponse:
    """The best response to an agent that ignores its cards, at heads-up limit Hold'em with bets of 1 and 2 blinds.

    Args:
        opponent: `random`, `call`, `raise`, `fold` or another agent that is a mixture of the three.
        progress: told how much more of the work is done; the amounts add up to one, or to nothing if it was stored.
        stored: take and keep the result in the cache directory.
    """
    if opponent.kernel != "mixture":
        raise UnreadableError(
            f"the exact best response is known only against agents that ignore their cards, not {opponent.name!r}"
        )
    chances = chances_of(opponent)
    path = _path(chances)
    found = _stored(path) if stored else None
    if found is None:
        found = _work_out(chances, progress)
        if stored:
            with suppress(UnreadableError):
                _keep(path, found)
    return found


def _work_out(chances: Floats, progress: Callable[[float], None]) -> BestResponse:
    pairs, boards = holes(), representatives(4)
    values = river_values(chances)
    total = np.zeros((HOLE_AND_FLOP.size, 2 * _TURN_CHIPS))
    count = np.zeros(HOLE_AND_FLOP.size)
    constants = (chances, values, pairs, showdown.tables(), tuple(HOLE_AND_FLOP.tables), total, count)
    for some in np.array_split(np.arange(len(boards.boards)), _CHUNKS):
        _look_at_boards(boards.boards[some].astype(np.int64), boards.weights[some], *constants)
        progress(1 / _CHUNKS)
    on_flop = np.empty((HOLE_AND_FLOP.size, 2 * _FLOP_CHIPS))
    _flop_street(chances, total, count, on_flop)
    return _gather(chances, on_flop, pairs)


def _gather(chances: Floats, on_flop: Floats, pairs: NDArray[np.int64]) -> BestResponse:
    """Means over all flops, and the betting before them."""
    flops = representatives(3)
    kinds = HOLE.index(pairs)
    ends, weights = np.zeros((HOLE.size, 2 * _FLOP_CHIPS)), np.zeros(HOLE.size)
    for flop, weight in zip(flops.boards, flops.weights, strict=True):
        free = ~np.isin(pairs, flop).any(axis=1)
        hands = np.concatenate([pairs[free], np.broadcast_to(flop, (int(free.sum()), 3))], axis=1)
        np.add.at(ends, kinds[free], weight * on_flop[HOLE_AND_FLOP.index(hands)])
        np.add.at(weights, kinds[free], float(weight))
    ends /= weights[:, None]
    by_hole = [[float(before_flop(chances, row, seat)) for row in ends] for seat in range(2)]
    share = np.bincount(kinds, minlength=HOLE.size) / len(pairs)
    big, small = (float(share @ np.array(row)) for row in by_hole)
    return BestResponse((big + small) / 2, big, small, by_hole)


def _path(chances: Floats) -> Path:
    name = hashlib.blake2b(chances.tobytes(), digest_size=8).hexdigest()
    return cache_directory() / "tables" / f"best-response-1-{name}.json"


def _stored(path: Path) -> BestResponse | None:
    try:
        data = json.loads(path.read_text())
        found = BestResponse(data["value"], data["big_blind"], data["small_blind"], data["by_hole"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if [len(row) for row in found.by_hole] == [HOLE.size] * 2 else None


def _keep(path: Path, found: BestResponse) -> None:
    write_whole(path, json.dumps(found.__dict__))
