"""How good a count is for betting, for playing and for insurance (Griffin, The Theory of Blackjack, 1979).

Betting and insurance correlation are correlations of its tags with the effects of removal on the round's value and on
insurance. Playing efficiency is the part of what perfect play gains over basic strategy that play by the count gains:
the difference of the two best plays of a hand is nearly normal over shoes of a given depth, with a deviation from its
own effects of removal; by a count only the part of it that goes with the tags is seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from mazzo.arrays import Floats
from mazzo.blackjack.counting.decisions import around, depth_of
from mazzo.blackjack.counting.effects import betting_correlation, centred, effects_of_removal
from mazzo.blackjack.counting.systems import WEIGHTS, Count
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.shoe import shoe_of

__all__ = ["Efficiency", "efficiency", "insurance_correlation", "playing_efficiency"]

_INSURANCE = np.array([1.0] * 9 + [-9.0 / 4])
"""What a card's removal does to insurance, up to a factor."""


@dataclass(frozen=True)
class Efficiency:
    """The three figures by which counts are compared."""

    betting_correlation: float
    playing_efficiency: float
    insurance_correlation: float


def insurance_correlation(count: Count) -> float:
    """The correlation of the tags with the effects of removal on insurance."""
    return betting_correlation(count.tags, _INSURANCE)


def _expected_gain(mean: Floats, deviation: Floats) -> Floats:
    """The mean of the part above zero of a normal difference."""
    safe = np.maximum(deviation, 1e-15)
    z = mean / safe
    return np.asarray(safe * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) + mean * ndtr(z))


def playing_efficiency(rules: Rules, count: Count, gone: float | None = None) -> float:
    """The part of perfect play's gain that play by the count gains, insurance aside."""
    depth = depth_of(rules, gone)
    values, every_effect, chances = around(rules, depth.each)
    order = np.argsort(-np.where(np.isfinite(values), values, -1e9), axis=0)
    best, second = order[0], order[1]
    hands, upcards = np.nonzero(chances > 1e-9)
    one, two = best[hands, upcards], second[hands, upcards]
    mean = values[two, hands, upcards] - values[one, hands, upcards]
    effects = every_effect[:, two, hands, upcards] - every_effect[:, one, hands, upcards]
    away = effects - WEIGHTS @ effects
    cards, whole = depth.cards, shoe_of(rules).cards
    scale = np.sqrt(cards * (whole - cards) / (whole - 1))
    deviation = scale * np.sqrt(WEIGHTS @ away**2)
    tags = centred(count.tags)
    seen = scale * np.abs((WEIGHTS * tags) @ away) / np.sqrt(WEIGHTS @ tags**2)
    weights = chances[hands, upcards]
    known = np.isfinite(mean)
    perfect = weights[known] @ _expected_gain(mean[known], deviation[known])
    counted = weights[known] @ _expected_gain(mean[known], seen[known])
    return float(counted / perfect)


def efficiency(rules: Rules, count: Count, gone: float | None = None) -> Efficiency:
    """CounterBetting correlation, playing efficiency and insurance correlation of a count."""
    return Efficiency(
        betting_correlation(count.tags, effects_of_removal(rules).effects),
        playing_efficiency(rules, count, gone),
        insurance_correlation(count),
    )
