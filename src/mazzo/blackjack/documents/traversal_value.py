"""E_pos and E_neg after exactly K cards, by visiting compositions instead of drawing them.

Ranks are the thirteen of a deck; ten, jack, queen and king are one for the value. Every composition visited gets its
fast value; where there are few, all get the exact one, otherwise a sample of them (by their probability) tells how far
the fast values are off. A sum cut short is divided by the probability visited.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from mazzo.blackjack.bets.shoes import fast_values
from mazzo.blackjack.documents.traversal import compositions
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.exact.informed import informed_ev
from mazzo.blackjack.multisets import Floats, Ints
from mazzo.blackjack.rules import INFINITE, Rules
from mazzo.blackjack.shoe import Shoe, shoe_of
from mazzo.errors import UnreadableError
from mazzo.rng import stream
from mazzo.statistics import Estimate, Moments
from mazzo.workers import run

__all__ = ["AfterCards", "merged_compositions", "value_after"]


@dataclass(frozen=True)
class AfterCards:
    """What a round is worth after K cards."""

    cards: int
    combinations: int
    """Compositions of thirteen ranks that were visited."""
    compositions: int
    """What is left of them when tens are one rank."""
    mass: float
    exact: int
    positive: Estimate
    negative: Estimate


def merged_compositions(rules: Rules, cards: int, mass: float) -> tuple[Ints, Floats, int]:
    """The cards gone with tens as one rank, their probabilities, and how many combinations of 13 ranks were visited."""
    base = cards + 1
    weights = base ** np.arange(10)
    found: dict[int, float] = {}
    visited = 0
    for rows, chances in compositions(4 * rules.decks, 13, cards, mass):
        ten = np.concatenate([rows[:, :9], rows[:, 9:].sum(1, keepdims=True)], axis=1)
        codes, where = np.unique(ten @ weights, return_inverse=True)
        for code, chance in zip(codes.tolist(), np.bincount(where.reshape(-1), chances).tolist(), strict=True):
            found[code] = found.get(code, 0.0) + chance
        visited += len(chances)
    codes = np.fromiter(found, np.int64, len(found))
    return codes[:, None] // weights % base, np.fromiter(found.values(), np.float64, len(found)), visited


def signed_parts(values: Floats) -> Floats:
    """[value, (max(v, 0), min(v, 0))]."""
    return np.stack([np.maximum(values, 0), np.minimum(values, 0)], axis=1)


def _exact(rules: Rules, informed: bool, counts: tuple[int, ...]) -> float:
    shoe = Shoe(counts)
    return informed_ev(rules, shoe) if informed else analyse(rules, shoe).ev


def value_after(
    rules: Rules,
    cards: int,
    mass: float = 0.95,
    exact: int = 200,
    seed: int = 0,
    *,
    informed: bool = False,
    workers: int = 1,
    advance: Callable[[float], None] | None = None,
) -> AfterCards:
    """E_pos and E_neg after `cards` cards.

    Args:
        rules: The table's rules, with a number of decks.
        cards: Cards gone; up to 14 or so the compositions can be visited.
        mass: Stop when this much probability was visited.
        exact: How many exact values to spend; all compositions get one where that suffices.
        seed: Which compositions are sampled.
        informed: Splits at their best at every level (`exact.informed`) instead of a strategy that can be followed.
        workers: Processes for the exact values.
        advance: Told of every exact value.
    """
    if rules.decks == INFINITE or not 0 <= cards <= 16:
        raise UnreadableError(f"cards must be 0 to 16, and the shoe made of whole decks; got {cards}")
    gone, chances, visited = merged_compositions(rules, cards, mass)
    left = shoe_of(rules).array() - gone
    total = float(chances.sum())
    share = chances / total
    everything = len(share) <= exact
    rng_key = np.random.Generator(np.random.Philox([int(stream(seed, "traversal")), cards]))
    chosen: Ints = np.arange(len(share)) if everything else rng_key.choice(len(share), exact, p=share)
    worth = []
    for ev in run(partial(_exact, rules, informed), [tuple(left[k].tolist()) for k in chosen.tolist()], workers):
        worth.append(ev)
        if advance:
            advance(1)
    values = np.array(worth)
    guess = values if everything else fast_values(rules, left)
    off = np.zeros((1, 2)) if everything else signed_parts(values) - signed_parts(guess[chosen])
    means = share @ signed_parts(guess)
    parts = []
    for mean, more in zip(means.tolist(), Moments.of_columns(off), strict=True):
        error = 0.0 if everything else more.estimate().standard_error
        parts.append(Estimate(mean + more.mean, error, len(values)))
    return AfterCards(cards, visited, len(share), total, len(values), parts[0], parts[1])
