"""What a counter's rounds brought, from sums by groups of shoes and by count: figures with intervals, a picture."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mazzo.arrays import Floats
from mazzo.blackjack.bets.intervals import Ranged, probability, ranged, ratios, trip_ruin
from mazzo.blackjack.bets.performance import bankroll_for, risk_of_ruin
from mazzo.blackjack.counting.kernel import BINS, LOWEST
from mazzo.confidence import LEVEL
from mazzo.document import Chart, Grid, Section, Series, Shown
from mazzo.errors import UnreadableError
from mazzo.statistics import Z95

__all__ = ["Earnings"]

ROUNDS, WON, SQUARES, MONEY, MONEY_SQUARES, STAKES, PLAYED = range(7)
_SHOWN = 0.0005
"""Counts seen in fewer than this share of rounds are put together with their neighbours in tables."""


@dataclass(frozen=True, eq=False)
class Earnings(Shown):
    """What somebody who counts earned: per round seen, in the money of the ramp, tips taken off."""

    sums: Floats
    """[group, bin, column] as the kernel sums them."""
    boxes: int
    bankroll: float
    per_hour: float
    tips: float
    seed: int
    seconds: float

    def __post_init__(self) -> None:
        for name in ("bankroll", "per_hour"):
            if not 0 < getattr(self, name) < math.inf:
                raise UnreadableError(f"{name} must be above 0, got {getattr(self, name)}")
        if not 0 <= self.tips < math.inf:
            raise UnreadableError(f"tips must be 0 or more, got {self.tips}")

    @cached_property
    def _whole(self) -> Floats:
        return np.asarray(self.sums.sum(1))

    @property
    def rounds(self) -> int:
        """Rounds seen."""
        return int(self._whole[:, ROUNDS].sum())

    def _mean(self, total: Floats) -> float:
        return float(total[MONEY] / total[ROUNDS]) - self.tips / self.per_hour

    def _variance(self, total: Floats) -> float:
        return float(total[MONEY_SQUARES] / total[ROUNDS] - (total[MONEY] / total[ROUNDS]) ** 2)

    @cached_property
    def ev_per_round(self) -> Ranged:
        """Won a round."""
        return ranged(self._mean, self._whole)

    @cached_property
    def sd_per_round(self) -> Ranged:
        """The standard deviation of a round."""
        return ranged(lambda total: math.sqrt(self._variance(total)), self._whole)

    @cached_property
    def desirability(self) -> Ranged:
        """Mean over standard deviation of a round."""
        return ranged(lambda total: self._mean(total) / math.sqrt(self._variance(total)), self._whole)

    @cached_property
    def score(self) -> Ranged:
        """A million times the square of mean over deviation (Schlesinger); below zero for a game that is lost."""
        return self.desirability.through(lambda d: 1e6 * d * abs(d))

    @cached_property
    def n0(self) -> Ranged:
        """Rounds until the expectation is one standard deviation; infinite for a game that is lost."""
        return self.desirability.through(lambda d: 1 / d**2 if d > 0 else math.inf)

    @property
    def hourly(self) -> Ranged:
        """Won an hour."""
        return self.ev_per_round.times(self.per_hour)

    @cached_property
    def average_bet(self) -> Ranged:
        """Staked a round played, all boxes together, before doubling and splitting."""
        return ranged(lambda total: float(total[STAKES] / max(total[PLAYED], 1.0)), self._whole)

    @cached_property
    def advantage(self) -> Ranged:
        """Won per unit staked first."""
        return ranged(lambda total: float(total[MONEY] / total[STAKES]), self._whole)

    @cached_property
    def ruin(self) -> Ranged:
        """The chance that the bankroll is lost sooner or later."""
        over = ranged(lambda total: self._mean(total) / self._variance(total), self._whole)
        return over.through(lambda x: math.exp(-2 * x * self.bankroll) if x > 0 else 1.0)

    def bankroll_for(self, risk: float) -> Ranged:
        """The bankroll at which these bets are lost, sooner or later, with this chance; infinite for a losing game."""
        over = ranged(lambda t: self._mean(t) / self._variance(t), self._whole)
        return over.through(lambda x: bankroll_for(risk, x))

    def trip(self, hours: float) -> Ranged:
        """The chance that the bankroll is lost within so many hours."""
        rounds = hours * self.per_hour
        return probability(lambda t: trip_ruin(self._mean(t), self._variance(t), self.bankroll, rounds), self._whole)

    def before_goal(self, goal: float) -> Ranged:
        """The chance to lose the bankroll before winning `goal`."""
        return probability(lambda t: risk_of_ruin(self._mean(t), self._variance(t), self.bankroll, goal), self._whole)

    def certainty_equivalent(self, kelly: float = 1.0) -> Ranged:
        """The sure sum an hour that is worth as much to somebody who bets this fraction of Kelly: m - v / 2kB."""
        share = 2 * kelly * self.bankroll
        return ranged(lambda t: self._mean(t) - self._variance(t) / share, self._whole).times(self.per_hour)

    def by_count(self) -> list[dict[str, Any]]:
        """By count before the round: share of rounds, bet, what a unit bet wins and its interval, deviation, money."""
        sums = _merged(self.sums)
        ratio, error = ratios(sums[:, :, WON], sums[:, :, PLAYED])
        total, lines = sums.sum(0), []
        for k in np.flatnonzero(total[:, ROUNDS] > 0).tolist():
            played = max(total[k, PLAYED], 1.0)
            unit = total[k, WON] / played
            half = Z95 * error[k] if total[k, PLAYED] > 0 else math.inf
            lines.append(
                {
                    "count": k + LOWEST,
                    "share": float(total[k, ROUNDS] / self.rounds),
                    "played": float(total[k, PLAYED] / total[k, ROUNDS]),
                    "bet": float(total[k, STAKES] / played / self.boxes),
                    "advantage": {
                        "value": float(unit / self.boxes),
                        "ci95": [float((ratio[k] - half) / self.boxes), float((ratio[k] + half) / self.boxes)],
                    },
                    "variance": float(total[k, SQUARES] / played - unit**2),
                    "money_per_round": float(total[k, MONEY] / self.rounds),
                    "ce_per_round": float(
                        total[k, MONEY] / self.rounds - total[k, MONEY_SQUARES] / self.rounds / (2 * self.bankroll)
                    ),
                }
            )
        return lines

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        names = ("ev_per_round", "sd_per_round", "score", "n0", "hourly", "average_bet", "advantage", "ruin")
        return {
            **{name: getattr(self, name).as_dict() for name in names},
            "certainty_equivalent_per_hour": self.certainty_equivalent().as_dict(),
            "rounds": self.rounds,
            "rounds_played": int(self._whole[:, PLAYED].sum()),
            "bankroll": self.bankroll,
            "rounds_per_hour": self.per_hour,
            "tips_per_hour": self.tips,
            "seconds": self.seconds,
            "seed": self.seed,
            "by_count": self.by_count(),
        }

    def chart(self) -> Chart:
        """What a unit bet wins by count, with intervals."""
        lines = [line for line in self.by_count() if line["played"] > 0]
        values = [line["advantage"] for line in lines]
        series = Series(
            "",
            [line["count"] for line in lines],
            [100 * v["value"] for v in values],
            [100 * v["ci95"][0] for v in values],
            [100 * v["ci95"][1] for v in values],
        )
        caption = f"{self.rounds:,} rounds, seed {self.seed}; {LEVEL} intervals"
        return Chart(
            "Advantage by count",
            "count before the round",
            "% of the bet",
            [series],
            "points",
            [("break even", 0.0)],
            caption=caption,
        )

    def section(self) -> Section:
        """The figures and the table by count."""
        rows = [(name, *figure.text(digits, sign)) for name, figure, digits, sign in self._lines()]
        table = [
            (
                f"{line['count']:+d}",
                f"{100 * line['share']:.2f} %",
                f"{line['bet']:g}",
                f"{100 * line['advantage']['value']:+.2f} %",
                f"{100 * line['advantage']['ci95'][0]:+.2f} .. {100 * line['advantage']['ci95'][1]:+.2f}",
            )
            for line in self.by_count()
        ]
        words = [f"{self.rounds:,} rounds seen, seed {self.seed}"]
        heads = ("count", "rounds", "bet", "advantage", LEVEL)
        return Section(
            "What a counter earns", words, tables=[Grid(("figure", "value", LEVEL), rows), Grid(heads, table)]
        )

    def _lines(self) -> list[tuple[str, Ranged, int, str]]:
        return [
            ("won a round", self.ev_per_round, 4, "+"),
            ("standard deviation of a round", self.sd_per_round, 3, ""),
            ("average bet", self.average_bet, 2, ""),
            ("advantage, % of what is bet", self.advantage.times(100), 3, "+"),
            ("SCORE", self.score, 2, ""),
            ("N0, rounds", self.n0, 0, ""),
            ("won an hour", self.hourly, 2, "+"),
            ("risk of ruin, %, for ever", self.ruin.times(100), 2, ""),
            ("certainty equivalent an hour", self.certainty_equivalent(), 2, "+"),
        ]

    __str__ = Shown.__str__


def _merged(sums: Floats) -> Floats:
    """Sums with counts that hardly occur put to the nearest that do."""
    share = sums[:, :, ROUNDS].sum(0)
    often = np.flatnonzero(share >= _SHOWN * share.sum())
    result = np.zeros_like(sums)
    for k in range(BINS):
        result[:, min(max(k, int(often[0])), int(often[-1]))] += sums[:, k]
    return result
