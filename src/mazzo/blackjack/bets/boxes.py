"""What two boxes at one table share: they meet one dealer, so they win and lose together more often than not.

The same number of shoes is played by basic strategy with one box and with two, and the variances are compared group of
shoes by group of shoes: V2 = 2 V1 + 2 C.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mazzo.blackjack.bets.counter_seat import Seat, plays_of, simulate_seat
from mazzo.blackjack.bets.earnings import MONEY, MONEY_SQUARES, ROUNDS
from mazzo.blackjack.bets.intervals import Ranged, ranged
from mazzo.blackjack.bets.staking import read_ramp
from mazzo.blackjack.counting.systems import read_count
from mazzo.blackjack.multisets import Floats
from mazzo.blackjack.rules import Rules
from mazzo.blackjack.rules import rules as read_rules
from mazzo.confidence import LEVEL
from mazzo.document import Grid, Section, Shown
from mazzo.workers import Workers

__all__ = ["TwoBoxes", "two_boxes"]


def _variance(total: Floats) -> float:
    return float(total[MONEY_SQUARES] / total[ROUNDS] - (total[MONEY] / total[ROUNDS]) ** 2)


@dataclass(frozen=True, eq=False)
class TwoBoxes(Shown):
    """A unit bet on one box and on two, by basic strategy."""

    sums: Floats
    """[group of shoes, (what one box brought, what two brought)]."""

    def _halves(self, total: Floats) -> tuple[float, float]:
        one, two = np.split(total, 2)
        return _variance(one), _variance(two)

    @property
    def variance(self) -> Ranged:
        """Of one box's result, squared bets."""
        return ranged(lambda total: self._halves(total)[0], self.sums)

    @property
    def covariance(self) -> Ranged:
        """Of two boxes' results, squared bets."""

        def of(total: Floats) -> float:
            one, two = self._halves(total)
            return two / 2 - one

        return ranged(of, self.sums)

    @property
    def correlation(self) -> Ranged:
        """Covariance over variance."""

        def of(total: Floats) -> float:
            one, two = self._halves(total)
            return (two / 2 - one) / one

        return ranged(of, self.sums)

    def stake(self, boxes: int) -> float:
        """What to bet on each of n boxes for the risk of ruin of one unit on a single box: V / (V + (n - 1) C)."""
        variance, covariance = self.variance.value, self.covariance.value
        return variance / (variance + (boxes - 1) * covariance)

    def as_dict(self) -> dict[str, object]:
        """As plain data."""
        figures = {name: getattr(self, name).as_dict() for name in ("variance", "covariance", "correlation")}
        return {**figures, "stakes": {str(boxes): self.stake(boxes) for boxes in (2, 3)}}

    def section(self) -> Section:
        """The figures with their intervals."""
        names = {
            "variance": "variance of one box",
            "covariance": "covariance of two boxes",
            "correlation": "correlation",
        }
        rows = [(words, *getattr(self, name).text(4, "+")) for name, words in names.items()]
        words = (
            f"the risk of ruin of one unit on one box: {self.stake(2):.1%} of it on each of two, "
            f"{self.stake(3):.1%} on each of three"
        )
        return Section("Two boxes", [words], tables=[Grid(("figure", "bets squared", LEVEL), rows)])

    __str__ = Shown.__str__


def two_boxes(
    rules: Rules | str,
    rounds: int = 10_000_000,
    seed: int = 0,
    *,
    workers: Workers = 1,
    advance: Callable[[float], None] | None = None,
) -> TwoBoxes:
    """Variance of a box and covariance of two, from about so many rounds with one box and as many with two."""
    found = read_rules(rules)
    count, ramp = read_count("hi-lo"), read_ramp("-99:1")
    table, sums = plays_of("basic", found, count), []
    for boxes in (1, 2):
        seat = Seat(count, ramp, table, boxes=boxes)
        sums.append(simulate_seat(found, seat, rounds, seed, workers, None, advance)[0].sum(1))
    return TwoBoxes(np.concatenate(sums, axis=1))
