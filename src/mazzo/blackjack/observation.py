"""What a player of blackjack sees at a decision."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Flags, Ints
from mazzo.blackjack.columns import ACTIONS, SURRENDER
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import RANKS, Shoe, text_of
from mazzo.document import InWords

__all__ = ["Observations", "decision"]


@dataclass(frozen=True, repr=False)
class Observations(InWords):
    """A batch of decisions, one a row: all that a player sees, and nothing of the cards to come."""

    rules: Rules
    cards: Ints
    """[row, rank]: the cards of the hand to play."""
    upcard: Ints
    """[row]: the dealer's open card, 0 the ace to 9 the tens."""
    shoe: Ints
    """[row, rank]: the cards not yet seen before this round was dealt; own cards and upcard still among them."""
    legal: Flags
    """[row, action]: which of stand, hit, double, split, surrender, insure, even money, leave are allowed."""
    after_split: Flags
    rng_key: NDArray[np.uint64]
    """[row]: an agent that chooses at random does so from this number."""

    @property
    def luck(self) -> NDArray[np.uint64]:
        """The old name of `rng_key`."""
        return self.rng_key

    def __len__(self) -> int:
        return len(self.upcard)

    def __getitem__(self, rows: Any) -> Observations:
        """Some of the rows: a slice, a mask, or numbers."""
        arrays = (getattr(self, field.name)[rows] for field in fields(self)[1:])
        return Observations(self.rules, *arrays)

    def hand(self, row: int) -> tuple[tuple[int, ...], int]:
        """The ranks of the hand to play, aces first, and the upcard."""
        return tuple(rank for rank in range(10) for _ in range(int(self.cards[row, rank]))), int(self.upcard[row])

    def words(self) -> list[str]:
        """What the player sees, in words."""
        ranks, upcard = self.hand(0)
        may = ", ".join(name for name, allowed in zip(ACTIONS, self.legal[0], strict=True) if allowed)
        split = ["after a split"] if self.after_split[0] else []
        left = f"{int(self.shoe[0].sum())} cards not seen before this round"
        return [f"my hand {text_of(ranks)}", *split, f"dealer shows {RANKS[upcard]}", left, f"may {may}"]

    @property
    def side_bets(self) -> Flags:
        """[row]: whether a side bet is offered."""
        return np.asarray(self.legal[:, SURRENDER + 1 :].any(axis=1))


def decision(
    rules: Rules,
    hand: Iterable[int],
    upcard: int,
    shoe: Shoe,
    legal: Flags,
    after_split: bool = False,
    rng_key: int = 0,
) -> Observations:
    """A batch of one; `legal` may leave out the side bets."""
    allowed = np.zeros((1, len(ACTIONS)), np.bool_)
    allowed[0, : len(legal)] = legal
    return Observations(
        rules,
        np.bincount(tuple(hand), minlength=10)[None].astype(np.int64),
        np.array([upcard]),
        shoe.array()[None],
        allowed,
        np.array([after_split]),
        np.array([rng_key], np.uint64),
    )
