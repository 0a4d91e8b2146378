"""How the dealer ends, for every upcard at once and for many shoes at once.

The dealer's choices are fixed, so his final hands are a fixed list of multisets; what depends on the shoe is only the
chance of one order of such a multiset, the same for all its orders. One walk over the sorted multisets therefore
serves all ten upcards: each final multiset is weighed by how many of its orders begin with that upcard and stop exactly
there. Shoes are taken in blocks, so that each step of the walk is one short vector operation.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from mazzo.blackjack.multisets import Floats, Ints, hand_total
from mazzo.jit import kernel, tight_helper

__all__ = ["BLACKJACK_OUTCOME", "OUTCOMES", "DealerWalk", "dealer_walk", "final_chances"]

OUTCOMES = 6
"""17, 18, 19, 20, 21 and blackjack; the rest of the probability is the bust."""
BLACKJACK_OUTCOME = 5
_BLOCK = 32


class DealerWalk(NamedTuple):
    """The dealer's final multisets as a walk in depth-first order, and how each counts for each upcard."""

    depth: Ints
    rank: Ints
    copy: Ints
    """How many cards of this rank the walk has taken before this step."""
    first_entry: Ints
    column: Ints
    """upcard * OUTCOMES + outcome of each entry."""
    orders: Floats


def _final_multisets(hit_soft_17: bool) -> dict[tuple[int, ...], Ints]:
    """Each multiset on which the dealer may stop without a bust, with its number of orders per first card."""
    drawing: dict[tuple[int, ...], Ints] = {}
    final: dict[tuple[int, ...], Ints] = {}
    for upcard in range(10):
        drawing[(upcard,)] = np.eye(10, dtype=np.int64)[upcard]
    while drawing:
        longer: dict[tuple[int, ...], Ints] = {}
        for cards, orders in drawing.items():
            for rank in range(10):
                more = tuple(sorted((*cards, rank), reverse=True))
                total, soft = hand_total(more)
                if total > 21:
                    continue
                stops = total >= 17 and not (hit_soft_17 and soft and total == 17)
                into = final if stops else longer
                into[more] = into.get(more, np.zeros(10, np.int64)) + orders
        drawing = longer
    return final


@cache
def dealer_walk(hit_soft_17: bool) -> DealerWalk:
    """The walk over the dealer's final hands under S17 or H17."""
    final = _final_multisets(hit_soft_17)
    nodes = sorted({cards[:k] for cards in final for k in range(1, len(cards) + 1)})
    first_entry, column, orders = [0], [], []
    for cards in nodes:
        if cards in final:
            total, _ = hand_total(cards)
            outcome = BLACKJACK_OUTCOME if total == 21 and len(cards) == 2 else total - 17
            for upcard in np.flatnonzero(final[cards]):
                column.append(int(upcard) * OUTCOMES + outcome)
                orders.append(float(final[cards][upcard]))
        first_entry.append(len(column))
    return DealerWalk(
        np.array([len(cards) for cards in nodes]),
        np.array([cards[-1] for cards in nodes]),
        np.array([cards[:-1].count(cards[-1]) for cards in nodes]),
        np.array(first_entry),
        np.array(column),
        np.array(orders),
    )


@tight_helper
def _block_tables(shoe: Ints, removed: Ints, rows: Ints, copies: Floats, inverse: Floats) -> None:
    """Cards left of each rank after i copies, and 1 / cards left at each depth, for one block of shoes."""
    for lane in range(rows.shape[0]):
        cards = 0
        for rank in range(10):
            left = shoe[rank] - removed[rows[lane], rank]
            cards += left
            for i in range(copies.shape[1]):
                copies[rank, i, lane] = max(left - i, 0)
        for depth in range(inverse.shape[0]):
            inverse[depth, lane] = 1.0 / (cards - depth) if cards > depth else 0.0


@kernel
def final_chances(shoe: Ints, removed: Ints, rows: Ints, walk: DealerWalk, result: Floats) -> None:
    """Write P(outcome | upcard) for the shoe less `removed[row]`, for each of `rows`, into `result[row]`.

    `result` has a row of 10 * OUTCOMES a shoe. An upcard that is not in the shoe gets zeros.
    """
    block = _BLOCK
    copies = np.empty((10, 22, block))
    inverse = np.ones((24, block))
    path = np.ones((24, block))
    sums = np.empty((result.shape[1], block))
    copies[:] = 0.0
    for start in range(0, rows.shape[0], block):
        here = rows[start : start + block]
        _block_tables(shoe, removed, here, copies, inverse)
        sums[:] = 0.0
        for node in range(walk.depth.shape[0]):
            d = walk.depth[node]
            above, mine = path[d - 1], path[d]
            left, share = copies[walk.rank[node], walk.copy[node]], inverse[d - 1]
            for lane in range(block):
                mine[lane] = above[lane] * left[lane] * share[lane]
            for entry in range(walk.first_entry[node], walk.first_entry[node + 1]):
                into, weight = sums[walk.column[entry]], walk.orders[entry]
                for lane in range(block):
                    into[lane] += weight * mine[lane]
        for lane in range(here.shape[0]):
            for up in range(10):
                chance = copies[up, 0, lane] * inverse[0, lane]
                scale = 1.0 / chance if chance > 0.0 else 0.0
                for k in range(up * OUTCOMES, (up + 1) * OUTCOMES):
                    result[here[lane], k] = sums[k, lane] * scale
