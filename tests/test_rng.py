import importlib
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.rng import fork, forks, mix, mixed

KEYS = st.integers(0, 2**64 - 1)


@settings(deadline=None)  # the first example may compile
@given(KEYS, st.lists(st.integers(0, 2**40), min_size=1, max_size=9))
def test_many_keys_at_once_are_those_that_kernels_make_one_by_one(key: int, counters: list[int]) -> None:
    one_by_one = [int(fork(np.uint64(key), counter)) for counter in counters]
    assert forks(np.uint64(key), counters).tolist() == one_by_one
    assert forks(np.full(len(counters), key, np.uint64), np.array(counters)).tolist() == one_by_one
    assert mixed(np.array([key], np.uint64)).tolist() == [int(mix(np.uint64(key)))]


def test_the_old_name_of_the_module_still_opens_it_and_says_the_new_one() -> None:
    sys.modules.pop("mazzo.luck", None)
    with pytest.warns(DeprecationWarning, match=r"mazzo.luck is now called mazzo.rng"):
        old = importlib.import_module("mazzo.luck")
    assert old.fork is fork
