from __future__ import annotations

import numpy as np
import pytest

from mazzo.blackjack import PRESETS, Rules
from mazzo.blackjack.exact.analysis import analyse
from mazzo.blackjack.exact.distribution import round_distribution
from mazzo.blackjack.exact.total import best_table
from mazzo.blackjack.simulation import play_rounds
from mazzo.blackjack.strategy import play_arrays, policy_of
from mazzo.errors import IllegalError

PLAIN = {"max_hands": 1, "double_after_split": False, "resplit_aces": False, "insurance": False, "even_money": "none"}
RULES: dict[str, Rules] = {
    "strip": PRESETS["strip"].changed(**PLAIN),
    "late": PRESETS["h17"].changed(**PLAIN, surrender="late", decks=2),
    "early": PRESETS["strip"].changed(**PLAIN, surrender="early"),
    "hungarian": PRESETS["hungarian"].changed(**PLAIN),
    "two hands": PRESETS["strip"].changed(**{**PLAIN, "max_hands": 2, "double_after_split": True}),
    "two hands, no peek": PRESETS["hungarian"].changed(**{**PLAIN, "max_hands": 2, "surrender_after_split": True}),
    "european, late": PRESETS["european"].changed(**PLAIN, surrender="late"),
}


@pytest.mark.parametrize("name", RULES)
def test_chances_add_up_to_one_and_to_the_exact_value(name: str) -> None:
    found = round_distribution(RULES[name])
    assert sum(chance for _, chance in found.chances) == pytest.approx(1, abs=1e-12)
    assert found.mean == pytest.approx(analyse(RULES[name]).ev, abs=1e-12)


@pytest.mark.parametrize("name", RULES)
def test_results_come_as_often_in_simulated_rounds(name: str) -> None:
    rules = RULES[name]
    table = best_table(rules).table
    found = round_distribution(rules, None, policy_of(table, rules))
    rounds = 400_000
    played = play_rounds(rules, play_arrays(table, rules), rounds, 1, insuring="never")
    for result, chance in found.chances:
        seen = float(np.mean(played == result))
        assert abs(seen - chance) < 4.5 * np.sqrt(chance * (1 - chance) / rounds) + 1e-9, result
    assert played.var() == pytest.approx(found.variance, rel=0.02)


def test_rules_with_splits_are_refused() -> None:
    with pytest.raises(IllegalError, match="without resplits"):
        round_distribution(PRESETS["strip"])
