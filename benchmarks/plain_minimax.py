"""Minimax of an ending with open hands: every card in turn, no table, no bounds. The solver's reference and peer.

With `prune` it stops looking where the answer cannot matter any more (alpha-beta), which changes no value.
"""

from __future__ import annotations

import numpy as np

from mazzo.bits import lowest
from mazzo.jit import kernel
from mazzo.tressette.kernels import LAST_TRICK_THIRDS, Int, legal_cards, thirds_of


@kernel
def _play(
    hands: np.ndarray,
    turn: Int,
    place: Int,
    led: Int,
    best: Int,
    holder: Int,
    on_table: Int,
    got: Int,
    low: Int,
    high: Int,
    prune: bool,
) -> Int:
    """Thirds of seats 0 and 2 in the end, of which they have `got`; it only matters between `low` and `high`."""
    if hands[turn] == 0:
        return got
    legal = legal_cards(hands[turn], led)
    ours = turn & 1 == 0
    value = np.int64(-1 if ours else 1000)
    while legal and low < high:
        card = lowest(legal)
        bit = np.int64(1) << card
        legal ^= bit
        pile, suit = on_table + thirds_of(bit), card // 10 if place == 0 else led
        wins = place == 0 or (card // 10 == led and card > best)
        top, top_holder = (card, turn) if wins else (best, holder)
        hands[turn] ^= bit
        if place < 3:
            end = _play(hands, (turn + 1) & 3, place + 1, suit, top, top_holder, pile, got, low, high, prune)
        else:
            pile += LAST_TRICK_THIRDS if hands[0] | hands[1] | hands[2] | hands[3] == 0 else 0
            nothing = np.int64(0)
            ours_now = got + (pile if top_holder & 1 == 0 else nothing)
            end = _play(hands, top_holder, nothing, nothing - 1, nothing, nothing, nothing, ours_now, low, high, prune)
        hands[turn] ^= bit
        value = max(value, end) if ours else min(value, end)
        if prune:
            low, high = (max(low, value), high) if ours else (low, min(high, value))
    return value


def minimax(hands: np.ndarray, leader: int, prune: bool = False) -> int:
    """Thirds that the leader's side gets, everyone playing perfectly."""
    nothing = np.int64(0)
    start = (np.int64(leader), nothing, nothing - 1, nothing, nothing, nothing, nothing)
    ours = int(_play(hands.copy(), *start, np.int64(-1), np.int64(1000), prune))
    everything = int(thirds_of(int(np.bitwise_or.reduce(hands)))) + LAST_TRICK_THIRDS
    return ours if leader % 2 == 0 else everything - ours
