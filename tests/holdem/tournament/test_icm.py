"""What chips are worth: known values, brute force over all orders, laws."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mazzo.errors import IllegalError
from mazzo.holdem.tournament.icm import icm


def test_three_players_have_the_known_worth() -> None:
    assert icm([5, 3, 2], [50, 30, 20]) == pytest.approx([38.392857, 32.75, 28.857143], abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=5), st.lists(st.integers(0, 100), min_size=1, max_size=5))
def test_it_is_the_sum_over_all_orders(chips: list[int], prizes: list[int]) -> None:
    worth = [0.0] * len(chips)
    for order in permutations(range(len(chips))):
        chance, left = 1.0, float(sum(chips))
        for player in order:
            chance *= chips[player] / left
            left -= chips[player]
        for prize, player in zip(prizes, order, strict=False):
            worth[player] += chance * prize
    assert icm(chips, prizes) == pytest.approx(worth)


def test_twelve_players_share_all_prizes() -> None:
    worth = icm(range(1, 13), [40, 25, 15, 10, 6, 4])
    assert sum(worth) == pytest.approx(100)
    assert worth == sorted(worth)


@pytest.mark.parametrize("chips", [[], [1] * 13, [1, 0], [1, -2], [float("inf"), 1]])
def test_what_cannot_be_divided_is_refused(chips: list[float]) -> None:
    with pytest.raises(IllegalError):
        icm(chips, [1])
