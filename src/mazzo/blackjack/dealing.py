"""How cards come where rounds are played by the million: from fresh shoes, an infinite one, or shoes played through.

Cards are drawn from the shoe without replacement by picking a place and looking whether it is still full, so that a
fresh shoe costs nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mazzo.arrays import Bytes, Ints
from mazzo.blackjack.rules import INFINITE, Rules
from mazzo.blackjack.shoe import Shoe
from mazzo.errors import UnreadableError
from mazzo.jit import inlined
from mazzo.rng import below, mix

__all__ = [
    "FRESH",
    "INFINITE_SHOE",
    "INSURING",
    "THROUGH",
    "Cards",
    "Dealing",
    "cards_of",
    "cut_of",
    "dealing_of",
    "draw",
    "new_shoe",
    "open_shoe",
]

INSURING = ("never", "always", "counted")
"""When insurance and even money are taken; `counted`: when they pay, by the cards left."""

FRESH, INFINITE_SHOE, THROUGH = range(3)
"""Where cards come from: a fresh shoe every round, an infinite one, or shoes played to the cut card."""
_TRIES = 4096
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Dealing(NamedTuple):
    """How cards come and side bets are answered: what a simulation needs beside the rules."""

    mode: int
    """Fresh shoes, an infinite one, or shoes played through."""
    insuring: int
    cut: float
    cut_sigma: float
    tens: int
    """Tens in the full shoe."""
    aces: int


def cards_of(shoe: Shoe) -> Bytes:
    """The rank of every card of a shoe."""
    return np.repeat(np.arange(10, dtype=np.uint8), shoe.counts)


def dealing_of(rules: Rules, ranks: Bytes, through: bool, insuring: str) -> Dealing:
    """How a shoe of these cards is dealt."""
    if insuring not in INSURING:
        raise UnreadableError(f"insurance is taken {', '.join(INSURING)}, not {insuring!r}")
    mode = THROUGH if through else INFINITE_SHOE if rules.decks == INFINITE else FRESH
    tens, aces = int((ranks == 9).sum()), int((ranks == 0).sum())
    cut = rules.penetration * len(ranks)
    return Dealing(mode, INSURING.index(insuring), cut, rules.cut_sigma, tens, aces)


@inlined
def normal(rng_key: np.uint64) -> float:
    """A normal number (Box-Muller) from one random number."""
    u = (np.float64(rng_key >> np.uint64(40)) + 1.0) / 16777217.0
    v = np.float64(rng_key & np.uint64(0xFFFFFFFF)) / 4294967296.0
    return np.sqrt(-2.0 * np.log(u)) * np.cos(2.0 * np.pi * v)  # type: ignore[no-any-return]


@inlined
def draw(ranks: Bytes, used: Ints, shoe: int, counter: np.uint64, mode: int) -> tuple[int, np.uint64]:
    """One card that was not used in this shoe, and the moved counter.

    From a fresh shoe a place is picked until one is still full: `used` holds the last shoe that dealt each card. A shoe
    played through is shuffled as it is dealt (Fisher and Yates): `used` then begins with the number of cards dealt.
    """
    card = 0
    if mode == THROUGH:
        at = used[0] if used[0] < ranks.shape[0] else 0
        counter += _GOLDEN
        place = at + int(below(mix(counter), ranks.shape[0] - at))
        card = int(ranks[place])
        ranks[place] = ranks[at]
        ranks[at] = card
        used[0] = at + 1
    else:
        place = 0
        for _ in range(_TRIES):
            counter += _GOLDEN
            place = int(below(mix(counter), ranks.shape[0]))
            if mode == INFINITE_SHOE or used[place] != shoe:
                break
        used[place] = shoe
        card = int(ranks[place])
    return card, counter


@inlined
def new_shoe(ranks: Bytes, deck: Bytes, used: Ints) -> None:
    """Put a shoe that is played through in order again, so that it depends on its own number alone."""
    for k in range(ranks.shape[0]):
        deck[k] = ranks[k]
    used[0] = 0


@inlined
def cut_of(dealing: Dealing, cards: int, counter: np.uint64) -> float:
    """Where the cut card of a shoe of so many cards lies. Fresh shoes serve one round: theirs is at the start."""
    if dealing.mode != THROUGH:
        return 0.0
    return min(dealing.cut + dealing.cut_sigma * normal(mix(counter ^ _GOLDEN)), cards - 20.0)


@inlined
def open_shoe(ranks: Bytes, deck: Bytes, used: Ints, dealing: Dealing, counter: np.uint64) -> float:
    """Make a shoe ready; where its cut card lies."""
    if dealing.mode == THROUGH:
        new_shoe(ranks, deck, used)
    return cut_of(dealing, ranks.shape[0], counter)


class Cards(NamedTuple):
    """Where a round's cards come from."""

    ranks: Bytes
    """The rank of every card of the shoe; shuffled as it is dealt where shoes are played through."""
    used: Ints
    """What was dealt: see `draw`."""
    shoe: int
    """The number of the shoe."""
    mode: int
