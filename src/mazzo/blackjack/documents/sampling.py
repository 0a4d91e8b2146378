"""Shoes as play leaves them."""

from __future__ import annotations

import numpy as np

from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import Shoe, must_change, shoe_of
from mazzo.errors import UnreadableError

__all__ = ["played_shoes"]


def played_shoes(rules: Rules, count: int, seed: int = 0) -> list[Shoe]:
    """Random shoes as they stand before a round: any number of cards gone up to the cut card, which ones by chance.

    Cards that are gone are a random sample of the shoe whatever was played, so nothing need be played to draw them.
    """
    if count < 1:
        raise UnreadableError(f"the number of shoes must be at least 1, got {count}")
    chance = np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, *b"shoes"])))
    must_change(rules)
    fresh = shoe_of(rules)
    most = int(fresh.cards * rules.penetration)
    shoes = []
    for _ in range(count):
        gone = chance.multivariate_hypergeometric(fresh.array(), int(chance.integers(0, most + 1)))
        shoes.append(Shoe(tuple((fresh.array() - gone).tolist())))
    return shoes
