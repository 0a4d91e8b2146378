import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mazzo.confidence import CONFIDENCE, INTERVAL, LEVEL
from mazzo.statistics import Z95, Moments, student

NUMBERS = st.lists(st.floats(-1e6, 1e6), max_size=50)


@given(NUMBERS, NUMBERS)
def test_moments_of_two_parts_are_those_of_the_whole(left: list[float], right: list[float]) -> None:
    merged, whole = Moments.of(left) + Moments.of(right), Moments.of(left + right)
    assert merged.n == whole.n
    assert merged.mean == pytest.approx(whole.mean, rel=1e-9, abs=1e-6)
    assert merged.squares == pytest.approx(whole.squares, rel=1e-6, abs=1e-3)


def test_the_estimate_is_numpys() -> None:
    values = np.random.default_rng(1).normal(3, 2, 1000)
    estimate = Moments.of(values).estimate()
    assert estimate.mean == pytest.approx(values.mean())
    assert estimate.standard_error == pytest.approx(values.std(ddof=1) / np.sqrt(1000))
    low, high = estimate.ci95
    assert high - low == pytest.approx(2 * 1.959964 * estimate.standard_error)


def test_one_observation_has_no_known_error() -> None:
    assert Moments.of([3.0]).estimate().standard_error == np.inf


def test_the_95_percent_interval_covers_about_95_times_in_100() -> None:
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(1000):
        low, high = Moments.of(rng.normal(0.1, 1, 200)).estimate().ci95
        covered += low <= 0.1 <= high
    assert 925 <= covered <= 975


def test_a_confidence_sequence_may_be_watched_all_along() -> None:
    """Looked at after every 50 of 5,000 observations, it excludes the truth in at most about 5 runs of 100."""
    rng = np.random.default_rng(3)
    wrong = fixed_wrong = 0
    for _ in range(300):
        moments = Moments()
        missed = fixed_missed = False
        for _ in range(100):
            moments += Moments.of(rng.normal(0, 1, 50))
            low, high = moments.confidence_sequence()
            missed |= not low <= 0 <= high
            low, high = moments.estimate().ci95
            fixed_missed |= not low <= 0 <= high
        wrong += missed
        fixed_wrong += fixed_missed
    assert wrong <= 25
    assert fixed_wrong > 60  # what an ordinary interval would have done


def test_all_intervals_are_of_the_one_confidence_level() -> None:
    assert math.isclose(math.erf(Z95 / math.sqrt(2)), CONFIDENCE)
    moments = Moments.of([1.0, 2.0, 4.0, 8.0])
    assert moments.confidence_sequence() == moments.confidence_sequence(alpha=round(1 - CONFIDENCE, 12))
    assert INTERVAL.startswith(LEVEL)


def test_students_interval_is_the_tables_at_95_percent_and_goes_to_the_normal_one() -> None:
    table = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}
    assert {n: round(student(n, 0.95), 3) for n in table} == table
    assert student(2, 0.5) == pytest.approx(1)  # Cauchy's quartile
    assert student(3, 0.99) == pytest.approx(9.9248, abs=1e-4)
    assert student(10**7) == pytest.approx(Z95, rel=1e-6)


def test_an_interval_of_few_observations_is_students() -> None:
    few = Moments.of([1.0, 3.0]).estimate()
    assert few.student95 == pytest.approx((2 - 12.706, 2 + 12.706), abs=1e-3)
    assert few.student95[0] < few.ci95[0]
    assert Moments.of([1.0]).estimate().student95 == (-math.inf, math.inf)
