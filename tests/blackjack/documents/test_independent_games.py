from __future__ import annotations

import pytest

from mazzo.blackjack.documents.independent_games import doubling, doubling_up, roulette_edge, staking_systems
from mazzo.errors import UnreadableError


def test_every_bet_on_a_wheel_loses_a_thirty_seventh() -> None:
    for numbers in (1, 2, 3, 4, 6, 12, 18, 24):
        assert roulette_edge(numbers) == pytest.approx(-1 / 37, abs=1e-15)
    with pytest.raises(UnreadableError, match="1 to 36"):
        roulette_edge(37)


def test_doubling_up_loses_by_the_texts_formula() -> None:
    for n in (1, 2, 5, 10, 20):
        assert doubling_up(n) == pytest.approx(1 - (1 + 1 / 37) ** n, rel=1e-9)
    found = doubling(10, 400_000, seed=2)
    low, high = found.played.ci95
    assert low < found.expected < high
    assert found.p_ruin == pytest.approx(0.00128, abs=1e-5)
    with pytest.raises(UnreadableError, match="1 to 40"):
        doubling(0)


def test_no_staking_changes_what_a_unit_earns() -> None:
    found = staking_systems(evenings=20_000, bets=100, seed=1)
    for staking in found:
        assert abs(staking.per_unit.mean + 1 / 37) < 4 * staking.per_unit.standard_error
    assert len({round(staking.deviation) for staking in found}) == len(found)
