import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mazzo.arena.statistics import Moments

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
