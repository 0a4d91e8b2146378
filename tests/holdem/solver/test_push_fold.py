"""All-in or fold before the flop: exact counts, published thresholds, and a plain best response."""

import numpy as np
import pytest

from mazzo.errors import UnreadableError
from mazzo.holdem.solver.push_fold import class_table, solve_push_fold


def test_pairs_of_classes_are_counted_without_shared_cards() -> None:
    classes, pairs, equity = class_table()
    aces, kings, suited = (classes.index(name) for name in ("AA", "KK", "AKs"))
    assert pairs.sum() == 1326 * 1225
    assert (pairs[aces, aces], pairs[aces, kings], pairs[aces, suited]) == (6, 36, 12)
    assert (pairs == pairs.T).all()
    assert np.allclose((equity + equity.T)[pairs > 0], 1)
    assert equity[aces, kings] == pytest.approx(0.819461, abs=1e-6)


@pytest.mark.parametrize(("stack", "push", "call", "value"), [(5, 0.73, 0.616, None), (10, 0.578, 0.376, -0.046),
                                                              (20, 0.397, 0.214, None)])  # fmt: skip
def test_shares_are_those_found_with_sampled_equities(stack: int, push: float, call: float, value: float) -> None:
    found = solve_push_fold(stack, until=1e-5)
    assert found.share(found.push) == pytest.approx(push, abs=0.02)
    assert found.share(found.call) == pytest.approx(call, abs=0.01)
    if value:
        assert found.value == pytest.approx(value, abs=1e-3)


def test_thresholds_are_those_of_the_published_chart() -> None:
    def push(stack: float, hand: str) -> float:
        found = solve_push_fold(stack, until=1e-6)
        return float(found.push[found.classes.index(hand)])

    assert [round(push(stack, "63s")) for stack in (2.2, 2.4, 5.0, 5.2, 7.0, 7.2)] == [1, 0, 0, 1, 1, 0]
    for stack, calls in ((5.5, 1), (5.7, 0)):
        found = solve_push_fold(stack, until=1e-6)
        assert round(float(found.call[found.classes.index("Q2o")])) == calls


def test_exploitability_is_that_of_a_plain_best_response() -> None:
    found = solve_push_fold(8, until=1e-3)
    _, pairs, equity = class_table()
    chance = pairs / pairs.sum()
    best_small = best_big = 0.0
    for i in range(169):
        push = sum(chance[i, j] * (1 - found.call[j] + found.call[j] * 8 * (2 * equity[i, j] - 1)) for j in range(169))
        best_small += max(push, -0.5 * chance[i].sum())
        call = sum(chance[j, i] * found.push[j] * 8 * (1 - 2 * equity[j, i]) for j in range(169))
        fold = sum(chance[j, i] * found.push[j] for j in range(169))
        best_big += max(call, -fold) + 0.5 * sum(chance[j, i] * (1 - found.push[j]) for j in range(169))
    assert found.exploitability == pytest.approx((best_small + best_big) / 2, abs=1e-9)
    assert found.exploitability <= 1e-3


def test_a_game_with_more_actions_is_worth_no_less_to_who_has_them() -> None:
    plain, limped = solve_push_fold(12, until=1e-5), solve_push_fold(12, limp=True, until=1e-5)
    assert limped.limp is not None
    assert limped.share(limped.limp) > 0.05
    assert limped.exploitability <= 1e-5
    assert limped.as_dict()["leaves"] == "checked down"
    assert np.allclose(limped.push + limped.limp <= 1 + 1e-9, True)
    assert plain.as_dict()["push"]["AA"] == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("stack", [1.9, 26, float("nan")])
def test_stacks_outside_the_bounds_are_refused(stack: float) -> None:
    with pytest.raises(UnreadableError, match="2 to 25"):
        solve_push_fold(stack)
