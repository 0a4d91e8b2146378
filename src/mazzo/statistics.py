"""Figures with their error: means, intervals, and when a sequential match may stop."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mazzo.confidence import CONFIDENCE

__all__ = ["Z95", "Estimate", "Moments", "student", "wilson"]

Z95 = round(NormalDist().inv_cdf((1 + CONFIDENCE) / 2), 15)
"""Standard errors on each side of an interval of everything that is shown, by the normal approximation."""


def student(n: int, confidence: float = CONFIDENCE) -> float:
    """Standard errors on each side of an interval around the mean of n normal values (Student 1908)."""
    from scipy.special import stdtrit

    return float(stdtrit(n - 1, (1 + confidence) / 2))


@dataclass(frozen=True)
class Estimate:
    """A mean, its standard error, and how many independent observations it stands on."""

    mean: float
    standard_error: float
    n: int

    @property
    def ci95(self) -> tuple[float, float]:
        """The interval by the normal approximation; how sure it is says `mazzo.confidence`."""
        return self.mean - Z95 * self.standard_error, self.mean + Z95 * self.standard_error

    @property
    def student95(self) -> tuple[float, float]:
        """The interval by Student's distribution: wider where the error itself rests on few observations."""
        half = student(self.n) * self.standard_error if self.n > 1 else math.inf
        return self.mean - half, self.mean + half

    def __str__(self) -> str:
        return f"{self.mean:+.4f} ± {Z95 * self.standard_error:.4f}"


def wilson(successes: int, n: int) -> tuple[float, float]:
    """The interval of a share of successes (Wilson 1927): good for few trials and for shares near 0 and 1."""
    share, squared = successes / n, Z95 * Z95
    middle = (share + squared / (2 * n)) / (1 + squared / n)
    half = Z95 * math.sqrt(share * (1 - share) / n + squared / (4 * n * n)) / (1 + squared / n)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass
class Moments:
    """Count, mean and squared deviations of a stream, merged without loss (Chan, Golub, LeVeque 1979)."""

    n: int = 0
    mean: float = 0.0
    squares: float = 0.0

    @classmethod
    def of(cls, values: ArrayLike) -> Moments:
        """The moments of a batch of observations."""
        array = np.asarray(values, dtype=np.float64)
        if array.size == 0:
            return cls()
        mean = float(array.mean())
        return cls(int(array.size), mean, float(((array - mean) ** 2).sum()))

    @classmethod
    def of_columns(cls, values: NDArray[np.float64]) -> list[Moments]:
        """The moments of every column of a batch."""
        columns = np.ascontiguousarray(values.T)  # numpy adds up rows of memory many times faster than columns
        means = columns.mean(axis=1)
        squares = ((columns - means[:, None]) ** 2).sum(axis=1)
        return [cls(len(values), float(m), float(s)) for m, s in zip(means, squares, strict=True)]

    def __add__(self, other: Moments) -> Moments:
        n = self.n + other.n
        if n == 0:
            return Moments()
        delta = other.mean - self.mean
        mean = self.mean + delta * other.n / n
        return Moments(n, mean, self.squares + other.squares + delta * delta * self.n * other.n / n)

    @property
    def variance(self) -> float:
        """The unbiased sample variance; infinite while it is unknown."""
        return self.squares / (self.n - 1) if self.n > 1 else math.inf

    def estimate(self) -> Estimate:
        """The mean with its standard error."""
        error = math.sqrt(self.variance / self.n) if self.n > 1 else math.inf
        return Estimate(self.mean, error, self.n)

    def confidence_sequence(
        self, alpha: float = round(1 - CONFIDENCE, 12), best_at: int = 10_000
    ) -> tuple[float, float]:
        """An interval that may be looked at after every observation and is right throughout with chance 1 - alpha.

        The ordinary interval, looked at again and again until it excludes zero, would be wrong far more often than
        it says. This is the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2021),
        tuned to be narrowest near `best_at` observations.
        """
        if self.n < 2:
            return -math.inf, math.inf
        rho2 = (2 * math.log(1 / alpha) + math.log(1 + 2 * math.log(1 / alpha))) / best_at
        spread = self.n * rho2 + 1
        radius = math.sqrt(self.variance * 2 * spread / (self.n**2 * rho2) * math.log(math.sqrt(spread) / alpha))
        return self.mean - radius, self.mean + radius
