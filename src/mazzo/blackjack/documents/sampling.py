"""Shoes as play leaves them, or as the traversal visits them: the two ways of Bodon (2000), 5.3.3."""

from __future__ import annotations

import numpy as np

from mazzo.blackjack.documents.likely import drawn, likelihoods, threshold_of
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import Shoe, must_change, shoe_of
from mazzo.errors import UnreadableError

__all__ = ["WAYS", "drawn_shoes", "played_shoes", "visited_shoes"]

WAYS = ("play", "traversal")
"""How points are drawn."""
_DRAWS = 2000


def drawn_shoes(rules: Rules, count: int, way: str, seed: int = 0) -> list[Shoe]:
    """Shoes drawn in one of the two ways."""
    return played_shoes(rules, count, seed) if way == "play" else visited_shoes(rules, count, seed)


def _chance(seed: int, name: bytes) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, *name])))


def played_shoes(rules: Rules, count: int, seed: int = 0) -> list[Shoe]:
    """Random shoes as they stand before a round: any number of cards gone up to the cut card, which ones by chance.

    Cards that are gone are a random sample of the shoe whatever was played, so nothing need be played to draw them.
    """
    if count < 1:
        raise UnreadableError(f"the number of shoes must be at least 1, got {count}")
    chance = _chance(seed, b"shoes")
    must_change(rules)
    fresh = shoe_of(rules)
    most = int(fresh.cards * rules.penetration)
    shoes = []
    for _ in range(count):
        gone = chance.multivariate_hypergeometric(fresh.array(), int(chance.integers(0, most + 1)))
        shoes.append(Shoe(tuple((fresh.array() - gone).tolist())))
    return shoes


def visited_shoes(rules: Rules, count: int, seed: int = 0, mass: float = 0.95) -> list[Shoe]:
    """Shoes out of the compositions that a traversal of `mass` of the probability visits, drawn by their probability.

    A random composition that is kept if the traversal would visit it has just that distribution; so the traversal need
    not be walked, which deep in the shoe it cannot be.
    """
    if count < 1:
        raise UnreadableError(f"the number of shoes must be at least 1, got {count}")
    chance, fresh = _chance(seed, b"traversal"), shoe_of(rules)
    gone, amounts = np.unique(chance.integers(0, int(fresh.cards * rules.penetration) + 1, count), return_counts=True)
    rows = []
    for cards, amount in zip(gone.tolist(), amounts.tolist(), strict=True):
        least, _ = threshold_of(fresh.counts, cards, mass, chance, _DRAWS)
        kept: list[np.ndarray] = []
        while sum(map(len, kept)) < amount:
            found = drawn(fresh.counts, cards, 2 * amount + 8, chance)
            kept.append(found[likelihoods(fresh.counts, found) >= least])
        rows.append(np.concatenate(kept)[:amount])
    left = fresh.array() - np.concatenate(rows)
    chance.shuffle(left)
    return [Shoe(tuple(row)) for row in left.tolist()]
