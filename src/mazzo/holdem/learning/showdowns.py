"""What showdowns brought beside what they were worth, and whether the others' betting told of their cards.

Against opponents who do not look at their cards a showdown is worth pot x equity against a random hand, whatever was
bet; rewarding that instead of the result takes the luck of the opponent's cards out of what is learned. Whether it may
be done is seen from own cards and results alone: if the opponents ignore their cards, what a showdown brings above its
equity is zero on average, whatever they bet; if they bet good hands, it is below zero where they bet.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mazzo.arrays import Floats, Ints
from mazzo.holdem.attributes.situations import win_probability

__all__ = ["SURE", "Showdowns", "ignores_cards_p_value", "showdowns_of"]


SURE = 0.01
"""Below this probability the others' betting is held to tell of their cards."""
_FEWEST = 300
"""With fewer showdowns even a careful player's betting would hardly be noticed."""


@dataclass(frozen=True)
class Showdowns:
    """Last decisions of hands that came to a showdown."""

    row: Ints
    pot: Floats
    excess: Floats
    """The share of the pot that was won, less the equity against a random hand on the whole board."""

    @classmethod
    def none(cls) -> Showdowns:
        """No showdowns."""
        return cls(np.zeros(0, np.int64), np.zeros(0), np.zeros(0))


def showdowns_of(row: Ints, pot: Floats, won: Floats, hole: NDArray[np.uint8], board: NDArray[np.int8]) -> Showdowns:
    """Showdowns, from what was in the pot and what was collected of it."""
    equity = win_probability(hole, board) / 1000
    return Showdowns(row, pot, won / pot - equity)


def ignores_cards_p_value(showdowns: Showdowns, raises: Ints, hand: Ints) -> float | None:
    """The probability of such results at showdowns if the others ignored their cards; None where they are too few.

    A score test with robust errors: the excess must be uncorrelated with a constant (who folds weak hands shows down
    strong ones) and with the others' raises on every street. Both players' showdowns of one hand count as one.

    Args:
        showdowns: the showdowns.
        raises: of each, how often the others raised on every street.
        hand: of every decision, which hand it was.
    """
    from scipy.stats import chi2

    if len(showdowns.row) < _FEWEST:
        return None
    told = np.column_stack([np.ones(len(showdowns.row)), raises]) * showdowns.excess[:, None]
    _, group = np.unique(hand[showdowns.row], return_inverse=True)
    scores = np.zeros((group.max() + 1, told.shape[1]))
    np.add.at(scores, group, told)
    total, spread = scores.sum(axis=0), scores.T @ scores
    statistic = float(total @ np.linalg.pinv(spread) @ total)
    return float(chi2.sf(statistic, np.linalg.matrix_rank(spread)))
