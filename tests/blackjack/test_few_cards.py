from __future__ import annotations

import numpy as np
import pytest

from mazzo.blackjack import PRESETS, Shoe
from mazzo.blackjack.exact.analysis import analyse
from mazzo.errors import IllegalError
from tests.blackjack.brute import Brute

STRIP = PRESETS["strip"]


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 5, 6, 11])  # in shoe 7 two plays are worth the same
def test_the_last_dozen_cards_are_valued_exactly(seed: int) -> None:
    """Hands from a split are as many as the dozen cards serve: the brute force gets that number."""
    name = ("strip", "hungarian", "h17", "european")[seed % 4]
    counts = np.random.default_rng(seed).multivariate_hypergeometric([4] * 9 + [16], 12)
    counts[9] += int(counts.max() > 0)  # at least one ten, so that pairs of tens and blackjacks occur
    shoe = Shoe(tuple(counts.tolist()))
    rules = PRESETS[name].changed(max_hands=2, resplit_aces=False)
    analysis = analyse(rules, shoe)
    brute = Brute(rules, shoe.counts)
    compared = 0
    for state in analysis.states():
        hand, upcard = str(state["hand"]), str(state["upcard"])
        if hand == "A,T":
            continue
        cards = tuple("A23456789T".index(card) + 1 for card in hand.split(","))
        expected = brute.plays(cards, "A23456789T".index(upcard) + 1)
        plays = state["plays"]
        assert isinstance(plays, dict)
        assert set(expected) - set(plays) <= {"split"}
        for play, value in plays.items():
            assert value == pytest.approx(expected[play], abs=1e-12), (hand, upcard, play)
            compared += 1
    assert compared > 100


def test_a_shoe_that_one_hand_could_empty_is_refused() -> None:
    with pytest.raises(IllegalError, match="run out"):
        analyse(STRIP, Shoe((4, 4, 4, 2, 0, 0, 0, 0, 0, 0)))


def test_a_pair_is_not_split_where_the_cards_left_do_not_serve_two_hands() -> None:
    plays = analyse(STRIP, "0,2,3,0,0,5,0,0,0,0").plays("6,6 v 3")
    assert "split" not in plays
    assert "stand" in plays
