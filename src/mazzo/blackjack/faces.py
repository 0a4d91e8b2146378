"""The faces of cards: blackjack counts ranks, people see suits and court cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy

import numpy as np

from mazzo.blackjack.shoe import RANKS
from mazzo.cards import FRENCH
from mazzo.rng import below, fork

__all__ = ["Faces", "rank_of", "usual_faces"]


def rank_of(card: str) -> int:
    """The rank that blackjack counts for a card: jacks, queens and kings are tens."""
    return RANKS.index("T" if card[0] in "TJQK" else card[0])


class Faces:
    """Gives every rank drawn from a shoe the suit (and the tens their face) of a card that is still in it."""

    def __init__(self, key: np.uint64, decks: int) -> None:
        self._piles: list[list[str]] = []
        for rank in range(10):
            letters = "TJQK" if RANKS[rank] == "T" else RANKS[rank]
            pile = [letter + suit for _ in range(decks) for letter in letters for suit in FRENCH.suits]
            rng_key = np.uint64(fork(np.uint64(key), rank))
            for k in range(len(pile) - 1, 0, -1):
                rng_key = np.uint64(fork(rng_key, k))
                other = int(below(rng_key, k + 1))
                pile[k], pile[other] = pile[other], pile[k]
            self._piles.append(pile)
        self._used = [0] * 10

    @classmethod
    def of_order(cls, cards: Sequence[str]) -> Faces:
        """The faces of a shoe whose cards lie in this order."""
        faces = cls.__new__(cls)
        faces._piles, faces._used = [[] for _ in RANKS], [0] * len(RANKS)
        for card in cards:
            faces._piles[rank_of(card)].append(card)
        return faces

    def with_other(self, cards: Sequence[int], number: int, rank: int) -> Faces:
        """A copy in which card `number` of a round is of another rank, and all its other cards look the same."""
        other, before = copy(self), cards[:number]
        other._piles = [list(pile) for pile in self._piles]
        out, into = (other._piles[r] for r in (cards[number], rank))
        out.append(out.pop((self._used[cards[number]] + before.count(cards[number])) % len(out)))
        into.insert((self._used[rank] + before.count(rank)) % len(into), into.pop())
        return other

    def of(self, ranks: Iterable[int]) -> Sequence[str]:
        """The faces of a round's cards, in the order in which they were drawn."""
        used, faces = list(self._used), []
        for rank in ranks:
            faces.append(self._piles[rank][used[rank] % len(self._piles[rank])])
            used[rank] += 1
        return faces

    def spend(self, ranks: Iterable[int]) -> None:
        """The cards of a finished round are gone."""
        for rank in ranks:
            self._used[rank] += 1


def usual_faces(ranks: Sequence[int], hole: int, decks: int) -> Sequence[str]:
    """Faces of a round's cards with suits always in the same order.

    The hole card's (number `hole`, -1 for none) is the last, lest those of later cards tell its rank.
    """
    order = list(ranks)
    if hole >= 0:
        order.append(order.pop(hole))
    faces = list(Faces(np.uint64(0), max(decks, 1)).of(order))
    if hole >= 0:
        faces.insert(hole, faces.pop())
    return faces
