"""One hand against another, or against a range: every board to come is dealt.

Boards that differ only by a renaming of suits that changes neither the hand, the known board nor the range are dealt
once, with their weight.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.holdem.odds.isomorphism import SUIT_PERMUTATIONS
from mazzo.holdem.showdown import hand_value
from mazzo.jit import kernel, tight_helper

__all__ = ["count_versus", "next_choice"]


@tight_helper
def _orbit(cards: Any, first: int, last: int, renamings: Any) -> int:
    """How many sets of cards `cards[first:last]` stands for under these renamings of suits; 0 if another stands for it.

    The renamings form a group; the set with the smallest mask stands for all its images.
    """
    mine = np.uint64(0)
    for k in range(first, last):
        mine |= np.uint64(1) << np.uint64(cards[k])
    same = 0
    for at in range(len(renamings)):
        image = np.uint64(0)
        for k in range(first, last):
            image |= np.uint64(1) << np.uint64(renamings[at, cards[k]])
        if image < mine:
            return 0
        if image == mine:
            same += 1
    return len(renamings) // same


@tight_helper
def next_choice(places: Any, chosen: int, available: int) -> bool:
    """Step to the next increasing choice of places; False after the last."""
    at = chosen - 1
    while at >= 0 and places[at] == available - chosen + at:
        at -= 1
    if at < 0:
        return False
    places[at] += 1
    for k in range(at + 1, chosen):
        places[k] = places[k - 1] + 1
    return True


@tight_helper
def _versus_board(
    hole: Any, board: Any, weight: int, villains: Any, villain_weights: Any, keys: Any, suits: Any, table: Any, out: Any
) -> None:
    key, bits, dead = np.uint64(0), np.uint64(0), np.uint64(0)
    for k in range(5):
        key += keys[board[k]]
        bits |= suits[board[k]]
    dead = bits
    hero = hand_value(key + keys[hole[0]] + keys[hole[1]], bits | suits[hole[0]] | suits[hole[1]], table)
    won, tied, played = 0, 0, 0
    for at in range(len(villains)):
        a, b = villains[at, 0], villains[at, 1]
        theirs = suits[a] | suits[b]
        if dead & theirs:
            continue
        value = hand_value(key + keys[a] + keys[b], bits | theirs, table)
        played += villain_weights[at]
        if value < hero:
            won += villain_weights[at]
        elif value == hero:
            tied += villain_weights[at]
    out[0] += weight * won
    out[1] += weight * tied
    out[2] += weight * played


@kernel
def _count_versus(
    hole: Any,
    board: Any,
    known: int,
    villains: Any,
    villain_weights: Any,
    renamings: Any,
    gone: Any,
    out: Any,
    keys: Any,
    suits: Any,
    table: Any,
) -> None:
    full = np.empty(5, dtype=np.int64)
    live = np.empty(52, dtype=np.int64)
    dead = suits[hole[0]] | suits[hole[1]]
    for k in range(known):
        full[k] = board[k]
        dead |= suits[board[k]]
    for card in gone:
        dead |= suits[card]
    if len(villains) == 1:
        dead |= suits[villains[0, 0]] | suits[villains[0, 1]]
    available = 0
    for card in range(52):
        if not dead & suits[card]:
            live[available] = card
            available += 1
    to_come = 5 - known
    places = np.arange(to_come)
    more = True
    while more:
        for k in range(to_come):
            full[known + k] = live[places[k]]
        weight = _orbit(full, known, 5, renamings) if len(renamings) > 1 else 1
        if weight:
            _versus_board(hole, full, weight, villains, villain_weights, keys, suits, table, out)
        more = next_choice(places, to_come, available)


def count_versus(
    hole: NDArray[np.int64],
    board: NDArray[np.int64],
    villains: dict[tuple[int, int], int],
    evaluator: tuple[Any, ...],
    gone: NDArray[np.int64] | None = None,
) -> tuple[int, int, int]:
    """Weight won, tied and dealt over all boards, against hands (lower card first) with whole weights.

    Cards that are `gone` are in no hand and on no board.
    """
    gone = np.zeros(0, np.int64) if gone is None else gone
    hands = np.array(list(villains), dtype=np.int64).reshape(-1, 2)
    weights = np.array(list(villains.values()), dtype=np.int64)
    full = np.zeros(5, dtype=np.int64)
    full[: len(board)] = board
    out = np.zeros(3, dtype=np.int64)
    renamings = _harmless_renamings(hole, board, gone, villains)
    _count_versus(hole, full, len(board), hands, weights, renamings, gone, out, *evaluator)
    return int(out[0]), int(out[1]), int(out[2])


def _harmless_renamings(
    hole: NDArray[np.int64],
    board: NDArray[np.int64],
    gone: NDArray[np.int64],
    villains: dict[tuple[int, int], int],
) -> NDArray[np.uint8]:
    """The renamings of suits that leave a hand, a board and the opponents' weights as they are."""
    kept = []
    for cards in SUIT_PERMUTATIONS:
        if any(set(cards[some]) != set(some) for some in (hole, board, gone)):
            continue
        if _same_range(cards, villains):
            kept.append(cards)
    return np.array(kept, dtype=np.uint8)


def _same_range(cards: NDArray[np.uint8], villains: dict[tuple[int, int], int]) -> bool:
    image = cards.tolist()
    for (a, b), weight in villains.items():
        renamed = (min(image[a], image[b]), max(image[a], image[b]))
        if villains.get(renamed) != weight:
            return False
    return True
