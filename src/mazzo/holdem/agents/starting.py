"""The list of the 169 starting hands, best first, by which `utility` values its cards before the flop.

Aceituno 2017, image 12, with its two slips mended: place 47 is jack-ten offsuit and place 159 three-two offsuit, which
the text prints as suited a second time.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from mazzo.cards import FRENCH

__all__ = ["LISTS", "SHARES", "STARTING_HANDS", "starting_values"]

_LISTED = """
AA KK QQ AKs JJ AQs KQs AJs KJs TT AKo ATs QJs KTs QTs JTs 99 AQo A9s KQo 88 K9s T9s A8s Q9s J9s
AJo A5s 77 A7s KJo A4s A3s A6s QJo 66 K8s T8s A2s 98s J8s ATo Q8s K7s KTo 55 JTo 87s QTo 44 33 22
K6s 97s K5s 76s T7s K4s K3s K2s Q7s 86s 65s J7s 54s Q6s 75s 96s Q5s 64s Q4s Q3s T9o T6s Q2s A9o 53s 85s
J6s J9o K9o J5s Q9o 43s 74s J4s J3s 95s J2s 63s A8o 52s T5s 84s T4s T3s 42s T2s 98o T8o A5o A7o 73s A4o
32s 94s 93s J8o A3o 62s 92s K8o A6o 87o Q8o 83s A2o 82s 97o 72s 76o K7o 65o T7o K6o 86o 54o K5o J7o 75o
Q7o K4o K3o 96o K2o 64o Q6o 53o 85o T6o Q5o 43o Q4o Q3o 74o Q2o J6o 63o J5o 95o 52o J4o J3o 42o J2o 84o
T5o T4o 32o T3o 73o T2o 62o 94o 93o 92o 83o 82o 72o
"""
STARTING_HANDS = tuple(_LISTED.split())
"""Every starting hand once, best first."""

LISTS = ("corrected", "printed")
"""Values in even steps from 1 to 0; and as the text prints them, 1/168 lower at places 2 to 168."""

SHARES = 2
"""Where in `starting_values` the shares of deals are."""


def _place(hand: str) -> tuple[int, int]:
    """Where a hand stands in a square of ranks: suited hands and pairs below the diagonal, offsuit hands above."""
    high, low = (FRENCH.parse(rank + "c")[0].rank for rank in hand[:2])
    return (low, high) if hand.endswith("o") else (high, low)


@cache
def starting_values() -> NDArray[np.float64]:
    """V before the flop by (list, rank, rank): [high, low] for suited hands and pairs, [low, high] for offsuit ones.

    After the two lists follows what share of all deals is at least as high in them.
    """
    out, dealt = np.zeros((3, 13, 13)), 0
    for place, hand in enumerate(STARTING_HANDS):
        dealt += 6 if len(hand) == 2 else 4 if hand.endswith("s") else 12
        out[(SHARES, *_place(hand))] = dealt / 1326
        value = 1 - place / 168
        out[(0, *_place(hand))] = value
        out[(1, *_place(hand))] = value - (1 / 168 if 1 <= place <= 167 else 0)
    return out
